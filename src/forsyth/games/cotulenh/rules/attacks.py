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

    from forsyth.games.cotulenh.board import (
        DIRECTION_COUNT,
        FIRST_DIAGONAL,
        RAYS,
        SQUARE_COUNT,
        get_file,
        get_rank,
        i32,
        u32,
    )
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
    MAX_ATTACK_DISTANCE: Final = 5
    """Upper bound on the distance of an attack, in squares: that of a heroic air force."""
    MAX_DEFENCE_LEVEL: Final = 3
    """Upper bound on the radius of air defence, in squares: that of a heroic missile."""
    NO_SQUARE: Final = -1
    """Stands for the square of a piece that is not on the board."""
    RANK_STEP: Final = 11
    """The distance between the number of a square and that of the square above it."""
    RANGES = [0] * 11
    MOVES_DIAGONALLY = [0] * 11
    SHOOTS_OVER = [0] * 11
    """Properties of each piece type that is not heroic; the index is the number of the type."""
    ZONES = [[[0] * 32 for _ in range(SQUARE_COUNT)] for _ in range(4)]
    """ZONES[radius][square]: how many squares air defence of this radius covers, then these squares."""
    ATTACKING_TYPES = [[0] * 16 for _ in range(6)]
    HEROIC_ATTACKING_TYPES = [[0] * 16 for _ in range(6)]
    """ATTACKING_TYPES[distance][conditions]: the set of the piece types that attack, see `_can_attack`."""
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
        """Return whether a unit has two or more pieces. A unit is a piece or stack as one number."""
        types = unit & TYPES
        # Subtracting 1 from a set and intersecting removes its lowest type: a stack has another one.
        return types & (types - 1) != 0

    def make_heroic(unit: int) -> int:
        """Return a unit with all its pieces promoted to heroic."""
        return unit | (unit & TYPES) << HEROIC_SHIFT

    def has_heroic(unit: int, piece_type: int) -> int:
        """Return 1 if the piece of a type in a unit is heroic, else 0."""
        return unit >> (HEROIC_SHIFT + piece_type) & 1

    def has_plain_air_force(unit: int) -> int:
        """Return 1 if a unit has an air force that is not heroic, else 0.

        Air defence can stop only such an air force.
        """
        return (unit & ~(unit >> HEROIC_SHIFT)) >> AIR_FORCE & 1

    def pack_attacker(square: int, direction: int, distance: int, types: int) -> int:
        """Return an attacking unit as one number, an entry of an `AttackerList`.

        Its fields are the square of the unit, the direction from the target to it, its distance from the
        target, and the set of its piece types that attack.
        """
        ray = direction << DIRECTION_SHIFT | distance << DISTANCE_SHIFT
        return square | ray | (types & TYPES) << TYPES_SHIFT

    def get_attacker_square(attacker: int) -> int:
        """Return the square of a packed attacker."""
        return attacker & SQUARE_MASK

    def get_attacker_direction(attacker: int) -> int:
        """Return the direction from the target to a packed attacker."""
        return attacker >> DIRECTION_SHIFT & RAY_MASK

    def get_attacker_distance(attacker: int) -> int:
        """Return the distance of a packed attacker from its target, in squares."""
        return attacker >> DISTANCE_SHIFT & RAY_MASK

    def get_attacker_types(attacker: int) -> int:
        """Return the set of the piece types that attack in a packed attacker."""
        return attacker >> TYPES_SHIFT


_BASE_RANGES = {"T": 2, "S": 2, "A": 3, "N": 4, "F": 4, "H": 0}
"""Range of each piece type that is not heroic, in squares. All others have the range 1."""
_DIAGONAL_MOVERS = "MASFN"
"""The piece types that move on diagonals even if they are not heroic."""
_OVERSHOOTING_TYPES = "ASFN"
"""The piece types that attack over other pieces."""


