"""Attacks of CoTuLenh: ranges, air defence, the attack test and the danger to a commander.

The functions work on the 132 units of a board, a C array or a list. A colour is 0 for Red and BLUE_BIT for
Blue, so that `BLUE_BIT - colour` is the other side. Yes and no are 1 and 0.

An `AirCover` has one number for each square: the sum of ``ONE_DEFENDER + square of the defender + 1`` over
the air-defence units of one colour that cover the square. It is 0 where no unit covers the square, and it
identifies the defender where only one does. A change on two squares therefore needs no new walk over the
board.

The module runs as it is and compiles with Cython (`attacks.pxd` gives the C types).
Rules: spec/cotulenh 3, 6, 8 and 10.
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
    AirCover = list[int]
    AttackerList = list[int]
    MAX_ATTACKERS: Final = 41
    """Length of an `AttackerList`: five squares in each of eight directions, and one last guard."""
    RANGES = [0] * 11
    MOVES_DIAGONALLY = [0] * 11
    SHOOTS_OVER = [0] * 11
    ZONES = [[[0] * 32 for _ in range(SQUARE_COUNT)] for _ in range(4)]
    ATTACKING_TYPES = [[0] * 16 for _ in range(6)]
    HEROIC_ATTACKING_TYPES = [[0] * 16 for _ in range(6)]
    SQUARE_MASK: Final = 255
    """The bits of a square in a packed attacker or move."""
    DIRECTION_SHIFT: Final = 8
    DISTANCE_SHIFT: Final = 12
    RAY_MASK: Final = 15
    """The bits of a direction or distance in a packed attacker, after the shift."""
    TYPES_SHIFT: Final = 16
    """Position of the piece types in a packed attacker or move."""
    COMMANDER_BIT: Final = 1
    """The bit of the commander in a unit."""
    FLYING_SAFE: Final = 0
    FLYING_LOST: Final = -1
    ONE_DEFENDER: Final = 1 << 16
    """The unit of the defender count in an `AirCover` entry; the bits below hold the defenders' squares."""
    IS_DIAGONAL: Final = 1
    PATH_IS_CLEAR: Final = 2
    TARGET_IS_NAVY: Final = 4
    TARGET_IS_COMMANDER: Final = 8
    """Bits of the conditions of an attack, see `_can_attack`."""
    NO_ATTACK: Final = 0
    ATTACK: Final = 1
    AIR_RAID: Final = 2
    """Results of `classify_attack`."""

    def is_stack(unit: int) -> bool:
        """Return whether a unit has two or more pieces."""
        return unit & TYPES & ((unit & TYPES) - 1) != 0


def _fill_tables() -> None:
    """Fill the tables of movement, air defence and attack, which are arrays for speed.

    * RANGES, MOVES_DIAGONALLY, SHOOTS_OVER: properties of each piece type that is not heroic.
    * ZONES[radius][square]: the number of squares that air defence of this radius covers, then the squares.
    * ATTACKING_TYPES[distance][conditions], HEROIC_ATTACKING_TYPES: the set of the types that attack from a
      distance under a set of conditions, see `_can_attack`.
    """
    for kind, letter in enumerate(LETTERS):
        RANGES[kind] = {"T": 2, "S": 2, "A": 3, "N": 4, "F": 4, "H": 0}.get(letter, 1)
        MOVES_DIAGONALLY[kind] = letter in "MASFN"
        SHOOTS_OVER[kind] = letter in "ASFN"
    for level in range(1, 4):
        for square in range(SQUARE_COUNT):
            covered = [
                target for target in range(SQUARE_COUNT) if _squared_distance(square, target) <= level * level
            ]
            for index, value in enumerate((len(covered), *covered)):
                ZONES[level][square][index] = value
    for distance in range(1, 6):
        for conditions in range(16):
            kinds = range(len(LETTERS))
            ATTACKING_TYPES[distance][conditions] = sum(
                1 << kind for kind in kinds if _can_attack(kind, 0, distance, conditions)
            )
            HEROIC_ATTACKING_TYPES[distance][conditions] = sum(
                1 << kind for kind in kinds if _can_attack(kind, 1, distance, conditions)
            )


