"""The class `CoTuLenh`: set-up, moves, deploy sessions, undo, queries, records; failures change nothing."""

from __future__ import annotations

import copy
import gzip
import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import forsyth
from forsyth.diagnostics import FenError, MoveError
from forsyth.games.cotulenh import GAME, Rules, SanError
from forsyth.games.cotulenh.documents.api import Attacker, CoTuLenh, MoveRecord, Piece
from forsyth.games.cotulenh.rules.moves import is_commander_attacked
from forsyth.record import Record, write_record

GAMES = Path(__file__).parents[2] / "golden" / "cotulenh" / "games.jsonl.gz"
ENGINE = Rules(commander_resets_clock=False)
STACK = "6c4/11/11/11/11/11/11/2(NFT)8/11/11/11/5C5 r - - 0 9"
BLUE_FIRST = STACK.replace(" r ", " b ")
EMPTY = "/".join(["11"] * 12) + " r - - 0 1"
Row = dict[str, Any]


@cache
def games() -> tuple[Row, ...]:
    with gzip.open(GAMES, "rt", encoding="utf-8") as lines:
        return tuple(json.loads(line) for line in lines)


def state_of(game: CoTuLenh) -> tuple[Any, ...]:
    """Everything a failed call must not change."""
    return game.fen(), game.history(), game.pgn(), game.get_headers(), game.get_deploy_session()


def movetext(pgn: str) -> str:
    return " ".join(pgn.partition("\n\n")[2].split())


def verbose(game: CoTuLenh, **choice: str) -> list[MoveRecord]:
    return game.moves(verbose=True, **choice)


# --- texts and the board ----------------------------------------------------------------------------


def test_a_new_game_begins_with_the_start_position() -> None:
    game = CoTuLenh()
    assert game.fen() == GAME.start == str(game)
    assert (game.turn(), game.move_number(), game.half_moves()) == ("r", 1, 0)
    assert repr(game) == f"<CoTuLenh {GAME.start!r}>"
    assert game.rules == Rules() and game.position == GAME.parse(GAME.start)


def test_load_is_all_or_nothing() -> None:
    game = CoTuLenh(STACK)
    game.move("(NFT)c7")
    before = state_of(game)
    for text in ("", "x", STACK.replace("5C5", "4C5"), STACK.replace("6c4", "N5c4").replace("5C5", "5N5")):
        with pytest.raises(FenError):
            game.load(text)
        assert state_of(game) == before
    game.load(STACK)
    assert game.fen() == STACK and game.history() == []


def test_load_takes_boards_without_commanders_and_on_request_impossible_ones() -> None:
    game = CoTuLenh(EMPTY)
    assert game.is_commander_captured() and game.get_commander_square("r") is None
    on_land = "11/11/11/11/11/11/11/11/5N5/11/11/11 r - - 0 1"
    assert not CoTuLenh.check_fen(on_land).ok
    assert CoTuLenh.check_fen(on_land, skip_validation=True).ok
    game.load(on_land, skip_validation=True)
    assert game.get("f4") == Piece("n", "r")


def test_load_forgets_headers_unless_told_otherwise() -> None:
    game = CoTuLenh()
    game.set_header("Event", "Club")
    game.load(STACK, preserve_headers=True)
    assert game.get_headers()["Event"] == "Club"
    game.load(STACK)
    assert "Event" not in game.get_headers()


def test_clear_empties_everything() -> None:
    game = CoTuLenh(BLUE_FIRST)
    game.set_header("Event", "Club")
    game.set_comment("hm")
    game.clear()
    assert game.fen() == EMPTY
    assert "Event" not in game.get_headers() and game.get_comment(BLUE_FIRST) is None


