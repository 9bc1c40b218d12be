"""Shards: parts of the input that can be read independently, on any machine, as streams of record batches.

A file is cut where that is possible without reading it: Parquet and Arrow IPC files between their groups of
rows, files of plain lines anywhere (a line belongs to the range in which it begins). CSV (a line break may
stand in quotes), PGN, Arrow streams, compressed files and pipes are one shard each. Shards in order give the
rows in order, each row once, wherever the cuts are.

`open_shard` gives `Batches`: their schema at once, their rows as they are asked for, in constant memory.
Everything that is wrong with a file or its data is a `BulkError` with the place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from types import TracebackType
from typing import Any, Final, Literal, Protocol, Self

import pyarrow as pa

from forsyth.bulk.errors import STANDARD, BulkError, explaining_errors, shown
from forsyth.bulk.sources.columnar import ArrowRows, ParquetRows, chosen, group_sizes
from forsyth.bulk.sources.delimited import DelimitedRows
from forsyth.bulk.sources.files import Compression, Format, SourceFile, Stream
from forsyth.bulk.sources.jsonl import JsonRows, columns_of_file
from forsyth.bulk.sources.lines import EPD_SCHEMA, TEXT_SCHEMA, LineBlocks, LineRows, epd_rows, text_rows
from forsyth.bulk.sources.pgn import PgnRows

TARGET_BYTES: Final = 64 << 20
"""About how much of a file is one shard: a second's work or more, so that handing it over costs nothing."""

Unit = Literal["file", "bytes", "groups"]

_LINES: Final = frozenset((Format.TEXT, Format.EPD, Format.JSONL))
_GROUPED: Final = frozenset((Format.PARQUET, Format.ARROW, Format.ARROWS))


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of one file: `count` units from `first` on, or with unit ``file`` all of it."""

    path: str
    format: Format
    compression: Compression | None = None
    unit: Unit = "file"
    first: int = 0
    count: int | None = None
    number: int = 0
    """Its place among the shards of a job."""
    size: int | None = None
    """Bytes to be read, as far as they are known: the total of a progress bar."""

    def to_dict(self) -> dict[str, Any]:
        """The shard as JSON-ready data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Shard:
        """The shard of what `to_dict` gave."""
        shard = cls(**data)
        packed = shard.compression
        return replace(
            shard, format=Format(shard.format), compression=None if packed is None else Compression(packed)
        )


def plan_shards(files: Sequence[SourceFile], *, target_bytes: int = TARGET_BYTES) -> list[Shard]:
    """The shards of all files, in the order of their rows, each of about `target_bytes`."""
    shards = (shard for file in files for shard in _cut(file, max(target_bytes, 1)))
    return [replace(shard, number=number) for number, shard in enumerate(shards)]


def _cut(file: SourceFile, target: int) -> Iterator[Shard]:
    whole = Shard(file.path, file.format, file.compression, size=file.size)
    if file.compression is not None or file.size is None or file.path == STANDARD:
        yield whole
    elif file.format in _LINES:
        for first in range(0, max(file.size, 1), target):
            count = min(target, file.size - first)
            yield replace(whole, unit="bytes", first=first, count=count, size=count)
    elif file.format in _GROUPED and (sizes := group_sizes(file.path, file.format)) is not None:
        yield from _runs(whole, sizes, target)
    else:
        yield whole


def _runs(whole: Shard, sizes: list[int], target: int) -> Iterator[Shard]:
    """Runs of groups that each reach the target; a file without groups is a run of none, for its columns."""
    first, size = 0, 0
    for number, of_group in enumerate(sizes, start=1):
        size += of_group
        if size >= target and number < len(sizes):
            yield replace(whole, unit="groups", first=first, count=number - first, size=size)
            first, size = number, 0
    yield replace(whole, unit="groups", first=first, count=len(sizes) - first, size=size)


__all__ = ["BATCH_ROWS", "Batches", "Shard", "open_shard", "plan_shards"]

BATCH_ROWS: Final = 65536
"""Most rows of a batch: a few megabytes of texts, enough to share between cores."""

_DELIMITERS: Final = {Format.CSV: ",", Format.TSV: "\t"}


