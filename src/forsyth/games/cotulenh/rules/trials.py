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
        NO_SQUARE,
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
        get_attacker_square,
        get_attacker_types,
        has_heroic,
        is_attacked,
        is_stack,
        make_heroic,
        update_air_cover,
    )
    from forsyth.games.cotulenh.rules.generate import STAY, UNSETTLED, BoardFacts
    from forsyth.games.cotulenh.rules.packed_moves import get_flags, get_moving_types, get_origin, get_target
    from forsyth.games.cotulenh.stacks import (
        ANTI_AIR,
        BLUE_BIT,
        CARRIERS,
        ENGINEER,
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
        facts: The facts about the board, see `collect_facts`.
        colour: The colour of the mover: 0 for Red, BLUE_BIT for Blue.
        last_guard: 1 if the last guard of a side, its only unit beside the commander, is promoted, else 0.
    """
    origin: i32 = get_origin(move)
    target: i32 = get_target(move)
    origin_before: u32 = units[origin]
    target_before: u32 = units[target]
    moves_commander: i32 = 1 if get_moving_types(move) & COMMANDER_BIT and not get_flags(move) & STAY else 0
    own_square: i32 = target if moves_commander else facts.own_commander
    enemy_square: i32 = NO_SQUARE if target == facts.enemy_commander else facts.enemy_commander
    is_safe: i32 = 0

    move_pieces(units, move)
    if facts.extra_commanders:
        own_square = find_commander(units, colour)
        enemy_square = find_commander(units, BLUE_BIT - colour)
    # A suicide capture may lose the commander itself.
    if own_square >= 0 and units[own_square] & COMMANDER_BIT:
        if not are_exposed(units, own_square, enemy_square):
            is_safe = is_unattacked_after(
                units, move, facts, colour, last_guard, own_square, enemy_square, origin_before, target_before
            )

    units[origin] = origin_before
    units[target] = target_before
    return is_safe


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
    """Return 1 if no piece attacks the mover's commander after a move, else 0.

    The enemy's last guard is promoted for the test and then restored.

    Args:
        units: The board after the move.
        move: The packed move.
        facts: The facts about the board before the move.
        colour: The colour of the mover: 0 or BLUE_BIT.
        last_guard: 1 if last guards are promoted, else 0.
        own_square: The square of the mover's commander now.
        enemy_square: The square of the enemy commander now, or NO_SQUARE.
        origin_before: The unit on the origin before the move.
        target_before: The unit on the target before it.
    """
    guard_square: i32 = find_enemy_guard(units, facts, get_target(move)) if last_guard else NO_SQUARE
    unpromoted_guard: u32 = 0
    attack: i32
    is_cover_known: i32
    if guard_square >= 0:
        unpromoted_guard = units[guard_square]
        units[guard_square] = make_heroic(unpromoted_guard)

    attack = classify_attack(units, own_square, BLUE_BIT - colour)
    if attack == AIR_RAID:
        # What own air defence covers was computed once for all moves that do not change it.
        is_cover_known = facts.commander_state != UNSETTLED and facts.faces_raid
        if is_cover_known and not may_change_own_cover(move, facts):
            attack = find_raider(units, own_square, BLUE_BIT - colour, facts.promoted_cover) >= 0
        else:
            attack = is_raided_after(
                units, move, facts, colour, last_guard, own_square, enemy_square, origin_before, target_before
            )

    if guard_square >= 0:
        units[guard_square] = unpromoted_guard
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

    Air defence of the mover may stop it. `facts.own_cover` is changed for the test and restored.

    Args:
        units: The board after the move.
        move: The packed move.
        facts: The facts about the board before the move.
        colour: The colour of the mover: 0 or BLUE_BIT.
        last_guard: 1 if last guards are promoted, else 0.
        own_square: The square of the mover's commander now.
        enemy_square: The square of the enemy commander now, or NO_SQUARE.
        origin_before: The unit on the origin before the move.
        target_before: The unit on the target before it.
    """
    origin: i32 = get_origin(move)
    target: i32 = get_target(move)
    promoted_squares: AttackerList
    promoted_count: i32
    index: i32
    is_raided: i32
    if not cython.compiled:
        promoted_squares = [0] * MAX_ATTACKERS

    # The cover after the move, first without and then with the promotions.
    if facts.has_own_cover:
        update_air_cover(facts.own_cover, colour, origin, origin_before, units[origin])
        update_air_cover(facts.own_cover, colour, target, target_before, units[target])
    else:
        fill_air_cover(units, colour, facts.own_cover)
        facts.has_own_cover = 1
    promoted_count = list_promoted_defence(units, facts, colour, last_guard, enemy_square, promoted_squares)
    for index in range(promoted_count):
        promote_zone(facts.own_cover, promoted_squares[index], units[promoted_squares[index]], 1)

    is_raided = find_raider(units, own_square, BLUE_BIT - colour, facts.own_cover) >= 0

    # The cover before the move again.
    for index in range(promoted_count):
        promote_zone(facts.own_cover, promoted_squares[index], units[promoted_squares[index]], -1)
    update_air_cover(facts.own_cover, colour, origin, units[origin], origin_before)
    update_air_cover(facts.own_cover, colour, target, units[target], target_before)
    return is_raided


def list_promoted_defence(
    units: Units,
    facts: BoardFacts,
    colour: u32,
    last_guard: i32,
    enemy_square: i32,
    promoted_squares: AttackerList,
) -> i32:
    """Write the squares of the mover's air defence that a move promotes. Return their number.

    These are air-defence units that attack the enemy commander, and the mover's last guard if it is air
    defence. Units that are heroic already are left out.

    Args:
        units: The board after the move.
        facts: The facts about the board before the move.
        colour: The colour of the mover: 0 for Red, BLUE_BIT for Blue.
        last_guard: 1 if last guards are promoted, else 0.
        enemy_square: The square of the enemy commander now, NO_SQUARE if it is captured.
        promoted_squares: Receives the squares.
    """
    promoted_count: i32 = 0
    guard_square: i32
    if enemy_square >= 0:
        promoted_count = find_attacking_air_defence(units, enemy_square, colour, promoted_squares)
    # A move leaves a last guard only if the mover had at most two guards before.
    if not last_guard or facts.own_guards > 2:
        return promoted_count
    guard_square = find_last_guard(units, colour)
    if guard_square < 0 or not is_plain_air_defence(units[guard_square]):
        return promoted_count
    if contains_square(promoted_squares, promoted_count, guard_square):
        return promoted_count
    promoted_squares[promoted_count] = guard_square
    return promoted_count + 1


def contains_square(squares: AttackerList, count: i32, square: i32) -> i32:
    """Return 1 if `square` is one of the first `count` numbers of `squares`, else 0."""
    index: i32
    for index in range(count):
        if squares[index] == square:
            return 1
    return 0


def may_change_own_cover(move: u64, facts: BoardFacts) -> i32:
    """Return 1 if a packed move may change the air defence that the commander needs, else 0.

    The commander needs air defence if only air forces attack it, which is when `facts.faces_raid` is 1. Air
    defence that does not move keeps its zone. It is promoted if it attacks the enemy commander, unless the
    move captures that commander.
    """
    if not facts.faces_raid:
        return 0
    if get_moving_types(move) & AIR_DEFENCE_TYPES:
        return 1
    return get_target(move) == facts.enemy_commander


def find_enemy_guard(units: Units, facts: BoardFacts, captured: i32) -> i32:
    """Return the square of the enemy's last guard after a capture, or NO_SQUARE for none.

    The last guard is a single piece that is the only unit of its side beside the commander.

    Args:
        units: The board, before or after the capture.
        facts: The facts about the board before the capture.
        captured: The square whose unit is captured, NO_SQUARE for none.
    """
    first_guard: i32 = facts.enemy_guard_squares[0]
    second_guard: i32 = facts.enemy_guard_squares[1]
    guard_square: i32 = NO_SQUARE
    if facts.enemy_guards == 1 and captured != first_guard:
        guard_square = first_guard
    elif facts.enemy_guards == 2 and captured == first_guard:
        guard_square = second_guard
    elif facts.enemy_guards == 2 and captured == second_guard:
        guard_square = first_guard
    if guard_square >= 0 and is_stack(units[guard_square]):
        return NO_SQUARE
    return guard_square


def promote_zone(cover: AirCover, square: i32, unit: u32, sign: i32) -> None:
    """Widen the zone that an air-defence unit covers by one square, as its promotion does.

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
    carrier: i32 = CARRIERS[unit & TYPES]
    has_air_defence: i32 = air_defence_level(unit) > 0
    return 1 if has_air_defence and not has_heroic(unit, carrier) else 0


def find_attacking_air_defence(units: Units, target: i32, colour: u32, squares: AttackerList) -> i32:
    """Write the squares of the air defence that attacks `target` into `squares`.

    Return the number of these squares. Only air defence of `colour` that is not heroic yet is included. If
    the enemy commander is on `target`, these are the units that their attack promotes.
    """
    attacker_count: i32 = find_attackers(units, target, colour, squares)
    kept_count: i32 = 0
    index: i32
    unit: u32
    for index in range(attacker_count):
        # `find_attackers` writes packed attackers, of which only the squares are kept.
        unit = units[get_attacker_square(squares[index])]
        if is_plain_air_defence(unit) and get_attacker_types(squares[index]) >> CARRIERS[unit & TYPES] & 1:
            squares[kept_count] = get_attacker_square(squares[index])
            kept_count += 1
    return kept_count


def gives_check(units: Units, move: u64, facts: BoardFacts, colour: u32, last_guard: i32) -> i32:
    """Return a number other than 0 if a move, with all its promotions, gives check, else 0.

    The capture of the enemy commander counts as check. The move is made on `units` and taken back.

    Args:
        units: The board before the move.
        move: The packed move.
        facts: The facts about the board, see `collect_facts`. Its `enemy_cover` is changed and restored.
        colour: The colour of the mover: 0 for Red, BLUE_BIT for Blue.
        last_guard: 1 if the last guard of a side is promoted, else 0.
    """
    origin: i32 = get_origin(move)
    target: i32 = get_target(move)
    origin_before: u32 = units[origin]
    target_before: u32 = units[target]
    enemy_colour: u32 = BLUE_BIT - colour
    enemy_square: i32 = NO_SQUARE if target == facts.enemy_commander else facts.enemy_commander
    # The capture of the commander counts as an attack.
    attack: i32 = 1

    move_pieces(units, move)
    if facts.extra_commanders:
        enemy_square = find_commander(units, enemy_colour)
    if enemy_square >= 0:
        attack = classify_attack(units, enemy_square, colour)
        if attack == AIR_RAID:
            # A capture may have removed air defence of the enemy.
            update_air_cover(facts.enemy_cover, enemy_colour, target, target_before, units[target])
            attack = find_raider(units, enemy_square, colour, facts.enemy_cover) >= 0
            update_air_cover(facts.enemy_cover, enemy_colour, target, units[target], target_before)
        # A piece that attacks is promoted and still attacks. Otherwise only last guards can be promoted.
        if not attack and last_guard and (facts.own_guards <= 2 or facts.enemy_guards <= 2):
            attack = guards_give_check(units, facts, target, enemy_square, colour)

    units[origin] = origin_before
    units[target] = target_before
    return attack


def guards_give_check(units: Units, facts: BoardFacts, captured: i32, enemy_square: i32, colour: u32) -> i32:
    """Return a number other than 0 if the promotion of last guards leads to check, else 0.

    The last guard of a side is its only unit beside the commander. Either side's guard is made heroic on
    `units` for the test and then restored.

    Args:
        units: The board after a move, before the promotions.
        facts: The facts about the board before the move.
        captured: The target of the move.
        enemy_square: The square of the enemy commander.
        colour: The colour of the mover: 0 for Red, BLUE_BIT for Blue.
    """
    own_guard: i32 = find_last_guard(units, colour) if facts.own_guards <= 2 else NO_SQUARE
    enemy_guard: i32 = find_enemy_guard(units, facts, captured)
    own_unpromoted: u32 = 0
    enemy_unpromoted: u32 = 0
    is_check: i32 = 0
    if own_guard >= 0:
        own_unpromoted = units[own_guard]
        units[own_guard] = make_heroic(own_unpromoted)
    if enemy_guard >= 0:
        enemy_unpromoted = units[enemy_guard]
        units[enemy_guard] = make_heroic(enemy_unpromoted)

    if own_guard >= 0 or enemy_guard >= 0:
        is_check = is_attacked(units, enemy_square, colour)

    if own_guard >= 0:
        units[own_guard] = own_unpromoted
    if enemy_guard >= 0:
        units[enemy_guard] = enemy_unpromoted
    return is_check