def test_get_looks_inside_stacks() -> None:
    game = CoTuLenh(STACK.replace("(NFT)", "(N+FT)"))
    stack = game.get("c5")
    assert stack == Piece("n", "r", False, (Piece("f", "r", True), Piece("t", "r")))
    assert str(stack) == "(N+FT)" and stack is not None
    assert stack.to_dict()["carrying"][0] == {"type": "f", "color": "r", "heroic": True}
    assert game.get("c5", "f") == Piece("f", "r", True)
    assert game.get("c5", "I") is None and game.get("a1") is None and game.get("a1", "T") is None
    assert str(game.get("g12")) == "c"
    with pytest.raises(ValueError, match="not a square"):
        game.get("l1")
    with pytest.raises(ValueError, match="not a piece type"):
        game.get("a1", "X")


@pytest.mark.parametrize(
    "piece",
    [
        "(N+FT)",
        {"type": "n", "color": "r", "carrying": [{"type": "f", "color": "r", "heroic": True}, "T"]},
        {"type": "n", "carrying": [{"type": "f", "heroic": True}, {"type": "t", "heroic": None}]},
        Piece("n", "r", False, (Piece("f", "r", True), Piece("t", "r"))),
        Piece("N", "r", False, (Piece("F", "r", True), Piece("T", "r"))),
    ],
)
def test_put_takes_texts_values_and_pieces(piece: Any) -> None:
    game = CoTuLenh(EMPTY)
    game.put(piece, "a1")
    assert game.fen() == EMPTY.replace("11 r", "(N+FT)10 r")


def test_put_combines_or_replaces() -> None:
    game = CoTuLenh(STACK)
    game.put("t", "g5")
    game.put("i", "g5", combine=True)
    assert str(game.get("g5")) == "(ti)"
    game.put("I", "g5")
    game.put("C", "f1")
    assert str(game.get("g5")) == "I" and game.get_commander_square("red") == "f1"
    game.put("+I", "h5", combine=True)
    assert game.get_heroic_status("h5")


@pytest.mark.parametrize(
    ("piece", "square", "join"),
    [
        ("T", "a1", False),
        ("N", "g5", False),
        ("C", "g5", False),
        ("(TC)", "g5", False),
        ("(AI)", "g5", False),
        ("(Nft)", "a1", False),
        ("T", "c5", True),
        ("t", "f1", True),
        ("T", "z9", False),
        ({"color": "r"}, "g5", False),
        ({"type": "T", "colour": "r"}, "g5", False),
        ({"type": "T", "color": "green"}, "g5", False),
        ({"type": "T", "color": "r", "heroic": 1}, "g5", False),
        ({"type": "T", "color": "r", "carrying": "I"}, "g5", False),
        ({"type": "I", "color": "r", "carrying": ["T"]}, "g5", False),
        ({"type": "T", "color": "r", "carrying": ["i"]}, "g5", False),
        (7, "g5", False),
    ],
)
def test_put_refuses_and_changes_nothing(piece: Any, square: str, join: bool) -> None:
    game = CoTuLenh(STACK)
    before = state_of(game)
    with pytest.raises(ValueError, match=r"."):
        game.put(piece, square, combine=join)
    assert state_of(game) == before


def test_remove_takes_units_or_members() -> None:
    game = CoTuLenh(STACK)
    assert game.remove("c5", "F") == Piece("f", "r")
    assert str(game.get("c5")) == "(NT)"
    assert game.remove("c5", "F") is None and game.remove("a1") is None
    assert str(game.remove("c5")) == "(NT)" and game.get("c5") is None
    game.put("(NT)", "a5")
    with pytest.raises(ValueError, match="may not stand"):
        game.remove("a5", "N")
    assert str(game.get("a5")) == "(NT)"


def test_the_board_cannot_be_changed_amid_a_session() -> None:
    game = CoTuLenh(STACK)
    game.move("N>c6")
    before = state_of(game)
    with pytest.raises(ValueError, match="session"):
        game.put("I", "g5")
    with pytest.raises(ValueError, match="session"):
        game.remove("c6")
    assert state_of(game) == before


def test_board_shows_twelve_ranks_of_eleven() -> None:
    board = CoTuLenh(STACK).board()
    assert [len(rank) for rank in board] == [11] * 12
    assert board[0][6] == Piece("c", "b") and board[11][5] == Piece("c", "r")
    assert str(board[7][2]) == "(NFT)"


