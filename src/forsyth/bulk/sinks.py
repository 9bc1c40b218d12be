"""Writing batches to one file that is whole or absent, in constant memory.

`open_sink` gives a `Sink`: batches go in, `close` puts the file in its place, `abort` removes what there is
of it. Whatever goes wrong while writing aborts, and is a `BulkError` with the file's name. `concatenate`
makes one file of the parts that several sinks have written.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any, Final, Self

import pyarrow as pa

from forsyth.atomic_write import Written
from forsyth.bulk.destination import Borrowed, is_streamed, open_destination
from forsyth.bulk.errors import BulkError, shown, told
from forsyth.bulk.npy import NpyWriter, planes_of
from forsyth.bulk.places import Compression, Format, is_url, tell_format
from forsyth.bulk.writers import (
    ArrowWriter,
    DelimitedWriter,
    JsonWriter,
    ParquetWriter,
    TextWriter,
    Writer,
    compressed,
    text_column,
)

WRITTEN: Final = (
    Format.PARQUET,
    Format.ARROW,
    Format.ARROWS,
    Format.CSV,
    Format.TSV,
    Format.JSONL,
    Format.TEXT,
    Format.NPY,
)
"""The formats a sink can have."""
_UNWRAPPED: Final = frozenset((Format.PARQUET, Format.NPY))
"""Those that cannot be read behind a compression."""


class Sink:
    """A file being written; as a context manager it closes, or aborts when an exception passes."""

    def __init__(
        self, path: str, schema: pa.Schema, written: Written, borrowed: Borrowed, writer: Writer
    ) -> None:
        self.path = path
        self.schema = schema
        self.rows = 0
        self._written = written
        self._borrowed = borrowed
        self._writer = writer
        self._open = True

    def write_batch(self, batch: pa.RecordBatch) -> None:
        """Writes rows, all with the columns of the sink."""
        if not batch.schema.equals(self.schema):
            self.abort()
            raise BulkError(
                f"{shown(self.path, 'written')} cannot be written: {self._difference(batch.schema)}"
            )
        try:
            with told(self.path, "written"):
                self._writer.write(batch)
        except BaseException:
            self.abort()
            raise
        self.rows += batch.num_rows

    def close(self) -> None:
        """Completes the file and puts it in its place."""
        if not self._open:
            return
        try:
            with told(self.path, "written"):
                self._writer.finish()
                self._written.commit()
        except BaseException:
            self.abort()
            raise
        self._open = False

    def abort(self) -> None:
        """Removes what was written; what stood at the path before is still there."""
        if self._open:
            self._open = False
            self._borrowed.give_back()
            self._writer.abandon()
            self._written.discard()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.abort()

    def _difference(self, schema: pa.Schema) -> str:
        was, now = (", ".join(f"{field.name} {field.type}" for field in one) for one in (self.schema, schema))
        return f"the columns change from ({was}) to ({now}); do files of different columns one by one"


def open_sink(
    path: str,
    schema: pa.Schema,
    format: Format | None = None,
    compression: Compression | None = None,
    *,
    column: str | None = None,
) -> Sink:
    """A file to write batches of `schema` to; without a `format` its name tells it, and the compression.

    `column` names the texts for a file of text. Raises `BulkError` for what cannot be written.
    """
    if format is None:
        format, compression = tell_format(path)
    _require_writable(path, format, compression)
    chosen = text_column(schema, column) if format is Format.TEXT else ""
    if format is Format.NPY:
        planes_of(schema)
    with told(path, "written"):
        written = open_destination(path)
        borrowed = Borrowed(written.file)
        try:
            if format is Format.NPY:
                writer: Writer = NpyWriter(written.file, schema)
            else:
                writer = _writer(path, schema, format, compressed(borrowed, compression), chosen)
        except BaseException:
            borrowed.give_back()
            written.discard()
            raise
        return Sink(path, schema, written, borrowed, writer)


def _require_writable(path: str, format: Format, compression: Compression | None) -> None:
    if format not in WRITTEN:
        raise BulkError(f"{shown(path, 'written')}: {format} is only read; write one of {', '.join(WRITTEN)}")
    if compression is not None and format in _UNWRAPPED:
        raise BulkError(f"{shown(path, 'written')}: {format} cannot be wrapped; leave off .{compression}")
    if format is Format.NPY and (is_url(path) or is_streamed(path)):
        raise BulkError(
            f"{shown(path, 'written')} cannot hold npy, whose head is written last; name a local file"
        )


def _writer(path: str, schema: pa.Schema, format: Format, out: Any, column: str) -> Writer:
    if format is Format.PARQUET:
        return ParquetWriter(out, schema)
    if format in (Format.ARROW, Format.ARROWS):
        # Who reads a pipe wants a stream.
        return ArrowWriter(out, schema, stream=format is Format.ARROWS or is_streamed(path))
    if format is Format.JSONL:
        return JsonWriter(out)
    if format is Format.TEXT:
        return TextWriter(out, column)
    return DelimitedWriter(out, schema, "\t" if format is Format.TSV else ",")
