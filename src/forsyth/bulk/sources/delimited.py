"""CSV and TSV as rows: columns named by the header line, numbers where a column holds nothing else.

Accepts quotes as in RFC 4180, with line breaks inside; lines may also end with a lone ``\\r``. An empty cell
is null, a pair of quotes is an empty text, so that both come back as they were written. Lines without
anything are skipped, but in a file of one column they are rows. Without a header the columns are `column_1`,
`column_2` and so on.

A column is of whole numbers where all its cells in the first block (half a megabyte) are written as Forsyth
would write them: no quotes, no sign but ``-``, no zeros in front, of 64 bits. It is of decimal numbers
where they are digits with a point among them, or spelled as programs write them (``0.30000000000000004``,
``1e-05``). Every other column is text, so that ``007``, ``"7"`` and ``1e5`` stay what they are. A cell of a
later block that is no such number ends the reading with its row.

Small files with one header are read as if they were one: a call of Arrow costs as much as a hundred rows.
Files go together while that is certain to change nothing: the same header, no line break in quotes, no lone
``\\r`` and no empty lines, so that every line is a row. Whatever is wrong with one of them is left to reading
them one by one, which says where.

Limits: a row of several lines has at most half a megabyte (a quote that is never closed ends there); the
names of the columns differ.
"""

from __future__ import annotations

import atexit
import csv
import io
import re
import time
import weakref
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from forsyth.bulk.errors import BulkError, brief, shown
from forsyth.bulk.sources.files import ByteStream, Cells, MemoryStream, Stream
from forsyth.bulk.sources.lines import LineBlocks, sliced
from forsyth.limits import MAX_BULK_LINE

_WAIT: Final = 0.001
_MOMENT: Final = 0.05
_MOST_WAITS: Final = 1000
"""A second at most: a feed that an error still refers to is not waited for any longer."""
BLOCK: Final = 1 << 19
"""Bytes given to Arrow at once. It reads ahead in its own thread, and what two threads take and give
back in large pieces leaves holes in the memory; in small ones it does not grow."""
_DECIMALS: Final = r"^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?$"
"""All of these are written back as they are, but for zeros behind the point."""
_DIGIT_FIRST: Final = r"^-?[0-9]"
_LEAST: Final = np.array([0, 0, *(10**digits for digits in range(1, 19)), (1 << 63) - 1], np.int64)
"""The least number that is written with so many digits."""
_MOST_LOOKED_AT: Final = 1000
"""Cells of which is seen whether they are in quotes."""
_INTEGER: Final = pa.int64()
_DECIMAL: Final = pa.float64()


