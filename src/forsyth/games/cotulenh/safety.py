"""Which moves leave the own commander safe (spec/cotulenh 10).

Most moves cannot matter to it and are kept unseen; the others are tried out on the board, with promotions
only where these may decide. The module runs as it is and compiles with Cython (`safety.pxd` has the C types).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.cotulenh.generate import MoveList

if not cython.compiled:
    from forsyth.games.cotulenh.attacks import (
        DISTANCES,
        Units,
        commander_square,
        in_danger,
        is_attacked,
        is_exposed,
    )
    from forsyth.games.cotulenh.board import NEAR, SQUARE_COUNT, i32, u32, u64
    from forsyth.games.cotulenh.generate import DEPLOY, Board, apply, change
    from forsyth.games.cotulenh.stacks import AIR_FORCE, BLUE_BIT, CARRIERS, COMMANDER, TYPES

    AIR_RAID = 1
    REDUCED = 2
    AIR_DEFENCE = 1 << 4 | 1 << 6 | 1 << 7 | 1 << 9
    """The types that are air defence, and the engineer, who carries two of them."""


def legal_only(units: Units, colour: u32, moves: MoveList, last_guard: i32) -> MoveList:
    """The moves that do not leave the own commander in danger (spec/cotulenh 10).

    First steps of a stack with the commander in it are not tested here: the test waits for the commit. A
    move that touches no line to a commander that is safe now cannot put it in danger. On those lines it is
    tried out, and promotions with it only where they may matter.
    """
    kept = MoveList()
    own: i32 = commander_square(units, colour)
    enemy: i32 = commander_square(units, BLUE_BIT - colour)
    i: i32
    move: u64
    careful: i32
    safe: i32
    types: u32
    far: i32
    if own < 0:
        return kept
    careful = promotions_matter(units, own, colour)
    safe = 0
    if not is_exposed(units, own, enemy) and not is_attacked(units, own, BLUE_BIT - colour):
        safe = 1
    if careful & REDUCED:
        safe = 0
    for i in range(moves.length()):
        move = moves.at(i)
        types = move >> 16 & TYPES
        # Against an air force, only who moves the own air defence can make a safe commander unsafe from afar.
        far = safe and not types & (1 | AIR_DEFENCE if careful else 1)
        if (
            (far and not NEAR[own][move & 255] and not NEAR[own][move >> 8 & 255])
            or (move >> 27 & DEPLOY and units[move & 255] & 1)
            or is_safe(units, move, own, enemy, colour, careful, last_guard)
        ):
            kept.keep(move)
    return kept


def is_safe(units: Units, move: u64, own: i32, enemy: i32, colour: u32, careful: i32, last_guard: i32) -> i32:
    """Whether the own commander is safe after a move, tried out as carefully as need be."""
    if careful or move >> 16 & 1:
        return is_safe_after(units, move, colour, last_guard)
    return is_safe_meanwhile(units, move, own, enemy, colour)


def any_safe(units: Units, colour: u32, moves: MoveList, last_guard: i32) -> i32:
    """Whether one of some moves leaves the own commander safe."""
    own: i32 = commander_square(units, colour)
    enemy: i32 = commander_square(units, BLUE_BIT - colour)
    careful: i32
    i: i32
    if own < 0:
        return 0
    careful = promotions_matter(units, own, colour)
    for i in range(moves.length()):
        if is_safe(units, moves.at(i), own, enemy, colour, careful, last_guard):
            return 1
    return 0


def is_safe_after(units: Units, move: u64, colour: u32, last_guard: i32) -> i32:
    """Whether the own commander is safe after a move with all its promotions."""
    trial: Board
    square: i32
    if not cython.compiled:
        trial = [0] * SQUARE_COUNT
    for square in range(SQUARE_COUNT):
        trial[square] = units[square]
    apply(trial, move, colour, last_guard)
    return 0 if in_danger(trial, colour) else 1


def is_safe_meanwhile(units: Units, move: u64, own: i32, enemy: i32, colour: u32) -> i32:
    """Whether a commander that stays is safe after a move without promotions; the board is put back."""
    origin: i32 = move & 255
    target: i32 = move >> 8 & 255
    before: u32 = units[origin]
    there: u32 = units[target]
    safe: i32
    change(units, move)
    if target == enemy and units[enemy] & 1 == 0:
        enemy = -1
    safe = 0 if is_exposed(units, own, enemy) or is_attacked(units, own, BLUE_BIT - colour) else 1
    units[origin] = before
    units[target] = there
    return safe


def promotions_matter(units: Units, own: i32, colour: u32) -> i32:
    """Whether a promotion may decide over the commander's safety: an enemy air force bears on it, which air
    defence may stop, or the enemy is so reduced that a last guard may be promoted."""
    square: i32
    others: i32 = 0
    found: i32 = 0
    for square in range(SQUARE_COUNT):
        if units[square] == 0 or units[square] & BLUE_BIT == colour:
            continue
        if CARRIERS[units[square] & TYPES] != COMMANDER:
            others += 1
        # Five squares off on a diagonal is as far as any air force reaches.
        if units[square] >> AIR_FORCE & 1 and NEAR[own][square] and DISTANCES[own][square] <= 50:
            found = AIR_RAID
    return found | REDUCED if others <= 2 else found
