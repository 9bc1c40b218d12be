"""Records of files as a table of games or positions, and such tables as records again.

`run_records` is `run_files` for records of whole games, with the same sources, targets, engines, checkpoints
and errors. Only the reading differs: the input is read as blocks of text with whole records, which the
threads of one process share.

On a cluster a large file is cut into ranges, and all records are counted first, so that games have the same
numbers with every engine. The file is therefore read twice.

`write_pgn` and `write_epd` write a table, a reader or batches as a file of PGN or EPD. The file is written
completely or not at all, and the ending of its name may give a compression.

Limits: a compressed file is one shard.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final, TypeAlias, Unpack

import pyarrow as pa

from forsyth import registry
from forsyth.bulk.engines import checkpoints, shard_work
from forsyth.bulk.engines.checkpoints import Part, PartWriter, write_json
from forsyth.bulk.engines.job import ROLL_ROWS, PassSpec, Progress, Tally
from forsyth.bulk.engines.records import (
    add_game_numbering,
    detect_game_of_records,
    detect_game_of_shards,
    expand_record_files,
    has_records,
    plan_record_shards,
)
from forsyth.bulk.errors import STANDARD, BulkError, display_name, require_count, require_known_options
from forsyth.bulk.jobs.dedupe import DistinctResult, open_work_folder, write_distinct
from forsyth.bulk.jobs.inspect_input import Input, is_pipe, require_game
from forsyth.bulk.jobs.run_files import (
    LOCAL,
    AnyPath,
    JobSpec,
    PassResult,
    RunOptions,
    Sources,
    check_exclusive_options,
    collect_parts,
    make_job_spec,
    make_manifest,
    needs_parts,
    resolve_target_format,
    write_in_one_piece,
    write_to_stream,
)
from forsyth.bulk.sinks import deliver_parts, is_streamed, open_sink
from forsyth.bulk.sources.files import Format, detect_format
from forsyth.bulk.sources.pgn import BLOCK_SCHEMA
from forsyth.bulk.sources.shards import (
    TARGET_BYTES,
    ReplayedBatches,
    Shard,
    ShardReader,
    merge_small_shards,
    open_shard,
)
from forsyth.bulk.verbs.record_table import (
    RecordTable,
    TableKind,
    TableOptions,
    choose_block_size,
    game_from_schema,
    with_game_metadata,
)
from forsyth.game import Game
from forsyth.record.encoding import Encoding

ROLL_BLOCKS: Final = 256
"""Number of blocks read for one part: some hundred megabytes of text, a few seconds of work."""
_STARTS_NOTE: Final = "starts.json"
"""Name of the file with the numbers of records and lines before each shard."""


@dataclass(frozen=True, slots=True)
class RecordReport:
    """The counts of a job that writes a table of games or positions."""

    table: RecordTable
    """The description of the table that was written."""
    detected: bool
    """Whether the game was detected, not named."""
    sources: tuple[str, ...]
    target: str | None
    games: int
    """Number of records read."""
    written: int
    """Number of rows written."""
    read_by_fallback: int
    """Number of records that the slower record reader in Python had to read."""
    errors: int
    """Number of records with an error."""
    duplicates: int | None = None
    """Number of positions left out because another row has them; None if duplicates are not removed."""

    def to_dict(self) -> dict[str, Any]:
        """Return the report as a dictionary that can be written as JSON."""
        data = {
            "verb": self.table.kind,
            "game": self.table.game,
            "variant": self.table.variant,
            "detected": self.detected,
            "sources": list(self.sources),
            "target": self.target,
            "games": self.games,
            "written": self.written,
            "asked": self.read_by_fallback,
            "errors": self.errors,
        }
        return data if self.duplicates is None else {**data, "duplicates": self.duplicates}


def run_records(
    kind: TableKind,
    sources: Sources,
    target: AnyPath,
    *,
    run_options: RunOptions | None = None,
    game: Any = None,
    variant: str | None = None,
    format_in: str | None = None,
    format_out: str | None = None,
    encoding: Encoding = "utf-8",
    unique: bool = False,
    threads: int | None = None,
    **table_options: Unpack[TableOptions],
) -> RecordReport:
    """Write a table of the games in some files, or of their positions, and return the counts.

    Args:
        kind: What a row of the table is: `games` or `positions`.
        sources: A path, a pattern, a URL, or several of them.
        target: The path or URL of the file to write.
        run_options: How the job is run; None for the defaults.
        game: The game, or its name; None to detect it.
        variant: The variant of the game; None for its default.
        format_in: The format of the sources; None to detect it from each name.
        format_out: The format of the target; None to detect it from its name.
        encoding: The encoding of the sources: ``utf-8``, ``latin-1``, or ``auto``, which reads a line that is
            not UTF-8 as Latin-1.
        unique: Whether each position is written only once, in the first row that has it.
        threads: The number of threads, in place of that in `run_options`; None for that one.
        **table_options: See `TableOptions`.

    Raises:
        BulkError: If the sources cannot be read, the target cannot be written, or options exclude each other.
    """
    job_spec = make_job_spec(
        kind,
        sources,
        target,
        game=game,
        variant=variant,
        format_in=format_in,
        format_out=format_out,
    )
    if unique and kind != "positions":
        raise BulkError(f"only positions can be unique, not {kind}; leave out unique")
    require_known_options("run_records", table_options, TableOptions)
    run_options = run_options or RunOptions()
    if threads is not None:
        require_count("threads", threads)
        run_options = replace(run_options, threads=threads)
    return run_job(job_spec, {**table_options}, run_options, unique, encoding)


def run_job(
    job_spec: JobSpec,
    table_options: dict[str, Any],
    run_options: RunOptions,
    unique: bool = False,
    encoding: Encoding = "utf-8",
) -> RecordReport:
    """Run a job that writes a table of games or positions, and return the counts.

    Args:
        job_spec: The sources, the target and other options. Its verb is ``games`` or ``positions``.
        table_options: Fields of `RecordTable`, such as `forms`.
        run_options: How the job is run.
        unique: Whether each position is written only once, in the first row that has it.
        encoding: The encoding of the sources.

    Raises:
        BulkError: If there is no target, the sources cannot be read, or options exclude each other.
    """
    if job_spec.target is None:
        raise BulkError(f"{job_spec.verb} writes rows; name the target with -o")
    block_bytes = choose_block_size(table_options.get("forms"))
    job_input = inspect_records(job_spec, run_options, block_bytes, encoding)
    check_exclusive_options(job_spec, job_input, run_options)
    table = make_table(job_spec, job_input.game, table_options)
    pass_spec = _make_pass(job_spec, table, run_options)
    start_progress = run_options.start_progress
    progress = None if start_progress is None else start_progress(job_input.total_bytes)
    distinct = None
    if unique:
        distinct = _write_distinct_positions(
            job_spec.target, pass_spec, table, job_input, run_options, progress
        )
        total = distinct.total
    elif is_streamed(job_spec.target):
        total = write_to_stream(job_spec.target, pass_spec, job_input, progress)
    else:
        total = _write_to_files(job_spec.target, pass_spec, job_input, run_options, progress)
    tally = total.tally
    return RecordReport(
        table=table,
        detected=job_input.is_game_detected,
        sources=tuple(job_spec.sources) or (STANDARD,),
        target=job_spec.target,
        games=tally.games,
        written=tally.written if distinct is None else distinct.written,
        read_by_fallback=tally.asked,
        errors=tally.unreadable,
        duplicates=None if distinct is None else distinct.duplicates,
    )


def make_table(job_spec: JobSpec, game: str, table_options: dict[str, Any]) -> RecordTable:
    """Return the description of the table of games or positions that a job writes.

    Args:
        job_spec: The job. Its verb is the kind of the table, ``games`` or ``positions``.
        game: The name of the game.
        table_options: Other fields of `RecordTable`, such as `forms`.

    Raises:
        BulkError: If an option is not a field of `RecordTable`, or the game does not support it.
    """
    try:
        return RecordTable(job_spec.verb, game, job_spec.variant, **table_options)  # type: ignore[arg-type]
    except TypeError as error:
        raise BulkError(f"{job_spec.verb}: {error}") from error


# --- inspecting the input ---------------------------------------------------------------------------


def inspect_records(
    job_spec: JobSpec,
    run_options: RunOptions,
    block_bytes: int | None = None,
    encoding: Encoding = "utf-8",
) -> Input:
    """Find the files of a job on records, and the game of the records.

    Args:
        job_spec: The job.
        run_options: How the job is run. The local engine does not cut files into parts.
        block_bytes: The approximate number of bytes to read at once; None for the default.
        encoding: The encoding of the files.

    Raises:
        BulkError: If a file has no records, or no game is detected.
    """
    if job_spec.game is not None:
        require_game(job_spec.game, job_spec.variant)
    files = expand_record_files(job_spec.sources, job_spec.format_in)
    target_bytes = None if run_options.engine == LOCAL else run_options.shard_bytes or TARGET_BYTES
    shards = merge_small_shards(plan_record_shards(files, target_bytes, block_bytes, encoding))
    is_first_pipe = is_pipe(files[0])
    first_file = open_shard(replace(shards[0], more=()))
    try:
        remaining_batches = iter(first_file)
        sample = list(islice(remaining_batches, 1))
        game = job_spec.game
        if game is None:
            sample_has_records = bool(sample) and has_records(sample[0])
            # Of a pipe, only the beginning can be inspected. Other files are read up to the first record.
            if is_first_pipe or sample_has_records:
                game = detect_game_of_records(sample, display_name(files[0].path))
            else:
                game = detect_game_of_shards(shards)
        require_game(game, job_spec.variant)
        # A pipe stays open, and its first batch is read again from memory.
        opened_batches = ReplayedBatches(first_file, sample, remaining_batches) if is_first_pipe else None
        return Input(
            files=files,
            shards=shards,
            schema=BLOCK_SCHEMA,
            column="text",
            game=game,
            variant=job_spec.variant,
            is_game_detected=job_spec.game is None,
            opened_batches=opened_batches,
        )
    finally:
        if not is_first_pipe:
            first_file.close()


# --- running the job --------------------------------------------------------------------------------


def _make_pass(job_spec: JobSpec, table: RecordTable, run_options: RunOptions) -> PassSpec:
    """Return the description of a pass over the records that writes the table.

    The caller has to add a folder for the parts of the output. Raise `BulkError` if the format of the target
    cannot hold the columns of the table.
    """
    schema = table.schema()
    format, compression = resolve_target_format(str(job_spec.target), job_spec.format_out, schema)
    # A row of the input is a block of text, so a part has fewer rows than usual.
    roll_rows = ROLL_BLOCKS if run_options.roll_rows == ROLL_ROWS else run_options.roll_rows
    return PassSpec(
        schema=BLOCK_SCHEMA,
        verb=None,
        folder=None,
        format=format,
        compression=compression,
        output_columns=_choose_output_columns(table, schema, format),
        records=table,
        game=table.game,
        roll_rows=roll_rows,
        threads=run_options.thread_count(),
    )


def _choose_output_columns(table: RecordTable, schema: pa.Schema, format: Format) -> tuple[str, ...] | None:
    """Return the names of the columns of a table to write in one format, or None for all columns.

    Only planes can be written to a NumPy file, and only positions as text to a text file. Raise `BulkError`
    if the table has no such column, or the format cannot hold lists. `schema` is the schema of the table.
    """
    if format in (Format.CSV, Format.TSV) and table.kind == "games":
        raise BulkError(f"a table of games has lists, which {format} cannot hold; write parquet or jsonl")
    if format is Format.NPY:
        if "planes" not in schema.names:
            raise BulkError("a NumPy file holds planes; ask for them with --as planes, or write parquet")
        return ("planes",)
    if format is Format.TEXT:
        if "fen" not in schema.names:
            raise BulkError("a text file holds one text a line; ask for positions as fen, or write parquet")
        return ("fen",)
    return None


def _write_to_files(
    target: str, pass_spec: PassSpec, job_input: Input, run_options: RunOptions, progress: Progress | None
) -> PassResult:
    """Run a pass, write its output to the target, and return the counts of rows.

    The output is first written to several files in a folder beside the target, which are then joined. The
    target appears only when it is complete.
    """
    manifest = make_manifest(pass_spec, job_input)
    with checkpoints.open_parts_folder(target, manifest, resume=run_options.resume) as folder:
        if not needs_parts(target, pass_spec.format, run_options):
            return write_in_one_piece(target, pass_spec, job_input, folder, progress)
        parts_pass = replace(pass_spec, folder=str(folder.absolute()))
        parts = _run_pass(parts_pass, job_input, run_options, folder, progress)
        result = collect_parts(parts, job_input.shards)
        deliver_parts(result.paths, target, pass_spec.format, pass_spec.compression)
    return result


def _write_distinct_positions(
    target: str,
    pass_spec: PassSpec,
    table: RecordTable,
    job_input: Input,
    run_options: RunOptions,
    progress: Progress | None,
) -> DistinctResult:
    """Run a pass on records, and write only the first row of each position to the target.

    Return the counts of the rows that are written, and of those that are left out.
    """
    manifest = {**make_manifest(pass_spec, job_input), "unique": True}
    with open_work_folder(target, manifest, run_options) as folder:

        def run_record_pass(keyed_pass: PassSpec) -> PassResult:
            """Run a pass over the records, and return its counts and files."""
            parts = _run_pass(keyed_pass, job_input, run_options, folder, progress)
            return collect_parts(parts, job_input.shards)

        return write_distinct(target, pass_spec, run_options, folder, run_record_pass, table)


def _run_pass(
    pass_spec: PassSpec, job_input: Input, run_options: RunOptions, folder: Path, progress: Progress | None
) -> Generator[list[Part], None, None]:
    """Run a pass with the engine, and yield the output files (parts) of each finished shard.

    A shard is a part of the input. On a cluster the records are counted first, because each shard needs the
    number of its first game. The counts are written to `folder`.
    """
    if run_options.engine == LOCAL:
        yield from _run_in_order(pass_spec, job_input, progress)
        return
    shards = job_input.shards
    if len(shards) > 1:
        shards = _number_shards(pass_spec, job_input, run_options, folder / _STARTS_NOTE)
    yield from run_options.load_engine()(pass_spec, shards, progress)


def _run_in_order(
    pass_spec: PassSpec, job_input: Input, progress: Progress | None
) -> Generator[list[Part], None, None]:
    """Run a pass on one shard (part of the input) after the other, and yield the parts of each.

    In this order the number of the first game of each shard is known without counting the games before.
    """
    games_before = 0
    for shard in job_input.shards:
        numbered_shard = replace(shard, games_before=games_before)
        is_first_shard = shard.number == 0
        if job_input.opened_batches is not None and is_first_shard:
            output = PartWriter(pass_spec, shard=0, parts=[])
            reader = ShardReader(numbered_shard, job_input.opened_batches)
            numbered_output = add_game_numbering(pass_spec, numbered_shard, output, [])
            shard_work.process_rows(pass_spec, reader, numbered_output, skip=0, progress=progress)
            parts = output.parts
        else:
            parts = shard_work.run_shard(pass_spec, numbered_shard, progress)
        games_before += sum(part.tally.games for part in parts)
        yield parts
        # Fragments that the allocator keeps would add up over many shards.
        pa.default_memory_pool().release_unused()


def _number_shards(
    pass_spec: PassSpec, job_input: Input, run_options: RunOptions, note_path: Path
) -> list[Shard]:
    """Return the shards (parts of the input) with the games and lines before each counted.

    The engine counts all records and lines. The counts are written to the file `note_path`, from which a
    resumed job reads them.
    """
    if note_path.exists():
        counts_before = json.loads(note_path.read_text(encoding="utf-8"))["starts"]
    else:
        tally_by_shard = _count_records(pass_spec, job_input, run_options)
        counts_before = _sum_counts_before(job_input.shards, tally_by_shard)
        write_json(note_path, {"starts": counts_before})
    return [
        replace(shard, games_before=games, lines_before=lines)
        for shard, (games, lines) in zip(job_input.shards, counts_before, strict=True)
    ]


def _count_records(pass_spec: PassSpec, job_input: Input, run_options: RunOptions) -> dict[int, Tally]:
    """Count the records and lines of each shard with the engine, and return them by shard number.

    `pass_spec` is the pass that will read the same records.
    """
    table = None
    if pass_spec.records:
        # This table of every record takes the least work.
        table = RecordTable("games", pass_spec.records.game, pass_spec.records.variant, moves="san", tags=())
    count_pass = replace(pass_spec, records=table, folder=None, counts_only=True)
    run_shards = run_options.load_engine()
    # A shard that is only counted has one part.
    parts_by_shard = run_shards(count_pass, job_input.shards, None)
    return {part.shard: part.tally for part, *_ in parts_by_shard}


def _sum_counts_before(shards: Sequence[Shard], tally_by_shard: dict[int, Tally]) -> list[tuple[int, int]]:
    """Return the numbers of records and of lines before each shard.

    Records are counted across all files, and lines in the file of the shard. `shards` are all parts of the
    input, in order. `tally_by_shard` has the counts of each by its number.
    """
    games_before = 0
    lines_before = 0
    counts_before = []
    for shard in shards:
        begins_file = shard.first == 0
        if begins_file:
            lines_before = 0
        counts_before.append((games_before, lines_before))
        tally = tally_by_shard[shard.number]
        games_before += tally.games
        lines_before += tally.lines
    return counts_before


# --- tables as records again ------------------------------------------------------------------------


Rows: TypeAlias = "pa.Table | pa.RecordBatchReader | Iterable[pa.RecordBatch]"


def write_pgn(rows: Rows, target: str | os.PathLike[str], game: Game | str | None = None) -> int:
    """Write a table of games to a file of PGN, and return the number of its rows.

    Args:
        rows: The table, as an Arrow table, a reader or batches.
        target: The path or URL of the file to write.
        game: The game; None if it is named in the metadata of the table.

    Raises:
        BulkError: If a row is not a legal game, or the game is not known.
    """
    return _write_table(rows, os.fspath(target), Format.PGN, game)


def write_epd(rows: Rows, target: str | os.PathLike[str], game: Game | str | None = None) -> int:
    """Write a table of positions to a file of EPD, one per line, and return the number of its rows.

    Args:
        rows: The table, as an Arrow table, a reader or batches.
        target: The path or URL of the file to write.
        game: The game; None if it is named in the metadata of the table.

    Raises:
        BulkError: If a row has no position, the game has no EPD, or the game is not known.
    """
    return _write_table(rows, os.fspath(target), Format.EPD, game)


def _write_table(rows: Rows, target: str, format: Format, game: Game | str | None) -> int:
    """Write a table of games as PGN, or of positions as EPD, and return the number of its rows.

    Args:
        rows: The table, as an Arrow table, a reader or batches.
        target: The path or URL of the file to write.
        format: The format of the file, PGN or EPD.
        game: The game; None if it is named in the metadata of the table.

    Raises:
        BulkError: If there are no columns, a row cannot be written, or the game is not known.
    """
    batches = _iter_batches(rows)
    first_batch = next(batches, None)
    if isinstance(rows, pa.Table | pa.RecordBatchReader):
        schema = rows.schema
    else:
        schema = None if first_batch is None else first_batch.schema
    if schema is None:
        raise BulkError("there are no rows and no columns to write; give a table")
    if game is not None:
        known_game = registry.game(game)
        schema = with_game_metadata(schema, known_game.name, known_game.variant)
    if game_from_schema(schema) is None:
        raise BulkError("the table has no metadata that name its game; name the game")
    _, compression = detect_format(target, str(format))
    first_batches = [] if first_batch is None else [first_batch]
    with open_sink(target, schema, format, compression) as sink:
        for batch in chain(first_batches, batches):
            sink.write_batch(batch.replace_schema_metadata(schema.metadata))
        return sink.rows


def _iter_batches(rows: Any) -> Iterator[pa.RecordBatch]:
    """Return an iterator of the record batches of a table, a reader or an iterable of batches."""
    batches = rows.to_batches() if isinstance(rows, pa.Table) else rows
    return iter(batches)
