"""The rules of CoTuLenh: stacks, perft, the anchors of the specification, keys and packed forms."""

from __future__ import annotations

import gzip
import json
import pickle
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import forsyth
from forsyth.games.cotulenh import GAME, Position, Rules
from forsyth.games.cotulenh.rules.moves import (
    is_commander_in_danger,
    is_legal_turn_move,
    list_packed_turn_moves,
)
from forsyth.games.cotulenh.stacks import (
    LETTERS,
    TYPES,
    combine_units,
    get_carrier_type,
    read_unit,
    split_unit,
    write_unit,
)

FOLDER = Path(__file__).parents[2] / "golden" / "cotulenh"
COMPILED = bool(forsyth.build_info()["compiled"])
ENGINE = GAME.with_variant("engine")
Row = dict[str, Any]


@cache
def rows(name: str) -> tuple[Row, ...]:
    with gzip.open(FOLDER / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return tuple(json.loads(line) for line in lines)


def at(text: str) -> Position:
    return GAME.parse(text, legality=False)


def texts(position: Position) -> list[str]:
    return [GAME.write_move(position, move) for move in GAME.moves(position)]


# --- stacks -----------------------------------------------------------------------------------------


def test_every_set_of_up_to_four_types_is_a_stack_or_not() -> None:
    for row in rows("stacks"):
        unit = read_unit(row["types"])
        assert bool(unit) is row["valid"], row
        if unit:
            assert write_unit(unit).strip("()") == row["canonical"].strip("()")
            assert LETTERS[get_carrier_type(unit)] == row["carrier"]


def test_combining_is_commutative_and_taking_apart_leaves_stacks() -> None:
    units = [read_unit(row["types"]) for row in rows("stacks") if row["valid"]]
    for a in units:
        assert sum(split_unit(a)) == a
        for b in units:
            assert combine_units(a, b) == combine_units(b, a)
            joined = combine_units(a, b)
            assert joined == 0 or (joined == a | b and get_carrier_type(joined) >= 0)
        for piece in split_unit(a):
            rest = a & ~piece
            assert rest & TYPES == 0 or get_carrier_type(rest) >= 0


def test_one_move_is_legal_if_it_is_among_the_legal_ones() -> None:
    positions = [at(row["fen"]) for row in rows("legal_moves")[::120]]
    positions = [position for position in positions if position.session is None]
    # Moves of the other positions, among them such as leave the commander in danger here.
    asked = {number for position in positions for number in list_packed_turn_moves(position)}
    assert len(positions) > 5
    for position in positions:
        legal = set(list_packed_turn_moves(position))
        assert {number for number in asked if is_legal_turn_move(position, number)} == legal


# --- perft ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", rows("perft"), ids=lambda row: str(row["name"]))
def test_perft(row: Row) -> None:
    position = at(row["fen"])
    budget = 400_000 if COMPILED else 2_500
    for depth, nodes in enumerate(row["nodes"], 1):
        if nodes > budget and depth > 1:
            break
        assert ENGINE.perft(position, depth) == nodes


# --- anchors of the specification -------------------------------------------------------------------


def test_a_missile_does_not_check_two_squares_away_on_a_diagonal() -> None:
    assert not GAME.is_check(at("6c4/11/4S6/11/11/11/11/11/11/11/11/5C5 b - - 0 1"))


def test_the_last_guard_is_promoted_and_a_stay_capture_resets_the_clock() -> None:
    position = at("6c4/11/1nT8/11/11/11/11/11/11/11/11/5C5 r - - 7 3")
    after = GAME.play(position, GAME.read_move(position, "T_b10"))
    assert str(after) == "6c4/11/2+T8/11/11/11/11/11/11/11/11/5C5 b - - 0 3"


def test_a_zone_that_any_move_makes_wider_may_let_an_air_force_through() -> None:
    # The air force on f5 would leave the zone of e2 before f1; once heroic, e2 has f1 in its zone too.
    position = at("11/10i/10i/10i/11/11/11/5f5/10I/10I/3cG5I/5C5 r - - 0 1")
    assert not GAME.is_check(position)
    moves = GAME.moves(position)
    assert moves
    assert not any(is_commander_in_danger(GAME.play(position, move), 0) for move in moves)
    assert "Ij2" not in texts(position)


def test_only_who_shields_the_commander_alone_is_held_to_its_line() -> None:
    pinned = at("6c4/10i/10i/10i/11/11/11/11/5t5/5I5/5C5/11 r - - 0 1")
    assert [text for text in texts(pinned) if text.startswith("I")] == ["Ixf4"]
    free = at("6c4/10i/10i/10i/11/11/11/5t5/5I5/5I5/5C5/11 r - - 0 1")
    assert {"Ig3", "Ie4"} <= set(texts(free))


def test_commanders_that_face_each_other_are_in_danger_but_not_in_check() -> None:
    position = at("6c4/11/11/11/11/11/11/11/11/11/11/6C4 r - - 0 1")
    assert not GAME.is_check(position)
    assert sorted(texts(position)) == sorted(["Ch1", "Ci1", "Cj1", "Ck1", "Cf1", "Ce1", "Cd1", "Cc1"])


def test_a_side_that_cannot_complete_any_turn_is_mated() -> None:
    position = at("2c8/11/11/11/11/11/11/11/10a/11/10I/6a3(HC) r - - 0 1")
    assert sorted(texts(position)) == ["C>h1", "C>i1", "C>j1"]
    outcome = GAME.outcome(position)
    assert outcome is not None
    assert (outcome.result, outcome.reason) == ("0-1", "checkmate")


def test_the_clock_is_reset_by_the_commander_unless_the_rules_say_otherwise() -> None:
    position = at("6c4/11/11/11/11/11/11/11/11/11/11/5C5 r - - 7 3")
    for game, half in ((GAME, 0), (ENGINE, 8)):
        assert game.play(position, game.read_move(position, "Ce1")).half == half
    assert ENGINE.rules == Rules(commander_resets_clock=False)


def test_a_turn_is_deployed_step_by_step_and_committed() -> None:
    match = forsyth.Match(GAME, "6c4/11/11/11/11/11/11/2(NFT)8/11/11/11/5C5 r - - 0 9")
    match.play("N>c6")
    assert str(match) == "6c4/11/11/11/11/11/2N8/2(FT)8/11/11/11/5C5 r - - 0 9 DEPLOY c5:FT 1 N>c6"
    match.play("F>&c6")
    match.play("commit")
    assert str(match) == "6c4/11/11/11/11/11/2(NF)8/2T8/11/11/11/5C5 b - - 1 9"
    for _ in range(3):
        match.undo()
    assert str(match) == "6c4/11/11/11/11/11/11/2(NFT)8/11/11/11/5C5 r - - 0 9"


# --- identity ---------------------------------------------------------------------------------------


def played(seed: int, plies: int) -> list[Position]:
    """The positions of a random game, sessions included."""
    chance = random.Random(seed)
    position = at(GAME.names["midgame"])
    found = [position]
    for _ in range(plies):
        moves = GAME.moves(position)
        if not moves:
            break
        steps = [move for move in moves if "d" in move.flags]
        position = GAME.play(position, chance.choice(steps if steps and chance.random() < 0.5 else moves))
        found.append(position)
    return found


@given(st.integers(0, 10**6))
def test_every_position_of_a_game_packs_pickles_and_reads_back(seed: int) -> None:
    for position in played(seed, 6):
        assert GAME.unpack(GAME.pack(position)) == position
        assert pickle.loads(pickle.dumps(position)) == position  # noqa: S301
        again = GAME.read(str(position)).require()
        assert str(again) == str(position)
        assert again.board() == position.board()
        whole = GAME.read(GAME.write(position, "replay")).require()
        assert whole == position
        assert GAME.moves(whole) == GAME.moves(position)


@given(st.binary(max_size=200))
def test_no_bytes_do_any_harm(data: bytes) -> None:
    for tail in (data, b"\x01" + data):
        try:
            position = GAME.unpack(tail)
        except ValueError:
            continue
        assert GAME.pack(position) == tail


def test_golden_keys_and_packed_forms() -> None:
    for row in rows("keys"):
        position = at(row["fen"])
        assert (position.key, position.packed.hex()) == (row["key"], row["packed"])
        assert forsyth.state_id(str(position)) == row["state_id"]


def test_packed_forms_that_have_become_longer_are_still_read() -> None:
    for row in map(json.loads, (FOLDER / "changed_keys.jsonl").read_text(encoding="utf-8").splitlines()):
        position = at(row["fen"])
        assert (position.key, position.packed.hex()) == (row["key"], row["packed"])
        assert forsyth.state_id(str(position)) == row["state_id"]
        before = GAME.unpack(bytes.fromhex(row["packed_before"]))
        assert (str(before), before.key) == (row["fen"], row["key"])
        assert before.packed.hex() == row["packed_before"]


def test_keys_tell_positions_apart_and_ignore_clocks() -> None:
    found = {
        row["fen"].rsplit(" ", 2)[0]: at(row["fen"]).key for row in rows("keys") if "DEPLOY" not in row["fen"]
    }
    assert len(set(found.values())) == len(found)
    start = at(GAME.start)
    assert at(GAME.start.replace("0 1", "7 12")).key == start.key


def test_a_session_read_back_can_be_taken_back_where_its_start_can_be_told() -> None:
    start = at("6c4/11/11/11/11/11/11/2(NFT)8/11/11/11/5C5 r - - 0 9")
    one = GAME.play(start, GAME.read_move(start, "N>c6"))
    two = GAME.play(one, GAME.read_move(one, "F>f8"))
    for position in (one, two):
        again = at(str(position))
        assert again == position
        assert again.session is not None
        assert again.session.start == start
    # What was captured is not in the canonical text, so there is nothing to go back to; a replay has it.
    taken = at("6c4/11/11/11/11/11/2n8/2(NFT)8/11/11/11/5C5 r - - 0 9")
    played = GAME.play(taken, GAME.read_move(taken, "N>xc6"))
    after = at(str(played))
    assert after.session is not None
    assert after.session.start is None
    text = GAME.write(played, "replay")
    assert text == f"{taken} c5:(FT):N>xc6..."
    assert at(text) == played


def test_a_carrier_that_joined_a_piece_it_cannot_reach_alone_is_read_back() -> None:
    # The own navy on b3 holds the carrier back; with the air force it would have captured over it.
    start = at("6c4/11/11/11/11/11/11/11/(NFC)10/1N9/2t8/11 r - - 0 1")
    sent = GAME.play(start, GAME.read_move(start, "F>xc2"))
    joined = GAME.play(sent, GAME.read_move(sent, "Na4>&c2"))
    text = GAME.write(joined, "replay")
    assert text == f"{start} a4:C:F>xc2,N>&c2..."
    assert at(text) == joined
    # Nobody was sent to d1, so nobody can be joined there.
    assert not GAME.read(text.replace("N>&c2", "N>&d1")).ok
