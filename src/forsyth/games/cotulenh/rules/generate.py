"""Generate the moves of CoTuLenh on a bare board (spec/cotulenh 4, 5 and 10).

A packed move is a number with four fields: the origin (SQUARE_MASK), the target (from bit TARGET_SHIFT), the
set of the piece types that move (from bit TYPES_SHIFT) and the flags (from bit FLAGS_SHIFT). `get_origin`,
`get_target`, `get_moving_types` and `get_flags` in `packed_moves` return these fields. A colour is 0 for Red
and BLUE_BIT for Blue. The module runs as it is and compiles with Cython (`generate.pxd` gives the C types).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from typing import Final

    from forsyth.games.cotulenh.board import (
        DIRECTION_COUNT,
        FIRST_DIAGONAL,
        LAND,
        RAY_LENGTH,
        RAYS,
        SQUARE_COUNT,
        WATER,
        get_file,
        get_rank,
        i32,
        u32,
        u64,
    )
    from forsyth.games.cotulenh.rules.attacks import (
        COMMANDER_BIT,
        FLYING_LOST,
        FLYING_SAFE,
        MOVES_DIAGONALLY,
        NO_SQUARE,
        RANGES,
        RANK_STEP,
        SHOOTS_OVER,
        TYPES_SHIFT,
        Units,
        advance_flight,
        fill_air_cover,
        has_heroic,
        is_stack,
    )
    from forsyth.games.cotulenh.stacks import (
        AIR_FORCE,
        ANTI_AIR,
        ARTILLERY,
        BLUE_BIT,
        CARRIERS,
        COMMANDER,
        HEROIC_SHIFT,
        MISSILE,
        NAVY,
        TYPES,
    )

    Board = list[int]
    # The flags of a move (spec/cotulenh 15); several may be set.
    QUIET: Final = 1
    CAPTURE: Final = 2
    STAY: Final = 4
    SUICIDE: Final = 8
    DEPLOY: Final = 16
    COMBINE: Final = 32
    UNSETTLED: Final = 0
    SAFE: Final = 1
    ENDANGERED: Final = 2
    """States of the mover's commander, see `safety.assess_commander`."""
    TARGET_SHIFT: Final = 8
    FLAGS_SHIFT: Final = 27
    FLAG_MASK: Final = 63
    MOVE_BITS: Final = 33
    """The layout of a move; its origin is SQUARE_MASK, its types are at TYPES_SHIFT."""
    GROWTH: Final = 256
    """The number of moves by which a full `MoveList` grows."""
    MOVE_BYTES: Final = 8
    """The size of a packed move in memory."""
    FIRST_UPPER_SQUARE: Final = 66
    """a7, the first square beyond the river seen from Red's side."""
    C5: Final = 46
    D6: Final = 58
    D7: Final = 69
    C8: Final = 79
    FILE_C: Final = 2
    """The file of the coast. The river has no bridges to its left."""
    FILE_F: Final = 5
    FILE_H: Final = 7
    """The files of the two bridges."""
    LAST_FILE: Final = 10
    UP: Final = 0
    RIGHT: Final = 1
    DOWN: Final = 2
    LEFT: Final = 3
    """The orthogonal directions, as indexes of `board.DIRECTIONS`."""
    TYPE_COUNT: Final = 11
    """The number of piece types."""

    def select_types(unit: int, types: int) -> int:
        """Return the part of a unit with the piece types `types`: the unit T if `unit` is ``(NFT)``.

        `types` is a set of bits. The pieces keep their colour and their heroic marks.
        """
        return unit & (types | types << HEROIC_SHIFT | BLUE_BIT)


if cython.compiled:
    from cython.cimports.libc.stdlib import free, realloc


