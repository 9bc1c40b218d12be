"""Files of columns: Parquet, and Arrow IPC as file and as stream.

Arrow IPC is recognised by its first bytes, not by its name. An IPC file in a pipe or compressed is read
as the stream that it holds. Every batch is checked to the last offset and character before anything compiled
looks at it: a file may say anything.

Limits: Parquet must be in a file that can be read from several places, and not compressed (it has
its own). Memory is bounded by a page of each column for Parquet, by the longest batch for Arrow IPC; pages
and batches that claim far more than they hold are refused (`decompression_limits`), and a long value
that a dictionary repeats makes batches short.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from forsyth.bulk.batches import longest_repeated
from forsyth.bulk.errors import STANDARD, BulkError, brief, explaining_errors, shown
from forsyth.bulk.sources.decompression_limits import Framed, longest_value, must_all_be_bounded
from forsyth.bulk.sources.files import Compression, Format, Stream, is_url, local_path, open_seekable
from forsyth.limits import MAX_BULK_BATCH

_MAGIC: Final = b"ARROW1\0\0"
"""How an IPC file begins; a stream follows (Arrow columnar format, IPC file format)."""
_PAGE: Final = 1 << 20
"""Bytes of a column of Parquet read at once: without it a whole group of rows is held."""


def group_sizes(path: str, form: Format) -> list[int] | None:
    """About how many bytes each group of rows takes, or None if the file is not made of groups."""
    if form is Format.PARQUET:
        with explaining_errors(path), closing(open_seekable(path)) as source:
            facts = pq.ParquetFile(source).metadata
            return [facts.row_group(number).total_byte_size for number in range(facts.num_row_groups)]
    if not _is_ipc_file(path):
        return None
    file = _open_mapped(path)
    with explaining_errors(path), file:
        groups = pa.ipc.open_file(file).num_record_batches
        return [file.size() // max(groups, 1)] * groups


class ParquetRows:
    """The rows of a run of groups of a Parquet file."""

    def __init__(self, path: str, first: int = 0, count: int | None = None) -> None:
        self._path = path
        with explaining_errors(path):
            self._file = _open_parquet(path)
        facts = self._file.metadata
        last = facts.num_row_groups if count is None else first + count
        # A group without rows has no pages that could be looked at.
        self._groups = [number for number in range(first, last) if facts.row_group(number).num_rows]
        self._rows = [facts.row_group(number).num_rows for number in self._groups]
        self._bytes = sum(facts.row_group(number).total_byte_size for number in self._groups)
        self._done = 0
        self.schema = self._file.schema_arrow

    @property
    def position(self) -> int:
        """About how many bytes have been read."""
        total = sum(self._rows)
        return self._bytes * self._done // total if total else 0

    def batches(self, rows: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
        """The rows after the first `skip`, at most `rows` at once; groups before them are not read."""
        groups = list(self._groups)
        for size in self._rows:
            if skip < size:
                break
            skip -= size
            self._done += size
            groups.pop(0)
        found = self._file.iter_batches(
            self._fewer(rows), row_groups=groups, columns=self.schema.names, use_threads=False
        )
        for batch in checked(found, self._path):
            self._done += batch.num_rows
            left_out = min(skip, batch.num_rows)
            skip -= left_out
            yield batch.select(self.schema.names).slice(left_out)

    def _fewer(self, rows: int) -> int:
        """Rows of a batch so that what its dictionaries repeat stays bounded; looks at all pages.

        All groups count, not only those after the rows that are skipped: batches end where they ended
        before.
        """
        names = frozenset(self.schema.names)
        facts = self._file.metadata
        longest = 1
        with explaining_errors(self._path), closing(open_seekable(self._path)) as file:
            for number in self._groups:
                group = facts.row_group(number)
                chunks = [group.column(place) for place in range(group.num_columns)]
                wanted = [chunk for chunk in chunks if chunk.path_in_schema.split(".")[0] in names]
                longest = max(longest, sum(longest_value(file, chunk, self._path) for chunk in wanted))
        return max(1, min(rows, MAX_BULK_BATCH // longest))

    def close(self) -> None:
        """Gives the file back."""
        self._file.close(force=True)


class ArrowRows:
    """The rows of an Arrow IPC file, of a run of its batches, or of a stream."""

    def __init__(
        self,
        path: str,
        compression: Compression | None = None,
        first: int = 0,
        count: int | None = None,
    ) -> None:
        self._path = path
        self._file: Any = None
        self._stream: Stream | None = None
        self._found: Iterator[pa.RecordBatch]
        self._taken = 0
        try:
            if compression is None and _is_ipc_file(path):
                self._open_file(first, count)
            else:
                self._open_stream(compression)
            self.schema = self._reader.schema
        except BulkError:
            self.close()
            raise

    def _open_file(self, first: int, count: int | None) -> None:
        self._file = _open_mapped(self._path)
        with explaining_errors(self._path):
            self._reader = pa.ipc.open_file(self._file)
            last = self._reader.num_record_batches if count is None else first + count
            batches = range(first, last)
            if not is_url(self._path):
                must_all_be_bounded(self._file, len(_MAGIC), batches, self._path)
            self._found = map(self._reader.get_batch, batches)

    def _open_stream(self, compression: Compression | None) -> None:
        stream = self._stream = Stream(self._path, compression)
        begin = stream.read(len(_MAGIC))
        ahead = _Ahead(b"" if begin == _MAGIC else begin, stream)
        self._file = pa.PythonFile(Framed(ahead, self._path), "r")
        with explaining_errors(self._path):
            self._reader = pa.ipc.open_stream(self._file)
        self._found = iter(self._reader)

    @property
    def position(self) -> int:
        """About how many bytes have been read."""
        return self._taken if self._stream is None else self._stream.position

    def batches(self, rows: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
        """The rows after the first `skip`, at most `rows` at once."""
        for batch in checked(self._found, self._path):
            self._taken += batch.nbytes
            wanted = batch.select(self.schema.names)
            fewer = max(1, min(rows, MAX_BULK_BATCH // max(longest_repeated(wanted), 1)))
            for at in range(min(skip, batch.num_rows), batch.num_rows, fewer):
                yield wanted.slice(at, fewer)
            skip -= min(skip, batch.num_rows)
        while self._stream is not None and self._stream.read(_PAGE):
            # The last batch is not the end of what is compressed: whether all came is told there.
            pass

    def close(self) -> None:
        """Gives the file back."""
        if self._stream is not None:
            self._stream.close()
        elif self._file is not None:
            self._file.close()


class _Ahead:
    """A stream of which the first bytes have been read already."""

    def __init__(self, begin: bytes, stream: Stream) -> None:
        self._begin = begin
        self._stream = stream

    def read(self, size: int) -> bytes:
        """The next bytes, fewer than `size` only at the end."""
        begin, self._begin = self._begin[:size], self._begin[size:]
        return begin + self._stream.read(size - len(begin)) if len(begin) < size else begin


def checked(batches: Iterator[pa.RecordBatch], path: str) -> Iterator[pa.RecordBatch]:
    """The batches, each found sound in all its offsets and characters."""
    before = 0
    with explaining_errors(path):
        for batch in batches:
            try:
                batch.validate(full=True)
            except pa.ArrowInvalid as error:
                place = f"{shown(path)}, between rows {before + 1} and {before + batch.num_rows}"
                remedy = "a column that is not UTF-8 must be of a binary type; write the file again"
                raise BulkError(f"{place}: {brief(error)}; {remedy}") from error
            before += batch.num_rows
            yield batch


def chosen(schema: pa.Schema, columns: Sequence[str] | None, path: str) -> pa.Schema:
    """The columns asked for, in their order; raises `BulkError` for one that is not there."""
    twice = sorted({name for name in schema.names if schema.names.count(name) > 1})
    if twice:
        raise BulkError(f"{shown(path)} has several columns {twice[0]!r}; give each a different name")
    if columns is None:
        return schema
    for name in columns:
        if name not in schema.names:
            there = ", ".join(schema.names) or "none"
            raise BulkError(f"{shown(path)} has no column {name!r}; its columns are {there}")
    return pa.schema([schema.field(name) for name in columns], schema.metadata)


def _open_parquet(path: str) -> Any:
    file = open_seekable(path)
    try:
        return pq.ParquetFile(file, buffer_size=_PAGE, pre_buffer=False)
    except BaseException:
        file.close()
        raise


def _is_ipc_file(path: str) -> bool:
    """Whether this is an IPC file, not a stream; of a pipe, which gives its bytes once, it is not."""
    if path == STANDARD or not (is_url(path) or Path(local_path(path)).is_file()):
        return False
    with explaining_errors(path), closing(open_seekable(path)) as file:
        return file.read(len(_MAGIC)) == _MAGIC


def _open_mapped(path: str) -> Any:
    """A file whose pages come into memory as they are looked at, or a URL."""
    with explaining_errors(path):
        if is_url(path):
            return pa.PythonFile(open_seekable(path), "r")
        return pa.memory_map(local_path(path), "r")
