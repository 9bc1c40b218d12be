"""Xiangqi beyond its golden files: results, repetition and the texts of moves."""

from __future__ import annotations

import pytest
from tests.games.grid import random_positions, turned

import forsyth
from forsyth.games.xiangqi import GAME

START = GAME.new_game()


def test_moves_are_written_as_each_player_sees_the_board() -> None:
    for position in random_positions(GAME, 100, 5):
        opposite = turned(position)
        found = sorted(GAME.write_move(position, move) for move in position.moves())
        assert found == sorted(GAME.write_move(opposite, move) for move in opposite.moves())


@pytest.mark.parametrize(
    ("text", "result", "reason"),
    [
        ("R2k5/8R/9/9/9/9/9/9/9/4K4 b - - 0 1", "1-0", "checkmate"),
        ("3k5/4R4/9/9/9/9/9/9/9/4K4 b - - 0 1", "1-0", "stalemate"),
        ("3k5/4a4/9/9/9/9/9/9/9/4K4 b - - 0 1", "1/2-1/2", "insufficient material"),
        ("3k5/9/9/9/9/9/9/9/9/R3K4 b - - 120 90", "1/2-1/2", "sixty moves without a capture"),
    ],
)
def test_how_games_end(text: str, result: str, reason: str) -> None:
    outcome = GAME.parse(text).outcome
    assert outcome is not None
    assert (outcome.result, outcome.reason) == (result, reason)


def test_repetition_is_a_draw() -> None:
    match = forsyth.Match("xiangqi")
    for _ in range(2):
        for move in ("h1g3", "h10g8", "g3h1", "g8h10"):
            assert match.outcome is None
            match.play(move)
    assert match.outcome is not None
    assert (match.outcome.result, match.outcome.reason) == ("1/2-1/2", "threefold repetition")


def test_perpetual_check_loses() -> None:
    match = forsyth.Match("xiangqi", "3k5/9/9/9/9/9/9/9/8R/4K4 w - - 0 1")
    match.play("i2i10")
    for _ in range(2):
        for move in ("d10d9", "i10i9", "d9d10", "i9i10"):
            assert match.outcome is None
            match.play(move)
    assert match.outcome is not None
    assert (match.outcome.result, match.outcome.reason) == ("0-1", "perpetual check")


def test_slips_in_moves() -> None:
    for text, kind in (
        ("C2=4=", "invalid"),
        ("h3h11", "invalid"),
        ("h3h10e", "invalid"),
        ("h3i4", "illegal"),
    ):
        with pytest.raises(forsyth.MoveError) as caught:
            GAME.read_move(START, text)
        assert caught.value.kind == kind, text
    with pytest.raises(forsyth.MoveError) as caught:
        GAME.read_move(GAME.parse("3k5/9/9/R8/9/9/9/R8/9/4K4 w - - 0 1"), "R9=8")
    assert caught.value.kind == "ambiguous"
    assert set(caught.value.candidates) == {"R+=8", "R-=8"}


def test_men_are_asked_for_by_square() -> None:
    assert START.piece_at("e1") == "K" and START.piece_at("e5") == ""
    with pytest.raises(ValueError, match="e11"):
        START.piece_at("e11")


@pytest.mark.parametrize(
    "text",
    [
        "4k4/9/9/4N4/9/4N4/9/4N4/9/3K5 w - - 0 1",
        "4k4/4p4/4p4/4p4/4p4/4p4/4p4/9/9/3K5 b - - 0 1",
        "4k4/9/9/P8/P8/P8/P8/P8/P8/3K5 w - - 0 1",
    ],
)
def test_moves_of_men_that_wxf_cannot_tell_apart_are_written_as_squares(text: str) -> None:
    position = GAME.parse(text, legality=False)
    moves = position.moves()
    texts = [GAME.write_move(position, move) for move in moves]
    assert len(set(texts)) == len(texts)
    assert [GAME.read_move(position, written) for written in texts] == moves