class Rows(Protocol):
    """What each format gives."""

    schema: pa.Schema
    """The columns that are given; before the first batch it may be set to some of them."""

    @property
    def position(self) -> int:
        """About how many bytes have been read."""

    def batches(self, rows: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
        """The rows after the first `skip`, at most `rows` at once."""

    def close(self) -> None:
        """Gives the file back."""


class Batches:
    """The rows of a shard, to be gone through once; closes its file as a context manager."""

    def __init__(self, shard: Shard, rows: Rows, columns: Sequence[str] | None, most: int, skip: int) -> None:
        self.shard = shard
        self.schema = chosen(rows.schema, None, shard.path)
        self._rows = rows
        self._most = most
        self._skip = skip
        if columns is not None:
            self.narrow(columns)

    def narrow(self, columns: Sequence[str]) -> None:
        """Give only these columns, before the first batch; the file may hold any other columns.

        Raises `BulkError` for a column that is not there.
        """
        self.schema = self._rows.schema = chosen(self.schema, columns, self.shard.path)

    @property
    def position(self) -> int:
        """About how many bytes of the shard have been read."""
        read, total = self._rows.position, self.total
        return read if total is None else min(read, total)

    @property
    def total(self) -> int | None:
        """How many bytes there are to read, where that is known."""
        return self.shard.size

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        with explaining_errors(self.shard.path):
            for batch in self._rows.batches(self._most, self._skip):
                if batch.num_rows:
                    yield (
                        batch if batch.schema.names == self.schema.names else batch.select(self.schema.names)
                    )

    def close(self) -> None:
        """Gives the file back."""
        self._rows.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class PeekedBatches:
    """Batches of which the first have been looked at already; all are given out, once."""

    def __init__(self, batches: Batches, first: list[pa.RecordBatch], rest: Iterator[pa.RecordBatch]) -> None:
        self.shard = batches.shard
        self.schema = batches.schema
        self._batches = batches
        self._first = first
        self._rest = rest

    @property
    def position(self) -> int:
        """About how many bytes have been read."""
        return self._batches.position

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        yield from self._first
        yield from self._rest


def open_shard(
    shard: Shard,
    *,
    game: str | None = None,
    columns: Sequence[str] | None = None,
    skip: int = 0,
    batch_rows: int = BATCH_ROWS,
) -> Batches:
    """The rows of a shard after the first `skip`, at most `batch_rows` at once, of `columns` or all.

    Where columns are named, the file may hold any others; otherwise no column is left out.
    `game` is for records that do not name it. Raises `BulkError`, here or later, for what is wrong with the
    file.
    """
    with explaining_errors(shard.path):
        rows = _open(shard, game)
        try:
            return Batches(shard, rows, columns, batch_rows, skip)
        except BaseException:
            rows.close()
            raise


def _open(shard: Shard, game: str | None) -> Rows:
    if shard.format is Format.NPY:
        raise BulkError(
            f"{shown(shard.path)} is a NumPy array, which holds no texts; name the file it was made of"
        )
    first = shard.first if shard.unit == "groups" else 0
    if shard.format is Format.PARQUET:
        if shard.compression is not None:
            raise BulkError(
                f"{shown(shard.path)} is Parquet inside .{shard.compression}; decompress it first"
            )
        return ParquetRows(shard.path, first, shard.count)
    if shard.format in (Format.ARROW, Format.ARROWS):
        return ArrowRows(shard.path, shard.compression, first, shard.count)
    return _open_text(shard, game)


def _open_text(shard: Shard, game: str | None) -> Rows:
    # Before the stream: two open files at one URL may share their place.
    of_file = (
        columns_of_file(shard.path, shard.compression)
        if shard.format is Format.JSONL and shard.unit == "bytes"
        else None
    )
    stream = Stream(shard.path, shard.compression, max(shard.first - 1, 0))
    try:
        if shard.format in _DELIMITERS:
            return DelimitedRows(stream, _DELIMITERS[shard.format])
        if shard.format is Format.PGN:
            return PgnRows(stream, game)
        blocks = LineBlocks(stream, shard.first, shard.count)
        if shard.format is Format.JSONL:
            return JsonRows(stream, blocks, of_file)
        if shard.format is Format.EPD:
            return LineRows(stream, blocks, EPD_SCHEMA, epd_rows)
        return LineRows(stream, blocks, TEXT_SCHEMA, text_rows)
    except BaseException:
        stream.close()
        raise
