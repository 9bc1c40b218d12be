"""Moves of CoTuLenh tried out: is the mover's commander safe, is the enemy's in check (spec/cotulenh 10).

A move is made on the board itself and taken back, promotions included as far as these may decide. What a
trial costs does not depend on how many units there are: it looks along the lines of a commander, and the
zones of air defence are brought up to date only where the move changes them. The module runs as it is and
compiles with Cython (`trials.pxd` has the C types).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.games.cotulenh.board import i32, u32, u64
    from forsyth.games.cotulenh.rules.apply import change, last_guard_of
    from forsyth.games.cotulenh.rules.attacks import (
        MOST_ATTACKERS,
        RAID,
        Air,
        Found,
        Units,
        air_level,
        commander_square,
        cover,
        find_air,
        find_attackers,
        find_raider,
        is_attacked,
        is_exposed,
        strikes,
        update_air,
    )
    from forsyth.games.cotulenh.rules.generate import STAY, UNSETTLED, Setting
    from forsyth.games.cotulenh.stacks import BLUE_BIT, CARRIERS, HEROIC_SHIFT, TYPES

    AIR_DEFENCE = 1 << 4 | 1 << 6 | 1 << 7 | 1 << 9
    """The types that are air defence, and the engineer, who carries two of them."""


def is_safe(units: Units, move: u64, setting: Setting, colour: u32, last_guard: i32) -> i32:
    """Whether the mover's commander is safe after a move with all its promotions; the board is put back."""
    origin: i32 = move & 255
    target: i32 = move >> 8 & 255
    before: u32 = units[origin]
    there: u32 = units[target]
    own: i32 = target if move >> 16 & 1 and not move >> 27 & STAY else setting.own_commander
    enemy: i32 = -1 if target == setting.enemy_commander else setting.enemy_commander
    safe: i32 = 0
    change(units, move)
    if setting.spare:
        own = commander_square(units, colour)
        enemy = commander_square(units, BLUE_BIT - colour)
    # In a suicide capture the commander may be lost itself.
    if own >= 0 and units[own] & 1 and not is_exposed(units, own, enemy):
        safe = withstands(units, move, setting, colour, last_guard, own, enemy, before, there)
    units[origin] = before
    units[target] = there
    return safe


def withstands(
    units: Units,
    move: u64,
    setting: Setting,
    colour: u32,
    last_guard: i32,
    own: i32,
    enemy: i32,
    before: u32,
    there: u32,
) -> i32:
    """Whether nobody attacks the mover's commander on the board after a move; two stood there before."""
    guard: i32 = enemy_guard_after(units, setting, move >> 8 & 255) if last_guard else -1
    former: u32 = 0
    found: i32
    if guard >= 0:
        former = units[guard]
        units[guard] |= (former & TYPES) << HEROIC_SHIFT
    found = strikes(units, own, BLUE_BIT - colour)
    if found == RAID:
        if setting.state != UNSETTLED and setting.raid and not changes_home(move, setting):
            found = find_raider(units, own, BLUE_BIT - colour, setting.shelter) >= 0
        else:
            found = is_raided(units, move, setting, colour, last_guard, own, enemy, before, there)
    if guard >= 0:
        units[guard] = former
    return 0 if found else 1


def is_raided(
    units: Units,
    move: u64,
    setting: Setting,
    colour: u32,
    last_guard: i32,
    own: i32,
    enemy: i32,
    before: u32,
    there: u32,
) -> i32:
    """Whether an air force gets to the mover's commander on the board after a move, own air defence being
    promoted first; what it covers is put back."""
    origin: i32 = move & 255
    target: i32 = move >> 8 & 255
    raised: Found
    n: i32 = 0
    i: i32
    guard: i32 = -1
    found: i32
    if not cython.compiled:
        raised = [0] * MOST_ATTACKERS
    if setting.guarded:
        update_air(setting.home, colour, origin, before, units[origin])
        update_air(setting.home, colour, target, there, units[target])
    else:
        find_air(units, colour, setting.home)
        setting.guarded = 1
    if enemy >= 0:
        n = find_attacking_air(units, enemy, colour, raised)
    if last_guard and setting.guards <= 2:
        guard = last_guard_of(units, colour)
    if guard >= 0 and is_plain_air(units[guard]):
        for i in range(n):
            if raised[i] == guard:
                guard = -1
        if guard >= 0:
            raised[n] = guard
            n += 1
    for i in range(n):
        promote_air(setting.home, raised[i], units[raised[i]], 1)
    found = find_raider(units, own, BLUE_BIT - colour, setting.home) >= 0
    for i in range(n):
        promote_air(setting.home, raised[i], units[raised[i]], -1)
    update_air(setting.home, colour, origin, units[origin], before)
    update_air(setting.home, colour, target, units[target], there)
    return found


