"""Jobs on files from the sources to the report: inspect the input, run the engine, join the parts, count.

`run_files` applies any verb to files, `scan_files` the most common one. The target is written completely or
not at all: it appears under its name when everything is done, and an existing file of that name stays until
then. A target that ends with ``/`` is a new directory of parts. Rows for standard output (``-``), a device or
a named pipe are written as soon as they are ready.

Limits: a job that reads standard input or a pipe, or writes to one, cannot be resumed and needs the local
engine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, TypedDict, Unpack

import pyarrow as pa

import forsyth
from forsyth import registry
from forsyth.bulk.engines import checkpoints, shard_work
from forsyth.bulk.engines.checkpoints import Part, PartWriter, SinkOutput
from forsyth.bulk.engines.job import BATCH_ROWS, ROLL_ROWS, ROW_COLUMN, PassSpec, Progress, Tally, count_cores
from forsyth.bulk.engines.records import add_game_numbering
from forsyth.bulk.errors import STANDARD, BulkError, require_columns, require_known_options
from forsyth.bulk.jobs.inspect_input import Input, inspect_input
from forsyth.bulk.jobs.report import Heading, Report, make_report
from forsyth.bulk.sinks import (
    check_target,
    check_writable,
    deliver_parts,
    is_directory_target,
    is_streamed,
    open_sink,
)
from forsyth.bulk.sources.files import Compression, CsvDialect, Format, detect_format, has_known_ending
from forsyth.bulk.sources.shards import Shard, ShardReader
from forsyth.bulk.verbs.text_column import find_root_column
from forsyth.bulk.verbs.verb import Verb
from forsyth.bulk.where import find_field_path
from forsyth.diagnostics import Mode
from forsyth.game import Game

LOCAL: Final = "local"
ENGINES: Final = (LOCAL, "ray", "spark")
_COSTLY_TO_JOIN: Final = (Format.PARQUET, Format.ARROW, Format.ARROWS)
"""Formats whose parts must be decoded and encoded again to be joined."""
_PLANE_BYTES: Final = 16 << 20
"""Upper bound on the tensors of a batch, in bytes; it limits the rows of a batch."""

AnyPath = str | os.PathLike[str]
Sources = AnyPath | Sequence[AnyPath]
"""A path, a pattern or a URL, or several of them."""

Engine = Callable[[PassSpec, Sequence[Shard], Progress | None], Iterable[list[Part]]]
ProgressStarter = Callable[[int | None], Progress]
"""Starts a progress bar with the total number of bytes, and returns the function that advances it.

The number is None if it is not known.
"""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a job is run, such as its engine. The result does not depend on these options."""

    engine: str = LOCAL
    """The engine that distributes the work, one of `ENGINES`."""
    threads: int | None = None
    """Number of batches to process at the same time.

    None means the number of cores, or on a cluster, one in each worker.
    """
    resume: bool = False
    """Whether to continue a job that was stopped, and to keep its parts if it is stopped again."""
    start_progress: ProgressStarter | None = None
    """Called before the work begins; None shows no progress."""
    start_count_progress: ProgressStarter | None = None
    """Called before an index is counted, with the number of parts to count; None shows no progress."""
    roll_rows: int = ROLL_ROWS
    """Number of rows read for one part of the output."""
    batch_rows: int = BATCH_ROWS
    """Maximum number of rows of a batch."""
    shard_bytes: int | None = None
    """Approximate size of a shard in bytes; None for the default."""

    def thread_count(self) -> int:
        """Return the number of threads of one process: `threads`, or the default if it is None.

        The default is the number of cores, or 1 on a cluster, where every core has a worker of its own.
        """
        default_count = count_cores() if self.engine == LOCAL else 1
        return self.threads or default_count

    def load_engine(self) -> Engine:
        """Import the engine, such as ``ray``, and return its function `run_shards`, which runs a pass.

        Raise `BulkError` if there is no such engine or it is not installed.
        """
        if self.engine == LOCAL:
            return shard_work.run_shards
        if self.engine not in ENGINES:
            raise BulkError(f"there is no engine {self.engine!r}; choose one of {', '.join(ENGINES)}")
        try:
            engine: Engine = import_module(f"forsyth.bulk.{self.engine}").run_shards
        except ImportError as error:
            raise BulkError(
                f"the engine {self.engine} is not installed: pip install 'forsyth[{self.engine}]'"
            ) from error
        return engine


