r"""CSV and TSV as rows: columns named by the header line, with numbers inferred from the first block.

Accepts quotes as in RFC 4180, with line breaks inside. Lines may also end with a lone ``\r``. An empty cell
is null and a pair of quotes is an empty text, so that both are written back unchanged. Empty lines are
skipped, except in a file of one column, where they are rows. Without a header the columns are named
`column_1`, `column_2` and so on.

A column holds integers if all its cells in the first block (half a megabyte) are written as Forsyth would
write them: no quotes, no sign except ``-``, no leading zeros, at most 64 bits. It holds decimal numbers if
the cells are digits with a decimal point, or spelled as programs write them (``0.30000000000000004``,
``1e-05``). Every other column is text, so that ``007``, ``"7"`` and ``1e5`` are kept as they are. If a later
block has a cell that is not a number in a column of numbers, reading ends with an error that names the row.

Small files with the same header are read as if they were one file, because one call of Arrow costs as much
as a hundred rows. Files are merged only if that cannot change the result: the same header, no line break in
quotes, no lone ``\r`` and no empty lines, so that every line is a row. If anything is wrong with one of the
files, they are read one by one, and the error names the file.

Limits: a row of several lines has at most half a megabyte (a quote that is never closed ends there). The
names of the columns must differ.
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

from forsyth.bulk.errors import BulkError, display_name, first_line
from forsyth.bulk.sources.files import ByteStream, CsvDialect, MemoryStream, Stream
from forsyth.bulk.sources.lines import LineBlocks, slice_batches
from forsyth.limits import MAX_BULK_LINE

_POLL_SECONDS: Final = 0.001
"""Pause between two checks whether Arrow's threads have released their block files."""
_RELEASE_SECONDS: Final = 0.05
"""Pause after the last block file is released, for the blocks that Arrow releases a moment later."""
_MAX_POLLS: Final = 1000
"""Upper bound on the checks: one second. A file that an exception still refers to is never released."""
BLOCK: Final = 1 << 19
"""Size of the blocks given to Arrow, in bytes. Arrow reads ahead in its own thread. Large blocks that two
threads allocate and free fragment the memory, small ones do not."""
_SHORT_DECIMAL: Final = r"^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?$"
"""Pattern of numbers that are written back unchanged, except for zeros after the decimal point."""
_DIGIT_FIRST: Final = r"^-?[0-9]"
_MIN_BY_DIGITS: Final = np.array([0, 0, *(10**digits for digits in range(1, 19)), (1 << 63) - 1], np.int64)
"""The smallest number that is written with as many digits as the index."""
_MAX_CELLS_SEARCHED: Final = 1000
"""Upper bound on the cells that are searched for quotes."""
_INTEGER: Final = pa.int64()
_DECIMAL: Final = pa.float64()


