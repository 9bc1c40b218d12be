"""Batches as the bytes of each format.

Parquet: zstd (keys as they are), groups of some hundred thousand rows. Arrow IPC: a file, in which
dictionaries are written as their values (a file has one dictionary for all its batches), or a stream. CSV and
TSV: a header, null as an empty cell, an empty text as a pair of quotes. JSON lines: an object for each row,
all columns in it. Text: the column of texts, a line for each row, null as an empty one. In the text formats
bytes are hexadecimal digits. NumPy: the one column whose field has metadata ``shape``, such as ``12,8,8``, as
one array of bytes: positions, planes, rows, columns. Null is a tensor of zeros; a job leaves such rows out.
PGN and EPD are what tables of games and of positions are as text (`record_table`).

Limits: a text with a line break cannot be a line, a list cannot be a cell, NaN and infinity are not JSON
numbers: an error, nothing is changed. The header of a NumPy array holds the number of rows and is written
last, so it must be a local file.
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

from forsyth.bulk.batches import decoded_batch, decoded_schema, first_not_finite, plain_batch, plain_schema
from forsyth.bulk.errors import BulkError, brief
from forsyth.bulk.sources.files import CODECS, Compression, Format
from forsyth.bulk.verbs.record_table import epd_of, pgn_of

_GROUP_ROWS: Final = 1 << 18
_GROUP_BYTES: Final = 64 << 20
"""A group of rows of Parquet is written when it has so many rows or bytes: it is what is held."""

_KEY: Final = pa.binary(16)
_NOTHING: Final = pa.scalar("", pa.large_string())
_LINE_END: Final = pa.scalar("\n", pa.large_string())


class Writer(Protocol):
    """Writes batches to a file that it does not close."""

    def write(self, batch: pa.RecordBatch) -> None:
        """Writes the rows, or holds them back until there are more."""

    def finish(self) -> None:
        """Writes what was held back and what ends the format."""

    def abandon(self) -> None:
        """Lets go of everything; nothing is raised, and what is still written goes nowhere.

        Arrow's writers end their format when they are thrown away, and print what goes wrong with that.
        """


def compressed(file: Borrowed, compression: Compression | None) -> Any:
    """A file for Arrow that compresses what is written; closing it ends the compression, not the file."""
    plain = pa.PythonFile(file, "w")
    return plain if compression is None else pa.CompressedOutputStream(plain, CODECS[compression])


class Borrowed:
    """A file for Arrow, which closes what it writes to: this one stays open, and knows its place."""

    closed = False

    def __init__(self, file: Any) -> None:
        self._file: Any = file
        self._written = 0

    def write(self, data: bytes) -> int:
        """Hands the bytes on."""
        if self._file is not None:
            self._file.write(data)
        self._written += len(data)
        return len(data)

    def give_back(self) -> None:
        """Hands nothing on any more: what Arrow writes when it lets go of a file would be too much."""
        self._file = None

    def tell(self) -> int:
        """How many bytes were written."""
        return self._written

    def flush(self) -> None:
        """Does nothing: the file is brought to the disk once, when it is complete."""

    def close(self) -> None:
        """Leaves the file itself open: who opened it closes it."""


class ParquetWriter:
    """Parquet; batches are gathered into groups of rows."""

    def __init__(self, out: Any, schema: pa.Schema) -> None:
        self._out = out
        self._writer = pq.ParquetWriter(out, schema, **_encoding(schema))
        self._waiting: list[pa.RecordBatch] = []
        self._rows = self._bytes = 0

    def write(self, batch: pa.RecordBatch) -> None:
        """Holds the rows back until they are a group."""
        self._waiting.append(batch)
        self._rows += batch.num_rows
        self._bytes += batch.nbytes
        if self._rows >= _GROUP_ROWS or self._bytes >= _GROUP_BYTES:
            self._write_group()

    def finish(self) -> None:
        """Writes the last group and the footer."""
        self._write_group()
        self._writer.close()
        self._out.close()

    def abandon(self) -> None:
        """Writes no footer."""
        self._waiting = []
        let_go(self._writer, self._out)
        # Its destructor would try once more what failed, and print that.
        self._writer.is_open = False

    def _write_group(self) -> None:
        if self._waiting:
            table = pa.Table.from_batches(self._waiting)
            self._waiting = []
            self._rows = self._bytes = 0
            self._writer.write_table(table, row_group_size=table.num_rows)


def _encoding(schema: pa.Schema) -> dict[str, Any]:
    """zstd and dictionaries, except for keys in flat tables: no two bytes of theirs are alike."""
    keys = [one.name for one in schema if one.type == _KEY]
    if not keys or any(one.type.num_fields and not pa.types.is_dictionary(one.type) for one in schema):
        return {"compression": "zstd"}
    return {
        "compression": {name: "none" if name in keys else "zstd" for name in schema.names},
        "use_dictionary": [name for name in schema.names if name not in keys],
    }


class ArrowWriter:
    """Arrow IPC, as a stream or as a file."""

    def __init__(self, out: Any, schema: pa.Schema, stream: bool) -> None:
        self._out = out
        self._stream = stream
        self._writer = (
            pa.ipc.new_stream(out, schema) if stream else pa.ipc.new_file(out, decoded_schema(schema))
        )

    def write(self, batch: pa.RecordBatch) -> None:
        """Writes the rows as one batch."""
        self._writer.write_batch(batch if self._stream else decoded_batch(batch))

    def finish(self) -> None:
        """Writes the mark of the end, and the footer of a file."""
        self._writer.close()
        self._out.close()

    def abandon(self) -> None:
        """Writes no mark of the end."""
        let_go(self._writer, self._out)


class DelimitedWriter:
    """CSV or TSV."""

    def __init__(self, out: Any, schema: pa.Schema, delimiter: str) -> None:
        self._out = out
        options = pyarrow.csv.WriteOptions(delimiter=delimiter)
        self._writer = pyarrow.csv.CSVWriter(out, plain_schema(schema), write_options=options)

    def write(self, batch: pa.RecordBatch) -> None:
        """A line for each row."""
        self._writer.write_batch(plain_batch(batch))

    def finish(self) -> None:
        """Writes what is in Arrow's buffer."""
        self._writer.close()
        self._out.close()

    def abandon(self) -> None:
        """Forgets what is in Arrow's buffer."""
        let_go(self._writer, self._out)


