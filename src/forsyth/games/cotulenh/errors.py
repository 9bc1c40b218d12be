"""The error that the game and the class `CoTuLenh` raise for an invalid text.

`FENError` is a `FenError` with the fields of the source documents. The documents' `SANError` is `SanError`,
which has such fields already.
"""

from __future__ import annotations

from typing import Final

from forsyth.diagnostics import FenError, Reading
from forsyth.games.cotulenh.board import RANK_COUNT
from forsyth.games.cotulenh.notation.words import words_of
from forsyth.games.cotulenh.position import Position

_BOARD_FIELD: Final = 1
"""Field number of findings about the board, see `codes.COMPONENTS`."""


class FENError(FenError):
    """A CoTuLenh text that could not be loaded, with the fields of the source documents."""

    @property
    def fen(self) -> str:
        """The invalid text."""
        return self.text

    @property
    def position(self) -> int | None:
        """Index of the rank with the first error, or None if it is not in a single rank.

        The index counts the ranks in the order of the text: 0 is rank 12, 11 is rank 1.
        """
        words = words_of(self.text)
        start, end = self.span
        if not words or self.field != _BOARD_FIELD:
            return None
        board_word = words[0]
        spans_several_ranks = "/" in self.text[start:end]
        if "/" not in board_word.text or spans_several_ranks:
            return None
        text_before = self.text[board_word.start : start]
        return text_before.count("/")

    @property
    def rank(self) -> int | None:
        """Number of the rank with the first error, 12 to 1, or None if it is not in a single rank."""
        return None if self.position is None else RANK_COUNT - self.position


def require_position(reading: Reading[Position]) -> Position:
    """Return the position of a reading, the result of reading a text.

    Raise `FENError` with all findings about the text if one of them is an error or no position could be read.
    """
    if reading.position is None or not reading.ok:
        raise FENError(reading.text, reading.diagnostics)
    return reading.position