class DelimitedRows:
    """The rows of a CSV or TSV file."""

    def __init__(
        self,
        stream: ByteStream,
        delimiter: str,
        dialect: CsvDialect | None = None,
        column_types: pa.Schema | None = None,
    ) -> None:
        """Read the header and the first block.

        Args:
            stream: The decompressed file.
            delimiter: The delimiter of the format, for a dialect that does not have its own.
            dialect: The layout of the file; None for the default.
            column_types: The types of the columns, if they are known; None infers them from the first block.

        Raises:
            BulkError: If the header cannot be read.
        """
        self._stream = stream
        self._dialect = dialect or CsvDialect()
        self._delimiter = self._dialect.delimiter or delimiter
        blocks = iter(LineBlocks(stream, size=BLOCK))
        self._head = next((block for block in blocks if not block.isspace()), b"").lstrip(b"\r\n")
        self._names = _read_column_names(self._head, self._delimiter, self._dialect.header, stream.path)
        second = next(blocks, None)
        self._blocks = blocks if second is None else chain((second,), blocks)
        self._is_whole = second is None
        self.inferred_schema = self._infer_schema(column_types)
        """The columns with the types of their cells; null for a column without a value."""
        fields = [
            field.with_type(pa.string()) if pa.types.is_null(field.type) else field
            for field in self.inferred_schema
        ]
        self.schema = pa.schema(fields)
        self._number_types = {
            field.name: field.type for field in fields if field.type in (_INTEGER, _DECIMAL)
        }

    def _infer_schema(self, column_types: pa.Schema | None) -> pa.Schema:
        """Return the columns with their types, from `column_types` or from the cells of the first block.

        All columns are texts if the dialect is not `typed`, or a name is repeated, which is an error later.
        """
        if not self._dialect.typed or len(set(self._names)) < len(self._names):
            return pa.schema([(name, pa.string()) for name in self._names])
        if column_types is not None:
            known_types = {field.name: field.type for field in column_types}
            return pa.schema([(name, _cell_type(known_types.get(name, pa.string()))) for name in self._names])
        types = list(map(_infer_type, self._read_first_cells()))
        number_columns = [
            index for index, value_type in enumerate(types) if value_type in (_INTEGER, _DECIMAL)
        ]
        for index in _find_quoted(self._head, self._delimiter, int(self._dialect.header), number_columns):
            types[index] = pa.string()
        return pa.schema(list(zip(self._names, types, strict=True)))

    def _read_first_cells(self) -> list[pa.Array]:
        """Return the cells of each column in the first block as texts, with null for empty cells."""
        if self._is_whole:
            table = self._read_table(self._names)
            return [column.combine_chunks() for column in table.columns]
        # The block may end within a cell, so its last row is left out.
        text = io.StringIO(self._head.decode(), newline="")
        try:
            rows = list(csv.reader(text, delimiter=self._delimiter))[int(self._dialect.header) : -1]
        except csv.Error:
            rows = []
        column_count = len(self._names)
        rows = [row for row in rows if len(row) == column_count]
        return [pa.array([row[index] or None for row in rows], pa.string()) for index in range(column_count)]

    def _read_table(self, names: list[str]) -> pa.Table:
        """Return the columns `names` of a file of one block as texts; raise `BulkError` if it is not CSV."""
        # Arrow's threads release Python objects at any time, so the data is copied to Arrow's own memory.
        data = pa.allocate_buffer(len(self._head))
        memoryview(data).cast("B")[:] = self._head
        try:
            return pyarrow.csv.read_csv(pa.BufferReader(data), **self._arrow_options(names))
        except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
            raise BulkError(f"{display_name(self._stream.path)}: {_describe_error(error)}") from error

    def _arrow_options(self, names: list[str]) -> dict[str, Any]:
        """Return the keyword arguments with which Arrow's CSV reader returns the columns `names` as texts."""
        all_names = self._names
        return {
            "read_options": pyarrow.csv.ReadOptions(
                use_threads=False,
                block_size=2 * MAX_BULK_LINE,
                column_names=None if self._dialect.header else all_names,
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
        """Number of bytes of the file that have been read."""
        return self._stream.position

    def iter_batches(self, max_rows: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
        """Yield the rows after the first `skip`, at most `max_rows` in each batch."""
        text_batches = self._read_memory() if self._is_whole else self._read_stream()
        return slice_batches(self._convert_numbers(text_batches), max_rows, skip)

    def _read_memory(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a file that is in memory, with all cells as texts."""
        yield from self._read_table(self.schema.names).to_batches()

    def _read_stream(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a file of several blocks, with all cells as texts.

        Arrow reads ahead in its own thread.
        """
        block_file = _BlockFile(chain((self._head,), self._blocks))
        _OPEN_BLOCK_FILES.add(block_file)
        file = pa.PythonFile(block_file, "r")
        # Only Arrow refers to the block file from here on, so that its release can be observed.
        del block_file
        try:
            with pyarrow.csv.open_csv(file, **self._arrow_options(self.schema.names)) as reader:
                yield from reader
        except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
            raise BulkError(f"{display_name(self._stream.path)}: {_describe_error(error)}") from error

    def _convert_numbers(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the batches with the texts of number columns converted to numbers.

        Raise `BulkError` with the row if a text in such a column is not a number.
        """
        rows_before = int(self._dialect.header)
        for batch in batches:
            columns = [
                self._convert_column(column, name, rows_before) if name in self._number_types else column
                for name, column in zip(batch.schema.names, batch.columns, strict=True)
            ]
            yield pa.RecordBatch.from_arrays(columns, schema=self.schema)
            rows_before += batch.num_rows

    def _convert_column(self, texts: pa.Array, name: str, rows_before: int) -> pa.Array:
        """Return the texts of the column `name` as numbers of its type.

        Raise `BulkError` with the row if a text is not such a number; `rows_before` is the number of rows of
        the file before the texts.
        """
        value_type = self._number_types[name]
        numbers = _parse_integers(texts) if value_type == _INTEGER else _parse_decimals(texts)
        if numbers is not None:
            return numbers
        row = _find_first_invalid(texts, value_type)
        text = texts[row].as_py()[:40]
        raise BulkError(
            f"{display_name(self._stream.path)}, row {rows_before + row + 1}: {text!r} in the column "
            f"{name!r} is not a number as the first ones are; read all columns as text with --untyped "
            "(in Python typed=False)"
        )

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


# --- numbers ----------------------------------------------------------------------------------------


def _infer_type(texts: pa.Array) -> pa.DataType:
    """Return the type of a column of cells: integer, decimal or text, or null if no cell has a value.

    A number type is returned only if every cell would be written back unchanged: ``007`` is a text.
    """
    if texts.null_count == len(texts):
        return pa.null()
    # Most columns are texts, and their first value shows it.
    first = texts.drop_null()[0].as_py()
    if not first or first[0] not in "-0123456789":
        return pa.string()
    if _parse_integers(texts) is not None:
        return _INTEGER
    return _DECIMAL if _are_decimals(texts.drop_null()) else pa.string()


def _are_decimals(texts: pa.Array) -> bool:
    """Return whether all texts are decimal numbers that can be read as floats and written back unchanged.

    Such numbers are short, such as ``0.25``, or spelled as programs write them: ``0.30000000000000004``.
    """
    long_texts = texts.filter(pc.invert(pc.match_substring_regex(texts, _SHORT_DECIMAL)))
    if not len(long_texts):
        return True
    start_with_digit = pc.all(pc.match_substring_regex(long_texts, _DIGIT_FIRST)).as_py()
    numbers = _parse_decimals(long_texts) if start_with_digit else None
    if numbers is None:
        return False
    # Arrow writes 1e-05 as 0.00001 and 1.5e-07 as 1.5e-7, Python and pandas do not.
    values, arrow_texts = numbers.to_pylist(), numbers.cast(pa.string()).to_pylist()
    return all(
        text in (arrow_text, repr(value))
        for text, value, arrow_text in zip(long_texts.to_pylist(), values, arrow_texts, strict=True)
    )


def _find_quoted(block: bytes, delimiter: str, header_rows: int, columns: list[int]) -> list[int]:
    """Return those of `columns` whose first value is in quotes, such as ``"7"``, which marks it as a text.

    Args:
        block: The first block of the file.
        delimiter: The character between cells.
        header_rows: The number of rows to skip: 1 if there is a header, else 0.
        columns: The indexes of the columns to check.
    """
    if not columns or b'"' not in block:
        return []
    separator = re.escape(delimiter.encode())
    cell = re.compile(rb'("[^"]*(?:""[^"]*)*"|[^%b\r\n]*)(%b|\r?\n|\Z)' % (separator, separator))
    quoted_by_column: dict[int, bool] = {}
    column = row = 0
    for match in islice(cell.finditer(block), _MAX_CELLS_SEARCHED):
        text, cell_end = match[1], match[2]
        if row >= header_rows and column in columns and text:
            quoted_by_column.setdefault(column, text.startswith(b'"'))
        if len(quoted_by_column) == len(columns):
            break
        if cell_end == delimiter.encode():
            column += 1
        else:
            column = 0
            row += 1
    return [index for index, is_quoted in quoted_by_column.items() if is_quoted]


def _cell_type(value_type: pa.DataType) -> pa.DataType:
    """Return the type with which cells of a column of type `value_type` are read: a number type or text."""
    return value_type if value_type in (_INTEGER, _DECIMAL) else pa.string()


def _parse_integers(texts: pa.Array) -> pa.Array | None:
    """Return texts as integers, or None if one of them would be written back differently.

    ``7`` and null are accepted; ``007``, ``+7`` and ``7.0`` are not.
    """
    try:
        numbers = texts.cast(_INTEGER)
    except pa.ArrowInvalid:
        return None
    lengths = pc.binary_length(texts)
    if numbers.null_count:
        values, lengths = numbers.fill_null(0).to_numpy(), lengths.fill_null(1)
    else:
        values = numbers.to_numpy()
    # A minus sign is not a digit.
    digit_counts = lengths.to_numpy() - (values < 0)
    # A number that is smaller than its digits allow has leading zeros or a plus sign.
    smallest = _MIN_BY_DIGITS[np.minimum(digit_counts, len(_MIN_BY_DIGITS) - 1)]
    return numbers if np.all(np.abs(values) >= smallest) else None


def _parse_decimals(texts: pa.Array) -> pa.Array | None:
    """Return texts as floats, or None if one is not a number; null stays null."""
    try:
        return texts.cast(_DECIMAL)
    except pa.ArrowInvalid:
        return None


def _find_first_invalid(texts: pa.Array, value_type: pa.DataType) -> int:
    """Return the index of the first text that is not a number of type `value_type`, by binary search.

    At least one of the texts must not be such a number.
    """
    parse = _parse_integers if value_type == _INTEGER else _parse_decimals
    low, high = 0, len(texts) - 1
    while low < high:
        middle = (low + high) // 2
        if parse(texts.slice(0, middle + 1)) is None:
            high = middle
        else:
            low = middle + 1
    return low


# --- files that Arrow reads in its own thread ---------------------------------------------------------


class _BlockFile:
    """A readable file for Arrow, made of blocks of bytes."""

    closed = False

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._block = memoryview(b"")

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` bytes, fewer at the end of a block; no bytes at the end of the file."""
        while not self._block:
            block = next(self._blocks, None)
            if block is None:
                return b""
            self._block = memoryview(block)
        data = bytes(self._block[:size])
        self._block = self._block[size:]
        return data

    def close(self) -> None:
        """Do nothing: the owner of the stream closes it."""


class _OpenBlockFiles:
    """The block files that a thread of Arrow may still refer to.

    A thread that refers to one when the interpreter exits aborts the process, so the exit waits for them.
    """

    def __init__(self) -> None:
        self._files: weakref.WeakSet[_BlockFile] = weakref.WeakSet()
        self._is_registered = False

    def add(self, block_file: _BlockFile) -> None:
        """Register `block_file`, so that the exit of the interpreter waits for its release."""
        if not self._is_registered:
            atexit.register(self._wait_until_released)
            self._is_registered = True
        self._files.add(block_file)

    def _wait_until_released(self) -> None:
        """Wait until Arrow has released all files, or `_MAX_POLLS` checks have been made."""
        for _ in range(_MAX_POLLS):
            if not self._files:
                break
            time.sleep(_POLL_SECONDS)
        # Arrow releases the blocks a moment after the file, and there is no way to find out when.
        time.sleep(_RELEASE_SECONDS)


_OPEN_BLOCK_FILES: Final = _OpenBlockFiles()


# --- names and errors -------------------------------------------------------------------------------

_HEADER_REMEDY: Final = "the first line must name the columns, such as: fen,source"


def _read_column_names(block: bytes, delimiter: str, has_header: bool, path: str) -> list[str]:
    """Return the names in the first row of `block`, or `column_1` and so on if there is no header.

    Raise `BulkError` if the first row cannot be read or does not exist.
    """
    try:
        first_row = next(csv.reader(io.StringIO(block.decode(), newline=""), delimiter=delimiter), [])
    except csv.Error as error:
        raise BulkError(
            f"{display_name(path)} has a header that cannot be read ({first_line(error)}); {_HEADER_REMEDY}"
        ) from error
    if not first_row:
        raise BulkError(f"{display_name(path)} is empty and has no header; {_HEADER_REMEDY}")
    return first_row if has_header else [f"column_{number}" for number in range(1, len(first_row) + 1)]


def _describe_error(error: Exception) -> str:
    """Return the reason why Arrow cannot read a CSV file, with a remedy."""
    reason = first_line(error).removeprefix("CSV parse error: ")
    # Arrow calls a row that is longer than a block a straddling object.
    if "straddling" in reason:
        return f"a row is longer than {BLOCK} bytes, as when a quote is not closed; look for an unpaired '\"'"
    return f"{reason}; every row must have the columns of the header (row 1), and every quote must be closed"


# --- small files as one -----------------------------------------------------------------------------


class MergedFiles(NamedTuple):
    """The rows of several files that are read as one, and the number of rows of each file."""

    rows: DelimitedRows
    row_counts: list[int]


def infer_merged_schema(paths: Sequence[str], delimiter: str, dialect: CsvDialect) -> pa.Schema | None:
    """Return the columns of small files with the same header, with the types inferred from all cells.

    Return None if the files cannot be read as one. The caller then reads them one by one, which gives an
    error that names the file.

    Args:
        paths: The paths of the files.
        delimiter: The delimiter of the format, a comma or a tab.
        dialect: The layout of the files.
    """
    contents = list(_read_contents(paths))
    if not dialect.header or len(contents) < len(paths):
        return None
    try:
        return _merge_contents(paths[0], contents, delimiter, dialect, None).inferred_schema
    except BulkError:
        return None


def merge_files(
    paths: Iterable[str], delimiter: str, dialect: CsvDialect, column_types: pa.Schema
) -> MergedFiles | None:
    """Return the rows of as many of the first files as can be read as one, or None if fewer than two can.

    The files must have the same header, and each of their lines must be one row.

    Args:
        paths: The paths of the files.
        delimiter: The delimiter of the format, a comma or a tab.
        dialect: The layout of the files. Files without a header are not merged.
        column_types: The types of the columns.
    """
    if not dialect.header:
        return None
    mergeable_paths, contents = [], []
    for path, content in zip(paths, _read_contents(paths), strict=False):
        if not _has_one_row_per_line(content.rows):
            break
        mergeable_paths.append(path)
        contents.append(content)
    if len(contents) < 2:
        return None
    try:
        rows = _merge_contents(mergeable_paths[0], contents, delimiter, dialect, column_types)
    except BulkError:
        return None
    return MergedFiles(rows, [content.rows.count(b"\n") for content in contents])


class _FileContent(NamedTuple):
    """The content of a small file."""

    header: bytes
    """The first line, without its line end."""
    rows: bytes
    """The other lines, each with a line end."""


def _read_contents(paths: Iterable[str]) -> Iterator[_FileContent]:
    """Yield the content of files that can be read as one.

    Stop at the first file whose header differs or does not end on its line, or when the sum of the sizes
    reaches `BLOCK`.
    """
    first_header = b""
    total_size = 0
    for path in paths:
        stream = Stream(path)
        try:
            data = stream.read(BLOCK)
        finally:
            stream.close()
        header_line, line_end, rows = data.partition(b"\n")
        if b"\r" in rows:
            rows = rows.replace(b"\r\n", b"\n")
        first_header = first_header or header_line
        total_size += len(data) + 1
        # A quote that is open at the end of the line belongs to a name with a line break.
        has_open_quote = header_line.count(b'"') % 2 == 1
        has_same_header = bool(line_end) and header_line == first_header and not has_open_quote
        if not has_same_header or total_size >= BLOCK:
            return
        if rows and not rows.endswith(b"\n"):
            rows += b"\n"
        yield _FileContent(header_line, rows)


def _has_one_row_per_line(rows: bytes) -> bool:
    """Return whether each line of CSV text is exactly one row.

    It is not if a line is empty, contains a lone carriage return or ends inside quotes.
    """
    if b"\r" in rows or b"\n\n" in rows or rows.startswith(b"\n"):
        return False
    if b'"' not in rows:
        return True
    chars = np.frombuffer(rows, np.uint8)
    # The count may overflow, which does not change whether it is odd.
    quotes_before = np.cumsum(chars == ord('"'), dtype=np.uint8)
    is_inside_quotes = quotes_before[chars == ord("\n")] % 2 == 1
    return not np.any(is_inside_quotes)


def _merge_contents(
    path: str,
    contents: Sequence[_FileContent],
    delimiter: str,
    dialect: CsvDialect,
    column_types: pa.Schema | None,
) -> DelimitedRows:
    """Return the rows of several files with the same header as if they were one file.

    Error messages name this file `path`. `column_types` is None to infer the types.
    """
    joined = b"".join([contents[0].header, b"\n", *(content.rows for content in contents)])
    return DelimitedRows(MemoryStream(path, joined), delimiter, dialect, column_types)
