"""Shogi beyond its golden files: drops, promotion, results, repetition, notation, hands, records."""

from __future__ import annotations

import pytest

import forsyth
from forsyth.games.shogi import GAME
from forsyth.record import Record, parse_record, write_record

START = GAME.new_game()


def texts(sfen: str) -> set[str]:
    """The legal moves of a position in Western notation."""
    position = GAME.parse(sfen)
    return {GAME.write_move(position, move) for move in position.moves()}


def test_a_captured_man_changes_sides_and_is_not_promoted() -> None:
    position = GAME.parse("4k4/9/9/9/4+r4/4R4/9/9/4K4 b - 1").play("Rx5e")
    assert str(position) == "4k4/9/9/9/4R4/9/9/9/4K4 w R 2"


@pytest.mark.parametrize(
    ("sfen", "letter", "moves"),
    [
        ("4k4/9/9/8S/9/9/9/9/4K4 b - 1", "S", {"S-1c+", "S-1c=", "S-2c+", "S-2c=", "S-2e"}),
        ("4k4/9/8S/9/9/9/9/9/4K4 b - 1", "S", {"S-1b+", "S-1b=", "S-2b+", "S-2b=", "S-2d+", "S-2d="}),
        ("4k4/9/9/8L/9/9/9/9/4K4 b - 1", "L", {"L-1c+", "L-1c=", "L-1b+", "L-1b=", "L-1a+"}),
        ("4k4/8P/9/9/9/9/9/9/4K4 b - 1", "P", {"P-1a+"}),
        ("4k4/9/9/8N/9/9/9/9/4K4 b - 1", "N", {"N-2b+"}),
        ("4k4/9/9/9/8N/9/9/9/4K4 b - 1", "N", {"N-2c+", "N-2c="}),
        ("4k4/9/9/8G/9/9/9/9/4K4 b - 1", "G", {"G-1c", "G-2c", "G-2d", "G-1e"}),
        ("4k4/9/9/9/9/9/9/8p/3K5 w - 1", "P", {"P-1i+"}),
    ],
)
def test_promotion_may_be_declined_and_may_be_forced(sfen: str, letter: str, moves: set[str]) -> None:
    assert {text for text in texts(sfen) if text[0] == letter} == moves


def test_no_man_is_dropped_where_it_could_never_move() -> None:
    drops = {text for text in texts("4k4/9/9/9/9/9/9/9/4K4 b NLP 1") if "*" in text}
    assert not {text for text in drops if text[3] == "a"}
    assert not {text for text in drops if text[0] == "N" and text[3] == "b"}
    assert {"P*1b", "L*1b", "N*1c"} <= drops


def test_two_pawns_of_a_side_on_a_file_are_not_dropped() -> None:
    drops = {text for text in texts("4k4/9/9/9/8P/9/7+P1/9/4K4 b P 1") if text.startswith("P*")}
    assert not {text for text in drops if text[2] == "1"}
    assert {text for text in drops if text[2] == "2"}
    assert "P*1d" in texts("4k4/9/9/9/8p/9/9/9/4K4 b P 1")


def test_a_pawn_is_not_dropped_to_give_mate() -> None:
    hemmed = "lkl6/p1p6/1G7/9/9/9/9/9/K8 b P 1"
    assert "P*8b" not in texts(hemmed)
    # Another man may give mate there, and so may a pawn that moves.
    position = GAME.parse(hemmed.replace(" P ", " GP ")).play("G*8b")
    assert position.outcome is not None and position.outcome.reason == "checkmate"
    moved = GAME.parse("lkl6/p1p6/1P7/9/1L7/9/9/9/K8 b - 1").play("P-8b=")
    assert moved.outcome is not None and moved.outcome.reason == "checkmate"
    # Where the king can capture it, the pawn only gives check.
    assert "P*8b" in texts("lkl6/p1p6/9/9/9/9/9/9/K8 b P 1")


