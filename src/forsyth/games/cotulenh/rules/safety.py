"""Which moves leave the mover's commander safe (spec/cotulenh 10).

How it is with the commander is found out once: most moves cannot put it in danger, or cannot get it out, and
need no trial (`trials`). The module runs as it is and compiles with Cython (`safety.pxd` has the C types).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.games.cotulenh.board import RAYS, SQUARE_COUNT, i32, u32, u64
    from forsyth.games.cotulenh.rules.attacks import (
        MOST_ATTACKERS,
        RAID,
        Found,
        Units,
        attack_lines,
        find_air,
        find_raider,
        is_exposed,
        strikes,
    )
    from forsyth.games.cotulenh.rules.generate import (
        DEPLOY,
        ENDANGERED,
        SAFE,
        STAY,
        SUICIDE,
        UNSETTLED,
        MoveList,
        Setting,
    )
    from forsyth.games.cotulenh.rules.trials import (
        changes_home,
        enemy_guard_after,
        find_attacking_air,
        is_safe,
        promote_air,
    )
    from forsyth.games.cotulenh.stacks import BLUE_BIT, HEROIC_SHIFT, TYPES

    Squares = list[int]


def keep_legal(units: Units, colour: u32, moves: MoveList, setting: Setting, last_guard: i32) -> None:
    """Drop the moves that leave the mover's commander in danger (spec/cotulenh 10).

    First steps of a stack with the commander in it are not tested here: the test waits for the commit.
    """
    kept: i32 = 0
    i: i32
    move: u64
    if setting.own_commander < 0:
        moves.shorten(0)
        return
    weigh(units, setting, colour, last_guard)
    for i in range(moves.count):
        move = moves.items[i]
        if (move >> 27 & DEPLOY and units[move & 255] & 1) or is_legal(
            units, move, setting, colour, last_guard
        ):
            moves.items[kept] = move
            kept += 1
    moves.shorten(kept)


def is_legal(units: Units, move: u64, setting: Setting, colour: u32, last_guard: i32) -> i32:
    """Whether a move leaves the mover's commander safe; the setting has been weighed."""
    if setting.state == SAFE and not may_matter(move, setting):
        return 1
    if setting.state == ENDANGERED and not may_rescue(move, setting):
        return 0
    return is_safe(units, move, setting, colour, last_guard)


def weigh(units: Units, setting: Setting, colour: u32, last_guard: i32) -> None:
    """Find out whether the mover's commander is SAFE or ENDANGERED after every move that does not concern it.

    It is UNSETTLED, and every move is tried out, where a side has two commanders, and where enemy air forces
    bear on the commander while a last guard of the mover may be promoted.
    """
    guard: i32 = enemy_guard_after(units, setting, -1) if last_guard else -1
    former: u32 = 0
    # Whatever is played, the enemy's last guard is promoted, unless it is captured.
    if guard >= 0:
        former = units[guard]
        units[guard] |= (former & TYPES) << HEROIC_SHIFT
    setting.state = UNSETTLED if setting.spare else state_of(units, setting, colour)
    if guard >= 0:
        units[guard] = former


def state_of(units: Units, setting: Setting, colour: u32) -> i32:
    """How it is with the mover's commander; notes where others may rescue it or shield it."""
    own: i32 = setting.own_commander
    enemy: i32 = setting.enemy_commander
    raider: i32
    unit: u32
    setting.lines = lines_of_danger(units, own, enemy, colour)
    if setting.lines:
        # From danger on two lines nobody but the commander itself gets it out.
        if setting.lines & (setting.lines - 1) == 0:
            mark_line(setting)
        return ENDANGERED
    setting.raid = strikes(units, own, BLUE_BIT - colour) == RAID
    if not setting.raid:
        find_shields(units, own, BLUE_BIT - colour, setting.shields)
        return SAFE
    find_air(units, colour, setting.home)
    setting.guarded = 1
    shelter(units, setting, colour)
    if setting.guards <= 2:
        return UNSETTLED
    raider = find_raider(units, own, BLUE_BIT - colour, setting.shelter)
    if raider < 0:
        find_shields(units, own, BLUE_BIT - colour, setting.shields)
        return SAFE
    # Who captures the only raider rescues the commander; two are too many.
    unit = units[raider]
    units[raider] = 0
    if find_raider(units, own, BLUE_BIT - colour, setting.shelter) < 0:
        setting.rescue[raider] = 1
    units[raider] = unit
    return ENDANGERED


