"""Who attacks what in CoTuLenh: ranges, air defence, the attack test, danger to a commander.

Functions work on the 132 units of a board, a C array or a list. An `Air` holds for every square which air
defence of one colour covers it: 0 for none, and for one alone a number of its own; each defender adds that
number to the squares of its zone, so that a board that changes on two squares needs no new walk over it, and
a flight looks at one number for each square. The module runs as it is and compiles with Cython
(`attacks.pxd` gives the C types). Rules: spec/cotulenh 3, 6, 8 and 10.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.cotulenh.position import Position
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
    Air = list[int]
    Found = list[int]
    MOST_ATTACKERS: Final = 41
    """In eight directions five squares each, and room for a last guard."""
    RANGES = [0] * 11
    DIAGONAL = [0] * 11
    SHOOTS_OVER = [0] * 11
    ZONES = [[[0] * 32 for _ in range(SQUARE_COUNT)] for _ in range(4)]
    REACHES = [[0] * 16 for _ in range(6)]
    HEROIC_REACHES = [[0] * 16 for _ in range(6)]
    FLYING_SAFE: Final = 0
    FLYING_LOST: Final = -1
    ONE_DEFENDER: Final = 1 << 16
    IS_DIAGONAL: Final = 1
    IS_CLEAR: Final = 2
    AT_NAVY: Final = 4
    AT_COMMANDER: Final = 8
    NO_ATTACK: Final = 0
    ATTACK: Final = 1
    RAID: Final = 2


def _fill_tables() -> None:
    """How far each type moves and captures, who goes diagonally, who captures over others; the squares of
    every zone, their number first; the types that attack from a distance."""
    for kind, letter in enumerate(LETTERS):
        RANGES[kind] = {"T": 2, "S": 2, "A": 3, "N": 4, "F": 4, "H": 0}.get(letter, 1)
        DIAGONAL[kind] = letter in "MASFN"
        SHOOTS_OVER[kind] = letter in "ASFN"
    for level in range(1, 4):
        for square in range(SQUARE_COUNT):
            covered = [other for other in range(SQUARE_COUNT) if _apart(square, other) <= level * level]
            for place, value in enumerate((len(covered), *covered)):
                ZONES[level][square][place] = value
    for distance in range(1, 6):
        for way in range(16):
            kinds = range(len(LETTERS))
            REACHES[distance][way] = sum(1 << kind for kind in kinds if _reaches(kind, 0, distance, way))
            HEROIC_REACHES[distance][way] = sum(
                1 << kind for kind in kinds if _reaches(kind, 1, distance, way)
            )


def _apart(one: int, other: int) -> int:
    """The distance of two squares, squared."""
    across, up = one % 11 - other % 11, one // 11 - other // 11
    return across * across + up * up


def _reaches(kind: i32, heroic: i32, distance: i32, way: i32) -> bool:
    """Whether a type attacks from a distance in such a way, air defence aside (spec/cotulenh 10)."""
    if way & IS_DIAGONAL and not heroic and not DIAGONAL[kind]:
        return False
    if not way & IS_CLEAR and not SHOOTS_OVER[kind]:
        return False
    if kind == COMMANDER:
        return distance == 1 and not (way & IS_DIAGONAL and way & AT_COMMANDER)
    reach = RANGES[kind] + heroic
    if (kind == NAVY and not way & AT_NAVY) or (kind == MISSILE and way & IS_DIAGONAL):
        reach -= 1
    return distance <= reach


_fill_tables()


# --- air defence ------------------------------------------------------------------------------------


def air_level(unit: u32) -> i32:
    """The radius of a unit's air defence; 0 if it has none. Only the carrier counts."""
    carrier: i32 = CARRIERS[unit & TYPES]
    if carrier == MISSILE:
        return 2 + (unit >> (HEROIC_SHIFT + MISSILE) & 1)
    if carrier == NAVY or carrier == ANTI_AIR:
        return 1 + (unit >> (HEROIC_SHIFT + carrier) & 1)
    return 0


def cover(air: Air, square: i32, level: i32, times: i32) -> None:
    """Add the zone of a defender to an air, or with `times` −1 take it away."""
    i: i32
    number: i32 = times * (ONE_DEFENDER + square + 1)
    for i in range(1, ZONES[level][square][0] + 1):
        air[ZONES[level][square][i]] += number


