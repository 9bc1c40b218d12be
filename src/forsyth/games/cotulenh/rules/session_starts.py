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

from forsyth.games.cotulenh.position import Position, Session, build_position, with_unit
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
    """Return the position before the open deploy session if exactly one leads to this board, else None."""
    session = position.session
    # A captured unit can have been heroic or not, so that there is never exactly one position.
    if session is None or any(step.flags & _CAPTURES for step in session.steps):
        return None
    starts = find_starts(position, rules)
    return starts[0] if len(starts) == 1 else None


@lru_cache(maxsize=64)
def find_starts(position: Position, rules: Rules) -> tuple[Position, ...]:
    """Return up to two positions from which the steps of the open deploy session lead to this board.

    A captured unit is a plain one in them. The result is empty if the steps are not known, or if no position
    leads to this board.
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
    """Yield the positions to try: with each captured unit, with all marks and with one mark less.

    One mark less is enough, because a piece is promoted independently of the marks of the others. The last
    guard of the other side is promoted by the session as well.
    """
    board = _take_back_steps(position, session)
    if board is None:
        return
    captured_squares = [step.target for step in session.steps if step.flags & _CAPTURES]
    enemy = BLUE_BIT - (BLUE_BIT if position.blue_to_move else 0)
    for captured_units in _list_captured_units(board, captured_squares, enemy):
        start = board
        for square, unit in zip(captured_squares, captured_units, strict=True):
            start = with_unit(start, square, unit)
        yield start
        for square, unit in enumerate(start.board()):
            heroic_types = get_heroic_types(unit)
            while heroic_types:
                lowest = heroic_types & -heroic_types
                heroic_types ^= lowest
                yield with_unit(start, square, unit & ~(lowest << HEROIC_SHIFT))


def _list_captured_units(start: Position, squares: list[int], enemy: int) -> Iterator[tuple[int, ...]]:
    """Yield the plain units of the other side that can have stood on the captured squares.

    One of them contains the commander if that side has none on the board `start`. `enemy` is the bit of its
    colour. Without captures, an empty tuple is yielded.
    """
    has_commander = any(unit & _COMMANDER_BIT and unit & BLUE_BIT == enemy for unit in start.board())
    captured_commanders = 0 if has_commander else 1
    units = [read_unit(form, is_blue=bool(enemy)) for form in FORMS]
    options = [[unit for unit in units if may_unit_stand(unit, square)] for square in squares]
    for captured_units in product(*options):
        commanders = sum(unit & _COMMANDER_BIT for unit in captured_units)
        if not squares or commanders == captured_commanders:
            yield captured_units


def _take_back_steps(position: Position, session: Session) -> Position | None:
    """Return the position with all steps of the session taken back and nothing on the captured squares.

    Moved pieces have the marks that they had when they left. Return None if a piece is not where its step
    led, or if a unit that is left may not stand on its square.
    """
    board = list(position.board())
    origin = session.origin_square
    for step in reversed(session.steps):
        types = step.unit & TYPES
        members = types | types << HEROIC_SHIFT
        if not step.flags & (STAY | SUICIDE):
            if board[step.target] & types != types:
                return None
            board[step.target] &= ~members
            if not board[step.target] & TYPES:
                board[step.target] = 0
            has_joined = bool(step.flags & COMBINE)
            if has_joined != bool(board[step.target]):
                return None
            if has_joined and not may_unit_stand(board[step.target], step.target):
                return None
        elif board[step.target]:
            return None
        board[origin] = board[origin] & ~members | step.unit
    if get_carrier_type(board[origin]) < 0 or not may_unit_stand(board[origin], origin):
        return None
    try:
        return build_position(tuple(board), position.blue_to_move, position.half, position.full)
    except ValueError:
        return None
