"""Records of files as a table in a file, a row for each game or for each position, and such tables as records
again.

`run_records` is `run_files` for whole records: the same sources, targets, engines, checkpoints and ways to
end. What differs is what is read: blocks of text that hold whole records, which the threads of one process
share.

On a cluster a large file is cut into ranges, and every record is counted first, so that games have the same
numbers on every engine; the file is read twice there.

`write_pgn` and `write_epd` take a table, a reader or batches, and write a file of PGN or EPD; it is there
whole or not at all, and the ending of its name may give a compression.

Limits: a file that is compressed is one shard.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeAlias

import pyarrow as pa

from forsyth import registry
from forsyth.bulk.engines import checkpoints, shard_work
from forsyth.bulk.engines.checkpoints import Part, PartFiles, write_json
from forsyth.bulk.engines.job import ROLL_ROWS, Job, Progress
from forsyth.bulk.engines.records import (
    game_of_records,
    game_of_shards,
    has_records,
    numbered,
    plan_records,
    record_files,
)
from forsyth.bulk.errors import STANDARD, BulkError, shown
from forsyth.bulk.jobs.dedupe import Distinct, folder_for, write_distinct
from forsyth.bulk.jobs.inspect_input import Input, is_pipe, must_exist
from forsyth.bulk.jobs.run_files import (
    LOCAL,
    AnyPath,
    Request,
    Sources,
    Total,
    Way,
    collect,
    manifest_of,
    must_allow,
    request_of,
    target_format,
    to_stream,
)
from forsyth.bulk.sinks import deliver, is_streamed, open_sink
from forsyth.bulk.sources.files import Format, detect_format
from forsyth.bulk.sources.pgn import BLOCK_SCHEMA
from forsyth.bulk.sources.shards import (
    TARGET_BYTES,
    PeekedBatches,
    Shard,
    ShardFiles,
    joined_shards,
    open_shard,
)
from forsyth.bulk.verbs.record_table import RecordTable, TableKind, block_bytes, game_of_schema, named_schema
from forsyth.game import Game

ROLL_BLOCKS: Final = 256
"""Blocks read for one part: some hundred megabytes of text, a few seconds of work."""
_NOTE: Final = "starts.json"


@dataclass(frozen=True, slots=True)
class RecordReport:
    """What became of the records of a job."""

    table: RecordTable
    detected: bool
    """Whether the game was detected."""
    sources: tuple[str, ...]
    target: str | None
    games: int
    written: int
    """Rows."""
    asked: int
    """Records that the record reader had to read, because no kernel takes them."""
    errors: int
    """Records with an error."""
    duplicates: int | None = None
    """Positions that were left out because another row holds them; None where none are looked for."""

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-ready data."""
        data = {
            "verb": self.table.kind,
            "game": self.table.game,
            "variant": self.table.variant,
            "detected": self.detected,
            "sources": list(self.sources),
            "target": self.target,
            "games": self.games,
            "written": self.written,
            "asked": self.asked,
            "errors": self.errors,
        }
        return data if self.duplicates is None else {**data, "duplicates": self.duplicates}


def run_records(
    kind: TableKind,
    sources: Sources,
    target: AnyPath,
    *,
    way: Way | None = None,
    game: Any = None,
    variant: str | None = None,
    format_in: str | None = None,
    format_out: str | None = None,
    unique: bool = False,
    **asked: Any,
) -> RecordReport:
    """Write the games or positions of files to a target; `asked` are fields of `RecordTable`.

    With `unique` each position is written once, as the first row that holds it.
    """
    request = request_of(
        kind,
        sources,
        target,
        game=game,
        variant=variant,
        format_in=format_in,
        format_out=format_out,
    )
    if unique and kind != "positions":
        raise BulkError("only positions can be unique; leave it off for games")
    return conduct(request, asked, way or Way(), unique)