class MoveList:
    """A list of packed moves that grows as needed."""

    if not cython.compiled:
        __slots__ = ("capacity", "count", "items")
        items: list[int]
        count: int
        capacity: int

        def __init__(self) -> None:
            self.items = []
            self.count = 0

    if cython.compiled:

        def __dealloc__(self) -> None:
            free(self.items)

    def add_move(self, origin: i32, target: i32, unit: u32, flags: i32) -> i32:
        """Append a move to this list, as a packed number. Return 0.

        Args:
            origin: The square where the move begins.
            target: The square to which the pieces move, or on which they capture.
            unit: The pieces that move.
            flags: Bits such as CAPTURE or ``DEPLOY | COMBINE``.
        """
        if cython.compiled:
            return self.append(
                cython.cast(u64, origin)
                | cython.cast(u64, target) << TARGET_SHIFT
                | cython.cast(u64, unit & TYPES) << TYPES_SHIFT
                | cython.cast(u64, flags) << FLAGS_SHIFT
            )
        return self.append(
            origin | target << TARGET_SHIFT | (unit & TYPES) << TYPES_SHIFT | flags << FLAGS_SHIFT
        )

    def append(self, move: u64) -> i32:
        """Append a packed move. Return 0. Raise MemoryError if the list cannot grow."""
        if cython.compiled:
            if self.count == self.capacity:
                grown = cython.cast(
                    cython.pointer(u64), realloc(self.items, (self.capacity + GROWTH) * MOVE_BYTES)
                )
                if not grown:
                    raise MemoryError
                self.items = grown
                self.capacity += GROWTH
            self.items[self.count] = move
        else:
            self.items.append(move)
        self.count += 1
        return 0

    def truncate(self, count: i32) -> None:
        """Keep only the first `count` moves of this list."""
        self.count = count
        if not cython.compiled:
            del self.items[count:]

    def to_list(self) -> list[int]:
        """Return the packed moves as a Python list."""
        if cython.compiled:
            return [self.items[index] for index in range(self.count)]
        return self.items


class BoardFacts:
    """Facts about a board on which the moves of one side and its commander's safety depend.

    The side is called the mover. `collect_facts` finds these in one walk over the board:

    * `own_commander`, `enemy_commander`: the squares of the first commander of each side, −1 for none;
    * `extra_commanders`: the number of commanders beyond the first of each side;
    * `own_guards`, `enemy_guards`: the number of units whose carrier is not a commander;
    * `enemy_guard_squares`: the squares of the first two enemy guards;
    * `enemy_cover`: what the enemy's air defence covers, filled only if the mover has an air force.

    `generate` uses `deploy_flag` (DEPLOY while members of a stack move alone, else 0) and `sight` (the
    squares that the enemy commander sees, 1 for each).

    `safety` fills the others:

    * `commander_state`: SAFE, ENDANGERED or UNSETTLED, see `safety.assess_commander`;
    * `danger_directions`: the directions from which the commander is in danger, as bits;
    * `faces_raid`: 1 if only air forces attack the commander that own air defence might stop;
    * `rescue_squares`: 1 for each square where a move may end the danger;
    * `shield_squares`: 1 for each square whose unit alone covers the commander on a line;
    * `own_cover`, `has_own_cover`: what own air defence covers, and whether that has been computed;
    * `promoted_cover`: what own air defence covers after a move elsewhere, with the promotions of that move.
    """

    if not cython.compiled:
        __slots__ = (
            "commander_state",
            "danger_directions",
            "deploy_flag",
            "enemy_commander",
            "enemy_cover",
            "enemy_guard_squares",
            "enemy_guards",
            "extra_commanders",
            "faces_raid",
            "has_own_cover",
            "own_commander",
            "own_cover",
            "own_guards",
            "promoted_cover",
            "rescue_squares",
            "shield_squares",
            "sight",
        )
        own_commander: int
        enemy_commander: int
        own_guards: int
        enemy_guards: int
        extra_commanders: int
        deploy_flag: int
        has_own_cover: int
        danger_directions: int
        faces_raid: int
        commander_state: int
        sight: list[int]
        shield_squares: list[int]
        rescue_squares: list[int]
        enemy_cover: list[int]
        own_cover: list[int]
        promoted_cover: list[int]
        enemy_guard_squares: list[int]

        def __init__(self) -> None:
            self.extra_commanders = self.own_guards = self.enemy_guards = self.deploy_flag = 0
            self.has_own_cover = self.danger_directions = self.faces_raid = self.commander_state = 0
            self.sight = [0] * SQUARE_COUNT
            self.shield_squares = [0] * SQUARE_COUNT
            self.rescue_squares = [0] * SQUARE_COUNT
            self.enemy_cover = [0] * SQUARE_COUNT
            self.own_cover = [0] * SQUARE_COUNT
            self.promoted_cover = [0] * SQUARE_COUNT
            self.enemy_guard_squares = [0, 0]