def _fill_tables() -> None:
    """Fill the tables of movement, air defence and attack, which are arrays for speed."""
    for piece_type, letter in enumerate(LETTERS):
        RANGES[piece_type] = _BASE_RANGES.get(letter, 1)
        MOVES_DIAGONALLY[piece_type] = letter in _DIAGONAL_MOVERS
        SHOOTS_OVER[piece_type] = letter in _OVERSHOOTING_TYPES
    for level in range(1, MAX_DEFENCE_LEVEL + 1):
        for square in range(SQUARE_COUNT):
            _fill_zone(level, square)
    for distance in range(1, MAX_ATTACK_DISTANCE + 1):
        for conditions in range(16):
            ATTACKING_TYPES[distance][conditions] = _list_attacking_types(0, distance, conditions)
            HEROIC_ATTACKING_TYPES[distance][conditions] = _list_attacking_types(1, distance, conditions)


def _fill_zone(level: i32, square: i32) -> None:
    """Fill ``ZONES[level][square]`` with the squares that an air-defence unit covers.

    The unit stands on `square`, and `level` is its radius in squares. The first number is how many squares
    there are. The squares follow.
    """
    covered = [target for target in range(SQUARE_COUNT) if _squared_distance(square, target) <= level * level]
    ZONES[level][square][0] = len(covered)
    for index, target in enumerate(covered):
        ZONES[level][square][index + 1] = target


def _squared_distance(square: int, other_square: int) -> int:
    """Return the squared Euclidean distance between two square numbers, in squares of the board."""
    file_distance = get_file(square) - get_file(other_square)
    rank_distance = get_rank(square) - get_rank(other_square)
    return file_distance * file_distance + rank_distance * rank_distance


def _list_attacking_types(heroic: int, distance: int, conditions: int) -> int:
    """Return the set of the piece types that attack from a distance, one bit for each.

    See `_can_attack` for the parameters.
    """
    return sum(
        1 << piece_type
        for piece_type in range(len(LETTERS))
        if _can_attack(piece_type, heroic, distance, conditions)
    )


def _can_attack(piece_type: i32, heroic: i32, distance: i32, conditions: i32) -> bool:
    """Return whether a piece attacks from a distance if no air defence stops it.

    Args:
        piece_type: The number of the type of the piece, such as TANK.
        heroic: 1 if the piece is heroic, else 0.
        distance: The number of steps from the piece to its target.
        conditions: The sum of those of IS_DIAGONAL, PATH_IS_CLEAR, TARGET_IS_NAVY and TARGET_IS_COMMANDER
            that hold.
    """
    if conditions & IS_DIAGONAL and not heroic and not MOVES_DIAGONALLY[piece_type]:
        return False
    if not conditions & PATH_IS_CLEAR and not SHOOTS_OVER[piece_type]:
        return False
    if piece_type == COMMANDER:
        faces_commander_diagonally = conditions & IS_DIAGONAL and conditions & TARGET_IS_COMMANDER
        return distance == 1 and not faces_commander_diagonally

    # A heroic piece attacks one square farther.
    attack_range = RANGES[piece_type] + heroic
    # A navy shoots less far at land, and a missile less far on diagonals.
    if piece_type == NAVY and not conditions & TARGET_IS_NAVY:
        attack_range -= 1
    if piece_type == MISSILE and conditions & IS_DIAGONAL:
        attack_range -= 1
    return distance <= attack_range


_fill_tables()


# --- air defence ------------------------------------------------------------------------------------


def air_defence_level(unit: u32) -> i32:
    """Return the radius of a unit's air defence in squares, 1 to 3, or 0 if it has none.

    `unit` is a piece or stack as one number. In a stack only the piece that carries the others counts. A
    heroic piece has a radius that is larger by one.
    """
    carrier: i32 = CARRIERS[unit & TYPES]
    if carrier == MISSILE:
        return 2 + (unit >> (HEROIC_SHIFT + MISSILE) & 1)
    if carrier == NAVY or carrier == ANTI_AIR:
        return 1 + (unit >> (HEROIC_SHIFT + carrier) & 1)
    return 0


