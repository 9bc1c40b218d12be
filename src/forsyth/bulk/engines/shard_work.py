"""Processing of shards: one shard, all shards on this machine, and shards as tasks for workers of a cluster.

`run_shard` is used by all engines. It reads a shard, processes every batch as the pass requires, and writes
parts (`checkpoints`). Finished parts are kept, and the work continues behind them. Therefore it may be called
again for the same shard after any failure. Its output depends on the pass and the shard only, not on the
engine.

Within a shard, the calling thread reads, `threads` other threads process batches (the kernels release the
GIL), and one thread writes. Two threads or more also parse the blocks of text that are read. The number of
batches in progress is limited, and so is the memory. Ctrl-C and errors end all threads.

The engines for clusters differ only in how they send tasks to workers. The tasks (`make_tasks`) and the work
on them (`run_task`) are the same. The parts are written to a file system that all workers share. A worker
uses one thread, because engines assign single cores. Errors in the data are returned in the answer of a task
as a sentence, because each engine reports exceptions of its workers in its own words.
"""

from __future__ import annotations

import json
import math
import queue
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa

from forsyth.bulk.batches import cast_to_schema, check_no_lost_columns, rebatch
from forsyth.bulk.engines.checkpoints import Output, Part, PartWriter, read_finished_parts
from forsyth.bulk.engines.job import (
    COUNT_DTYPE,
    ROW_COLUMN,
    Origin,
    PassSpec,
    Progress,
    RowSelection,
    Tally,
    count_findings,
)
from forsyth.bulk.engines.records import add_game_numbering, convert_blocks_of_batch, limit_pending_blocks
from forsyth.bulk.errors import STANDARD, BulkError
from forsyth.bulk.sources.files import Format, is_url, local_path
from forsyth.bulk.sources.parse_pool import ParsePool
from forsyth.bulk.sources.shards import Shard, ShardReader
from forsyth.bulk.verbs.text_column import get_texts
from forsyth.bulk.verbs.verb import Verb
from forsyth.bulk.writers import find_planes

_WAIT_SECONDS: Final = 0.2
"""Interval after which a waiting thread checks whether the work was cancelled."""
_BITS_PER_BYTE: Final = 8
_SPARE_BATCHES: Final = 2
"""Number of batches that may wait besides those that are being processed."""


class BatchResult(NamedTuple):
    """The result of processing a batch."""

    rows: pa.RecordBatch
    """The rows to write."""
    tally: Tally
    """The counts of the rows that were read."""


def run_shards(
    pass_spec: PassSpec, shards: Sequence[Shard], progress: Progress | None = None
) -> Iterator[list[Part]]:
    """Process one shard after the other on this machine, and yield the output parts of each.

    Args:
        pass_spec: The description of the work on the rows.
        shards: The parts of the input to process.
        progress: Called with the numbers of rows and bytes since the last call; None to report nothing.
    """
    for shard in shards:
        yield run_shard(pass_spec, shard, progress)
        # Fragments that the allocator keeps would add up over many shards.
        pa.default_memory_pool().release_unused()


def run_shard(pass_spec: PassSpec, shard: Shard, progress: Progress | None = None) -> list[Part]:
    """Process the rows of a shard, write them in parts, and return all parts.

    Parts that an earlier call finished are kept, and only the rows after them are processed.

    Args:
        pass_spec: The description of the work on the rows.
        shard: The part of the input to process.
        progress: Called with the numbers of rows and bytes since the last call; None to report nothing.
    """
    finished_parts: list[Part] = []
    is_finished = False
    if pass_spec.folder is not None:
        finished_parts, is_finished = read_finished_parts(pass_spec.folder, shard.number)
    rows_done = sum(part.tally.read for part in finished_parts)
    if progress is not None and (rows_done or is_finished):
        bytes_done = (shard.size or 0) if is_finished else 0
        progress(_sum_progress(finished_parts), bytes_done)
    if is_finished:
        return finished_parts

    part_writer = PartWriter(pass_spec, shard.number, finished_parts)
    output = add_game_numbering(pass_spec, shard, part_writer, finished_parts)
    process_rows(pass_spec, open_shard_files(pass_spec, shard), output, rows_done, progress)
    return part_writer.parts