def test_heroic_status() -> None:
    game = CoTuLenh(STACK)
    game.set_heroic_status("c5", "T", True)
    assert game.get_heroic_status("c5", "T") and not game.get_heroic_status("c5")
    game.set_heroic_status("c5", None, True)
    game.set_heroic_status("c5", "T", False)
    assert game.fen() == STACK.replace("(NFT)", "(+NFT)")
    for square, kind in (("a1", None), ("c5", "I")):
        with pytest.raises(ValueError, match="there is no"):
            game.set_heroic_status(square, kind, True)
    assert not game.get_heroic_status("a1")


# --- moves and undo ---------------------------------------------------------------------------------


def test_moves_agree_with_the_game_and_can_be_chosen() -> None:
    game = CoTuLenh()
    position = GAME.parse(GAME.start)
    assert game.moves() == [GAME.write_move(position, move) for move in GAME.moves(position)]
    assert {move.from_square for move in verbose(game, square="c5")} == {"c5"}
    assert {move.piece for move in verbose(game, piece_type="T")} == {Piece("t", "r")}
    assert game.moves(square="a1") == []
    for move in verbose(game, square="c5"):
        facts = GAME.describe_move(position, GAME.read_move(position, move.san))
        assert (move.lan, move.to_square, move.flags, move.after) == (
            facts.lan,
            facts.target,
            facts.flags,
            facts.after,
        )
        assert move.before == GAME.start and move.color == "r"
    with pytest.raises(ValueError, match="not a square"):
        game.moves(square="z1")


def test_a_capture_is_told_as_in_the_documents() -> None:
    game = CoTuLenh("6c4/11/11/11/11/11/5t5/5T5/11/11/11/5C5 r - - 3 9")
    move = next(move for move in verbose(game) if move.san.startswith("Txf6"))
    played = game.move({"from": "f5", "to": "f6", "piece": "T", "stay": False})
    assert played == move
    shown = played.to_dict()
    assert (shown["from"], shown["to"], shown["flags"]) == ("f5", "f6", "c")
    assert shown["piece"] == {"type": "t", "color": "r", "heroic": False}
    assert shown["captured"] == {"type": "t", "color": "b", "heroic": False} == shown["captures"][0]
    assert game.half_moves() == 0 and game.turn() == "b"


def test_every_spelling_of_a_move_is_the_same_move() -> None:
    for move in ("Nc7", "Nc5c7", "(NFT)c7", {"from": "c5", "to": "c7", "deploy": False}):
        game = CoTuLenh(STACK.replace("(NFT)", "(NFT)" if "NFT" in str(move) or "from" in str(move) else "N"))
        record = game.move(move)
        assert game.history() == [record.san] and record.completed and record.after == game.fen()


@pytest.mark.parametrize("move", ["", "Zz9", "Ta1", "N>c12", "commit", "c5:(FT):N>a12", {"from": "a1"}, 5])
def test_a_move_that_fails_changes_nothing(move: Any) -> None:
    game = CoTuLenh(STACK)
    before = state_of(game)
    with pytest.raises(MoveError):
        game.move(move)
    assert state_of(game) == before
    with pytest.raises(SanError):
        game.move("Zz9")


def test_undo_takes_back_whole_turns_outside_sessions() -> None:
    game = CoTuLenh(STACK)
    assert not game.undo()
    game.move("(FT)<N>c6")
    after = game.fen()
    game.move("Ch12")
    assert game.history() == ["(FT)<N>c6", "Ch12"]
    assert game.undo() and game.fen() == after
    assert game.undo() and game.fen() == STACK
    assert not game.undo() and game.history() == []


def test_any_play_is_undone_step_by_step() -> None:
    rng = random.Random(7)
    game = CoTuLenh(GAME.names["midgame"])
    texts: list[str] = []
    for _ in range(60):
        if game.is_game_over():
            break
        options = game.moves()
        before = game.fen(), tuple(game.history())
        if game.can_commit_session() and rng.random() < 0.3:
            game.commit_session()
        elif options:
            game.move(str(rng.choice(options)))
        else:
            game.cancel_session()
            continue
        if game.get_deploy_session() is not None:
            assert game.undo() and (game.fen(), tuple(game.history())) == before
            game.move(str(rng.choice(options)))
        texts.append(game.fen())
    while game.undo():
        pass
    assert game.fen() == GAME.names["midgame"] and len(texts) > 20


