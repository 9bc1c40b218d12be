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
BLOCK_BYTES: Final = 1 << 19
"""Size of the blocks given to Arrow, in bytes. Arrow reads ahead in its own thread. Large blocks that two
threads allocate and free fragment the memory, small ones do not."""
_SHORT_DECIMAL: Final = r"^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?$"
"""Pattern of numbers that are written back unchanged, except for zeros after the decimal point."""
_DIGIT_FIRST: Final = r"^-?[0-9]"
_MIN_BY_DIGITS: Final = np.array([0, 0, *(10**digits for digits in range(1, 19)), (1 << 63) - 1], np.int64)
"""The smallest number that is written with as many digits as the index."""
_MAX_CELLS_SEARCHED: Final = 1000
"""Upper bound on the cells that are searched for quotes."""
_MAX_TEXT_SHOWN: Final = 40
"""Upper bound on the characters of a cell that a message repeats."""
_INTEGER: Final = pa.int64()
_DECIMAL: Final = pa.float64()
_NUMBER_TYPES: Final = (_INTEGER, _DECIMAL)


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
        self._header_rows = int(self._dialect.header)
        """Number of rows before the first row of cells: 1 if there is a header, else 0."""
        blocks = iter(LineBlocks(stream, size=BLOCK_BYTES))
        first_nonblank_block = next((block for block in blocks if not block.isspace()), b"")
        self._first_block = first_nonblank_block.lstrip(b"\r\n")
        self._names = _read_column_names(
            self._first_block, self._delimiter, self._dialect.header, stream.path
        )
        second_block = next(blocks, None)
        self._has_one_block = second_block is None
        self._other_blocks = blocks if second_block is None else chain((second_block,), blocks)
        self.inferred_schema = self._infer_schema(column_types)
        """The columns with the types of their cells; null for a column without a value."""
        self.schema = pa.schema(
            [
                field.with_type(pa.string()) if pa.types.is_null(field.type) else field
                for field in self.inferred_schema
            ]
        )
        self._number_types = {field.name: field.type for field in self.schema if field.type in _NUMBER_TYPES}

    def _infer_schema(self, column_types: pa.Schema | None) -> pa.Schema:
        """Return the columns with their types, from `column_types` or from the cells of the first block.

        All columns are texts if the dialect is not `typed`, or if a name is repeated (an error later).
        """
        has_repeated_name = len(set(self._names)) < len(self._names)
        if not self._dialect.typed or has_repeated_name:
            types = [pa.string()] * len(self._names)
        elif column_types is not None:
            known_types = {field.name: field.type for field in column_types}
            types = [_choose_cell_type(known_types.get(name)) for name in self._names]
        else:
            types = self._infer_cell_types()
        return pa.schema(list(zip(self._names, types, strict=True)))

    def _infer_cell_types(self) -> list[pa.DataType]:
        """Return the type of each column as its cells in the first block show it."""
        types = [_infer_column_type(cells) for cells in self._read_first_cells()]
        number_columns = [index for index, cell_type in enumerate(types) if cell_type in _NUMBER_TYPES]
        quoted_columns = _find_quoted_columns(
            self._first_block, self._delimiter, self._header_rows, number_columns
        )
        for index in quoted_columns:
            types[index] = pa.string()
        return types

    def _read_first_cells(self) -> list[pa.Array]:
        """Return the cells of each column in the first block as texts, with null for empty cells."""
        if self._has_one_block:
            table = self._read_only_block(self._names)
            return [column.combine_chunks() for column in table.columns]
        text = io.StringIO(self._first_block.decode(), newline="")
        try:
            all_rows = list(csv.reader(text, delimiter=self._delimiter))
        except csv.Error:
            all_rows = []
        # The block may end within a cell, so its last row is left out.
        complete_rows = all_rows[self._header_rows : -1]
        column_count = len(self._names)
        rows = [row for row in complete_rows if len(row) == column_count]
        return [pa.array([row[index] or None for row in rows], pa.string()) for index in range(column_count)]

    def _read_only_block(self, names: list[str]) -> pa.Table:
        """Return the columns `names` of a file that consists of one block, with all cells as texts.

        Raise `BulkError` if the block is not CSV.
        """
        # Arrow's threads release Python objects at any time, so the data is copied to Arrow's own memory.
        data = pa.allocate_buffer(len(self._first_block))
        memoryview(data).cast("B")[:] = self._first_block
        try:
            return pyarrow.csv.read_csv(pa.BufferReader(data), **self._build_arrow_options(names))
        except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
            raise BulkError(f"{display_name(self._stream.path)}: {_describe_arrow_error(error)}") from error

    def _build_arrow_options(self, names: list[str]) -> dict[str, Any]:
        """Return the keyword arguments with which Arrow's CSV reader reads the columns `names` as texts."""
        has_one_column = len(self._names) == 1
        return {
            "read_options": pyarrow.csv.ReadOptions(
                use_threads=False,
                block_size=2 * MAX_BULK_LINE,
                column_names=None if self._dialect.header else self._names,
            ),
            "parse_options": pyarrow.csv.ParseOptions(
                delimiter=self._delimiter, newlines_in_values=True, ignore_empty_lines=not has_one_column
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
    def bytes_read(self) -> int:
        """Number of bytes of the file that have been read."""
        return self._stream.bytes_read

    def iter_batches(self, max_rows: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
        """Yield the rows after the first `skip`, at most `max_rows` in each batch."""
        return slice_batches(self._convert_numbers(self._iter_text_batches()), max_rows, skip)

    def _iter_text_batches(self) -> Iterator[pa.RecordBatch]:
        """Yield all rows of the file, with all cells as texts."""
        if self._has_one_block:
            yield from self._read_only_block(self.schema.names).to_batches()
        else:
            yield from self._read_ahead()

    def _read_ahead(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a file of several blocks, which Arrow reads ahead in its own thread.

        All cells are texts. Raise `BulkError` if the file is not CSV.
        """
        block_file = _BlockFile(chain((self._first_block,), self._other_blocks))
        _OPEN_BLOCK_FILES.add(block_file)
        file = pa.PythonFile(block_file, "r")
        # Only Arrow refers to the block file from here on, so that its release can be observed.
        del block_file
        try:
            with pyarrow.csv.open_csv(file, **self._build_arrow_options(self.schema.names)) as reader:
                yield from reader
        except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
            raise BulkError(f"{display_name(self._stream.path)}: {_describe_arrow_error(error)}") from error

    def _convert_numbers(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the batches with the texts of number columns converted to numbers.

        Raise `BulkError` with the row if a text in such a column is not a number.
        """
        rows_before = self._header_rows
        for batch in batches:
            columns = []
            for name, texts in zip(batch.schema.names, batch.columns, strict=True):
                is_number_column = name in self._number_types
                columns.append(self._parse_column(texts, name, rows_before) if is_number_column else texts)
            yield pa.RecordBatch.from_arrays(columns, schema=self.schema)
            rows_before += batch.num_rows

    def _parse_column(self, texts: pa.Array, name: str, rows_before: int) -> pa.Array:
        """Return the texts of the number column `name` as numbers.

        Raise `BulkError` with the row if a text is not a number of the column's type. `rows_before` is the
        number of rows of the file before `texts`.
        """
        number_type = self._number_types[name]
        numbers = _parse_numbers(texts, number_type)
        if numbers is not None:
            return numbers
        row_index = _find_first_non_number(texts, number_type)
        wrong_text = texts[row_index].as_py()[:_MAX_TEXT_SHOWN]
        row_number = rows_before + row_index + 1
        raise BulkError(
            f"{display_name(self._stream.path)}, row {row_number}: {wrong_text!r} in the column "
            f"{name!r} is not a number as the first ones are; read all columns as text with --untyped "
            "(in Python typed=False)"
        )

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


# --- numbers ----------------------------------------------------------------------------------------


def _infer_column_type(texts: pa.Array) -> pa.DataType:
    """Return the type of a column of cells: integer, decimal or text, or null if no cell has a value.

    A number type is returned only if every cell would be written back unchanged: ``007`` is a text.
    """
    if texts.null_count == len(texts):
        return pa.null()
    # In most columns of texts, the first value already is not a number.
    first_text = texts.drop_null()[0].as_py()
    if not first_text or first_text[0] not in "-0123456789":
        return pa.string()
    if _parse_integers(texts) is not None:
        return _INTEGER
    return _DECIMAL if _are_decimals(texts.drop_null()) else pa.string()


def _are_decimals(texts: pa.Array) -> bool:
    """Return whether all texts are decimal numbers that can be read as floats and written back unchanged.

    They are if they are short, such as ``0.25``, or spelled as programs write floats, such as
    ``0.30000000000000004``.
    """
    is_short_decimal = pc.match_substring_regex(texts, _SHORT_DECIMAL)
    other_texts = texts.filter(pc.invert(is_short_decimal))
    if not len(other_texts):
        return True
    begins_with_digit = pc.match_substring_regex(other_texts, _DIGIT_FIRST)
    if not pc.all(begins_with_digit).as_py():
        return False
    numbers = _parse_decimals(other_texts)
    if numbers is None:
        return False
    # Arrow writes 1e-05 as 0.00001 and 1.5e-07 as 1.5e-7, Python and pandas do not.
    arrow_texts = numbers.cast(pa.string()).to_pylist()
    python_texts = [repr(number) for number in numbers.to_pylist()]
    return all(
        text in spellings
        for text, *spellings in zip(other_texts.to_pylist(), arrow_texts, python_texts, strict=True)
    )


def _find_quoted_columns(block: bytes, delimiter: str, header_rows: int, columns: list[int]) -> list[int]:
    """Return those of `columns` whose first value is in quotes, such as ``"7"``, which marks it as a text.

    Only the first `_MAX_CELLS_SEARCHED` cells are searched.

    Args:
        block: The first block of the file.
        delimiter: The character between cells.
        header_rows: The number of rows to skip: 1 if there is a header, else 0.
        columns: The indexes of the columns to check.
    """
    if not columns or b'"' not in block:
        return []
    is_quoted_by_column: dict[int, bool] = {}
    for cell in islice(_iter_cells(block, delimiter), _MAX_CELLS_SEARCHED):
        if cell.row >= header_rows and cell.column in columns and cell.text:
            is_quoted_by_column.setdefault(cell.column, cell.text.startswith(b'"'))
        if len(is_quoted_by_column) == len(columns):
            break
    return [column for column, is_quoted in is_quoted_by_column.items() if is_quoted]


class _Cell(NamedTuple):
    """A cell of a CSV file with its place."""

    row: int
    column: int
    text: bytes
    """The text of the cell with its quotes."""


def _iter_cells(block: bytes, delimiter: str) -> Iterator[_Cell]:
    """Yield the cells of a block of CSV, row by row; `delimiter` is the character between cells."""
    separator = delimiter.encode()
    escaped_separator = re.escape(separator)
    # A cell in quotes or without quotes, and the separator or the end of the line after it.
    cell_pattern = re.compile(
        rb'("[^"]*(?:""[^"]*)*"|[^%b\r\n]*)(%b|\r?\n|\Z)' % (escaped_separator, escaped_separator)
    )
    row = column = 0
    for match in cell_pattern.finditer(block):
        text, cell_end = match.groups()
        yield _Cell(row, column, text)
        if cell_end == separator:
            column += 1
        else:
            row += 1
            column = 0


def _choose_cell_type(column_type: pa.DataType | None) -> pa.DataType:
    """Return the type with which the cells of a column of type `column_type` are read.

    Numbers keep their type. Cells of all other columns, and of an unknown column (None), are read as texts.
    """
    return column_type if column_type in _NUMBER_TYPES else pa.string()


def _parse_numbers(texts: pa.Array, number_type: pa.DataType) -> pa.Array | None:
    """Return texts as numbers of type `number_type`, an integer or a decimal type.

    Return None if one of the texts is not such a number.
    """
    return _parse_integers(texts) if number_type == _INTEGER else _parse_decimals(texts)


def _parse_integers(texts: pa.Array) -> pa.Array | None:
    """Return texts as integers, or None if one of them would be written back differently.

    ``7`` and null are accepted; ``007``, ``+7`` and ``7.0`` are not.
    """
    try:
        numbers = texts.cast(_INTEGER)
    except pa.ArrowInvalid:
        return None
    # A null counts as the text 0, which is written back unchanged.
    values = numbers.fill_null(0).to_numpy()
    lengths = pc.binary_length(texts).fill_null(1).to_numpy()
    is_negative = values < 0
    # A minus sign is not a digit.
    digit_counts = lengths - is_negative
    # A number that is smaller than its digits allow has leading zeros or a plus sign.
    smallest_values = _MIN_BY_DIGITS[np.minimum(digit_counts, len(_MIN_BY_DIGITS) - 1)]
    is_unchanged = np.abs(values) >= smallest_values
    return numbers if np.all(is_unchanged) else None


def _parse_decimals(texts: pa.Array) -> pa.Array | None:
    """Return texts as floats, or None if one of them is not a number. A null stays null."""
    try:
        return texts.cast(_DECIMAL)
    except pa.ArrowInvalid:
        return None


def _find_first_non_number(texts: pa.Array, number_type: pa.DataType) -> int:
    """Return the index of the first text that is not a number of type `number_type`, by binary search.

    At least one of the texts must not be such a number.
    """
    low, high = 0, len(texts) - 1
    while low < high:
        middle = (low + high) // 2
        texts_up_to_middle = texts.slice(0, middle + 1)
        if _parse_numbers(texts_up_to_middle, number_type) is None:
            high = middle
        else:
            low = middle + 1
    return low


# --- files that Arrow reads in its own thread ---------------------------------------------------------


class _BlockFile:
    """A readable file for Arrow, made of blocks of bytes."""

    closed = False

    def __init__(self, blocks: Iterator[bytes]) -> None:
        """Read the bytes of `blocks`, one block after the other."""
        self._blocks = blocks
        self._block = memoryview(b"")
        """The bytes of the current block that have not been read."""

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

    If a thread still refers to a file when the interpreter exits, it aborts the process. The exit therefore
    waits until all files are released.
    """

    def __init__(self) -> None:
        """Start without files. The first file that is added makes the exit of the interpreter wait."""
        self._files: weakref.WeakSet[_BlockFile] = weakref.WeakSet()
        self._exit_waits = False
        """Whether the exit of the interpreter calls `_wait_until_released`."""

    def add(self, block_file: _BlockFile) -> None:
        """Register `block_file`, so that the exit of the interpreter waits for its release."""
        if not self._exit_waits:
            atexit.register(self._wait_until_released)
            self._exit_waits = True
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
    """Return the names of the columns of a CSV file.

    Args:
        block: The first bytes of the file.
        delimiter: The character between cells.
        has_header: Whether the first row has the names. If not, they are `column_1`, `column_2` and so on.
        path: The path of the file for error messages.

    Raises:
        BulkError: If the first row cannot be read or does not exist.
    """
    text = io.StringIO(block.decode(), newline="")
    try:
        first_row = next(csv.reader(text, delimiter=delimiter), [])
    except csv.Error as error:
        raise BulkError(
            f"{display_name(path)} has a header that cannot be read ({first_line(error)}); {_HEADER_REMEDY}"
        ) from error
    if not first_row:
        raise BulkError(f"{display_name(path)} is empty and has no header; {_HEADER_REMEDY}")
    return first_row if has_header else [f"column_{number}" for number in range(1, len(first_row) + 1)]


def _describe_arrow_error(error: Exception) -> str:
    """Return the reason why Arrow could not read a CSV file, with a remedy, for an `error` of Arrow.

    The result continues a message that begins with the name of the file.
    """
    reason = first_line(error).removeprefix("CSV parse error: ")
    # Arrow calls a row that is longer than a block a straddling object.
    if "straddling" in reason:
        return (
            f"a row is longer than {BLOCK_BYTES} bytes, as when a quote is not closed; "
            "look for an unpaired '\"'"
        )
    return f"{reason}; every row must have the columns of the header (row 1), and every quote must be closed"


# --- small files as one -----------------------------------------------------------------------------


class MergedFiles(NamedTuple):
    """The rows of several files that are read as one, and the number of rows of each file."""

    rows: DelimitedRows
    row_counts: list[int]


def infer_merged_schema(paths: Sequence[str], delimiter: str, dialect: CsvDialect) -> pa.Schema | None:
    """Return the columns of small CSV files with the same header, with the types inferred from all cells.

    Return None if the files cannot be read as one. Reading them one by one gives an error that names the
    file.

    Args:
        paths: The paths of the files.
        delimiter: The delimiter of the format, a comma or a tab.
        dialect: The layout of the files.
    """
    contents = list(_read_files_with_same_header(paths))
    have_all_same_header = len(contents) == len(paths)
    if not dialect.header or not have_all_same_header:
        return None
    try:
        merged_rows = _merge_contents(paths[0], contents, delimiter, dialect, column_types=None)
    except BulkError:
        return None
    return merged_rows.inferred_schema


def merge_files(
    paths: Iterable[str], delimiter: str, dialect: CsvDialect, column_types: pa.Schema
) -> MergedFiles | None:
    """Return the rows of the first files of `paths`, as many as can be read as one file.

    These files have the same header, and each of their lines is one row. Return None if there are fewer than
    two of them.

    Args:
        paths: The paths of the files.
        delimiter: The delimiter of the format, a comma or a tab.
        dialect: The layout of the files. Files without a header are not merged.
        column_types: The types of the columns.
    """
    if not dialect.header:
        return None
    merged_paths, contents = [], []
    for path, content in zip(paths, _read_files_with_same_header(paths), strict=False):
        if not _has_one_row_per_line(content.rows):
            break
        merged_paths.append(path)
        contents.append(content)
    if len(contents) < 2:
        return None
    try:
        rows = _merge_contents(merged_paths[0], contents, delimiter, dialect, column_types)
    except BulkError:
        return None
    row_counts = [content.rows.count(b"\n") for content in contents]
    return MergedFiles(rows, row_counts)


class _FileContent(NamedTuple):
    """The bytes of a small CSV file."""

    header: bytes
    """The first line, without its line end."""
    rows: bytes
    """The other lines, each with a line end."""


def _read_files_with_same_header(paths: Iterable[str]) -> Iterator[_FileContent]:
    """Yield the content of each file up to the first file that cannot be merged with those before it.

    A file can be merged if its header is the same and ends on its line, and if all files together have fewer
    than `BLOCK_BYTES` bytes.
    """
    first_header = b""
    total_size = 0
    for path in paths:
        data = _read_small_file(path)
        header_line, line_end, rows = data.partition(b"\n")
        first_header = first_header or header_line
        # A quote that is open at the end of the line belongs to a name with a line break.
        has_open_quote = header_line.count(b'"') % 2 == 1
        has_same_header = bool(line_end) and header_line == first_header and not has_open_quote
        total_size += len(data) + 1
        if not has_same_header or total_size >= BLOCK_BYTES:
            return
        lines = rows.replace(b"\r\n", b"\n")
        if lines and not lines.endswith(b"\n"):
            lines += b"\n"
        yield _FileContent(header_line, lines)


def _read_small_file(path: str) -> bytes:
    """Return the first `BLOCK_BYTES` bytes of a file, which are all bytes of a small file."""
    stream = Stream(path)
    try:
        return stream.read(BLOCK_BYTES)
    finally:
        stream.close()


def _has_one_row_per_line(text: bytes) -> bool:
    """Return whether each line of CSV text is exactly one row.

    This is false if a line is empty, contains a lone carriage return or ends inside quotes.
    """
    has_empty_line = b"\n\n" in text or text.startswith(b"\n")
    if has_empty_line or b"\r" in text:
        return False
    if b'"' not in text:
        return True
    chars = np.frombuffer(text, np.uint8)
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

    Args:
        path: The path that error messages name, that of the first file.
        contents: The content of each file; there must be at least one.
        delimiter: The delimiter of the format, a comma or a tab.
        dialect: The layout of the files.
        column_types: The types of the columns; None infers them.
    """
    header = contents[0].header
    merged_data = b"".join([header, b"\n", *(content.rows for content in contents)])
    return DelimitedRows(MemoryStream(path, merged_data), delimiter, dialect, column_types)
