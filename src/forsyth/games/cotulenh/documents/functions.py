"""The functions of the source documents that need no game: they validate and convert texts.

`convert_to_standard_notation` writes a text for tools that support only one piece per square. It loses
information: a stack becomes its carrier, an open deploy session is left out, and Red becomes ``w``.
"""

from __future__ import annotations

from forsyth.games.cotulenh.errors import require_position
from forsyth.games.cotulenh.game import GAME
from forsyth.games.cotulenh.notation.fen import read_fen
from forsyth.games.cotulenh.notation.write import encode
from forsyth.games.cotulenh.position import with_session, with_unit
from forsyth.games.cotulenh.stacks import split_unit


def validate_fen(fen: str) -> bool:
    """Return whether a text is a legal CoTuLenh position. Warnings about it are allowed.

    The text may contain an open deploy session. No text raises an error.
    """
    reading = read_fen(fen)
    if not reading.ok or reading.position is None:
        return False
    findings = GAME.check(reading.position, text=fen)
    return not any(finding.is_error for finding in findings)


def convert_to_standard_notation(fen: str) -> str:
    """Return the text of a position for tools that support only one piece per square.

    A stack such as ``(NFT)`` becomes its carrier ``N``, an open deploy session is left out, and ``w`` stands
    for Red to move. Raise `FENError` if the text cannot be read.
    """
    position = require_position(read_fen(fen))
    converted = with_session(position, None)
    for square, unit in enumerate(position.board()):
        if unit:
            carrier, *_ = split_unit(unit)
            converted = with_unit(converted, square, carrier)
    board, side, *other_fields = encode(converted).split()
    standard_side = "w" if side == "r" else side
    return " ".join((board, standard_side, *other_fields))
