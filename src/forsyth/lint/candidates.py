"""Texts in a file that may be positions, with the offset of each of their characters in the file.

The text of a candidate usually stands in the file as it is. It can also be written in another way there: in
a URL (``_`` or ``%20`` for a blank), with escaped slashes (JSON), or in several quoted parts that follow each
other. A candidate then consists of several pieces.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from forsyth.diagnostics import Span


class Piece(NamedTuple):
    """A part of the text of a candidate that stands in the file as it is."""

    text_offset: int
    """The number of characters before the piece in the text of the candidate."""
    file_offset: int
    """The number of characters before the piece in the file."""


class Candidate(NamedTuple):
    """A text in a file that may be a position, and its place in the file."""

    start: int
    """The number of characters before the text in the file."""
    text: str
    pieces: tuple[Piece, ...] = ()
    """The pieces of the text, in order. An empty tuple means that the text stands in the file as it is."""
    is_exact: bool = True
    """Whether the text ends where the position ends. Otherwise, more words can follow the position."""

    @property
    def file_span(self) -> Span:
        """The span of the file that contains the whole text."""
        return self.locate_span(Span(0, len(self.text)))

    def locate_span(self, span: Span) -> Span:
        """Convert a span of the text to the span of the file that contains the same characters.

        An empty span stays empty.
        """
        file_start = self._locate_character(span.start)
        if span.end <= span.start:
            return Span(file_start, file_start)
        file_end = self._locate_character(span.end - 1) + 1
        return Span(file_start, file_end)

    def is_verbatim(self, span: Span) -> bool:
        """Return True if the characters of a span of the text stand in the file as they are.

        They do not if a character is escaped in the file (``%20``), or quotes are between them.
        """
        file_span = self.locate_span(span)
        return file_span.end - file_span.start == span.end - span.start

    def slice_text(self, start: int, end: int) -> Candidate:
        """Return a candidate with the characters of the text from `start` to before `end`."""
        if not self.pieces:
            return Candidate(self.start + start, self.text[start:end])
        # A piece ends where the next one begins, and the last one at the end of the text.
        piece_ends = [*(piece.text_offset for piece in self.pieces[1:]), len(self.text)]
        sliced_pieces = []
        for piece, piece_end in zip(self.pieces, piece_ends, strict=True):
            is_inside_slice = piece_end > start and piece.text_offset < end
            if is_inside_slice:
                first_offset = max(piece.text_offset, start)
                sliced_pieces.append(Piece(first_offset - start, self._locate_character(first_offset)))
        return Candidate(self._locate_character(start), self.text[start:end], tuple(sliced_pieces))

    def _locate_character(self, text_offset: int) -> int:
        """Return the offset in the file of the character at `text_offset` in the text."""
        if not self.pieces:
            return self.start + text_offset
        # The piece that contains the character is the last one that begins at it or before it.
        index = bisect_right(self.pieces, text_offset, key=lambda piece: piece.text_offset) - 1
        piece = self.pieces[max(index, 0)]
        return piece.file_offset + (text_offset - piece.text_offset)


class TextPart(NamedTuple):
    """A part of a text that stands in a file in several parts."""

    file_offset: int
    """The number of characters before the part in the file."""
    text: str


def join_parts(parts: Iterable[TextPart]) -> Candidate:
    """Return a candidate with the text that several parts of a file form together.

    A character that is written in another way in the file, such as ``%20`` for a blank, must be a part of its
    own. Parts that follow each other without a gap become one piece of the candidate.
    """
    texts: list[str] = []
    pieces: list[Piece] = []
    text_length = 0
    for file_offset, text in parts:
        # Without a gap, the distance between the offsets in the file and in the text stays the same.
        follows_last_piece = (
            bool(pieces) and pieces[-1].file_offset - pieces[-1].text_offset == file_offset - text_length
        )
        if not follows_last_piece:
            pieces.append(Piece(text_length, file_offset))
        texts.append(text)
        text_length += len(text)
    return Candidate(pieces[0].file_offset, "".join(texts), tuple(pieces))
