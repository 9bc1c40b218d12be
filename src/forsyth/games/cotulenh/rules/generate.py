"""Generate the moves of CoTuLenh on a bare board (spec/cotulenh 4, 5 and 10).

A move is a number with four fields: the origin (SQUARE_MASK), the target (from bit TARGET_SHIFT), the set of
the types that go (from bit TYPES_SHIFT) and the flags (from bit FLAGS_SHIFT). A colour is 0 for Red and
BLUE_BIT for Blue. The module runs as it is and compiles with Cython (`generate.pxd` gives the C types).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from typing import Final

    from forsyth.games.cotulenh.board import LAND, RAYS, SQUARE_COUNT, WATER, i32, u32, u64
    from forsyth.games.cotulenh.rules.attacks import (
        COMMANDER_BIT,
        FLYING_LOST,
        FLYING_SAFE,
        MOVES_DIAGONALLY,
        RANGES,
        SHOOTS_OVER,
        TYPES_SHIFT,
        Units,
        advance_flight,
        fill_air_cover,
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
    FIRST_UPPER_SQUARE: Final = 66
    """a7, the first square beyond the river seen from Red's side."""
    C5: Final = 46
    D6: Final = 58
    D7: Final = 69
    C8: Final = 79

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
        """Append the packed move of all pieces of `unit` from `origin` to `target`. Return 0.

        `flags` are bits such as CAPTURE or ``DEPLOY | COMBINE``.
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
                grown = cython.cast(cython.pointer(u64), realloc(self.items, (self.capacity + GROWTH) * 8))
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
            return [self.items[i] for i in range(self.count)]
        return self.items


class BoardFacts:
    """Facts about a board that the moves of one side and the safety of its commander depend on.

    `collect_facts` finds these in one walk over the board:

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
    """Return the facts about a board on which the moves of a colour depend, such as both commanders' squares.

    The cover of the enemy's air defence is computed only if the colour has an air force.
    """
    facts = BoardFacts()
    square: i32
    unit: u32
    is_guard: i32
    has_air_force: i32 = 0
    facts.own_commander = facts.enemy_commander = -1
    for square in range(SQUARE_COUNT):
        unit = units[square]
        if unit == 0:
            continue
        is_guard = CARRIERS[unit & TYPES] != COMMANDER
        if unit & BLUE_BIT == colour:
            has_air_force |= unit >> AIR_FORCE & 1
            facts.own_guards += is_guard
            if unit & COMMANDER_BIT:
                facts.extra_commanders += facts.own_commander >= 0
                if facts.own_commander < 0:
                    facts.own_commander = square
            continue
        if is_guard:
            if facts.enemy_guards < 2:
                facts.enemy_guard_squares[facts.enemy_guards] = square
            facts.enemy_guards += 1
        if unit & COMMANDER_BIT:
            facts.extra_commanders += facts.enemy_commander >= 0
            if facts.enemy_commander < 0:
                facts.enemy_commander = square
    if has_air_force:
        fill_air_cover(units, BLUE_BIT - colour, facts.enemy_cover)
    return facts


def is_stopped_by_terrain(kind: i32, origin: i32, previous: i32, square: i32, direction: i32) -> i32:
    """Return 1 if terrain keeps a carrier from passing on to a square, else 0 (spec/cotulenh 2).

    Args:
        kind: The type of the carrier.
        origin: The square where the move begins.
        previous: The last square that was passed.
        square: The square to enter.
        direction: The direction of the move.
    """
    crosses_river: i32
    if kind == NAVY:
        if not WATER[square]:
            return 1
        # The mouth of the river is closed on the diagonals c5-d6 and c8-d7, in both directions.
        if (previous == C5 and square == D6) or (previous == D6 and square == C5):
            return 1
        return 1 if (previous == C8 and square == D7) or (previous == D7 and square == C8) else 0
    if kind != AIR_FORCE and not LAND[square]:
        return 1
    if kind == ARTILLERY or kind == ANTI_AIR or kind == MISSILE:
        crosses_river = (origin < FIRST_UPPER_SQUARE) != (square < FIRST_UPPER_SQUARE)
        if crosses_river and origin % 11 >= 2 and square % 11 >= 2:
            # The bridges are on the files f and h, and a piece crosses them along its file.
            if direction == 0 or direction == 2:
                return 0 if square % 11 == 5 or square % 11 == 7 else 1
            return 1
    return 0


def fill_sight(units: Units, facts: BoardFacts, origin: i32) -> None:
    """Set `facts.sight` to 1 for the squares that the enemy commander sees, else to 0 (spec/cotulenh 8).

    It looks along its file and rank, as far as the first unit, in the directions that lead towards `origin`.
    The commander on `origin` may not enter these squares, and does not block the view.
    """
    square: i32
    enemy: i32 = facts.enemy_commander
    step: i32
    for square in range(SQUARE_COUNT):
        facts.sight[square] = 0
    if enemy < 0:
        return
    step = 11 if origin // 11 > enemy // 11 else -11
    square = enemy + step
    while 0 <= square < SQUARE_COUNT:
        if units[square] and square != origin:
            break
        facts.sight[square] = 1
        square += step
    if origin % 11 == enemy % 11:
        return
    step = 1 if origin % 11 > enemy % 11 else -1
    square = enemy
    while (square % 11 < 10) if step > 0 else (square % 11 > 0):
        square += step
        if units[square] and square != origin:
            break
        facts.sight[square] = 1


