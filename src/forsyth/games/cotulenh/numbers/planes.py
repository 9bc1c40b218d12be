# cython: boundscheck=False, wraparound=False
"""Planes of a CoTuLenh position: a tensor of bytes for training.

Each plane has twelve rows of eleven bytes: rank 1 is the first row, file a the first byte in each. A piece is
a 1 on its plane, also in a stack, and another 1 on its heroic plane if it is heroic. The carrier and the
order of a stack follow from its pieces. The side to move and the clocks fill planes of their own, the clocks
clamped to 255. The last plane marks the origin of an open deploy session, whose steps are not shown.

Stability: planes keep their meaning and order. `compute_planes` takes a position, `write_planes` its board
and clocks, as columns have them. The module runs as it is and compiles with Cython (`planes.pxd` gives the
C types).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.column import Planes
from forsyth.games.cotulenh.board import FILES, RANK_COUNT
from forsyth.games.cotulenh.numbers.features import KIND_NAMES
from forsyth.games.cotulenh.position import Position

if not cython.compiled:
    from forsyth.games.cotulenh.board import SQUARE_COUNT, i32, u32
    from forsyth.games.cotulenh.numbers.packing import (
        FULL_CLOCK,
        HALF_CLOCK,
        SIDE_TO_MOVE,
        STATE_SIZE,
        OccupiedSquares,
        State,
        find_occupied,
    )
    from forsyth.games.cotulenh.rules.attacks import Units
    from forsyth.games.cotulenh.stacks import BLUE_BIT, CARRIERS, HEROIC_SHIFT, TYPES

    Bytes = bytearray | memoryview
    Size = int
    PLANE_BYTES: Final = 48 * 132
    MAX_VALUE: Final = 255
    """The largest clock that a plane shows."""
    TYPE_COUNT: Final = 11
    HEROIC_PLANES: Final = 22
    """The number of the first plane for heroic pieces."""
    STATE_PLANES: Final = 44
    """The number of the plane for the side to move; those of the clocks follow."""
    STATE_PLANE_COUNT: Final = 3
    """The number of planes for the side to move and the clocks, in the order of a `State`."""

    def fill_bytes(target: Bytes, start: int, size: int, value: int) -> None:
        """Set `size` bytes of `target` from `start` on to the byte `value`."""
        target[start : start + size] = bytes((value,)) * size


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
_DEPLOY_ORIGIN: Final = 47 * 132
"""Offset of the plane for the origin of an open deploy session."""


def compute_planes(position: Position) -> bytes:
    """Return a position as a tensor of bytes: planes of 12 by 11 bytes, one after the other.

    PLANES names them. A byte is 1 where a piece stands. Rank 1 is the first row. The planes of the clocks
    hold at most 255.
    """
    state: State
    if not cython.compiled:
        state = [0] * STATE_SIZE
    state[SIDE_TO_MOVE] = position.blue_to_move
    state[HALF_CLOCK] = min(position.half, MAX_VALUE)
    state[FULL_CLOCK] = min(position.full, MAX_VALUE)
    tensor = bytearray(PLANE_BYTES)
    write_planes(position.units, state, tensor, 0)
    if position.session is not None:
        tensor[_DEPLOY_ORIGIN + position.session.origin_square] = 1
    return bytes(tensor)


def write_planes(units: Units, state: State, tensor: Bytes, start: Size) -> None:
    """Write the planes of a board into `tensor`, PLANE_BYTES bytes from byte `start` on.

    A plane has one byte for each square, a1 first. `units` is the board, and `state` has the side to move,
    the half-move clock and the move number. Clocks above 255 become 255. The plane for the origin of a deploy
    session stays empty.
    """
    occupied: OccupiedSquares
    occupied_count: i32
    index: i32
    square: i32
    plane: i32
    plane_start: Size
    unit: u32
    remaining_types: u32
    type_bit: u32
    is_heroic: u32
    value: u32
    if not cython.compiled:
        occupied = [0] * (SQUARE_COUNT + 1)
    fill_bytes(tensor, start, PLANE_BYTES, 0)
    occupied_count = find_occupied(units, occupied)
    for index in range(occupied_count):
        square = occupied[index]
        unit = units[square]
        remaining_types = unit & TYPES
        while remaining_types:
            # Take the lowest type out of the set.
            type_bit = remaining_types & ~(remaining_types - 1)
            remaining_types ^= type_bit
            is_heroic = 1 if unit >> HEROIC_SHIFT & type_bit else 0
            # CARRIERS turns the bit of a single type into its number. Blue's planes follow Red's.
            plane = CARRIERS[type_bit] + TYPE_COUNT * (unit // BLUE_BIT)
            tensor[start + plane * SQUARE_COUNT + square] = 1
            tensor[start + (HEROIC_PLANES + plane) * SQUARE_COUNT + square] = is_heroic
    for index in range(STATE_PLANE_COUNT):
        value = MAX_VALUE if state[index] > MAX_VALUE else state[index]
        plane_start = start + (STATE_PLANES + index) * SQUARE_COUNT
        fill_bytes(tensor, plane_start, SQUARE_COUNT, value)