def collect_facts(units: Units, colour: u32) -> BoardFacts:
    """Return the facts about a board on which the moves of a colour depend.

    They contain, for example, the squares of both commanders, see `BoardFacts`. The squares that the enemy's
    air defence covers are computed only if the colour has an air force, because only air forces need them.
    `colour` is 0 for Red and BLUE_BIT for Blue.
    """
    facts = BoardFacts()
    square: i32
    unit: u32
    is_guard: i32
    has_air_force: i32 = 0
    facts.own_commander = facts.enemy_commander = NO_SQUARE
    for square in range(SQUARE_COUNT):
        unit = units[square]
        if unit == 0:
            continue
        # A guard is a unit whose carrier is not the commander.
        is_guard = CARRIERS[unit & TYPES] != COMMANDER

        if (unit & BLUE_BIT) == colour:
            has_air_force |= unit >> AIR_FORCE & 1
            facts.own_guards += is_guard
            if unit & COMMANDER_BIT:
                if facts.own_commander < 0:
                    facts.own_commander = square
                else:
                    facts.extra_commanders += 1
            continue

        if is_guard:
            if facts.enemy_guards < 2:
                facts.enemy_guard_squares[facts.enemy_guards] = square
            facts.enemy_guards += 1
        if unit & COMMANDER_BIT:
            if facts.enemy_commander < 0:
                facts.enemy_commander = square
            else:
                facts.extra_commanders += 1
    if has_air_force:
        fill_air_cover(units, BLUE_BIT - colour, facts.enemy_cover)
    return facts


def may_carrier_stand(carrier: i32, square: i32) -> i32:
    """Return 1 if a piece or stack with this type of carrier may stand on a square, else 0.

    The carrier is the piece that carries the others of a stack. A navy needs water, every other carrier needs
    land.
    """
    return WATER[square] if carrier == NAVY else LAND[square]


def is_stopped_by_terrain(carrier: i32, origin: i32, previous: i32, square: i32, direction: i32) -> i32:
    """Return 1 if terrain keeps a piece or stack from moving on to the next square, else 0.

    Args:
        carrier: The type of the piece that carries the others, such as NAVY.
        origin: The square where the move begins.
        previous: The square before the next one: the last one passed, or the origin.
        square: The next square.
        direction: The direction of the move, an index of `board.DIRECTIONS`.
    """
    if carrier == NAVY:
        return 1 if not WATER[square] or is_navy_barrier(previous, square) else 0
    if carrier == AIR_FORCE:
        return 0
    if not LAND[square]:
        return 1
    if carrier == ARTILLERY or carrier == ANTI_AIR or carrier == MISSILE:
        return is_stopped_by_river(origin, square, direction)
    return 0


def is_navy_barrier(previous: i32, square: i32) -> i32:
    """Return 1 if no navy may go from the square `previous` to its neighbour `square`, else 0.

    The mouth of the river is closed on the diagonals c5-d6 and c8-d7, in both directions.
    """
    if previous == C5:
        return square == D6
    if previous == D6:
        return square == C5
    if previous == C8:
        return square == D7
    return previous == D7 and square == C8


