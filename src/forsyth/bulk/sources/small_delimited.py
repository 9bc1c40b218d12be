"""Small files of CSV or TSV with one header, read as if they were one: a call of Arrow costs as much as a
hundred rows.

Files go together while that is certain to change nothing: the same header, no line break in quotes, no
lone ``\\r`` and no empty lines, so that every line is a row. Whatever is wrong with one of them is left to
reading them one by one, which says where.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from forsyth.bulk.errors import BulkError
from forsyth.bulk.sources.delimited import BLOCK, DelimitedRows
from forsyth.bulk.sources.files import Cells, Stream


class Together(NamedTuple):
    """The rows of the first files of some, and how many each of them has."""

    rows: DelimitedRows
    counts: list[int]


class _Joined:
    """The bytes of several files with one header, as a stream."""

    compression = None

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self._data = data
        self.position = 0

    def read(self, size: int) -> bytes:
        found = self._data[self.position : self.position + size]
        self.position += len(found)
        return found

    def close(self) -> None:
        """There is no file to give back."""


def columns_together(paths: Sequence[str], delimiter: str, cells: Cells) -> pa.Schema | None:
    """The columns of small files that begin with the same header, with the types that all their cells have.

    None where that cannot be done: the files one by one say why.
    """
    bodies = list(_bodies(paths))
    if not cells.header or len(bodies) < len(paths):
        return None
    try:
        return _as_one(paths[0], bodies, delimiter, cells, None).told
    except BulkError:
        return None


def rows_together(paths: Iterable[str], delimiter: str, cells: Cells, kinds: pa.Schema) -> Together | None:
    """The rows of as many of the first files as go together; None where not even two do."""
    if not cells.header:
        return None
    taken, bodies = [], []
    for path, body in zip(paths, _bodies(paths), strict=False):
        if not _has_a_row_a_line(body.rows):
            break
        taken.append(path)
        bodies.append(body)
    if len(bodies) < 2:
        return None
    try:
        rows = _as_one(taken[0], bodies, delimiter, cells, kinds)
    except BulkError:
        return None
    return Together(rows, [body.rows.count(b"\n") for body in bodies])


class _Body(NamedTuple):
    """A file: its first line, and the others with an end behind each."""

    header: bytes
    rows: bytes


def _bodies(paths: Iterable[str]) -> Iterator[_Body]:
    """The first files that have one header and are small together."""
    header, size = b"", 0
    for path in paths:
        stream = Stream(path)
        try:
            data = stream.read(BLOCK)
        finally:
            stream.close()
        first, end, rest = data.partition(b"\n")
        if b"\r" in rest:
            rest = rest.replace(b"\r\n", b"\n")
        header, size = header or first, size + len(data) + 1
        # A quote that is open at the end of the line is one of a name with a line break.
        if not end or first != header or first.count(b'"') % 2 or size >= BLOCK:
            return
        yield _Body(first, rest if rest.endswith(b"\n") or not rest else rest + b"\n")


def _has_a_row_a_line(rows: bytes) -> bool:
    if b"\r" in rows or b"\n\n" in rows or rows.startswith(b"\n"):
        return False
    if b'"' not in rows:
        return True
    chars = np.frombuffer(rows, np.uint8)
    quotes = np.cumsum(chars == ord('"'), dtype=np.uint8)
    return not np.any(quotes[chars == ord("\n")] & 1)


def _as_one(
    path: str, bodies: Sequence[_Body], delimiter: str, cells: Cells, kinds: pa.Schema | None
) -> DelimitedRows:
    joined = b"".join([bodies[0].header, b"\n", *(body.rows for body in bodies)])
    return DelimitedRows(_Joined(path, joined), delimiter, cells, kinds)