def _squared_distance(first: int, second: int) -> int:
    """Return the squared Euclidean distance between two square numbers, in squares of the board."""
    file_distance, rank_distance = first % 11 - second % 11, first // 11 - second // 11
    return file_distance * file_distance + rank_distance * rank_distance


def _can_attack(kind: i32, heroic: i32, distance: i32, conditions: i32) -> bool:
    """Return whether a piece type attacks from a distance if no air defence stops it (spec/cotulenh 10).

    Args:
        kind: The number of the piece type.
        heroic: 1 if the piece is heroic, else 0.
        distance: The number of steps from the piece to its target.
        conditions: The sum of those of IS_DIAGONAL, PATH_IS_CLEAR, TARGET_IS_NAVY and TARGET_IS_COMMANDER
            that hold.
    """
    if conditions & IS_DIAGONAL and not heroic and not MOVES_DIAGONALLY[kind]:
        return False
    if not conditions & PATH_IS_CLEAR and not SHOOTS_OVER[kind]:
        return False
    if kind == COMMANDER:
        return distance == 1 and not (conditions & IS_DIAGONAL and conditions & TARGET_IS_COMMANDER)
    reach = RANGES[kind] + heroic
    if (kind == NAVY and not conditions & TARGET_IS_NAVY) or (kind == MISSILE and conditions & IS_DIAGONAL):
        reach -= 1
    return distance <= reach


_fill_tables()


# --- air defence ------------------------------------------------------------------------------------


def air_defence_level(unit: u32) -> i32:
    """Return the radius of a unit's air defence in squares, 1 to 3, or 0 if it has none.

    Only the carrier of a stack counts. A heroic piece has a radius that is larger by one.
    """
    carrier: i32 = CARRIERS[unit & TYPES]
    if carrier == MISSILE:
        return 2 + (unit >> (HEROIC_SHIFT + MISSILE) & 1)
    if carrier == NAVY or carrier == ANTI_AIR:
        return 1 + (unit >> (HEROIC_SHIFT + carrier) & 1)
    return 0


def add_zone(cover: AirCover, square: i32, level: i32, sign: i32) -> None:
    """Add the squares that one defender covers to the air cover of its side, or remove them.

    Args:
        cover: For each square the number of its defenders, ONE_DEFENDER each, plus the sum of their squares,
            each increased by 1. It is changed in place.
        square: The square of the defender.
        level: The radius of its air defence, 1 to 3.
        sign: 1 to add the zone, −1 to remove it.
    """
    i: i32
    amount: i32 = sign * (ONE_DEFENDER + square + 1)
    for i in range(1, ZONES[level][square][0] + 1):
        cover[ZONES[level][square][i]] += amount


def fill_air_cover(units: Units, colour: u32, cover: AirCover) -> None:
    """Compute in `cover` which squares the air defence of a colour covers, and how many defenders each has.

    The earlier content of `cover` is overwritten.
    """
    square: i32
    level: i32
    for square in range(SQUARE_COUNT):
        cover[square] = 0
    for square in range(SQUARE_COUNT):
        if units[square] and units[square] & BLUE_BIT == colour:
            level = air_defence_level(units[square])
            if level:
                add_zone(cover, square, level, 1)


def update_air_cover(cover: AirCover, colour: u32, square: i32, before: u32, after: u32) -> None:
    """Update the squares that the air defence of a colour covers after one square of the board has changed.

    Args:
        cover: The air cover of the colour, changed in place.
        colour: The colour of the air defence.
        square: The square that has changed.
        before: The unit that stood there, 0 for none.
        after: The unit that stands there now, 0 for none.
    """
    level_before: i32 = air_defence_level(before) if before & BLUE_BIT == colour else 0
    level_after: i32 = air_defence_level(after) if after & BLUE_BIT == colour else 0
    if level_before == level_after:
        return
    if level_before:
        add_zone(cover, square, level_before, -1)
    if level_after:
        add_zone(cover, square, level_after, 1)