def add_zone(cover: AirCover, square: i32, level: i32, sign: i32) -> None:
    """Add the squares that one air-defence unit covers to a table, or remove them.

    Args:
        cover: The air cover of a side: one number for each square of the board, changed in place. Each
            defender adds ONE_DEFENDER and its own square number plus 1 to the squares that it covers.
        square: The square of the defender.
        level: The radius of its air defence, 1 to 3.
        sign: 1 to add the zone, −1 to remove it.
    """
    index: i32
    amount: i32 = sign * (ONE_DEFENDER + square + 1)
    # The first entry of a zone is the number of its squares.
    for index in range(1, ZONES[level][square][0] + 1):
        cover[ZONES[level][square][index]] += amount


def fill_air_cover(units: Units, colour: u32, cover: AirCover) -> None:
    """Compute which squares the air defence of a colour covers.

    Args:
        units: The board: the unit on each square, 0 for an empty one.
        colour: The colour of the air defence: 0 for Red, BLUE_BIT for Blue.
        cover: Receives one number for each square, 0 if it is not covered, see `add_zone`.
    """
    square: i32
    level: i32
    for square in range(SQUARE_COUNT):
        cover[square] = 0
    for square in range(SQUARE_COUNT):
        if units[square] and (units[square] & BLUE_BIT) == colour:
            level = air_defence_level(units[square])
            if level:
                add_zone(cover, square, level, 1)


def update_air_cover(cover: AirCover, colour: u32, square: i32, before: u32, after: u32) -> None:
    """Update which squares a colour's air defence covers after one square has changed.

    Args:
        cover: The air cover of the colour, one number for each square, changed in place.
        colour: The colour of the air defence: 0 for Red, BLUE_BIT for Blue.
        square: The square that has changed.
        before: The unit that stood there, 0 for none.
        after: The unit that stands there now, 0 for none.
    """
    level_before: i32 = air_defence_level(before) if (before & BLUE_BIT) == colour else 0
    level_after: i32 = air_defence_level(after) if (after & BLUE_BIT) == colour else 0
    if level_before == level_after:
        return
    if level_before:
        add_zone(cover, square, level_before, -1)
    if level_after:
        add_zone(cover, square, level_after, 1)


def advance_flight(flight: i32, cover_here: i32) -> i32:
    """Return the state of an air force's flight after it has entered one more square.

    A state is one of these:

    * FLYING_SAFE: no air defence covers the square.
    * FLYING_LOST: the flight has left the zone of a defender again or met a second defender.
    * Any other number: the flight is in the zone of one defender, which the number identifies.

    Args:
        flight: The state before. It must not be FLYING_LOST.
        cover_here: The number of the entered square in the enemy's air cover, see `add_zone`.
    """
    has_two_defenders: i32 = cover_here >= 2 * ONE_DEFENDER
    if has_two_defenders:
        return FLYING_LOST
    return cover_here if flight == FLYING_SAFE or flight == cover_here else FLYING_LOST


def can_fly_to(target: i32, direction: i32, distance: i32, cover: AirCover) -> i32:
    """Return 1 if an air force reaches a target, even if air defence destroys it there, else 0.

    Args:
        target: The square to reach.
        direction: The direction from the target to the air force, an index of `board.DIRECTIONS`.
        distance: The distance between the two, in squares.
        cover: The air cover of the enemy: one number for each square, see `add_zone`.
    """
    flight: i32 = FLYING_SAFE
    steps_left: i32
    # The ray starts at the target, so the flight passes its squares from the far end.
    for steps_left in range(distance - 1, 0, -1):
        flight = advance_flight(flight, cover[RAYS[target][direction][steps_left - 1]])
        if flight == FLYING_LOST:
            return 0
    return 1 if advance_flight(flight, cover[target]) != FLYING_LOST else 0


# --- attacks ----------------------------------------------------------------------------------------


def find_commander(units: Units, colour: u32) -> i32:
    """Return the square of a colour's commander, or NO_SQUARE if it has none.

    The commander may be in a stack. `units` is the board. `colour` is 0 for Red and BLUE_BIT for Blue.
    """
    square: i32
    for square in range(SQUARE_COUNT):
        if units[square] & COMMANDER_BIT and (units[square] & BLUE_BIT) == colour:
            return square
    return NO_SQUARE


