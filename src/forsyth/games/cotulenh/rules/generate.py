"""Generating moves of CoTuLenh on a bare board (spec/cotulenh 4, 5 and 10).

A move is a number: origin, target (above bit 8), the types that go (above bit 16) and flags (above bit 27).
The module runs as it is and compiles with Cython (`generate.pxd` gives the C types).
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
        DIAGONAL,
        FLYING_LOST,
        FLYING_SAFE,
        RANGES,
        SHOOTS_OVER,
        Units,
        find_air,
        fly,
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
    QUIET: Final = 1
    CAPTURE: Final = 2
    STAY: Final = 4
    SUICIDE: Final = 8
    DEPLOY: Final = 16
    COMBINE: Final = 32
    UNSETTLED: Final = 0
    SAFE: Final = 1
    ENDANGERED: Final = 2

if cython.compiled:
    from cython.cimports.libc.stdlib import free, realloc


class MoveList:
    """A list of moves as numbers that grows as needed."""

    if not cython.compiled:
        __slots__ = ("count", "items", "size")
        items: list[int]
        count: int
        size: int

        def __init__(self) -> None:
            self.items = []
            self.count = 0

    if cython.compiled:

        def __dealloc__(self) -> None:
            free(self.items)

    def add(self, origin: i32, target: i32, unit: u32, flags: i32) -> i32:
        """Add a move of some types of a unit."""
        if cython.compiled:
            return self.keep(
                cython.cast(u64, origin)
                | cython.cast(u64, target) << 8
                | cython.cast(u64, unit & TYPES) << 16
                | cython.cast(u64, flags) << 27
            )
        return self.keep(origin | target << 8 | (unit & TYPES) << 16 | flags << 27)

    def keep(self, move: u64) -> i32:
        """Add a move given as a number."""
        if cython.compiled:
            if self.count == self.size:
                grown = cython.cast(cython.pointer(u64), realloc(self.items, (self.size + 256) * 8))
                if not grown:
                    raise MemoryError
                self.items = grown
                self.size += 256
            self.items[self.count] = move
        else:
            self.items.append(move)
        self.count += 1
        return 0

    def shorten(self, count: i32) -> None:
        """Keep only the first moves."""
        self.count = count
        if not cython.compiled:
            del self.items[count:]

    def numbers(self) -> list[int]:
        """The moves as numbers."""
        if cython.compiled:
            return [self.items[i] for i in range(self.count)]
        return self.items


class Setting:
    """What the moves of one side and the safety of its commander depend on, found in one walk over the board.

    `air` is what the enemy's air defence covers, where the mover's air forces mind it. Guards are units
    whose carrier is no commander; `watched` are the squares of the enemy's, where it has no more than two.
    `spare` counts commanders that a side has beyond its first. `deploy` is DEPLOY while members of stacks
    move alone. The rest is for `safety` to fill: `home` is what own air defence covers, once it was asked for
    (`guarded`), `shelter` what it covers after a move that does not concern it.
    """

    if not cython.compiled:
        __slots__ = (
            "air",
            "deploy",
            "enemy_commander",
            "enemy_guards",
            "guarded",
            "guards",
            "home",
            "lines",
            "own_commander",
            "raid",
            "rescue",
            "seen",
            "shelter",
            "shields",
            "spare",
            "state",
            "watched",
        )
        own_commander: int
        enemy_commander: int
        guards: int
        enemy_guards: int
        spare: int
        deploy: int
        guarded: int
        lines: int
        raid: int
        state: int
        seen: list[int]
        shields: list[int]
        rescue: list[int]
        air: list[int]
        home: list[int]
        shelter: list[int]
        watched: list[int]

        def __init__(self) -> None:
            self.spare = self.guards = self.enemy_guards = self.deploy = 0
            self.guarded = self.lines = self.raid = self.state = 0
            self.seen = [0] * SQUARE_COUNT
            self.shields = [0] * SQUARE_COUNT
            self.rescue = [0] * SQUARE_COUNT
            self.air = [0] * SQUARE_COUNT
            self.home = [0] * SQUARE_COUNT
            self.shelter = [0] * SQUARE_COUNT
            self.watched = [0, 0]


def setting_of(units: Units, colour: u32) -> Setting:
    """The setting for the moves of a colour."""
    setting = Setting()
    square: i32
    unit: u32
    guard: i32
    flies: i32 = 0
    setting.own_commander = setting.enemy_commander = -1
    for square in range(SQUARE_COUNT):
        unit = units[square]
        if unit == 0:
            continue
        guard = CARRIERS[unit & TYPES] != COMMANDER
        if unit & BLUE_BIT == colour:
            flies |= unit >> AIR_FORCE & 1
            setting.guards += guard
            if unit & 1:
                setting.spare += setting.own_commander >= 0
                if setting.own_commander < 0:
                    setting.own_commander = square
            continue
        if guard:
            if setting.enemy_guards < 2:
                setting.watched[setting.enemy_guards] = square
            setting.enemy_guards += 1
        if unit & 1:
            setting.spare += setting.enemy_commander >= 0
            if setting.enemy_commander < 0:
                setting.enemy_commander = square
    if flies:
        find_air(units, BLUE_BIT - colour, setting.air)
    return setting


def terrain_stops(kind: i32, origin: i32, before: i32, square: i32, direction: i32) -> i32:
    """Whether a carrier may not go on to a square (spec/cotulenh 2)."""
    if kind == NAVY:
        if not WATER[square]:
            return 1
        # c5-d6 and c8-d7, both ways: the mouth of the river is closed on these diagonals.
        if (before == 46 and square == 58) or (before == 58 and square == 46):
            return 1
        return 1 if (before == 79 and square == 69) or (before == 69 and square == 79) else 0
    if kind != AIR_FORCE and not LAND[square]:
        return 1
    if kind == ARTILLERY or kind == ANTI_AIR or kind == MISSILE:
        if (origin < 66) != (square < 66) and origin % 11 >= 2 and square % 11 >= 2:
            if direction == 0 or direction == 2:
                return 0 if square % 11 == 5 or square % 11 == 7 else 1
            return 1
    return 0


def look(units: Units, setting: Setting, origin: i32) -> None:
    """What the enemy's commander sees of the way of a commander on a square (spec/cotulenh 8)."""
    square: i32
    eye: i32 = setting.enemy_commander
    step: i32
    for square in range(SQUARE_COUNT):
        setting.seen[square] = 0
    if eye < 0:
        return
    step = 11 if origin // 11 > eye // 11 else -11
    square = eye + step
    while 0 <= square < SQUARE_COUNT:
        if units[square] and square != origin:
            break
        setting.seen[square] = 1
        square += step
    if origin % 11 == eye % 11:
        return
    step = 1 if origin % 11 > eye % 11 else -1
    square = eye
    while (square % 11 < 10) if step > 0 else (square % 11 > 0):
        square += step
        if units[square] and square != origin:
            break
        setting.seen[square] = 1


