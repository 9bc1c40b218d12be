"""The games and positions of files as streams of record batches, without a file in between.

`games` and `positions` read paths, patterns, URLs and standard input as `run_records` does, or the bytes of a
file that is in memory. Several blocks are read at the same time, the batches come in the order of the files,
and a few of them are held at most. What is wrong with a file is a `BulkError` when its turn comes.
"""

from __future__ import annotations

import io
import os
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pyarrow as pa

from forsyth.bulk.engines.plan import cores
from forsyth.bulk.engines.record_work import blocks_under_way, shifted, work_on_blocks
from forsyth.bulk.engines.tally import Tally
from forsyth.bulk.errors import BulkError, must_be_count, shown
from forsyth.bulk.records.from_readings import Place
from forsyth.bulk.records.table import RecordTable, TableKind, block_bytes
from forsyth.bulk.sources.files import Compression
from forsyth.bulk.sources.record_blocks import RecordBlocks
from forsyth.bulk.sources.record_files import game_of_records, has_records, plan_records, record_files
from forsyth.bulk.sources.shards import BATCH_ROWS, open_shard

AnyPath = str | os.PathLike[str]
RecordSource = AnyPath | Sequence[AnyPath] | bytes | bytearray | memoryview
"""Files, or the bytes of one."""

Block = tuple[pa.RecordBatch, str]
"""A batch of blocks and the file it is from."""


def games(source: RecordSource, **asked: Any) -> pa.RecordBatchReader:
    """A row for each game; asked are `game`, `variant`, `format_in`, `threads` and what `RecordTable` has."""
    return _reader("games", source, **asked)


def positions(source: RecordSource, **asked: Any) -> pa.RecordBatchReader:
    """A row for each position of the main lines; asked as in `games`."""
    return _reader("positions", source, **asked)


def _reader(kind: TableKind, source: RecordSource, **asked: Any) -> pa.RecordBatchReader:
    stream = RecordStream(kind, source, **asked)
    return pa.RecordBatchReader.from_batches(stream.table.schema(), iter(stream))


class RecordStream:
    """The rows of some records, to be gone through once; `tally` counts what has been read."""

    def __init__(
        self,
        kind: TableKind,
        source: RecordSource,
        *,
        game: str | None = None,
        variant: str | None = None,
        format_in: str | None = None,
        threads: int | None = None,
        **asked: Any,
    ) -> None:
        if threads is not None:
            must_be_count("threads", threads)
        self._threads = threads or cores()
        self._blocks = _blocks(source, format_in, block_bytes(asked.get("forms")))
        first = next((block for block in self._blocks if has_records(block[0])), None)
        if game is None:
            game = game_of_records([] if first is None else [first[0]], "" if first is None else first[1])
        self._first = () if first is None else (first,)
        try:
            self.table = RecordTable(kind, game, variant, **asked)
        except TypeError as error:
            raise BulkError(f"{kind}: {error}") from error
        self.tally = Tally()

    def close(self) -> None:
        """Gives the files back, for who does not go through the rows."""
        self._blocks.close()

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        blocks = _chained(self._first, self._blocks)
        try:
            yield from self._alone(blocks) if self._threads == 1 else self._shared(blocks)
        finally:
            self._blocks.close()

    def _alone(self, blocks: Iterator[Block]) -> Iterator[pa.RecordBatch]:
        for batch, file in blocks:
            yield from self._taken(work_on_blocks(self.table, batch, [Place(file, 0)]))

    def _shared(self, blocks: Iterator[Block]) -> Iterator[pa.RecordBatch]:
        waiting: deque[Future[tuple[pa.RecordBatch, Tally]]] = deque()
        most = blocks_under_way(self._threads)
        with ThreadPoolExecutor(self._threads, "forsyth-records") as pool:
            try:
                for batch, file in blocks:
                    waiting.append(pool.submit(work_on_blocks, self.table, batch, [Place(file, 0)]))
                    if len(waiting) > most:
                        yield from self._taken(waiting.popleft().result())
                while waiting:
                    yield from self._taken(waiting.popleft().result())
            finally:
                for step in waiting:
                    step.cancel()

    def _taken(self, made: tuple[pa.RecordBatch, Tally]) -> Iterator[pa.RecordBatch]:
        """Number the rows of the next block in order."""
        rows, tally = made
        rows = shifted(rows, self.tally.games)
        self.tally += tally
        if rows.num_rows:
            yield rows


def _chained(first: Iterable[Block], rest: Iterable[Block]) -> Iterator[Block]:
    yield from first
    yield from rest


def _blocks(
    source: RecordSource, format_in: str | None, size: int | None = None
) -> Generator[Block, None, None]:
    if isinstance(source, bytes | bytearray | memoryview):
        for batch in RecordBlocks(_Memory(source), size=size).batches(BATCH_ROWS):
            yield batch, "the bytes given"
        return
    listed = [source] if isinstance(source, str | os.PathLike) else source
    files = record_files([os.fspath(one) for one in listed], format_in)
    for shard in plan_records(files, None, size):
        with open_shard(shard) as opened:
            for batch in opened:
                yield batch, shown(shard.path)


class _Memory:
    """Bytes as the stream of a file."""

    compression: Compression | None = None
    path = "the bytes given"

    def __init__(self, data: bytes | bytearray | memoryview) -> None:
        self._file = io.BytesIO(data)

    @property
    def position(self) -> int:
        """How many bytes have been taken."""
        return self._file.tell()

    def read(self, size: int) -> bytes:
        """The next bytes."""
        return self._file.read(size)

    def close(self) -> None:
        """There is nothing to give back."""
