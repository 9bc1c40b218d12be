"""The null move in chess records: a pass, which annotators write to show a threat.

No rule of chess allows a null move, so it is never a legal move, but records may contain it. Accepted
spellings are ``--``, ``Z0``, ``@@@@``, ``0000``, ``null`` and ``pass``, in any case and with any dashes
(spec/chess 11). It is written as ``--``. The turn passes, the en-passant square is cleared and the clocks go
on. A side in check cannot pass, and neither side can pass after the variant's own rule, such as the third
check, has ended the game.
"""

from __future__ import annotations

from typing import Final

from forsyth.dashes import DASHES
from forsyth.diagnostics import MoveError
from forsyth.games.chess.position import THREE_CHECK, Position
from forsyth.games.chess.rules.attacks import UNDECIDED, find_variant_winner
from forsyth.games.chess.rules.moves import NULL, Move, is_check, play
from forsyth.games.chess.rules.outcome import find_outcome

_NULL_MOVE_SPELLINGS: Final = frozenset(("--", "z0", "@@@@", "0000", "null", "pass"))


def play_null_move(position: Position) -> Position:
    """Return the position after a null move, with which the side to move passes.

    Raise `MoveError` if the side to move is in check or the game has ended by a rule of its variant.
    """
    _require_can_pass(position, text="--")
    return play(position, NULL)


def read_null_move(position: Position, text: str) -> Move | None:
    """Return the null move if `text` is one of its spellings, such as ``--`` or ``Z0``, else None.

    With a null move, which only records contain, a side passes. Raise `MoveError` if `text` is one, but the
    side to move is in check or its variant has ended the game.
    """
    normalised_text = text.translate(DASHES).lower()
    if normalised_text not in _NULL_MOVE_SPELLINGS:
        return None
    _require_can_pass(position, text)
    return NULL


def _require_can_pass(position: Position, text: str) -> None:
    """Raise `MoveError` if the side to move is in check, or its variant has ended the game.

    A side cannot pass then. `text` is the null move as it was written, for the message.
    """
    if is_check(position):
        raise MoveError("illegal", text, f"{text!r} is a null move, but a side in check cannot pass")
    if find_variant_winner(position) != UNDECIDED:
        game_end = find_outcome(position)
        if position.rules == THREE_CHECK or game_end is None:
            reason = "the third check has ended the game"
        else:
            reason = f"the game has ended: {game_end.reason}"
        raise MoveError("illegal", text, f"{text!r} is a null move, but {reason}")
