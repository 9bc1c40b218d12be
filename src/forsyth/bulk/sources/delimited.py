"""CSV and TSV as rows: every column is text, named by the header line.

Accepts quotes as in RFC 4180, with line breaks inside; lines may also end with a lone ``\\r``. An empty cell
is null, a pair of quotes is an empty text, so that both come back as they were written. Lines without
anything are skipped, but in a file of one column they are rows.

Limits: a row of several lines has at most half a megabyte (a quote that is never closed ends there); the
header is required, and its names differ.
"""

from __future__ import annotations

import csv
import io
import time
import weakref
from collections.abc import Iterator
from itertools import chain
from typing import Final

import pyarrow as pa
import pyarrow.csv

from forsyth.bulk.errors import BulkError, brief, shown
from forsyth.bulk.sources.files import Stream
from forsyth.bulk.sources.lines import LineBlocks, sliced
from forsyth.limits import MAX_BULK_LINE

_WAIT: Final = 0.001
_MOMENT: Final = 0.05
_MOST_WAITS: Final = 1000
"""A second at most: a feed that an error still refers to is not waited for any longer."""
_BLOCK: Final = 1 << 19
"""Bytes given to Arrow at once. It reads ahead in its own thread, and what two threads take and give
back in large pieces leaves holes in the memory; in small ones it does not grow."""


class DelimitedRows:
    """The rows of a CSV or TSV file."""

    def __init__(self, stream: Stream, delimiter: str) -> None:
        self._stream = stream
        blocks = iter(LineBlocks(stream, size=_BLOCK))
        head = next((block for block in blocks if not block.isspace()), b"").lstrip(b"\r\n")
        names = _header(head, delimiter, stream.path)
        self.schema = pa.schema([(name, pa.string()) for name in names])
        self._found = self._open(chain((head,), blocks), names, delimiter)

    def _open(self, blocks: Iterator[bytes], names: list[str], delimiter: str) -> Iterator[pa.RecordBatch]:
        path = self._stream.path
        feed = _Feed(blocks)
        held = weakref.ref(feed)
        file = pa.PythonFile(feed, "r")
        del feed
        try:
            reader = pyarrow.csv.open_csv(
                file,
                read_options=pyarrow.csv.ReadOptions(use_threads=False, block_size=2 * MAX_BULK_LINE),
                parse_options=pyarrow.csv.ParseOptions(
                    delimiter=delimiter, newlines_in_values=True, ignore_empty_lines=len(names) != 1
                ),
                convert_options=pyarrow.csv.ConvertOptions(
                    column_types=dict.fromkeys(names, pa.string()),
                    include_columns=self.schema.names,
                    null_values=[""],
                    strings_can_be_null=True,
                    quoted_strings_can_be_null=False,
                ),
            )
            with reader:
                yield from reader
            del reader, file
            _wait_until_released(held)
        except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
            raise BulkError(f"{shown(path)}: {_reason(error)}") from error

    @property
    def position(self) -> int:
        """How many bytes of the file have been read."""
        return self._stream.position

    def batches(self, rows: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
        """The rows after the first `skip`, at most `rows` at once."""
        return sliced(self._found, rows, skip)

    def close(self) -> None:
        """Gives the file back."""
        self._stream.close()


def _wait_until_released(held: weakref.ref[_Feed]) -> None:
    """Wait until Arrow's own thread has let go of a feed.

    A thread that still holds one when the interpreter ends aborts the process.
    """
    for _ in range(_MOST_WAITS):
        if held() is None:
            break
        time.sleep(_WAIT)
    # The blocks it was given it lets go of a moment later, which cannot be asked for.
    time.sleep(_MOMENT)


class _Feed:
    """Blocks as a file that Arrow reads."""

    closed = False

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._block = memoryview(b"")

    def read(self, size: int = -1) -> bytes:
        while not self._block:
            block = next(self._blocks, None)
            if block is None:
                return b""
            self._block = memoryview(block)
        data, self._block = self._block[:size], self._block[size:]
        return bytes(data)

    def close(self) -> None:
        """Whoever opened the stream closes it."""


_HEADER: Final = "the first line must name the columns, such as: fen,source"


def _header(block: bytes, delimiter: str, path: str) -> list[str]:
    try:
        names = next(csv.reader(io.StringIO(block.decode(), newline=""), delimiter=delimiter), [])
    except csv.Error as error:
        raise BulkError(
            f"{shown(path)} has a header that cannot be read ({brief(error)}); {_HEADER}"
        ) from error
    if not names:
        raise BulkError(f"{shown(path)} is empty, without even a header; {_HEADER}")
    return names


def _reason(error: Exception) -> str:
    reason = brief(error).removeprefix("CSV parse error: ")
    if "straddling" in reason:
        return f"a row is longer than {_BLOCK} bytes, as when a quote is not closed; look for a lone '\"'"
    return f"{reason}; every row must have the columns of the header (row 1), and every quote its end"
