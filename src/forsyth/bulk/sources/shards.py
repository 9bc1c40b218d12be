"""Shards: parts of the input that can be read independently, on any machine, as streams of record batches.

A file is cut where that is possible without reading it: Parquet and Arrow IPC files between their row groups
or batches, files of plain lines anywhere (a line belongs to the range in which it begins). CSV (a line break
may be in quotes), PGN, Arrow streams, compressed files and pipes are one shard each. Consecutive small files
form one shard together, so that threads, parts and checkpoints are made once for all of them. The shards in
order give the rows in order, each row once, wherever the cuts are.

`open_shard` returns `Batches`, which have their schema at once and read the rows on demand, in constant
memory. `ShardReader` reads all files of a shard one after the other and locates a row in its file. All faults
of files and their data are raised as `BulkError` with the place.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import accumulate, takewhile
from types import TracebackType
from typing import Any, Final, Literal, Protocol, Self, TypedDict, Unpack

import pyarrow as pa

from forsyth.bulk.errors import STANDARD, BulkError, display_name, explaining_errors
from forsyth.bulk.sources.columnar import ArrowRows, ParquetRows, estimate_group_sizes, select_fields
from forsyth.bulk.sources.delimited import DelimitedRows, MergedFiles, merge_files
from forsyth.bulk.sources.files import (
    DEFAULT_DIALECT,
    SMALL_FILE_BYTES,
    Compression,
    CsvDialect,
    Format,
    SourceFile,
    Stream,
)
from forsyth.bulk.sources.jsonl import JsonRows, infer_file_columns
from forsyth.bulk.sources.lines import (
    EPD_SCHEMA,
    TEXT_SCHEMA,
    LineBlocks,
    StreamRows,
    parse_epd_rows,
    parse_text_rows,
)
from forsyth.bulk.sources.parse_pool import ParsePool, parse_blocks
from forsyth.bulk.sources.pgn import BLOCK_SCHEMA, PGN_SCHEMA, RecordBlocks, read_pgn_rows
from forsyth.record.encoding import Encoding

TARGET_BYTES: Final = 64 << 20
"""Approximate size of a shard: a second of work or more, so that the overhead per shard is negligible."""
MAX_FILES: Final = 512
"""Upper bound on the small files of one shard: some tenths of a second of work, so that a cluster can share
them."""

Unit = Literal["file", "bytes", "groups", "records"]
"""The unit of `first` and `count` of a shard. With ``file`` the shard is a whole file. With ``groups`` they
count row groups or batches. With ``records`` the shard is a range of bytes, or a whole file, that is read as
blocks of text with whole records."""

_LINE_FORMATS: Final = frozenset((Format.TEXT, Format.EPD, Format.JSONL))
_GROUPED_FORMATS: Final = frozenset((Format.PARQUET, Format.ARROW, Format.ARROWS))


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of the input that can be read by itself: a part of one file, or one or several whole files.

    Bytes 1000 to 1999 of a file, for example, have the unit ``bytes``, `first` 1000 and `count` 1000.
    """

    path: str
    format: Format
    compression: Compression | None = None
    unit: Unit = "file"
    first: int = 0
    count: int | None = None
    """Number of units; None for all that follow."""
    number: int = 0
    """Index of the shard among the shards of a job."""
    size: int | None = None
    """Number of bytes to read, the total of a progress bar; None if it is not known."""
    cells: CsvDialect = DEFAULT_DIALECT
    """Layout of the file if it is CSV or TSV."""
    games_before: int = 0
    """Only for records: number of records in the shards before this one."""
    lines_before: int = 0
    """Only for records: number of lines of the file before the first record of the range."""
    block_bytes: int | None = None
    """Only for records: approximate size of a block in bytes; None for the default."""
    encoding: Encoding = "utf-8"
    """Only for records: encoding of the file."""
    more: tuple[Shard, ...] = ()
    """Small files that are read after this one, each as a whole."""

    @property
    def files(self) -> tuple[Shard, ...]:
        """The files of this shard in order, each as a shard of its own."""
        if not self.more:
            return (self,)
        size_of_others = sum(file.size or 0 for file in self.more)
        first_size = None if self.size is None else self.size - size_of_others
        first_file = replace(self, size=first_size, more=())
        return (first_file, *self.more)

    def to_dict(self) -> dict[str, Any]:
        """Return the shard as JSON-ready data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Shard:
        """Return the shard from the data that `to_dict` returned."""
        compression = data["compression"]
        typed_values = {
            "format": Format(data["format"]),
            "compression": None if compression is None else Compression(compression),
            "cells": CsvDialect(**data["cells"]),
            "more": tuple(cls.from_dict(file) for file in data["more"]),
        }
        return cls(**{**data, **typed_values})


def plan_shards(files: Sequence[SourceFile], *, target_bytes: int = TARGET_BYTES) -> list[Shard]:
    """Cut files into shards, which can be read independently of each other.

    The shards in order contain the rows in order. A shard has about `target_bytes`, or is one whole file if
    the file cannot be cut.
    """
    shards = (shard for file in files for shard in _cut_file(file, max(target_bytes, 1)))
    return [replace(shard, number=number) for number, shard in enumerate(shards)]


def merge_small_shards(shards: Sequence[Shard], *, target_bytes: int = TARGET_BYTES) -> list[Shard]:
    """Return the shards with consecutive small files merged into shards of up to `target_bytes`.

    All shards are numbered again from 0. Only `ShardReader` can read a shard of several files.
    """
    groups: list[list[Shard]] = [[]]
    group_size = 0
    for shard in shards:
        # A large file, or a part of a file, fills a group by itself.
        shard_size = (shard.size or 0) if _is_small_file(shard) else target_bytes + 1
        current_group = groups[-1]
        would_be_too_large = group_size + shard_size > target_bytes or len(current_group) >= MAX_FILES
        if current_group and would_be_too_large:
            groups.append([])
            group_size = 0
        groups[-1].append(shard)
        group_size += shard_size
    return [_merge_shards(group, number) for number, group in enumerate(groups)]


def _is_small_file(shard: Shard) -> bool:
    """Return whether a shard is a whole file of less than `SMALL_FILE_BYTES`, which can be merged."""
    is_whole_file = shard.unit in ("file", "records") and shard.count is None
    return is_whole_file and shard.size is not None and shard.size < SMALL_FILE_BYTES


def _merge_shards(shards: list[Shard], number: int) -> Shard:
    """Return one shard that consists of the files of all `shards`.

    `number` is its index among the shards of a job.
    """
    if len(shards) == 1:
        return replace(shards[0], number=number)
    first_shard, *other_shards = shards
    total_size = sum(shard.size or 0 for shard in shards)
    return replace(first_shard, number=number, size=total_size, more=tuple(other_shards))


def _cut_file(file: SourceFile, target_bytes: int) -> Iterator[Shard]:
    """Yield the shards of a file, each of about `target_bytes`, or one if the file cannot be cut."""
    whole_file = Shard(file.path, file.format, file.compression, size=file.size, cells=file.cells)
    if file.compression is not None or file.size is None or file.path == STANDARD:
        yield whole_file
        return
    if file.size < min(SMALL_FILE_BYTES, target_bytes):
        # Inspecting a small file would cost more than it saves.
        yield whole_file
        return
    if file.format in _LINE_FORMATS:
        yield from _cut_into_byte_ranges(whole_file, file.size, target_bytes)
        return
    has_groups = file.format in _GROUPED_FORMATS
    group_sizes = estimate_group_sizes(file.path, file.format) if has_groups else None
    if group_sizes is None:
        yield whole_file
    else:
        yield from _cut_between_groups(whole_file, group_sizes, target_bytes)


def _cut_into_byte_ranges(whole_file: Shard, file_size: int, target_bytes: int) -> Iterator[Shard]:
    """Yield shards of `target_bytes` bytes each, except for the last. An empty file gives one shard."""
    for first_byte in range(0, max(file_size, 1), target_bytes):
        size = min(target_bytes, file_size - first_byte)
        yield replace(whole_file, unit="bytes", first=first_byte, count=size, size=size)


def _cut_between_groups(whole_file: Shard, group_sizes: list[int], target_bytes: int) -> Iterator[Shard]:
    """Yield shards of consecutive row groups that each reach `target_bytes`, except for the last.

    A file without groups gives one shard of no groups, which has the columns of the file.

    Args:
        whole_file: The shard of the whole file.
        group_sizes: The size of each row group, or of each Arrow batch, in bytes.
        target_bytes: The minimum size of a shard in bytes.
    """
    total_groups = len(group_sizes)
    first_group = 0
    shard_size = 0
    for end_group, group_size in enumerate(group_sizes, start=1):
        shard_size += group_size
        is_last_group = end_group == total_groups
        if shard_size >= target_bytes and not is_last_group:
            group_count = end_group - first_group
            yield replace(whole_file, unit="groups", first=first_group, count=group_count, size=shard_size)
            first_group = end_group
            shard_size = 0
    remaining_groups = total_groups - first_group
    yield replace(whole_file, unit="groups", first=first_group, count=remaining_groups, size=shard_size)


__all__ = ["BATCH_ROWS", "Batches", "Shard", "ShardReader", "merge_small_shards", "open_shard", "plan_shards"]

BATCH_ROWS: Final = 65536
"""Upper bound on the rows of a batch: a few megabytes of texts, enough to share between cores."""

DELIMITERS: Final = {Format.CSV: ",", Format.TSV: "\t"}


class RowSource(Protocol):
    """The rows of a file or of a part of it; each format has a class of its own."""

    schema: pa.Schema
    """The columns to read. It may be replaced by some of them before the first batch."""

    @property
    def bytes_read(self) -> int:
        """Approximate number of bytes that have been read."""

    def iter_batches(self, max_rows: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
        """Yield the rows after the first `skip`, at most `max_rows` in each batch."""

    def close(self) -> None:
        """Close the file."""


class Batches:
    """The rows of a shard of one file, to be iterated once; as a context manager it closes the file."""

    def __init__(
        self, shard: Shard, rows: RowSource, columns: Sequence[str] | None, max_rows: int, skip: int
    ) -> None:
        """Prepare reading the rows of a shard. Raise `BulkError` if its file lacks one of `columns`.

        Args:
            shard: The shard.
            rows: The opened file of the shard.
            columns: The names of the columns to read; None for all.
            max_rows: The maximum number of rows of a batch.
            skip: The number of rows to skip at the beginning.
        """
        self.shard = shard
        self.schema = select_fields(rows.schema, None, shard.path)
        self.inferred_schema = (
            rows.inferred_schema if isinstance(rows, DelimitedRows | JsonRows) else self.schema
        )
        """All columns of the file. In CSV and JSON lines a column without a value has the type null."""
        self._rows = rows
        self._max_rows = max_rows
        self._skip = skip
        if columns is not None:
            self.select_columns(columns)

    def select_columns(self, columns: Sequence[str]) -> None:
        """Read only these columns; this must be called before the first batch is read.

        Raise `BulkError` if the file does not have one of the columns.
        """
        self.schema = self._rows.schema = select_fields(self.schema, columns, self.shard.path)

    @property
    def bytes_read(self) -> int:
        """Approximate number of bytes of the shard that have been read."""
        bytes_read = self._rows.bytes_read
        return bytes_read if self.total_bytes is None else min(bytes_read, self.total_bytes)

    @property
    def total_bytes(self) -> int | None:
        """Number of bytes of the shard, None if it is not known."""
        return self.shard.size

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        """Yield the batches, except those without rows, with the selected columns."""
        with explaining_errors(self.shard.path):
            for batch in self._rows.iter_batches(self._max_rows, self._skip):
                if not batch.num_rows:
                    continue
                selected_names = self.schema.names
                has_only_selected = batch.schema.names == selected_names
                yield batch if has_only_selected else batch.select(selected_names)

    def close(self) -> None:
        """Close the file."""
        self._rows.close()

    def __enter__(self) -> Self:
        """Return the batches themselves."""
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the file."""
        self.close()