def get_target_conditions(units: Units, target: i32) -> i32:
    """Return TARGET_IS_NAVY, TARGET_IS_COMMANDER or 0 for the carrier on the square `target`.

    The carrier is the piece that carries the others of a stack. Navies are attacked by navies from farther
    away, and commanders do not attack each other on diagonals.
    """
    carrier: i32 = CARRIERS[units[target] & TYPES]
    if carrier == NAVY:
        return TARGET_IS_NAVY
    return TARGET_IS_COMMANDER if carrier == COMMANDER else 0


def select_attacking_types(unit: u32, distance: i32, conditions: i32) -> u32:
    """Return the set of the piece types of a unit that attack from a distance.

    Air defence may still stop them. `unit` is a piece or stack as one number, and `distance` is 1 to 5.
    `conditions` are bits such as IS_DIAGONAL and PATH_IS_CLEAR, see `_can_attack`.
    """
    heroic_types: u32 = unit >> HEROIC_SHIFT
    heroic_attackers: u32 = heroic_types & HEROIC_ATTACKING_TYPES[distance][conditions]
    # A heroic piece also attacks as a piece that is not heroic.
    return unit & (ATTACKING_TYPES[distance][conditions] | heroic_attackers)


def can_be_shot_down(unit: u32, types: u32) -> i32:
    """Return 1 if the attacking pieces of a unit include an air force that is not heroic.

    Air defence can stop only such an air force. The result is 0 otherwise. `types` is the set of the piece
    types that attack.
    """
    attacks_by_air: i32 = types >> AIR_FORCE & 1
    is_heroic: i32 = unit >> (HEROIC_SHIFT + AIR_FORCE) & 1
    return attacks_by_air & ~is_heroic


def can_be_stopped(unit: u32, types: u32) -> i32:
    """Return 1 if air defence can stop the whole attack of a unit, else 0.

    It can if the only attacking piece is an air force that is not heroic. `types` is the set of the piece
    types that attack.
    """
    return 1 if types == 1 << AIR_FORCE and can_be_shot_down(unit, types) else 0


def classify_attack(units: Units, target: i32, colour: u32) -> i32:
    """Return how the pieces of a colour attack the square `target`.

    * ATTACK: a piece attacks that air defence cannot stop.
    * AIR_RAID: only air forces attack, and air defence might stop them.
    * NO_ATTACK: no piece attacks.

    `units` is the board. `colour` is 0 for Red and BLUE_BIT for Blue.
    """
    target_conditions: i32 = get_target_conditions(units, target)
    result: i32 = NO_ATTACK
    direction: i32
    distance: i32
    square: i32
    conditions: i32
    types: u32
    for direction in range(DIRECTION_COUNT):
        conditions = target_conditions | PATH_IS_CLEAR | (IS_DIAGONAL if direction >= FIRST_DIAGONAL else 0)
        for distance in range(1, MAX_ATTACK_DISTANCE + 1):
            square = RAYS[target][direction][distance - 1]
            if square < 0:
                break
            if units[square] == 0:
                continue
            if (units[square] & BLUE_BIT) == colour:
                types = select_attacking_types(units[square], distance, conditions)
                if types:
                    if not can_be_stopped(units[square], types):
                        return ATTACK
                    result = AIR_RAID
            # Only types that shoot over other pieces attack from beyond this unit.
            conditions &= ~PATH_IS_CLEAR
    return result