@pytest.mark.parametrize(
    ("text", "result", "reason"),
    [
        ("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "1-0", "checkmate"),
        ("4k4/4G4/9/9/9/9/9/9/4K4 w - 1", None, None),
        ("k8/2G6/1G7/9/9/9/9/9/4K4 w - 1", "1-0", "stalemate"),
        ("4k4/9/9/9/9/9/4p4/4g4/4K4 b - 1", "0-1", "checkmate"),
    ],
)
def test_how_games_end(text: str, result: str | None, reason: str | None) -> None:
    outcome = GAME.parse(text).outcome
    assert (outcome and outcome.result, outcome and outcome.reason) == (result, reason)


def test_a_drop_answers_a_check_from_afar() -> None:
    position = GAME.parse("k8/9/9/9/9/9/9/9/R3K4 w g 1")
    assert position.is_check and position.outcome is None
    assert "G*9b" in {GAME.write_move(position, move) for move in position.moves()}


def test_repetition_is_a_draw_the_fourth_time() -> None:
    match = forsyth.Match("shogi")
    for _ in range(3):
        for move in ("R-3h", "R-7b", "R-2h", "R-8b"):
            assert match.outcome is None
            match.play(move)
    assert match.outcome is not None
    assert (match.outcome.result, match.outcome.reason) == ("1/2-1/2", "fourfold repetition")


def test_perpetual_check_loses() -> None:
    match = forsyth.Match("shogi", "k8/9/9/9/9/9/9/9/2R1K4 b - 1")
    match.play("R-9i")
    for _ in range(3):
        for move in ("K-8a", "R-8i", "K-9a", "R-9i"):
            assert match.outcome is None
            match.play(move)
    assert match.outcome is not None
    assert (match.outcome.result, match.outcome.reason) == ("0-1", "perpetual check")


def test_a_side_without_a_king_is_unusual_only() -> None:
    problem = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
    position = GAME.parse(problem)
    (finding,) = GAME.check(position)
    assert (finding.code, finding.is_error) == ("king.missing", False)
    mated = position.play("G*5b")
    assert mated.outcome is not None and mated.outcome.result == "1-0"
    with pytest.raises(forsyth.FenError):
        GAME.parse(problem, mode="strict")


@pytest.mark.parametrize(
    ("text", "usi"),
    [
        ("P-7f", "7g7f"),
        ("P7f", "7g7f"),
        ("P76", "7g7f"),
        ("P-76", "7g7f"),
        ("P7g-7f", "7g7f"),
        ("Px7f", "7g7f"),
        ("7g-7f", "7g7f"),
        ("G4i-5h", "4i5h"),
        ("G49-58", "4i5h"),
    ],
)
def test_moves_are_read_as_people_write_them(text: str, usi: str) -> None:
    assert GAME.coordinates.write_move(GAME.read_move(START, text)) == usi


def test_drops_and_promotions_are_read_as_people_write_them() -> None:
    position = GAME.parse("4k4/9/9/4S4/9/9/9/9/4K4 b P 1")
    for text, usi in (
        ("P*2e", "P*2e"),
        ("p*2e", "P*2e"),
        ("P'25", "P*2e"),
        ("S-5c", "5d5c"),
        ("S-5c=", "5d5c"),
        ("S53+", "5d5c+"),
    ):
        assert GAME.coordinates.write_move(GAME.read_move(position, text)) == usi, text


def test_slips_in_moves() -> None:
    for text, kind in (
        ("Q-7f", "invalid"),
        ("P-7j", "invalid"),
        ("P-7f++", "invalid"),
        ("7g7f=", "invalid"),
        ("P-7e", "illegal"),
        ("P*5e", "illegal"),
        ("P-7f+", "illegal"),
        ("P-7f=", "illegal"),
        ("+P-7f", "illegal"),
        ("G-5h", "ambiguous"),
    ):
        with pytest.raises(forsyth.MoveError) as caught:
            GAME.read_move(START, text)
        assert caught.value.kind == kind, text
    assert set(caught.value.candidates) == {"G6i-5h", "G4i-5h"}


def test_hands_are_edited_one_man_at_a_time() -> None:
    position = GAME.put(START, "P*", "P")
    assert str(position).split()[2] == "P"
    assert str(GAME.put(position, "P*", "+P")).split()[2] == "2P"
    assert GAME.put(position, "P*", None) == START
    lifted = GAME.lift(START, "7g", "P*")
    assert str(lifted) == "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PP1PPPPPP/1B5R1/LNSGKGSNL b P 1"
    assert GAME.lift(lifted, "P*", "7f").piece_at("7f") == "P"
    assert (
        GAME.with_field(START, "hands", "pP").hands
        == GAME.read(GAME.start.replace(" - ", " Pp ")).require().hands
    )
    for place, symbol in (("P*", "p"), ("P*", "R"), ("K*", "K"), ("x*", "P")):
        with pytest.raises(ValueError, match=r"\w"):
            GAME.put(START, place, symbol)


def test_a_hand_is_on_the_scene_and_a_drop_comes_from_it() -> None:
    position = GAME.parse("4k4/9/9/9/9/9/9/9/4K4 b 2Pr 1")
    board, theirs, ours = GAME.scene(position).areas
    shown = {cell.id: cell.tokens[0].count for cell in (*ours.cells, *theirs.cells) if cell.tokens}
    assert shown == {"P*": 2, "r*": 1}
    assert len(board.cells) == 81
    facts = GAME.describe_move(position, GAME.read_move(position, "P*5e"))
    assert (facts.origin, facts.target, facts.piece, facts.flags) == ("P*", "5e", "P", "d")


def test_handicaps_begin_with_white() -> None:
    match = forsyth.Match("shogi", GAME.names["two-piece"])
    assert GAME.side_to_move(match.position) == "White"
    assert GAME.move_number(match.position) == (1, 1)
    match.play("P-3d")
    assert GAME.move_number(match.position) == (2, 0)


def test_a_record_names_sente_and_gote() -> None:
    match = forsyth.Match("shogi")
    for move in ("7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"):
        match.play(move)
    text = write_record(Record.of(match))
    assert "[Sente " in text and "[Gote " in text
    assert "1. P-7f P-3d 2. Bx2b+ Sx2b 3. B*4e *" in text
    assert write_record(parse_record(text)) == text
