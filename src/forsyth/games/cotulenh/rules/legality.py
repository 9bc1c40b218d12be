"""Check whether a CoTuLenh board without an open session is sound (spec/cotulenh 13, tests 16 to 18).

`is_sound` is fast and builds no objects; the module `check` reports what is wrong. The module runs as it is
and compiles with Cython (`legality.pxd` gives the C types).
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
    from forsyth.games.cotulenh.rules.attacks import COMMANDER_BIT, Units
    from forsyth.games.cotulenh.stacks import BLUE_BIT, NAVY

    SOUND_SUMMARY: Final = 2 << 8 | 1
    """The summary of a sound board: two commanders, one of them blue."""
    COMMANDERS_SHIFT: Final = 8
    MISPLACED_SHIFT: Final = 16
    """The fields of the summary, see `summarize_board`."""
    NAVY_FORBIDDEN = [0] * SQUARE_COUNT
    OTHERS_FORBIDDEN = [0] * SQUARE_COUNT


def _fill_tables() -> None:
    """Fill the tables NAVY_FORBIDDEN and OTHERS_FORBIDDEN, which have one entry for each square.

    An entry is 1 if the pieces may not stand on the square, else 0. The first table is for navies and the
    stacks that they carry, the second for all other pieces and stacks.
    """
    for square in range(SQUARE_COUNT):
        NAVY_FORBIDDEN[square] = 0 if WATER[square] else 1
        OTHERS_FORBIDDEN[square] = 0 if LAND[square] else 1


_fill_tables()


def is_sound(units: Units) -> i32:
    """Return 1 if the board `units` is sound, else 0.

    On a sound board all pieces stand on terrain where they may stand, and each side has exactly one
    commander.
    """
    return 1 if summarize_board(units) == SOUND_SUMMARY else 0


def summarize_board(units: Units) -> i32:
    """Return the numbers of commanders, and whether a unit is misplaced, packed into one number.

    * Bits 0 to 7: the number of Blue's commanders.
    * Bits 8 to 15: the number of all commanders (COMMANDERS_SHIFT).
    * Bit 16: set if a unit stands where it may not (MISPLACED_SHIFT).

    `units` is the board. The loop has no branches, so that a compiler can process several squares at once.
    """
    misplaced: u32 = 0
    commanders: u32 = 0
    blue_commanders: u32 = 0
    square: i32
    unit: u32
    has_navy: u32
    is_other: u32
    is_blue: u32
    for square in range(SQUARE_COUNT):
        unit = units[square]
        # A navy in a stack is always its carrier.
        has_navy = unit >> NAVY & 1
        is_other = (unit != 0) & (has_navy ^ 1)
        misplaced |= (has_navy & NAVY_FORBIDDEN[square]) | (is_other & OTHERS_FORBIDDEN[square])
        # The bit of the commander is bit 0, so that a masked unit is a count of 0 or 1.
        is_blue = unit // BLUE_BIT
        commanders += unit & COMMANDER_BIT
        blue_commanders += unit & is_blue & COMMANDER_BIT
    return misplaced << MISPLACED_SHIFT | commanders << COMMANDERS_SHIFT | blue_commanders


def has_sound_board(position: Position) -> bool:
    """Return whether all pieces stand where they may, and each side has exactly one commander.

    The position must not have an open deploy session, which may leave a stack where it may not stand.
    """
    return is_sound(position.units) == 1
