"""Which moves leave the own commander safe (spec/cotulenh 10).

Most moves cannot matter to it and are kept unseen; the others are tried out on the board, with promotions
only where these may decide. The module runs as it is and compiles with Cython (`safety.pxd` has the C types).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.games.cotulenh.attacks import (
        DISTANCES,
        Units,
        commander_square,
        in_danger,
        is_attacked,
        is_exposed,
    )
    from forsyth.games.cotulenh.board import NEAR, RAYS, SQUARE_COUNT, i32, u32, u64
    from forsyth.games.cotulenh.generate import (
        DEPLOY,
        STAY,
        SUICIDE,
        Board,
        MoveList,
        Setting,
        apply,
        change,
    )
    from forsyth.games.cotulenh.stacks import BLUE_BIT

    Squares = list[int]
    AIR_DEFENCE = 1 << 4 | 1 << 6 | 1 << 7 | 1 << 9
    """The types that are air defence, and the engineer, who carries two of them."""


def keep_legal(units: Units, colour: u32, moves: MoveList, setting: Setting, last_guard: i32) -> None:
    """Drop the moves that leave the own commander in danger (spec/cotulenh 10).

    First steps of a stack with the commander in it are not tested here: the test waits for the commit.
    """
    own: i32 = setting.own_commander
    kept: i32 = 0
    safe: i32
    i: i32
    move: u64
    if own < 0:
        moves.shorten(0)
        return
    weigh(units, setting, colour)
    safe = 0
    if not setting.unsettled and is_safe_now(units, setting, colour):
        safe = 1
        find_shields(units, own, BLUE_BIT - colour, setting.shields)
    for i in range(moves.count):
        move = moves.items[i]
        if (
            (safe and not may_matter(move, setting))
            or (move >> 27 & DEPLOY and units[move & 255] & 1)
            or is_safe(units, move, setting, colour, last_guard)
        ):
            moves.items[kept] = move
            kept += 1
    moves.shorten(kept)


def weigh(units: Units, setting: Setting, colour: u32) -> None:
    """Find out where promotions may decide over the own commander's safety.

    In a raid an enemy air force bears on it, which air defence may stop. Unsettled is where any move may
    promote who matters: a last guard of the enemy, and, where there are air forces, own air defence that is
    or becomes a last guard or attacks the enemy's commander already. Then every move is tried out in full.
    """
    enemy: i32 = setting.enemy_commander
    setting.raid = is_raided(setting)
    setting.unsettled = 1 if setting.spare or setting.enemy_guards <= 2 else 0
    if setting.raiders[0] and (setting.guards <= 2 or (enemy >= 0 and is_attacked(units, enemy, colour))):
        setting.unsettled = 1


def is_raided(setting: Setting) -> i32:
    """Whether an enemy air force is on a line to the own commander and as near as any air force reaches."""
    square: i32 = setting.own_commander
    i: i32
    raider: i32
    for i in range(1, setting.raiders[0] + 1):
        raider = setting.raiders[i]
        # Five squares off on a diagonal is the farthest.
        if NEAR[square][raider] and DISTANCES[square][raider] <= 50:
            return 1
    return 0


def is_safe_now(units: Units, setting: Setting, colour: u32) -> i32:
    """Whether the own commander is safe as long as nothing moves."""
    own: i32 = setting.own_commander
    if is_exposed(units, own, setting.enemy_commander):
        return 0
    return 0 if is_attacked(units, own, BLUE_BIT - colour) else 1


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
    """Whether a move may put the own commander in danger that is safe now, the position being settled."""
    target: i32 = move >> 8 & 255
    # Who joins the commander may become its carrier, and a navy is attacked from farther away.
    if move >> 16 & 1 or target == setting.own_commander:
        return 1
    if setting.shields[move & 255] or (move >> 27 & (STAY | SUICIDE) and setting.shields[target]):
        return 1
    # Air defence that stays where it is has the zone it had.
    return 1 if setting.raid and move >> 16 & AIR_DEFENCE else 0


def is_safe(units: Units, move: u64, setting: Setting, colour: u32, last_guard: i32) -> i32:
    """Whether the own commander is safe after a move, tried out as carefully as need be."""
    enemy: i32 = setting.enemy_commander
    if setting.unsettled:
        return is_safe_after(units, move, colour, last_guard)
    # Settled, air defence is promoted, and its zone widened, only if it goes to attack the enemy's commander.
    if setting.raiders[0] and move >> 16 & AIR_DEFENCE and enemy >= 0 and NEAR[enemy][move >> 8 & 255]:
        return is_safe_after(units, move, colour, last_guard)
    return is_safe_meanwhile(units, move, setting, colour)


def any_safe(units: Units, colour: u32, moves: MoveList, setting: Setting, last_guard: i32) -> i32:
    """Whether one of some moves leaves the own commander safe; the setting has been weighed."""
    i: i32
    for i in range(moves.count):
        if is_safe(units, moves.items[i], setting, colour, last_guard):
            return 1
    return 0


def is_safe_after(units: Units, move: u64, colour: u32, last_guard: i32) -> i32:
    """Whether the own commander is safe after a move with all its promotions."""
    trial: Board
    square: i32
    if not cython.compiled:
        trial = units[:]
    else:
        for square in range(SQUARE_COUNT):
            trial[square] = units[square]
    apply(trial, move, colour, last_guard)
    return 0 if in_danger(trial, colour) else 1


def is_safe_meanwhile(units: Units, move: u64, setting: Setting, colour: u32) -> i32:
    """Whether the own commander is safe after a move without promotions; the board is put back."""
    origin: i32 = move & 255
    target: i32 = move >> 8 & 255
    before: u32 = units[origin]
    there: u32 = units[target]
    own: i32 = target if move >> 16 & 1 and not move >> 27 & STAY else setting.own_commander
    enemy: i32 = -1 if target == setting.enemy_commander else setting.enemy_commander
    safe: i32 = 1
    change(units, move)
    # In a suicide capture the commander may be lost itself.
    if not units[own] & 1 or is_exposed(units, own, enemy) or is_attacked(units, own, BLUE_BIT - colour):
        safe = 0
    units[origin] = before
    units[target] = there
    return safe


def checks_after(units: Units, move: u64, colour: u32, last_guard: i32) -> i32:
    """Whether the enemy's commander is attacked or gone after a move with all its promotions."""
    trial: Board
    square: i32
    if not cython.compiled:
        trial = units[:]
    else:
        for square in range(SQUARE_COUNT):
            trial[square] = units[square]
    apply(trial, move, colour, last_guard)
    square = commander_square(trial, BLUE_BIT - colour)
    return 1 if square < 0 or is_attacked(trial, square, colour) else 0


def checks_meanwhile(units: Units, move: u64, enemy: i32, colour: u32) -> i32:
    """Whether the enemy's commander is attacked or gone after a move without promotions; the board is put
    back."""
    origin: i32 = move & 255
    target: i32 = move >> 8 & 255
    before: u32 = units[origin]
    there: u32 = units[target]
    check: i32
    if target == enemy:
        return 1
    change(units, move)
    check = is_attacked(units, enemy, colour)
    units[origin] = before
    units[target] = there
    return check