def changes_home(move: u64, setting: Setting) -> i32:
    """Whether a move may change what own air defence covers, where air forces bear on the mover's commander.

    Air defence that stays where it is has the zone it had; it is promoted if it attacks the enemy's
    commander, unless that is captured.
    """
    if not setting.raid:
        return 0
    return 1 if move >> 16 & AIR_DEFENCE or (move >> 8 & 255) == setting.enemy_commander else 0


def enemy_guard_after(units: Units, setting: Setting, captured: i32) -> i32:
    """The square of the enemy's last guard, once what is on a square is captured; −1 if there is none."""
    guard: i32
    if setting.enemy_guards == 0 or setting.enemy_guards > 2:
        return -1
    if setting.enemy_guards == 1:
        guard = setting.watched[0] if captured != setting.watched[0] else -1
    elif captured == setting.watched[0]:
        guard = setting.watched[1]
    else:
        guard = setting.watched[0] if captured == setting.watched[1] else -1
    if guard >= 0 and units[guard] & TYPES & ((units[guard] & TYPES) - 1):
        return -1
    return guard


def promote_air(air: Air, square: i32, unit: u32, times: i32) -> None:
    """Widen the zone of air defence in an air as its promotion does, or with `times` −1 narrow it again."""
    level: i32 = air_level(unit)
    cover(air, square, level, -times)
    cover(air, square, level + 1, times)


def is_plain_air(unit: u32) -> i32:
    """Whether a unit is air defence that is not heroic."""
    return 1 if air_level(unit) and not unit >> (HEROIC_SHIFT + CARRIERS[unit & TYPES]) & 1 else 0


def find_attacking_air(units: Units, target: i32, colour: u32, found: Found) -> i32:
    """Find where air defence of a colour attacks a square and is not heroic yet; how often."""
    n: i32 = find_attackers(units, target, colour, found)
    kept: i32 = 0
    i: i32
    unit: u32
    for i in range(n):
        unit = units[found[i] & 255]
        if is_plain_air(unit) and found[i] >> 16 >> CARRIERS[unit & TYPES] & 1:
            found[kept] = found[i] & 255
            kept += 1
    return kept


def checks_after(units: Units, move: u64, setting: Setting, colour: u32, last_guard: i32) -> i32:
    """Whether the enemy's commander is attacked or gone after a move with all its promotions; the board is
    put back."""
    origin: i32 = move & 255
    target: i32 = move >> 8 & 255
    before: u32 = units[origin]
    there: u32 = units[target]
    enemy: i32 = -1 if target == setting.enemy_commander else setting.enemy_commander
    found: i32 = 1
    change(units, move)
    if setting.spare:
        enemy = commander_square(units, BLUE_BIT - colour)
    if enemy >= 0:
        found = strikes(units, enemy, colour)
        if found == RAID:
            update_air(setting.air, BLUE_BIT - colour, target, there, units[target])
            found = find_raider(units, enemy, colour, setting.air) >= 0
            update_air(setting.air, BLUE_BIT - colour, target, units[target], there)
        # Who attacks is promoted and attacks still; else only last guards are left to be promoted.
        if not found and last_guard and (setting.guards <= 2 or setting.enemy_guards <= 2):
            found = guards_check(units, setting, target, enemy, colour)
    units[origin] = before
    units[target] = there
    return found


def guards_check(units: Units, setting: Setting, captured: i32, enemy: i32, colour: u32) -> i32:
    """Whether the enemy's commander is attacked once the last guards are promoted; the board is put back."""
    own_guard: i32 = last_guard_of(units, colour) if setting.guards <= 2 else -1
    enemy_guard: i32 = enemy_guard_after(units, setting, captured)
    own_former: u32 = 0
    enemy_former: u32 = 0
    found: i32 = 0
    if own_guard >= 0:
        own_former = units[own_guard]
        units[own_guard] |= (own_former & TYPES) << HEROIC_SHIFT
    if enemy_guard >= 0:
        enemy_former = units[enemy_guard]
        units[enemy_guard] |= (enemy_former & TYPES) << HEROIC_SHIFT
    if own_guard >= 0 or enemy_guard >= 0:
        found = is_attacked(units, enemy, colour)
    if own_guard >= 0:
        units[own_guard] = own_former
    if enemy_guard >= 0:
        units[enemy_guard] = enemy_former
    return found