class ShardReader:
    """A reader of all files of a shard, one after the other. It can be iterated only once."""

    def __init__(
        self, shard: Shard, opened: ReplayedBatches | None = None, **open_options: Unpack[OpenOptions]
    ) -> None:
        """Prepare reading.

        Args:
            shard: The shard.
            opened: The batches of the shard if it is open already, as a pipe is, which can be read only once.
            open_options: The options with which `open_shard` opens each file.
        """
        self.shard = shard
        self._opened = opened
        self._open_options = open_options
        self._current: Batches | ReplayedBatches | None = None
        """The batches of the file that is being read."""
        self._bytes_before = 0
        """Number of bytes of the files before that file."""
        self._rows_before_files: list[int] = []
        """Number of rows of the shard before each file that has been opened."""
        self._rows_read = 0

    def __iter__(self) -> Iterator[Batches | ReplayedBatches]:
        """Yield the batches of each file, or of several small files that are read as one."""
        remaining_files = self.shard.files
        while remaining_files:
            merged = None if self._opened is not None else self._merge_next_files(remaining_files)
            if merged is None:
                file_count = 1
                yield from self._read_file(remaining_files[0])
            else:
                file_count = len(merged.row_counts)
                yield from self._read_merged(remaining_files[:file_count], merged)
            remaining_files = remaining_files[file_count:]

    def _read_file(self, file: Shard) -> Iterator[Batches | ReplayedBatches]:
        """Yield the batches of one file, which is closed afterwards."""
        self._rows_before_files.append(self._rows_read)
        if self._opened is not None:
            self._current = self._opened
            yield self._opened
            return
        with open_shard(file, **self._open_options) as batches:
            self._current = batches
            yield batches
            # The number of bytes read is known only until the file is closed.
            self._bytes_before = self.bytes_read
            self._current = None

    def _merge_next_files(self, files: Sequence[Shard]) -> MergedFiles | None:
        """Return the rows of the first `files`, as many as can be read as if they were one CSV file.

        Return None if the first file must be read by itself.
        """
        first_file = files[0]
        column_types = self._open_options.get("column_types")
        is_whole_csv = first_file.format in DELIMITERS and first_file.unit == "file"
        has_other_files = len(files) > 1
        if column_types is None or not is_whole_csv or not has_other_files:
            return None

        def has_same_layout(file: Shard) -> bool:
            """Return whether a file is not compressed, and has the format and dialect of the first file."""
            has_same_format = file.format == first_file.format and file.cells == first_file.cells
            return has_same_format and file.compression is None

        paths = [file.path for file in takewhile(has_same_layout, files)]
        return merge_files(paths, DELIMITERS[first_file.format], first_file.cells, column_types)

    def _read_merged(
        self, files: Sequence[Shard], merged: MergedFiles
    ) -> Iterator[ReplayedBatches | Batches]:
        """Yield the batches of `files`, whose rows are in `merged` as if they were one file.

        If one of the files has a fault, they are read one by one, so that the error names the file.
        """
        total_size = sum(file.size or 0 for file in files)
        merged_shard = replace(files[0], size=total_size)
        batches = self._load_merged_batches(merged_shard, merged)
        if batches is None:
            for file in files:
                yield from self._read_file(file)
            return
        self._rows_before_files += accumulate(merged.row_counts[:-1], initial=self._rows_read)
        self._current = batches
        yield batches
        self._bytes_before += total_size
        self._current = None

    def _load_merged_batches(self, shard: Shard, merged: MergedFiles) -> ReplayedBatches | None:
        """Read all batches of merged files into memory. Return None if one of the files has a fault.

        `shard` has the path of the first file and the size of all files together.
        """
        max_rows = self._open_options.get("batch_rows", BATCH_ROWS)
        columns = self._open_options.get("columns")
        try:
            batches = Batches(shard, merged.rows, columns, max_rows, skip=0)
            loaded_batches = list(batches)
        except BulkError:
            return None
        loaded_rows = sum(batch.num_rows for batch in loaded_batches)
        expected_rows = sum(merged.row_counts)
        if loaded_rows != expected_rows:
            return None
        return ReplayedBatches(batches, loaded_batches, remaining=iter(()))

    @property
    def bytes_read(self) -> int:
        """Approximate number of bytes of the shard that have been read."""
        bytes_of_current_file = 0 if self._current is None else self._current.bytes_read
        return self._bytes_before + bytes_of_current_file

    def parse_with(self, parse_pool: ParsePool) -> None:
        """Parse the blocks of files that are opened from now on with the threads of a pool."""
        self._open_options["parse_pool"] = parse_pool

    def add_rows(self, count: int) -> None:
        """Add `count` to the number of rows that have been read.

        This must be called for each batch, so that `locate_row` knows where the next file begins.
        """
        self._rows_read += count

    def locate_row(self, row: int) -> tuple[int, int]:
        """Return the index of the file that contains a row, and the index of the row in that file.

        `row` is the index of the row in the shard. The file must have been opened.
        """
        file_index = bisect_right(self._rows_before_files, row) - 1
        return file_index, row - self._rows_before_files[file_index]


