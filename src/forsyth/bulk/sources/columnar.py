"""Columnar files as rows: Parquet, and Arrow IPC as a file or a stream.

Arrow IPC is recognised by its first bytes, not by its name. An IPC file that is compressed or comes from a
pipe is read as the stream that it contains. Every batch is validated down to the last offset and character
before compiled code reads it, because a file may contain anything.

Limits: Parquet must be in a file that can be read at any position, and must not be compressed as a whole (its
columns have their own compression). Memory is bounded by one page of each column for Parquet, and by the
largest batch for Arrow IPC. Pages and batches that claim far more bytes than they hold are rejected (see
`decompression_limits`). If a dictionary repeats a long value, batches get fewer rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from forsyth.bulk.batches import measure_shared_values
from forsyth.bulk.errors import STANDARD, BulkError, display_name, explaining_errors, first_line
from forsyth.bulk.sources.decompression_limits import (
    CheckedMessageStream,
    check_file_messages,
    measure_longest_value,
)
from forsyth.bulk.sources.files import Compression, Format, Stream, is_url, local_path, open_seekable
from forsyth.limits import MAX_BULK_BATCH

_IPC_FILE_MAGIC: Final = b"ARROW1\0\0"
"""First bytes of an IPC file; a stream follows them (Arrow columnar format, IPC file format)."""
_READ_BYTES: Final = 1 << 20
"""Bytes of a Parquet column that are read at once. Without this limit a whole row group is held in memory."""


def estimate_group_sizes(path: str, format: Format) -> list[int] | None:
    """Return the approximate size in bytes of each part of a file that can be read on its own.

    The parts are the row groups of a Parquet file or the record batches of an Arrow IPC file. Return None if
    the file is an Arrow stream, which has no such parts.
    """
    if format is Format.PARQUET:
        with explaining_errors(path), closing(open_seekable(path)) as file:
            metadata = pq.ParquetFile(file).metadata
            return [metadata.row_group(index).total_byte_size for index in range(metadata.num_row_groups)]
    if not _is_ipc_file(path):
        return None
    arrow_file = _open_for_arrow(path)
    with explaining_errors(path), arrow_file:
        batch_count = pa.ipc.open_file(arrow_file).num_record_batches
        # The sizes of batches are not in the footer, so all batches count as equally large.
        average_size = arrow_file.size() // max(batch_count, 1)
        return [average_size] * batch_count


class ParquetRows:
    """The rows of consecutive row groups of a Parquet file."""

    def __init__(self, path: str, first_group: int = 0, group_count: int | None = None) -> None:
        """Open the file.

        Args:
            path: The path or URL of the file.
            first_group: The index of the first row group to read.
            group_count: The number of row groups to read; None reads all that follow.
        """
        self._path = path
        with explaining_errors(path):
            self._file = _open_parquet(path)
        metadata = self._file.metadata
        end_group = metadata.num_row_groups if group_count is None else first_group + group_count
        groups = {index: metadata.row_group(index) for index in range(first_group, end_group)}
        # A group without rows has no pages to inspect.
        self._group_rows = {index: group.num_rows for index, group in groups.items() if group.num_rows}
        """Number of rows of each row group, by its index in the file."""
        self._total_bytes = sum(groups[index].total_byte_size for index in self._group_rows)
        self._rows_read = 0
        self.schema = self._file.schema_arrow

    @property
    def bytes_read(self) -> int:
        """Approximate number of bytes that have been read, in proportion to the rows."""
        total_rows = sum(self._group_rows.values())
        return self._total_bytes * self._rows_read // total_rows if total_rows else 0

    def iter_batches(self, max_rows: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
        """Yield the rows after the first `skip`, at most `max_rows` in each batch.

        Row groups that are skipped completely are not read.
        """
        groups_to_read, rows_to_skip = self._leave_out_skipped_groups(skip)
        self._rows_read += skip - rows_to_skip
        batches = self._file.iter_batches(
            self._limit_batch_rows(max_rows),
            row_groups=groups_to_read,
            columns=self.schema.names,
            use_threads=False,
        )
        for batch in _validate_batches(batches, self._path):
            self._rows_read += batch.num_rows
            skipped_rows = min(rows_to_skip, batch.num_rows)
            rows_to_skip -= skipped_rows
            yield batch.select(self.schema.names).slice(skipped_rows)

    def _leave_out_skipped_groups(self, skip: int) -> tuple[list[int], int]:
        """Return the row groups with rows after the first `skip`, and the rows to skip in the first of them.

        With groups of 100 rows and `skip` 250 these are the groups from index 2 on, and 50 rows.
        """
        group_indexes = list(self._group_rows)
        rows_to_skip = skip
        for row_count in self._group_rows.values():
            if rows_to_skip < row_count:
                break
            rows_to_skip -= row_count
            group_indexes.pop(0)
        return group_indexes, rows_to_skip

    def _limit_batch_rows(self, max_rows: int) -> int:
        """Return `max_rows`, or fewer rows so that a batch has at most `MAX_BULK_BATCH` bytes.

        A Parquet dictionary stores a value once, but all rows may repeat it. The longest value of each column
        therefore gives the upper bound on the size of a row. Groups without rows to read are inspected too,
        so that a resumed job gets the same batches as before.
        """
        metadata = self._file.metadata
        max_row_bytes = 1
        with explaining_errors(self._path), closing(open_seekable(self._path)) as file:
            for group_index in self._group_rows:
                chunks = self._select_column_chunks(metadata.row_group(group_index))
                row_bytes = sum(measure_longest_value(file, chunk, self._path) for chunk in chunks)
                max_row_bytes = max(max_row_bytes, row_bytes)
        return max(1, min(max_rows, MAX_BULK_BATCH // max_row_bytes))

    def _select_column_chunks(self, row_group: Any) -> list[Any]:
        """Return the metadata of those columns of a row group that are read.

        A nested column has metadata for each of its fields, such as ``moves.list.element``.
        """
        selected_names = frozenset(self.schema.names)
        selected_chunks = []
        for index in range(row_group.num_columns):
            chunk = row_group.column(index)
            column_name, _, _ = chunk.path_in_schema.partition(".")
            if column_name in selected_names:
                selected_chunks.append(chunk)
        return selected_chunks

    def close(self) -> None:
        """Close the file."""
        self._file.close(force=True)


class ArrowRows:
    """The rows of an Arrow IPC file, of some of its batches, or of an Arrow IPC stream."""

    def __init__(
        self,
        path: str,
        compression: Compression | None = None,
        first_batch: int = 0,
        batch_count: int | None = None,
    ) -> None:
        """Open the file or stream.

        Args:
            path: The path or URL of the file, or ``-`` for standard input.
            compression: The compression of the whole file; a compressed file is read as a stream.
            first_batch: The index of the first batch to read. A stream is always read from its beginning.
            batch_count: The number of batches to read; None reads all that follow.
        """
        self._path = path
        self._file: Any = None
        self._stream: Stream | None = None
        self._batches: Iterator[pa.RecordBatch]
        self._bytes_read = 0
        try:
            if compression is None and _is_ipc_file(path):
                self._open_ipc_file(first_batch, batch_count)
            else:
                self._open_ipc_stream(compression)
            self.schema = self._reader.schema
        except BulkError:
            self.close()
            raise

    def _open_ipc_file(self, first_batch: int, batch_count: int | None) -> None:
        """Open an IPC file to read `batch_count` of its batches from `first_batch` on; None reads all.

        Raise `BulkError` if one of these batches would decompress to far too many bytes.
        """
        self._file = _open_for_arrow(self._path)
        with explaining_errors(self._path):
            self._reader = pa.ipc.open_file(self._file)
            end_batch = self._reader.num_record_batches if batch_count is None else first_batch + batch_count
            batch_range = range(first_batch, end_batch)
            if not is_url(self._path):
                check_file_messages(self._file, len(_IPC_FILE_MAGIC), batch_range, self._path)
            self._batches = map(self._reader.get_batch, batch_range)

    def _open_ipc_stream(self, compression: Compression | None) -> None:
        """Open an IPC stream, or an IPC file that can only be read from front to back.

        `compression` is that of the whole file; None if it is not compressed.
        """
        stream = self._stream = Stream(self._path, compression)
        first_bytes = stream.read(len(_IPC_FILE_MAGIC))
        # An IPC file contains a stream after its magic bytes.
        messages = _PrefixedStream(b"" if first_bytes == _IPC_FILE_MAGIC else first_bytes, stream)
        self._file = pa.PythonFile(CheckedMessageStream(messages, self._path), "r")
        with explaining_errors(self._path):
            self._reader = pa.ipc.open_stream(self._file)
        self._batches = iter(self._reader)

    @property
    def bytes_read(self) -> int:
        """Approximate number of bytes that have been read."""
        return self._bytes_read if self._stream is None else self._stream.bytes_read

    def iter_batches(self, max_rows: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
        """Yield the rows after the first `skip`, at most `max_rows` in each batch."""
        for batch in _validate_batches(self._batches, self._path):
            self._bytes_read += batch.nbytes
            selected = batch.select(self.schema.names)
            # Rows may share long values. A batch must stay small even if each row gets a copy of them.
            max_row_bytes = max(measure_shared_values(selected), 1)
            batch_rows = max(1, min(max_rows, MAX_BULK_BATCH // max_row_bytes))
            skipped_rows = min(skip, batch.num_rows)
            skip -= skipped_rows
            for start in range(skipped_rows, batch.num_rows, batch_rows):
                yield selected.slice(start, batch_rows)
        if self._stream is not None:
            _read_to_end(self._stream)

    def close(self) -> None:
        """Close the file or stream."""
        if self._stream is not None:
            self._stream.close()
        elif self._file is not None:
            self._file.close()


def _read_to_end(stream: Stream) -> None:
    """Read the rest of a stream and discard it. Raise `BulkError` if a compressed file is truncated.

    Decompression reports a truncated file only at its end, which may lie behind the last batch.
    """
    while stream.read(_READ_BYTES):
        pass


class _PrefixedStream:
    """A stream with bytes put back in front of it."""

    def __init__(self, prefix: bytes, stream: Stream) -> None:
        """Put the bytes of `prefix` in front of those of `stream`."""
        self._prefix = prefix
        self._stream = stream

    def read(self, size: int) -> bytes:
        """Return the next `size` bytes, or fewer at the end."""
        prefix_data, self._prefix = self._prefix[:size], self._prefix[size:]
        missing_size = size - len(prefix_data)
        if not missing_size:
            return prefix_data
        return prefix_data + self._stream.read(missing_size)


def _validate_batches(batches: Iterator[pa.RecordBatch], path: str) -> Iterator[pa.RecordBatch]:
    """Yield the batches of the file `path` after checking all their offsets and characters.

    Raise `BulkError` if a batch has an invalid offset or a text that is not UTF-8.
    """
    rows_before = 0
    with explaining_errors(path):
        for batch in batches:
            try:
                batch.validate(full=True)
            except pa.ArrowInvalid as error:
                first_row = rows_before + 1
                last_row = rows_before + batch.num_rows
                raise BulkError(
                    f"{display_name(path)}, between rows {first_row} and {last_row}: {first_line(error)}; "
                    "a column that is not UTF-8 must be of a binary type; write the file again"
                ) from error
            rows_before += batch.num_rows
            yield batch


def select_fields(schema: pa.Schema, columns: Sequence[str] | None, path: str) -> pa.Schema:
    """Return the schema of a file with only `columns`, in that order, or all columns if `columns` is None.

    Raise `BulkError` if the file `path` has no column of a name, or several columns of the same name.
    """
    duplicate_names = sorted({name for name in schema.names if schema.names.count(name) > 1})
    if duplicate_names:
        raise BulkError(
            f"{display_name(path)} has several columns {duplicate_names[0]!r}; give each a different name"
        )
    if columns is None:
        return schema
    for name in columns:
        if name not in schema.names:
            available = ", ".join(schema.names) or "none"
            raise BulkError(
                f"{display_name(path)} has no column {name!r}; name one of its columns ({available})"
            )
    return pa.schema([schema.field(name) for name in columns], schema.metadata)


def _open_parquet(path: str) -> Any:
    """Open a Parquet file so that at most `_READ_BYTES` bytes of a column are read at once.

    Without this limit, Arrow would hold a whole row group in memory.
    """
    file = open_seekable(path)
    try:
        return pq.ParquetFile(file, buffer_size=_READ_BYTES, pre_buffer=False)
    except BaseException:
        file.close()
        raise


def _is_ipc_file(path: str) -> bool:
    """Return whether `path` is an Arrow IPC file, which can be read at any position, and not a stream.

    A pipe never counts as an IPC file, because its bytes can be read only once.
    """
    if path == STANDARD or not (is_url(path) or Path(local_path(path)).is_file()):
        return False
    with explaining_errors(path), closing(open_seekable(path)) as file:
        return file.read(len(_IPC_FILE_MAGIC)) == _IPC_FILE_MAGIC


def _open_for_arrow(path: str) -> Any:
    """Open a file for Arrow at any position: a local file as a memory map, a URL as an ordinary file."""
    with explaining_errors(path):
        if is_url(path):
            return pa.PythonFile(open_seekable(path), "r")
        return pa.memory_map(local_path(path), "r")
