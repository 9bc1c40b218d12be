"""The null move of chess in records: a pass, which annotators write to show a threat.

No rule allows it, so nobody can play it; a record may hold it. Reading takes ``--``, ``Z0``, ``@@@@``,
``0000``, ``null`` and ``pass``, in any case and with any dashes (spec/chess 11); ``--`` is written. The turn
passes, en passant is over and the clocks go on. A side in check cannot pass, and nobody can after the third
check of Three-check.
"""

from __future__ import annotations

from typing import Final

from forsyth.dashes import DASHES
from forsyth.diagnostics import MoveError
from forsyth.games.chess.moves import NULL, Move, is_check
from forsyth.games.chess.position import THREE_CHECK, Position

_TEXTS: Final = frozenset(("--", "z0", "@@@@", "0000", "null", "pass"))


def read_null(position: Position, text: str) -> Move | None:
    """The null move where a text in a record means one, else None; raises `MoveError` in check."""
    if text.translate(DASHES).lower() not in _TEXTS:
        return None
    if is_check(position):
        raise MoveError("illegal", text, f"{text!r} is a null move, but a side in check cannot pass")
    if position.rules == THREE_CHECK and 0 in position.checks:
        raise MoveError("illegal", text, f"{text!r} is a null move, but the third check has ended the game")
    return NULL
