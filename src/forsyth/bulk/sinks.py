"""Writing of batches to a file that is complete or absent, and of the parts of a job to their target.

`open_sink` returns a `Sink`. Its `write_batch` takes batches, `close` moves the complete file to its path,
and `abort` removes it. An error while writing aborts, and raises `BulkError` with the name of the file.

A local file is written by `forsyth.atomic_write`. A file at a URL is written in the same way, and moved by
its file system. Standard output, devices and pipes are written directly.

The parts of a job are joined to one file (`concatenate`), or become the files of a directory. They are joined
in order and in constant memory. Files of lines are concatenated as bytes, also if they are compressed,
because members of gzip and frames of zstd may follow one another. CSV keeps the header of the first part only
and is compressed again. Parquet and Arrow files are written again from their batches, and NumPy arrays behind
one header. A single part is renamed if possible.

A directory must be new or empty, because old and new files could not be distinguished in it. Its files have
the names ``part-00000.parquet`` and so on, in the order of the rows.
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

from forsyth.atomic_write import (
    PendingFile,
    copy_ownership,
    is_stream,
    move_atomically,
    open_atomic,
    require_writable,
)
from forsyth.bulk.errors import STANDARD, BulkError, display_name, explaining_errors, first_line
from forsyth.bulk.sources.files import (
    Compression,
    Format,
    Stream,
    detect_format,
    file_ending,
    is_url,
    local_path,
    open_seekable,
    resolve_url,
)
from forsyth.bulk.sources.shards import Shard, open_shard
from forsyth.bulk.verbs.record_table import game_from_schema
from forsyth.bulk.writers import (
    RECORD_WRITERS,
    ArrowWriter,
    DelimitedWriter,
    JsonWriter,
    NpyWriter,
    ParquetWriter,
    TextWriter,
    UnclosableFile,
    Writer,
    choose_text_column,
    close_quietly,
    find_planes,
    make_npy_header,
    open_compressed,
    read_npy_shape,
)

# --- destinations -----------------------------------------------------------------------------------


def open_destination(path: str) -> PendingFile:
    """Open a temporary file, which its method `commit` moves to `path` when it is complete.

    Standard output, pipes and devices are opened directly. Raise `OSError` or `BulkError` if the path cannot
    be written.
    """
    if path == STANDARD:
        return _StandardOutput()
    if is_url(path):
        return _RemoteFile(path)
    local_name = local_path(path)
    if Path(local_name).is_dir():
        raise BulkError(
            f"{path} is a directory; name a file, or end the name with / for a directory of parts"
        )
    return open_atomic(local_name)


def is_streamed(target: str) -> bool:
    """Return whether the target (a path or URL) is a stream: standard output, a pipe or a device.

    Rows are written to a stream directly, and cannot be removed again.
    """
    return target == STANDARD or (not is_url(target) and is_stream(local_path(target)))


@contextmanager
def explaining_url_errors(url: str) -> Iterator[None]:
    """Convert the errors that the libraries for URLs raise while `url` is written to `BulkError`.

    Errors of the types `BulkError` and `OSError` pass unchanged.
    """
    try:
        yield
    except (BulkError, OSError):
        raise
    except Exception as error:
        # Each file system of fsspec raises the exceptions of its own libraries.
        raise BulkError(f"{url} cannot be written ({first_line(error)}); write to another place") from error


class _StandardOutput:
    """Standard output, with the methods of a temporary file. It is never closed."""

    def __init__(self) -> None:
        """Raise `BulkError` if standard output is closed."""
        file: BinaryIO | None = getattr(sys.stdout, "buffer", None)
        if file is None or file.closed:
            raise BulkError("standard output is closed; name a file to write to")
        self.file = file

    def commit(self) -> None:
        """Write the data that is still in the buffer."""
        self.file.flush()

    def discard(self) -> None:
        """Do nothing, because the data cannot be removed."""


class _RemoteFile:
    """A file that is written beside a URL, and moved to the URL when it is complete."""

    def __init__(self, url: str) -> None:
        """Open a temporary file beside `url`. Raise `BulkError` or `OSError` if it cannot be written."""
        self._url = url
        self._file_system, self._final_path = resolve_url(url)
        self._temporary_path = f"{self._final_path}.{secrets.token_hex(8)}.tmp"
        with explaining_url_errors(url):
            self.file: BinaryIO = self._file_system.open(self._temporary_path, "wb")

    def commit(self) -> None:
        """Close the file and move it to its URL."""
        with explaining_url_errors(self._url):
            self.file.close()
            self._file_system.mv(self._temporary_path, self._final_path)

    def discard(self) -> None:
        """Close and remove the file without raising an error."""
        with suppress(Exception):
            self.file.close()
        with suppress(Exception):
            self._file_system.rm_file(self._temporary_path)


# --- sinks ------------------------------------------------------------------------------------------


WRITABLE_FORMATS: Final = (
    Format.PARQUET,
    Format.ARROW,
    Format.ARROWS,
    Format.CSV,
    Format.TSV,
    Format.JSONL,
    Format.TEXT,
    Format.NPY,
)
"""The formats that any batches can be written to."""
_NEVER_COMPRESSED: Final = frozenset((Format.PARQUET, Format.NPY))
"""The formats that cannot be read if the whole file is compressed."""


class Sink:
    """A file of record batches, which appears at its path only when it is complete.

    As a context manager, it is closed at the end of the block, or aborted if an error occurred.
    """

    def __init__(
        self,
        path: str,
        schema: pa.Schema,
        pending_file: PendingFile,
        unclosable_file: UnclosableFile,
        writer: Writer,
    ) -> None:
        """Store the files that `open_sink` has opened.

        Args:
            path: The path of the file, for messages.
            schema: The schema of all batches.
            pending_file: The temporary file, which its method `commit` moves to `path`.
            unclosable_file: The wrapper of the file that Arrow's writers write to.
            writer: Writes batches in the format of the file.
        """
        self.path = path
        self.schema = schema
        self.rows = 0
        """Number of rows written."""
        self._pending_file = pending_file
        self._unclosable_file = unclosable_file
        self._writer = writer
        self._is_open = True

    def write_batch(self, batch: pa.RecordBatch) -> None:
        """Write the rows of a batch.

        Raise `BulkError` if the batch cannot be written. The file is then removed (see `abort`).
        """
        if not batch.schema.equals(self.schema):
            self.abort()
            name = display_name(self.path, "written")
            raise BulkError(f"{name} cannot be written: {self._describe_difference(batch.schema)}")
        try:
            with explaining_errors(self.path, "written"):
                self._writer.write(batch)
        except BaseException:
            self.abort()
            raise
        self.rows += batch.num_rows

    def close(self) -> None:
        """Complete the file and move it to its path. Raise `BulkError` and abort if that fails."""
        if not self._is_open:
            return
        try:
            with explaining_errors(self.path, "written"):
                self._writer.finish()
                self._pending_file.commit()
        except BaseException:
            self.abort()
            raise
        self._is_open = False

    def abort(self) -> None:
        """Remove what was written. A file that was at the path before stays unchanged."""
        if self._is_open:
            self._is_open = False
            self._unclosable_file.detach()
            self._writer.abandon()
            self._pending_file.discard()

    def __enter__(self) -> Self:
        """Return the sink."""
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the file, or remove it if an exception was raised."""
        if error_type is None:
            self.close()
        else:
            self.abort()

    def _describe_difference(self, batch_schema: pa.Schema) -> str:
        """Return the text of an error: the columns of a batch differ from those of the file."""
        file_columns = _format_columns(self.schema)
        batch_columns = _format_columns(batch_schema)
        return (
            f"the columns change from ({file_columns}) to ({batch_columns}); "
            "run the command once for each kind of file"
        )