def is_stopped_by_river(origin: i32, square: i32, direction: i32) -> i32:
    """Return 1 if the river keeps a heavy piece from a square, else 0.

    Artillery, anti-air and missiles are heavy. They cross the river only along one of the files with a
    bridge.

    Args:
        origin: The square where the move begins.
        square: The square to enter.
        direction: The direction of the move, an index of `board.DIRECTIONS`.
    """
    crosses_river: i32 = (origin < FIRST_UPPER_SQUARE) != (square < FIRST_UPPER_SQUARE)
    file: i32 = get_file(square)
    if not crosses_river or get_file(origin) < FILE_C or file < FILE_C:
        return 0
    if direction != UP and direction != DOWN:
        return 1
    return file != FILE_F and file != FILE_H


def fill_sight(units: Units, facts: BoardFacts, origin: i32) -> None:
    """Mark in `facts.sight` the squares that the enemy commander sees (spec/cotulenh 8).

    It sees along its file and rank, as far as the first unit, in the directions that lead towards `origin`.
    The own commander stands on `origin`. It may not enter these squares, and it does not block the view. The
    mark is 1, all other squares are 0.
    """
    square: i32
    enemy: i32 = facts.enemy_commander
    step: i32
    last_file: i32
    for square in range(SQUARE_COUNT):
        facts.sight[square] = 0
    if enemy < 0:
        return

    # Along the file of the enemy commander.
    step = RANK_STEP if get_rank(origin) > get_rank(enemy) else -RANK_STEP
    square = enemy + step
    while 0 <= square < SQUARE_COUNT:
        if units[square] and square != origin:
            break
        facts.sight[square] = 1
        square += step
    if get_file(origin) == get_file(enemy):
        return

    # Along its rank, as far as the edge of the board.
    step = 1 if get_file(origin) > get_file(enemy) else -1
    last_file = LAST_FILE if step > 0 else 0
    square = enemy
    while get_file(square) != last_file:
        square += step
        if units[square] and square != origin:
            break
        facts.sight[square] = 1


def generate_unit(units: Units, moves: MoveList, facts: BoardFacts, origin: i32, mover: u32) -> i32:
    """Append to `moves` every move of one unit, or one member of a stack, from a square.

    The danger to the mover's own commander is not tested. Return 0.

    Args:
        units: The board.
        moves: The list to append to.
        facts: The facts about the board, see `collect_facts`.
        origin: The square where the mover stands.
        mover: The unit that moves: all of the unit on `origin`, or one member of it.
    """
    carrier: i32 = CARRIERS[mover & TYPES]
    heroic: i32 = has_heroic(mover, carrier)
    move_range: i32 = RANGES[carrier] + heroic
    capture_range: i32
    direction: i32
    distance: i32
    square: i32
    previous: i32
    terrain_stops: i32
    is_blocked: i32
    flight: i32
    survives: i32
    target_carrier: i32
    unit: u32
    joined_carrier: i32
    if carrier == COMMANDER:
        move_range = RAY_LENGTH
        fill_sight(units, facts, origin)
    for direction in range(DIRECTION_COUNT if heroic or MOVES_DIAGONALLY[carrier] else FIRST_DIAGONAL):
        terrain_stops = is_blocked = 0
        flight = FLYING_SAFE
        previous = origin
        for distance in range(1, RAY_LENGTH + 1):
            square = RAYS[origin][direction][distance - 1]
            if square < 0 or (carrier == COMMANDER and facts.sight[square]):
                break
            if carrier == AIR_FORCE and not heroic:
                flight = advance_flight(flight, facts.enemy_cover[square])
                if flight == FLYING_LOST:
                    break
            if distance > move_range:
                break
            # A missile goes one square less far on diagonals.
            if carrier == MISSILE and direction >= FIRST_DIAGONAL and distance == move_range:
                break
            if not terrain_stops:
                terrain_stops = is_stopped_by_terrain(carrier, origin, previous, square, direction)
            previous = square
            unit = units[square]

            # An empty square: a quiet move.
            if unit == 0:
                survives = carrier != AIR_FORCE or flight == FLYING_SAFE
                if survives and not terrain_stops and not is_blocked:
                    if WATER[square] if carrier == NAVY else LAND[square]:
                        moves.add_move(origin, square, mover, QUIET | facts.deploy_flag)
                continue

            target_carrier = CARRIERS[unit & TYPES]
            if (unit ^ mover) & BLUE_BIT:
                # An enemy unit: captures.
                if carrier == COMMANDER:
                    if distance == 1 and (direction < FIRST_DIAGONAL or target_carrier != COMMANDER):
                        add_captures(moves, facts, origin, square, mover, carrier, flight)
                    break
                capture_range = move_range - 1 if carrier == NAVY and target_carrier != NAVY else move_range
                if distance <= capture_range:
                    add_captures(moves, facts, origin, square, mover, carrier, flight)
            else:
                # An own unit: join it. This repeats `stacks.combine_units`, because a call would be slower.
                if not terrain_stops and not is_blocked and not mover & unit & TYPES:
                    joined_carrier = CARRIERS[(mover | unit) & TYPES]
                    if joined_carrier >= 0 and may_carrier_stand(joined_carrier, square):
                        moves.add_move(origin, square, mover, COMBINE | facts.deploy_flag)
                if carrier == COMMANDER:
                    break

            # Air forces fly over every unit, and navies pass all units but navies.
            if carrier != AIR_FORCE and (carrier != NAVY or target_carrier == NAVY):
                is_blocked = 1
            if is_blocked and not SHOOTS_OVER[carrier]:
                break
    return 0


