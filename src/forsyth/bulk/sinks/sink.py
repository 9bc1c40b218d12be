"""Writing batches to one file that is whole or absent, in constant memory: a path, a URL or standard output.

`open_sink` gives a `Sink`: batches go in, `close` puts the file in its place, `abort` removes what was
written. An error while writing aborts, and is a `BulkError` with the file's name.

A local path is written by `forsyth.atomic_write`. At a URL the same is done with the file system's own move.
Standard output, devices and pipes are written to directly.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Self

import pyarrow as pa

from forsyth.atomic_write import Written, is_stream, open_written
from forsyth.bulk.errors import STANDARD, BulkError, brief, explaining_errors, shown
from forsyth.bulk.records.table import game_of_schema
from forsyth.bulk.sinks.record_writers import RECORD_WRITERS
from forsyth.bulk.sinks.writers import (
    ArrowWriter,
    Borrowed,
    DelimitedWriter,
    JsonWriter,
    NpyWriter,
    ParquetWriter,
    TextWriter,
    Writer,
    compressed,
    planes_of,
    text_column,
)
from forsyth.bulk.sources.files import Compression, Format, is_url, local_path, remote, tell_format


def open_destination(path: str) -> Written:
    """A file that will stand at `path`; raises what the operating system raises, or `BulkError`."""
    if path == STANDARD:
        return _StandardOutput()
    if is_url(path):
        return _Remote(path)
    name = local_path(path)
    if Path(name).is_dir():
        raise BulkError(
            f"{path} is a directory; name a file, or end the name with / for a directory of parts"
        )
    return open_written(name)


def is_streamed(target: str) -> bool:
    """Whether rows go to a target as they come, and cannot be taken back."""
    return target == STANDARD or (not is_url(target) and is_stream(local_path(target)))


@contextmanager
def explaining_url_errors(url: str) -> Iterator[None]:
    """Raises `BulkError` in place of what the library behind a URL raises while it is written."""
    try:
        yield
    except (BulkError, OSError):
        raise
    except Exception as error:
        # Each file system of fsspec brings the exceptions of its own libraries.
        raise BulkError(f"{url} cannot be written ({brief(error)}); write to another place") from error


class _StandardOutput:
    """Standard output, which stays open."""

    def __init__(self) -> None:
        found: BinaryIO | None = getattr(sys.stdout, "buffer", None)
        if found is None or found.closed:
            raise BulkError("standard output is closed; name a file to write to")
        self.file = found

    def commit(self) -> None:
        self.file.flush()

    def discard(self) -> None:
        """What was written has gone."""


class _Remote:
    """A file at a URL."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._system, self._target = remote(url)
        self._path = f"{self._target}.{secrets.token_hex(8)}.tmp"
        with explaining_url_errors(url):
            self.file: BinaryIO = self._system.open(self._path, "wb")

    def commit(self) -> None:
        with explaining_url_errors(self._url):
            self.file.close()
            self._system.mv(self._path, self._target)

    def discard(self) -> None:
        with suppress(Exception):
            self.file.close()
        with suppress(Exception):
            self._system.rm_file(self._path)


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
            with explaining_errors(self.path, "written"):
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
            with explaining_errors(self.path, "written"):
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
        return f"the columns change from ({was}) to ({now}); run the command once for each kind of file"


def open_sink(
    path: str,
    schema: pa.Schema,
    format: Format | None = None,
    compression: Compression | None = None,
    *,
    column: str | None = None,
) -> Sink:
    """A file to write batches of `schema` to; without a `format` its name gives it, and the compression.

    `column` names the texts for a file of text. Raises `BulkError` for what cannot be written.
    """
    if format is None:
        format, compression = tell_format(path)
    must_be_written(path, format, compression, schema)
    chosen = text_column(schema, column) if format is Format.TEXT else ""
    if format is Format.NPY:
        planes_of(schema)
    with explaining_errors(path, "written"):
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


def must_be_written(
    path: str, format: Format, compression: Compression | None, schema: pa.Schema | None = None
) -> None:
    """Raises `BulkError` for a format that a file cannot have; of records there are more."""
    of_records = schema is not None and game_of_schema(schema) is not None and format in RECORD_WRITERS
    if format not in WRITTEN and not of_records:
        raise BulkError(f"{shown(path, 'written')}: {format} is only read; write one of {', '.join(WRITTEN)}")
    if compression is not None and format in _UNWRAPPED:
        raise BulkError(f"{shown(path, 'written')}: {format} cannot be inside .{compression}; leave it off")
    if format is Format.NPY and (is_url(path) or is_streamed(path)):
        raise BulkError(
            f"{shown(path, 'written')} cannot hold npy, whose header is written last; name a local file"
        )


def _writer(path: str, schema: pa.Schema, format: Format, out: Any, column: str) -> Writer:
    if format is Format.PARQUET:
        return ParquetWriter(out, schema)
    if format in (Format.ARROW, Format.ARROWS):
        # Who reads a pipe wants a stream.
        return ArrowWriter(out, schema, stream=format is Format.ARROWS or is_streamed(path))
    if format in RECORD_WRITERS:
        return RECORD_WRITERS[format](out)
    if format is Format.JSONL:
        return JsonWriter(out)
    if format is Format.TEXT:
        return TextWriter(out, column)
    return DelimitedWriter(out, schema, "\t" if format is Format.TSV else ",")
