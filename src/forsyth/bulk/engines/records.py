"""Records of whole games: which files hold them, what is made of their blocks of text, and their rows as a
stream.

Standard input is PGN unless a format is given. A file that is not compressed can be cut into ranges of bytes.
The game is the one that most of the first DETECTED_BY records name.

Blocks are worked on at the same time, in any order; how many records lie before one is known when it is
written. So rows are numbered then, in the order of the files.

`games` and `positions` read paths, patterns, URLs and standard input as `run_records` does, or the bytes of a
file that is in memory, without a file in between. The batches come in the order of the files, and a few of
them are held at most. What is wrong with a file is a `BulkError` when its turn comes.

Limits: files and threads are given back when all rows are read or the reader is dropped (`del`), not when it
is closed: only across Arrow's C interface is a close passed on, and there a `BulkError` loses its class.
"""

from __future__ import annotations

import io
import os
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from itertools import chain, islice
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from forsyth import registry
from forsyth.bulk.engines.checkpoints import Output, Part
from forsyth.bulk.engines.job import Job, Origin, Tally, cores
from forsyth.bulk.errors import STANDARD, BulkError, must_be_count, shown
from forsyth.bulk.sources.files import Format, MemoryStream, SourceFile, expand
from forsyth.bulk.sources.pgn import Made, RecordBlocks, block_texts
from forsyth.bulk.sources.shards import Shard, open_shard
from forsyth.bulk.verbs.record_rows import Place, rows_of_block
from forsyth.bulk.verbs.record_table import GAME, RecordTable, TableKind, block_bytes
from forsyth.record import read_records

DETECTED_BY: Final = 20


def record_files(sources: Sequence[str], given: str | None) -> list[SourceFile]:
    """The files of records; raises `BulkError` for one that holds something else."""
    files = []
    for source in list(sources) or [STANDARD]:
        files += expand([source], "pgn" if given is None and source == STANDARD else given)
    for file in files:
        if file.format is not Format.PGN:
            raise BulkError(
                f"{shown(file.path)} is {file.format}, which holds no records of games; name files of PGN, "
                "or say that it is with --in pgn"
            )
    return files


def plan_records(
    files: Sequence[SourceFile], target: int | None, block_bytes: int | None = None
) -> list[Shard]:
    """A shard for each file; with a `target` in bytes, for each range of a file that can be cut."""
    shards = (shard for file in files for shard in _cut(file, target))
    return [replace(shard, number=number, block_bytes=block_bytes) for number, shard in enumerate(shards)]


def _cut(file: SourceFile, target: int | None) -> list[Shard]:
    whole = Shard(file.path, file.format, file.compression, "records", size=file.size)
    if target is None or file.compression is not None or file.size is None or file.size <= target:
        return [whole]
    return [
        replace(whole, first=first, count=min(target, file.size - first), size=min(target, file.size - first))
        for first in range(0, file.size, target)
    ]


def game_of_shards(shards: Iterable[Shard]) -> str:
    """The game of the first records that files have, empty ones passed over; raises `BulkError`."""
    sources = ""
    for file in (file for shard in shards for file in shard.files):
        sources = sources or shown(file.path)
        with open_shard(file) as blocks:
            first = next(iter(blocks), None)
        if first is not None and has_records(first):
            return game_of_records([first], shown(file.path))
    return game_of_records([], sources)


def has_records(batch: pa.RecordBatch) -> bool:
    """Whether there is anything but blanks in the first block of a batch."""
    text: bytes = batch.column("text")[0].as_py() if batch.num_rows else b""
    return bool(text) and not text.isspace()


def game_of_records(batches: list[pa.RecordBatch], source: str) -> str:
    """The game of most of the first records; raises `BulkError` where none says it."""
    text = "".join(batch.column("text")[0].as_py().decode("utf-8", "surrogateescape") for batch in batches)
    readings = islice(read_records(io.StringIO(text, newline="")), DETECTED_BY)
    votes = Counter(reading.game for reading in readings if reading.game is not None)
    if not votes:
        names = ", ".join(registry.games())
        raise BulkError(
            f"the first records of {source} do not say which game they are of; name it with --game, one of "
            f"{names}"
        )
    return votes.most_common(1)[0][0]


# --- rows of blocks ---------------------------------------------------------------------------------


_AHEAD: Final = 8
"""Blocks that may wait to be written, so that the workers go on while a group of rows is."""