@dataclass(frozen=True, slots=True)
class JobSpec:
    """The specification of a job on files: the verb, the sources, the target and the options."""

    verb: str
    sources: Sequence[str] = ()
    """Patterns of the files; standard input if there are none."""
    target: str | None = None
    """Path or URL of the file to write; None writes no rows."""
    game: str | None = None
    """Name of the game; None to detect it."""
    variant: str | None = None
    column: str | None = None
    """Name of the column with the texts; None to detect it."""
    mode: Mode = "default"
    legality: bool | None = None
    """Whether to check that positions are legal; None for the default of the verb."""
    options: Mapping[str, str | int | float] = field(default_factory=dict)
    """Options that only this verb has."""
    format_in: str | None = None
    """Format of the sources; None to detect it from each name."""
    format_out: str | None = None
    """Format of the target; None to detect it from its name."""
    prefix: str = ""
    """Prefix for the names of the columns that the verb adds."""
    select: Sequence[str] = ()
    """Columns to write, in this order; all columns if there are none."""
    rows: str | None = None
    """Path of a second file beside a NumPy file, for the columns and the row number of each tensor."""
    delimiter: str | None = None
    """Delimiter between the cells of CSV and TSV; None for a comma or a tab."""
    header: bool = True
    """Whether the first line of CSV names the columns."""
    typed: bool = True
    """Whether columns of numbers in CSV are read as numbers."""

    def inspect_input(self, *, packed: bool, all_columns: bool, run_options: RunOptions) -> Input:
        """Find the files of the job, their columns, and the game of the texts.

        Args:
            packed: Whether the column has packed forms instead of texts.
            all_columns: Whether all columns are read; otherwise only the column of the texts.
            run_options: How the job is run. Only the size of a shard is used.

        Raises:
            BulkError: If a file, the column or the game is missing, or the columns of the files do not fit.
        """
        return inspect_input(
            self.sources,
            format_name=self.format_in,
            dialect=CsvDialect(self.delimiter, self.header, self.typed),
            game=self.game,
            variant=self.variant,
            column=self.column,
            packed=packed,
            all_columns=all_columns,
            shard_bytes=run_options.shard_bytes,
        )


class JobOptions(TypedDict, total=False):
    """The keyword arguments of `run_files`, `scan_files` and `dedupe_files`, for editors and type checkers.

    They are the fields of `JobSpec`.
    """

    game: Game | str | None
    variant: str | None
    column: str | None
    mode: Mode
    legality: bool | None
    options: Mapping[str, str | int | float]
    format_in: str | None
    format_out: str | None
    prefix: str
    select: Sequence[str]
    rows: str | None
    delimiter: str | None
    header: bool
    typed: bool


def scan_files(
    sources: Sources,
    target: AnyPath | None = None,
    *,
    run_options: RunOptions | None = None,
    **job_options: Unpack[JobOptions],
) -> Report:
    """Find what is wrong with the texts of files, and return the report.

    Args:
        sources: A path, a pattern, a URL, or several of them.
        target: The path or URL of a file for the rows with their findings; None writes no rows.
        run_options: How the job is run; None for the defaults.
        **job_options: See `JobOptions`.

    Raises:
        BulkError: If the sources cannot be read, the target cannot be written, or options exclude each other.
    """
    require_known_options("scan_files", job_options, JobOptions)
    return run_files("scan", sources, target, run_options=run_options, **job_options)