class DelimitedRows:
    """The rows of a CSV or TSV file; `kinds` are the types of its columns, where they are known already."""

    def __init__(
        self,
        stream: ByteStream,
        delimiter: str,
        cells: Cells | None = None,
        kinds: pa.Schema | None = None,
    ) -> None:
        self._stream = stream
        self._cells = cells or Cells()
        self._delimiter = self._cells.delimiter or delimiter
        blocks = iter(LineBlocks(stream, size=BLOCK))
        self._head = next((block for block in blocks if not block.isspace()), b"").lstrip(b"\r\n")
        self._names = _names(self._head, self._delimiter, self._cells.header, stream.path)
        second = next(blocks, None)
        self._blocks = blocks if second is None else chain((second,), blocks)
        self._is_whole = second is None
        self.told = self._told(kinds)
        """The columns with the types that their cells have; null where there is no cell with a value."""
        fields = [one if not pa.types.is_null(one.type) else one.with_type(pa.string()) for one in self.told]
        self.schema = pa.schema(fields)
        self._typed = {one.name: one.type for one in fields if one.type in (_INTEGER, _DECIMAL)}

    def _told(self, kinds: pa.Schema | None) -> pa.Schema:
        if not self._cells.typed or len(set(self._names)) < len(self._names):
            return pa.schema([(name, pa.string()) for name in self._names])
        if kinds is not None:
            known = {one.name: one.type for one in kinds}
            return pa.schema([(name, _readable(known.get(name, pa.string()))) for name in self._names])
        kinds_told = list(map(_kind_of, self._first_cells()))
        numbers = [at for at, kind in enumerate(kinds_told) if kind in (_INTEGER, _DECIMAL)]
        for at in _quoted(self._head, self._delimiter, int(self._cells.header), numbers):
            kinds_told[at] = pa.string()
        return pa.schema(list(zip(self._names, kinds_told, strict=True)))

    def _first_cells(self) -> list[pa.Array]:
        """The cells of each column in the first block."""
        if self._is_whole:
            table = self._table(self._names)
            return [column.combine_chunks() for column in table.columns]
        # The block may end within a cell: its last row is left out.
        text = io.StringIO(self._head.decode(), newline="")
        try:
            rows = list(csv.reader(text, delimiter=self._delimiter))[int(self._cells.header) : -1]
        except csv.Error:
            rows = []
        rows = [row for row in rows if len(row) == len(self._names)]
        return [pa.array([row[at] or None for row in rows], pa.string()) for at in range(len(self._names))]

    def _table(self, names: list[str]) -> pa.Table:
        """The rows of a file that is in memory."""
        # Memory of Arrow's own: its threads let go of objects of Python when they like.
        data = pa.allocate_buffer(len(self._head))
        memoryview(data).cast("B")[:] = self._head
        try:
            return pyarrow.csv.read_csv(pa.BufferReader(data), **self._options(names))
        except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
            raise BulkError(f"{shown(self._stream.path)}: {_reason(error)}") from error

    def _options(self, names: list[str]) -> dict[str, Any]:
        all_names = self._names
        return {
            "read_options": pyarrow.csv.ReadOptions(
                use_threads=False,
                block_size=2 * MAX_BULK_LINE,
                column_names=None if self._cells.header else all_names,
            ),
            "parse_options": pyarrow.csv.ParseOptions(
                delimiter=self._delimiter, newlines_in_values=True, ignore_empty_lines=len(all_names) != 1
            ),
            "convert_options": pyarrow.csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()),
                include_columns=names,
                null_values=[""],
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        }

    @property
    def position(self) -> int:
        """How many bytes of the file have been read."""
        return self._stream.position

    def batches(self, rows: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
        """The rows after the first `skip`, at most `rows` at once."""
        texts = self._from_memory() if self._is_whole else self._from_stream()
        return sliced(self._as_typed(texts), rows, skip)

    def _from_memory(self) -> Iterator[pa.RecordBatch]:
        yield from self._table(self.schema.names).to_batches()

    def _from_stream(self) -> Iterator[pa.RecordBatch]:
        feed = _Feed(chain((self._head,), self._blocks))
        _FEEDS.add(feed)
        file = pa.PythonFile(feed, "r")
        del feed
        try:
            with pyarrow.csv.open_csv(file, **self._options(self.schema.names)) as reader:
                yield from reader
        except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
            raise BulkError(f"{shown(self._stream.path)}: {_reason(error)}") from error

    def _as_typed(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        before = int(self._cells.header)
        for batch in batches:
            columns = [
                self._numbers(column, name, before) if name in self._typed else column
                for name, column in zip(batch.schema.names, batch.columns, strict=True)
            ]
            yield pa.RecordBatch.from_arrays(columns, schema=self.schema)
            before += batch.num_rows

    def _numbers(self, texts: pa.Array, name: str, before: int) -> pa.Array:
        kind = self._typed[name]
        found = _integers(texts) if kind == _INTEGER else _decimals(texts)
        if found is not None:
            return found
        row = _first_that_is_none(texts, kind)
        text = texts[row].as_py()[:40]
        raise BulkError(
            f"{shown(self._stream.path)}, row {before + row + 1}: {text!r} in the column {name!r} is no "
            "number as the first ones are; read all columns as text with --untyped (in Python typed=False)"
        )

    def close(self) -> None:
        """Gives the file back."""
        self._stream.close()


# --- numbers ----------------------------------------------------------------------------------------


def _kind_of(texts: pa.Array) -> pa.DataType:
    """The type of the values of some cells; null where there is none."""
    if texts.null_count == len(texts):
        return pa.null()
    # Most columns are texts, which the first of them shows.
    first = texts.drop_null()[0].as_py()
    if not first or first[0] not in "-0123456789":
        return pa.string()
    if _integers(texts) is not None:
        return _INTEGER
    return _DECIMAL if _are_decimals(texts.drop_null()) else pa.string()


def _are_decimals(texts: pa.Array) -> bool:
    """Whether texts are decimal numbers that lose nothing: short ones, or spelled as programs write them."""
    long = texts.filter(pc.invert(pc.match_substring_regex(texts, _DECIMALS)))
    if not len(long):
        return True
    numbers = _decimals(long) if pc.all(pc.match_substring_regex(long, _DIGIT_FIRST)).as_py() else None
    if numbers is None:
        return False
    # Arrow writes 1e-05 as 0.00001 and 1.5e-07 as 1.5e-7, Python and pandas do not.
    values, here = numbers.to_pylist(), numbers.cast(pa.string()).to_pylist()
    return all(
        text in (ours, repr(value)) for text, value, ours in zip(long.to_pylist(), values, here, strict=True)
    )


def _quoted(block: bytes, delimiter: str, headers: int, places: list[int]) -> list[int]:
    """Those of some columns whose first cell with a value is in quotes: whoever writes those means texts."""
    if not places or b'"' not in block:
        return []
    between = re.escape(delimiter.encode())
    cell = re.compile(rb'("[^"]*(?:""[^"]*)*"|[^%b\r\n]*)(%b|\r?\n|\Z)' % (between, between))
    quoted: dict[int, bool] = {}
    at = row = 0
    for found in islice(cell.finditer(block), _MOST_LOOKED_AT):
        if row >= headers and at in places and found[1]:
            quoted.setdefault(at, found[1].startswith(b'"'))
        if len(quoted) == len(places):
            break
        at = at + 1 if found[2] == delimiter.encode() else 0
        row += at == 0
    return [place for place, is_quoted in quoted.items() if is_quoted]


def _readable(kind: pa.DataType) -> pa.DataType:
    """How cells are read for a column of a type: as numbers, or as the texts they are."""
    return kind if kind in (_INTEGER, _DECIMAL) else pa.string()


def _integers(texts: pa.Array) -> pa.Array | None:
    """Texts as whole numbers; None where one of them is not, or is written differently."""
    try:
        numbers = texts.cast(_INTEGER)
    except pa.ArrowInvalid:
        return None
    lengths = pc.binary_length(texts)
    if numbers.null_count:
        values, lengths = numbers.fill_null(0).to_numpy(), lengths.fill_null(1)
    else:
        values = numbers.to_numpy()
    digits = lengths.to_numpy() - (values < 0)
    least = _LEAST[np.minimum(digits, len(_LEAST) - 1)]
    return numbers if np.all(np.abs(values) >= least) else None


def _decimals(texts: pa.Array) -> pa.Array | None:
    try:
        return texts.cast(_DECIMAL)
    except pa.ArrowInvalid:
        return None


def _first_that_is_none(texts: pa.Array, kind: pa.DataType) -> int:
    """The first row with a text that is no number, found by halving."""
    is_number = _integers if kind == _INTEGER else _decimals
    low, high = 0, len(texts) - 1
    while low < high:
        middle = (low + high) // 2
        if is_number(texts.slice(0, middle + 1)) is None:
            high = middle
        else:
            low = middle + 1
    return low


# --- what Arrow reads in its own thread ---------------------------------------------------------------


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


class _Feeds:
    """The feeds that a thread of Arrow may still hold.

    A thread that holds one when the interpreter ends aborts the process: so the end waits for them, once.
    """

    def __init__(self) -> None:
        self._held: weakref.WeakSet[_Feed] = weakref.WeakSet()
        self._last = 0.0

    def add(self, feed: _Feed) -> None:
        if not self._last:
            atexit.register(self._wait_until_released)
        self._held.add(feed)
        self._last = time.monotonic()

    def _wait_until_released(self) -> None:
        for _ in range(_MOST_WAITS):
            if not self._held:
                break
            time.sleep(_WAIT)
        # The blocks it was given it lets go of a moment later, which cannot be asked for.
        time.sleep(_MOMENT)


_FEEDS: Final = _Feeds()


# --- names and errors -------------------------------------------------------------------------------

_HEADER: Final = "the first line must name the columns, such as: fen,source"


def _names(block: bytes, delimiter: str, header: bool, path: str) -> list[str]:
    try:
        first = next(csv.reader(io.StringIO(block.decode(), newline=""), delimiter=delimiter), [])
    except csv.Error as error:
        raise BulkError(
            f"{shown(path)} has a header that cannot be read ({brief(error)}); {_HEADER}"
        ) from error
    if not first:
        raise BulkError(f"{shown(path)} is empty, without even a header; {_HEADER}")
    return first if header else [f"column_{number}" for number in range(1, len(first) + 1)]


def _reason(error: Exception) -> str:
    reason = brief(error).removeprefix("CSV parse error: ")
    if "straddling" in reason:
        return f"a row is longer than {BLOCK} bytes, as when a quote is not closed; look for a lone '\"'"
    return f"{reason}; every row must have the columns of the header (row 1), and every quote its end"


# --- small files together ---------------------------------------------------------------------------


class Together(NamedTuple):
    """The rows of the first files of some, and how many each of them has."""

    rows: DelimitedRows
    counts: list[int]


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
    return DelimitedRows(MemoryStream(path, joined), delimiter, cells, kinds)
