"""Try moves of CoTuLenh: do they leave the mover's commander safe, and do they give check.

A trial makes a move on the board itself, with the promotions that may matter, and takes it back. The cost of
a trial does not depend on the number of units: it looks along the lines of one commander, and updates the
zones of air defence only where the move changes them. A colour is 0 for Red and BLUE_BIT for Blue. The module
runs as it is and compiles with Cython (`trials.pxd` has the C types). Rules: spec/cotulenh 10.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.games.cotulenh.board import i32, u32, u64
    from forsyth.games.cotulenh.rules.apply import find_last_guard, move_pieces
    from forsyth.games.cotulenh.rules.attacks import (
        AIR_RAID,
        COMMANDER_BIT,
        MAX_ATTACKERS,
        SQUARE_MASK,
        TYPES_SHIFT,
        AirCover,
        AttackerList,
        Units,
        add_zone,
        air_defence_level,
        are_exposed,
        classify_attack,
        fill_air_cover,
        find_attackers,
        find_commander,
        find_raider,
        is_attacked,
        is_stack,
        update_air_cover,
    )
    from forsyth.games.cotulenh.rules.generate import FLAGS_SHIFT, STAY, TARGET_SHIFT, UNSETTLED, BoardFacts
    from forsyth.games.cotulenh.stacks import (
        ANTI_AIR,
        BLUE_BIT,
        CARRIERS,
        ENGINEER,
        HEROIC_SHIFT,
        MISSILE,
        NAVY,
        TYPES,
    )

    AIR_DEFENCE_TYPES = 1 << ENGINEER | 1 << ANTI_AIR | 1 << MISSILE | 1 << NAVY
    """The set of the types with air defence, and the engineer, which carries two of them."""


def is_safe_after(units: Units, move: u64, facts: BoardFacts, colour: u32, last_guard: i32) -> i32:
    """Return 1 if the mover's commander is safe after a move with all its promotions, else 0.

    A commander is safe if it is neither attacked nor exposed to the enemy commander. The move is made on
    `units` and taken back.

    Args:
        units: The board before the move.
        move: The packed move.
        facts: The facts about the board.
        colour: The colour of the mover.
        last_guard: 1 if the last guard of a side is promoted, else 0.
    """
    origin: i32 = move & SQUARE_MASK
    target: i32 = move >> TARGET_SHIFT & SQUARE_MASK
    origin_before: u32 = units[origin]
    target_before: u32 = units[target]
    own_square: i32 = (
        target
        if move >> TYPES_SHIFT & COMMANDER_BIT and not move >> FLAGS_SHIFT & STAY
        else facts.own_commander
    )
    enemy_square: i32 = -1 if target == facts.enemy_commander else facts.enemy_commander
    safe: i32 = 0
    move_pieces(units, move)
    if facts.extra_commanders:
        own_square = find_commander(units, colour)
        enemy_square = find_commander(units, BLUE_BIT - colour)
    # A suicide capture may lose the commander itself.
    if (
        own_square >= 0
        and units[own_square] & COMMANDER_BIT
        and not are_exposed(units, own_square, enemy_square)
    ):
        safe = is_unattacked_after(
            units, move, facts, colour, last_guard, own_square, enemy_square, origin_before, target_before
        )
    units[origin] = origin_before
    units[target] = target_before
    return safe


def is_unattacked_after(
    units: Units,
    move: u64,
    facts: BoardFacts,
    colour: u32,
    last_guard: i32,
    own_square: i32,
    enemy_square: i32,
    origin_before: u32,
    target_before: u32,
) -> i32:
    """Return 1 if no piece attacks the mover's commander on the board after a move, else 0.

    The enemy's last guard is promoted for the test, because a heroic piece attacks from farther away. `units`
    is restored to the state it had at the call.

    Args:
        units: The board after the move.
        move: The packed move.
        facts: The facts about the board before the move.
        colour: The colour of the mover.
        last_guard: 1 if the last guard of a side is promoted, else 0.
        own_square: The square of the mover's commander after the move.
        enemy_square: The square of the enemy commander after the move, −1 if it is captured.
        origin_before: The unit that stood on the origin before the move.
        target_before: The unit that stood on the target before the move.
    """
    guard: i32 = find_enemy_guard(units, facts, move >> TARGET_SHIFT & SQUARE_MASK) if last_guard else -1
    unpromoted_guard: u32 = 0
    attack: i32
    if guard >= 0:
        unpromoted_guard = units[guard]
        units[guard] |= (unpromoted_guard & TYPES) << HEROIC_SHIFT
    attack = classify_attack(units, own_square, BLUE_BIT - colour)
    if attack == AIR_RAID:
        if facts.commander_state != UNSETTLED and facts.faces_raid and not may_change_own_cover(move, facts):
            attack = find_raider(units, own_square, BLUE_BIT - colour, facts.promoted_cover) >= 0
        else:
            attack = is_raided_after(
                units, move, facts, colour, last_guard, own_square, enemy_square, origin_before, target_before
            )
    if guard >= 0:
        units[guard] = unpromoted_guard
    return 0 if attack else 1


def is_raided_after(
    units: Units,
    move: u64,
    facts: BoardFacts,
    colour: u32,
    last_guard: i32,
    own_square: i32,
    enemy_square: i32,
    origin_before: u32,
    target_before: u32,
) -> i32:
    """Return 1 if an enemy air force reaches the mover's commander after a move, else 0.

    Own air defence that the move promotes covers more squares. `facts.own_cover`, the squares that own air
    defence covers before the move, is changed for the test and restored.

    Args:
        units: The board after the move.
        move: The packed move.
        facts: The facts about the board before the move.
        colour: The colour of the mover.
        last_guard: 1 if the last guard of a side is promoted, else 0.
        own_square: The square of the mover's commander after the move.
        enemy_square: The square of the enemy commander after the move, −1 if it is captured.
        origin_before: The unit that stood on the origin before the move.
        target_before: The unit that stood on the target before the move.
    """
    origin: i32 = move & SQUARE_MASK
    target: i32 = move >> TARGET_SHIFT & SQUARE_MASK
    promoted_squares: AttackerList
    count: i32 = 0
    i: i32
    last_guard_square: i32 = -1
    is_raided: i32
    if not cython.compiled:
        promoted_squares = [0] * MAX_ATTACKERS
    if facts.has_own_cover:
        update_air_cover(facts.own_cover, colour, origin, origin_before, units[origin])
        update_air_cover(facts.own_cover, colour, target, target_before, units[target])
    else:
        fill_air_cover(units, colour, facts.own_cover)
        facts.has_own_cover = 1
    if enemy_square >= 0:
        count = find_attacking_air_defence(units, enemy_square, colour, promoted_squares)
    if last_guard and facts.own_guards <= 2:
        last_guard_square = find_last_guard(units, colour)
    if last_guard_square >= 0 and is_plain_air_defence(units[last_guard_square]):
        for i in range(count):
            if promoted_squares[i] == last_guard_square:
                last_guard_square = -1
        if last_guard_square >= 0:
            promoted_squares[count] = last_guard_square
            count += 1
    for i in range(count):
        promote_zone(facts.own_cover, promoted_squares[i], units[promoted_squares[i]], 1)
    is_raided = find_raider(units, own_square, BLUE_BIT - colour, facts.own_cover) >= 0
    for i in range(count):
        promote_zone(facts.own_cover, promoted_squares[i], units[promoted_squares[i]], -1)
    update_air_cover(facts.own_cover, colour, origin, units[origin], origin_before)
    update_air_cover(facts.own_cover, colour, target, units[target], target_before)
    return is_raided


def may_change_own_cover(move: u64, facts: BoardFacts) -> i32:
    """Return 1 if a move may change what own air defence covers while the commander needs it, else 0.

    It needs it if only air forces attack it, which is when `facts.faces_raid` is 1.

    Air defence that does not move keeps its zone. It is promoted if it attacks the enemy commander, unless
    the move captures that commander.
    """
    if not facts.faces_raid:
        return 0
    return (
        1
        if move >> TYPES_SHIFT & AIR_DEFENCE_TYPES
        or (move >> TARGET_SHIFT & SQUARE_MASK) == facts.enemy_commander
        else 0
    )


def find_enemy_guard(units: Units, facts: BoardFacts, captured: i32) -> i32:
    """Return the square of the enemy's last guard after a capture, or −1 if there is none.

    The last guard is a single piece that is the only unit of its side beside the commander. `captured` is the
    square whose unit is captured, −1 for none. `facts` are those before the capture.
    """
    guard: i32
    if facts.enemy_guards == 0 or facts.enemy_guards > 2:
        return -1
    if facts.enemy_guards == 1:
        guard = facts.enemy_guard_squares[0] if captured != facts.enemy_guard_squares[0] else -1
    elif captured == facts.enemy_guard_squares[0]:
        guard = facts.enemy_guard_squares[1]
    else:
        guard = facts.enemy_guard_squares[0] if captured == facts.enemy_guard_squares[1] else -1
    return -1 if guard >= 0 and is_stack(units[guard]) else guard


def promote_zone(cover: AirCover, square: i32, unit: u32, sign: i32) -> None:
    """Widen the zone of an air-defence unit by one square, as its promotion does.

    Args:
        cover: The squares that the air defence of one side covers, changed in place.
        square: The square of the unit.
        unit: The unit before its promotion.
        sign: 1 to widen the zone, −1 to take the promotion back.
    """
    level: i32 = air_defence_level(unit)
    add_zone(cover, square, level, -sign)
    add_zone(cover, square, level + 1, sign)


def is_plain_air_defence(unit: u32) -> i32:
    """Return 1 if the carrier of a unit is air defence that is not heroic yet, else 0."""
    return 1 if air_defence_level(unit) and not unit >> (HEROIC_SHIFT + CARRIERS[unit & TYPES]) & 1 else 0


def find_attacking_air_defence(units: Units, target: i32, colour: u32, squares: AttackerList) -> i32:
    """Write the squares of air defence that attacks `target` into `squares` and return their number.

    Only air defence of `colour` that is not heroic yet is included. If `target` is the enemy commander, these
    are the units that their attack promotes.
    """
    count: i32 = find_attackers(units, target, colour, squares)
    kept_count: i32 = 0
    i: i32
    unit: u32
    for i in range(count):
        unit = units[squares[i] & SQUARE_MASK]
        if is_plain_air_defence(unit) and squares[i] >> TYPES_SHIFT >> CARRIERS[unit & TYPES] & 1:
            squares[kept_count] = squares[i] & SQUARE_MASK
            kept_count += 1
    return kept_count


def gives_check(units: Units, move: u64, facts: BoardFacts, colour: u32, last_guard: i32) -> i32:
    """Return a number other than 0 if a move, with all its promotions, gives check, else 0.

    The capture of the enemy commander counts as check. The move is made on `units` and taken back.

    Args:
        units: The board before the move.
        move: The packed move.
        facts: The facts about the board.
        colour: The colour of the mover.
        last_guard: 1 if the last guard of a side is promoted, else 0.
    """
    origin: i32 = move & SQUARE_MASK
    target: i32 = move >> TARGET_SHIFT & SQUARE_MASK
    origin_before: u32 = units[origin]
    target_before: u32 = units[target]
    enemy_square: i32 = -1 if target == facts.enemy_commander else facts.enemy_commander
    result: i32 = 1
    move_pieces(units, move)
    if facts.extra_commanders:
        enemy_square = find_commander(units, BLUE_BIT - colour)
    if enemy_square >= 0:
        result = classify_attack(units, enemy_square, colour)
        if result == AIR_RAID:
            update_air_cover(facts.enemy_cover, BLUE_BIT - colour, target, target_before, units[target])
            result = find_raider(units, enemy_square, colour, facts.enemy_cover) >= 0
            update_air_cover(facts.enemy_cover, BLUE_BIT - colour, target, units[target], target_before)
        # A piece that attacks is promoted and still attacks. Otherwise only last guards can be promoted.
        if not result and last_guard and (facts.own_guards <= 2 or facts.enemy_guards <= 2):
            result = guards_give_check(units, facts, target, enemy_square, colour)
    units[origin] = origin_before
    units[target] = target_before
    return result


def guards_give_check(units: Units, facts: BoardFacts, captured: i32, enemy_square: i32, colour: u32) -> i32:
    """Return a number other than 0 if the promotion of last guards leads to check, else 0.

    The last guard of a side is its only unit beside the commander. Either side's guard is made heroic on
    `units` for the test and then restored.

    Args:
        units: The board after a move, before the promotions.
        facts: The facts about the board before the move.
        captured: The target of the move.
        enemy_square: The square of the enemy commander.
        colour: The colour of the mover.
    """
    own_guard: i32 = find_last_guard(units, colour) if facts.own_guards <= 2 else -1
    enemy_guard: i32 = find_enemy_guard(units, facts, captured)
    own_unpromoted: u32 = 0
    enemy_unpromoted: u32 = 0
    result: i32 = 0
    if own_guard >= 0:
        own_unpromoted = units[own_guard]
        units[own_guard] |= (own_unpromoted & TYPES) << HEROIC_SHIFT
    if enemy_guard >= 0:
        enemy_unpromoted = units[enemy_guard]
        units[enemy_guard] |= (enemy_unpromoted & TYPES) << HEROIC_SHIFT
    if own_guard >= 0 or enemy_guard >= 0:
        result = is_attacked(units, enemy_square, colour)
    if own_guard >= 0:
        units[own_guard] = own_unpromoted
    if enemy_guard >= 0:
        units[enemy_guard] = enemy_unpromoted
    return result