def _format_columns(schema: pa.Schema) -> str:
    """Return the names and types of columns for a message, such as ``fen string, elo int32``."""
    return ", ".join(f"{field.name} {field.type}" for field in schema)


def open_sink(
    path: str,
    schema: pa.Schema,
    format: Format | None = None,
    compression: Compression | None = None,
    *,
    column: str | None = None,
) -> Sink:
    """Open a file to write batches to.

    Args:
        path: The path or URL of the file, or ``-`` for standard output.
        schema: The schema of the batches.
        format: The format; None to detect format and compression from the name of the file.
        compression: The compression; None for none.
        column: The column to write to a text file. None means its only column, or else ``fen``.

    Raises:
        BulkError: If the file cannot be written in this format.
    """
    if format is None:
        format, compression = detect_format(path)
    check_writable(path, format, compression, schema)
    text_column = choose_text_column(schema, column) if format is Format.TEXT else ""
    if format is Format.NPY:
        # Raise an error for a table without planes before the file is opened.
        find_planes(schema)
    with explaining_errors(path, "written"):
        pending_file = open_destination(path)
        unclosable_file = UnclosableFile(pending_file.file)
        try:
            if format is Format.NPY:
                # Its header is written last, at the beginning of the file.
                writer: Writer = NpyWriter(pending_file.file, schema)
            else:
                compressed_file = open_compressed(unclosable_file, compression)
                writer = _make_writer(path, schema, format, compressed_file, text_column)
        except BaseException:
            unclosable_file.detach()
            pending_file.discard()
            raise
        return Sink(path, schema, pending_file, unclosable_file, writer)


