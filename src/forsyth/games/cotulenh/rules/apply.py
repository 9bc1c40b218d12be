"""Applying moves of CoTuLenh to a bare board, promotions included (spec/cotulenh 9).

A move is a number as in `generate`. The module runs as it is and compiles with Cython (`apply.pxd` gives the
C types).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.games.cotulenh.board import SQUARE_COUNT, i32, u32, u64
    from forsyth.games.cotulenh.rules.attacks import (
        MOST_ATTACKERS,
        Found,
        Units,
        commander_square,
        find_arriving,
    )
    from forsyth.games.cotulenh.rules.generate import COMBINE, STAY, SUICIDE
    from forsyth.games.cotulenh.stacks import BLUE_BIT, CARRIERS, COMMANDER, HEROIC_SHIFT, TYPES


def is_move(move: u64) -> i32:
    """Whether a number names squares of the board, a unit and flags; there are others."""
    return (
        move >> 33 == 0
        and move & 255 < SQUARE_COUNT
        and move >> 8 & 255 < SQUARE_COUNT
        and CARRIERS[move >> 16 & TYPES] >= 0
    )


def fits(units: Units, move: u64) -> i32:
    """Whether a move, legal or not, leads to a board of units: who goes is there, and stacks stay stacks."""
    types: u32 = move >> 16 & TYPES
    rest: u32
    joined: u32
    if not is_move(move) or units[move & 255] & types != types:
        return 0
    rest = units[move & 255] & TYPES & ~types
    joined = units[move >> 8 & 255] & TYPES
    if rest and CARRIERS[rest] < 0:
        return 0
    return 1 if not move >> 27 & COMBINE or (not joined & types and CARRIERS[joined | types] >= 0) else 0


def apply(units: Units, move: u64, colour: u32, last_guard: i32) -> None:
    """Change a board by a move, promotions included (spec/cotulenh 9)."""
    change(units, move)
    promote(units, colour, last_guard)


def change(units: Units, move: u64) -> None:
    """Change a board by a move, promotions aside."""
    origin: i32 = move & 255
    target: i32 = move >> 8 & 255
    types: u32 = move >> 16 & TYPES
    flags: i32 = move >> 27 & 63
    mover: u32 = units[origin] & (types | types << HEROIC_SHIFT | BLUE_BIT)
    if flags & STAY:
        units[target] = 0
    else:
        units[origin] &= ~(types | types << HEROIC_SHIFT)
        if units[origin] & TYPES == 0:
            units[origin] = 0
        if flags & SUICIDE:
            units[target] = 0
        elif flags & COMBINE:
            units[target] |= mover
        else:
            units[target] = mover


def promote(units: Units, colour: u32, last_guard: i32) -> None:
    """Heroic become who attacks the enemy's commander, and the last guard of either side."""
    target: i32 = commander_square(units, BLUE_BIT - colour)
    if target >= 0:
        promote_attackers(units, target, colour)
    if last_guard:
        promote_last_guard(units, 0)
        promote_last_guard(units, BLUE_BIT)


def promote_attackers(units: Units, target: i32, colour: u32) -> None:
    """Heroic become the pieces of a colour that attack a square; none of them attacks through another."""
    found: Found
    i: i32
    if not cython.compiled:
        found = [0] * MOST_ATTACKERS
    for i in range(find_arriving(units, target, colour, found)):
        units[found[i] & 255] |= found[i] >> 16 << HEROIC_SHIFT


def promote_last_guard(units: Units, colour: u32) -> None:
    """The only unit of a side beside its commander becomes heroic, if it is a single piece."""
    guard: i32 = last_guard_of(units, colour)
    if guard >= 0:
        units[guard] |= (units[guard] & TYPES) << HEROIC_SHIFT


def last_guard_of(units: Units, colour: u32) -> i32:
    """The square of the only unit of a side beside its commander, if it is a single piece; else −1."""
    square: i32
    guard: i32 = -1
    for square in range(SQUARE_COUNT):
        if (
            units[square]
            and units[square] & BLUE_BIT == colour
            and CARRIERS[units[square] & TYPES] != COMMANDER
        ):
            if guard >= 0:
                return -1
            guard = square
    if guard >= 0 and units[guard] & TYPES & ((units[guard] & TYPES) - 1):
        return -1
    return guard
