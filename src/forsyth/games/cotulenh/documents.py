"""The functions and the error of the source documents that belong to no game: texts judged and converted.

`FENError` is what `CoTuLenh.load` raises: a `FenError` with the fields of the documents. `SanError` has those
of their `SANError` itself.

Writing: `convert_to_standard_notation` makes a text for tools that know one piece a square: a stack is its
carrier, an open deploy session is left out, Red is ``w``. What is left out cannot be read back.
"""

from __future__ import annotations

from forsyth.diagnostics import FenError, Reading
from forsyth.games.cotulenh.fen import read_fen
from forsyth.games.cotulenh.game import GAME
from forsyth.games.cotulenh.notes import words_of
from forsyth.games.cotulenh.position import Position, with_session, with_unit
from forsyth.games.cotulenh.stacks import members
from forsyth.games.cotulenh.write import encode


class FENError(FenError):
    """A CoTuLenh text that could not be loaded, with the fields of the source documents."""

    @property
    def fen(self) -> str:
        """The text as it was given."""
        return self.text

    @property
    def position(self) -> int | None:
        """The rank of the first error counted from the top, 0 to 11; None where it lies in no single rank."""
        words = words_of(self.text)
        start, end = self.span
        if not words or self.field != 1 or "/" not in words[0].text or "/" in self.text[start:end]:
            return None
        return self.text[words[0].start : start].count("/")

    @property
    def rank(self) -> int | None:
        """The rank of the first error as players count it, 12 to 1; None where it lies in no single rank."""
        return None if self.position is None else 12 - self.position


def required(reading: Reading[Position]) -> Position:
    """The position of a reading; raises `FENError` with all findings when one of them is an error."""
    if reading.position is None or not reading.ok:
        raise FENError(reading.text, reading.diagnostics)
    return reading.position


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