def check_writable(
    path: str, format: Format, compression: Compression | None, schema: pa.Schema | None = None
) -> None:
    """Raise `BulkError` if a file cannot be written in a format and compression.

    PGN and EPD can only be written if `schema` is that of a table of games or positions. None means that the
    schema is not known yet.
    """
    name = display_name(path, "written")
    has_records = schema is not None and game_from_schema(schema) is not None
    can_hold_rows = format in WRITABLE_FORMATS or (has_records and format in RECORD_WRITERS)
    if not can_hold_rows:
        raise BulkError(f"{name} cannot be written as {format}; choose one of {', '.join(WRITABLE_FORMATS)}")
    if compression is not None and format in _NEVER_COMPRESSED:
        raise BulkError(
            f"{name} cannot be written, because {format} cannot be inside .{compression}; "
            f"leave off .{compression}"
        )
    if format is Format.NPY and (is_url(path) or is_streamed(path)):
        raise BulkError(
            f"{name} cannot be written as npy, because the header of npy is written last; name a local file"
        )


def _make_writer(path: str, schema: pa.Schema, format: Format, file: Any, text_column: str) -> Writer:
    """Return a writer of batches to `file` in a format, such as `ParquetWriter`.

    Args:
        path: The path of the file. If it is a stream, such as a pipe, Arrow data is written as a stream too.
        schema: The schema of the batches.
        format: The format, any but NumPy.
        file: The file for Arrow, which compresses the data if needed.
        text_column: The column to write to a text file.
    """
    if format is Format.PARQUET:
        return ParquetWriter(file, schema)
    if format in (Format.ARROW, Format.ARROWS):
        # An Arrow file, unlike an Arrow stream, cannot be read from a pipe.
        return ArrowWriter(file, schema, stream=format is Format.ARROWS or is_streamed(path))
    if format in RECORD_WRITERS:
        return RECORD_WRITERS[format](file)
    if format is Format.JSONL:
        return JsonWriter(file)
    if format is Format.TEXT:
        return TextWriter(file, text_column)
    delimiter = "\t" if format is Format.TSV else ","
    return DelimitedWriter(file, schema, delimiter)


# --- joining of parts -------------------------------------------------------------------------------


_BLOCK_BYTES: Final = 4 << 20
"""Number of bytes that are read from a part at a time."""
_QUOTED_CELL_OR_LINE_END: Final = re.compile(rb'"[^"]*"|\n')


def concatenate(
    parts: Sequence[str], target: str, format: Format | None = None, compression: Compression | None = None
) -> None:
    """Write the rows of all parts, in order, to the file `target`.

    Args:
        parts: The paths of the parts, which have the format and compression of the target. A single part may
            be moved to the target; several parts stay.
        target: The path or URL of the file.
        format: The format; None to detect format and compression from the name of the target.
        compression: The compression; None for none.

    Raises:
        BulkError: If there are no parts, or the target cannot be written.
    """
    if format is None:
        format, compression = detect_format(target)
    if not parts:
        raise BulkError(
            f"{display_name(target, 'written')} cannot be written, because there are no parts to join; "
            "give at least one part"
        )
    if len(parts) == 1:
        was_moved = _try_to_move(parts[0], target)
        if was_moved:
            return
    if format in (Format.PARQUET, Format.ARROW, Format.ARROWS):
        _join_batches(parts, target, format, compression)
        return
    with explaining_errors(target, "written"):
        pending_file = open_destination(target)
        try:
            if format in (Format.CSV, Format.TSV):
                _join_delimited(parts, pending_file, compression)
            elif format is Format.NPY:
                _join_arrays(parts, pending_file)
            else:
                _join_bytes(parts, pending_file.file)
            pending_file.commit()
        except BaseException:
            pending_file.discard()
            raise