def generate_unit(units: Units, out: MoveList, setting: Setting, origin: i32, mover: u32) -> i32:
    """Every move of one mover from one square, danger to its own commander aside (spec/cotulenh 4)."""
    kind: i32 = CARRIERS[mover & TYPES]
    heroic: i32 = mover >> (kind + HEROIC_SHIFT) & 1
    reach: i32 = RANGES[kind] + heroic
    capture: i32
    direction: i32
    k: i32
    square: i32
    before: i32
    terrain: i32
    blocked: i32
    flight: i32
    here: i32
    unit: u32
    joined: u32
    if kind == COMMANDER:
        reach = 12
        look(units, setting, origin)
    for direction in range(8 if heroic or DIAGONAL[kind] else 4):
        terrain = blocked = 0
        flight = FLYING_SAFE
        before = origin
        for k in range(1, 13):
            square = RAYS[origin][direction][k - 1]
            if square < 0 or (kind == COMMANDER and setting.seen[square]):
                break
            if kind == AIR_FORCE and not heroic:
                flight = fly(flight, setting.air[square])
                if flight == FLYING_LOST:
                    break
            if k > reach or (kind == MISSILE and direction > 3 and k > reach - 1):
                break
            if not terrain:
                terrain = terrain_stops(kind, origin, before, square, direction)
            before = square
            unit = units[square]
            if unit == 0:
                if not terrain and not blocked and (kind != AIR_FORCE or flight == FLYING_SAFE):
                    if WATER[square] if kind == NAVY else LAND[square]:
                        out.add(origin, square, mover, QUIET | setting.deploy)
                continue
            here = CARRIERS[unit & TYPES]
            if (unit ^ mover) & BLUE_BIT:
                if kind == COMMANDER:
                    if k == 1 and (direction < 4 or here != COMMANDER):
                        add_captures(out, setting, origin, square, mover, kind, flight)
                    break
                capture = reach - 1 if kind == NAVY and here != NAVY else reach
                if k <= capture:
                    add_captures(out, setting, origin, square, mover, kind, flight)
            else:
                # As `stacks.combine` would, without leaving this loop.
                joined = (mover | unit) & TYPES
                if not terrain and not blocked and not mover & unit & TYPES and CARRIERS[joined] >= 0:
                    if WATER[square] if CARRIERS[joined] == NAVY else LAND[square]:
                        out.add(origin, square, mover, COMBINE | setting.deploy)
                if kind == COMMANDER:
                    break
            if kind != AIR_FORCE and (kind != NAVY or here == NAVY):
                blocked = 1
            if blocked and not SHOOTS_OVER[kind]:
                break
    return 0


def add_captures(
    out: MoveList, setting: Setting, origin: i32, target: i32, mover: u32, kind: i32, flight: i32
) -> i32:
    """The ways a mover may capture on a square (spec/cotulenh 5)."""
    if kind == AIR_FORCE:
        if flight != FLYING_SAFE:
            return out.add(origin, target, mover, SUICIDE | setting.deploy)
        if LAND[target]:
            out.add(origin, target, mover, CAPTURE | setting.deploy)
            if setting.deploy:
                return 0
        return out.add(origin, target, mover, STAY | setting.deploy)
    if kind == NAVY:
        return out.add(origin, target, mover, (CAPTURE if WATER[target] else STAY) | setting.deploy)
    return out.add(origin, target, mover, (CAPTURE if LAND[target] else STAY) | setting.deploy)


def generate_members(units: Units, out: MoveList, setting: Setting, origin: i32, types: u32) -> i32:
    """Deploy steps: each of some members of a stack alone."""
    unit: u32 = units[origin]
    kind: i32
    setting.deploy = DEPLOY
    for kind in range(11):
        if types >> kind & 1:
            generate_unit(
                units, out, setting, origin, unit & (BLUE_BIT | 1 << kind | 1 << (kind + HEROIC_SHIFT))
            )
    setting.deploy = 0
    return 0


def generate_all(units: Units, colour: u32, out: MoveList, setting: Setting) -> i32:
    """Every move of a side outside a session: members of stacks as deploy steps, and whole units."""
    square: i32
    unit: u32
    for square in range(SQUARE_COUNT):
        unit = units[square]
        if unit == 0 or unit & BLUE_BIT != colour:
            continue
        if unit & TYPES & ((unit & TYPES) - 1):
            generate_members(units, out, setting, square, unit & TYPES)
        generate_unit(units, out, setting, square, unit)
    return 0