def _sum_progress(parts: Sequence[Part]) -> int:
    """Return the number of games in some parts, or of rows if the input has no records of games."""
    return sum(part.tally.progress_count for part in parts)


def open_shard_files(pass_spec: PassSpec, shard: Shard) -> ShardReader:
    """Return a reader for the files of a shard. It reads only the columns that `pass_spec` needs."""
    return ShardReader(
        shard,
        game=pass_spec.game,
        columns=pass_spec.columns,
        batch_rows=pass_spec.batch_rows,
        column_types=pass_spec.column_types,
    )


def process_rows(
    pass_spec: PassSpec,
    source: ShardReader,
    output: Output,
    skip: int = 0,
    progress: Progress | None = None,
) -> None:
    """Process the rows of a shard, and write the results to an output in order.

    The output is closed at the end, or aborted if an error occurs.

    Args:
        pass_spec: The description of the work on the rows.
        source: The files of the shard.
        output: The output.
        skip: The number of rows at the beginning that are in finished parts and are left out.
        progress: Called with the numbers of rows and bytes of each batch; None to report nothing.
    """
    source_batches = _read_batches(pass_spec, source)
    results = _WriteQueue(output, source, progress, _limit_pending_results(pass_spec))
    pool = ThreadPoolExecutor(pass_spec.threads, "forsyth-work")
    if pass_spec.threads > 1:
        source.parse_with(ParsePool(pool, max_pending=pass_spec.threads + 1))
    try:
        first_row = skip
        for batch in rebatch(source_batches, pass_spec.roll_rows, skip):
            results.add(pool.submit(process_batch, pass_spec, batch, Origin(source, first_row)))
            first_row += batch.num_rows
        results.finish()
    except BaseException:
        results.cancel()
        output.abort()
        raise
    finally:
        source_batches.close()
        pool.shutdown(cancel_futures=True)


def _limit_pending_results(pass_spec: PassSpec) -> int:
    """Return the maximum number of batches of a pass that are in progress or wait to be written."""
    if pass_spec.records is not None:
        return limit_pending_blocks(pass_spec.threads)
    return pass_spec.threads + _SPARE_BATCHES


def _read_batches(pass_spec: PassSpec, source: ShardReader) -> Generator[pa.RecordBatch, None, None]:
    """Yield the batches of all files of a shard, with the columns and types that the pass reads.

    Raise `BulkError` if a file has other columns that the output would lose.
    """
    for file_batches in source:
        path = file_batches.shard.path
        check_no_lost_columns(file_batches.schema, pass_spec.schema, path)
        for batch in file_batches:
            source.add_rows(batch.num_rows)
            yield cast_to_schema(batch, pass_spec.schema, path)


def process_batch(pass_spec: PassSpec, batch: pa.RecordBatch, origin: Origin) -> BatchResult:
    """Process the rows of a batch, and return the rows to write and their counts.

    A pass does one of three things: it converts game records to rows, applies a verb such as ``key`` to each
    row, or selects rows. `origin` is the place of the batch in the input.
    """
    if pass_spec.records is not None:
        rows, tally = convert_blocks_of_batch(pass_spec.records, batch, origin)
        if pass_spec.counts_only:
            no_rows = rows.slice(0, 0)
            return BatchResult(no_rows, tally)
        return _select_output(pass_spec, rows, tally)
    if pass_spec.verb is not None:
        return _apply_verb(pass_spec, pass_spec.verb, batch, origin)
    rows = batch if pass_spec.selection is None else _select_rows(pass_spec.selection, batch, origin)
    return _select_output(pass_spec, rows, Tally(read=batch.num_rows))


