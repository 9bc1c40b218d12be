# cython: annotation_typing=False
"""What ends a game of CoTuLenh: check, mate, stalemate, a captured commander, fifty moves (spec/cotulenh 10).

Accepts any position. Repetition needs the game and is for who knows it. Nothing ends a game during a deploy
session.
"""

from __future__ import annotations

from typing import Final

from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.rules.completion import completable
from forsyth.games.cotulenh.rules.deploy import moves_of
from forsyth.games.cotulenh.rules.moves import USUAL, Rules, commander_attacked, commander_of

FIFTY_MOVES: Final = 100
"""The half-move clock at which the game is drawn (spec/cotulenh 10)."""


def is_check(position: Position) -> bool:
    """Whether the side to move is attacked, or has lost its commander."""
    return commander_attacked(position, position.blue_to_move)


def is_checkmate(position: Position, rules: Rules = USUAL) -> bool:
    """Check, and no turn can be completed; never during a session."""
    return position.session is None and is_check(position) and not completable(position, rules)


def is_stalemate(position: Position, rules: Rules = USUAL) -> bool:
    """No check, and no turn can be completed; never during a session."""
    return position.session is None and not is_check(position) and not completable(position, rules)


def is_deadlock(position: Position, rules: Rules = USUAL) -> bool:
    """There are legal moves, all of them deploy steps that lead to no commit (spec/cotulenh 17, B11)."""
    return position.session is None and bool(moves_of(position, rules)) and not completable(position, rules)


def is_commander_captured(position: Position) -> bool:
    """Whether either commander is gone."""
    return commander_of(position, 0) < 0 or commander_of(position, 1) < 0


def winner_by_capture(position: Position) -> str:
    """The result where a commander is gone: who still has one has won."""
    red, blue = commander_of(position, 0) >= 0, commander_of(position, 1) >= 0
    if red == blue:
        return "*" if red else "1/2-1/2"
    return "1-0" if red else "0-1"


def is_fifty_moves(position: Position) -> bool:
    """Whether the half-move clock has run out."""
    return bool(position.half >= FIFTY_MOVES)


def is_over(position: Position, rules: Rules = USUAL) -> bool:
    """Whether the position ends the game; repetition is for who knows the game. Never during a session."""
    if position.session is not None:
        return False
    if is_commander_captured(position) or is_fifty_moves(position):
        return True
    return not completable(position, rules)


def mark_of(position: Position, rules: Rules) -> str:
    """The mark of the turn that led here: ``#`` mate, ``^`` check, or nothing."""
    if not is_check(position):
        return ""
    return "^" if completable(position, rules) else "#"