def test_history_tells_the_open_session_and_each_step_with_its_text() -> None:
    game = CoTuLenh(STACK)
    steps = []
    for step, history in (("N>c6", "(FT)<N>c6..."), ("F>&c6", "T<(NF)>c6...")):
        steps.append(game.move(step))
        assert game.history() == [history]
        (entry,) = game.history(verbose=True)
        assert (entry.san, entry.completed, entry.after) == (history, False, game.fen())
        assert entry.step_records == tuple(steps)
        again = CoTuLenh(STACK)
        again.move(history)
        assert again.fen() == game.fen()
    game.commit_session()
    (entry,) = game.history(verbose=True)
    assert entry.step_records == tuple(steps)
    assert [step["san"] for step in entry.to_dict()["steps"]] == ["N>c6", "F>&c6(NF)"]
    assert [step["after"] for step in entry.to_dict()["steps"]] == [step.after for step in steps]
    assert (entry.san, entry.lan) == ("T<(NF)>c6", "c5:T:(NF)>c6")
    assert (entry.before, entry.after) == (STACK, game.fen())
    assert game.fen() == "6c4/11/11/11/11/11/2(NF)8/2T8/11/11/11/5C5 b - - 1 9"
    navy = Piece("n", "r", False, (Piece("f", "r"),))
    assert (str(entry.piece), entry.stay, entry.steps) == ("(NFT)", Piece("t", "r"), ((navy, "c6"),))
    assert (entry["from"], entry["to"], entry.to_square) == ("c5", {"c6": navy}, None)
    assert entry.to_dict()["to"] == {"c6": navy.to_dict()} and entry.to_dict()["from"] == "c5"
    assert entry.to_dict()["stay"] == {"type": "t", "color": "r", "heroic": False}


# --- deploy sessions --------------------------------------------------------------------------------


def test_a_session_from_its_first_step_to_its_commit() -> None:
    game = CoTuLenh(STACK)
    assert game.get_deploy_session() is None and not game.can_commit_session()
    step = game.move("N>c6")
    assert (step.san, step.completed, step.to_square) == ("N>c6", False, "c6")
    session = game.get_deploy_session()
    assert session is not None
    assert (session.origin, session.original, session.remaining) == ("c5", "(NFT)", "(FT)")
    assert (session.steps, session.can_commit, session.can_cancel) == (("N>c6",), True, True)
    assert session.turn_text == "(FT)<N>c6" and session.to_dict()["steps"] == ["N>c6"]
    assert game.fen().endswith(" DEPLOY c5:FT 1 N>c6")
    assert game.fen(current_only=True) == "6c4/11/11/11/11/11/2N8/2(FT)8/11/11/11/5C5 r - - 0 9"
    assert game.turn() == "r" and not game.is_game_over()
    done = game.commit_session()
    assert done["success"] and done["result"].san == "(FT)<N>c6" and game.turn() == "b"
    assert game.history() == ["(FT)<N>c6"]


def test_undo_inside_a_session_takes_back_steps_and_closes_it() -> None:
    game = CoTuLenh(STACK)
    game.move("N>c6")
    first = game.fen()
    game.move("F>&c6")
    assert game.undo() and game.fen() == first
    assert game.undo() and game.fen() == STACK and game.get_deploy_session() is None
    assert not game.undo()


def test_cancel_goes_back_to_before_the_session() -> None:
    game = CoTuLenh(BLUE_FIRST)
    game.move("Ch12")
    before = game.fen()
    assert not game.cancel_session()
    game.move("N>c6")
    game.move("F>d6")
    assert game.cancel_session() and game.fen() == before and game.history() == ["Ch12"]
    assert game.undo() and game.fen() == BLUE_FIRST


