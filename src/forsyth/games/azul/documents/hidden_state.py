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
from forsyth.games.azul.rules.check import list_content_faults
from forsyth.games.azul.tiles import COLOURS, FLOOR_SPACES, MARKER

Marker = int | Literal["center"]
Supply = Mapping[str, int] | Sequence[int]


def with_hidden_values(
    position: Position, marker: Marker | None, bag: Supply | None, discard: Supply | None
) -> Position:
    """Return a copy of a position with the marker, bag and discard, which a standard text lacks.

    Args:
        position: The position of a standard text.
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
    has_supply = bag is not None or discard is not None
    is_complete = has_supply and marker is not None
    completed = position
    if has_supply:
        # The assumed bag of such a position holds all tiles that are not visible.
        bag_counts, discard_counts = _split_hidden_tiles(position.bag, bag, discard)
        completed = replace_fields(completed, bag=bag_counts, discard=discard_counts)
    if marker is not None and marker != "center":
        completed = _give_marker(completed, marker)
    # Bag, discard and marker are checked only if the position is complete.
    faults = list_content_faults(replace_fields(completed, complete=True))
    if faults:
        raise ValueError(faults[0].message)
    return replace_fields(completed, complete=is_complete)


def _split_hidden_tiles(
    hidden_counts: tuple[int, ...], bag: Supply | None, discard: Supply | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the counts by colour of the bag and of the discard.

    Args:
        hidden_counts: The counts of the tiles in bag and discard together.
        bag: The tiles in the bag. If it is None, it gets the tiles that are not in the discard.
        discard: The tiles in the discard. If it is None, it gets the tiles that are not in the bag. Not both
            may be None.
    """
    if bag is None:
        discard_counts = _parse_counts(discard or ())
        return _subtract_counts(hidden_counts, discard_counts), discard_counts
    bag_counts = _parse_counts(bag)
    if discard is None:
        return bag_counts, _subtract_counts(hidden_counts, bag_counts)
    return bag_counts, _parse_counts(discard)


def _subtract_counts(counts: tuple[int, ...], subtracted: tuple[int, ...]) -> tuple[int, ...]:
    """Return the difference of two tuples of counts, colour by colour. A difference may be negative."""
    return tuple(map(sub, counts, subtracted))


def _give_marker(position: Position, player: int) -> Position:
    """Return the position with the marker on a player's floor, or held beside it if the floor is full.

    `player` is the number of the player. Raise `ValueError` if there is no such player.
    """
    is_player = isinstance(player, int) and 0 <= player < position.players
    if not is_player:
        raise ValueError(
            f"unknown marker place {quoted(player)},"
            f" expected 'center' or a player from 0 to {position.players - 1}"
        )
    board = position.boards[player]
    has_room = len(board.floor) < FLOOR_SPACES
    new_board = build_board(
        wall=board.wall,
        lines=board.lines,
        floor=board.floor + MARKER if has_room else board.floor,
        held=not has_room,
        score=board.score,
        wide=board.wide,
    )
    boards = (*position.boards[:player], new_board, *position.boards[player + 1 :])
    return replace_fields(position, marker_in_center=False, boards=boards)


def _parse_counts(supply: Supply) -> tuple[int, ...]:
    """Return the counts of a supply as a tuple with one count for each colour, in the order of `COLOURS`.

    `supply` is a mapping such as ``{"B": 3}``, in which a missing colour counts as 0, or a sequence of five
    counts. Raise `ValueError` if a colour is unknown, a count is negative or not an integer, or a sequence
    has the wrong length.
    """
    counts: tuple[int, ...] = ()
    if isinstance(supply, Mapping):
        for colour in supply:
            require_choice("colour", colour, COLOURS)
        counts = tuple(supply.get(colour, 0) for colour in COLOURS)
    elif isinstance(supply, Sequence):
        counts = tuple(supply)
    are_valid = all(isinstance(count, int) and count >= 0 for count in counts)
    if len(counts) != len(COLOURS) or not are_valid:
        raise ValueError(
            f"{quoted(supply)} is not a supply of tiles, expected a count of each of {', '.join(COLOURS)}"
        )
    return counts
