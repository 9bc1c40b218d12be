"""The positions of records, each once: the first row that holds it, in the order of the rows.

All rows are written to a folder first, with their keys; `distinct_rows` finds the first of each key on the
disk, in bounded memory; then those rows are copied to the target. A resumed run keeps the rows of the first
pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pyarrow as pa

from forsyth.bulk.engines.plan import Chosen, Job
from forsyth.bulk.jobs.distinct_rows import Bits, DistinctRows
from forsyth.bulk.jobs.inspect_input import Input
from forsyth.bulk.jobs.run_files import Total, Way, collect, parts_of, to_stream
from forsyth.bulk.records.table import RecordTable
from forsyth.bulk.sinks.sink import is_streamed
from forsyth.bulk.sinks.target import deliver
from forsyth.bulk.sources.files import Format
from forsyth.bulk.sources.shards import Shard, open_shard

KEY: Final = "key"


@dataclass(frozen=True, slots=True)
class Distinct:
    """What came of it: the total of the first pass, and how many rows were written and left out."""

    total: Total
    written: int
    duplicates: int


def with_keys(table: RecordTable) -> RecordTable:
    """The table with a column of keys."""
    return table if KEY in table.forms else replace(table, forms=(*table.forms, KEY))


def write_distinct(
    target: str, job: Job, way: Way, place: Path, read: Callable[[Job], Total], table: RecordTable
) -> Distinct:
    """Have the rows of a job read and write the first of each position to a target."""
    rows = place / "rows"
    rows.mkdir(exist_ok=True)
    keyed = replace(
        job,
        records=with_keys(table),
        folder=str(rows.absolute()),
        format=Format.ARROW,
        compression=None,
        kept_columns=None,
    )
    total = read(keyed)
    counts = _first_rows(total.paths, place)
    chosen = Chosen(str((place / "rows.bits").absolute()), tuple(_starts(counts)))
    shards = [Shard(path, Format.ARROW, number=number) for number, path in enumerate(total.paths)]
    copy = replace(
        job,
        schema=keyed.result_schema(),
        records=None,
        chosen=chosen,
        kept_columns=job.kept_columns or tuple(table.schema().names),
    )
    written = _copied(target, copy, shards, way, place)
    return Distinct(total, written, sum(counts) - written)


def _first_rows(paths: Sequence[str], place: Path) -> list[int]:
    """Set the bits of the rows that are kept; how many rows each file has."""
    counts = []
    for path in paths:
        with open_shard(Shard(path, Format.ARROW), columns=[KEY]) as batches:
            counts.append(sum(batch.num_rows for batch in batches))
    bits = Bits(place / "rows.bits", sum(counts))
    row = 0
    with DistinctRows(place / "spill", sum(counts), ranked=False) as spill:
        for path in paths:
            with open_shard(Shard(path, Format.ARROW), columns=[KEY]) as batches:
                for batch in batches:
                    spill.add(batch.column(0), row, None)
                    row += batch.num_rows
    for kept, _ in spill.kept():
        bits.set(kept)
    bits.close()
    return counts


def _starts(counts: Sequence[int]) -> list[int]:
    starts = [0]
    for count in counts:
        starts.append(starts[-1] + count)
    return starts


def _copied(target: str, job: Job, shards: list[Shard], way: Way, place: Path) -> int:
    found = Input([], shards, job.schema, KEY, job.game or "", False, None)
    if is_streamed(target):
        return to_stream(target, replace(job, folder=None), found, None).tally.written
    folder = place / "kept"
    folder.mkdir(exist_ok=True)
    job = replace(job, folder=str(folder.absolute()))
    total = collect(parts_of(job, found, replace(way, begin=None), None), shards)
    deliver(total.paths, target, job.format, job.compression)
    pa.default_memory_pool().release_unused()
    return total.tally.written