def run_files(
    verb: str,
    sources: Sources,
    target: AnyPath | None,
    *,
    run_options: RunOptions | None = None,
    **job_options: Unpack[JobOptions],
) -> Report:
    """Apply a verb to all rows of files, write the results to a target, and return the report.

    Args:
        verb: The verb, such as `scan`, `key` or `normalise`.
        sources: A path, a pattern, a URL, or several of them.
        target: The path or URL of the file to write; None writes no rows, which only `scan` can do.
        run_options: How the job is run; None for the defaults.
        **job_options: See `JobOptions`. The options of a single verb go into `options`.

    Raises:
        BulkError: If the sources cannot be read, the target cannot be written, or options exclude each other.
    """
    require_known_options(
        "run_files", job_options, JobOptions, remedy="options of a single verb go into options"
    )
    return run_job(make_job_spec(verb, sources, target, **job_options), run_options or RunOptions())


def make_job_spec(
    verb: str,
    sources: Sources,
    target: AnyPath | None,
    *,
    game: Game | str | None = None,
    variant: str | None = None,
    **spec_fields: Any,
) -> JobSpec:
    """Return the specification of a job, in which paths and the game are texts.

    Args:
        verb: The verb, such as `scan`.
        sources: A path, a pattern or a URL, or several of them.
        target: The path or URL of the file to write; None writes no rows.
        game: The game, or its name; None to detect it.
        variant: The variant; None for that of `game`.
        **spec_fields: Other fields of `JobSpec`.
    """
    source_list = [sources] if isinstance(sources, str | os.PathLike) else sources
    if game is None or isinstance(game, str):
        game_name = game
        game_variant = variant
    else:
        game_name, own_variant = _name_game(game)
        game_variant = variant or own_variant
    return JobSpec(
        verb,
        [os.fspath(source) for source in source_list],
        None if target is None else os.fspath(target),
        game_name,
        game_variant,
        **spec_fields,
    )


def _name_game(game: Game) -> tuple[str, str | None]:
    """Return the name of a game and the name of its variant, which is None if it is the default one."""
    known_game = registry.game(game)
    default_variant = registry.game(known_game.name).variant
    variant = None if known_game.variant == default_variant else known_game.variant
    return known_game.name, variant


def run_job(job_spec: JobSpec, run_options: RunOptions) -> Report:
    """Run a job: apply its verb to all rows of its sources, write its target, and return the report.

    Raise `BulkError` if the sources cannot be read, the target cannot be written, or options exclude each
    other.
    """
    target = job_spec.target
    if target is None and job_spec.verb != "scan":
        raise BulkError(f"{job_spec.verb} writes rows; name the target with -o")
    # Without a target the rows are only counted, which needs only the texts.
    job_input = job_spec.inspect_input(
        packed=job_spec.verb == "unpack", all_columns=target is not None, run_options=run_options
    )
    check_exclusive_options(job_spec, job_input, run_options)
    pass_spec = make_pass(job_spec, job_input, run_options)
    start_progress = run_options.start_progress
    progress = None if start_progress is None else start_progress(job_input.total_bytes)
    if target is None:
        parts = run_pass(pass_spec, job_input, run_options, progress)
        result = collect_parts(parts, job_input.shards)
    elif is_streamed(target):
        result = write_to_stream(target, pass_spec, job_input, progress)
    else:
        result = _write_to_files(target, pass_spec, job_input, run_options, progress)
        if job_spec.rows is not None:
            row_pass = make_row_file_pass(job_spec, job_input, run_options, result)
            _write_to_files(job_spec.rows, row_pass, job_input, run_options, progress=None)
    return make_report(make_heading(job_spec, job_input), result.tally, job_input.shards, result.rows)


# --- planning the passes ----------------------------------------------------------------------------


def check_exclusive_options(job_spec: JobSpec, job_input: Input, run_options: RunOptions) -> None:
    """Raise `BulkError` if the target cannot be written, or options exclude each other.

    A job that reads or writes a stream, such as standard input, cannot be resumed or run on a cluster.
    """
    writes_stream = job_spec.target is not None and is_streamed(job_spec.target)
    writes_file = job_spec.target is not None and not writes_stream
    if run_options.resume and (job_input.has_pipe or not writes_file):
        raise BulkError("--resume needs files to read and a file to write; name them, the target with -o")
    if run_options.engine != LOCAL and (job_input.has_pipe or writes_stream):
        raise BulkError(
            f"the engine {run_options.engine} reads and writes files; name them, the target with -o"
        )
    if job_spec.target is not None:
        check_target(job_spec.target)


