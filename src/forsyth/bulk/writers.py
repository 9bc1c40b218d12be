"""Writers of batches in each file format.

* Parquet: compressed with zstd, except for keys, in row groups of some hundred thousand rows.
* Arrow IPC: a stream, or a file. In a file, dictionaries are replaced by their values, because a file can
  only have one dictionary for all its batches.
* CSV and TSV: a header, null as an empty cell, an empty text as a pair of quotes.
* JSON lines: one object with all columns per row.
* Text: the column of texts, one line per row, null as an empty line.
* NumPy: one column as an array of bytes with the axes position, plane, row, column. The metadata of its field
  contain ``shape``, such as ``12,8,8``. Null becomes a tensor of zeros; jobs leave out such rows.
* PGN and EPD: the text of tables of games or positions (`record_table`).

The text formats contain bytes as hexadecimal digits.

Limits: a text with a line break cannot be a line, a list cannot be a cell, and NaN and infinity are not JSON
numbers. These raise `BulkError`; no value is changed. The header of a NumPy file contains the number of rows
and is written last, so the file must be local.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, BinaryIO, Final, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from forsyth.bulk.batches import decode_batch, decode_schema, find_non_finite, to_plain_batch, to_plain_schema
from forsyth.bulk.errors import BulkError, first_line
from forsyth.bulk.sources.files import CODECS, Compression, Format
from forsyth.bulk.verbs.record_table import write_epd, write_pgn

_GROUP_ROWS: Final = 1 << 18
_GROUP_BYTES: Final = 64 << 20
"""A row group of Parquet is written when it has this many rows or bytes. It is in memory until then."""
_GROUP_STEP_ROWS: Final = 1 << 12
"""Batches are split at multiples of this many rows of the file. A row group that is complete because of its
rows therefore has the same rows, whatever the batches are."""

_KEY_TYPE: Final = pa.binary(16)
_EMPTY_TEXT: Final = pa.scalar("", pa.large_string())
_LINE_END: Final = pa.scalar("\n", pa.large_string())


class Writer(Protocol):
    """Writes batches to a file in one format. It does not close the file."""

    def write(self, batch: pa.RecordBatch) -> None:
        """Write the rows of a batch, or keep them until there are more."""

    def finish(self) -> None:
        """Write the rows that were kept, and the end of the format."""

    def abandon(self) -> None:
        """Stop without completing the file, and raise no error.

        Arrow's writers must be closed here. Otherwise they write the end of their format when they are
        deleted, and print an error if that fails.
        """


def open_compressed(file: UnclosableFile, compression: Compression | None) -> Any:
    """Return a file for Arrow's writers that compresses its data and passes it to `file`.

    If `compression` is None, the data is passed on as it is. Closing the returned file writes the end of the
    compressed data, and leaves `file` open.
    """
    uncompressed_file = pa.PythonFile(file, "w")
    if compression is None:
        return uncompressed_file
    return pa.CompressedOutputStream(uncompressed_file, CODECS[compression])


class UnclosableFile:
    """A wrapper of a file that stays open, because Arrow's writers close what they write to."""

    closed = False

    def __init__(self, file: Any) -> None:
        """Wrap `file`, which is open for writing bytes."""
        self._file: Any = file
        self._written_bytes = 0

    def write(self, data: bytes) -> int:
        """Write `data` to the file, unless it is detached, and return its length."""
        if self._file is not None:
            self._file.write(data)
        self._written_bytes += len(data)
        return len(data)

    def detach(self) -> None:
        """Ignore all later writes, such as the footer of a file that is not complete."""
        self._file = None

    def tell(self) -> int:
        """Return the number of bytes that were written."""
        return self._written_bytes

    def flush(self) -> None:
        """Do nothing, because the file is flushed to disk once, when it is complete."""

    def close(self) -> None:
        """Do nothing, because the file is closed by the code that opened it."""