def test_a_session_commits_itself_unless_told_otherwise() -> None:
    start = "6c4/11/11/11/11/11/11/5(TI)5/11/11/11/5C5 r - - 0 9"
    game = CoTuLenh(start)
    game.move("T>f6")
    assert game.move("I>e5").san == "T>f6,I>e5"
    other = CoTuLenh(start)
    other.move("T>f6", auto_commit=False)
    held = other.move("I>e5", auto_commit=False)
    assert not held.completed and other.turn() == "r" and other.get_deploy_session() is not None
    assert other.moves() == [] and other.can_commit_session()
    assert other.commit_session()["result"].san == "T>f6,I>e5"
    assert other.fen() == game.fen() and other.history() == game.history()


def test_a_commit_that_may_not_be_is_refused_with_its_reason() -> None:
    game = CoTuLenh(STACK.replace("2(NFT)8", "1(NT)9"))
    assert game.commit_session() == {"success": False, "reason": "no deploy session is open"}
    game.move("N>b6")
    before = state_of(game)
    assert not game.can_commit_session()
    assert game.commit_session() == {"success": False, "reason": "T may not stay on b5"}
    assert state_of(game) == before


def test_a_commit_that_endangers_the_commander_is_refused() -> None:
    game = CoTuLenh("10c/11/11/11/11/11/11/11/11/6t4/11/4(TC)6 r - - 0 1")
    game.move("C>g1")
    assert game.is_commander_in_danger("r")
    assert game.commit_session() == {"success": False, "reason": "the commander would be in danger"}


def test_a_session_from_a_text_goes_back_as_far_as_the_text_tells() -> None:
    told = CoTuLenh(STACK + " c5:T:N>c6,F>d5...")
    told_session = told.get_deploy_session()
    assert told_session is not None and told_session.steps == ("N>c6", "F>d5")
    assert told.undo() and told.undo() and told.fen() == STACK and not told.undo()
    simple = CoTuLenh("6c4/11/11/11/11/11/2N8/2(FT)8/11/11/11/5C5 r - - 0 9 DEPLOY c5:FT 1 N>c6")
    assert simple.undo() and simple.fen() == STACK
    now = CoTuLenh("6c4/11/11/11/11/11/2N8/2(FT)8/11/11/11/5C5 r - - 0 9 DEPLOY c5:FT 1 N>xc6")
    before = now.fen()
    assert not now.undo() and not now.cancel_session() and now.fen() == before
    now.move("F>d5")
    assert now.undo() and now.fen() == before
    assert now.commit_session()["result"].san == "(FT)<N>xc6"
    assert now.undo() and now.fen() == before
    again = CoTuLenh()
    now.commit_session()
    again.load_pgn(now.pgn())
    assert again.fen() == now.fen() and again.pgn() == now.pgn()


def test_a_session_of_unknown_steps_can_be_committed() -> None:
    game = CoTuLenh("6c4/11/11/11/11/11/2N8/2(FT)8/11/11/11/5C5 r - - 0 9 DEPLOY c5:FT 1")
    session = game.get_deploy_session()
    assert session is not None and session.steps == () and session.turn_text is None
    done = game.commit_session()
    assert done["success"] and game.turn() == "b" and game.history() == ["commit"]


# --- queries ----------------------------------------------------------------------------------------


def test_ends_of_games() -> None:
    mates = [row for row in games() if row["reason"] == "checkmate"]
    for row in mates[:3]:
        game = CoTuLenh(row["final_fen"])
        assert game.is_check() and game.is_checkmate() and game.is_game_over() and not game.is_draw()
    captured = CoTuLenh("11/11/11/11/11/11/11/11/11/11/11/5C5 r - - 0 1")
    assert captured.is_commander_captured() and captured.is_game_over()
    fifty = CoTuLenh(STACK.replace(" 0 9", " 100 90"))
    assert fifty.is_draw_by_fifty_moves() and fifty.is_draw() and fifty.is_game_over()
    assert not CoTuLenh().is_game_over() and not CoTuLenh().is_stalemate()
    stalemates = [row for row in games() if row["reason"] == "stalemate"]
    for row in stalemates[:1]:
        game = CoTuLenh(row["final_fen"])
        assert game.is_stalemate() and game.is_draw() and not game.is_checkmate()