def find_attackers(units: Units, target: i32, colour: u32, attackers: AttackerList) -> i32:
    """List the pieces and stacks of a colour that attack a square, and return their number.

    Each is written into `attackers` as one number, see `pack_attacker`. Air forces that air defence would
    stop are included.

    Args:
        units: The board.
        target: The attacked square.
        colour: The colour of the attackers: 0 for Red, BLUE_BIT for Blue.
        attackers: Receives the attackers.
    """
    target_conditions: i32 = get_target_conditions(units, target)
    attacker_count: i32 = 0
    direction: i32
    distance: i32
    square: i32
    conditions: i32
    types: u32
    for direction in range(DIRECTION_COUNT):
        conditions = target_conditions | PATH_IS_CLEAR | (IS_DIAGONAL if direction >= FIRST_DIAGONAL else 0)
        for distance in range(1, MAX_ATTACK_DISTANCE + 1):
            square = RAYS[target][direction][distance - 1]
            if square < 0:
                break
            if units[square] == 0:
                continue
            if (units[square] & BLUE_BIT) == colour:
                types = select_attacking_types(units[square], distance, conditions)
                if types:
                    attackers[attacker_count] = pack_attacker(square, direction, distance, types)
                    attacker_count += 1
            # Only types that shoot over other pieces attack from beyond this unit.
            conditions &= ~PATH_IS_CLEAR
    return attacker_count


def find_effective_attackers(units: Units, target: i32, colour: u32, attackers: AttackerList) -> i32:
    """List the units that attack a square despite air defence, and return their number.

    Each is written into `attackers` as one number, see `pack_attacker`. Unlike in `find_attackers`, air
    forces that the other side's air defence stops are left out.

    Args:
        units: The board.
        target: The attacked square.
        colour: The colour of the attackers: 0 for Red, BLUE_BIT for Blue.
        attackers: Receives the attackers.
    """
    enemy_cover: AirCover
    is_cover_filled: i32 = 0
    attacker_count: i32 = find_attackers(units, target, colour, attackers)
    kept_count: i32 = 0
    direction: i32
    distance: i32
    index: i32
    attacker: u32
    if not cython.compiled:
        enemy_cover = [0] * SQUARE_COUNT
    for index in range(attacker_count):
        attacker = attackers[index]
        if can_be_shot_down(units[get_attacker_square(attacker)], get_attacker_types(attacker)):
            if not is_cover_filled:
                fill_air_cover(units, BLUE_BIT - colour, enemy_cover)
                is_cover_filled = 1
            direction = get_attacker_direction(attacker)
            distance = get_attacker_distance(attacker)
            if not can_fly_to(target, direction, distance, enemy_cover):
                # The air force does not attack, but other pieces of its stack may.
                attacker ^= 1 << (TYPES_SHIFT + AIR_FORCE)
        if get_attacker_types(attacker):
            attackers[kept_count] = attacker
            kept_count += 1
    return kept_count


def find_attack_directions(units: Units, target: i32, colour: u32) -> i32:
    """Return the directions of the attacks on a square that air defence cannot stop.

    The directions are those from `target` to the attackers. Bit `i` of the result stands for the direction
    ``board.DIRECTIONS[i]``. `colour` is that of the attackers, 0 for Red and BLUE_BIT for Blue.
    """
    attackers: AttackerList
    directions: i32 = 0
    attacker_count: i32
    index: i32
    unit: u32
    if not cython.compiled:
        attackers = [0] * MAX_ATTACKERS
    attacker_count = find_attackers(units, target, colour, attackers)
    for index in range(attacker_count):
        unit = units[get_attacker_square(attackers[index])]
        if not can_be_stopped(unit, get_attacker_types(attackers[index])):
            directions |= 1 << get_attacker_direction(attackers[index])
    return directions


def find_raider(units: Units, target: i32, colour: u32, cover: AirCover) -> i32:
    """Return the square of an air force that reaches the square `target`, or NO_SQUARE.

    Heroic air forces are ignored, because air defence never stops them.

    Args:
        units: The board.
        target: The attacked square.
        colour: The colour of the air force: 0 for Red, BLUE_BIT for Blue.
        cover: The air cover of the other side: one number for each square, see `add_zone`.
    """
    direction: i32
    distance: i32
    square: i32
    flight: i32
    # Two defenders of the target stop every flight.
    if cover[target] >= 2 * ONE_DEFENDER:
        return NO_SQUARE
    for direction in range(DIRECTION_COUNT):
        # The path is walked backwards: a zone that the flight enters must also cover the target.
        flight = cover[target]
        for distance in range(1, RANGES[AIR_FORCE] + 1):
            square = RAYS[target][direction][distance - 1]
            if square < 0:
                break
            if has_plain_air_force(units[square]) and (units[square] & BLUE_BIT) == colour:
                return square
            if cover[square] != flight:
                # A flight from beyond would leave this zone again, or meet a second defender.
                if cover[square]:
                    break
                flight = FLYING_SAFE
    return NO_SQUARE