def _try_to_move(part: str, target: str) -> bool:
    """Move the file `part` to the path `target`, and return whether that was possible.

    It is not possible if one of them is a stream or a URL, or the target is on another file system. The
    caller then copies the file.
    """
    if STANDARD in (part, target) or is_url(part) or is_url(target):
        return False
    target_path = local_path(target)
    if is_stream(target_path) or Path(target_path).is_dir():
        return False
    with explaining_errors(target, "written"):
        try:
            move_atomically(local_path(part), target_path)
        except OSError as error:
            is_other_file_system = error.errno == errno.EXDEV
            if is_other_file_system:
                return False
            raise
    return True


def _join_batches(parts: Sequence[str], target: str, format: Format, compression: Compression | None) -> None:
    """Read the batches of all parts, and write them to `target` as one Parquet or Arrow file."""
    shards = [Shard(part, format, compression) for part in parts]
    with open_shard(shards[0]) as first_batches:
        schema = first_batches.schema
    with open_sink(target, schema, format, compression) as sink:
        for shard in shards:
            with open_shard(shard) as batches:
                for batch in batches:
                    sink.write_batch(batch)


def _join_bytes(parts: Sequence[str], file: BinaryIO) -> None:
    """Write the bytes of all parts to `file`, one part after the other, without decompressing them."""
    for part in parts:
        for block in _read_blocks(part, compression=None):
            file.write(block)


def _join_delimited(parts: Sequence[str], pending_file: PendingFile, compression: Compression | None) -> None:
    """Write all parts of CSV or TSV to one file, with the header of the first part only."""
    unclosable_file = UnclosableFile(pending_file.file)
    compressed_file = open_compressed(unclosable_file, compression)
    try:
        for number, part in enumerate(parts):
            blocks = _read_blocks(part, compression)
            first_block = next(blocks, b"")
            is_first_part = number == 0
            header_end = 0 if is_first_part else _find_header_end(first_block)
            compressed_file.write(first_block[header_end:])
            for block in blocks:
                compressed_file.write(block)
        compressed_file.close()
    except BaseException:
        unclosable_file.detach()
        close_quietly(compressed_file)
        raise


def _find_header_end(block: bytes) -> int:
    """Return the length in bytes of the header, with its line end, of a block of CSV.

    Line ends in quotes do not count. Without any other line end, return the length of the block.
    """
    for match in _QUOTED_CELL_OR_LINE_END.finditer(block):
        if match.group() == b"\n":
            return match.end()
    return len(block)


def _join_arrays(parts: Sequence[str], pending_file: PendingFile) -> None:
    """Write the arrays in NumPy files to one file as a single array.

    Raise `BulkError` if the shapes of the arrays differ in more than the number of rows.
    """
    target_file = pending_file.file
    shapes = []
    # This header only reserves the space, because the number of rows is not known yet.
    target_file.write(make_npy_header((0,)))
    for part in parts:
        with explaining_errors(part), open_seekable(part) as part_file:
            shapes.append(read_npy_shape(part_file))
            while block := part_file.read(_BLOCK_BYTES):
                target_file.write(block)
    row_counts = [row_count for row_count, *_ in shapes]
    tensor_shapes = [tuple(tensor_shape) for _, *tensor_shape in shapes]
    if len(set(tensor_shapes)) > 1:
        known_shapes = ", ".join(map(str, dict.fromkeys(tensor_shapes)))
        raise BulkError(
            f"{parts[0]} and the parts after it differ in shape ({known_shapes}); make them of one game"
        )
    target_file.seek(0)
    target_file.write(make_npy_header((sum(row_counts), *tensor_shapes[0])))


def _read_blocks(path: str, compression: Compression | None) -> Iterator[bytes]:
    """Yield the bytes of a file in blocks of up to _BLOCK_BYTES bytes.

    They are decompressed unless `compression` is None.
    """
    stream = Stream(path, compression)
    try:
        while block := stream.read(_BLOCK_BYTES):
            yield block
    finally:
        stream.close()


# --- targets ----------------------------------------------------------------------------------------


def is_directory_target(target: str) -> bool:
    """Return whether a target is a directory of parts: its name ends with a slash."""
    return target.endswith("/")


def check_target(target: str) -> None:
    """Raise `BulkError` if a target (a path, a URL or ``-``) cannot be written, before work begins.

    Nothing is changed. A target whose name ends with a slash is a directory, which must be new or empty.
    """
    if target == STANDARD:
        return
    if is_url(target):
        if is_directory_target(target):
            _require_empty_remote_directory(target)
        return
    path = Path(local_path(target))
    with explaining_errors(target, "written"):
        if not path.parent.is_dir():
            raise BulkError(f"there is no directory {path.parent} for {target}; create it first")
        if is_directory_target(target):
            _require_empty_directory(target, path)
        elif path.is_dir():
            raise BulkError(
                f"{target} is a directory; name a file in it, or end the name with / for a directory of parts"
            )
        else:
            require_writable(path)