class ReplayedBatches:
    """Batches of a file, the first of which have been read in advance, for example to detect the game.

    They can be iterated only once. This closes the file.
    """

    def __init__(
        self, batches: Batches, first: list[pa.RecordBatch], remaining: Iterator[pa.RecordBatch]
    ) -> None:
        """Take over batches that are being iterated.

        Args:
            batches: The batches.
            first: The batches that have already been read.
            remaining: The iterator over `batches`, which yields those after `first`.
        """
        self.shard = batches.shard
        self.schema = batches.schema
        self._batches = batches
        self._first = first
        self._remaining = remaining

    @property
    def bytes_read(self) -> int:
        """Approximate number of bytes that have been read."""
        return self._batches.bytes_read

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        """Yield all batches, beginning with those that were read in advance, and close the file."""
        with self._batches:
            yield from self._first
            yield from self._remaining


class OpenOptions(TypedDict, total=False):
    """The keyword arguments of `open_shard`, which also describes them."""

    game: str | None
    columns: Sequence[str] | None
    skip: int
    batch_rows: int
    column_types: pa.Schema | None
    parse_pool: ParsePool | None


def open_shard(
    shard: Shard,
    *,
    game: str | None = None,
    columns: Sequence[str] | None = None,
    skip: int = 0,
    batch_rows: int = BATCH_ROWS,
    column_types: pa.Schema | None = None,
    parse_pool: ParsePool | None = None,
) -> Batches:
    """Open a shard of one file and return its rows.

    Args:
        shard: The shard.
        game: The name of the game of PGN records; None detects it from the tags and moves of each record.
        columns: The names of the columns to read; None for all. The file may have other columns.
        skip: The number of rows to skip at the beginning.
        batch_rows: The maximum number of rows of a batch.
        column_types: The types of the columns of all files together, for CSV and JSON lines. None infers them
            from the first rows of the file.
        parse_pool: The threads that parse blocks of JSON lines, EPD and text; None to parse them in the
            thread that iterates the rows.

    Raises:
        BulkError: If the file cannot be read or has invalid data. Iterating the rows raises it as well.
        ValueError: If the shard has several files.
    """
    if shard.more:
        raise ValueError("cannot open a shard of several files at once; read it with ShardReader")
    with explaining_errors(shard.path):
        rows = _open_rows(shard, game, column_types, parse_pool)
        try:
            return Batches(shard, rows, columns, batch_rows, skip)
        except BaseException:
            rows.close()
            raise


