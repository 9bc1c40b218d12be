"""The error of a CoTuLenh text, with the source documents' fields: what the game and its class raise.

`FENError` is a `FenError`. The documents' `SANError` is `SanError`, which has its fields itself.
"""

from __future__ import annotations

from forsyth.diagnostics import FenError, Reading
from forsyth.games.cotulenh.notation.words import words_of
from forsyth.games.cotulenh.position import Position


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