def make_pass(job_spec: JobSpec, job_input: Input, run_options: RunOptions) -> PassSpec:
    """Return the description of a pass over the input that applies the verb of a job.

    Without a target the pass only counts rows. The caller has to add a folder if the pass writes parts of the
    output. Raise `BulkError` if the game does not have the verb, or the target cannot hold the result.
    """
    verb = Verb(
        name=job_spec.verb,
        game=job_input.game,
        variant=job_input.variant,
        column=job_input.column,
        mode=job_spec.mode,
        legality=job_spec.legality,
        options=dict(job_spec.options),
        prefix=job_spec.prefix,
    )
    text_schema = pa.schema([find_root_column(job_input.schema, job_input.column)])
    plain_pass = PassSpec(
        schema=job_input.schema,
        verb=verb,
        folder=None,
        game=job_input.game,
        column_types=job_input.column_types,
        roll_rows=run_options.roll_rows,
        batch_rows=_limit_batch_rows(verb, run_options.batch_rows),
        threads=run_options.thread_count(),
    )
    if job_spec.target is None:
        return replace(plain_pass, schema=text_schema, keep_all_columns=False, counts_only=True)
    format, compression = resolve_target_format(
        job_spec.target, job_spec.format_out, plain_pass.make_result_schema()
    )
    if job_spec.rows is not None:
        check_row_file(job_spec, job_input, format)
    if format is Format.NPY and job_spec.verb != "planes":
        raise BulkError("only planes can be written to a NumPy file; choose another format, such as parquet")
    write_pass = replace(plain_pass, format=format, compression=compression)
    pass_spec = select_columns(write_pass, job_spec.select)
    if format is Format.NPY:
        plane_columns = (f"{verb.prefix}planes",)
        return replace(pass_spec, schema=text_schema, keep_all_columns=False, output_columns=plane_columns)
    if format is Format.TEXT:
        return select_text_lines(pass_spec, job_spec, verb.find_output_text_column())
    return pass_spec


def _limit_batch_rows(verb: Verb, batch_rows: int) -> int:
    """Return the maximum number of rows of a batch, at most `batch_rows`, less for tensors.

    The tensors (planes) of a batch must fit into memory. Raise `BulkError` if the verb computes features or
    planes, and the game has none.
    """
    game = verb.load_game()
    if verb.name == "features":
        require_columns(game, "features")
    if verb.name != "planes":
        return batch_rows
    rows_in_memory = _PLANE_BYTES // require_columns(game, "planes").plane_shape.size
    return max(1, min(batch_rows, rows_in_memory))


def select_columns(pass_spec: PassSpec, names: Sequence[str]) -> PassSpec:
    """Return the description of a pass that writes only some columns, and reads only what it needs.

    Args:
        pass_spec: The pass that writes all columns.
        names: The names of the columns to write, in this order. If there are none, `pass_spec` is returned.

    Raises:
        BulkError: If there is no column of a name, or a name is repeated.
    """
    if not names:
        return pass_spec
    known_names = pass_spec.make_result_schema().names
    for name in names:
        if name not in known_names:
            raise BulkError(
                f"there is no column {name!r} to select; there are {', '.join(map(repr, known_names))}"
            )
    repeated_names = [name for name in names if list(names).count(name) > 1]
    if repeated_names:
        raise BulkError(f"the column {repeated_names[0]!r} is selected twice; name each column once")
    verb = pass_spec.verb
    verb_columns = [] if verb is None else [verb.column, *verb.list_source_columns()]
    source_names = {_find_source_column(pass_spec.schema, name) for name in verb_columns}
    needed_names = source_names.union(names)
    kept_fields = [column for column in pass_spec.schema if column.name in needed_names]
    schema = pa.schema(kept_fields, pass_spec.schema.metadata)
    return replace(pass_spec, schema=schema, keep_all_columns=False, output_columns=tuple(names))


