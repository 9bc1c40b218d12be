"""Shards: parts of the input that can be read independently, on any machine, as streams of record batches.

A file is cut where that is possible without reading it: Parquet and Arrow IPC files between their groups of
rows, files of plain lines anywhere (a line belongs to the range in which it begins). CSV (a line break may
stand in quotes), PGN, Arrow streams, compressed files and pipes are one shard each. Small files that follow
one another are one shard together: threads, parts and checkpoints are made once for all of them. Shards in
order give the rows in order, each row once, wherever the cuts are.

`open_shard` gives `Batches`: their schema at once, their rows as they are asked for, in constant memory.
`ShardFiles` goes through all files of a shard and knows which row is in which of them.
Everything that is wrong with a file or its data is a `BulkError` with the place.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import accumulate, takewhile
from types import TracebackType
from typing import Any, Final, Literal, Protocol, Self, TypedDict, Unpack

import pyarrow as pa

from forsyth.bulk.errors import STANDARD, BulkError, explaining_errors, shown
from forsyth.bulk.sources.columnar import ArrowRows, ParquetRows, chosen, group_sizes
from forsyth.bulk.sources.delimited import DelimitedRows, Together, rows_together
from forsyth.bulk.sources.files import (
    PLAIN_CELLS,
    SMALL_BYTES,
    Cells,
    Compression,
    Format,
    SourceFile,
    Stream,
)
from forsyth.bulk.sources.jsonl import JsonRows, columns_of_file
from forsyth.bulk.sources.lines import EPD_SCHEMA, TEXT_SCHEMA, LineBlocks, StreamRows, epd_rows, text_rows
from forsyth.bulk.sources.pgn import BLOCK_SCHEMA, PGN_SCHEMA, RecordBlocks, pgn_rows

TARGET_BYTES: Final = 64 << 20
"""About how much of a file is one shard: a second's work or more, so that handing it over costs nothing."""
MOST_FILES: Final = 512
"""Most small files of one shard: some tenths of a second, so that a cluster has something to share."""

Unit = Literal["file", "bytes", "groups", "records"]
"""Of `records` a shard is a range of bytes, or all of a file, as blocks of text with whole records."""

_LINES: Final = frozenset((Format.TEXT, Format.EPD, Format.JSONL))
_GROUPED: Final = frozenset((Format.PARQUET, Format.ARROW, Format.ARROWS))


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of one file: `count` units from `first` on, or with unit ``file`` all of it and of `more`."""

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
    cells: Cells = PLAIN_CELLS
    games_before: int = 0
    """Of records: how many lie in the shards before it."""
    lines_before: int = 0
    """Of records: how many lines of the file lie before the first record of the range."""
    block_bytes: int | None = None
    """Of records: about how much text is one block; None for the usual size."""
    more: tuple[Shard, ...] = ()
    """Small files that are read after this one, each whole."""

    @property
    def files(self) -> tuple[Shard, ...]:
        """Each of the files, or the part of a file, that the shard is made of."""
        if not self.more:
            return (self,)
        own = None if self.size is None else self.size - sum(one.size or 0 for one in self.more)
        return (replace(self, size=own, more=()), *self.more)

    def to_dict(self) -> dict[str, Any]:
        """The shard as JSON-ready data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Shard:
        """The shard of what `to_dict` gave."""
        packed = data["compression"]
        return cls(
            **{
                **data,
                "format": Format(data["format"]),
                "compression": None if packed is None else Compression(packed),
                "cells": Cells(**data["cells"]),
                "more": tuple(cls.from_dict(one) for one in data["more"]),
            }
        )


def plan_shards(files: Sequence[SourceFile], *, target_bytes: int = TARGET_BYTES) -> list[Shard]:
    """The shards of all files, in the order of their rows, each of about `target_bytes` or of one file."""
    shards = (shard for file in files for shard in _cut(file, max(target_bytes, 1)))
    return [replace(shard, number=number) for number, shard in enumerate(shards)]


