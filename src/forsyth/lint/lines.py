"""Lines and columns of a text. A line ends with LF, CRLF or CR; columns count characters; both are from 1."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final, NamedTuple

_END: Final = re.compile(r"\r\n|\n|\r")


class Place(NamedTuple):
    """A line and a column, both from 1."""

    line: int
    column: int


class Lines:
    """Where the lines of a text begin."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *[end.end() for end in _END.finditer(text)]]

    def place(self, offset: int) -> Place:
        """The place of a character."""
        line = bisect_right(self._starts, offset)
        return Place(line, offset - self._starts[line - 1] + 1)