def advance_flight(flight: i32, cover_here: i32) -> i32:
    """Return the state of an air force's flight after it has entered one more square.

    A state is FLYING_SAFE, the cover value of the one defender whose zone the flight is in, or FLYING_LOST if
    it has left a zone again or met a second defender.

    Args:
        flight: The state before. It must not be FLYING_LOST.
        cover_here: The enemy cover of the entered square.
    """
    if cover_here >= 2 * ONE_DEFENDER:
        return FLYING_LOST
    return cover_here if flight == FLYING_SAFE or flight == cover_here else FLYING_LOST


def can_fly_to(target: i32, direction: i32, distance: i32, cover: AirCover) -> i32:
    """Return 1 if an air force reaches a target, even if air defence destroys it there, else 0.

    Args:
        target: The square to reach.
        direction: The direction from the target to the air force.
        distance: The distance between the two.
        cover: The air cover of the enemy: the defenders of each square.
    """
    flight: i32 = FLYING_SAFE
    steps_left: i32
    for steps_left in range(distance - 1, 0, -1):
        flight = advance_flight(flight, cover[RAYS[target][direction][steps_left - 1]])
        if flight == FLYING_LOST:
            return 0
    return 1 if advance_flight(flight, cover[target]) != FLYING_LOST else 0


# --- attacks ----------------------------------------------------------------------------------------


def find_commander(units: Units, colour: u32) -> i32:
    """Return the square of a colour's commander, as carrier or passenger, or −1 if it has none."""
    square: i32
    for square in range(SQUARE_COUNT):
        if units[square] & COMMANDER_BIT and units[square] & BLUE_BIT == colour:
            return square
    return -1


def get_target_conditions(units: Units, target: i32) -> i32:
    """Return TARGET_IS_NAVY or TARGET_IS_COMMANDER if the unit on `target` has such a carrier, else 0.

    Navies are attacked by navies from farther away, and commanders do not attack each other on diagonals.
    """
    carrier: i32 = CARRIERS[units[target] & TYPES]
    if carrier == NAVY:
        return TARGET_IS_NAVY
    return TARGET_IS_COMMANDER if carrier == COMMANDER else 0


def select_attacking_types(unit: u32, distance: i32, conditions: i32) -> u32:
    """Return the piece types of a unit that attack from a distance if no air defence stops them.

    `distance` is 1 to 5. `conditions` are bits such as IS_DIAGONAL and PATH_IS_CLEAR, see `_can_attack`.
    """
    return unit & (
        ATTACKING_TYPES[distance][conditions]
        | (unit >> HEROIC_SHIFT & HEROIC_ATTACKING_TYPES[distance][conditions])
    )


def can_be_shot_down(unit: u32, types: u32) -> i32:
    """Return 1 if the attacking `types` of a unit include an air force that is not heroic, else 0.

    Air defence can stop only such an air force.
    """
    return types >> AIR_FORCE & ~(unit >> (HEROIC_SHIFT + AIR_FORCE)) & 1


def classify_attack(units: Units, target: i32, colour: u32) -> i32:
    """Return how the pieces of a colour attack a square.

    The result is ATTACK if a piece attacks that air defence cannot stop, AIR_RAID if only air forces attack
    that air defence might stop, and NO_ATTACK otherwise.
    """
    target_conditions: i32 = get_target_conditions(units, target)
    result: i32 = NO_ATTACK
    direction: i32
    distance: i32
    square: i32
    conditions: i32
    types: u32
    for direction in range(8):
        conditions = target_conditions | PATH_IS_CLEAR | (IS_DIAGONAL if direction > 3 else 0)
        for distance in range(1, 6):
            square = RAYS[target][direction][distance - 1]
            if square < 0:
                break
            if units[square] == 0:
                continue
            if units[square] & BLUE_BIT == colour:
                types = select_attacking_types(units[square], distance, conditions)
                if types:
                    if types != 1 << AIR_FORCE or not can_be_shot_down(units[square], types):
                        return ATTACK
                    result = AIR_RAID
            conditions &= ~PATH_IS_CLEAR
    return result


