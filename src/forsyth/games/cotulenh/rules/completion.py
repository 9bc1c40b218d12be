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
from forsyth.games.cotulenh.rules.deploy import get_remaining_unit, list_legal_moves, may_commit, take_step
from forsyth.games.cotulenh.rules.generate import MoveList
from forsyth.games.cotulenh.rules.moves import DEFAULT_RULES, Rules
from forsyth.limits import MAX_COMMIT_SEARCH

if not cython.compiled:
    from forsyth.games.cotulenh.board import SQUARE_COUNT, i32, u32, u64
    from forsyth.games.cotulenh.rules.apply import apply_move
    from forsyth.games.cotulenh.rules.attacks import (
        COMMANDER_BIT,
        TYPES_SHIFT,
        Units,
        is_stack,
    )
    from forsyth.games.cotulenh.rules.generate import (
        COMBINE,
        ENDANGERED,
        STAY,
        SUICIDE,
        Board,
        BoardFacts,
        collect_facts,
        generate_members,
        generate_unit,
        may_carrier_stand,
    )
    from forsyth.games.cotulenh.rules.packed_moves import get_flags, get_moving_types, get_origin, get_target
    from forsyth.games.cotulenh.rules.safety import (
        assess_commander,
        drop_illegal_moves,
        has_several_bits,
        is_legal_move,
        may_rescue,
    )
    from forsyth.games.cotulenh.stacks import BLUE_BIT, CARRIERS, TYPES


_COST_PER_BOARD = 16
"""The cost of a search from a new board, in tries."""


class SearchBudget:
    """The number of moves and steps that a search may still try, which searches can share."""

    if not cython.compiled:
        __slots__ = ("tries_left",)
        tries_left: int

    def __init__(self, tries: int = MAX_COMMIT_SEARCH) -> None:
        self.tries_left = tries


class Search:
    """One search for a way to end the turn.

    * `colour`: the colour of the side to move, 0 for Red and BLUE_BIT for Blue;
    * `last_guard`: 1 if the last guard of a side is promoted, else 0;
    * `budget`: the moves and steps that the search may still try;
    * `visited`: the boards that need no second test, each with the types that still had to move.
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
    """Return whether the side to move can complete its turn, by a move or by deploy steps.

    Deploy steps must end with a commit. If the side cannot complete its turn, the game is over by mate or
    stalemate. The result is True if the search runs out of its budget.

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
    if has_whole_move(search, position.units, facts):
        return True
    return has_deployment(search, position.units, facts) != 0


def _can_end_session(search: Search, position: Position, rules: Rules) -> bool:
    """Return whether the open deploy session can be committed, now or after more steps.

    In a deploy session the pieces of a stack leave it one by one, and the commit ends the turn.
    """
    if may_commit(position):
        return True
    for step in list_legal_moves(position, rules):
        after: Position = take_step(position, step, rules)
        if may_commit(after) or after.session is None:
            return True
        remaining: u32 = get_remaining_unit(after, after.session) & TYPES
        if remaining and can_continue(search, after.units, get_origin(step), remaining):
            return True
    return False


def has_whole_move(search: Search, units: Units, facts: BoardFacts) -> i32:
    """Return 1 if a whole piece or stack of the side to move has a legal move, else 0.

    Deploy steps, by which a part of a stack leaves it, are not considered. The result is also 1 if the budget
    of the search is used up.

    Args:
        search: The search, whose budget is reduced.
        units: The board.
        facts: The facts about the board, for which `assess_commander` must have been called.
    """
    is_double_danger: i32 = has_several_bits(facts.danger_directions)
    last_index: i32 = -1 if is_double_danger else SQUARE_COUNT - 1
    square: i32
    index: i32
    move_index: i32
    moves = MoveList()
    # The index −1 stands for the commander, which most often has a move itself. If it is in danger on two
    # lines, no other unit can save it.
    for index in range(-1, last_index + 1):
        square = facts.own_commander if index < 0 else index
        if units[square] == 0 or (units[square] & BLUE_BIT) != search.colour:
            continue
        moves.truncate(0)
        generate_unit(units, moves, facts, square, units[square])
        search.budget.tries_left -= 1
        for move_index in range(moves.count):
            if facts.commander_state == ENDANGERED and not may_rescue(moves.items[move_index], facts):
                continue
            search.budget.tries_left -= 1
            if search.budget.tries_left < 0 or is_legal_move(
                units, moves.items[move_index], facts, search.colour, search.last_guard
            ):
                return 1
    return 0