def test_threefold_counts_positions_not_clocks() -> None:
    game = CoTuLenh("6c4/11/11/11/8i1i/11/11/2I1I6/11/11/11/5C5 r - - 7 9", rules=ENGINE)
    around = ("Ce1", "Ch12", "Cf1", "Cg12")
    for move in (*around, *around[:3]):
        game.move(move)
        assert not game.is_threefold_repetition()
    game.move(around[3])
    assert game.is_threefold_repetition() and game.is_draw() and game.is_game_over()
    assert game.get_headers()["Result"] == "1/2-1/2"
    game.undo()
    assert not game.is_threefold_repetition()


def test_commanders_and_danger() -> None:
    game = CoTuLenh("6c4/11/11/11/11/11/11/11/11/11/6t4/6C4 r - - 0 1")
    assert game.get_commander_square("r") == "g1" and game.get_commander_square("b") == "g12"
    assert game.is_check() and game.is_commander_in_danger("r") and not game.is_commander_in_danger("b")
    exposed = CoTuLenh("6c4/11/11/11/11/11/11/11/11/11/11/6C4 r - - 0 1")
    assert exposed.is_commander_in_danger("b") and not exposed.is_check()
    with pytest.raises(ValueError, match="not a colour"):
        game.get_commander_square("white")


def test_attackers_are_told_one_by_one() -> None:
    game = CoTuLenh("6c4/11/11/11/11/11/5t5/5(TI)5/11/5A5/11/5C5 r - - 0 1")
    assert game.get_attackers("f6", "r") == [Attacker("f5", "t"), Attacker("f5", "i"), Attacker("f3", "a")]
    assert game.get_attackers("f5", "b") == [Attacker("f6", "t")]
    assert game.get_attackers("a1", "b") == []


def test_attackers_agree_with_check() -> None:
    positions = [action["fen_after"] for row in games()[:40] for action in row["actions"][::9]]
    checks = 0
    for text in positions[:600]:
        game = CoTuLenh()
        game.load(text, skip_validation=True)
        for color, blue in (("r", 0), ("b", 1)):
            square = game.get_commander_square(color)
            if square is not None:
                found = game.get_attackers(square, "r" if blue else "b")
                assert bool(found) == is_commander_attacked(game.position, blue), text
                checks += bool(found)
    assert checks > 20


def test_attackers_agree_with_check_for_scattered_pieces() -> None:
    """One commander among random pieces, so that every type, mark, range and zone comes up."""
    rng = random.Random(3)
    for _ in range(300):
        game = CoTuLenh(EMPTY)
        game.put("C", f"{rng.choice('cdefghijk')}{rng.randint(1, 12)}")
        for _ in range(rng.randint(2, 14)):
            square = f"{rng.choice('abcdefghijk')}{rng.randint(1, 12)}"
            piece = rng.choice(("", "+")) + rng.choice("ITMEAGSFNHitmeagsfnhfff")
            if game.get(square) is None:
                try:
                    game.put(piece, square)
                except ValueError:
                    continue
        commander = game.get_commander_square("r")
        assert commander is not None
        assert bool(game.get_attackers(commander, "b")) == is_commander_attacked(game.position, 0), game.fen()


def test_air_defence_tells_squares_and_defenders() -> None:
    game = CoTuLenh("6c4/11/11/11/11/11/11/5G1+g3/11/11/2(NF)8/5C4s r - - 0 1")
    zones = game.get_air_defense()
    assert zones["r"]["f5"] == ("f5",) and zones["r"]["c3"] == ("c2",)
    assert len(zones["r"]) == 10 and "f7" not in zones["r"]
    assert len([square for square, by in zones["b"].items() if by == ("h5",)]) == 13
    assert zones["b"]["k3"] == ("k1",)
    assert CoTuLenh(EMPTY).get_air_defense() == {"r": {}, "b": {}}


# --- comments, headers, records ---------------------------------------------------------------------