def find_attackers(units: Units, target: i32, colour: u32, attackers: AttackerList) -> i32:
    """Write the units of a colour that attack a square into `attackers` and return their number.

    Air forces that air defence would stop are included. Each entry packs the square of the unit, the
    direction from the target to it (DIRECTION_SHIFT), its distance (DISTANCE_SHIFT) and the types that attack
    (TYPES_SHIFT).
    """
    target_conditions: i32 = get_target_conditions(units, target)
    count: i32 = 0
    direction: i32
    distance: i32
    square: i32
    conditions: i32
    types: u32
    ray: u32
    for direction in range(8):
        conditions = target_conditions | PATH_IS_CLEAR | (IS_DIAGONAL if direction > 3 else 0)
        for distance in range(1, 6):
            square = RAYS[target][direction][distance - 1]
            if square < 0:
                break
            if units[square] == 0:
                continue
            if units[square] & BLUE_BIT == colour:
                types = select_attacking_types(units[square], distance, conditions)
                if types:
                    ray = direction << DIRECTION_SHIFT | distance << DISTANCE_SHIFT
                    attackers[count] = square | ray | (types & TYPES) << TYPES_SHIFT
                    count += 1
            conditions &= ~PATH_IS_CLEAR
    return count


def find_effective_attackers(units: Units, target: i32, colour: u32, attackers: AttackerList) -> i32:
    """Write the units of a colour that attack a square into `attackers` and return their number.

    Unlike in `find_attackers`, air forces that the other side's air defence stops are left out. The entries
    have the same layout.
    """
    cover: AirCover
    is_cover_filled: i32 = 0
    count: i32 = find_attackers(units, target, colour, attackers)
    kept_count: i32 = 0
    direction: i32
    i: i32
    attacker: u32
    if not cython.compiled:
        cover = [0] * SQUARE_COUNT
    for i in range(count):
        attacker = attackers[i]
        if can_be_shot_down(units[attacker & SQUARE_MASK], attacker >> TYPES_SHIFT):
            if not is_cover_filled:
                fill_air_cover(units, BLUE_BIT - colour, cover)
                is_cover_filled = 1
            direction = attacker >> DIRECTION_SHIFT & RAY_MASK
            if not can_fly_to(target, direction, attacker >> DISTANCE_SHIFT & RAY_MASK, cover):
                attacker ^= 1 << (TYPES_SHIFT + AIR_FORCE)
        if attacker >> TYPES_SHIFT:
            attackers[kept_count] = attacker
            kept_count += 1
    return kept_count


def find_attack_directions(units: Units, target: i32, colour: u32) -> i32:
    """Return the directions from which a colour attacks a square with pieces that air defence cannot stop.

    Bit `i` of the result stands for direction `i`, seen from the target.
    """
    attackers: AttackerList
    directions: i32 = 0
    i: i32
    types: u32
    if not cython.compiled:
        attackers = [0] * MAX_ATTACKERS
    for i in range(find_attackers(units, target, colour, attackers)):
        types = attackers[i] >> TYPES_SHIFT
        if types != 1 << AIR_FORCE or not can_be_shot_down(units[attackers[i] & SQUARE_MASK], types):
            directions |= 1 << (attackers[i] >> DIRECTION_SHIFT & RAY_MASK)
    return directions