def _apply_verb(pass_spec: PassSpec, verb: Verb, batch: pa.RecordBatch, origin: Origin) -> BatchResult:
    """Apply the verb of a pass to a batch, and return the rows to write and their counts.

    `origin` is the place of the batch in the input.
    """
    results = verb.compute(batch)
    tally = Tally(
        read=batch.num_rows,
        missing=verb.count_missing(batch),
        unreadable=verb.count_unreadable(batch, results),
    )
    if verb.name == "scan":
        texts = get_texts(batch, verb.column)
        tally = replace(tally, counts=count_findings(verb, texts, results, origin))
    if pass_spec.counts_only:
        return BatchResult(batch, replace(tally, written=batch.num_rows))
    rows = verb.join_results(batch, results)
    if pass_spec.rows_before is not None:
        first_row = pass_spec.rows_before[origin.shard] + origin.first_row
        row_numbers = pa.array(np.arange(first_row, first_row + batch.num_rows))
        is_readable = results.column(0).is_valid()
        rows = rows.append_column(ROW_COLUMN, row_numbers).filter(is_readable)
    return _select_output(pass_spec, rows, tally)


def _select_output(pass_spec: PassSpec, rows: pa.RecordBatch, tally: Tally) -> BatchResult:
    """Return the rows and columns that the pass writes, and `tally` with the number of these rows.

    For a NumPy array (format NPY) these are only the rows with a tensor.
    """
    output_rows = rows
    if pass_spec.format is Format.NPY:
        # An array has no value for a missing position.
        planes_column, _ = find_planes(rows.schema)
        output_rows = rows.filter(rows.column(planes_column).is_valid())
    if pass_spec.output_columns is not None:
        output_rows = output_rows.select(list(pass_spec.output_columns))
    return BatchResult(output_rows, replace(tally, written=output_rows.num_rows))


def _select_rows(selection: RowSelection, batch: pa.RecordBatch, origin: Origin) -> pa.RecordBatch:
    """Return the selected rows of a batch, with a column of counts if the selection has a file of counts.

    `origin` is the place of the batch in the input.
    """
    is_selected = read_selection(selection, origin.shard, origin.first_row, batch.num_rows)
    if selection.counts is None:
        return batch.filter(is_selected)
    first_row = selection.starts[origin.shard] + origin.first_row
    first_byte = first_row * COUNT_DTYPE.itemsize
    counts = np.fromfile(selection.counts, COUNT_DTYPE, batch.num_rows, offset=first_byte)
    return batch.append_column(selection.count_column, pa.array(counts)).filter(is_selected)


def read_selection(selection: RowSelection, shard: int, first_row: int, row_count: int) -> pa.Array:
    """Return an array of booleans for some rows of a shard: true for each row that is selected.

    The selection is a file with one bit per row of the input, lowest bit first. Only the bits of these rows
    are read.

    Args:
        selection: The selection.
        shard: The number of the shard.
        first_row: The number of rows of the shard before these rows.
        row_count: The number of these rows.
    """
    first_bit = selection.starts[shard] + first_row
    end_bit = first_bit + row_count
    first_byte, bits_to_skip = divmod(first_bit, _BITS_PER_BYTE)
    end_byte = math.ceil(end_bit / _BITS_PER_BYTE)
    with Path(selection.path).open("rb") as file:
        file.seek(first_byte)
        data = file.read(end_byte - first_byte)
    bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
    return pa.array(bits[bits_to_skip : bits_to_skip + row_count].astype(bool))


