"""Who attacks what in CoTuLenh: ranges, air defence, the attack test, danger to a commander.

Functions work on the 132 units of a board, a C array or a list. The module runs as it is and compiles with
Cython (`attacks.pxd` gives the C types). Rules: spec/cotulenh 3, 6, 8 and 10.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.cotulenh.stacks import LETTERS

if not cython.compiled:
    from typing import Final

    from forsyth.games.cotulenh.board import RAYS, SQUARE_COUNT, i32, u32
    from forsyth.games.cotulenh.stacks import (
        AIR_FORCE,
        ANTI_AIR,
        BLUE_BIT,
        CARRIERS,
        COMMANDER,
        HEROIC_SHIFT,
        MISSILE,
        NAVY,
        TYPES,
    )

    Units = list[int]
    Defenders = list[int]
    RANGES = [0] * 11
    DIAGONAL = [0] * 11
    SHOOTS_OVER = [0] * 11
    DISTANCES = [[0] * 132 for _ in range(132)]
    FLYING_SAFE: Final = 0
    FLYING_LOST: Final = -1


def _fill_tables() -> None:
    """How far each type moves and captures, who goes diagonally, who captures over others, how far apart
    two squares are (squared)."""
    for kind, letter in enumerate(LETTERS):
        RANGES[kind] = {"T": 2, "S": 2, "A": 3, "N": 4, "F": 4, "H": 0}.get(letter, 1)
        DIAGONAL[kind] = letter in "MASFN"
        SHOOTS_OVER[kind] = letter in "ASFN"
    for one in range(132):
        for other in range(132):
            across, up = one % 11 - other % 11, one // 11 - other // 11
            DISTANCES[one][other] = min(255, across * across + up * up)


_fill_tables()


def range_of(kind: i32, heroic: i32) -> i32:
    """How far a type captures; a commander one square, heroic or not."""
    if kind == COMMANDER:
        return 1
    return RANGES[kind] + heroic


def commander_square(units: Units, colour: u32) -> i32:
    """Where the commander of a colour is, as carrier or passenger; −1 if it is gone."""
    square: i32
    for square in range(SQUARE_COUNT):
        if units[square] & 1 and units[square] & BLUE_BIT == colour:
            return square
    return -1


def air_level(unit: u32) -> i32:
    """The radius of a unit's air defence; 0 if it has none. Only the carrier counts."""
    carrier: i32 = CARRIERS[unit & TYPES]
    if carrier == MISSILE:
        return 2 + (unit >> (HEROIC_SHIFT + MISSILE) & 1)
    if carrier == NAVY or carrier == ANTI_AIR:
        return 1 + (unit >> (HEROIC_SHIFT + carrier) & 1)
    return 0


def find_defenders(units: Units, colour: u32, found: Defenders) -> None:
    """Every air defence of a colour: its square and above bit 8 its radius squared; entry 0 counts them."""
    square: i32
    level: i32
    n: i32 = 0
    for square in range(SQUARE_COUNT):
        if units[square] and units[square] & BLUE_BIT == colour:
            level = air_level(units[square])
            if level:
                n += 1
                found[n] = square | level * level << 8
    found[0] = n


def fly(flight: i32, square: i32, defenders: Defenders) -> i32:
    """An air force enters one more square. A flight is FLYING_SAFE, the number of the one defender whose zone
    it is in, or FLYING_LOST: it has left a zone again, or met a second one."""
    i: i32
    met: i32 = 0
    for i in range(1, defenders[0] + 1):
        if DISTANCES[defenders[i] & 255][square] <= defenders[i] >> 8:
            met = 1
            if flight != FLYING_SAFE and flight != i:
                return FLYING_LOST
            flight = i
    if met == 0 and flight != FLYING_SAFE:
        return FLYING_LOST
    return flight


def attacking_members(
    units: Units, target: i32, direction: i32, distance: i32, clear: i32, defenders: Defenders
) -> u32:
    """The types of the unit at a distance from a target that attack it; `clear` if nothing stands between."""
    unit: u32 = units[RAYS[target][direction][distance - 1]]
    on_target: i32 = CARRIERS[units[target] & TYPES]
    found: u32 = 0
    kind: i32
    heroic: i32
    reach: i32
    flight: i32
    k: i32
    for kind in range(11):
        if not unit >> kind & 1:
            continue
        heroic = unit >> (kind + HEROIC_SHIFT) & 1
        if direction > 3 and not heroic and not DIAGONAL[kind]:
            continue
        reach = range_of(kind, heroic)
        if kind == NAVY and on_target != NAVY:
            reach -= 1
        if kind == MISSILE and direction > 3:
            reach -= 1
        if distance > reach or (not clear and not SHOOTS_OVER[kind]):
            continue
        if kind == COMMANDER and direction > 3 and on_target == COMMANDER:
            continue
        if kind == AIR_FORCE and not heroic:
            flight = FLYING_SAFE
            for k in range(distance - 1, 0, -1):
                flight = fly(flight, RAYS[target][direction][k - 1], defenders)
                if flight == FLYING_LOST:
                    break
            if flight == FLYING_LOST or fly(flight, target, defenders) == FLYING_LOST:
                continue
        found |= 1 << kind
    return found


def is_attacked(units: Units, target: i32, by: u32) -> i32:
    """Whether a colour attacks a square."""
    defenders: Defenders
    ready: i32 = 0
    direction: i32
    distance: i32
    square: i32
    clear: i32
    if not cython.compiled:
        defenders = [0] * 140
    for direction in range(8):
        clear = 1
        for distance in range(1, 6):
            square = RAYS[target][direction][distance - 1]
            if square < 0:
                break
            if units[square] == 0:
                continue
            if units[square] & BLUE_BIT == by:
                # Air defence is looked up only when an air force is there to be stopped.
                if ready == 0 and units[square] >> AIR_FORCE & 1:
                    find_defenders(units, BLUE_BIT - by, defenders)
                    ready = 1
                if attacking_members(units, target, direction, distance, clear, defenders):
                    return 1
            clear = 0
    return 0


def is_exposed(units: Units, one: i32, other: i32) -> i32:
    """Whether two commanders face each other on a file or rank with nothing between."""
    step: i32
    square: i32
    if one < 0 or other < 0:
        return 0
    if one % 11 == other % 11:
        step = 11 if other > one else -11
    elif one // 11 == other // 11:
        step = 1 if other > one else -1
    else:
        return 0
    square = one + step
    while square != other:
        if units[square]:
            return 0
        square += step
    return 1


def in_danger(units: Units, colour: u32) -> i32:
    """Whether the commander of a colour is attacked, exposed or gone."""
    own: i32 = commander_square(units, colour)
    if own < 0:
        return 1
    if is_exposed(units, own, commander_square(units, BLUE_BIT - colour)):
        return 1
    return is_attacked(units, own, BLUE_BIT - colour)
