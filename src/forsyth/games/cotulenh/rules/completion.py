"""Whether a turn of CoTuLenh can be completed: what tells mate and stalemate (spec/cotulenh 10 and 17, B11).

A whole unit may have a legal move; else a stack may have a sequence of deploy steps after which the turn may
end. Pieces that travel together are tried as one step, since who goes first and is joined at once gets there
too. First steps of a stack without the commander have been found safe, so that only a navy that leaves others
on the water, and the commander's own stack, are searched deeper.

Limits: MAX_COMMIT_SEARCH moves and steps, MAX_MARK_SEARCH for the marks of a list of moves; what is not found
by then is taken to exist. The module runs as it is and compiles with Cython (`completion.pxd` has the C
types).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.rules.deploy import may_commit, moves_of, remaining_unit, taken
from forsyth.games.cotulenh.rules.generate import MoveList
from forsyth.games.cotulenh.rules.moves import USUAL, Rules
from forsyth.limits import MAX_COMMIT_SEARCH

if not cython.compiled:
    from forsyth.games.cotulenh.board import LAND, SQUARE_COUNT, WATER, i32, u32, u64
    from forsyth.games.cotulenh.rules.apply import apply
    from forsyth.games.cotulenh.rules.attacks import Units
    from forsyth.games.cotulenh.rules.generate import (
        COMBINE,
        ENDANGERED,
        STAY,
        SUICIDE,
        Board,
        Setting,
        generate_members,
        generate_unit,
        setting_of,
    )
    from forsyth.games.cotulenh.rules.safety import is_legal, keep_legal, may_rescue, weigh
    from forsyth.games.cotulenh.stacks import BLUE_BIT, CARRIERS, NAVY, TYPES


_BOARD_COST = 16
"""To go on from a board costs as much as that many tries on it."""


class Patience:
    """How many moves and steps a search may still try; one can serve many searches."""

    if not cython.compiled:
        __slots__ = ("left",)
        left: int

    def __init__(self, tries: int = MAX_COMMIT_SEARCH) -> None:
        self.left = tries


class Search:
    """One search for the end of a turn: its side and rules, and the boards it has been on."""

    if not cython.compiled:
        __slots__ = ("colour", "last_guard", "patience", "seen")
        colour: int
        last_guard: int
        patience: Patience
        seen: set[tuple[int, tuple[int, ...]]]


def completable(position: Position, rules: Rules = USUAL, patience: Patience | None = None) -> bool:
    """Whether some sequence of legal moves ends the turn; one not found in time is taken to exist."""
    search = Search()
    search.colour = BLUE_BIT if position.blue_to_move else 0
    search.last_guard = rules.last_guard
    search.patience = Patience() if patience is None else patience
    search.seen = set()
    if position.session is not None:
        return _session_ends(search, position, rules)
    setting = setting_of(position.units, search.colour)
    if setting.own_commander < 0:
        return False
    weigh(position.units, setting, search.colour, search.last_guard)
    return bool(has_whole_move(search, position.units, setting)) or bool(
        has_deployment(search, position.units, setting)
    )


def _session_ends(search: Search, position: Position, rules: Rules) -> bool:
    """Whether an open session can be ended, now or after more steps."""
    if may_commit(position):
        return True
    for number in moves_of(position, rules):
        after: Position = taken(position, number, rules)
        if may_commit(after) or after.session is None:
            return True
        left: u32 = remaining_unit(after, after.session) & TYPES
        if left and goes_on(search, after.units, number & 255, left):
            return True
    return False


def has_whole_move(search: Search, units: Units, setting: Setting) -> i32:
    """Whether a whole unit has a legal move."""
    first: i32 = setting.own_commander
    square: i32
    i: i32
    k: i32
    found = MoveList()
    # The commander itself most often has a way out; from danger on two lines nobody else can save it.
    for i in range(-1, 0 if setting.lines & (setting.lines - 1) else SQUARE_COUNT):
        square = first if i < 0 else i
        if units[square] == 0 or units[square] & BLUE_BIT != search.colour:
            continue
        found.shorten(0)
        generate_unit(units, found, setting, square, units[square])
        search.patience.left -= 1
        for k in range(found.count):
            if setting.state == ENDANGERED and not may_rescue(found.items[k], setting):
                continue
            search.patience.left -= 1
            if search.patience.left < 0 or is_legal(
                units, found.items[k], setting, search.colour, search.last_guard
            ):
                return 1
    return 0


def has_deployment(search: Search, units: Units, setting: Setting) -> i32:
    """Whether a stack has deploy steps after which the turn may end."""
    square: i32
    unit: u32
    for square in range(SQUARE_COUNT):
        unit = units[square]
        if unit == 0 or unit & BLUE_BIT != search.colour or not unit & TYPES & ((unit & TYPES) - 1):
            continue
        if setting.lines & (setting.lines - 1) and not unit & 1:
            continue
        found = MoveList()
        generate_members(units, found, setting, square, unit & TYPES)
        search.patience.left -= 1
        keep_legal(units, search.colour, found, setting, search.last_guard)
        if some_end(search, units, setting, found, unit & TYPES):
            return 1
    return 0


def goes_on(search: Search, units: Units, origin: i32, types: u32) -> i32:
    """Whether a session with some members still to move can be ended after at least one more step."""
    place = (types, _board_of(units))
    if place in search.seen:
        return 0
    search.seen.add(place)
    search.patience.left -= _BOARD_COST
    setting = setting_of(units, search.colour)
    found = MoveList()
    generate_members(units, found, setting, origin, types)
    if setting.own_commander >= 0:
        weigh(units, setting, search.colour, search.last_guard)
    return some_end(search, units, setting, found, types)


def some_end(search: Search, units: Units, setting: Setting, found: MoveList, types: u32) -> i32:
    """Whether one of some steps, alone or with others of the members that are to move, lets the turn end, at
    once or after more steps."""
    steps = MoveList()
    i: i32
    others: u32
    company: u32
    number: u64
    for i in range(found.count):
        others = types & ~(found.items[i] >> 16)
        company = others
        # Every set of others that may come along, the empty one last.
        while True:
            number = with_company(units, found.items[i], company)
            if number:
                steps.keep(number)
                if search.patience.left < 0 or may_end(search, units, setting, number):
                    return 1
            if company == 0:
                break
            company = (company - 1) & others
    trial: Board
    if not cython.compiled:
        trial = [0] * SQUARE_COUNT
    for i in range(steps.count):
        number = steps.items[i]
        others = types & ~(number >> 16)
        if others == 0:
            continue
        _copy(units, trial)
        apply(trial, number, search.colour, search.last_guard)
        if goes_on(search, trial, number & 255, others):
            return 1
    return 0


def with_company(units: Units, number: u64, company: u32) -> u64:
    """The step of a member that takes others along; 0 if it cannot (spec/cotulenh 11, recombine)."""
    target: i32 = number >> 8 & 255
    types: u32 = (number >> 16 & TYPES) | company
    carrier: i32 = CARRIERS[types]
    if company == 0:
        return number
    if carrier < 0 or not number >> (16 + carrier) & 1 or number >> 27 & (STAY | SUICIDE):
        return 0
    if not (WATER[target] if carrier == NAVY else LAND[target]):
        return 0
    if number >> 27 & COMBINE and (units[target] & types or CARRIERS[(units[target] | types) & TYPES] < 0):
        return 0
    if cython.compiled:
        company64: u64 = company
        return number | company64 << 16
    return number | company << 16


def may_end(search: Search, units: Units, setting: Setting, number: u64) -> i32:
    """Whether the turn may end after a step: what is left may stay, and the commander is safe."""
    origin: i32 = number & 255
    left: u32 = units[origin] & TYPES
    if not number >> 27 & STAY:
        left &= ~(number >> 16)
    if left and not (WATER[origin] if CARRIERS[left] == NAVY else LAND[origin]):
        return 0
    if setting.own_commander < 0:
        return 1
    if setting.state == ENDANGERED and not may_rescue(number, setting):
        return 0
    search.patience.left -= 1
    return is_legal(units, number, setting, search.colour, search.last_guard)


def _copy(units: Units, copy: Board) -> None:
    square: i32
    for square in range(SQUARE_COUNT):
        copy[square] = units[square]


def _board_of(units: Units) -> tuple[int, ...]:
    """A board as something that can be remembered."""
    return tuple([units[square] for square in range(SQUARE_COUNT)])