class _WriteQueue:
    """A queue of the results of batches, some still in progress, and the thread that writes them in order."""

    def __init__(
        self, output: Output, source: ShardReader, progress: Progress | None, max_pending: int
    ) -> None:
        """Start the thread.

        Args:
            output: The output, which the thread closes at the end.
            source: The files of the shard, whose number of bytes read is reported as progress.
            progress: Called after each batch; None to report nothing.
            max_pending: The maximum number of results that wait to be written.
        """
        self._output = output
        self._source = source
        self._progress = progress
        self._pending: queue.Queue[Future[BatchResult] | None] = queue.Queue(maxsize=max_pending)
        """Results in order; None after the last one."""
        self._is_cancelled = threading.Event()
        self._failure: BaseException | None = None
        """The error that ended the thread."""
        self._bytes_reported = 0
        self._thread = threading.Thread(target=self._write_results, name="forsyth-write")
        self._thread.start()

    def add(self, result: Future[BatchResult] | None) -> None:
        """Add the result of the next batch, or None after the last one.

        Wait while too many results are pending. If writing a result has failed, raise its error instead.
        """
        while not self._is_cancelled.is_set():
            try:
                self._pending.put(result, timeout=_WAIT_SECONDS)
                return
            except queue.Full:
                continue
        self._raise_failure()

    def finish(self) -> None:
        """Wait until everything is written and the output is closed.

        If writing a result has failed, raise its error.
        """
        self.add(None)
        self._thread.join()
        self._raise_failure()

    def cancel(self) -> None:
        """Stop writing, and wait until the thread has ended."""
        self._is_cancelled.set()
        self._thread.join()

    def _raise_failure(self) -> None:
        """Raise the error that ended the thread, if there is one."""
        if self._failure is not None:
            raise self._failure

    def _write_results(self) -> None:
        """Write all results and close the output. This is the work of the thread."""
        try:
            for future in self._iter_pending():
                batch_result = future.result()
                self._output.write(batch_result.rows, batch_result.tally)
                self._report_progress(batch_result.tally.progress_count)
            if not self._is_cancelled.is_set():
                self._output.close()
        except BaseException as error:
            # `add` and `finish` raise this error in the calling thread.
            self._failure = error
            self._is_cancelled.set()

    def _iter_pending(self) -> Iterator[Future[BatchResult]]:
        """Yield the results in order, until the last one or until the work is cancelled."""
        while not self._is_cancelled.is_set():
            try:
                future = self._pending.get(timeout=_WAIT_SECONDS)
            except queue.Empty:
                continue
            if future is None:
                return
            yield future

    def _report_progress(self, row_count: int) -> None:
        """Call the function `progress`, if there is one, after `row_count` more rows.

        Its arguments are the numbers of rows and of bytes since the last call.
        """
        if self._progress is not None:
            bytes_read = self._source.bytes_read
            self._progress(row_count, bytes_read - self._bytes_reported)
            self._bytes_reported = bytes_read


# --- tasks for the workers of a cluster -------------------------------------------------------------


def make_tasks(pass_spec: PassSpec, shards: Sequence[Shard]) -> list[str]:
    """Return a task for each shard, as JSON that can be sent to a worker of a cluster.

    A task contains the description of the work, limited to one thread, and the shard with absolute paths.
    `run_task` runs it on the worker.
    """
    pass_data = replace(pass_spec, threads=1).to_dict()
    shard_data = [with_absolute_paths(shard).to_dict() for shard in shards]
    return [json.dumps({"job": pass_data, "shard": data}) for data in shard_data]


def run_task(task: str) -> str:
    """Process the shard of a task from `make_tasks` on a worker, and return the answer as JSON.

    The answer is ``{"parts": […], "size": 123}``, or ``{"error": "…"}`` for an error in the data.
    """
    data = json.loads(task)
    try:
        parts = run_shard(PassSpec.from_dict(data["job"]), Shard.from_dict(data["shard"]))
    except BulkError as error:
        return json.dumps({"error": str(error)})
    return json.dumps({"parts": [part.to_dict() for part in parts], "size": data["shard"]["size"]})


def parse_answer(answer: str, progress: Progress | None = None) -> list[Part]:
    """Return the parts of the output that `run_task` has written, from its answer in JSON.

    `progress` is called with the numbers of rows and bytes of the parts, if it is not None. Raise `BulkError`
    if the answer is an error.
    """
    data = json.loads(answer)
    if "error" in data:
        raise BulkError(data["error"])
    parts = [Part.from_dict(part) for part in data["parts"]]
    if progress is not None:
        progress(_sum_progress(parts), data["size"] or 0)
    return parts


def with_absolute_paths(shard: Shard) -> Shard:
    """Return the same shard with paths that do not depend on the working directory.

    Raise `BulkError` if the shard is standard input, which other processes cannot read.
    """
    if shard.path == STANDARD:
        raise BulkError("standard input can only be read by --engine local; write it to a file first")
    path = shard.path if is_url(shard.path) else str(Path(local_path(shard.path)).absolute())
    return replace(shard, path=path, more=tuple(map(with_absolute_paths, shard.more)))