def _open_rows(
    shard: Shard, game: str | None, column_types: pa.Schema | None, parse_pool: ParsePool | None
) -> RowSource:
    """Open a shard of any format and return its rows.

    Args:
        shard: The shard, of one file.
        game: The name of the game of PGN records; None detects it from the tags and moves of each record.
        column_types: The types of the columns, for CSV and JSON lines; None infers them.
        parse_pool: The threads that parse blocks; None for the calling thread.

    Raises:
        BulkError: If the format is only for targets, or the file is compressed Parquet.
    """
    if shard.format is Format.NPY:
        raise BulkError(
            f"{display_name(shard.path)} is a NumPy array, which has no texts; name the file it was made of"
        )
    first_group = shard.first if shard.unit == "groups" else 0
    if shard.format is Format.PARQUET:
        if shard.compression is not None:
            raise BulkError(
                f"{display_name(shard.path)} is Parquet inside .{shard.compression}; decompress it first"
            )
        return ParquetRows(shard.path, first_group, shard.count)
    if shard.format in (Format.ARROW, Format.ARROWS):
        return ArrowRows(shard.path, shard.compression, first_group, shard.count)
    return _open_text_rows(shard, game, column_types, parse_pool)


def _open_text_rows(
    shard: Shard, game: str | None, column_types: pa.Schema | None, parse_pool: ParsePool | None
) -> RowSource:
    """Open a shard of a text format, such as CSV or PGN, and return its rows.

    Args:
        shard: The shard, of one file.
        game: The name of the game of PGN records; None detects it from the tags and moves of each record.
        column_types: The types of the columns, for CSV and JSON lines; None infers them.
        parse_pool: The threads that parse blocks; None for the calling thread.
    """
    is_part_of_json = shard.format is Format.JSONL and shard.unit == "bytes"
    # This must come before the stream is opened: two open files at one URL may share their read position.
    json_columns = infer_file_columns(shard.path, shard.compression) if is_part_of_json else None
    # A range of a file is read from the byte before it, which shows whether a line begins there.
    stream = Stream(shard.path, shard.compression, start=max(shard.first - 1, 0))
    try:
        if shard.format in DELIMITERS:
            return DelimitedRows(stream, DELIMITERS[shard.format], shard.cells, column_types)
        if shard.unit == "records":
            record_blocks = RecordBlocks(stream, shard.first, shard.count, shard.block_bytes, shard.encoding)
            return StreamRows(stream, BLOCK_SCHEMA, record_blocks)
        if shard.format is Format.PGN:
            return StreamRows(stream, PGN_SCHEMA, read_pgn_rows(stream, game))
        line_blocks = LineBlocks(stream, shard.first, shard.count)
        if shard.format is Format.JSONL:
            return JsonRows(stream, line_blocks, json_columns, column_types, parse_pool)
        if shard.format is Format.EPD:
            return StreamRows(stream, EPD_SCHEMA, parse_blocks(parse_epd_rows, line_blocks, parse_pool))
        return StreamRows(stream, TEXT_SCHEMA, parse_blocks(parse_text_rows, line_blocks, parse_pool))
    except BaseException:
        stream.close()
        raise
