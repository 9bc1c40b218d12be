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
        NO_SQUARE,
        AttackerList,
        Units,
        find_commander,
        find_effective_attackers,
        get_attacker_square,
        get_attacker_types,
        is_stack,
        make_heroic,
    )
    from forsyth.games.cotulenh.rules.generate import COMBINE, MOVE_BITS, STAY, SUICIDE, select_types
    from forsyth.games.cotulenh.rules.packed_moves import get_flags, get_moving_types, get_origin, get_target
    from forsyth.games.cotulenh.stacks import BLUE_BIT, CARRIERS, COMMANDER, HEROIC_SHIFT, TYPES


def is_move_number(move: u64) -> i32:
    """Return 1 if a number has the layout of a packed move, else 0.

    A packed move is a move as one number. It has no more than MOVE_BITS bits, and contains two squares of the
    board and the types of a piece or legal stack. The move need not be legal.
    """
    return (
        move >> MOVE_BITS == 0
        and get_origin(move) < SQUARE_COUNT
        and get_target(move) < SQUARE_COUNT
        and CARRIERS[get_moving_types(move)] >= 0
    )


def is_applicable(units: Units, move: u64) -> i32:
    """Return 1 if a packed move, legal or not, can be applied to the board `units`, else 0.

    The moving pieces must stand on the origin. The pieces that stay there must be a single piece or a legal
    stack, and so must the moving pieces together with the pieces that they join on the target.
    """
    moving_types: u32 = get_moving_types(move)
    origin_types: u32
    staying_types: u32
    target_types: u32
    if not is_move_number(move):
        return 0
    origin_types = units[get_origin(move)] & TYPES
    if origin_types & moving_types != moving_types:
        return 0
    staying_types = origin_types & ~moving_types
    if staying_types and CARRIERS[staying_types] < 0:
        return 0
    if not get_flags(move) & COMBINE:
        return 1
    target_types = units[get_target(move)] & TYPES
    if target_types & moving_types:
        return 0
    return 1 if CARRIERS[target_types | moving_types] >= 0 else 0


def apply_move(units: Units, move: u64, colour: u32, last_guard: i32) -> None:
    """Apply a move to a board in place, and promote the pieces that it makes heroic.

    Args:
        units: The board: the unit on each square, 0 for an empty one.
        move: The packed move. It must be applicable, see `is_applicable`.
        colour: The colour of the mover: 0 for Red, BLUE_BIT for Blue.
        last_guard: 1 if a side's only unit beside its commander is promoted, else 0.
    """
    move_pieces(units, move)
    promote_pieces(units, colour, last_guard)


def move_pieces(units: Units, move: u64) -> None:
    """Apply a packed move to the board `units` in place, without promoting pieces.

    A stay capture removes the target and leaves the mover on its origin. A suicide capture removes both.
    """
    origin: i32 = get_origin(move)
    target: i32 = get_target(move)
    types: u32 = get_moving_types(move)
    flags: i32 = get_flags(move)
    mover: u32 = select_types(units[origin], types)
    if flags & STAY:
        units[target] = 0
        return

    units[origin] &= ~(types | types << HEROIC_SHIFT)
    # Without pieces, only the colour bit is left.
    if (units[origin] & TYPES) == 0:
        units[origin] = 0
    if flags & SUICIDE:
        units[target] = 0
    elif flags & COMBINE:
        units[target] |= mover
    else:
        units[target] = mover


def promote_pieces(units: Units, colour: u32, last_guard: i32) -> None:
    """Promote the pieces that attack the enemy commander, then the last guards, in place.

    A promoted piece is heroic. The last guard of a side is its only unit beside the commander.

    Args:
        units: The board after a move.
        colour: The colour of the side that has moved: 0 for Red, BLUE_BIT for Blue.
        last_guard: 1 if the last guards of both sides are promoted, too, else 0.
    """
    enemy_commander: i32 = find_commander(units, BLUE_BIT - colour)
    if enemy_commander >= 0:
        promote_attackers(units, enemy_commander, colour)
    if last_guard:
        promote_last_guard(units, 0)
        promote_last_guard(units, BLUE_BIT)


def promote_attackers(units: Units, target: i32, colour: u32) -> None:
    """Make all pieces of a colour that attack the square `target` heroic, in place.

    Air forces that air defence stops do not attack. `units` is the board. `colour` is 0 for Red and BLUE_BIT
    for Blue.
    """
    attackers: AttackerList
    attacker_count: i32
    index: i32
    if not cython.compiled:
        attackers = [0] * MAX_ATTACKERS
    attacker_count = find_effective_attackers(units, target, colour, attackers)
    for index in range(attacker_count):
        units[get_attacker_square(attackers[index])] |= get_attacker_types(attackers[index]) << HEROIC_SHIFT


def promote_last_guard(units: Units, colour: u32) -> None:
    """Make the last guard of a colour heroic on the board `units`, in place, if it has one.

    The last guard is a single piece that is the only unit of its side beside the commander. `colour` is 0 for
    Red and BLUE_BIT for Blue.
    """
    guard_square: i32 = find_last_guard(units, colour)
    if guard_square >= 0:
        units[guard_square] = make_heroic(units[guard_square])


def find_last_guard(units: Units, colour: u32) -> i32:
    """Return the square of a colour's last guard, or NO_SQUARE if it has none.

    The last guard is a single piece that is the only unit of its side beside the commander. `units` is the
    board. `colour` is 0 for Red and BLUE_BIT for Blue.
    """
    square: i32
    guard_square: i32 = NO_SQUARE
    for square in range(SQUARE_COUNT):
        if units[square] == 0 or (units[square] & BLUE_BIT) != colour:
            continue
        if CARRIERS[units[square] & TYPES] != COMMANDER:
            if guard_square >= 0:
                # This is a second guard, so that none is the last one.
                return NO_SQUARE
            guard_square = square
    if guard_square >= 0 and is_stack(units[guard_square]):
        return NO_SQUARE
    return guard_square
