"""CoTuLenh moves as people write them: the golden files, then each rule of spec/cotulenh 15 by itself."""

from __future__ import annotations

import copy
import gzip
import json
import random
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import forsyth
from forsyth.diagnostics import MoveError
from forsyth.games.cotulenh.board import SQUARE_NUMBER, SQUARES
from forsyth.games.cotulenh.notation.san import (
    SanError,
    read_move,
    read_move_with_notes,
    read_object,
    read_shape,
    write_lan,
    write_moves,
    write_plain,
    write_san,
)
from forsyth.games.cotulenh.position import Position, build_position
from forsyth.games.cotulenh.rules import deploy, outcome, turns
from forsyth.games.cotulenh.rules.completion import can_complete_turn
from forsyth.games.cotulenh.rules.moves import Move, Rules, is_commander_in_danger, move_from_number
from forsyth.games.cotulenh.rules.turns import COMMIT, Turn, play_action
from forsyth.games.cotulenh.stacks import read_unit, split_unit, write_unit
from forsyth.limits import MAX_MOVE_TEXT

Row = dict[str, Any]
FOLDER = Path(__file__).parents[2] / "golden" / "cotulenh"
COMPILED = bool(forsyth.build_info()["compiled"])
PEER = Rules(commander_resets_clock=False)
START = "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1"