def test_comments_belong_to_positions() -> None:
    game = CoTuLenh(BLUE_FIRST)
    game.set_comment("before  all")
    game.move("Ch12")
    game.set_comment("aside")
    assert game.get_comment() == "aside" and game.get_comment(BLUE_FIRST) == "before all"
    assert movetext(game.pgn()) == "{before all} 9... Ch12 {aside} *"
    game.undo()
    assert movetext(game.pgn()) == "{before all} *"
    assert game.remove_comment() == "before all" and game.remove_comment() is None
    game.set_comment(" ")
    assert game.get_comment() is None


def test_headers() -> None:
    game = CoTuLenh(STACK)
    game.set_header("Red", 'Lan "the \\ navy"')
    game.set_header("Result", "1-0")
    headers = game.get_headers()
    assert headers == {"Red": 'Lan "the \\ navy"', "Result": "1-0", "SetUp": "1", "FEN": STACK}
    assert '[Red "Lan \\"the \\\\ navy\\""]' in game.pgn() and game.pgn().endswith("\n1-0\n")
    other = CoTuLenh()
    other.load_pgn(game.pgn())
    assert other.get_headers()["Red"] == 'Lan "the \\ navy"' and other.pgn() == game.pgn()
    assert game.remove_header("Result") and not game.remove_header("Result")
    assert game.get_headers()["Result"] == "*"
    for name, value in (
        ("FEN", STACK),
        ("Variant", "x"),
        ("no name", "x"),
        ("Event", "a\nb"),
        ("Result", "won"),
    ):
        with pytest.raises(ValueError, match=r"."):
            game.set_header(name, value)


def test_the_example_of_the_specification() -> None:
    game = CoTuLenh(BLUE_FIRST)
    game.set_header("Date", "2026.01.01")
    game.move("Ch12")
    game.move("N>c6")
    game.commit_session()
    expected = (
        '[Event "?"]\n[Site "?"]\n[Date "2026.01.01"]\n[Round "?"]\n[Red "?"]\n[Blue "?"]\n[Result "*"]\n'
        f'[SetUp "1"]\n[FEN "{BLUE_FIRST}"]\n\n9... Ch12 10. (FT)<N>c6 *\n'
    )
    assert game.pgn() == expected
    other = CoTuLenh()
    assert other.load_pgn(expected.replace("\n", "\r\n")) == ()
    assert other.pgn() == expected and other.fen() == game.fen() and other.history() == game.history()


def test_an_open_session_is_part_of_the_record() -> None:
    game = CoTuLenh(BLUE_FIRST)
    for step in ("Ch12", "N>c6", "F>&c6"):
        game.move(step)
    game.set_comment("still open")
    assert game.pgn().endswith("9... Ch12 10. N>c6 F>&c6(NF) {still open} *\n")
    again = CoTuLenh()
    assert again.load_pgn(game.pgn()) == ()
    assert (again.fen(), again.pgn(), again.history()) == (game.fen(), game.pgn(), game.history())
    match = forsyth.Match("cotulenh", BLUE_FIRST)
    for step in ("Ch12", "N>c6", "F>&c6"):
        match.play(step)
    assert again.load_pgn(write_record(Record.of(match))) == ()
    assert again.fen() == game.fen()


def test_records_keep_comments_glyphs_and_variations() -> None:
    moves = "9... Ch12 $1 {good} (9... Cg11 {or so}) 10. N>c6 {first} F>&c6 $2 *"
    game = CoTuLenh()
    game.load_pgn(f'[FEN "{BLUE_FIRST}"]\n\n{moves}')
    assert game.history() == ["Ch12", "T<(NF)>c6..."] and game.get_deploy_session() is not None
    game.commit_session()
    game.set_comment("then")
    out = game.pgn()
    assert movetext(out) == "9... Ch12 $1 {good} (9... Cg11 {or so}) 10. T<(NF)>c6 {then} *"
    game.load_pgn(out)
    assert game.pgn() == out


