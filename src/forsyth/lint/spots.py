"""Texts in a file that may be positions, with the offset of each of their characters in the file.

The text of a spot usually stands in the file as it is. It can also be written in another way there: in a
URL (``_`` for a blank, ``%20``), with escaped slashes (JSON), or in several quoted parts that follow each
other. A spot then consists of several pieces.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from forsyth.diagnostics import Span


class Piece(NamedTuple):
    """A part of the text of a spot that stands in the file as it is."""

    text_offset: int
    """The number of characters before the piece in the text of the spot."""
    file_offset: int
    """The number of characters before the piece in the file."""


class Spot(NamedTuple):
    """A text that may be a position, and its place in the file."""

    start: int
    """The number of characters before the text in the file."""
    text: str
    pieces: tuple[Piece, ...] = ()
    """The pieces of the text, in order. An empty tuple means that the text stands in the file as it is."""
    is_exact: bool = True
    """Whether the text ends where the position ends. Otherwise, more words can follow the position."""

    def locate(self, span: Span) -> Span:
        """Return the span in the file of a span of the text."""
        start = self._locate_character(span.start)
        if span.end <= span.start:
            return Span(start, start)
        return Span(start, self._locate_character(span.end - 1) + 1)

    def is_unbroken(self, span: Span) -> bool:
        """Return True if a span of the text stands in the file as it is."""
        located_span = self.locate(span)
        return located_span.end - located_span.start == span.end - span.start

    def cut(self, start: int, end: int) -> Spot:
        """Return the spot of the characters of the text from `start` to before `end`."""
        file_start = self._locate_character(start)
        pieces = tuple(
            Piece(max(piece.text_offset - start, 0), self._locate_character(max(piece.text_offset, start)))
            for piece, next_offset in zip(self.pieces, self._next_offsets(), strict=True)
            if next_offset > start and piece.text_offset < end
        )
        return Spot(file_start, self.text[start:end], pieces)

    def _next_offsets(self) -> list[int]:
        """Return for each piece the offset in the text at which the next piece begins."""
        return [*(piece.text_offset for piece in self.pieces[1:]), len(self.text)] if self.pieces else []

    def _locate_character(self, offset: int) -> int:
        """Return the offset in the file of the character at `offset` in the text."""
        if not self.pieces:
            return self.start + offset
        index = bisect_right(self.pieces, offset, key=lambda piece: piece.text_offset) - 1
        piece = self.pieces[max(index, 0)]
        return piece.file_offset + offset - piece.text_offset


def join_parts(parts: Iterable[tuple[int, str]]) -> Spot:
    """Return the spot of a text that stands in the file in several parts.

    Args:
        parts: The offset in the file and the text of each part. A character of the text that is written in
            another way, such as ``%20``, is a part of its own.
    """
    texts: list[str] = []
    pieces: list[Piece] = []
    length = 0
    for file_offset, text in parts:
        continues_piece = (
            bool(pieces) and pieces[-1].file_offset - pieces[-1].text_offset == file_offset - length
        )
        if not continues_piece:
            pieces.append(Piece(length, file_offset))
        texts.append(text)
        length += len(text)
    return Spot(pieces[0].file_offset, "".join(texts), tuple(pieces))
