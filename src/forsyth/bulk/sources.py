"""Reading a shard, whatever it is, as a stream of record batches in constant memory.

`open_shard` gives `Batches`: their schema at once, their rows as they are asked for. Everything that is wrong
with a file or its data is a `BulkError` with the place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Final, Protocol, Self

import pyarrow as pa

from forsyth.bulk.columnar import ArrowRows, ParquetRows, chosen
from forsyth.bulk.delimited import DelimitedRows
from forsyth.bulk.errors import BulkError, shown, told
from forsyth.bulk.jsonl import JsonRows, columns_of_file
from forsyth.bulk.lines import LineBlocks
from forsyth.bulk.pgn import PgnRows
from forsyth.bulk.places import Format
from forsyth.bulk.shards import Shard, plan_shards
from forsyth.bulk.streams import Stream
from forsyth.bulk.textfiles import EPD_SCHEMA, TEXT_SCHEMA, LineRows, epd_rows, text_rows

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
        """The rows behind the first `skip`, at most `rows` at once."""

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
        """Give only these columns, before the first batch; what the file holds beside them may be anything.

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
        with told(self.shard.path):
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


def open_shard(
    shard: Shard,
    *,
    game: str | None = None,
    columns: Sequence[str] | None = None,
    skip: int = 0,
    batch_rows: int = BATCH_ROWS,
) -> Batches:
    """The rows of a shard behind the first `skip`, at most `batch_rows` at once, of `columns` or all.

    Where columns are named, the file may hold anything beside them; without, a column is never left out.
    `game` is for records that do not tell it. Raises `BulkError`, here or later, for what is wrong with the
    file.
    """
    with told(shard.path):
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
    of_file = columns_of_file(shard) if shard.format is Format.JSONL and shard.unit == "bytes" else None
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
