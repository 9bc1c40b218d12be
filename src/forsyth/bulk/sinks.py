"""Writing batches to one file that is whole or absent, and putting the parts of a job in place.

`open_sink` gives a `Sink`: batches go in, `close` puts the file in its place, `abort` removes what was
written. An error while writing aborts, and is a `BulkError` with the file's name.

A local path is written by `forsyth.atomic_write`. At a URL the same is done with the file system's own move.
Standard output, devices and pipes are written to directly.

The parts of a job are joined into one file (`concatenate`), or laid out as a directory. Joining is in order
and in constant memory. Files of lines are concatenated as bytes, compressed ones too (members of gzip and
frames of zstd may follow one another). CSV keeps the header of the first part only and is compressed again.
Parquet and Arrow are rewritten from their batches, NumPy arrays after one header. A single part is renamed
where that is possible.

A directory must be new or empty: in one that holds something, nobody can tell what is old. Its files
are ``part-00000.parquet`` and so on, in the order of the rows.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Self

import pyarrow as pa

from forsyth.atomic_write import Written, inherit, is_stream, must_be_writable, open_written, put
from forsyth.bulk.errors import STANDARD, BulkError, brief, explaining_errors, shown
from forsyth.bulk.sources.files import (
    Compression,
    Format,
    Stream,
    detect_format,
    ending_of,
    is_url,
    local_path,
    open_seekable,
    remote,
)
from forsyth.bulk.sources.shards import Shard, open_shard
from forsyth.bulk.verbs.record_table import game_of_schema
from forsyth.bulk.writers import (
    RECORD_WRITERS,
    ArrowWriter,
    Borrowed,
    DelimitedWriter,
    JsonWriter,
    NpyWriter,
    ParquetWriter,
    TextWriter,
    Writer,
    compressed,
    let_go,
    npy_header,
    npy_shape,
    planes_of,
    text_column,
)


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
        format, compression = detect_format(path)
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


# --- parts in their place ---------------------------------------------------------------------------


_BLOCK: Final = 4 << 20
_MARK: Final = re.compile(rb'"[^"]*"|\n')
"""A cell in quotes, or the end of a line outside of them."""


def concatenate(
    parts: Sequence[str], target: str, format: Format | None = None, compression: Compression | None = None
) -> None:
    """Puts a file with the rows of all parts, in order, at `target`; without a `format` its name gives it.

    The parts are of that format and compression. A single one may be gone afterwards; otherwise they stay.
    """
    if format is None:
        format, compression = detect_format(target)
    if not parts:
        raise BulkError(f"{shown(target, 'written')} would be made of no parts; give at least one")
    if len(parts) == 1 and _renamed(parts[0], target):
        return
    if format in (Format.PARQUET, Format.ARROW, Format.ARROWS):
        _join_batches(parts, target, format, compression)
        return
    with explaining_errors(target, "written"):
        written = open_destination(target)
        try:
            if format in (Format.CSV, Format.TSV):
                _join_delimited(parts, written, compression)
            elif format is Format.NPY:
                _join_arrays(parts, written)
            else:
                _join_bytes(parts, written.file)
            written.commit()
        except BaseException:
            written.discard()
            raise


def _renamed(part: str, target: str) -> bool:
    if STANDARD in (part, target) or is_url(part) or is_url(target):
        return False
    name = local_path(target)
    if is_stream(name) or Path(name).is_dir():
        return False
    with explaining_errors(target, "written"):
        try:
            put(local_path(part), name)
        except OSError as error:
            if error.errno == errno.EXDEV:
                return False
            raise
    return True


def _join_batches(parts: Sequence[str], target: str, format: Format, compression: Compression | None) -> None:
    with open_shard(Shard(parts[0], format, compression)) as first:
        schema = first.schema
    with open_sink(target, schema, format, compression) as sink:
        for part in parts:
            with open_shard(Shard(part, format, compression)) as batches:
                for batch in batches:
                    sink.write_batch(batch)


def _join_bytes(parts: Sequence[str], file: BinaryIO) -> None:
    for part in parts:
        for data in _blocks(part, None):
            file.write(data)


def _join_delimited(parts: Sequence[str], written: Written, compression: Compression | None) -> None:
    borrowed = Borrowed(written.file)
    out = compressed(borrowed, compression)
    try:
        for number, part in enumerate(parts):
            blocks = _blocks(part, compression)
            head = next(blocks, b"")
            out.write(head[_header_end(head) :] if number else head)
            for data in blocks:
                out.write(data)
        out.close()
    except BaseException:
        borrowed.give_back()
        let_go(out)
        raise


def _header_end(block: bytes) -> int:
    return next((mark.end() for mark in _MARK.finditer(block) if mark.group() == b"\n"), len(block))


def _join_arrays(parts: Sequence[str], written: Written) -> None:
    shapes = []
    written.file.write(npy_header((0,)))
    for part in parts:
        with explaining_errors(part), open_seekable(part) as file:
            shapes.append(npy_shape(file))
            while data := file.read(_BLOCK):
                written.file.write(data)
    if len({shape[1:] for shape in shapes}) > 1:
        raise BulkError(f"{parts[0]} and the parts after it differ in shape; make them of one game")
    written.file.seek(0)
    written.file.write(npy_header((sum(shape[0] for shape in shapes), *shapes[0][1:])))


def _blocks(path: str, compression: Compression | None) -> Iterator[bytes]:
    stream = Stream(path, compression)
    try:
        while data := stream.read(_BLOCK):
            yield data
    finally:
        stream.close()


def is_directory(target: str) -> bool:
    """Whether a target is asked for as a directory of parts."""
    return target.endswith("/")


def must_be_free(target: str) -> None:
    """Raises `BulkError` for a target that could not be put in its place, before any work is done."""
    if target == STANDARD:
        return
    if is_url(target):
        if is_directory(target):
            _must_be_new_there(target)
        return
    path = Path(local_path(target))
    with explaining_errors(target, "written"):
        if not path.parent.is_dir():
            raise BulkError(f"there is no directory {path.parent} for {target}; make it first")
        if is_directory(target):
            _must_be_new(target, path)
        elif path.is_dir():
            raise BulkError(f"{target} is a directory; name a file in it, or end the name with / for parts")
        else:
            must_be_writable(path)


def _must_be_new(target: str, path: Path) -> None:
    if not path.exists():
        return
    if not path.is_dir():
        raise BulkError(f"{target.rstrip('/')} is not a directory; name a new one")
    if any(path.iterdir()):
        raise BulkError(_taken(target))


def _must_be_new_there(target: str) -> None:
    system, folder = remote(target.rstrip("/"))
    with explaining_errors(target, "written"), explaining_url_errors(target):
        if system.exists(folder) and system.find(folder):
            raise BulkError(_taken(target))


def _taken(target: str) -> str:
    return f"{target} exists and is not empty; name a new directory"


def deliver(paths: Sequence[str], target: str, format: Format, compression: Compression | None) -> None:
    """Put the parts in their place, in order."""
    if not is_directory(target):
        concatenate(paths, target, format, compression)
    elif is_url(target):
        _upload(paths, target, ending_of(format, compression))
    else:
        _lay_out(paths, target, ending_of(format, compression))


def _lay_out(paths: Sequence[str], target: str, ending: str) -> None:
    """A directory with the parts, which appears when it holds all of them."""
    whole = Path(paths[0]).with_name("whole")
    place = Path(os.path.realpath(local_path(target)))
    with explaining_errors(target, "written"):
        shutil.rmtree(whole, ignore_errors=True)
        whole.mkdir()
        for number, path in enumerate(paths):
            _link(Path(path), whole / f"part-{number:05}.{ending}")
        # Somebody may have put something there while the parts were made.
        _must_be_new(target, place)
        if place.is_dir():
            inherit(whole, place.stat())
            place.rmdir()
        whole.replace(place)


def _link(path: Path, name: Path) -> None:
    """The same file under another name: the job can still be resumed from the old ones."""
    try:
        os.link(path, name)
    except OSError:
        shutil.copy2(path, name)


def _upload(paths: Sequence[str], target: str, ending: str) -> None:
    """The parts under their names; when one cannot be put there, none of them stays."""
    system, folder = remote(target.rstrip("/"))
    names: list[str] = []
    try:
        with explaining_errors(target, "written"), explaining_url_errors(target):
            system.makedirs(folder, exist_ok=True)
            for number, path in enumerate(paths):
                names.append(f"{folder}/part-{number:05}.{ending}")
                system.put_file(path, names[-1])
    except BaseException:
        for name in names:
            with suppress(Exception):
                system.rm_file(name)
        raise