@cache
def rows(name: str) -> tuple[Row, ...]:
    with gzip.open(FOLDER / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return tuple(json.loads(line) for line in lines)


def sample(name: str, one_in: int) -> list[Row]:
    """The same part of a golden file each time."""
    return [row for row in rows(name) if zlib.crc32(row["id"].encode()) % one_in == 0]


def position_of(fen: str) -> Position:
    """The position of a canonical text without a session."""
    placement, turn, _, _, half, full = fen.split()
    units = [0] * len(SQUARES)
    for rank, text in zip(range(12, 0, -1), placement.split("/"), strict=True):
        file, at = 0, 0
        while at < len(text):
            end = at + 1
            if text[at].isdigit():
                end += text[at] == "1" and text[end : end + 1].isdigit()
                file += int(text[at:end])
            else:
                end = text.index(")", at) + 1 if text[at] == "(" else end + (text[at] == "+")
                units[(rank - 1) * 11 + file] = read_unit(text[at:end], is_blue=text[at:end].islower())
                file += 1
            at = end
    return build_position(tuple(units), int(turn == "b"), int(half), int(full))


def fen_of(position: Position) -> str:
    """The canonical text of a board, its turn and clocks; the session aside."""
    ranks = []
    for rank in range(11, -1, -1):
        text, empty = "", 0
        for file in range(11):
            unit = position.unit_on(rank * 11 + file)
            if unit:
                text += (str(empty) if empty else "") + write_unit(unit, fen=True)
            empty = 0 if unit else empty + 1
        ranks.append(text + (str(empty) if empty else ""))
    return f"{'/'.join(ranks)} {position.turn} - - {position.half} {position.full}"


def reach(row: Row) -> Position:
    """The position of a row: its start, then its deploy steps."""
    position = position_of(row["start_fen"])
    for step in row["steps"]:
        position = play_action(position, read_move(position, step, PEER), PEER)
    return position


def at(fen: str, *texts: str) -> Position:
    position = position_of(fen)
    for text in texts:
        position = play_action(position, read_move(position, text, PEER), PEER)
    return position


def refused(position: Position, text: str) -> SanError:
    with pytest.raises(SanError) as caught:
        read_move(position, text)
    return caught.value


# --- the golden files -------------------------------------------------------------------------------

ONE_IN = 1 if COMPILED else 12


def test_every_legal_move_is_written_as_the_golden_file_writes_it() -> None:
    for row in sample("legal_moves", ONE_IN):
        position = reach(row)
        written = {
            (write_lan(position, move), move.flags): text for move, text in write_moves(position, PEER)
        }
        assert written == {(m["lan"], m["flags"]): m["san_full"] for m in row["moves"]}, row["id"]


def test_one_move_is_written_as_in_the_list() -> None:
    for row in sample("legal_moves", 1 if COMPILED else 40):
        position = reach(row)
        plain = {m["lan"] + m["flags"]: m["san"] for m in row["moves"]}
        for move, text in write_moves(position, PEER):
            assert write_san(position, move, PEER) == text, row["id"]
            assert write_plain(position, move, PEER) == plain[write_lan(position, move) + move.flags], row[
                "id"
            ]


@pytest.mark.slow
def test_every_golden_spelling_is_read_back() -> None:
    for row in sample("legal_moves", ONE_IN):
        position = reach(row)
        by_lan = {
            (write_lan(position, move_from_number(n)), move_from_number(n).flags): move_from_number(n)
            for n in numbers(position)
        }
        for m in row["moves"]:
            move = by_lan[m["lan"], m["flags"]]
            for text in (m["san"], m["san_full"], m["lan"]):
                assert read_move_with_notes(position, text, PEER) == (move, ()), (row["id"], text)


def numbers(position: Position) -> list[int]:
    return deploy.list_legal_moves(position, PEER)


@pytest.mark.slow
def test_every_golden_turn_is_written_and_read_back() -> None:
    for row in sample("legal_moves", ONE_IN):
        position = reach(row)
        start = position_of(row["start_fen"])
        for m in row["moves"]:
            if "turn_san" not in m:
                continue
            where = (row["id"], m["san"])
            move = read_move(position, m["lan"], PEER)
            assert isinstance(move, Move)
            after = play_action(position, move, PEER)
            assert fen_of(after) == m["fen_after"], where
            assert (after.session is None) == m["done"], where
            so_far = deploy.take_step(position, move.id, PEER).session
            assert so_far is not None
            assert turns.write_turn_plain(start, so_far, PEER) == m["turn_san"], where
            written = turns.write_turn(start, so_far, PEER)
            if not m["done"]:
                # The golden file gives a turn that may go on neither mark nor disambiguator.
                assert without_origin(written.rstrip("^#")) == m["turn_full"], where
                continue
            assert written == m["turn_full"], where
            assert turns.write_turn_lan(start, so_far, PEER) == m["turn_lan"], where
            for text in (m["turn_san"], m["turn_full"], m["turn_lan"]):
                # A single step with nothing staying is no more than the step.
                assert fen_of(play_action(start, read_move(start, text, PEER), PEER)) == m["fen_after"], where


def without_origin(turn: str) -> str:
    """A turn text without the disambiguator of its first step."""
    before, sign, rest = turn.partition(">")
    return before.rstrip("abcdefghijk0123456789") + sign + rest


def test_every_golden_commit() -> None:
    for row in rows("legal_moves"):
        session = row["session"]
        if session is None:
            continue
        position = reach(row)
        assert deploy.may_commit(position) == session["can_commit"], row["id"]
        if not session["can_commit"]:
            assert refused(position, "commit").kind == "illegal"
            continue
        assert position.session is not None
        commit = session["commit"]
        assert turns.write_action(position, COMMIT, PEER) == commit["san_full"], row["id"]
        assert turns.write_turn_plain(position, position.session, PEER) == commit["san"], row["id"]
        assert turns.write_turn_lan(position, position.session, PEER) == commit["lan"], row["id"]
        for text in ("commit", commit["san"], commit["lan"], commit["san_full"]):
            assert read_move(position, text, PEER) is COMMIT, (row["id"], text)
        assert fen_of(play_action(position, COMMIT, PEER)) == commit["fen_after"], row["id"]
        start = position_of(row["start_fen"])
        turn = read_move(start, commit["lan"], PEER)
        assert fen_of(play_action(start, turn, PEER)) == commit["fen_after"], row["id"]


def test_every_golden_status() -> None:
    for row in sample("legal_moves", 1 if COMPILED else 4):
        position, status = reach(row), row["status"]
        side = position.blue_to_move
        found = {
            "check": outcome.is_check(position),
            "danger": is_commander_in_danger(position, side),
            "opp_danger": is_commander_in_danger(position, 1 - side),
            "commander_captured": outcome.is_commander_captured(position),
            "fifty": outcome.is_drawn_by_fifty_moves(position),
            "game_over": outcome.is_over(position, PEER),
            "checkmate": outcome.is_checkmate(position, PEER),
            "stalemate": outcome.is_stalemate(position, PEER),
            "deadlock": outcome.is_deadlock(position, PEER),
        }
        quiet = {"checkmate": False, "stalemate": False, "deadlock": False}
        assert found == {**quiet, **status}, row["id"]


@pytest.mark.slow
def test_every_golden_game_is_played_by_its_notation() -> None:
    for row in sample("games", 1 if COMPILED else 30):
        position = position_of(row["start_fen"])
        turn_start = position
        for action in row["actions"]:
            where = (row["id"], action["san_full"], action["fen_after"])
            if position.session is None:
                turn_start = position
            read = read_move(position, action["san_full"], PEER)
            assert (read is COMMIT) == (action["action"] == "commit"), where
            assert turns.write_action(position, read, PEER) == action["san_full"], where
            position = play_action(position, read, PEER)
            assert fen_of(position) == action["fen_after"], where
            if action["done"] and "turn_full" in action:
                turn = read_move(turn_start, action["turn_full"], PEER)
                assert play_action(turn_start, turn, PEER) == position, where
        assert fen_of(position) == row["final_fen"], row["id"]
        assert outcome.is_check(position) == row["final_check"], row["id"]


# --- the examples of the source documents -----------------------------------------------------------


def seeds(*kinds: str) -> list[Row]:
    with gzip.open(FOLDER / "seed_examples.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [row for row in map(json.loads, lines) if row["kind"] in kinds]


def our_code(golden: str) -> str:
    """A code of the golden file in our spelling: a dot after the first word, small letters."""
    return golden.lower().replace("_", ".", 1)


@pytest.mark.parametrize("row", seeds("san", "lan"), ids=lambda row: row["text"])
def test_a_seed_move_is_taken_apart(row: Row) -> None:
    shape = read_shape(row["text"])
    (step,) = shape.steps
    parsed = row["parsed"]
    assert write_unit(step.unit) == parsed["unit"]
    assert step.hint == parsed.get("disambiguator", parsed.get("from"))
    assert step.sign == parsed["separator"]
    assert SQUARES[step.target] == parsed["to"]
    assert step.result == (read_unit(parsed["result"]) if "result" in parsed else 0)
    assert shape.mark == parsed.get("mark", "")
    assert shape.canonical == row["canonical"]
    assert sorted(shape.warnings) == sorted(map(our_code, row["warnings"]))


@pytest.mark.parametrize("row", seeds("turn"), ids=lambda row: row["text"])
def test_a_seed_turn_is_taken_apart(row: Row) -> None:
    shape = read_shape(row["text"])
    parsed = row["parsed"]
    assert (write_unit(shape.stay) if shape.stay else "") == parsed["stay"]
    assert [step.text("") for step in shape.steps] == parsed["steps"]
    assert shape.mark == parsed.get("mark", "")
    assert shape.canonical == row["canonical"]
    assert sorted(shape.warnings) == sorted(map(our_code, row["warnings"]))


@pytest.mark.parametrize("row", seeds("unit"), ids=lambda row: row["text"])
def test_a_seed_unit_is_read(row: Row) -> None:
    (step,) = read_shape(f"{row['text']}c3").steps
    assert [write_unit(piece) for piece in split_unit(step.unit)] == [
        write_unit(piece) for piece in split_unit(read_unit(row["canonical"]))
    ]
    assert write_unit(step.unit) == row["canonical"]


@pytest.mark.parametrize("row", seeds("deploy-flow"), ids=lambda row: row["source"])
def test_a_seed_deploy_flow_is_played(row: Row) -> None:
    position = position_of(row["start"])
    for step in row["steps"]:
        position = play_action(position, read_move(position, step["after"], PEER), PEER)
        assert fen_of(position) == step["fen"].partition(" DEPLOY")[0]
        assert (position.session is not None) == step["session"]
        if step["session"]:
            found = sorted(write_lan(position, move_from_number(n)) for n in numbers(position))
            assert found == sorted(step["moves"])


# --- what else is read ------------------------------------------------------------------------------

SKY = "6c4/11/11/11/2t1g6/11/2f1F6/11/11/11/11/5C5 r - - 0 1"
FLEET = "6c4/11/11/11/11/11/11/2(NFT)8/3+T7/11/2(TI)8/5C5 r - - 0 1"
MIDGAME = (
    "4h1c4/2n2(fti)2h2/3(ea)2s2a1/2(nf)1g2tg2/3e2m2ei/2i8/2I8/3E2M2EI/2(NF)1GT1TG2/3A2S2A1/1N3H1HF2/6C4"
    " r - - 6 7"
)
NAVY = "6c4/11/11/11/11/11/11/2(NFT)8/11/11/11/5C5 r - - 0 9"
CORNER = "6c3I/11/11/11/11/11/11/11/11/11/11/N4C5 r - - 0 1"

SPELLINGS = [
    (START, "Ic6", "Ic5c6", ()),
    (START, " Ic6!? ", "Ic5c6", ()),
    (START, "Ic5-c6", "Ic5c6", ("lan.dash",)),
    (START, "c5c6", "Ic5c6", ()),
    (START, "c5-c6", "Ic5c6", ("lan.dash",)),
    (CORNER, "Na1-a3", "Na1a3", ("lan.dash",)),
    (CORNER, "a1-c1", "Na1c1", ("lan.dash",)),
    (CORNER, "Ik12-k11", "Ik12k11", ("lan.dash",)),
    (START, "e2c4", "Fe2&c4", ()),
    (START, "e2&c4", "Fe2&c4", ()),
    (START, "Mgh6", "Mg5h6", ()),
    (START, "M5h6", "Mg5h6", ()),
    (START, "Mh6#", "Mg5h6", ("mark.wrong",)),
    (START, "Mh6+", "Mg5h6", ("mark.plus",)),
    (START, "F&c4", "Fe2&c4", ()),
    (START, "F&c4(NF)", "Fe2&c4", ()),
    (START, "F&c4(FN)", "Fe2&c4", ("stack.order",)),
    (START, "F&c4(N|F)", "Fe2&c4", ("pipe.in_stack",)),
    (START, "F&c4(NT)", "Fe2&c4", ("result.wrong",)),
    (START, "Be4d4", "Ge4d4", ("alias.b",)),
    (SKY, "F_c6", "Fe6_c6", ()),
    (SKY, "Fe8", "Fe6@e8", ("capture.missing",)),
    (SKY, "e6xc6", "Fe6xc6", ()),
    (FLEET, "(TNF)c6", "(NFT)c5c6", ("stack.order",)),
    (FLEET, "Tdd5", "+Td4d5", ("heroic.missing",)),
    (FLEET, "T5>c4", "Tc5>c4", ()),
    (FLEET, "Tc5>c4", "Tc5>c4", ()),
    (FLEET, "c5c6", "(NFT)c5c6", ()),
]


@pytest.mark.parametrize(("fen", "text", "lan", "codes"), SPELLINGS)
def test_a_spelling_is_read_with_its_warnings(fen: str, text: str, lan: str, codes: tuple[str, ...]) -> None:
    position = position_of(fen)
    move, notes = read_move_with_notes(position, text)
    assert isinstance(move, Move)
    assert write_lan(position, move) == lan
    assert notes == codes
    assert read_move(position, text) == move


def test_a_commander_that_is_taken_is_mate() -> None:
    position = position_of("11/11/11/11/11/11/11/11/11/6c4/6C4/11 r - - 0 1")
    assert "Cxg3#" in {text for _, text in write_moves(position)}


TURNS = [
    (NAVY, "(FT)<N>c6", "2N8/2(FT)8", ()),
    (NAVY, "c5:(FT):N>c6", "2N8/2(FT)8", ()),
    (NAVY, "c5:(FT)<Nc6", "2N8/2(FT)8", ("deploy.missing",)),
    (NAVY, "T<(NF)>c6", "2(NF)8/2T8", ()),
    (NAVY, "T<(FN)>c6", "2(NF)8/2T8", ("stack.order",)),
    (NAVY, "(NFT)<(NF)>c6", "2(NF)8/2T8", ("stay.contains_moved",)),
    (NAVY, "(NFT)c<(NF)>c6", "2(NF)8/2T8", ("stay.disambiguator", "stay.contains_moved")),
    (NAVY, "F<N>c6,T>d5", "2N8/2FT7", ()),
    (NAVY, "N>c6,F>d6,T>d5", "2NF7/3T7", ()),
    (NAVY, "(NFT)>c6", "2(NFT)8/11", ()),
]


@pytest.mark.parametrize(("fen", "text", "ranks", "codes"), TURNS)
def test_a_turn_is_read_and_played(fen: str, text: str, ranks: str, codes: tuple[str, ...]) -> None:
    position = position_of(fen)
    turn, notes = read_move_with_notes(position, text, PEER)
    assert isinstance(turn, Turn)
    assert notes == codes
    after = play_action(position, turn, PEER)
    assert fen_of(after) == f"6c4/11/11/11/11/11/{ranks}/11/11/11/5C5 b - - 1 9"
    again = read_move(position, turns.write_action(position, turn, PEER), PEER)
    assert play_action(position, again, PEER) == after


@pytest.mark.parametrize("text", ["N>c6,F>d6", "(FT)<N>c6...", "c5:(FT):N>c6..."])
def test_a_turn_that_is_not_over_leaves_the_session_open(text: str) -> None:
    position = position_of(NAVY)
    after = play_action(position, read_move(position, text))
    assert after.session is not None
    assert after.turn == "r"


def test_an_open_session_goes_on_by_steps_by_the_whole_turn_or_by_its_rest() -> None:
    position = at(NAVY, "N>c6")
    assert fen_of(play_action(position, read_move(position, "Fd6"))).startswith(
        "6c4/11/11/11/11/11/2NF7/2T8/"
    )
    for text in ("F<T>d5", "F<N>c6,T>d5", "c5:F:N>c6,T>d5"):
        after = play_action(position, read_move(position, text))
        assert fen_of(after).startswith("6c4/11/11/11/11/11/2N8/2FT7/11/11/11/5C5 b"), text
    assert read_move(position, "(FT)<N>c6") is COMMIT
    assert refused(position, "T<N>c6").kind == "illegal"


def test_two_stacks_that_could_take_the_same_steps_are_told_apart() -> None:
    position = position_of("6c4/11/11/11/11/11/11/2(TI)1(TI)6/11/11/11/5C5 r - - 0 1")
    error = refused(position, "I<T>d5")
    assert error.kind == "ambiguous"
    assert error.candidates == ("I<Tc>d5", "I<Te>d5")
    for text, origin in (("I<Tc>d5", "c5"), ("I<Te>d5", "e5"), ("Ic<T>d5", "c5"), ("e5:I:T>d5", "e5")):
        turn = read_move(position, text)
        assert isinstance(turn, Turn)
        assert turn.steps[0] & 255 == SQUARE_NUMBER[origin]


OBJECTS: list[tuple[str, Row, str]] = [
    (START, {"from": "c5", "to": "c6"}, "Ic5c6"),
    (START, {"from": "c5", "to": "c6", "piece": "i"}, "Ic5c6"),
    (SKY, {"from": "e6", "to": "c6", "stay": True}, "Fe6_c6"),
    (SKY, {"from": "e6", "to": "c6", "stay": False}, "Fe6xc6"),
    (FLEET, {"from": "c5", "to": "c6", "piece": "N", "deploy": True}, "Nc5>c6"),
    (FLEET, {"from": "c5", "to": "c6", "piece": "N", "deploy": False}, "(NFT)c5c6"),
    (FLEET, {"from": "c5", "to": "c6", "piece": "(NFT)"}, "(NFT)c5c6"),
]


@pytest.mark.parametrize(("fen", "move", "lan"), OBJECTS)
def test_an_object_names_a_move(fen: str, move: Row, lan: str) -> None:
    position = position_of(fen)
    assert write_lan(position, read_object(position, move)) == lan


BAD_OBJECTS: list[tuple[str, Row, str]] = [
    (START, {}, "invalid"),
    (START, {"from": "z9", "to": "c6"}, "invalid"),
    (START, {"from": ["c5"], "to": "c6"}, "invalid"),
    (START, {"from": "c5", "to": "c6", "piece": "X"}, "invalid"),
    (START, {"from": "c5", "to": "c6", "piece": ""}, "invalid"),
    (START, {"from": "c5", "to": "c6", "stay": "no"}, "invalid"),
    (START, {"from": "c5", "to": "c6", "colour": "r"}, "invalid"),
    (START, {"from": "c5", "to": "c8"}, "illegal"),
    (SKY, {"from": "e6", "to": "c6"}, "ambiguous"),
    (FLEET, {"from": "c5", "to": "c6", "piece": "N"}, "ambiguous"),
]


@pytest.mark.parametrize(("fen", "move", "kind"), BAD_OBJECTS)
def test_an_object_that_names_no_move_is_refused(fen: str, move: Row, kind: str) -> None:
    with pytest.raises(SanError) as caught:
        read_object(position_of(fen), move)
    assert caught.value.kind == kind


# --- what is refused --------------------------------------------------------------------------------

INVALID = "Invalid or illegal move: "
SQUARE = "Invalid square in move: "
ILLEGAL = "No matching legal move found: "
AMBIGUOUS = "Ambiguous move: multiple matches for "

REFUSALS = [
    (START, "", INVALID, (0, 0)),
    (START, "Q", INVALID, (0, 1)),
    (START, "xc6", INVALID, (0, 1)),
    (START, "Ic6 Ic7", INVALID, (3, 4)),
    (START, "(TT)c6", INVALID, (2, 3)),
    (START, "(T", INVALID, (2, 2)),
    (START, "T<", INVALID, (0, 2)),
    (START, "C-e4", INVALID, (1, 2)),
    (START, "i e4", SQUARE, (0, 1)),
    (START, "Iz6", SQUARE, (1, 2)),
    (START, "Ic13", SQUARE, (1, 4)),
    (START, "Ic0", SQUARE, (1, 3)),
    (START, "Ic", SQUARE, (1, 2)),
    (START, "Ic7", ILLEGAL, (0, 3)),
    (START, "+Ic6", ILLEGAL, (0, 4)),
    (START, "Ia5c6", ILLEGAL, (0, 5)),
    (START, "Ixc6", ILLEGAL, (0, 4)),
    (START, "Fc4", ILLEGAL, (0, 3)),
    (START, "I&xd4(TI)", ILLEGAL, (0, 9)),
    (START, "commit", ILLEGAL, (0, 6)),
    (START, "T<I>d4,M>e4", ILLEGAL, (2, 6)),
    (START, "(NI)<T>d4", ILLEGAL, (5, 9)),
    (FLEET, "(NT)c6", ILLEGAL, (0, 6)),
    (FLEET, "Nc6", ILLEGAL, (0, 3)),
    (NAVY, "F<N>c6,T>k12", ILLEGAL, (7, 12)),
    (START, "Nc3", AMBIGUOUS, (0, 3)),
    (SKY, "Fc6", AMBIGUOUS, (0, 3)),
]


@pytest.mark.parametrize(("fen", "text", "wording", "span"), REFUSALS)
def test_a_text_that_names_no_move_is_refused_with_its_place(
    fen: str, text: str, wording: str, span: tuple[int, int]
) -> None:
    error = refused(position_of(fen), text)
    assert str(error).startswith(wording + text.strip())
    assert error.kind == {ILLEGAL: "illegal", AMBIGUOUS: "ambiguous"}.get(wording, "invalid")
    assert tuple(error.span) == span


def test_an_error_names_the_candidates() -> None:
    position = position_of(START)
    assert refused(position, "Nc3").candidates == ("Nbc3", "Ncc3")
    assert refused(position, "Fc4").candidates == ("F&c4(NF)",)
    assert "candidates are F&c4(NF)" in str(refused(position, "Fc4"))
    assert refused(position_of(SKY), "Fc6").candidates == ("Fxc6", "F_c6")
    assert refused(position_of(FLEET), "Nc6").candidates[:1] != ()


def test_an_error_can_be_copied_whole() -> None:
    error = refused(position_of(START), "Nc3")
    again = copy.copy(error)
    assert str(again) == str(error)
    assert (again.kind, again.text, again.span) == ("ambiguous", "Nc3", (0, 3))
    assert again.candidates == error.candidates


def test_an_endless_text_is_refused_at_once() -> None:
    assert refused(position_of(START), "I" * (MAX_MOVE_TEXT + 1)).kind == "invalid"
    assert refused(position_of(START), ",".join(["I>d4"] * 12)).kind == "illegal"


# --- status -----------------------------------------------------------------------------------------


def test_a_mated_commander_in_a_stack_is_mate_though_it_has_steps() -> None:
    position = position_of("2c8/11/11/11/11/11/11/11/10a/11/10I/6a3(HC) r - - 0 1")
    assert [text for _, text in write_moves(position)] == ["C>j1", "C>i1", "C>h1"]
    assert outcome.is_checkmate(position)
    assert outcome.is_deadlock(position)
    assert outcome.is_over(position)
    inside = at("2c8/11/11/11/11/11/11/11/10a/11/10I/6a3(HC) r - - 0 1", "C>j1")
    assert not outcome.is_checkmate(inside)
    assert not outcome.is_stalemate(inside)
    assert not outcome.is_over(inside)
    assert not can_complete_turn(inside)


def test_who_keeps_a_commander_wins() -> None:
    for ranks, result in (("6c4", "0-1"), ("6C4", "1-0"), ("11", "1/2-1/2"), ("5c4C", "*")):
        position = position_of(f"11/11/11/11/11/11/11/11/11/11/11/{ranks} r - - 0 1")
        assert outcome.find_capture_result(position) == result


# --- properties -------------------------------------------------------------------------------------

POSITIONS = (position_of(FLEET), at(NAVY, "N>c6"))
ALPHABET = "CITMEAGSFNHB+()|<>:,x_@&-^#!?. abcdefghijk0123456789"


@given(st.text(max_size=80) | st.text(ALPHABET, max_size=24))
def test_no_text_raises_anything_but_a_move_error(text: str) -> None:
    for position in POSITIONS:
        try:
            move, _ = read_move_with_notes(position, text)
        except MoveError:
            continue
        play_action(position, move)


@pytest.mark.parametrize("seed", range(12 if COMPILED else 2))
def test_what_is_written_is_read_back_along_random_games(seed: int) -> None:
    chance = random.Random(seed)
    position = position_of(chance.choice([START, FLEET, NAVY, MIDGAME]))
    start = position
    for _ in range(60):
        written = write_moves(position)
        if not written:
            return
        assert len({text for _, text in written}) == len(written)
        for move, text in chance.sample(written, min(8, len(written))):
            assert read_move(position, text) == move
            assert read_move(position, write_lan(position, move)) == move
        start = start if position.session else position
        # Deploy steps are rare among all moves, and the most can go wrong with them.
        steps = [move for move, text in written if ">" in text]
        move = chance.choice(steps if steps and chance.random() < 0.6 else [move for move, _ in written])
        after = play_action(position, move)
        told = deploy.take_step(position, move.id, Rules()).session if move.id >> 27 & 16 else None
        if told is not None and after.session is None:
            text = turns.write_turn(start, told)
            assert play_action(start, read_move(start, text)) == after, text
        position = after


def test_a_board_made_to_take_for_ever_takes_moments() -> None:
    text = (
        "2f8/3es1g4/2nm1+s5/3+s+s1(+ft+c)H2+s/1N(+n+t)+t7/2nfH(+F+TM)2i2/2(nf+m)n1(F+T+C)sm1F+S/1+N+E3+f4"
        "/1+n2F2f3/+n2F1+f1+G1+G+e/1N+e1+f6/4(+e+a)+f5 b - - 0 1"
    )
    game = forsyth.game("cotulenh")
    position = game.parse(text)
    # Without a bound it is more than ten minutes compiled.
    assert len(write_moves(position)) == len(game.moves(position)) == 405