def find_raider(units: Units, target: i32, colour: u32, cover: AirCover) -> i32:
    """Return the square of an air force of a colour that reaches a target, or −1 if there is none.

    Heroic air forces are ignored, because air defence never stops them. `cover` holds the defenders that the
    other side's air defence has on each square.
    """
    direction: i32
    distance: i32
    square: i32
    flight: i32
    if cover[target] >= 2 * ONE_DEFENDER:
        return -1
    for direction in range(8):
        # The path is walked backwards: a zone that the flight enters must also cover the target.
        flight = cover[target]
        for distance in range(1, RANGES[AIR_FORCE] + 1):
            square = RAYS[target][direction][distance - 1]
            if square < 0:
                break
            if (
                units[square] >> AIR_FORCE & 1
                and units[square] & BLUE_BIT == colour
                and not units[square] >> (HEROIC_SHIFT + AIR_FORCE) & 1
            ):
                return square
            if cover[square] != flight:
                if cover[square]:
                    break
                flight = FLYING_SAFE
    return -1


def is_attacked(units: Units, target: i32, colour: u32) -> i32:
    """Return a number other than 0 if a piece of a colour attacks the square `target`, else 0.

    Air forces that the other side's air defence stops do not attack.
    """
    cover: AirCover
    result: i32 = classify_attack(units, target, colour)
    if result != AIR_RAID:
        return result
    if not cython.compiled:
        cover = [0] * SQUARE_COUNT
    fill_air_cover(units, BLUE_BIT - colour, cover)
    return 1 if find_raider(units, target, colour, cover) >= 0 else 0


def are_exposed(units: Units, first: i32, second: i32) -> i32:
    """Return 1 if two commanders face each other on a file or rank with nothing between, else 0.

    A square of −1 stands for a missing commander, which is never exposed.
    """
    step: i32
    square: i32
    if first < 0 or second < 0:
        return 0
    if first % 11 == second % 11:
        step = 11 if second > first else -11
    elif first // 11 == second // 11:
        step = 1 if second > first else -1
    else:
        return 0
    square = first + step
    while square != second:
        if units[square]:
            return 0
        square += step
    return 1


def is_in_danger(units: Units, colour: u32) -> i32:
    """Return a number other than 0 if a colour's commander is attacked, exposed or missing, else 0.

    It is exposed if it faces the enemy commander on a file or rank with no piece between them.
    """
    own: i32 = find_commander(units, colour)
    if own < 0:
        return 1
    if are_exposed(units, own, find_commander(units, BLUE_BIT - colour)):
        return 1
    return is_attacked(units, own, BLUE_BIT - colour)


# --- lists for Python callers -----------------------------------------------------------------------


def list_attackers(position: Position, target: i32, colour: u32) -> list[tuple[int, int]]:
    """Return the units of a colour that attack a square, each as its square and the types that attack.

    Raise ValueError if `target` is not a square number.
    """
    attackers: AttackerList
    count: i32
    require_square(target)
    if not cython.compiled:
        attackers = [0] * MAX_ATTACKERS
    count = find_effective_attackers(position.units, target, colour, attackers)
    return [(attackers[i] & SQUARE_MASK, attackers[i] >> TYPES_SHIFT) for i in range(count)]


def list_zone(square: i32, unit: u32) -> list[int]:
    """Return the squares that the air defence of a unit on `square` covers.

    Raise ValueError if `square` is not a square number.
    """
    level: i32 = air_defence_level(unit)
    require_square(square)
    return [ZONES[level][square][i] for i in range(1, ZONES[level][square][0] + 1)]


def require_square(square: i32) -> i32:
    """Return `square` if it is the number of a square. Raise ValueError if it is not.

    The compiled functions of this module do not check their squares, so a wrong one could read any memory.
    """
    if not 0 <= square < SQUARE_COUNT:
        raise ValueError(f"{square} is not a square number, expected 0 to {SQUARE_COUNT - 1}")
    return square