def blocks_under_way(threads: int) -> int:
    """How many blocks are worked on or wait to be written at a time."""
    return 2 * threads + _AHEAD


def rows_of_blocks(table: RecordTable, batch: pa.RecordBatch, origin: Origin) -> tuple[pa.RecordBatch, Tally]:
    """The rows of some blocks, with the numbers of the records among those of the blocks, and the tally."""
    return work_on_blocks(table, batch, [_file_of(origin, row) for row in range(batch.num_rows)])


def work_on_blocks(
    table: RecordTable, batch: pa.RecordBatch, files: Sequence[Place]
) -> tuple[pa.RecordBatch, Tally]:
    """The same for blocks that are from these files, one for each block."""
    made: list[pa.RecordBatch] = []
    tally = Tally(read=batch.num_rows)
    befores, counts = batch.column("line").to_pylist(), batch.column("lines").to_pylist()
    for text, before, lines, file in zip(block_texts(batch), befores, counts, files, strict=True):
        found = rows_of_block(table, text, Place(file.file, file.lines + before))
        made.append(shifted(found.rows, tally.games))
        tally = _counted(tally, found, lines)
    rows = made[0] if len(made) == 1 else pa.concat_batches(made)
    return rows, replace(tally, written=rows.num_rows)


def _counted(tally: Tally, found: Made, lines: int) -> Tally:
    return replace(
        tally,
        lines=tally.lines + lines,
        games=tally.games + found.games,
        asked=tally.asked + found.asked,
        unreadable=tally.unreadable + found.errors,
    )


def _file_of(origin: Origin, row: int) -> Place:
    file, _ = origin.files.place_of(origin.first + row)
    shard = origin.files.shard.files[file]
    return Place(shown(shard.path), shard.lines_before)


class NumberedGames:
    """An output whose rows get the numbers of their games on the way."""

    def __init__(self, output: Output, before: int) -> None:
        self._output = output
        self._before = before

    def write(self, batch: pa.RecordBatch, tally: Tally) -> None:
        """Number the rows and write them."""
        self._output.write(shifted(batch, self._before), tally)
        self._before += tally.games

    def close(self) -> None:
        """All batches have come."""
        self._output.close()

    def abort(self) -> None:
        """No more batches will come."""
        self._output.abort()


def numbered(job: Job, shard: Shard, output: Output, parts: list[Part]) -> Output:
    """The output of a shard, of which some parts are there, with numbers where the job is one of records."""
    if job.records is None or GAME not in job.result_schema().names:
        return output
    return NumberedGames(output, shard.games_before + sum(part.tally.games for part in parts))


def shifted(batch: pa.RecordBatch, by: int) -> pa.RecordBatch:
    """The rows with higher numbers of games."""
    place = batch.schema.get_field_index(GAME)
    if not by or place < 0:
        return batch
    numbers = pc.add(batch.column(place), pa.scalar(by, pa.int64()))
    return batch.set_column(place, batch.schema.field(place), numbers)


# --- streams ----------------------------------------------------------------------------------------


AnyPath = str | os.PathLike[str]
RecordSource = AnyPath | Sequence[AnyPath] | bytes | bytearray | memoryview
"""Files, or the bytes of one."""

_GIVEN: Final = "the bytes given"
"""How sentences name the bytes of a file in memory."""

Block = tuple[pa.RecordBatch, str]
"""A batch of blocks and the file it is from."""


def games(source: RecordSource, **asked: Any) -> pa.RecordBatchReader:
    """A row for each game; asked are `game`, `variant`, `format_in`, `threads` and what `RecordTable` has.

    Drop a reader that is not read to its end: closing it does not give the file and the threads back.
    """
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
        blocks = chain(self._first, self._blocks)
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


def _blocks(
    source: RecordSource, format_in: str | None, size: int | None = None
) -> Generator[Block, None, None]:
    if isinstance(source, bytes | bytearray | memoryview):
        for batch in RecordBlocks(MemoryStream(_GIVEN, source), size=size):
            yield batch, _GIVEN
        return
    listed = [source] if isinstance(source, str | os.PathLike) else source
    files = record_files([os.fspath(one) for one in listed], format_in)
    for shard in plan_records(files, None, size):
        with open_shard(shard) as opened:
            for batch in opened:
                yield batch, shown(shard.path)