def conduct(request: Request, asked: dict[str, Any], way: Way, unique: bool = False) -> RecordReport:
    """Do what is asked for."""
    if request.target is None:
        raise BulkError(f"{request.verb} writes rows; name the target with -o")
    found = look_at_records(request, way, block_bytes(asked.get("forms")))
    must_allow(request, found, way)
    table = table_of(request, found.game, asked)
    job = _job(request, table, way)
    progress = None if way.begin is None else way.begin(found.total)
    distinct = None
    if unique:
        distinct = _distinct(request.target, job, table, found, way, progress)
        total = distinct.total
    elif is_streamed(request.target):
        total = to_stream(request.target, job, found, progress)
    else:
        total = _to_files(request.target, job, found, way, progress)
    tally = total.tally
    return RecordReport(
        table,
        found.detected,
        tuple(request.sources) or (STANDARD,),
        request.target,
        tally.games,
        tally.written if distinct is None else distinct.written,
        tally.asked,
        tally.unreadable,
        None if distinct is None else distinct.duplicates,
    )


def table_of(request: Request, game: str, asked: dict[str, Any]) -> RecordTable:
    """The table that is asked for; raises `BulkError` for an option that it does not have."""
    try:
        return RecordTable(request.verb, game, request.variant, **asked)  # type: ignore[arg-type]
    except TypeError as error:
        raise BulkError(f"{request.verb}: {error}") from error


# --- what there is to read --------------------------------------------------------------------------


def look_at_records(request: Request, way: Way, block: int | None = None) -> Input:
    """The files and shards of records, and the game that they belong to."""
    if request.game is not None:
        must_exist(request.game, request.variant)
    files = record_files(request.sources, request.format_in)
    shards = joined_shards(
        plan_records(files, None if way.engine == LOCAL else way.shard_bytes or TARGET_BYTES, block)
    )
    first = open_shard(replace(shards[0], more=()))
    try:
        rest = iter(first)
        seen = list(islice(rest, 1))
        game = request.game
        if game is None and not is_pipe(files[0]) and not (seen and has_records(seen[0])):
            game = game_of_shards(shards)
        elif game is None:
            game = game_of_records(seen, shown(files[0].path))
        must_exist(game, request.variant)
        opened = PeekedBatches(first, seen, rest) if is_pipe(files[0]) else None
        return Input(files, shards, BLOCK_SCHEMA, "text", game, request.game is None, opened)
    finally:
        if not is_pipe(files[0]):
            first.close()


# --- doing it ---------------------------------------------------------------------------------------


def _job(request: Request, table: RecordTable, way: Way) -> Job:
    schema = table.schema()
    form, compression = target_format(str(request.target), request.format_out, schema)
    kept = None
    if form in (Format.CSV, Format.TSV) and table.kind == "games":
        raise BulkError(f"a table of games has lists, which {form} cannot hold; write parquet or jsonl")
    if form is Format.NPY:
        if "planes" not in schema.names:
            raise BulkError("a NumPy file holds planes; ask for them with --as planes, or write parquet")
        kept = ("planes",)
    if form is Format.TEXT:
        if "fen" not in schema.names:
            raise BulkError(
                "a file of text holds one text a line; ask for positions as fen, or write parquet"
            )
        kept = ("fen",)
    return Job(
        BLOCK_SCHEMA,
        None,
        None,
        form,
        compression,
        kept_columns=kept,
        records=table,
        game=table.game,
        roll_rows=ROLL_BLOCKS if way.roll_rows == ROLL_ROWS else way.roll_rows,
        threads=way.the_threads(),
    )


def _to_files(target: str, job: Job, found: Input, way: Way, progress: Progress | None) -> Total:
    with checkpoints.opened(target, manifest_of(job, found), resume=way.resume) as place:
        job = replace(job, folder=str(place.absolute()))
        total = collect(_parts(job, found, way, place, progress), found.shards)
        deliver(total.paths, target, job.format, job.compression)
    return total


def _distinct(
    target: str, job: Job, table: RecordTable, found: Input, way: Way, progress: Progress | None
) -> Distinct:
    with folder_for(target, {**manifest_of(job, found), "unique": True}, way) as place:

        def read(keyed: Job) -> Total:
            return collect(_parts(keyed, found, way, place, progress), found.shards)

        return write_distinct(target, job, way, place, read, table)


