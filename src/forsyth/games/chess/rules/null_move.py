"""The null move of chess in records: a pass, which annotators write to show a threat.

No rule allows it, so nobody can play it; a record may hold it. Reading takes ``--``, ``Z0``, ``@@@@``,
``0000``, ``null`` and ``pass``, in any case and with any dashes (spec/chess 11); ``--`` is written. The
turn passes, en passant is over and the clocks go on. A side in check cannot pass, and nobody can once the
variant's own rule has ended the game, as the third check does.
"""

from __future__ import annotations

from typing import Final

from forsyth.dashes import DASHES
from forsyth.diagnostics import MoveError
from forsyth.games.chess.position import THREE_CHECK, Position
from forsyth.games.chess.rules.attacks import UNDECIDED, decided
from forsyth.games.chess.rules.moves import NULL, Move, is_check, play
from forsyth.games.chess.rules.outcome import outcome

_TEXTS: Final = frozenset(("--", "z0", "@@@@", "0000", "null", "pass"))


def passed(position: Position) -> Position:
    """The position after a null move; raises `MoveError` in check and once the game has ended."""
    _require_pass(position, "--")
    return play(position, NULL)


def read_null(position: Position, text: str) -> Move | None:
    """The null move where a text in a record means one, else None; raises `MoveError` in check."""
    if text.translate(DASHES).lower() not in _TEXTS:
        return None
    _require_pass(position, text)
    return NULL


def _require_pass(position: Position, text: str) -> None:
    if is_check(position):
        raise MoveError("illegal", text, f"{text!r} is a null move, but a side in check cannot pass")
    if decided(position) != UNDECIDED:
        ended = outcome(position)
        reason = "the third check has ended the game"
        if position.rules != THREE_CHECK and ended is not None:
            reason = f"the game has ended: {ended.reason}"
        raise MoveError("illegal", text, f"{text!r} is a null move, but {reason}")