def _require_empty_directory(target: str, path: Path) -> None:
    """Raise `BulkError` if `path` exists and is not an empty directory.

    `target` is its name as the user has written it, for the message.
    """
    if not path.exists():
        return
    if not path.is_dir():
        raise BulkError(f"{target.rstrip('/')} is not a directory; name a new one")
    if any(path.iterdir()):
        raise BulkError(_describe_used_directory(target))


def _require_empty_remote_directory(target: str) -> None:
    """Raise `BulkError` if the directory at the URL `target` exists and is not empty."""
    file_system, folder = resolve_url(target.rstrip("/"))
    with explaining_errors(target, "written"), explaining_url_errors(target):
        if file_system.exists(folder) and file_system.find(folder):
            raise BulkError(_describe_used_directory(target))


def _describe_used_directory(target: str) -> str:
    """Return the error message for a target directory that contains files."""
    return f"{target} exists and is not empty; name a new directory"


def deliver_parts(paths: Sequence[str], target: str, format: Format, compression: Compression | None) -> None:
    """Write the finished parts of a job to its target, which is one file or a directory of parts.

    Args:
        paths: The paths of the parts, in the order of their rows.
        target: The path or URL of the target.
        format: The format of the parts.
        compression: The compression of the parts.

    Raises:
        BulkError: If the target cannot be written.
    """
    if not is_directory_target(target):
        concatenate(paths, target, format, compression)
    elif is_url(target):
        _upload_parts(paths, target, file_ending(format, compression))
    else:
        _publish_directory(paths, target, file_ending(format, compression))


def _name_part(number: int, ending: str) -> str:
    """Return the file name of a part in a target directory, such as ``part-00003.parquet``."""
    return f"part-{number:05}.{ending}"


_TEMPORARY_NAME: Final = "whole"
"""Name of the directory beside the finished parts in which they are collected."""


def _publish_directory(paths: Sequence[str], target: str, ending: str) -> None:
    """Collect files in a temporary directory, and rename it to `target` when it is complete.

    Args:
        paths: The paths of the finished parts, in the order of their rows. They are linked or copied.
        target: The path of the new directory.
        ending: The ending of the new names, such as ``csv``.

    Raises:
        BulkError: If `target` has files by then.
    """
    temporary_directory = Path(paths[0]).with_name(_TEMPORARY_NAME)
    final_path = Path(os.path.realpath(local_path(target)))
    with explaining_errors(target, "written"):
        shutil.rmtree(temporary_directory, ignore_errors=True)
        temporary_directory.mkdir()
        for number, path in enumerate(paths):
            _link_or_copy(Path(path), temporary_directory / _name_part(number, ending))
        # Another program may have created files there while the job was running.
        _require_empty_directory(target, final_path)
        if final_path.is_dir():
            copy_ownership(temporary_directory, final_path.stat())
            final_path.rmdir()
        temporary_directory.replace(final_path)


def _link_or_copy(path: Path, new_path: Path) -> None:
    """Create the file `new_path` as a hard link to the file `path`, or else as a copy of it.

    The file stays at `path` too, so that the job can still be resumed.
    """
    try:
        os.link(path, new_path)
    except OSError:
        shutil.copy2(path, new_path)


def _upload_parts(paths: Sequence[str], target: str, ending: str) -> None:
    """Copy the finished parts to the directory at the URL `target`.

    If one of them cannot be copied, remove the copies of the others. `paths` are the parts, in order.
    `ending` is the ending of their new names, such as ``csv``.
    """
    file_system, folder = resolve_url(target.rstrip("/"))
    uploaded_paths: list[str] = []
    try:
        with explaining_errors(target, "written"), explaining_url_errors(target):
            file_system.makedirs(folder, exist_ok=True)
            for number, path in enumerate(paths):
                remote_path = f"{folder}/{_name_part(number, ending)}"
                # A copy that fails may leave an incomplete file, so the path is added before.
                uploaded_paths.append(remote_path)
                file_system.put_file(path, remote_path)
    except BaseException:
        for remote_path in uploaded_paths:
            with suppress(Exception):
                file_system.rm_file(remote_path)
        raise
