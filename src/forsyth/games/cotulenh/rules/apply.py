"""Apply moves of CoTuLenh to a bare board, with the promotions that follow (spec/cotulenh 9).

A move is a packed number, see `generate`. A colour is 0 for Red and BLUE_BIT for Blue. The module runs as it
is and compiles with Cython (`apply.pxd` gives the C types).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.games.cotulenh.board import SQUARE_COUNT, i32, u32, u64
    from forsyth.games.cotulenh.rules.attacks import (
        MAX_ATTACKERS,
        SQUARE_MASK,
        TYPES_SHIFT,
        AttackerList,
        Units,
        find_commander,
        find_effective_attackers,
        is_stack,
    )
    from forsyth.games.cotulenh.rules.generate import (
        COMBINE,
        FLAG_MASK,
        FLAGS_SHIFT,
        MOVE_BITS,
        STAY,
        SUICIDE,
        TARGET_SHIFT,
    )
    from forsyth.games.cotulenh.stacks import BLUE_BIT, CARRIERS, COMMANDER, HEROIC_SHIFT, TYPES


def is_move_number(move: u64) -> i32:
    """Return 1 if a number has the layout of a packed move, else 0.

    Such a number has no more than MOVE_BITS bits, and contains two squares of the board and the types of a
    piece or legal stack. The move need not be legal.
    """
    return (
        move >> MOVE_BITS == 0
        and move & SQUARE_MASK < SQUARE_COUNT
        and move >> TARGET_SHIFT & SQUARE_MASK < SQUARE_COUNT
        and CARRIERS[move >> TYPES_SHIFT & TYPES] >= 0
    )


def is_applicable(units: Units, move: u64) -> i32:
    """Return 1 if a move, legal or not, can be applied to a board, else 0.

    The moving pieces must stand on the origin. The pieces that stay there must be a piece or legal stack, and
    so must the moving pieces together with the unit that they join on the target.
    """
    types: u32 = move >> TYPES_SHIFT & TYPES
    remaining: u32
    target_types: u32
    if not is_move_number(move) or units[move & SQUARE_MASK] & types != types:
        return 0
    remaining = units[move & SQUARE_MASK] & TYPES & ~types
    target_types = units[move >> TARGET_SHIFT & SQUARE_MASK] & TYPES
    if remaining and CARRIERS[remaining] < 0:
        return 0
    if not move >> FLAGS_SHIFT & COMBINE:
        return 1
    return 1 if not target_types & types and CARRIERS[target_types | types] >= 0 else 0


def apply_move(units: Units, move: u64, colour: u32, last_guard: i32) -> None:
    """Apply a move to a board in place, promotions included (spec/cotulenh 9).

    Args:
        units: The board.
        move: The packed move. It must be applicable, see `is_applicable`.
        colour: The colour of the mover.
        last_guard: 1 if the last guard of a side is promoted, else 0.
    """
    move_pieces(units, move)
    promote_pieces(units, colour, last_guard)


def move_pieces(units: Units, move: u64) -> None:
    """Apply a packed move to a board in place, without promotions.

    A stay capture removes the target and leaves the mover on its origin. A suicide capture removes both.
    """
    origin: i32 = move & SQUARE_MASK
    target: i32 = move >> TARGET_SHIFT & SQUARE_MASK
    types: u32 = move >> TYPES_SHIFT & TYPES
    flags: i32 = move >> FLAGS_SHIFT & FLAG_MASK
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


def promote_pieces(units: Units, colour: u32, last_guard: i32) -> None:
    """Promote the pieces of `colour` that attack the enemy commander, then the last guards.

    The board is changed in place. The last guard of either side is promoted if `last_guard` is 1.
    """
    target: i32 = find_commander(units, BLUE_BIT - colour)
    if target >= 0:
        promote_attackers(units, target, colour)
    if last_guard:
        promote_last_guard(units, 0)
        promote_last_guard(units, BLUE_BIT)


def promote_attackers(units: Units, target: i32, colour: u32) -> None:
    """Make all pieces of a colour that attack the square `target` heroic, in place.

    Air forces that air defence stops do not attack.
    """
    attackers: AttackerList
    i: i32
    if not cython.compiled:
        attackers = [0] * MAX_ATTACKERS
    for i in range(find_effective_attackers(units, target, colour, attackers)):
        units[attackers[i] & SQUARE_MASK] |= attackers[i] >> TYPES_SHIFT << HEROIC_SHIFT


def promote_last_guard(units: Units, colour: u32) -> None:
    """Make the last guard of a colour heroic, in place, if it has one.

    The last guard is a single piece that is the only unit of its side beside the commander.
    """
    guard: i32 = find_last_guard(units, colour)
    if guard >= 0:
        units[guard] |= (units[guard] & TYPES) << HEROIC_SHIFT


def find_last_guard(units: Units, colour: u32) -> i32:
    """Return the square of a colour's last guard, or −1 if it has none.

    The last guard is a single piece that is the only unit of its side whose carrier is not the commander.
    """
    square: i32
    guard: i32 = -1
    for square in range(SQUARE_COUNT):
        if units[square] == 0 or units[square] & BLUE_BIT != colour:
            continue
        if CARRIERS[units[square] & TYPES] != COMMANDER:
            if guard >= 0:
                return -1
            guard = square
    return -1 if guard >= 0 and is_stack(units[guard]) else guard