class JsonWriter:
    """JSON lines."""

    def __init__(self, out: Any) -> None:
        self._out = out
        self._rows = 0

    def write(self, batch: pa.RecordBatch) -> None:
        """A line for each row."""
        pl = _polars()
        self._must_be_finite(batch)
        lines = io.BytesIO()
        try:
            pl.DataFrame(pa.Table.from_batches([plain_batch(batch)])).write_ndjson(lines)
        except pl.exceptions.PolarsError as error:
            raise BulkError(f"a column cannot be written as JSON ({brief(error)}); write parquet") from error
        self._out.write(lines.getvalue())
        self._rows += batch.num_rows

    def _must_be_finite(self, batch: pa.RecordBatch) -> None:
        for field, column in zip(batch.schema, batch.columns, strict=True):
            row = first_not_finite(column)
            if row is not None:
                raise BulkError(
                    f"row {self._rows + row + 1} has NaN or infinity in {field.name!r}, which JSON cannot "
                    "hold; write parquet or csv, or make it null first"
                )

    def finish(self) -> None:
        """Ends the compression."""
        self._out.close()

    def abandon(self) -> None:
        """Leaves the compression without an end."""
        let_go(self._out)


class TextWriter:
    """Lines of one column."""

    def __init__(self, out: Any, column: str) -> None:
        self._out = out
        self._column = column
        self._rows = 0

    def write(self, batch: pa.RecordBatch) -> None:
        """A line for each row."""
        texts = plain_batch(batch.select([self._column])).column(0)
        texts = pc.fill_null(texts.cast(pa.large_string()), "")
        broken = pc.or_(pc.match_substring(texts, "\n"), pc.ends_with(texts, "\r"))
        at = pc.index(broken, True).as_py()
        if at >= 0:
            row = self._rows + at + 1
            raise BulkError(f"row {row} has a line break in {self._column!r}; write parquet or jsonl")
        lines = pc.binary_join_element_wise(texts, _NOTHING, _LINE_END)
        self._out.write(_chars(lines))
        self._rows += len(texts)

    def finish(self) -> None:
        """Ends the compression."""
        self._out.close()

    def abandon(self) -> None:
        """Leaves the compression without an end."""
        let_go(self._out)