def _find_source_column(schema: pa.Schema, name: str) -> str:
    """Return the name of the column that contains a field: ``board`` for ``board.fen``.

    If `name` is a column itself, or the data does not have it, it is returned unchanged.
    """
    try:
        column_index, *_ = find_field_path(schema, name)
    except BulkError:
        return name
    return str(schema.field(column_index).name)


def check_row_file(job_spec: JobSpec, job_input: Input, format: Format) -> None:
    """Raise `BulkError` if the file with the columns of tensors (``--rows``) cannot be written.

    The target of the job must be a NumPy file, which cannot hold these columns. `format` is the format of the
    target.
    """
    if format is not Format.NPY or job_spec.rows is None:
        raise BulkError(
            f"--rows writes a file beside a NumPy file, but {format} holds all columns itself; "
            "leave out --rows"
        )
    if is_streamed(job_spec.rows) or job_input.has_pipe:
        raise BulkError("--rows needs files to read and a file to write; name them")
    if ROW_COLUMN in job_input.schema.names:
        raise BulkError(f"the data has a column {ROW_COLUMN!r} already; rename it")
    resolve_target_format(job_spec.rows, None, job_input.schema)
    check_target(job_spec.rows)


def make_row_file_pass(
    job_spec: JobSpec, job_input: Input, run_options: RunOptions, result: PassResult
) -> PassSpec:
    """Return the description of a pass that writes the columns and row number of each tensor.

    The file that it writes is named by the option ``--rows``. `result` is the result of the pass that has
    written the tensors. It has the number of rows of each shard, which is a part of the input.
    """
    # The prefix is longer than any name, so that the column of keys has a name that no column has.
    longest_name = max(job_input.schema.names, key=len)
    prefix = "_" * (len(longest_name) + 1)
    # Rows with a tensor are those with a key.
    verb = Verb(
        name="key",
        game=job_input.game,
        variant=job_input.variant,
        column=job_input.column,
        mode=job_spec.mode,
        legality=job_spec.legality,
        prefix=prefix,
    )
    format, compression = resolve_target_format(str(job_spec.rows), None, job_input.schema)
    return PassSpec(
        schema=job_input.schema,
        verb=verb,
        folder=None,
        format=format,
        compression=compression,
        output_columns=(*job_input.schema.names, ROW_COLUMN),
        rows_before=tuple(accumulate(result.rows, initial=0)),
        game=job_input.game,
        column_types=job_input.column_types,
        roll_rows=run_options.roll_rows,
        batch_rows=run_options.batch_rows,
        threads=run_options.thread_count(),
    )


def select_text_lines(pass_spec: PassSpec, job_spec: JobSpec, column: str | None) -> PassSpec:
    """Return the description of a pass that writes one column of texts as the lines of a text file.

    Args:
        pass_spec: The pass that writes all columns.
        job_spec: The job. Other columns of the data may be lost if it names the format of its target.
        column: The name of the column to write; None if the result of the verb is not one column of texts.

    Raises:
        BulkError: If the result of the verb is not one column of texts, or other columns would be lost.
    """
    if column is None:
        raise BulkError(
            f"a text file holds one text a line, and not what {job_spec.verb} writes; "
            "write parquet, csv or jsonl"
        )
    if column not in pass_spec.make_result_schema().names:
        raise BulkError(
            f"the texts are inside a column ({column}), which a text file cannot hold; "
            "write parquet, csv or jsonl"
        )
    input_column = pass_spec.verb.column if pass_spec.verb is not None else column
    lost_names = [name for name in pass_spec.schema.names if name not in (column, input_column)]
    if lost_names and job_spec.format_out is None:
        raise BulkError(
            f"a text file holds one text a line, and {', '.join(map(repr, lost_names))} would be lost; write "
            "parquet, csv or jsonl, or ask for lines with --to text (in Python format_out='text')"
        )
    return replace(pass_spec, output_columns=(column,))


