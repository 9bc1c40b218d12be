"""Each position once: of the rows that hold the same position one is kept, the first or the best.

Rows are the same when their keys are, however their texts are written. The rows that are kept stay in their
order, with all their columns unchanged. Rows that cannot be read, and rows without a text, are all kept, or
all left out.

Three passes, each in constant memory: the engine writes the key of every row (and the column that says which
is best) into parts; `distinct_rows` finds the rows to keep; the engine copies those. Standard input is first
copied into a file, because it is read twice. A resumed run keeps the parts of the first and the last pass
and repeats the one between them.

Of records (`write_distinct`) all rows are written to a folder first, with their keys; then the first row of
each key is copied to the target.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, Literal, get_args

import numpy as np
import pyarrow as pa

from forsyth.bulk.batches import fitted, must_match
from forsyth.bulk.engines import checkpoints
from forsyth.bulk.engines.checkpoints import write_json
from forsyth.bulk.engines.job import Chosen, Job, Progress
from forsyth.bulk.errors import BulkError, must_be_one_of
from forsyth.bulk.jobs.distinct_rows import Bits, Counts, DistinctRows, worth_of
from forsyth.bulk.jobs.inspect_input import Input
from forsyth.bulk.jobs.report import Report
from forsyth.bulk.jobs.run_files import (
    AnyPath,
    Request,
    Sources,
    Total,
    Way,
    as_lines,
    collect,
    heading_of,
    manifest_of,
    must_allow,
    parts_of,
    request_of,
    selected,
    target_format,
    to_stream,
)
from forsyth.bulk.sinks import deliver, is_streamed, open_sink
from forsyth.bulk.sources.files import Format, SourceFile
from forsyth.bulk.sources.shards import Shard, ShardFiles, open_shard, plan_shards
from forsyth.bulk.verbs.record_table import RecordTable
from forsyth.bulk.verbs.text_column import column_with
from forsyth.bulk.verbs.verb import Verb

Keep = Literal["first", "best"]
Invalid = Literal["keep", "drop"]

KEY: Final = "key"
_NOTE: Final = "rows.json"


@dataclass(frozen=True, slots=True)
class Rule:
    """Which row of a position is kept: the first, or the one with the largest value in column `by`."""

    keep: Keep = "first"
    by: str | None = None
    invalid: Invalid = "keep"
    """Whether rows that cannot be read are kept."""
    against: tuple[str, ...] = ()
    """Other files: positions that they hold are left out too."""
    count: str | None = None
    """The name of a column that says how many rows hold the position; None for no such column."""

    def __post_init__(self) -> None:
        must_be_one_of("keep", self.keep, get_args(Keep))
        must_be_one_of("invalid", self.invalid, get_args(Invalid))
        if self.keep == "best" and self.by is None:
            raise BulkError("--keep best needs a column of numbers; name it with --by")
        if self.keep == "first" and self.by is not None:
            raise BulkError("--by says which row is best; it needs --keep best")


@dataclass(frozen=True, slots=True)
class Kept:
    """What the first two passes found: the bits, the rows of each shard, and the counts."""

    rows: list[int]
    missing: int
    unreadable: int
    duplicates: int


def dedupe_files(
    sources: Sources, target: AnyPath, *, rule: Rule | None = None, way: Way | None = None, **asked: Any
) -> Report:
    """Write the rows of files without those that repeat a position; `asked` are fields of `jobs.Request`."""
    return conduct(request_of("dedupe", sources, target, **asked), rule or Rule(), way or Way())


def conduct(request: Request, rule: Rule, way: Way) -> Report:
    """Do what is asked for."""
    if request.target is None:
        raise BulkError("dedupe writes rows; name the target with -o")
    found = request.look(packed=False, whole=True, way=way)
    must_allow(request, found, way)
    _must_have(rule, found)
    copy = _copying(request, rule, found, way)
    total = None if found.total is None else 2 * found.total
    progress = None if way.begin is None else way.begin(total)
    asked = [rule.keep, rule.by, rule.invalid, list(rule.against), rule.count]
    with folder_for(request.target, {**manifest_of(copy, found), "rule": asked}, way) as place:
        if found.is_once:
            found = _laid_down(found, place / "input.arrow")
        others = _others(request, rule, found, way, place)
        kept = _choose(_keys(request, rule, found, way, place), rule, found, way, place, progress, others)
        starts = np.concatenate([[0], np.cumsum(kept.rows)]).tolist()
        chosen = _chosen(place, starts, rule)
        written = _write(replace(copy, chosen=chosen), request.target, found, way, place, progress)
    heading = heading_of(request, found)
    return Report(
        heading,
        sum(kept.rows),
        written.tally.written,
        kept.missing,
        kept.unreadable,
        duplicates=kept.duplicates,
    )


@contextmanager
def folder_for(target: str, manifest: Mapping[str, Any], way: Way) -> Iterator[Path]:
    """The folder for the parts of a job of several passes; a temporary one where the target is a stream."""
    if is_streamed(target):
        with tempfile.TemporaryDirectory(prefix="forsyth-") as name:
            yield Path(name)
        return
    with checkpoints.opened(target, manifest, resume=way.resume) as place:
        yield place


def _must_have(rule: Rule, found: Input) -> None:
    if rule.count is not None and rule.count in found.schema.names:
        raise BulkError(f"the data has a column {rule.count!r} already; name another for the counts")
    if rule.by is None:
        return
    if rule.by not in found.schema.names:
        there = ", ".join(found.schema.names)
        raise BulkError(f"there is no column {rule.by!r}; name another with --by: there are {there}")
    if rule.by == found.column:
        raise BulkError(f"the column {rule.by!r} holds the texts; name another with --by")


def _laid_down(found: Input, path: Path) -> Input:
    """What can be read only once as a file that can be read again."""
    with open_sink(str(path), found.schema, Format.ARROW) as sink:
        for batch in _all_batches(found):
            sink.write_batch(batch)
    file = SourceFile(str(path), Format.ARROW, None, path.stat().st_size)
    return replace(found, files=[file], shards=plan_shards([file]), opened=None, kinds=None)


def _all_batches(found: Input) -> Iterator[pa.RecordBatch]:
    for shard in found.shards:
        if found.opened is not None and not shard.number:
            yield from found.opened
            continue
        for batches in ShardFiles(shard, game=found.game, kinds=found.kinds):
            path = batches.shard.path
            must_match(batches.schema, found.schema, path)
            yield from (fitted(batch, found.schema, path) for batch in batches)


# --- the first pass ---------------------------------------------------------------------------------


def _keys(request: Request, rule: Rule, found: Input, way: Way, place: Path) -> Job:
    """The pass that writes the keys."""
    texts = column_with(found.schema, found.column).name
    names = [texts] if rule.by is None else [texts, rule.by]
    # The column of the keys is for the next pass alone: its name is longer than any that the data has.
    prefix = "_" * max(map(len, names))
    verb = Verb(KEY, found.game, request.variant, found.column, request.mode, request.legality, prefix=prefix)
    kept = [prefix + KEY, *names[1:]]
    keys = place / "keys"
    keys.mkdir(exist_ok=True)
    return Job(
        pa.schema([found.schema.field(name) for name in names]),
        verb,
        str(keys.absolute()),
        Format.ARROW,
        kept_columns=tuple(kept),
        whole=False,
        game=found.game,
        kinds=found.kinds,
        roll_rows=way.roll_rows,
        batch_rows=way.batch_rows,
        threads=way.the_threads(),
    )


# --- the second pass --------------------------------------------------------------------------------


def _others(request: Request, rule: Rule, found: Input, way: Way, place: Path) -> list[str]:
    """The keys of the files whose positions are left out, in files."""
    if not rule.against or (place / _NOTE).exists():
        return []
    sources = replace(request, sources=rule.against, column=None, game=found.game)
    other = sources.look(packed=False, whole=False, way=way)
    folder = place / "against"
    folder.mkdir(exist_ok=True)
    job = _keys(request, Rule(), other, way, folder)
    return collect(parts_of(job, other, way, None), other.shards).paths


def _chosen(place: Path, starts: list[int], rule: Rule) -> Chosen:
    bits = str((place / "rows.bits").absolute())
    if rule.count is None:
        return Chosen(bits, tuple(starts))
    return Chosen(bits, tuple(starts), str((place / "rows.counts").absolute()), rule.count)


def _choose(
    job: Job,
    rule: Rule,
    found: Input,
    way: Way,
    place: Path,
    progress: Progress | None,
    others: Sequence[str],
) -> Kept:
    note = place / _NOTE
    if note.exists():
        return Kept(**json.loads(note.read_text(encoding="utf-8")))
    total = collect(parts_of(job, found, way, progress), found.shards)
    tally = total.tally
    bits = Bits(place / "rows.bits", tally.read)
    with DistinctRows(place / "spill", tally.read, ranked=rule.by is not None) as spill:
        _lay_out(total.paths, rule, spill, bits)
        for batch in _batches_of(others):
            spill.add(batch.column(0), None, None)
    numbers = None if rule.count is None else Counts(place / "rows.counts", tally.read)
    unique = 0
    for rows, counts in spill.kept():
        bits.set(rows)
        if numbers is not None:
            numbers.set(rows, counts)
        unique += len(rows)
    bits.close()
    if numbers is not None:
        numbers.close()
    readable = tally.read - tally.missing - tally.unreadable
    kept = Kept(total.rows, tally.missing, tally.unreadable, readable - unique)
    write_json(note, asdict(kept))
    return kept


def _lay_out(paths: Sequence[str], rule: Rule, spill: DistinctRows, bits: Bits) -> None:
    """Give the keys of all rows to the spill, and keep the rows without one if that is the rule."""
    row = 0
    for batch in _batches_of(paths):
        keys = batch.column(0)
        worth = None if rule.by is None else worth_of(batch.column(1), rule.by)
        spill.add(keys, row, worth)
        if keys.null_count and rule.invalid == "keep":
            nulls = keys.is_null().to_numpy(zero_copy_only=False)
            bits.set(np.flatnonzero(nulls).astype(np.uint64) + np.uint64(row))
        row += batch.num_rows


def _batches_of(paths: Sequence[str], columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
    for path in paths:
        with open_shard(Shard(path, Format.ARROW), columns=columns) as batches:
            yield from batches


# --- the third pass ---------------------------------------------------------------------------------


def _copying(request: Request, rule: Rule, found: Input, way: Way) -> Job:
    """The pass that copies the rows that are kept; which ones is not known yet."""
    form, compression = target_format(str(request.target), request.format_out, found.schema)
    job = Job(
        found.schema,
        None,
        None,
        form,
        compression,
        game=found.game,
        kinds=found.kinds,
        roll_rows=way.roll_rows,
        batch_rows=way.batch_rows,
        threads=way.the_threads(),
    )
    if form is Format.TEXT:
        if rule.count is not None:
            raise BulkError(
                "a file of text holds one text a line, and no counts; write parquet, csv or jsonl"
            )
        return as_lines(job, request, found.column)
    job = selected(job, [name for name in request.select if name != rule.count])
    # The counts are no column of the data: they are written where all are, or where they are selected.
    return job if rule.count not in request.select else replace(job, kept_columns=tuple(request.select))


def _write(job: Job, target: str, found: Input, way: Way, place: Path, progress: Progress | None) -> Total:
    if is_streamed(target):
        return to_stream(target, job, found, progress)
    parts = place / "kept"
    parts.mkdir(exist_ok=True)
    job = replace(job, folder=str(parts.absolute()))
    total = collect(parts_of(job, found, way, progress), found.shards)
    deliver(total.paths, target, job.format, job.compression)
    return total


# --- positions of records ---------------------------------------------------------------------------


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
    chosen = Chosen(str((place / "rows.bits").absolute()), tuple(accumulate(counts, initial=0)))
    shards = [Shard(path, Format.ARROW, number=number) for number, path in enumerate(total.paths)]
    copy = replace(
        job,
        schema=keyed.result_schema(),
        records=None,
        chosen=chosen,
        kept_columns=job.kept_columns or tuple(table.schema().names),
    )
    found = Input([], shards, copy.schema, KEY, copy.game or "", False, None)
    written = _write(copy, target, found, way, place, None).tally.written
    return Distinct(total, written, sum(counts) - written)


def _first_rows(paths: Sequence[str], place: Path) -> list[int]:
    """Set the bits of the rows that are kept; how many rows each file has."""
    counts = [sum(map(len, _batches_of([path], [KEY]))) for path in paths]
    bits = Bits(place / "rows.bits", sum(counts))
    row = 0
    with DistinctRows(place / "spill", sum(counts), ranked=False) as spill:
        for batch in _batches_of(paths, [KEY]):
            spill.add(batch.column(0), row, None)
            row += len(batch)
    for kept, _ in spill.kept():
        bits.set(kept)
    bits.close()
    return counts