def let_go(*writers: Any) -> None:
    """Close what Arrow opened, ignoring its errors."""
    for writer in writers:
        with suppress(Exception):
            writer.close()


def _polars() -> Any:
    try:
        import polars
    except ImportError as error:
        raise BulkError("writing JSON lines needs polars: pip install 'forsyth[bulk]'") from error
    return polars


def text_column(schema: pa.Schema, wanted: str | None) -> str:
    """The column that a file of text is made of: as asked for, the only one, or ``fen``."""
    names = schema.names
    if wanted is None and len(names) == 1:
        wanted = names[0]
    wanted = "fen" if wanted is None else wanted
    if wanted in names:
        return wanted
    raise BulkError(f"a file of text has one column, and there is no {wanted!r} among {', '.join(names)}")


def _chars(texts: Any) -> Any:
    """The bytes of all texts of a column in a row."""
    if not len(texts):
        return b""
    _, starts, chars = texts.buffers()
    offsets = memoryview(starts).cast("q")
    begin, end = offsets[texts.offset], offsets[texts.offset + len(texts)]
    return chars.slice(begin, end - begin)


HEADER: Final = 128
"""Bytes of the header: NumPy's format 1.0 wants a multiple of 64, and any count fits in these."""


class NpyWriter:
    """Writes the planes of one batch after the other."""

    def __init__(self, file: BinaryIO, schema: pa.Schema) -> None:
        self._file = file
        self._name, self._shape = planes_of(schema)
        self._rows = 0
        file.write(bytes(HEADER))

    def write(self, batch: pa.RecordBatch) -> None:
        """The planes of each row; zeros where there are none."""
        size = math.prod(self._shape)
        planes = batch.column(self._name)
        if planes.null_count:
            planes = pc.fill_null(planes, pa.scalar(bytes(size), planes.type))
        self._file.write(planes.buffers()[1].slice(planes.offset * size, len(planes) * size))
        self._rows += len(planes)

    def finish(self) -> None:
        """Writes the header."""
        self._file.seek(0)
        self._file.write(npy_header((self._rows, *self._shape)))

    def abandon(self) -> None:
        """Does nothing: nothing is held back."""


def planes_of(schema: pa.Schema) -> tuple[str, tuple[int, ...]]:
    """The name and the shape of the column of planes; raises `BulkError` where there is none."""
    for field in schema:
        found = re.findall(rb"\d+", (field.metadata or {}).get(b"shape", b""))
        shape = tuple(map(int, found))
        if shape and field.type == pa.binary(math.prod(shape)):
            return field.name, shape
    raise BulkError("a NumPy array is made of planes, and there are none; write parquet, or ask for planes")


def npy_header(shape: Sequence[int]) -> bytes:
    """The first bytes of a file of bytes in this shape (NumPy's format 1.0)."""
    sizes = ", ".join(map(str, shape))
    facts = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({sizes},), }}"
    begin = b"\x93NUMPY\x01\x00" + (HEADER - 10).to_bytes(2, "little")
    return begin + facts.encode().ljust(HEADER - 11) + b"\n"


def npy_shape(file: Any) -> tuple[int, ...]:
    """The shape of an array whose header is read, so that its values are next."""
    np.lib.format.read_magic(file)
    shape: tuple[int, ...] = np.lib.format.read_array_header_1_0(file)[0]
    return shape


# --- records ----------------------------------------------------------------------------------------


class LineWriter:
    """Writes the text that each batch is."""

    def __init__(self, out: Any, text_of: Callable[[pa.RecordBatch], str]) -> None:
        self._out = out
        self._text_of = text_of

    def write(self, batch: pa.RecordBatch) -> None:
        """The rows as text."""
        self._out.write(self._text_of(batch).encode("utf-8", "surrogateescape"))

    def finish(self) -> None:
        """Ends the compression."""
        self._out.close()

    def abandon(self) -> None:
        """Leaves the compression without an end."""
        let_go(self._out)


def _pgn_writer(out: Any) -> Writer:
    return LineWriter(out, pgn_of)


def _epd_writer(out: Any) -> Writer:
    return LineWriter(out, epd_of)


RECORD_WRITERS: Final[Mapping[Format, Callable[[Any], Writer]]] = {
    Format.PGN: _pgn_writer,
    Format.EPD: _epd_writer,
}
"""The formats that only tables of records have."""
