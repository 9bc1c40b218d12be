# cython: boundscheck=False, wraparound=False
"""A CoTuLenh position as a tensor of bytes, for training.

Planes have twelve rows of eleven: rank 1 is the first row, file a the first in each. A piece is a 1 on its
plane, in a stack too, and another 1 on its heroic plane if it is heroic; carrier and order of a stack follow
from its pieces. The side to move and the clocks fill planes of their own, the clocks clamped to 255. The last
plane marks the origin of an open deploy session; its steps are not shown.

Stability: planes keep their meaning and order. `planes` takes a position, `write_planes` its board and
clocks, which is how a column has them. The module runs as it is and compiles with Cython (`planes.pxd` gives
the C types).
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
    from forsyth.games.cotulenh.numbers.packing import Squares, State, find_units
    from forsyth.games.cotulenh.rules.attacks import Units
    from forsyth.games.cotulenh.stacks import BLUE_BIT, CARRIERS, HEROIC_SHIFT, TYPES

    Bytes = bytearray | memoryview
    Size = int
    PLANE_BYTES: Final = 48 * 132
    MOST: Final = 255

    def spread(out: Bytes, start: int, size: int, value: int) -> None:
        """Set some bytes to one value."""
        out[start : start + size] = bytes((value,)) * size


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
"""The plane of what a board does not say."""


def planes(position: Position) -> bytes:
    """The planes of a position, one behind the other."""
    state: State
    if not cython.compiled:
        state = [0] * 3
    state[0] = position.blue_to_move
    state[1] = min(position.half, MOST)
    state[2] = min(position.full, MOST)
    found = bytearray(PLANE_BYTES)
    write_planes(position.units, state, found, 0)
    if position.session is not None:
        found[_DEPLOY_ORIGIN + position.session.origin_square] = 1
    return bytes(found)


def write_planes(units: Units, state: State, out: Bytes, start: Size) -> None:
    """Write the planes of a board and a state from a byte on."""
    found: Squares
    count: i32
    i: i32
    plane: i32
    unit: u32
    types: u32
    bit: u32
    if not cython.compiled:
        found = [0] * (SQUARE_COUNT + 1)
    spread(out, start, PLANE_BYTES, 0)
    count = find_units(units, found)
    for i in range(count):
        unit = units[found[i]]
        types = unit & TYPES
        while types:
            bit = types & ~(types - 1)
            types ^= bit
            plane = CARRIERS[bit] + 11 * (unit // BLUE_BIT)
            out[start + plane * SQUARE_COUNT + found[i]] = 1
            out[start + (22 + plane) * SQUARE_COUNT + found[i]] = 1 if unit >> HEROIC_SHIFT & bit else 0
    for plane in range(3):
        unit = MOST if state[plane] > MOST else state[plane]
        spread(out, start + (44 + plane) * SQUARE_COUNT, SQUARE_COUNT, unit)