class ParquetWriter:
    """Writes Parquet. Small batches are collected until they are enough for a row group."""

    def __init__(self, file: Any, schema: pa.Schema) -> None:
        """Write the beginning of a Parquet file to `file`. All batches must have the schema `schema`."""
        self._file = file
        self._writer = pq.ParquetWriter(file, schema, **_choose_encoding(schema))
        self._waiting: list[pa.RecordBatch] = []
        """Batches that will be written as one row group."""
        self._waiting_rows = 0
        self._waiting_bytes = 0
        self._rows = 0
        """Number of rows of the file so far."""

    def write(self, batch: pa.RecordBatch) -> None:
        """Keep the batch, and write all kept batches when they are enough for a row group."""
        start = 0
        while start < batch.num_rows:
            rows = batch.slice(start, _GROUP_STEP_ROWS - self._rows % _GROUP_STEP_ROWS)
            start += rows.num_rows
            self._rows += rows.num_rows
            self._waiting.append(rows)
            self._waiting_rows += rows.num_rows
            self._waiting_bytes += rows.nbytes
            if self._waiting_rows >= _GROUP_ROWS or self._waiting_bytes >= _GROUP_BYTES:
                self._write_group()

    def finish(self) -> None:
        """Write the last row group and the footer."""
        self._write_group()
        self._writer.close()
        self._file.close()

    def abandon(self) -> None:
        """Release everything without writing a footer."""
        self._waiting = []
        close_quietly(self._writer, self._file)
        # The destructor of the writer would try to close it again, and print the error.
        self._writer.is_open = False

    def _write_group(self) -> None:
        """Write the waiting batches as a row group, if there are any."""
        if not self._waiting:
            return
        table = pa.Table.from_batches(self._waiting)
        self._waiting = []
        self._waiting_rows = 0
        self._waiting_bytes = 0
        self._writer.write_table(table, row_group_size=table.num_rows)


def _choose_encoding(schema: pa.Schema) -> dict[str, Any]:
    """Return the options of `pq.ParquetWriter`: compression with zstd, but not for columns of keys.

    Keys look like random bytes, which cannot be compressed. If any column is nested, keys are compressed too,
    because Parquet would need an option for each nested field.
    """
    key_names = [field.name for field in schema if field.type == _KEY_TYPE]
    has_nested_columns = any(
        field.type.num_fields > 0 and not pa.types.is_dictionary(field.type) for field in schema
    )
    if not key_names or has_nested_columns:
        return {"compression": "zstd"}
    return {
        "compression": {name: "none" if name in key_names else "zstd" for name in schema.names},
        "use_dictionary": [name for name in schema.names if name not in key_names],
    }


class ArrowWriter:
    """Writes Arrow IPC, as a stream or as a file."""

    def __init__(self, file: Any, schema: pa.Schema, stream: bool) -> None:
        """Write the beginning of an Arrow stream to `file` if `stream` is true, else of an Arrow file."""
        self._file = file
        self._is_stream = stream
        if stream:
            self._writer = pa.ipc.new_stream(file, schema)
        else:
            self._writer = pa.ipc.new_file(file, decode_schema(schema))

    def write(self, batch: pa.RecordBatch) -> None:
        """Write the rows as one batch. In a file, dictionaries are replaced by their values."""
        self._writer.write_batch(batch if self._is_stream else decode_batch(batch))

    def finish(self) -> None:
        """Write the end marker, and the footer of a file."""
        self._writer.close()
        self._file.close()

    def abandon(self) -> None:
        """Release the writer and its file without raising an error."""
        close_quietly(self._writer, self._file)


class DelimitedWriter:
    """Writes CSV or TSV, depending on the delimiter."""

    def __init__(self, file: Any, schema: pa.Schema, delimiter: str) -> None:
        """Write the header to `file`. `delimiter` separates the cells: a comma or a tab."""
        self._file = file
        options = pyarrow.csv.WriteOptions(delimiter=delimiter)
        self._writer = pyarrow.csv.CSVWriter(file, to_plain_schema(schema), write_options=options)

    def write(self, batch: pa.RecordBatch) -> None:
        """Write a line for each row."""
        self._writer.write_batch(to_plain_batch(batch))

    def finish(self) -> None:
        """Write the lines that Arrow has buffered, and the end of the compressed data."""
        self._writer.close()
        self._file.close()

    def abandon(self) -> None:
        """Release the writer and its file without raising an error."""
        close_quietly(self._writer, self._file)