def add_captures(
    moves: MoveList, facts: BoardFacts, origin: i32, target: i32, mover: u32, carrier: i32, flight: i32
) -> i32:
    """Append to `moves` the captures of a unit on `target`: normal, stay or suicide. Return 0.

    A stay capture leaves the mover on its square, because it may not stand on the target. An air force may
    choose it on land, too, unless it deploys. In a suicide capture air defence destroys the air force.

    Args:
        moves: The list to append to.
        facts: The facts about the board, whose `deploy_flag` is used.
        origin: The square of the mover.
        target: The square of the captured unit.
        mover: The unit that moves.
        carrier: The type of its carrier.
        flight: FLYING_SAFE unless air defence destroys the carrier.
    """
    if carrier != AIR_FORCE:
        if may_carrier_stand(carrier, target):
            return moves.add_move(origin, target, mover, CAPTURE | facts.deploy_flag)
        return moves.add_move(origin, target, mover, STAY | facts.deploy_flag)

    if flight != FLYING_SAFE:
        return moves.add_move(origin, target, mover, SUICIDE | facts.deploy_flag)
    if LAND[target]:
        moves.add_move(origin, target, mover, CAPTURE | facts.deploy_flag)
        # A deploying air force that may land on the target may not stay.
        if facts.deploy_flag:
            return 0
    return moves.add_move(origin, target, mover, STAY | facts.deploy_flag)


def generate_members(units: Units, moves: MoveList, facts: BoardFacts, origin: i32, types: u32) -> i32:
    """Append to `moves` the deploy steps of some members of a stack. Return 0.

    Each member moves alone. The danger to the mover's own commander is not tested. `origin` is the square of
    the stack. `types` is the set of the piece types of these members, one bit for each type.
    """
    piece_type: i32
    facts.deploy_flag = DEPLOY
    for piece_type in range(TYPE_COUNT):
        if types >> piece_type & 1:
            generate_unit(units, moves, facts, origin, select_types(units[origin], 1 << piece_type))
    facts.deploy_flag = 0
    return 0


def generate_all(units: Units, colour: u32, moves: MoveList, facts: BoardFacts) -> i32:
    """Append to `moves` every move with which a turn of a colour can begin.

    These are the deploy steps of the members of its stacks, and the moves of its whole units. The danger to
    its commander is not tested. `colour` is 0 for Red and BLUE_BIT for Blue. Return 0.
    """
    square: i32
    unit: u32
    for square in range(SQUARE_COUNT):
        unit = units[square]
        if unit == 0 or (unit & BLUE_BIT) != colour:
            continue
        if is_stack(unit):
            generate_members(units, moves, facts, square, unit & TYPES)
        generate_unit(units, moves, facts, square, unit)
    return 0
