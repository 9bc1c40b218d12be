"""A CoTuLenh position as a tensor of bytes, for training.

Planes have twelve rows of eleven: rank 1 is the first row, file a the first in each. A piece is a 1 on its
plane, in a stack too, and another 1 on its heroic plane if it is heroic; carrier and order of a stack follow
from its pieces. The side to move and the clocks fill planes of their own, the clocks clamped to 255. The last
plane marks the origin of an open deploy session; its steps are not shown.

Stability: planes keep their meaning and order. `column` makes the same for whole columns.
"""

from __future__ import annotations

from typing import Final

from forsyth.column import Planes
from forsyth.games.cotulenh.board import BOARD_SIZE, FILES, RANK_COUNT
from forsyth.games.cotulenh.features import KIND_NAMES
from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.stacks import BLUE_BIT, HEROIC_SHIFT, LETTERS

MOST: Final = 255
_PIECES: Final = tuple(f"{side}_{name}" for side in ("red", "blue") for name in KIND_NAMES)
PLANES: Final = Planes(
    (
        *_PIECES,
        *(f"heroic_{name}" for name in _PIECES),
        "blue_to_move",
        "half_move_clock",
        "move_number",
        "deploy_origin",
    ),
    RANK_COUNT,
    len(FILES),
)


def planes(position: Position) -> bytes:
    """The planes of a position, one behind the other."""
    found = [bytearray(BOARD_SIZE) for _ in PLANES.names]
    kinds = len(LETTERS)
    for square, unit in enumerate(position.board()):
        first = kinds if unit & BLUE_BIT else 0
        for kind in range(kinds):
            found[first + kind][square] = unit >> kind & 1
            found[2 * kinds + first + kind][square] = unit >> HEROIC_SHIFT >> kind & 1
    for plane, number in zip(
        found[-4:-1], (position.blue_to_move, position.half, position.full), strict=True
    ):
        plane[:] = bytes((min(number, MOST),)) * BOARD_SIZE
    if position.session is not None:
        found[-1][position.session.origin_square] = 1
    return b"".join(found)