def lines_of_danger(units: Units, own: i32, enemy: i32, colour: u32) -> i32:
    """The directions in which the mover's commander is in danger that air defence cannot avert, as bits."""
    lines: i32 = attack_lines(units, own, BLUE_BIT - colour)
    if not is_exposed(units, own, enemy):
        return lines
    if own % 11 == enemy % 11:
        return lines | (1 if enemy > own else 4)
    return lines | (2 if enemy > own else 8)


def shelter(units: Units, setting: Setting, colour: u32) -> None:
    """What own air defence covers after a move that does not concern it: who attacks the enemy's commander is
    promoted."""
    raised: Found
    square: i32
    i: i32
    n: i32 = 0
    if not cython.compiled:
        raised = [0] * MOST_ATTACKERS
    if setting.enemy_commander >= 0:
        n = find_attacking_air(units, setting.enemy_commander, colour, raised)
    for square in range(SQUARE_COUNT):
        setting.shelter[square] = setting.home[square]
    for i in range(n):
        promote_air(setting.shelter, raised[i], units[raised[i]], 1)


def mark_line(setting: Setting) -> None:
    """Mark the squares on the one line of danger: who goes or captures there may rescue the commander."""
    direction: i32
    k: i32
    for direction in range(8):
        if not setting.lines >> direction & 1:
            continue
        for k in range(12):
            if RAYS[setting.own_commander][direction][k] < 0:
                return
            setting.rescue[RAYS[setting.own_commander][direction][k]] = 1


def may_rescue(move: u64, setting: Setting) -> i32:
    """Whether a move may end the danger to the mover's commander: it leaves, one comes between or captures,
    or air defence or a last guard that decides is another."""
    if move >> 16 & 1 or setting.rescue[move >> 8 & 255]:
        return 1
    return 1 if changes_home(move, setting) or changes_guard(move, setting) else 0


def changes_guard(move: u64, setting: Setting) -> i32:
    """Whether a move captures one of the last two guards of the enemy."""
    target: i32 = move >> 8 & 255
    if setting.enemy_guards == 0 or setting.enemy_guards > 2:
        return 0
    return target == setting.watched[0] or (setting.enemy_guards == 2 and target == setting.watched[1])


def find_shields(units: Units, target: i32, by: u32, shields: Squares) -> None:
    """Mark the squares of all units that stand alone between a target and a unit of a colour on a line to it.

    To clear any other square opens no line to the target.
    """
    direction: i32
    k: i32
    square: i32
    first: i32
    for direction in range(8):
        first = -1
        # Commanders see each other at any distance, no piece attacks farther than five squares.
        for k in range(12 if direction < 4 else 5):
            square = RAYS[target][direction][k]
            if square < 0:
                break
            if units[square] == 0:
                continue
            if first < 0:
                first = square
                continue
            if units[square] & BLUE_BIT == by:
                shields[first] = 1
            break


def may_matter(move: u64, setting: Setting) -> i32:
    """Whether a move may put the mover's commander in danger that is safe now, the position being settled."""
    target: i32 = move >> 8 & 255
    # Who joins the commander may become its carrier, and a navy is attacked from farther away.
    if move >> 16 & 1 or target == setting.own_commander:
        return 1
    if setting.shields[move & 255] or (move >> 27 & (STAY | SUICIDE) and setting.shields[target]):
        return 1
    return 1 if changes_home(move, setting) or changes_guard(move, setting) else 0