def resolve_target_format(
    target: str, format_name: str | None, schema: pa.Schema
) -> tuple[Format, Compression | None]:
    """Return the format and the compression of a target.

    Args:
        target: The path of the target. Its ending determines the format. A directory (``parts/``) gives
            Parquet. A stream, such as standard output, gives text for one column of texts, else JSON lines.
        format_name: A format that is used instead; None to use the ending.
        schema: The columns to write.

    Raises:
        BulkError: If the format is unknown or cannot hold the columns.
    """
    if format_name is None:
        if is_streamed(target) and not has_known_ending(target):
            is_one_text = len(schema) == 1 and pa.types.is_large_string(schema.field(0).type)
            has_texts_only = is_one_text or schema.names == ["fen"]
            return (Format.TEXT if has_texts_only else Format.JSONL), None
        if target.endswith("/"):
            return Format.PARQUET, None
    format, compression = detect_format(target.rstrip("/"), format_name)
    check_writable(target, format, compression, schema)
    return format, compression


def make_heading(job_spec: JobSpec, job_input: Input) -> Heading:
    """Return the first part of the report of a job: the verb, the game, the sources and the target."""
    by = job_spec.options.get("by")
    return Heading(
        verb=job_spec.verb,
        game=job_input.game,
        variant=job_input.variant,
        detected=job_input.is_game_detected,
        column=job_input.column,
        mode=job_spec.mode,
        sources=tuple(job_spec.sources) or (STANDARD,),
        target=job_spec.target,
        by=None if by is None else str(by),
    )


def make_manifest(pass_spec: PassSpec, job_input: Input) -> dict[str, Any]:
    """Return a description of a job as data for JSON. A job can only be resumed if it is the same.

    It has the version of Forsyth, the options, and the path, the size and the time or version of each file.
    """
    pass_data = pass_spec.to_dict()
    # The place of the folder and the number of threads do not change the result.
    del pass_data["folder"], pass_data["threads"]
    return {
        "forsyth": forsyth.build_info()["version"],
        "job": pass_data,
        "sources": [[file.path, file.size, file.stamp] for file in job_input.files],
        "shards": len(job_input.shards),
    }


# --- running a pass ---------------------------------------------------------------------------------


@dataclass(slots=True)
class PassResult:
    """The counts of a pass over the whole input, and the files that it has written."""

    tally: Tally
    """The counts of all rows."""
    rows: list[int]
    """Number of rows of each shard, which is a part of the input."""
    paths: list[str]
    """Paths of the files with the output, in the order of the rows."""


def collect_parts(results: Generator[list[Part], None, None], shards: Sequence[Shard]) -> PassResult:
    """Add up the counts of all shards, and collect the paths of their output in the right order.

    A shard is a part of the input. A `Part` describes a file with some of the output.

    Args:
        results: The parts of each shard, in the order in which the shards are finished.
        shards: The shards of the input, which determine the order of the paths.

    Raises:
        BulkError: If a shard was not finished.
    """
    total = PassResult(Tally(), [], [])
    # Shards that are finished before an earlier one wait here.
    early_parts: dict[int, list[Part]] = {}
    # An interrupted engine stops its workers when it is closed, before their folder is removed.
    with closing(results):
        for parts in results:
            early_parts[parts[0].shard] = parts
            while (next_parts := early_parts.pop(len(total.rows), None)) is not None:
                tally = sum((part.tally for part in next_parts), Tally())
                total.tally += tally
                total.rows.append(tally.read)
                total.paths += [part.path for part in next_parts if part.path is not None]
    unfinished_count = len(shards) - len(total.rows)
    if unfinished_count:
        raise BulkError(
            f"{unfinished_count} of {len(shards)} parts of the input were not finished; run the command again"
        )
    return total