class JsonWriter:
    """Writes JSON lines: one object per row, with a field for each column."""

    def __init__(self, file: Any) -> None:
        """Store the file that all lines are written to."""
        self._file = file
        self._rows = 0
        """Number of rows written."""

    def write(self, batch: pa.RecordBatch) -> None:
        """Write a line for each row. Raise `BulkError` if JSON cannot hold a value."""
        polars = _import_polars()
        self._require_finite_numbers(batch)
        table = pa.Table.from_batches([to_plain_batch(batch)])
        lines = io.BytesIO()
        try:
            polars.DataFrame(table).write_ndjson(lines)
        except polars.exceptions.PolarsError as error:
            raise BulkError(
                f"a column cannot be written as JSON ({first_line(error)}); write parquet"
            ) from error
        self._file.write(lines.getvalue())
        self._rows += batch.num_rows

    def _require_finite_numbers(self, batch: pa.RecordBatch) -> None:
        """Raise `BulkError` if a batch contains NaN or infinity, with the number of the row in the file."""
        for field, column in zip(batch.schema, batch.columns, strict=True):
            index = find_non_finite(column)
            if index is not None:
                row = self._rows + index + 1
                raise BulkError(
                    f"row {row} has NaN or infinity in {field.name!r}, which JSON cannot "
                    "hold; write parquet or csv, or replace the value by null"
                )

    def finish(self) -> None:
        """Write the end of the compressed data."""
        self._file.close()

    def abandon(self) -> None:
        """Release the file without raising an error."""
        close_quietly(self._file)


class TextWriter:
    """Writes the texts of one column, one per line."""

    def __init__(self, file: Any, column: str) -> None:
        """Store the file to write to, and the name of the column to write."""
        self._file = file
        self._column = column
        self._rows = 0
        """Number of rows written."""

    def write(self, batch: pa.RecordBatch) -> None:
        """Write a line for each row. Raise `BulkError` if a text contains a line break."""
        plain_batch = to_plain_batch(batch.select([self._column]))
        texts = pc.fill_null(plain_batch.column(self._column).cast(pa.large_string()), "")
        # A carriage return is a line break only before the line feed that is added to each text.
        has_line_break = pc.or_(pc.match_substring(texts, "\n"), pc.ends_with(texts, "\r"))
        index = pc.index(has_line_break, True).as_py()
        if index >= 0:
            row = self._rows + index + 1
            raise BulkError(
                f"row {row} has a line break in {self._column!r}, which a text file cannot hold; "
                "write parquet or jsonl"
            )
        lines = pc.binary_join_element_wise(texts, _EMPTY_TEXT, _LINE_END)
        self._file.write(_get_chars(lines))
        self._rows += len(texts)

    def finish(self) -> None:
        """Write the end of the compressed data."""
        self._file.close()

    def abandon(self) -> None:
        """Release the file without raising an error."""
        close_quietly(self._file)


def close_quietly(*writers: Any) -> None:
    """Close Arrow's writers and files, and ignore their errors."""
    for writer in writers:
        with suppress(Exception):
            writer.close()


def _import_polars() -> Any:
    """Return the module polars. Raise `BulkError` if it is not installed."""
    try:
        import polars
    except ImportError as error:
        raise BulkError("writing JSON lines needs polars: pip install 'forsyth[bulk]'") from error
    return polars


def choose_text_column(schema: pa.Schema, name: str | None) -> str:
    """Return the name of the column to write to a text file.

    That is `name`. If `name` is None, it is the only column, or ``fen`` if there are several. Raise
    `BulkError` if there is no such column.
    """
    names: list[str] = schema.names
    default_name = names[0] if len(names) == 1 else "fen"
    column = default_name if name is None else name
    if column not in names:
        raise BulkError(
            f"a text file holds one column, and there is no {column!r} among {', '.join(names)}; "
            "name the column, or write parquet, csv or jsonl"
        )
    return column


def _get_chars(texts: Any) -> Any:
    """Return the bytes of all texts, one after the other, without copying them.

    `texts` is an Arrow array of large strings, whose offsets have 64 bits, without nulls.
    """
    if not len(texts):
        return b""
    _, offset_buffer, data_buffer = texts.buffers()
    offsets = memoryview(offset_buffer).cast("q")
    start = offsets[texts.offset]
    end = offsets[texts.offset + len(texts)]
    return data_buffer.slice(start, end - start)


# --- NumPy ------------------------------------------------------------------------------------------


NPY_HEADER_BYTES: Final = 128
"""Size of a header in bytes. NumPy's format 1.0 needs a multiple of 64, and any number of rows fits."""
_NPY_MAGIC: Final = b"\x93NUMPY\x01\x00"
"""The beginning of every file in NumPy's format 1.0."""
_NPY_LENGTH_BYTES: Final = 2
"""Size of the number behind the magic bytes: the length of the rest of the header."""


