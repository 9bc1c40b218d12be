"""Lines and columns of a text. A line ends with LF, CRLF or CR. Lines and columns are counted from 1."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final, NamedTuple

_LINE_END: Final = re.compile(r"\r\n|\n|\r")


class Place(NamedTuple):
    """A line and a column, both counted from 1. Columns count characters."""

    line: int
    column: int


class LineIndex:
    """An index of the lines of a text, which converts offsets to lines and columns."""

    def __init__(self, text: str) -> None:
        """Find the offsets at which the lines of `text` begin."""
        self._line_starts = [0, *[line_end.end() for line_end in _LINE_END.finditer(text)]]

    def find_place(self, offset: int) -> Place:
        """Return the line and column of a character, both counted from 1.

        `offset` is the number of characters before it in the text.
        """
        # The number of lines that begin at the character or before it is the number of its line.
        line_number = bisect_right(self._line_starts, offset)
        line_start = self._line_starts[line_number - 1]
        return Place(line_number, offset - line_start + 1)