def test_a_record_without_a_start_begins_with_the_usual_one() -> None:
    game = CoTuLenh(STACK)
    game.load_pgn("1. Ge3 M&h9(TM) 2. Ej4! *")
    assert game.history() == ["Ge3", "M&h9(TM)", "Ej4"] and game.turn() == "b"
    assert "FEN" not in game.get_headers() and "[FEN" not in game.pgn()
    assert all(len(line) <= 12 for line in game.pgn(max_width=12).partition("\n\n")[2].splitlines())


def test_a_wrong_result_is_a_warning_and_strictly_an_error() -> None:
    row = next(row for row in games() if row["reason"] == "checkmate")
    wrong = "0-1" if row["result"] == "1-0" else "1-0"
    game = CoTuLenh(rules=ENGINE)
    text = row["pgn_full"].replace(row["result"], wrong)
    assert "record.result" in [finding.code for finding in game.load_pgn(text)]
    before = state_of(game)
    with pytest.raises(FenError):
        game.load_pgn(text, strict=True)
    with pytest.raises(FenError):
        game.load_pgn("1. Zz9 *")
    assert state_of(game) == before


def test_the_rules_go_with_the_record() -> None:
    game = CoTuLenh(STACK, rules=ENGINE)
    game.move("Ce1")
    assert game.half_moves() == 1
    other = CoTuLenh()
    other.load_pgn(game.pgn())
    assert other.rules == ENGINE and other.fen() == game.fen() and other.pgn() == game.pgn()
    odd = CoTuLenh(rules=Rules(last_guard=False))
    assert odd.rules == Rules(last_guard=False)


@pytest.mark.parametrize("number", [0, 57, 113])
def test_whole_games_are_exported_and_imported(number: int) -> None:
    row = games()[number]
    game = CoTuLenh(row["start_fen"], rules=ENGINE)
    for action in row["actions"]:
        if action["action"] == "commit":
            assert game.commit_session()["success"]
        else:
            game.move(action["lan"])
        assert game.fen(current_only=True) == action["fen_after"]
    assert game.fen() == row["final_fen"]
    game.set_header("Result", row["result"])
    assert movetext(game.pgn()) == movetext(row["pgn_full"])
    other = CoTuLenh()
    assert other.load_pgn(game.pgn(max_width=80)) == ()
    assert other.fen() == row["final_fen"] and other.history() == game.history()
    assert other.pgn() == game.pgn()


# --- copies, and games without a commander ----------------------------------------------------------


def test_a_copy_goes_its_own_way() -> None:
    game = CoTuLenh()
    game.move("Ic6")
    game.set_comment("quiet")
    game.set_header("Event", "Club")
    for twin in (copy.copy(game), game.copy(), copy.deepcopy(game)):
        assert twin == game
        twin.move("Ic7")
        twin.set_comment("loud")
        twin.set_header("Event", "Hall")
        assert twin != game
        assert (game.history(), game.get_comment(), game.get_headers()["Event"]) == (["Ic6"], "quiet", "Club")
        twin.undo()
        assert (twin.fen(), len(game.history())) == (game.fen(), 1)
    assert game != "a game"
    with pytest.raises(TypeError):
        hash(game)


@pytest.mark.parametrize(
    "text",
    [
        "6c4/11/11/11/11/11/11/2T8/11/2(NF)8/11/11 b - - 3 7",
        "11/11/5t5/11/11/11/11/2T8/11/2(NF)8/11/5C5 r - - 3 7",
    ],
)
def test_the_record_of_a_game_without_a_commander_imports_again(text: str) -> None:
    game = CoTuLenh(text)
    game.move(str(game.moves()[0]))
    again = CoTuLenh()
    assert again.load_pgn(game.pgn()) == ()
    assert (again.fen(), again.history(), again.pgn()) == (game.fen(), game.history(), game.pgn())
    engine = CoTuLenh(text, rules=Rules(commander_resets_clock=False))
    engine.move(str(engine.moves()[0]))
    assert "Variant" in engine.pgn()
    again.load_pgn(engine.pgn())
    assert (again.rules, again.fen()) == (engine.rules, engine.fen())