def joined_shards(shards: Sequence[Shard], *, target_bytes: int = TARGET_BYTES) -> list[Shard]:
    """The shards with small files that follow one another as one, up to `target_bytes`: for `ShardFiles`."""
    runs: list[list[Shard]] = [[]]
    size = 0
    for shard in shards:
        # A large file, or a part of one, has no room beside others.
        of_shard = (shard.size or 0) if _is_small(shard) else target_bytes + 1
        if runs[-1] and (size + of_shard > target_bytes or len(runs[-1]) >= MOST_FILES):
            runs.append([])
            size = 0
        runs[-1].append(shard)
        size += of_shard
    return [_as_one(run, number) for number, run in enumerate(runs)]


def _is_small(shard: Shard) -> bool:
    return (
        shard.unit in ("file", "records")
        and shard.count is None
        and shard.size is not None
        and shard.size < SMALL_BYTES
    )


def _as_one(shards: list[Shard], number: int) -> Shard:
    if len(shards) == 1:
        return replace(shards[0], number=number)
    return replace(
        shards[0], number=number, size=sum(one.size or 0 for one in shards), more=tuple(shards[1:])
    )


def _cut(file: SourceFile, target: int) -> Iterator[Shard]:
    whole = Shard(file.path, file.format, file.compression, size=file.size, cells=file.cells)
    if file.compression is not None or file.size is None or file.path == STANDARD:
        yield whole
    elif file.size < min(SMALL_BYTES, target):
        # Not worth looking into.
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


__all__ = ["BATCH_ROWS", "Batches", "Shard", "ShardFiles", "joined_shards", "open_shard", "plan_shards"]

BATCH_ROWS: Final = 65536
"""Most rows of a batch: a few megabytes of texts, enough to share between cores."""

DELIMITERS: Final = {Format.CSV: ",", Format.TSV: "\t"}


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
        self.told = rows.told if isinstance(rows, DelimitedRows | JsonRows) else self.schema
        """The columns as the file has them: of no type where its format has none, and no row a value."""
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


class ShardFiles:
    """The files of a shard, each opened when its turn comes and closed after it; to be gone through once."""

    def __init__(self, shard: Shard, opened: PeekedBatches | None = None, **how: Unpack[HowToOpen]) -> None:
        self.shard = shard
        self._opened = opened
        self._how = how
        self._current: Batches | PeekedBatches | None = None
        self._before = 0
        self._begins: list[int] = []
        """The number of the first row of each file that was opened, in all of them."""
        self._rows = 0

    def __iter__(self) -> Iterator[Batches | PeekedBatches]:
        files = self.shard.files
        done = 0
        while done < len(files):
            one = files[done]
            together = None if self._opened is not None else self._together(files[done:])
            if together is not None:
                yield from self._all_of(files[done : done + len(together.counts)], together)
                done += len(together.counts)
                continue
            done += 1
            yield from self._one(one)

    def _one(self, one: Shard) -> Iterator[Batches | PeekedBatches]:
        self._begins.append(self._rows)
        if self._opened is not None:
            self._current = self._opened
            yield self._opened
            return
        with open_shard(one, **self._how) as batches:
            self._current = batches
            yield batches
            # Before it is closed: what was read is known as long as it is open.
            self._before, self._current = self.position, None

    def _together(self, files: Sequence[Shard]) -> Together | None:
        """The first of these files as one, where they are small ones of CSV."""
        first, kinds = files[0], self._how.get("kinds")
        alike = takewhile(
            lambda one: (one.format, one.compression, one.cells) == (first.format, None, first.cells), files
        )
        if kinds is None or len(files) < 2 or first.format not in DELIMITERS or first.unit != "file":
            return None
        return rows_together([one.path for one in alike], DELIMITERS[first.format], first.cells, kinds)

    def _all_of(self, files: Sequence[Shard], together: Together) -> Iterator[PeekedBatches | Batches]:
        """Some files as one, or one by one where something is wrong with one of them."""
        most, columns = self._how.get("batch_rows", BATCH_ROWS), self._how.get("columns")
        size = sum(one.size or 0 for one in files)
        try:
            batches = Batches(replace(files[0], size=size), together.rows, columns, most, 0)
            rows = list(batches)
            if sum(batch.num_rows for batch in rows) != sum(together.counts):
                raise BulkError("not every line is a row")
        except BulkError:
            for one in files:
                yield from self._one(one)
            return
        self._begins += accumulate(together.counts[:-1], initial=self._rows)
        self._current = PeekedBatches(batches, rows, iter(()))
        yield self._current
        self._before, self._current = self._before + size, None

    @property
    def position(self) -> int:
        """About how many bytes have been read."""
        current = self._current
        return self._before + (0 if current is None else current.position)

    def count(self, rows: int) -> None:
        """So many more rows of the file that is open were taken."""
        self._rows += rows

    def place_of(self, row: int) -> tuple[int, int]:
        """In which file of the shard a row is that was counted, and its number in that file."""
        file = bisect_right(self._begins, row) - 1
        return file, row - self._begins[file]


