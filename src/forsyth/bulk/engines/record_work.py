"""What a job of records makes of its blocks of text, and the numbers of its games.

Blocks are worked on at the same time, in any order; how many records lie before one is known when it is
written. So rows are numbered then, in the order of the files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk.engines.checkpoints import Output, Part
from forsyth.bulk.engines.plan import Job
from forsyth.bulk.engines.tally import Origin, Tally
from forsyth.bulk.errors import shown
from forsyth.bulk.records.from_readings import Place
from forsyth.bulk.records.make import rows_of_block
from forsyth.bulk.records.table import GAME, RecordTable
from forsyth.bulk.sources.record_blocks import texts_of
from forsyth.bulk.sources.record_rows import Made
from forsyth.bulk.sources.shards import Shard

_AHEAD: Final = 4
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
    for text, before, lines, file in zip(texts_of(batch), befores, counts, files, strict=True):
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
