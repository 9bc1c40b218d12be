"""What a standard Azul text does not say, given by the caller in place of what is assumed (spec/azul C8, C9).

Accepts the place of the marker (``center`` or a player), and the tiles in bag and discard as counts by colour
or in the order of `COLOURS`. Of bag and discard one follows from the other. Raises `ValueError` for what does
not fit the position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import sub
from typing import Literal

from forsyth.arguments import quoted, require_choice
from forsyth.games.azul.position import Position, board_of, changed
from forsyth.games.azul.rules.check import content_faults
from forsyth.games.azul.tiles import COLOURS, FLOOR_SPACES, MARKER

Marker = int | Literal["center"]
Supply = Mapping[str, int] | Sequence[int]


def with_given(
    position: Position, marker: Marker | None, bag: Supply | None, discard: Supply | None
) -> Position:
    """The position with what is given; complete when marker and tiles are."""
    if position.complete:
        raise ValueError("an extended text says where the marker and all tiles are")
    complete = marker is not None and (bag is not None or discard is not None)
    unseen = position.bag
    if bag is not None or discard is not None:
        kept = _counts(bag) if bag is not None else tuple(map(sub, unseen, _counts(discard or ())))
        left = _counts(discard) if discard is not None else tuple(map(sub, unseen, kept))
        position = changed(position, bag=kept, discard=left)
    if marker is not None and marker != "center":
        position = _with_marker(position, marker)
    # Judged as complete, for of any other position the check looks only at what a standard text shows.
    faults = content_faults(changed(position, complete=True))
    if faults:
        raise ValueError(faults[0].message)
    return changed(position, complete=complete)


def _with_marker(position: Position, player: int) -> Position:
    """The position with the marker on a player's floor, or held beside it."""
    if not isinstance(player, int) or not 0 <= player < position.players:
        raise ValueError(f"the marker is in the center or with a player, not with {quoted(player)}")
    board = position.boards[player]
    fits = len(board.floor) < FLOOR_SPACES
    floor = board.floor + MARKER if fits else board.floor
    mine = board_of(board.wall, board.lines, floor, not fits, board.score, board.wide)
    boards = (*position.boards[:player], mine, *position.boards[player + 1 :])
    return changed(position, marker_in_center=False, boards=boards)


def _counts(given: Supply) -> tuple[int, ...]:
    found: tuple[int, ...] = ()
    if isinstance(given, Mapping):
        for colour in given:
            require_choice("colour", colour, COLOURS)
        found = tuple(given.get(colour, 0) for colour in COLOURS)
    elif isinstance(given, Sequence):
        found = tuple(given)
    if len(found) != len(COLOURS) or not all(isinstance(count, int) and count >= 0 for count in found):
        raise ValueError(f"{quoted(given)} are not counts of {', '.join(COLOURS)}")
    return found