def is_attacked(units: Units, target: i32, colour: u32) -> i32:
    """Return a number other than 0 if a piece of a colour attacks the square `target`, else 0.

    Air forces that the other side's air defence stops do not attack. `units` is the board. `colour` is 0 for
    Red and BLUE_BIT for Blue.
    """
    enemy_cover: AirCover
    attack: i32 = classify_attack(units, target, colour)
    if attack != AIR_RAID:
        return attack
    if not cython.compiled:
        enemy_cover = [0] * SQUARE_COUNT
    fill_air_cover(units, BLUE_BIT - colour, enemy_cover)
    return 1 if find_raider(units, target, colour, enemy_cover) >= 0 else 0


def are_exposed(units: Units, own_square: i32, enemy_square: i32) -> i32:
    """Return 1 if two commanders face each other on a file or rank with nothing between, else 0.

    `units` is the board. `own_square` and `enemy_square` are the squares of the commanders. NO_SQUARE stands
    for a missing commander, which is never exposed.
    """
    step: i32
    square: i32
    if own_square < 0 or enemy_square < 0:
        return 0
    if get_file(own_square) == get_file(enemy_square):
        step = RANK_STEP if enemy_square > own_square else -RANK_STEP
    elif get_rank(own_square) == get_rank(enemy_square):
        step = 1 if enemy_square > own_square else -1
    else:
        return 0
    square = own_square + step
    while square != enemy_square:
        if units[square]:
            return 0
        square += step
    return 1


def is_in_danger(units: Units, colour: u32) -> i32:
    """Return a number other than 0 if a colour's commander is in danger or missing, else 0.

    It is in danger if it is attacked, or if it faces the enemy commander on a file or rank with no piece
    between them. `units` is the board. `colour` is 0 for Red and BLUE_BIT for Blue.
    """
    enemy_colour: u32 = BLUE_BIT - colour
    commander: i32 = find_commander(units, colour)
    if commander < 0:
        return 1
    if are_exposed(units, commander, find_commander(units, enemy_colour)):
        return 1
    return is_attacked(units, commander, enemy_colour)


# --- lists for Python callers -----------------------------------------------------------------------


def list_attackers(position: Position, target: i32, colour: u32) -> list[tuple[int, int]]:
    """Return the square and the attacking piece types of each unit that attacks a square.

    `target` is the number of the attacked square. `colour` is that of the attackers, 0 for Red and BLUE_BIT
    for Blue. Raise ValueError if `target` is not a square number.
    """
    attackers: AttackerList
    attacker_count: i32
    index: i32
    require_square(target)
    if not cython.compiled:
        attackers = [0] * MAX_ATTACKERS
    attacker_count = find_effective_attackers(position.units, target, colour, attackers)
    squares_and_types = []
    for index in range(attacker_count):
        squares_and_types.append(
            (get_attacker_square(attackers[index]), get_attacker_types(attackers[index]))
        )
    return squares_and_types


def list_zone(square: i32, unit: u32) -> list[int]:
    """Return the numbers of the squares that the air defence of a unit on `square` covers.

    `unit` is a piece or stack as one number. Raise ValueError if `square` is not a square number.
    """
    level: i32 = air_defence_level(unit)
    require_square(square)
    covered_count: i32 = ZONES[level][square][0]
    return [ZONES[level][square][index] for index in range(1, covered_count + 1)]


def require_square(square: i32) -> i32:
    """Return `square` if it is the number of a square. Raise ValueError if it is not.

    The compiled functions of this module do not check their squares, so a wrong one could read any memory.
    """
    if not 0 <= square < SQUARE_COUNT:
        raise ValueError(f"{square} is not a square number, expected 0 to {SQUARE_COUNT - 1}")
    return square