class PeekedBatches:
    """Batches of which the first have been looked at already; all are given out once, then it is closed."""

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
        with self._batches:
            yield from self._first
            yield from self._rest


class HowToOpen(TypedDict, total=False):
    """The options of `open_shard`."""

    game: str | None
    columns: Sequence[str] | None
    skip: int
    batch_rows: int
    kinds: pa.Schema | None


def open_shard(
    shard: Shard,
    *,
    game: str | None = None,
    columns: Sequence[str] | None = None,
    skip: int = 0,
    batch_rows: int = BATCH_ROWS,
    kinds: pa.Schema | None = None,
) -> Batches:
    """The rows of a shard of one file after the first `skip`, of `columns` or all.

    Batches have at most `batch_rows`. Where columns are named, the file may hold any others; otherwise no
    column is left out.
    `game` is for records that do not name it. `kinds` are the types of columns in formats that have none, CSV
    and JSON lines, as all files together have them; without them the first rows of the file decide. Raises
    `BulkError`, here or later, for what is wrong with the file.
    """
    if shard.more:
        raise ValueError("a shard of several files, which ShardFiles opens one after the other")
    with explaining_errors(shard.path):
        rows = _open(shard, game, kinds)
        try:
            return Batches(shard, rows, columns, batch_rows, skip)
        except BaseException:
            rows.close()
            raise


def _open(shard: Shard, game: str | None, kinds: pa.Schema | None) -> Rows:
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
    return _open_text(shard, game, kinds)


def _open_text(shard: Shard, game: str | None, kinds: pa.Schema | None) -> Rows:
    # Before the stream: two open files at one URL may share their place.
    of_file = (
        columns_of_file(shard.path, shard.compression)
        if shard.format is Format.JSONL and shard.unit == "bytes"
        else None
    )
    stream = Stream(shard.path, shard.compression, max(shard.first - 1, 0))
    try:
        if shard.format in DELIMITERS:
            return DelimitedRows(stream, DELIMITERS[shard.format], shard.cells, kinds)
        if shard.unit == "records":
            return StreamRows(
                stream, BLOCK_SCHEMA, RecordBlocks(stream, shard.first, shard.count, shard.block_bytes)
            )
        if shard.format is Format.PGN:
            return StreamRows(stream, PGN_SCHEMA, pgn_rows(stream, game))
        blocks = LineBlocks(stream, shard.first, shard.count)
        if shard.format is Format.JSONL:
            return JsonRows(stream, blocks, of_file, kinds)
        if shard.format is Format.EPD:
            return StreamRows(stream, EPD_SCHEMA, map(epd_rows, blocks))
        return StreamRows(stream, TEXT_SCHEMA, map(text_rows, blocks))
    except BaseException:
        stream.close()
        raise