def has_deployment(search: Search, units: Units, facts: BoardFacts) -> i32:
    """Return 1 if a stack of the side to move has deploy steps that complete a turn, else 0.

    The result is also 1 if the budget of the search is used up.

    Args:
        search: The search, whose budget is reduced.
        units: The board.
        facts: The facts about the board, for which `assess_commander` must have been called.
    """
    square: i32
    unit: u32
    is_double_danger: i32 = has_several_bits(facts.danger_directions)
    for square in range(SQUARE_COUNT):
        unit = units[square]
        if unit == 0 or (unit & BLUE_BIT) != search.colour or not is_stack(unit):
            continue
        # Only a move of the commander itself can end danger on two lines.
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
    """Return 1 if an open deploy session can be committed after one or more steps, else 0.

    A board that was tested before gives 0, so that no board is searched twice.

    Args:
        search: The search, whose budget and visited boards are updated.
        units: The board with the session open.
        origin: The square that the stack deploys from.
        types: The types of the members that are still to move.
    """
    visit = (types, _board_tuple(units))
    if visit in search.visited:
        return 0
    search.visited.add(visit)
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
    """Return 1 if the turn may end after one of some deploy steps, at once or later, else 0.

    Each step is tried alone and together with other members that are still to move.

    Args:
        search: The search.
        units: The board before the step.
        facts: The facts about that board.
        single_steps: The steps of single members.
        types: The types of the members that are still to move, the mover included.
    """
    tried_steps = MoveList()
    index: i32
    for index in range(single_steps.count):
        if try_with_companions(search, units, facts, single_steps.items[index], types, tried_steps):
            return 1
    return can_continue_after(search, units, tried_steps, types)


def try_with_companions(
    search: Search, units: Units, facts: BoardFacts, single_step: u64, types: u32, tried_steps: MoveList
) -> i32:
    """Return 1 if the turn may end right after a deploy step of one or several members, else 0.

    Args:
        search: The search, whose budget is reduced.
        units: The board before the step.
        facts: The facts about that board.
        single_step: The packed step of a single member, which others may join.
        types: The types of the members that are still to move, the mover included.
        tried_steps: Receives each possible step.
    """
    other_types: u32 = types & ~get_moving_types(single_step)
    companions: u32 = other_types
    step: u64
    # Try every subset of the other members, the empty set last.
    while True:
        step = add_companions(units, single_step, companions)
        if step:
            tried_steps.append(step)
            if search.budget.tries_left < 0 or can_end_after(search, units, facts, step):
                return 1
        if companions == 0:
            return 0
        # The next smaller subset.
        companions = (companions - 1) & other_types


def can_continue_after(search: Search, units: Units, tried_steps: MoveList, types: u32) -> i32:
    """Return 1 if the turn may end after one of some deploy steps and at least one more, else 0.

    Args:
        search: The search.
        units: The board before the step.
        tried_steps: The packed steps.
        types: The types of the members that are still to move before the step.
    """
    trial_board: Board
    index: i32
    remaining: u32
    step: u64
    if not cython.compiled:
        trial_board = [0] * SQUARE_COUNT
    for index in range(tried_steps.count):
        step = tried_steps.items[index]
        remaining = types & ~get_moving_types(step)
        if remaining == 0:
            continue
        _copy_board(units, trial_board)
        apply_move(trial_board, step, search.colour, search.last_guard)
        if can_continue(search, trial_board, get_origin(step), remaining):
            return 1
    return 0


def add_companions(units: Units, step: u64, companions: u32) -> u64:
    """Return the packed step of a piece that takes other members of its stack along.

    Return 0 if the piece cannot carry them to its target.

    Args:
        units: The board before the step.
        step: The packed step of the piece alone.
        companions: The set of the types of the other members. An empty set returns the step unchanged.
    """
    target: i32 = get_target(step)
    types: u32 = get_moving_types(step) | companions
    carrier: i32 = CARRIERS[types]
    if companions == 0:
        return step
    if get_flags(step) & (STAY | SUICIDE):
        return 0
    # The piece itself must be the carrier of the group.
    if carrier < 0 or not get_moving_types(step) >> carrier & 1:
        return 0
    if not may_carrier_stand(carrier, target):
        return 0
    if get_flags(step) & COMBINE:
        if units[target] & types or CARRIERS[(units[target] | types) & TYPES] < 0:
            return 0
    if cython.compiled:
        # The shift needs 64 bits.
        companions64: u64 = companions
        return step | companions64 << TYPES_SHIFT
    return step | companions << TYPES_SHIFT


def can_end_after(search: Search, units: Units, facts: BoardFacts, step: u64) -> i32:
    """Return a number other than 0 if the turn may end right after a packed step, else 0.

    The pieces that stay on the origin must be allowed to stand there, and the step must leave the commander
    of the side to move safe. `units` and `facts` are the board before the step and the facts about it. The
    budget of the search is reduced.
    """
    origin: i32 = get_origin(step)
    staying_types: u32 = units[origin] & TYPES
    # A stay capture leaves the moving pieces on the origin, too.
    if not get_flags(step) & STAY:
        staying_types &= ~get_moving_types(step)
    if staying_types:
        if not may_carrier_stand(CARRIERS[staying_types], origin):
            return 0
    if facts.own_commander < 0:
        return 1
    if facts.commander_state == ENDANGERED and not may_rescue(step, facts):
        return 0
    search.budget.tries_left -= 1
    return is_legal_move(units, step, facts, search.colour, search.last_guard)


def _copy_board(units: Units, copy: Board) -> None:
    """Copy the units of all squares of the board `units` to `copy`."""
    square: i32
    for square in range(SQUARE_COUNT):
        copy[square] = units[square]


def _board_tuple(units: Units) -> tuple[int, ...]:
    """Return the units of all squares as a tuple, which can be an element of a set."""
    return tuple([units[square] for square in range(SQUARE_COUNT)])
