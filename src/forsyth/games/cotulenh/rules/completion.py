"""Check whether a turn of CoTuLenh can be completed, which decides mate and stalemate.

Rules: spec/cotulenh 10 and 17 (B11).

A turn can be completed if a whole unit has a legal move, or if a stack has a sequence of deploy steps after
which the turn may end. Pieces that travel together are tried as one step: the first of them goes alone and
the others join it, which has the same result. The first steps of a stack without the commander have been
tested already, so that a deeper search is needed only for the stack of the commander, and for a navy that
leaves passengers on the water.

Limits: a search tries at most MAX_COMMIT_SEARCH moves and steps, and MAX_MARK_SEARCH for the marks of a list
of moves. A turn that is not found within the limit is assumed to exist. The module runs as it is and compiles
with Cython (`completion.pxd` has the C types).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.rules.deploy import legal_moves, may_commit, remaining_unit, take_step
from forsyth.games.cotulenh.rules.generate import MoveList
from forsyth.games.cotulenh.rules.moves import DEFAULT_RULES, Rules
from forsyth.limits import MAX_COMMIT_SEARCH

if not cython.compiled:
    from forsyth.games.cotulenh.board import LAND, SQUARE_COUNT, WATER, i32, u32, u64
    from forsyth.games.cotulenh.rules.apply import apply_move
    from forsyth.games.cotulenh.rules.attacks import (
        COMMANDER_BIT,
        SQUARE_MASK,
        TYPES_SHIFT,
        Units,
        is_stack,
    )
    from forsyth.games.cotulenh.rules.generate import (
        COMBINE,
        ENDANGERED,
        FLAGS_SHIFT,
        STAY,
        SUICIDE,
        TARGET_SHIFT,
        Board,
        BoardFacts,
        collect_facts,
        generate_members,
        generate_unit,
    )
    from forsyth.games.cotulenh.rules.safety import (
        assess_commander,
        drop_illegal_moves,
        is_legal_move,
        may_rescue,
    )
    from forsyth.games.cotulenh.stacks import BLUE_BIT, CARRIERS, NAVY, TYPES


_COST_PER_BOARD = 16
"""The cost of a search from a new board, in tries."""


class SearchBudget:
    """The number of moves and steps that a search may still try. Several searches can share one budget."""

    if not cython.compiled:
        __slots__ = ("tries_left",)
        tries_left: int

    def __init__(self, tries: int = MAX_COMMIT_SEARCH) -> None:
        self.tries_left = tries


class Search:
    """One search for a way to end the turn.

    `colour` is the bit of the side to move. `last_guard` is 1 if the last guard of a side is promoted, else
    0. `visited` has the boards that need no second test, each with the types that still had to move.
    """

    if not cython.compiled:
        __slots__ = ("budget", "colour", "last_guard", "visited")
        colour: int
        last_guard: int
        budget: SearchBudget
        visited: set[tuple[int, tuple[int, ...]]]


def can_complete_turn(
    position: Position, rules: Rules = DEFAULT_RULES, budget: SearchBudget | None = None
) -> bool:
    """Return whether the side to move can complete its turn, by one move or by deploy steps and a commit.

    If it cannot, the game is over by mate or stalemate. The result is True if the search runs out of its
    budget.

    Args:
        position: The position, with or without an open deploy session.
        rules: The rule options.
        budget: The tries that are left, which the search reduces. None gives a new budget of
            MAX_COMMIT_SEARCH.
    """
    search = Search()
    search.colour = BLUE_BIT if position.blue_to_move else 0
    search.last_guard = rules.last_guard
    search.budget = SearchBudget() if budget is None else budget
    search.visited = set()
    if position.session is not None:
        return _can_end_session(search, position, rules)
    facts = collect_facts(position.units, search.colour)
    if facts.own_commander < 0:
        return False
    assess_commander(position.units, facts, search.colour, search.last_guard)
    return bool(has_whole_move(search, position.units, facts)) or bool(
        has_deployment(search, position.units, facts)
    )


def _can_end_session(search: Search, position: Position, rules: Rules) -> bool:
    """Return whether the open deploy session of a position can be committed, now or after more steps."""
    if may_commit(position):
        return True
    for step in legal_moves(position, rules):
        after: Position = take_step(position, step, rules)
        if may_commit(after) or after.session is None:
            return True
        remaining: u32 = remaining_unit(after, after.session) & TYPES
        if remaining and can_continue(search, after.units, step & SQUARE_MASK, remaining):
            return True
    return False


def has_whole_move(search: Search, units: Units, facts: BoardFacts) -> i32:
    """Return 1 if a whole unit of the side, not a part of a stack, has a legal move, else 0.

    The result is also 1 if the budget of the search is used up. `facts` must contain the state of the
    commander.
    """
    first: i32 = facts.own_commander
    is_double_danger: i32 = (facts.danger_directions & (facts.danger_directions - 1)) != 0
    square: i32
    i: i32
    j: i32
    moves = MoveList()
    # The commander most often has a move itself. In danger on two lines, no other unit can save it.
    for i in range(-1, 0 if is_double_danger else SQUARE_COUNT):
        square = first if i < 0 else i
        if units[square] == 0 or units[square] & BLUE_BIT != search.colour:
            continue
        moves.truncate(0)
        generate_unit(units, moves, facts, square, units[square])
        search.budget.tries_left -= 1
        for j in range(moves.count):
            if facts.commander_state == ENDANGERED and not may_rescue(moves.items[j], facts):
                continue
            search.budget.tries_left -= 1
            if search.budget.tries_left < 0 or is_legal_move(
                units, moves.items[j], facts, search.colour, search.last_guard
            ):
                return 1
    return 0


def has_deployment(search: Search, units: Units, facts: BoardFacts) -> i32:
    """Return 1 if a stack of the side has deploy steps after which the turn may be committed, else 0.

    The result is also 1 if the budget of the search is used up. `facts` must contain the state of the
    commander.
    """
    square: i32
    unit: u32
    is_double_danger: i32 = (facts.danger_directions & (facts.danger_directions - 1)) != 0
    for square in range(SQUARE_COUNT):
        unit = units[square]
        if unit == 0 or unit & BLUE_BIT != search.colour or not is_stack(unit):
            continue
        if is_double_danger and not unit & COMMANDER_BIT:
            continue
        steps = MoveList()
        generate_members(units, steps, facts, square, unit & TYPES)
        search.budget.tries_left -= 1
        drop_illegal_moves(units, search.colour, steps, facts, search.last_guard)
        if has_ending_step(search, units, facts, steps, unit & TYPES):
            return 1
    return 0


def can_continue(search: Search, units: Units, origin: i32, types: u32) -> i32:
    """Return 1 if an open deploy session can be committed after at least one more step, else 0.

    A board that was tested before gives 0, so that no board is searched twice.

    Args:
        search: The search, whose budget and visited boards are updated.
        units: The board with the session open.
        origin: The square that the stack deploys from.
        types: The types of the members that are still to move.
    """
    state = (types, _board_tuple(units))
    if state in search.visited:
        return 0
    search.visited.add(state)
    search.budget.tries_left -= _COST_PER_BOARD
    facts = collect_facts(units, search.colour)
    steps = MoveList()
    generate_members(units, steps, facts, origin, types)
    if facts.own_commander >= 0:
        assess_commander(units, facts, search.colour, search.last_guard)
    return has_ending_step(search, units, facts, steps, types)


def has_ending_step(
    search: Search, units: Units, facts: BoardFacts, single_steps: MoveList, types: u32
) -> i32:
    """Return 1 if the turn may end after one of the deploy steps, at once or after more steps, else 0.

    Each step is tried alone and together with other members that are still to move.

    Args:
        search: The search.
        units: The board before the step.
        facts: The facts about that board.
        single_steps: The steps of single members.
        types: The types of the members that are still to move, the mover included.
    """
    tried_steps = MoveList()
    i: i32
    remaining: u32
    companions: u32
    step: u64
    for i in range(single_steps.count):
        remaining = types & ~(single_steps.items[i] >> TYPES_SHIFT)
        companions = remaining
        # Try every set of members that may come along, the empty set last.
        while True:
            step = add_companions(units, single_steps.items[i], companions)
            if step:
                tried_steps.append(step)
                if search.budget.tries_left < 0 or can_end_after(search, units, facts, step):
                    return 1
            if companions == 0:
                break
            companions = (companions - 1) & remaining
    trial: Board
    if not cython.compiled:
        trial = [0] * SQUARE_COUNT
    for i in range(tried_steps.count):
        step = tried_steps.items[i]
        remaining = types & ~(step >> TYPES_SHIFT)
        if remaining == 0:
            continue
        _copy_board(units, trial)
        apply_move(trial, step, search.colour, search.last_guard)
        if can_continue(search, trial, step & SQUARE_MASK, remaining):
            return 1
    return 0


def add_companions(units: Units, step: u64, companions: u32) -> u64:
    """Return the packed step of a piece that takes others of its stack along, or 0 if it cannot carry them.

    `companions` is the set of the types of these others. An empty set returns the step unchanged
    (spec/cotulenh 11, recombine).
    """
    target: i32 = step >> TARGET_SHIFT & SQUARE_MASK
    types: u32 = (step >> TYPES_SHIFT & TYPES) | companions
    carrier: i32 = CARRIERS[types]
    if companions == 0:
        return step
    if carrier < 0 or not step >> (TYPES_SHIFT + carrier) & 1 or step >> FLAGS_SHIFT & (STAY | SUICIDE):
        return 0
    if not (WATER[target] if carrier == NAVY else LAND[target]):
        return 0
    if step >> FLAGS_SHIFT & COMBINE:
        if units[target] & types or CARRIERS[(units[target] | types) & TYPES] < 0:
            return 0
    if cython.compiled:
        companions64: u64 = companions
        return step | companions64 << TYPES_SHIFT
    return step | companions << TYPES_SHIFT


def can_end_after(search: Search, units: Units, facts: BoardFacts, step: u64) -> i32:
    """Return a number other than 0 if the turn may end after a step, else 0.

    The pieces that stay on the origin must be allowed to stand there, and the step must leave the commander
    of the side to move safe. `facts` are those before the step.
    """
    origin: i32 = step & SQUARE_MASK
    remaining: u32 = units[origin] & TYPES
    if not step >> FLAGS_SHIFT & STAY:
        remaining &= ~(step >> TYPES_SHIFT)
    if remaining and not (WATER[origin] if CARRIERS[remaining] == NAVY else LAND[origin]):
        return 0
    if facts.own_commander < 0:
        return 1
    if facts.commander_state == ENDANGERED and not may_rescue(step, facts):
        return 0
    search.budget.tries_left -= 1
    return is_legal_move(units, step, facts, search.colour, search.last_guard)


def _copy_board(units: Units, target: Board) -> None:
    """Copy all squares of a board to `target`."""
    square: i32
    for square in range(SQUARE_COUNT):
        target[square] = units[square]


def _board_tuple(units: Units) -> tuple[int, ...]:
    """Return the units of all squares as a tuple, which can be an element of a set."""
    return tuple([units[square] for square in range(SQUARE_COUNT)])
