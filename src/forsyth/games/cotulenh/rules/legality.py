"""The verdict on a CoTuLenh board without an open session: sound or not (spec/cotulenh 13, tests 16 to 18).

`is_sound` finds out at full speed and builds nothing; `check` says in words what is wrong with the others.
The module runs as it is and compiles with Cython (`legality.pxd` gives the C types).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.cotulenh.position import Position

if not cython.compiled:
    from forsyth.games.cotulenh.board import LAND, SQUARE_COUNT, WATER, i32, u32
    from forsyth.games.cotulenh.rules.attacks import Units
    from forsyth.games.cotulenh.stacks import BLUE_BIT, NAVY

    SOUND: Final = 513
    FOR_NAVY = [0] * 132
    FOR_OTHERS = [0] * 132


def _fill_tables() -> None:
    """FOR_NAVY and FOR_OTHERS: 1 where a unit that a navy carries, or another, may not stand."""
    for square in range(SQUARE_COUNT):
        FOR_NAVY[square] = 0 if WATER[square] else 1
        FOR_OTHERS[square] = 0 if LAND[square] else 1


_fill_tables()


def is_sound(units: Units) -> i32:
    """Whether all units stand where their carriers may and each side has one commander."""
    return 1 if soundness(units) == SOUND else 0


def soundness(units: Units) -> i32:
    """How many commanders are Blue's, from bit 8 on how many there are, bit 16 whether a unit is misplaced.

    A navy in a stack is always its carrier. No step of the loop depends on what stands on a square, so that a
    compiler takes several squares at once.
    """
    misplaced: u32 = 0
    commanders: u32 = 0
    blue: u32 = 0
    square: i32
    unit: u32
    navy: u32
    for square in range(SQUARE_COUNT):
        unit = units[square]
        navy = unit >> NAVY & 1
        misplaced |= navy & FOR_NAVY[square] | ((unit != 0) & (navy ^ 1) & FOR_OTHERS[square])
        commanders += unit & 1
        blue += unit & (unit // BLUE_BIT) & 1
    return misplaced << 16 | commanders << 8 | blue


def has_sound_board(position: Position) -> bool:
    """Whether `check` has nothing to say about the board of a position without an open session."""
    return is_sound(position.units) == 1
