"""Find the positions from which the open deploy session of a board can have begun (spec/cotulenh 14).

The canonical text of an open session contains the current board and the steps. The steps are taken back on
that board, and a position counts only if playing them again leads to the same board. Two facts can be lost:

* A captured unit is not in the text. It can have been any unit, and heroic or not, so that more than one
  position leads to the board.
* A heroic piece can have been promoted within the session, unless the session does not promote it.

Limits: at most MAX_CANDIDATES positions are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, product
from typing import Final

from forsyth.games.cotulenh.position import Position, Session, Step, build_position, with_unit
from forsyth.games.cotulenh.rules.deploy import may_unit_stand, repeat_steps
from forsyth.games.cotulenh.rules.generate import CAPTURE, COMBINE, STAY, SUICIDE
from forsyth.games.cotulenh.rules.moves import Rules
from forsyth.games.cotulenh.stacks import (
    BLUE_BIT,
    COMMANDER,
    FORMS,
    HEROIC_SHIFT,
    TYPES,
    get_carrier_type,
    get_heroic_types,
    read_unit,
)

MAX_CANDIDATES: Final = 64
"""Upper bound on the positions from which the steps are played again."""
_MAX_STARTS: Final = 2
"""Number of positions that are returned. Two show that the start of the session is not determined."""
_CAPTURES: Final = CAPTURE | STAY | SUICIDE
_COMMANDER_BIT: Final = 1 << COMMANDER


def find_only_start(position: Position, rules: Rules) -> Position | None:
    """Return the only position from which the open deploy session can have begun, or None.

    None means that no session is open, or that no position or several lead to this board.
    """
    session = position.session
    # A captured unit can have been heroic or not, so that there is never exactly one position.
    if session is None or any(step.flags & _CAPTURES for step in session.steps):
        return None
    starts = find_starts(position, rules)
    return starts[0] if len(starts) == 1 else None


@lru_cache(maxsize=64)
def find_starts(position: Position, rules: Rules) -> tuple[Position, ...]:
    """Return up to two positions from which the open deploy session leads to this board.

    Two show that the start is not determined. A captured unit is not heroic in them. The result is empty if
    the steps of the session are not known, or if no position leads to this board.
    """
    session = position.session
    if session is None or not session.steps:
        return ()
    candidates = islice(_list_candidates(position, session), MAX_CANDIDATES)
    starts = []
    for start in candidates:
        after = repeat_steps(start, session.origin_square, session.steps, rules)
        if after is not None and after.board() == position.board():
            starts.append(start)
        if len(starts) == _MAX_STARTS:
            break
    return tuple(starts)


def _list_candidates(position: Position, session: Session) -> Iterator[Position]:
    """Yield the positions from which the open deploy session of a position may have begun.

    Each possible captured unit is tried, with all heroic marks of the board and with one mark less. One mark
    less is enough, because a piece is promoted independently of the marks of the others. The last guard of
    the other side is promoted by the session as well.
    """
    board = _take_back_steps(position, session)
    if board is None:
        return
    captured_squares = [step.target for step in session.steps if step.flags & _CAPTURES]
    enemy = 0 if position.blue_to_move else BLUE_BIT
    for captured_units in _list_captured_units(board, captured_squares, enemy):
        start = board
        for square, unit in zip(captured_squares, captured_units, strict=True):
            start = with_unit(start, square, unit)
        yield start
        yield from _remove_each_heroic_mark(start)


def _remove_each_heroic_mark(position: Position) -> Iterator[Position]:
    """Yield a copy of a position for each heroic piece, without the heroic mark of that piece."""
    for square, unit in enumerate(position.board()):
        heroic_types = get_heroic_types(unit)
        while heroic_types:
            # Take the lowest type out of the set.
            lowest_type = heroic_types & -heroic_types
            heroic_types ^= lowest_type
            yield with_unit(position, square, unit & ~(lowest_type << HEROIC_SHIFT))


def _list_captured_units(start: Position, squares: list[int], enemy: int) -> Iterator[tuple[int, ...]]:
    """Yield the units of the enemy that can have stood on the captured squares, one for each.

    They are not heroic. One of them contains the commander if the enemy has none on the board `start`.
    Without captured squares an empty tuple is yielded.

    Args:
        start: The board before the session, without the captured units.
        squares: The numbers of the captured squares.
        enemy: The colour of the enemy: 0 for Red, BLUE_BIT for Blue.
    """
    has_commander = any(unit & _COMMANDER_BIT and unit & BLUE_BIT == enemy for unit in start.board())
    expected_commanders = 0 if has_commander else 1
    enemy_units = [read_unit(form, is_blue=bool(enemy)) for form in FORMS]
    units_by_square = [[unit for unit in enemy_units if may_unit_stand(unit, square)] for square in squares]
    for captured_units in product(*units_by_square):
        # The bit of the commander is 1, so that masked units add up to a number of commanders.
        captured_commanders = sum(unit & _COMMANDER_BIT for unit in captured_units)
        if not squares or captured_commanders == expected_commanders:
            yield captured_units


def _take_back_steps(position: Position, session: Session) -> Position | None:
    """Return the position with all steps of a deploy session taken back, without captured units.

    Moved pieces have the heroic marks that they had when they left. Return None if a piece is not where its
    step led, or if a unit that is left may not stand on its square.
    """
    board = list(position.board())
    origin = session.origin_square
    for step in reversed(session.steps):
        unit_before = _remove_arrived_pieces(board[step.target], step)
        if unit_before is None:
            return None
        board[step.target] = unit_before
        board[origin] = board[origin] & ~_get_member_bits(step) | step.unit
    if get_carrier_type(board[origin]) < 0 or not may_unit_stand(board[origin], origin):
        return None
    try:
        return build_position(tuple(board), position.blue_to_move, position.half, position.full)
    except ValueError:
        return None


def _remove_arrived_pieces(target_unit: int, step: Step) -> int | None:
    """Return the unit on the target of a deploy step before the step, or 0 if it was empty.

    A captured unit is not restored. `target_unit` is the unit after the step. Return None if the step cannot
    have led to it.
    """
    types = step.unit & TYPES
    leaves_target_empty = step.flags & (STAY | SUICIDE)
    if leaves_target_empty:
        return None if target_unit else 0
    if target_unit & types != types:
        return None
    unit_before = target_unit & ~_get_member_bits(step)
    if not unit_before & TYPES:
        # Only the colour bit is left.
        unit_before = 0
    has_joined = bool(step.flags & COMBINE)
    if has_joined != bool(unit_before):
        return None
    if has_joined and not may_unit_stand(unit_before, step.target):
        return None
    return unit_before


def _get_member_bits(step: Step) -> int:
    """Return the bits of a unit that belong to the pieces of a step: types and heroic marks."""
    types = step.unit & TYPES
    return types | types << HEROIC_SHIFT