def generate_unit(units: Units, moves: MoveList, facts: BoardFacts, origin: i32, mover: u32) -> i32:
    """Append to `moves` every move of one unit, or one member of a stack, from a square (spec/cotulenh 4).

    The moves are pseudo-legal: the danger to the mover's own commander is not tested.

    Args:
        units: The board.
        moves: The list to append to.
        facts: The facts about the board.
        origin: The square where the mover stands.
        mover: The unit that moves: all of the unit on `origin`, or one member of it.

    Returns:
        0.
    """
    kind: i32 = CARRIERS[mover & TYPES]
    heroic: i32 = mover >> (kind + HEROIC_SHIFT) & 1
    move_range: i32 = RANGES[kind] + heroic
    capture_range: i32
    direction: i32
    distance: i32
    square: i32
    before: i32
    terrain_stops: i32
    is_blocked: i32
    flight: i32
    target_carrier: i32
    unit: u32
    joined_carrier: i32
    if kind == COMMANDER:
        move_range = 12
        fill_sight(units, facts, origin)
    for direction in range(8 if heroic or MOVES_DIAGONALLY[kind] else 4):
        terrain_stops = is_blocked = 0
        flight = FLYING_SAFE
        before = origin
        for distance in range(1, 13):
            square = RAYS[origin][direction][distance - 1]
            if square < 0 or (kind == COMMANDER and facts.sight[square]):
                break
            if kind == AIR_FORCE and not heroic:
                flight = advance_flight(flight, facts.enemy_cover[square])
                if flight == FLYING_LOST:
                    break
            if distance > move_range or (kind == MISSILE and direction > 3 and distance > move_range - 1):
                break
            if not terrain_stops:
                terrain_stops = is_stopped_by_terrain(kind, origin, before, square, direction)
            before = square
            unit = units[square]
            if unit == 0:
                if not terrain_stops and not is_blocked and (kind != AIR_FORCE or flight == FLYING_SAFE):
                    if WATER[square] if kind == NAVY else LAND[square]:
                        moves.add_move(origin, square, mover, QUIET | facts.deploy_flag)
                continue
            target_carrier = CARRIERS[unit & TYPES]
            if (unit ^ mover) & BLUE_BIT:
                if kind == COMMANDER:
                    if distance == 1 and (direction < 4 or target_carrier != COMMANDER):
                        add_captures(moves, facts, origin, square, mover, kind, flight)
                    break
                capture_range = move_range - 1 if kind == NAVY and target_carrier != NAVY else move_range
                if distance <= capture_range:
                    add_captures(moves, facts, origin, square, mover, kind, flight)
            else:
                # The same test as in `stacks.combine`; a call would slow this loop down.
                if not terrain_stops and not is_blocked and not mover & unit & TYPES:
                    joined_carrier = CARRIERS[(mover | unit) & TYPES]
                    if joined_carrier >= 0 and (WATER[square] if joined_carrier == NAVY else LAND[square]):
                        moves.add_move(origin, square, mover, COMBINE | facts.deploy_flag)
                if kind == COMMANDER:
                    break
            if kind != AIR_FORCE and (kind != NAVY or target_carrier == NAVY):
                is_blocked = 1
            if is_blocked and not SHOOTS_OVER[kind]:
                break
    return 0


def add_captures(
    moves: MoveList, facts: BoardFacts, origin: i32, target: i32, mover: u32, kind: i32, flight: i32
) -> i32:
    """Append the captures that a mover has on `target`: normal, stay or suicide (spec/cotulenh 5).

    A stay capture leaves the mover on its square, because it may not stand on the target. An air force may
    also choose it on land, unless it deploys. In a suicide capture air defence destroys the air force, too.

    Args:
        moves: The list to append to.
        facts: The facts about the board.
        origin: The square of the mover.
        target: The square of the captured unit.
        mover: The unit that moves.
        kind: The type of its carrier.
        flight: FLYING_SAFE unless the carrier is an air force that enemy air defence destroys on the target.

    Returns:
        0.
    """
    if kind == AIR_FORCE:
        if flight != FLYING_SAFE:
            return moves.add_move(origin, target, mover, SUICIDE | facts.deploy_flag)
        if LAND[target]:
            moves.add_move(origin, target, mover, CAPTURE | facts.deploy_flag)
            if facts.deploy_flag:
                return 0
        return moves.add_move(origin, target, mover, STAY | facts.deploy_flag)
    if kind == NAVY:
        return moves.add_move(origin, target, mover, (CAPTURE if WATER[target] else STAY) | facts.deploy_flag)
    return moves.add_move(origin, target, mover, (CAPTURE if LAND[target] else STAY) | facts.deploy_flag)


def generate_members(units: Units, moves: MoveList, facts: BoardFacts, origin: i32, types: u32) -> i32:
    """Append to `moves` the deploy steps of the members of a stack whose piece types are in the set `types`.

    Each member of the stack on `origin` moves alone. The danger to the mover's own commander is not tested.
    Return 0.
    """
    unit: u32 = units[origin]
    kind: i32
    facts.deploy_flag = DEPLOY
    for kind in range(11):
        if types >> kind & 1:
            generate_unit(
                units, moves, facts, origin, unit & (BLUE_BIT | 1 << kind | 1 << (kind + HEROIC_SHIFT))
            )
    facts.deploy_flag = 0
    return 0


def generate_all(units: Units, colour: u32, moves: MoveList, facts: BoardFacts) -> i32:
    """Append to `moves` every move with which a turn of a colour can begin.

    These are the deploy steps of the members of its stacks, and the moves of its whole units. The danger to
    its commander is not tested. Return 0.
    """
    square: i32
    unit: u32
    for square in range(SQUARE_COUNT):
        unit = units[square]
        if unit == 0 or unit & BLUE_BIT != colour:
            continue
        if is_stack(unit):
            generate_members(units, moves, facts, square, unit & TYPES)
        generate_unit(units, moves, facts, square, unit)
    return 0