def find_air(units: Units, colour: u32, air: Air) -> None:
    """What the air defence of a colour covers."""
    square: i32
    level: i32
    for square in range(SQUARE_COUNT):
        air[square] = 0
    for square in range(SQUARE_COUNT):
        if units[square] and units[square] & BLUE_BIT == colour:
            level = air_level(units[square])
            if level:
                cover(air, square, level, 1)


def update_air(air: Air, colour: u32, square: i32, before: u32, after: u32) -> None:
    """Bring the air of a colour up to date where another unit, or none, is on a square now."""
    was: i32 = air_level(before) if before & BLUE_BIT == colour else 0
    now: i32 = air_level(after) if after & BLUE_BIT == colour else 0
    if was == now:
        return
    if was:
        cover(air, square, was, -1)
    if now:
        cover(air, square, now, 1)


def fly(flight: i32, here: i32) -> i32:
    """An air force enters one more square, `here` being what its air holds. A flight is FLYING_SAFE, the
    number of the one defender whose zone it is in, or FLYING_LOST: it has left a zone again, or met a second
    one."""
    if here >= 2 * ONE_DEFENDER:
        return FLYING_LOST
    return here if flight == FLYING_SAFE or flight == here else FLYING_LOST


def arrives(target: i32, direction: i32, distance: i32, air: Air) -> i32:
    """Whether an air force gets to a target from a distance, alive or not."""
    flight: i32 = FLYING_SAFE
    k: i32
    for k in range(distance - 1, 0, -1):
        flight = fly(flight, air[RAYS[target][direction][k - 1]])
        if flight == FLYING_LOST:
            return 0
    return 1 if fly(flight, air[target]) != FLYING_LOST else 0


# --- attacks ----------------------------------------------------------------------------------------


def commander_square(units: Units, colour: u32) -> i32:
    """Where the commander of a colour is, as carrier or passenger; −1 if it is gone."""
    square: i32
    for square in range(SQUARE_COUNT):
        if units[square] & 1 and units[square] & BLUE_BIT == colour:
            return square
    return -1


def way_to(units: Units, target: i32) -> i32:
    """What of an attack depends on the unit that is attacked."""
    carrier: i32 = CARRIERS[units[target] & TYPES]
    if carrier == NAVY:
        return AT_NAVY
    return AT_COMMANDER if carrier == COMMANDER else 0


def attacking_types(unit: u32, distance: i32, way: i32) -> u32:
    """The types of a unit that attack from a distance, air defence aside."""
    return unit & (REACHES[distance][way] | (unit >> HEROIC_SHIFT & HEROIC_REACHES[distance][way]))


def needs_air(unit: u32, types: u32) -> i32:
    """Whether an air force that air defence may stop is among the attacking types of a unit."""
    return types >> AIR_FORCE & ~(unit >> (HEROIC_SHIFT + AIR_FORCE)) & 1


def strikes(units: Units, target: i32, by: u32) -> i32:
    """ATTACK if a colour attacks a square, RAID if only air forces may that air defence may stop."""
    way: i32 = way_to(units, target)
    found: i32 = NO_ATTACK
    direction: i32
    distance: i32
    square: i32
    lane: i32
    types: u32
    for direction in range(8):
        lane = way | IS_CLEAR | (IS_DIAGONAL if direction > 3 else 0)
        for distance in range(1, 6):
            square = RAYS[target][direction][distance - 1]
            if square < 0:
                break
            if units[square] == 0:
                continue
            if units[square] & BLUE_BIT == by:
                types = attacking_types(units[square], distance, lane)
                if types:
                    if types != 1 << AIR_FORCE or not needs_air(units[square], types):
                        return ATTACK
                    found = RAID
            lane &= ~IS_CLEAR
    return found


