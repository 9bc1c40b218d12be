"""Deduplication: of the rows that hold the same position, keep one, the first or the best.

Rows are the same if their keys are, however their texts are written. The rows that are kept stay in their
order, with all columns unchanged. Rows that cannot be read, and rows without a text, are either all kept or
all left out.

There are three passes, each in constant memory. First the engine writes the key of every row, and the column
that determines which row is best, into parts. Then `distinct_rows` selects the rows to keep. Finally the
engine copies those rows. Standard input is copied into a file before, because it is read twice. A resumed run
keeps the parts of the first and the last pass, and repeats the selection.

For records (`write_distinct`) all rows are first written to a folder, with their keys. Then the first row of
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
from typing import Any, Final, Literal, Unpack, get_args

import numpy as np
import pyarrow as pa

from forsyth.bulk.batches import cast_to_schema, check_no_lost_columns
from forsyth.bulk.engines import checkpoints
from forsyth.bulk.engines.checkpoints import write_json
from forsyth.bulk.engines.job import PassSpec, Progress, RowSelection
from forsyth.bulk.errors import BulkError, require_known_options, require_one_of
from forsyth.bulk.jobs.distinct_rows import BitFile, CountFile, DistinctRows, compute_ranks
from forsyth.bulk.jobs.inspect_input import Input
from forsyth.bulk.jobs.report import Report
from forsyth.bulk.jobs.run_files import (
    AnyPath,
    JobOptions,
    JobSpec,
    PassResult,
    RunOptions,
    Sources,
    check_exclusive_options,
    collect_parts,
    make_heading,
    make_job_spec,
    make_manifest,
    resolve_target_format,
    run_pass,
    select_columns,
    select_text_lines,
    write_to_stream,
)
from forsyth.bulk.sinks import deliver_parts, is_streamed, open_sink
from forsyth.bulk.sources.files import Format, SourceFile
from forsyth.bulk.sources.shards import Shard, ShardReader, open_shard, plan_shards
from forsyth.bulk.verbs.record_table import RecordTable
from forsyth.bulk.verbs.text_column import find_root_column
from forsyth.bulk.verbs.verb import Verb

Keep = Literal["first", "best"]
Invalid = Literal["keep", "drop"]

KEY: Final = "key"
"""The name of the verb and of the form of positions that computes keys."""
_SELECTION_NOTE: Final = "rows.json"
"""Name of the file with the counts of a finished selection; it exists when the bits are complete."""
_BITS_FILE: Final = "rows.bits"
"""Name of the file with a bit for each row that is kept."""
_COUNTS_FILE: Final = "rows.counts"
"""Name of the file with the number of rows of each position."""


@dataclass(frozen=True, slots=True)
class Rule:
    """The rule by which a deduplication chooses the rows that are kept.

    The constructor raises `BulkError` if `keep` and `by` do not fit each other.
    """

    keep: Keep = "first"
    """Which row of a position is kept: the first, or the one with the largest value in the column `by`."""
    by: str | None = None
    """The column of numbers that determines the best row, for `keep` ``best``."""
    invalid: Invalid = "keep"
    """Whether rows that cannot be read, and rows without a text, are kept or dropped."""
    against: tuple[str, ...] = ()
    """Other files. Rows with a position that is in one of them are left out too."""
    count: str | None = None
    """The name of a new column with the number of rows that have the position; None for no such column."""

    def __post_init__(self) -> None:
        """Raise `BulkError` if an option is not valid, or `keep` and `by` do not fit each other."""
        require_one_of("keep", self.keep, get_args(Keep))
        require_one_of("invalid", self.invalid, get_args(Invalid))
        if self.keep == "best" and self.by is None:
            raise BulkError("--keep best needs a column of numbers; name it with --by")
        if self.keep == "first" and self.by is not None:
            raise BulkError("--by names the column that determines the best row; it needs --keep best")


@dataclass(frozen=True, slots=True)
class SelectionCounts:
    """The counts of rows after the rows to keep have been selected.

    They are written to a file, so that a resumed job does not repeat the selection.
    """

    rows: list[int]
    """Number of rows of each shard, which is a part of the input."""
    missing: int
    """Number of rows without a text."""
    unreadable: int
    """Number of rows whose text cannot be read."""
    duplicates: int
    """Number of rows that repeat the position of another row, or are excluded."""


def dedupe_files(
    sources: Sources,
    target: AnyPath,
    *,
    rule: Rule | None = None,
    run_options: RunOptions | None = None,
    **job_options: Unpack[JobOptions],
) -> Report:
    """Remove rows that repeat a position: write one row of each, and return the counts.

    Args:
        sources: A path, a pattern, a URL, or several of them.
        target: The path or URL of the file to write.
        rule: Which rows are kept; None keeps the first row of each position.
        run_options: How the job is run; None for the defaults.
        **job_options: See `forsyth.bulk.jobs.run_files.JobOptions`.

    Raises:
        BulkError: If the sources cannot be read, the target cannot be written, or options exclude each other.
    """
    require_known_options("dedupe_files", job_options, JobOptions)
    job_spec = make_job_spec("dedupe", sources, target, **job_options)
    return run_job(job_spec, rule or Rule(), run_options or RunOptions())


def run_job(job_spec: JobSpec, rule: Rule, run_options: RunOptions) -> Report:
    """Run a deduplication: write one row of each position, and return the counts.

    Args:
        job_spec: The sources, the target and other options of the job.
        rule: Which row of each position is kept.
        run_options: How the job is run.

    Raises:
        BulkError: If there is no target, the sources cannot be read, or options exclude each other.
    """
    if job_spec.target is None:
        raise BulkError("dedupe writes rows; name the target with -o")
    job_input = job_spec.inspect_input(packed=False, all_columns=True, run_options=run_options)
    check_exclusive_options(job_spec, job_input, run_options)
    _check_columns(rule, job_input)
    copy_all_pass = _make_copy_pass(job_spec, rule, job_input, run_options)
    progress = _start_progress(run_options, job_input)
    manifest = {
        **make_manifest(copy_all_pass, job_input),
        "rule": [rule.keep, rule.by, rule.invalid, list(rule.against), rule.count],
    }
    with open_work_folder(job_spec.target, manifest, run_options) as folder:
        if job_input.has_pipe:
            # The input is read twice.
            job_input = _copy_to_file(job_input, folder / "input.arrow")
        excluded_paths = _write_excluded_keys(job_spec, rule, job_input, run_options, folder)
        key_pass = _make_key_pass(job_spec, rule, job_input, run_options, folder)
        counts = _select_kept_rows(key_pass, rule, job_input, run_options, folder, progress, excluded_paths)
        rows_before = list(accumulate(counts.rows, initial=0))
        copy_pass = replace(copy_all_pass, selection=_make_selection(folder, rows_before, rule))
        result = _write_kept_rows(copy_pass, job_spec.target, job_input, run_options, folder, progress)
    return Report(
        make_heading(job_spec, job_input),
        rows=sum(counts.rows),
        written=result.tally.written,
        missing=counts.missing,
        unreadable=counts.unreadable,
        duplicates=counts.duplicates,
    )


def _start_progress(run_options: RunOptions, job_input: Input) -> Progress | None:
    """Start the progress bar of a deduplication, and return the function that advances it.

    Return None if the job has no progress bar.
    """
    if run_options.start_progress is None:
        return None
    # The input is read twice: first for the keys, then for the rows that are kept.
    total_bytes = None if job_input.total_bytes is None else 2 * job_input.total_bytes
    return run_options.start_progress(total_bytes)


@contextmanager
def open_work_folder(target: str, manifest: Mapping[str, Any], run_options: RunOptions) -> Iterator[Path]:
    """Yield a folder for the intermediate files of a job, and remove it when the job is finished.

    If the target is a stream, such as standard output, this is a temporary folder. Otherwise it is a folder
    beside the target, from which an interrupted job can be resumed.

    Args:
        target: The path or URL of the file to write.
        manifest: The sources and options of the job, which must be the same if the job is resumed.
        run_options: How the job is run.
    """
    if is_streamed(target):
        with tempfile.TemporaryDirectory(prefix="forsyth-") as name:
            yield Path(name)
        return
    with checkpoints.open_parts_folder(target, manifest, resume=run_options.resume) as folder:
        yield folder


def _check_columns(rule: Rule, job_input: Input) -> None:
    """Raise `BulkError` if the columns in a rule do not fit the input.

    The input must not have the new column `count`. It must have the column `by`, which must not be the column
    of texts.
    """
    column_names = job_input.schema.names
    if rule.count is not None and rule.count in column_names:
        raise BulkError(f"the data has a column {rule.count!r} already; name another for the counts")
    if rule.by is None:
        return
    if rule.by not in column_names:
        available = ", ".join(column_names)
        raise BulkError(f"there is no column {rule.by!r}; name another with --by: there are {available}")
    if rule.by == job_input.column:
        raise BulkError(f"the column {rule.by!r} holds the texts; name another with --by")


def _copy_to_file(job_input: Input, path: Path) -> Input:
    """Copy input that can be read only once, such as a pipe, to a new Arrow file at `path`.

    Return a description of the input with this file instead.
    """
    with open_sink(str(path), job_input.schema, Format.ARROW) as sink:
        for batch in _read_all_batches(job_input):
            sink.write_batch(batch)
    file = SourceFile(str(path), Format.ARROW, None, path.stat().st_size)
    return replace(
        job_input, files=[file], shards=plan_shards([file]), opened_batches=None, column_types=None
    )


def _read_all_batches(job_input: Input) -> Iterator[pa.RecordBatch]:
    """Yield the rows of all files of the input, with the columns that the files have in common.

    Raise `BulkError` if a file has other columns too, or a value cannot be converted.
    """
    for shard in job_input.shards:
        is_first_shard = shard.number == 0
        if job_input.opened_batches is not None and is_first_shard:
            yield from job_input.opened_batches
            continue
        for batches in ShardReader(shard, game=job_input.game, column_types=job_input.column_types):
            path = batches.shard.path
            check_no_lost_columns(batches.schema, job_input.schema, path)
            yield from (cast_to_schema(batch, job_input.schema, path) for batch in batches)


# --- the first pass ---------------------------------------------------------------------------------


def _make_key_pass(
    job_spec: JobSpec, rule: Rule, job_input: Input, run_options: RunOptions, folder: Path
) -> PassSpec:
    """Return the description of a pass over the input that writes the key of each position to files.

    The files are in a new folder ``keys`` in `folder`. Their first column has the keys. If the rule keeps the
    best row of each position, the second column is the column `by` of the rule.
    """
    text_column = find_root_column(job_input.schema, job_input.column).name
    rank_columns = [] if rule.by is None else [rule.by]
    input_columns = [text_column, *rank_columns]
    # The prefix is as long as the longest name, so that the column of keys has a name that no column has.
    longest_name = max(input_columns, key=len)
    prefix = "_" * len(longest_name)
    verb = Verb(
        name=KEY,
        game=job_input.game,
        variant=job_input.variant,
        column=job_input.column,
        mode=job_spec.mode,
        legality=job_spec.legality,
        prefix=prefix,
    )
    key_folder = folder / "keys"
    key_folder.mkdir(exist_ok=True)
    return PassSpec(
        schema=pa.schema([job_input.schema.field(name) for name in input_columns]),
        verb=verb,
        folder=str(key_folder.absolute()),
        format=Format.ARROW,
        output_columns=(prefix + KEY, *rank_columns),
        keep_all_columns=False,
        game=job_input.game,
        column_types=job_input.column_types,
        roll_rows=run_options.roll_rows,
        batch_rows=run_options.batch_rows,
        threads=run_options.thread_count(),
    )


# --- the second pass --------------------------------------------------------------------------------


def _write_excluded_keys(
    job_spec: JobSpec, rule: Rule, job_input: Input, run_options: RunOptions, folder: Path
) -> list[str]:
    """Write the keys of all positions in the files that the rule excludes (`against`) to new files.

    Return the paths of the new files. There are none if the rule excludes nothing, or an earlier run has
    selected the rows to keep already.
    """
    if not rule.against or (folder / _SELECTION_NOTE).exists():
        return []
    against_spec = replace(
        job_spec, sources=rule.against, column=None, game=job_input.game, variant=job_input.variant
    )
    against_input = against_spec.inspect_input(packed=False, all_columns=False, run_options=run_options)
    against_folder = folder / "against"
    against_folder.mkdir(exist_ok=True)
    key_pass = _make_key_pass(job_spec, Rule(), against_input, run_options, against_folder)
    parts = run_pass(key_pass, against_input, run_options, progress=None)
    return collect_parts(parts, against_input.shards).paths


def _make_selection(folder: Path, rows_before: Sequence[int], rule: Rule) -> RowSelection:
    """Return a description of the rows that are kept, which refers to files in `folder`.

    Args:
        folder: The folder with the file of bits, one for each row, and perhaps the file of counts.
        rows_before: The number of rows before each shard, which is a part of the input.
        rule: The rule, which may have a column for the counts.
    """
    bits_path = str((folder / _BITS_FILE).absolute())
    if rule.count is None:
        return RowSelection(bits_path, tuple(rows_before))
    counts_path = str((folder / _COUNTS_FILE).absolute())
    return RowSelection(bits_path, tuple(rows_before), counts=counts_path, count_column=rule.count)


def _select_kept_rows(
    key_pass: PassSpec,
    rule: Rule,
    job_input: Input,
    run_options: RunOptions,
    folder: Path,
    progress: Progress | None,
    excluded_paths: Sequence[str],
) -> SelectionCounts:
    """Select the rows to keep, write one bit for each row to a file in `folder`, and return counts.

    If an earlier run has finished the selection, only return its counts.

    Args:
        key_pass: The pass that writes the key of every row.
        rule: Which row of each position is kept.
        job_input: The input.
        run_options: How the job is run.
        folder: The folder of the intermediate files.
        progress: Advances the progress bar; None shows none.
        excluded_paths: Files with the keys of positions of which no row is kept.
    """
    note_path = folder / _SELECTION_NOTE
    if note_path.exists():
        return SelectionCounts(**json.loads(note_path.read_text(encoding="utf-8")))
    key_files = collect_parts(run_pass(key_pass, job_input, run_options, progress), job_input.shards)
    tally = key_files.tally
    bits = BitFile(folder / _BITS_FILE, tally.read)
    with DistinctRows(folder / "spill", tally.read, ranked=rule.by is not None) as distinct_rows:
        _add_keys(key_files.paths, rule, distinct_rows, bits)
        for batch in _read_batches(excluded_paths):
            distinct_rows.add_rows(batch.column(0), first_row=None, ranks=None)
    count_file = None if rule.count is None else CountFile(folder / _COUNTS_FILE, tally.read)
    kept_count = _mark_kept_rows(distinct_rows, bits, count_file)
    # One row of each position is kept. The other readable rows repeat a position or are excluded.
    readable_count = tally.read - tally.missing - tally.unreadable
    selection_counts = SelectionCounts(
        rows=key_files.rows,
        missing=tally.missing,
        unreadable=tally.unreadable,
        duplicates=readable_count - kept_count,
    )
    write_json(note_path, asdict(selection_counts))
    return selection_counts


def _mark_kept_rows(distinct_rows: DistinctRows, bits: BitFile, count_file: CountFile | None) -> int:
    """Set the bit of each row that is kept, close the files, and return the number of these rows.

    If `count_file` is not None, write to it how many rows have the position of each kept row.
    """
    kept_count = 0
    for rows, counts in distinct_rows.iter_kept_rows():
        bits.set_bits(rows)
        if count_file is not None:
            count_file.set_counts(rows, counts)
        kept_count += len(rows)
    bits.close()
    if count_file is not None:
        count_file.close()
    return kept_count


def _add_keys(paths: Sequence[str], rule: Rule, distinct_rows: DistinctRows, bits: BitFile) -> None:
    """Add the keys in some files, and the ranks that the rule needs, to `distinct_rows`.

    A row without a readable position has no key. If the rule keeps such rows, their bits are set in `bits`.

    Args:
        paths: Arrow files with the keys of all rows in the first column. If the rule keeps the best row, they
            have the values to rank in the second column.
        rule: Which row of each position is kept.
        distinct_rows: Receives the keys.
        bits: Receives a bit for each row without a key that is kept.
    """
    first_row = 0
    for batch in _read_batches(paths):
        keys, *rank_columns = batch.columns
        ranks = None if rule.by is None else compute_ranks(rank_columns[0], rule.by)
        distinct_rows.add_rows(keys, first_row, ranks)
        if keys.null_count and rule.invalid == "keep":
            has_no_key = keys.is_null().to_numpy(zero_copy_only=False)
            rows_without_key = np.flatnonzero(has_no_key).astype(np.uint64)
            bits.set_bits(rows_without_key + np.uint64(first_row))
        first_row += batch.num_rows


def _read_batches(paths: Sequence[str], columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
    """Yield the rows of Arrow files, one file after the other.

    `columns` are the names of the columns to read; None for all columns.
    """
    for path in paths:
        with open_shard(Shard(path, Format.ARROW), columns=columns) as batches:
            yield from batches


# --- the third pass ---------------------------------------------------------------------------------


def _make_copy_pass(job_spec: JobSpec, rule: Rule, job_input: Input, run_options: RunOptions) -> PassSpec:
    """Return the description of a pass that copies all rows to the target.

    The caller adds the selection of rows when it is known. Raise `BulkError` if the target cannot hold the
    columns.
    """
    format, compression = resolve_target_format(str(job_spec.target), job_spec.format_out, job_input.schema)
    all_columns_pass = PassSpec(
        schema=job_input.schema,
        verb=None,
        folder=None,
        format=format,
        compression=compression,
        game=job_input.game,
        column_types=job_input.column_types,
        roll_rows=run_options.roll_rows,
        batch_rows=run_options.batch_rows,
        threads=run_options.thread_count(),
    )
    if format is Format.TEXT:
        if rule.count is not None:
            raise BulkError("a text file holds one text a line, and no counts; write parquet, csv or jsonl")
        return select_text_lines(all_columns_pass, job_spec, job_input.column)
    # The counts are not a column of the data, so `select_columns` must not look for them. They are written
    # if all columns are, or if they are selected.
    selected_data_columns = [name for name in job_spec.select if name != rule.count]
    copy_pass = select_columns(all_columns_pass, selected_data_columns)
    if rule.count not in job_spec.select:
        return copy_pass
    return replace(copy_pass, output_columns=tuple(job_spec.select))


def _write_kept_rows(
    copy_pass: PassSpec,
    target: str,
    job_input: Input,
    run_options: RunOptions,
    folder: Path,
    progress: Progress | None,
) -> PassResult:
    """Copy the rows that `copy_pass` selects to the target, and return their counts.

    If the target is a stream, such as standard output, the rows are written to it directly. Otherwise they
    are written to parts in `folder`, and the target is joined from the parts.
    """
    if is_streamed(target):
        return write_to_stream(target, copy_pass, job_input, progress)
    parts_folder = folder / "kept"
    parts_folder.mkdir(exist_ok=True)
    parts_pass = replace(copy_pass, folder=str(parts_folder.absolute()))
    result = collect_parts(run_pass(parts_pass, job_input, run_options, progress), job_input.shards)
    deliver_parts(result.paths, target, copy_pass.format, copy_pass.compression)
    return result


# --- positions of records ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DistinctResult:
    """The counts of a job that writes each position of records once."""

    total: PassResult
    """Result of the pass over all positions, repeated ones included."""
    written: int
    """Number of rows that were written to the target."""
    duplicates: int
    """Number of rows that were left out, because they repeat a position."""


def add_key_form(table: RecordTable) -> RecordTable:
    """Return the description of a table of positions, with the column ``key`` if it is missing."""
    if KEY in table.forms:
        return table
    return replace(table, forms=(*table.forms, KEY))


def write_distinct(
    target: str,
    pass_spec: PassSpec,
    run_options: RunOptions,
    folder: Path,
    run_record_pass: Callable[[PassSpec], PassResult],
    table: RecordTable,
) -> DistinctResult:
    """Write the first row of each position of records to a target, and return the counts.

    All rows are first written to files in `folder`, with the keys of their positions.

    Args:
        target: The path or URL of the file to write.
        pass_spec: The pass that would write all rows to the target. It is not run itself.
        run_options: How the job is run.
        folder: The folder for intermediate files.
        run_record_pass: Runs a pass over the records and returns its result.
        table: The table of positions to write.
    """
    row_folder = folder / "rows"
    row_folder.mkdir(exist_ok=True)
    keyed_pass = replace(
        pass_spec,
        records=add_key_form(table),
        folder=str(row_folder.absolute()),
        format=Format.ARROW,
        compression=None,
        output_columns=None,
    )
    keyed_result = run_record_pass(keyed_pass)
    row_counts = _mark_first_rows(keyed_result.paths, folder)
    rows_before = list(accumulate(row_counts, initial=0))
    copy_pass = replace(
        pass_spec,
        schema=keyed_pass.make_result_schema(),
        records=None,
        selection=_make_selection(folder, rows_before, Rule()),
        output_columns=pass_spec.output_columns or tuple(table.schema().names),
    )
    keyed_input = _describe_keyed_files(keyed_result.paths, copy_pass)
    result = _write_kept_rows(copy_pass, target, keyed_input, run_options, folder, progress=None)
    written = result.tally.written
    return DistinctResult(total=keyed_result, written=written, duplicates=sum(row_counts) - written)


def _describe_keyed_files(paths: Sequence[str], copy_pass: PassSpec) -> Input:
    """Return the description of an input that consists of the Arrow files with all rows of records.

    `copy_pass` is the pass that will read them.
    """
    return Input(
        files=[],
        shards=[Shard(path, Format.ARROW, number=number) for number, path in enumerate(paths)],
        schema=copy_pass.schema,
        column=KEY,
        game=copy_pass.game or "",
        variant=None,
        is_game_detected=False,
        opened_batches=None,
    )


def _mark_first_rows(paths: Sequence[str], folder: Path) -> list[int]:
    """Write a file in `folder` with a bit for each row, which is set in the first row of a position.

    `paths` are Arrow files with all rows, which have a column ``key``. Return the number of rows in each
    file.
    """
    row_counts = [sum(map(len, _read_batches([path], [KEY]))) for path in paths]
    total_rows = sum(row_counts)
    bits = BitFile(folder / _BITS_FILE, total_rows)
    first_row = 0
    with DistinctRows(folder / "spill", total_rows, ranked=False) as distinct_rows:
        for batch in _read_batches(paths, [KEY]):
            distinct_rows.add_rows(batch.column(KEY), first_row, ranks=None)
            first_row += len(batch)
    _mark_kept_rows(distinct_rows, bits, count_file=None)
    return row_counts
