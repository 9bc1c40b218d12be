"""Values that a standard Azul text does not contain, given by the caller (spec/azul C8, C9).

The marker is either ``center`` or the number of a player. The tiles in bag and discard are counts by colour,
or a sequence of counts in the order of `COLOURS`. One of bag and discard determines the other. Values that
are not given stay assumed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import sub
from typing import Literal

from forsyth.arguments import quoted, require_choice
from forsyth.games.azul.position import Position, build_board, replace_fields
from forsyth.games.azul.rules.check import content_faults
from forsyth.games.azul.tiles import COLOURS, FLOOR_SPACES, MARKER

Marker = int | Literal["center"]
Supply = Mapping[str, int] | Sequence[int]


def with_hidden_values(
    position: Position, marker: Marker | None, bag: Supply | None, discard: Supply | None
) -> Position:
    """Return a position of a standard text with values that the text does not contain.

    Args:
        position: A position that is not complete.
        marker: The place of the first-player marker, or None to keep the assumed one.
        bag: The tiles in the bag, or None if `discard` determines them or they stay assumed.
        discard: The tiles in the discard, or None if `bag` determines them or they stay assumed.

    Returns:
        The position. It is complete if the marker and at least one of bag and discard are given.

    Raises:
        ValueError: If the position is complete, or the values do not fit it.
    """
    if position.complete:
        raise ValueError(
            "marker, bag and discard are only for standard texts: an extended text contains all of them"
        )
    complete = marker is not None and (bag is not None or discard is not None)
    if bag is not None or discard is not None:
        # The assumed bag of such a position holds all tiles that are not visible.
        bag_counts, discard_counts = _split_hidden_tiles(position.bag, bag, discard)
        position = replace_fields(position, bag=bag_counts, discard=discard_counts)
    if marker is not None and marker != "center":
        position = _give_marker(position, marker)
    # Checked as a complete position, because otherwise bag, discard and marker would not be checked.
    faults = content_faults(replace_fields(position, complete=True))
    if faults:
        raise ValueError(faults[0].message)
    return replace_fields(position, complete=complete)


def _split_hidden_tiles(
    hidden_counts: tuple[int, ...], bag: Supply | None, discard: Supply | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the counts by colour of bag and discard, at least one of which is given.

    If one of them is None, it holds the rest of `hidden_counts`, the tiles in both of them.
    """
    if bag is None:
        discard_counts = _parse_counts(discard or ())
        return tuple(map(sub, hidden_counts, discard_counts)), discard_counts
    bag_counts = _parse_counts(bag)
    if discard is None:
        return bag_counts, tuple(map(sub, hidden_counts, bag_counts))
    return bag_counts, _parse_counts(discard)


def _give_marker(position: Position, player: int) -> Position:
    """Return the position with the marker on a player's floor, or held beside it if the floor is full."""
    if not isinstance(player, int) or not 0 <= player < position.players:
        raise ValueError(
            f"unknown marker place {quoted(player)},"
            f" expected 'center' or a player from 0 to {position.players - 1}"
        )
    board = position.boards[player]
    has_room = len(board.floor) < FLOOR_SPACES
    floor = board.floor + MARKER if has_room else board.floor
    new_board = build_board(board.wall, board.lines, floor, not has_room, board.score, board.wide)
    boards = (*position.boards[:player], new_board, *position.boards[player + 1 :])
    return replace_fields(position, marker_in_center=False, boards=boards)


def _parse_counts(supply: Supply) -> tuple[int, ...]:
    """Return counts by colour, given as a mapping (``{"B": 3}``) or a sequence, in the order of `COLOURS`.

    A colour that a mapping lacks has the count 0. Raise `ValueError` if a colour is unknown, a count is
    negative or not an integer, or a sequence has the wrong length.
    """
    counts: tuple[int, ...] = ()
    if isinstance(supply, Mapping):
        for colour in supply:
            require_choice("colour", colour, COLOURS)
        counts = tuple(supply.get(colour, 0) for colour in COLOURS)
    elif isinstance(supply, Sequence):
        counts = tuple(supply)
    if len(counts) != len(COLOURS) or not all(isinstance(count, int) and count >= 0 for count in counts):
        raise ValueError(
            f"{quoted(supply)} is not a supply of tiles, expected a count of each of {', '.join(COLOURS)}"
        )
    return counts
