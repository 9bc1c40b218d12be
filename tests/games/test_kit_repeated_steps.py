"""Two movements of a kind never make the same move: a sheet in which they could is rejected."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from forsyth.kit.game import GridGame
from forsyth.kit.movement import HOP_MOVE, HOP_TAKE, MOVE, TAKE, Leap, Line, Movement, Zone, leaps, lines
from forsyth.kit.plain_look import plain_look
from forsyth.kit.sheet import Kind, Sheet, Side

ZONES = {"home": Zone("abcde", ("1",)), "far": Zone("abcde", ("4", "5"))}


def game_of(*moves: Movement) -> GridGame:
    """A game without kings on five by five squares, whose pieces move like this."""
    return GridGame(
        Sheet(
            name="steps",
            title="Steps",
            start="x4/5/5/5/X4 w - - 0 1",
            files="abcde",
            ranks=("5", "4", "3", "2", "1"),
            kinds=(Kind("X", "explorer", moves),),
            sides=(Side("w", "White"), Side("b", "Black")),
            look=plain_look("X", ("White", "Black")),
            zones=ZONES,
        )
    )


@pytest.mark.parametrize(
    ("moves", "place"),
    [
        ((*leaps(0, 1), *lines(0, 1)), "a leap and a line of the explorer .* 0 right and 1 ahead"),
        ((*lines(1, 1), Leap(2, 2)), "a leap and a line of the explorer .* 2 right and 2 ahead"),
        ((Line(0, 1), Line(0, 1)), "two lines of the explorer .* 0 right and 1 ahead"),
        ((Line(1, 0, max_steps=2), Line(2, 0)), "two lines of the explorer .* 2 right and 0 ahead"),
        ((Leap(1, 2), Leap(1, 2)), "two leaps of the explorer .* 1 right and 2 ahead"),
        # Where both legs are empty.
        ((Leap(2, 2, leg=(1, 0)), Leap(2, 2, leg=(0, 1))), "two leaps of the explorer"),
        # Behind a piece on b1.
        (
            (Line(1, 0, MOVE | HOP_MOVE), Leap(3, 0)),
            "a leap and a line of the explorer .* 3 right and 0 ahead",
        ),
        ((Leap(0, 2), Leap(0, 2, start="home")), "two leaps of the explorer"),
        ((Line(1, 0, HOP_TAKE), Line(2, 0, HOP_TAKE)), "two lines of the explorer .* 4 right and 0 ahead"),
    ],
)
def test_a_sheet_in_which_two_movements_make_the_same_move_is_rejected(
    moves: tuple[Movement, ...], place: str
) -> None:
    with pytest.raises(ValueError, match=f"^the sheet of steps: {place}"):
        game_of(*moves)


@pytest.mark.parametrize(
    "moves",
    [
        (Leap(0, 1, flags=MOVE), Leap(0, 1, flags=TAKE)),
        (Line(0, 1, MOVE), Line(0, 1, TAKE, max_steps=1)),
        (Line(0, 1, MOVE), Line(0, 1, HOP_MOVE | HOP_TAKE)),
        (Leap(0, 2, start="home"), Leap(0, 2, start="far")),
        (Leap(0, 1), Leap(0, 2, leg=(0, 1), start="home")),
        # The leap needs the square that the line jumps over to be empty.
        (Line(0, 1, HOP_MOVE, max_steps=2), Leap(0, 2, leg=(0, 1))),
        (Line(0, 1, max_steps=1), Leap(0, 2)),
        # Off the board.
        (Line(1, 0), Leap(7, 0)),
    ],
)
def test_movements_that_exclude_each_other_are_accepted(moves: tuple[Movement, ...]) -> None:
    assert game_of(*moves).sheet.kinds[0].moves == moves


SMALL = st.integers(-2, 2)
ZONE_NAMES = st.sampled_from(["", "home", "far"])
VECTORS = st.tuples(SMALL, SMALL).filter(any)
LEAPS = st.builds(
    lambda vector, leg, start, end, flags: Leap(vector[0], vector[1], leg, start, end, flags),
    VECTORS,
    st.none() | VECTORS,
    ZONE_NAMES,
    ZONE_NAMES,
    st.sampled_from([MOVE, TAKE, MOVE | TAKE]),
)
LINES = st.builds(
    lambda vector, flags, steps: Line(vector[0], vector[1], flags, steps),
    VECTORS,
    st.integers(1, 15).map(
        lambda bits: sum(flag for flag in (MOVE, TAKE, HOP_TAKE, HOP_MOVE) if bits & flag)
    ),
    st.integers(1, 4),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(LEAPS | LINES, min_size=2, max_size=4), st.lists(st.integers(0, 2), min_size=25, max_size=25))
def test_no_move_is_listed_twice_in_a_game_that_is_accepted(moves: list[Any], board: list[int]) -> None:
    try:
        game = game_of(*moves)
    except ValueError:
        assume(False)
        return
    for turn in (0, 1):
        listed = game.position(bytes(board), b"", turn, 0, 1).moves()
        assert len(set(listed)) == len(listed)