def run_pass(
    pass_spec: PassSpec, job_input: Input, run_options: RunOptions, progress: Progress | None
) -> Generator[list[Part], None, None]:
    """Run a pass with the engine, and yield the output files (parts) of each finished shard.

    A shard is a part of the input. If the first shard is open already, because it can be read only once, it
    is read in this process.

    Args:
        pass_spec: The description of the pass.
        job_input: The input.
        run_options: How the pass is run.
        progress: Advances the progress bar; None shows none.
    """
    shards = job_input.shards
    if job_input.opened_batches is not None:
        output = PartWriter(pass_spec, shard=0, parts=[])
        reader = ShardReader(shards[0], job_input.opened_batches)
        shard_work.process_rows(pass_spec, reader, output, skip=0, progress=progress)
        yield output.parts
        shards = shards[1:]
    yield from run_options.load_engine()(pass_spec, shards, progress)


def write_to_stream(
    target: str, pass_spec: PassSpec, job_input: Input, progress: Progress | None
) -> PassResult:
    """Run a pass, write its rows to a stream as soon as they are ready, and return their counts.

    `target` is standard output (``-``), a pipe or a device, or a new file. The shards (parts of the input)
    are processed one after the other.
    """
    row_counts = []
    with open_sink(target, pass_spec.make_result_schema(), pass_spec.format, pass_spec.compression) as sink:
        output = SinkOutput(sink)
        for shard in job_input.shards:
            rows_before = output.tally.read
            is_first_shard = shard.number == 0
            if job_input.opened_batches is not None and is_first_shard:
                reader = ShardReader(shard, job_input.opened_batches)
            else:
                reader = shard_work.open_shard_files(pass_spec, shard)
            numbered_shard = replace(shard, games_before=output.tally.games)
            numbered_output = add_game_numbering(pass_spec, numbered_shard, output, [])
            shard_work.process_rows(pass_spec, reader, numbered_output, skip=0, progress=progress)
            row_counts.append(output.tally.read - rows_before)
            # Fragments that the allocator keeps would add up over many shards.
            pa.default_memory_pool().release_unused()
    return PassResult(output.tally, row_counts, paths=[])


def needs_parts(target: str, format: Format, run_options: RunOptions) -> bool:
    """Return whether the output has to be written in parts.

    It has to if the target is a directory, the job may be resumed, the workers of a cluster write it, or the
    caller chose the size of the parts. In other jobs, Parquet and Arrow are written as one file, because
    joining parts would decode and encode all rows again. The parts of other formats are joined as bytes.
    """
    may_be_continued = run_options.resume or run_options.engine != LOCAL
    has_chosen_parts = is_directory_target(target) or run_options.roll_rows != ROLL_ROWS
    return may_be_continued or has_chosen_parts or format not in _COSTLY_TO_JOIN


def write_in_one_piece(
    target: str, pass_spec: PassSpec, job_input: Input, folder: Path, progress: Progress | None
) -> PassResult:
    """Run a pass on this machine, write one file to `folder`, and move it to the target.

    Return the counts.
    """
    path = checkpoints.make_part_path(str(folder.absolute()), 0, 0, pass_spec.ending)
    result = write_to_stream(path, pass_spec, job_input, progress)
    deliver_parts([path], target, pass_spec.format, pass_spec.compression)
    return result


def _write_to_files(
    target: str, pass_spec: PassSpec, job_input: Input, run_options: RunOptions, progress: Progress | None
) -> PassResult:
    """Run a pass, write its output to the target, and return the counts of rows.

    The target appears only when it is complete. A job that needs no parts writes one file. Any other job
    writes several files in a folder beside the target, which are then joined.
    """
    manifest = make_manifest(pass_spec, job_input)
    with checkpoints.open_parts_folder(target, manifest, resume=run_options.resume) as folder:
        if not needs_parts(target, pass_spec.format, run_options):
            return write_in_one_piece(target, pass_spec, job_input, folder, progress)
        parts_pass = replace(pass_spec, folder=str(folder.absolute()))
        parts = run_pass(parts_pass, job_input, run_options, progress)
        result = collect_parts(parts, job_input.shards)
        deliver_parts(result.paths, target, pass_spec.format, pass_spec.compression)
    return result