class NpyWriter:
    """Writes the planes of all batches as one NumPy array."""

    def __init__(self, file: BinaryIO, schema: pa.Schema) -> None:
        """Reserve space for the header in `file`. Raise `BulkError` if no column has planes."""
        self._file = file
        self._column, self._shape = find_planes(schema)
        self._rows = 0
        """Number of rows written."""
        file.write(bytes(NPY_HEADER_BYTES))

    def write(self, batch: pa.RecordBatch) -> None:
        """Write the planes of each row; a row without planes (null) becomes zeros."""
        tensor_bytes = math.prod(self._shape)
        planes = batch.column(self._column)
        if planes.null_count:
            zeros = pa.scalar(bytes(tensor_bytes), planes.type)
            planes = pc.fill_null(planes, zeros)
        _, data_buffer = planes.buffers()
        self._file.write(data_buffer.slice(planes.offset * tensor_bytes, len(planes) * tensor_bytes))
        self._rows += len(planes)

    def finish(self) -> None:
        """Write the header, now that the number of rows is known."""
        self._file.seek(0)
        self._file.write(make_npy_header((self._rows, *self._shape)))

    def abandon(self) -> None:
        """Do nothing, because nothing has to be released."""


def find_planes(schema: pa.Schema) -> tuple[str, tuple[int, ...]]:
    """Return the name of the column of planes (positions as tensors), and the shape of one tensor.

    A shape is, for example, (12, 8, 8). It is read from the metadata of the column. Raise `BulkError` if no
    column has planes.
    """
    for field in schema:
        metadata = field.metadata or {}
        size_texts = re.findall(rb"\d+", metadata.get(b"shape", b""))
        shape = tuple(map(int, size_texts))
        if shape and field.type == pa.binary(math.prod(shape)):
            return field.name, shape
    raise BulkError(
        "a NumPy file holds planes, and the data has no planes; use the verb planes, or write parquet"
    )


def make_npy_header(shape: Sequence[int]) -> bytes:
    """Return the header of a NumPy file for an array of bytes with a shape such as (1000, 12, 8, 8)."""
    sizes = ", ".join(map(str, shape))
    description = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({sizes},), }}".encode()
    description_bytes = NPY_HEADER_BYTES - len(_NPY_MAGIC) - _NPY_LENGTH_BYTES
    length = description_bytes.to_bytes(_NPY_LENGTH_BYTES, "little")
    # The format requires that blanks fill the space up to a final line feed.
    return _NPY_MAGIC + length + description.ljust(description_bytes - 1) + b"\n"


def read_npy_shape(file: Any) -> tuple[int, ...]:
    """Read the header of an open NumPy file in format 1.0, and return the shape of the array.

    After that, `file` is at the start of the values.
    """
    np.lib.format.read_magic(file)
    shape: tuple[int, ...]
    shape, _, _ = np.lib.format.read_array_header_1_0(file)
    return shape


# --- records ----------------------------------------------------------------------------------------


class RecordWriter:
    """Writes tables of games or positions in a text format such as PGN."""

    def __init__(self, file: Any, convert: Callable[[pa.RecordBatch], str]) -> None:
        """Store the file, and the function that returns the text of a batch."""
        self._file = file
        self._convert = convert

    def write(self, batch: pa.RecordBatch) -> None:
        """Write the text of all rows. Raise `BulkError` if a row cannot be written."""
        self._file.write(self._convert(batch).encode("utf-8", "surrogateescape"))

    def finish(self) -> None:
        """Write the end of the compressed data."""
        self._file.close()

    def abandon(self) -> None:
        """Release the file without raising an error."""
        close_quietly(self._file)


def _make_pgn_writer(file: Any) -> Writer:
    """Return a writer that writes tables of games to `file` as PGN."""
    return RecordWriter(file, write_pgn)


def _make_epd_writer(file: Any) -> Writer:
    """Return a writer that writes tables of positions to `file` as EPD, one position per line."""
    return RecordWriter(file, write_epd)


RECORD_WRITERS: Final[Mapping[Format, Callable[[Any], Writer]]] = {
    Format.PGN: _make_pgn_writer,
    Format.EPD: _make_epd_writer,
}
"""The text formats of games and positions, each with a function that returns a writer to a file."""
