"""The functions of the source documents that belong to no game of their class: texts judged and converted.

Writing: `convert_to_standard_notation` makes a text for tools that know one piece a square: a stack is its
carrier, an open deploy session is left out, Red is ``w``. What is left out cannot be read back.
"""

from __future__ import annotations

from forsyth.games.cotulenh.errors import required
from forsyth.games.cotulenh.game import GAME
from forsyth.games.cotulenh.notation.fen import read_fen
from forsyth.games.cotulenh.notation.write import encode
from forsyth.games.cotulenh.position import with_session, with_unit
from forsyth.games.cotulenh.stacks import members


def validate_fen(fen: str) -> bool:
    """Whether a text is a legal position: six fields, or these and an open deploy session. Never raises."""
    reading = read_fen(fen)
    return (
        reading.ok
        and reading.position is not None
        and not any(finding.is_error for finding in GAME.check(reading.position, text=fen))
    )


def convert_to_standard_notation(fen: str) -> str:
    """A text with one piece a square and ``w`` or ``b`` to move, for other tools; raises `FENError`."""
    position = required(read_fen(fen))
    plain = with_session(position, None)
    for square, unit in enumerate(position.board()):
        if unit:
            plain = with_unit(plain, square, members(unit)[0])
    board, side, *rest = encode(plain).split()
    return " ".join((board, "w" if side == "r" else side, *rest))