def find_attackers(units: Units, target: i32, by: u32, found: Found) -> i32:
    """Find the units of a colour that attack a square, air defence aside; how many.

    Each is a number: its square, the direction it lies in (above bit 8), how far (above bit 12), the types
    that attack (above bit 16).
    """
    way: i32 = way_to(units, target)
    n: i32 = 0
    direction: i32
    distance: i32
    square: i32
    lane: i32
    types: u32
    for direction in range(8):
        lane = way | IS_CLEAR | (IS_DIAGONAL if direction > 3 else 0)
        for distance in range(1, 6):
            square = RAYS[target][direction][distance - 1]
            if square < 0:
                break
            if units[square] == 0:
                continue
            if units[square] & BLUE_BIT == by:
                types = attacking_types(units[square], distance, lane)
                if types:
                    found[n] = square | direction << 8 | distance << 12 | (types & TYPES) << 16
                    n += 1
            lane &= ~IS_CLEAR
    return n


def find_arriving(units: Units, target: i32, by: u32, found: Found) -> i32:
    """As `find_attackers`, without the air forces that air defence stops."""
    air: Air
    ready: i32 = 0
    n: i32 = find_attackers(units, target, by, found)
    kept: i32 = 0
    i: i32
    one: u32
    if not cython.compiled:
        air = [0] * SQUARE_COUNT
    for i in range(n):
        one = found[i]
        if needs_air(units[one & 255], one >> 16):
            if not ready:
                find_air(units, BLUE_BIT - by, air)
                ready = 1
            if not arrives(target, one >> 8 & 15, one >> 12 & 15, air):
                one ^= 1 << (16 + AIR_FORCE)
        if one >> 16:
            found[kept] = one
            kept += 1
    return kept


def attack_lines(units: Units, target: i32, by: u32) -> i32:
    """The directions from which a colour attacks a square whatever its air defence does, as bits."""
    found: Found
    lines: i32 = 0
    i: i32
    types: u32
    if not cython.compiled:
        found = [0] * MOST_ATTACKERS
    for i in range(find_attackers(units, target, by, found)):
        types = found[i] >> 16
        if types != 1 << AIR_FORCE or not needs_air(units[found[i] & 255], types):
            lines |= 1 << (found[i] >> 8 & 15)
    return lines


def find_raider(units: Units, target: i32, by: u32, air: Air) -> i32:
    """Where an air force of a colour is that is not heroic and gets to a square through the other side's air;
    −1 if there is none."""
    direction: i32
    distance: i32
    square: i32
    flight: i32
    if air[target] >= 2 * ONE_DEFENDER:
        return -1
    for direction in range(8):
        # The way is walked backwards: a zone that is entered on it reaches up to the target.
        flight = air[target]
        for distance in range(1, RANGES[AIR_FORCE] + 1):
            square = RAYS[target][direction][distance - 1]
            if square < 0:
                break
            if (
                units[square] >> AIR_FORCE & 1
                and units[square] & BLUE_BIT == by
                and not units[square] >> (HEROIC_SHIFT + AIR_FORCE) & 1
            ):
                return square
            if air[square] != flight:
                if air[square]:
                    break
                flight = FLYING_SAFE
    return -1


def is_attacked(units: Units, target: i32, by: u32) -> i32:
    """Whether a colour attacks a square."""
    air: Air
    found: i32 = strikes(units, target, by)
    if found != RAID:
        return found
    if not cython.compiled:
        air = [0] * SQUARE_COUNT
    find_air(units, BLUE_BIT - by, air)
    return 1 if find_raider(units, target, by, air) >= 0 else 0


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


# --- told with their squares ------------------------------------------------------------------------


def attackers_of(position: Position, target: i32, by: u32) -> list[tuple[int, int]]:
    """The squares from which a colour attacks a square, each with the types that do."""
    found: Found
    n: i32
    require_square(target)
    if not cython.compiled:
        found = [0] * MOST_ATTACKERS
    n = find_arriving(position.units, target, by, found)
    return [(found[i] & 255, found[i] >> 16) for i in range(n)]


def zone_of(square: i32, unit: u32) -> list[int]:
    """The squares that the air defence of a unit on a square covers."""
    level: i32 = air_level(unit)
    require_square(square)
    return [ZONES[level][square][i] for i in range(1, ZONES[level][square][0] + 1)]


def require_square(square: i32) -> i32:
    """Refuse the number of no square; the functions above trust theirs."""
    if not 0 <= square < SQUARE_COUNT:
        raise ValueError(f"{square} is not the number of a square, expected 0 to {SQUARE_COUNT - 1}")
    return square
