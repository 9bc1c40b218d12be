# cython: annotation_typing=False
"""End of a game of CoTuLenh: check, mate, stalemate, a captured commander, fifty moves (spec/cotulenh 10).

The functions accept any position. Repetition is not tested here, because it needs the moves of the game.
Nothing ends a game during a deploy session.
"""

from __future__ import annotations

from typing import Final

from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.rules.completion import can_complete_turn
from forsyth.games.cotulenh.rules.deploy import list_legal_moves
from forsyth.games.cotulenh.rules.moves import (
    DEFAULT_RULES,
    Rules,
    find_commander_square,
    is_commander_attacked,
)

FIFTY_MOVES: Final = 100
"""Value of the half-move clock at which the game is drawn (spec/cotulenh 10)."""


def is_check(position: Position) -> bool:
    """Return whether the side to move is in check: its commander is attacked or missing."""
    return is_commander_attacked(position, position.blue_to_move)


def is_checkmate(position: Position, rules: Rules = DEFAULT_RULES) -> bool:
    """Return whether the side to move is in check and has no turn that it can complete.

    A turn is a move, or deploy steps with a commit. The result is False while a deploy session is open.
    """
    return position.session is None and is_check(position) and not can_complete_turn(position, rules)


def is_stalemate(position: Position, rules: Rules = DEFAULT_RULES) -> bool:
    """Return whether the side to move is not in check, but has no turn that it can complete.

    A turn is a move, or deploy steps with a commit. The result is False while a deploy session is open.
    """
    return position.session is None and not is_check(position) and not can_complete_turn(position, rules)


def is_deadlock(position: Position, rules: Rules = DEFAULT_RULES) -> bool:
    """Return whether the side to move has legal deploy steps, but no turn that it can complete.

    A turn that begins with a deploy step must end with a commit, which is not allowed while the commander is
    in danger. The result is False while a deploy session is open.
    """
    return (
        position.session is None
        and bool(list_legal_moves(position, rules))
        and not can_complete_turn(position, rules)
    )


def is_commander_captured(position: Position) -> bool:
    """Return whether at least one side has no commander."""
    return find_commander_square(position, 0) < 0 or find_commander_square(position, 1) < 0


def find_capture_result(position: Position) -> str:
    """Return the result that follows from the commanders that are left on the board.

    It is ``1-0`` if only Red has one, ``0-1`` if only Blue has one, ``*`` if both have one, and ``1/2-1/2``
    if neither has.
    """
    has_red_commander = find_commander_square(position, 0) >= 0
    has_blue_commander = find_commander_square(position, 1) >= 0
    if has_red_commander and has_blue_commander:
        return "*"
    if has_red_commander:
        return "1-0"
    return "0-1" if has_blue_commander else "1/2-1/2"


def is_drawn_by_fifty_moves(position: Position) -> bool:
    """Return whether the half-move clock has reached 100, the limit of the fifty-move rule."""
    return bool(position.half >= FIFTY_MOVES)


def is_over(position: Position, rules: Rules = DEFAULT_RULES) -> bool:
    """Return whether the game ends in this position. Repetition is not considered.

    It ends if a commander has been captured, the half-move clock has reached the limit of the fifty-move
    rule, or the side to move cannot complete a turn. The result is False while a deploy session is open.
    """
    if position.session is not None:
        return False
    if is_commander_captured(position) or is_drawn_by_fifty_moves(position):
        return True
    return not can_complete_turn(position, rules)


def choose_check_mark(position: Position, rules: Rules) -> str:
    """Return the mark to write after a turn: ``#`` for mate, ``^`` for check, else no text.

    `position` is the position after the turn.
    """
    if not is_check(position):
        return ""
    return "^" if can_complete_turn(position, rules) else "#"