def _parts(
    job: Job, found: Input, way: Way, place: Path, progress: Progress | None
) -> Generator[list[Part], None, None]:
    """Have the engine do the job; the parts of each shard as it is finished."""
    if way.engine == LOCAL:
        yield from _in_order(job, found, progress)
        return
    shards = found.shards if len(found.shards) < 2 else _counted(job, found, way, place / _NOTE)
    yield from way.the_engine()(job, shards, progress)


def _in_order(job: Job, found: Input, progress: Progress | None) -> Generator[list[Part], None, None]:
    before = 0
    for shard in found.shards:
        shard = replace(shard, games_before=before)
        if found.opened is not None and not shard.number:
            output = PartFiles(job, 0, [])
            shard_work.stream(
                job, ShardFiles(shard, found.opened), numbered(job, shard, output, []), 0, progress
            )
            parts = output.parts
        else:
            parts = shard_work.run_shard(job, shard, progress)
        before += sum(part.tally.games for part in parts)
        yield parts
        pa.default_memory_pool().release_unused()


def _counted(job: Job, found: Input, way: Way, note: Path) -> list[Shard]:
    """The shards with the records and lines before each, which a first pass counts."""
    starts = json.loads(note.read_text(encoding="utf-8")) if note.exists() else None
    if starts is None:
        table = (
            RecordTable("games", job.records.game, job.records.variant, "san", ()) if job.records else None
        )
        counting = replace(job, records=table, folder=None, counts_only=True)
        tallies: dict[int, Any] = {}
        for parts in way.the_engine()(counting, found.shards, None):
            tallies[parts[0].shard] = parts[0].tally
        starts = _starts(found.shards, tallies)
        write_json(note, {"starts": starts})
    else:
        starts = starts["starts"]
    return [
        replace(shard, games_before=games, lines_before=lines)
        for shard, (games, lines) in zip(found.shards, starts, strict=True)
    ]


def _starts(shards: Sequence[Shard], tallies: dict[int, Any]) -> list[tuple[int, int]]:
    games, lines, starts = 0, 0, []
    for shard in shards:
        lines = lines if shard.first else 0
        starts.append((games, lines))
        games += tallies[shard.number].games
        lines += tallies[shard.number].lines
    return starts


# --- tables as records again ------------------------------------------------------------------------


Rows: TypeAlias = "pa.Table | pa.RecordBatchReader | Iterable[pa.RecordBatch]"


def write_pgn(rows: Rows, target: str | os.PathLike[str], game: Game | str | None = None) -> int:
    """Write a table of games as records; how many rows it has.

    `game` is needed where the table does not say it. Raises `BulkError` for a row that is no legal game.
    """
    return _write(rows, os.fspath(target), Format.PGN, game)


def write_epd(rows: Rows, target: str | os.PathLike[str], game: Game | str | None = None) -> int:
    """Write a table of positions as lines of EPD; how many rows it has."""
    return _write(rows, os.fspath(target), Format.EPD, game)


def _write(rows: Rows, target: str, format: Format, game: Game | str | None) -> int:
    batches = _batches(rows)
    first = next(batches, None)
    schema = rows.schema if isinstance(rows, pa.Table | pa.RecordBatchReader) else first and first.schema
    if schema is None:
        raise BulkError("there are no rows and no columns to write; give a table")
    if game is not None:
        known = registry.game(game)
        schema = named_schema(schema, known.name, known.variant)
    if game_of_schema(schema) is None:
        raise BulkError("the table does not say which game it is of; name the game")
    _, compression = detect_format(target, str(format))
    with open_sink(target, schema, format, compression) as sink:
        if first is not None:
            sink.write_batch(first.replace_schema_metadata(schema.metadata))
        for batch in batches:
            sink.write_batch(batch.replace_schema_metadata(schema.metadata))
        return sink.rows


def _batches(rows: Any) -> Iterator[pa.RecordBatch]:
    return iter(rows.to_batches() if isinstance(rows, pa.Table) else rows)
