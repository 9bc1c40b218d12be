"""Processing of shards: one shard, all shards on this machine, and shards as tasks for workers of a cluster.

`run_shard` is used by all engines. It reads a shard, processes every batch as the pass requires, and writes
parts (`checkpoints`). Finished parts are kept, and the work continues behind them. Therefore it may be called
again for the same shard after any failure. Its output depends on the pass and the shard only, not on the
engine.

Within a shard, the calling thread reads, `threads` other threads process batches (the kernels release the
GIL), and one thread writes. The number of batches in progress is limited, and so is the memory. Ctrl-C and
errors end all threads.

The engines for clusters differ only in how they send tasks to workers. The tasks (`make_tasks`) and the work
on them (`run_task`) are the same. The parts are written to a file system that all workers share. A worker
uses one thread, because engines assign single cores. Errors in the data are returned in the answer of a task
as a sentence, because each engine reports exceptions of its workers in its own words.
"""

from __future__ import annotations

import json
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
from forsyth.bulk.engines.records import convert_blocks_of_batch, max_blocks_in_flight, number_games
from forsyth.bulk.errors import STANDARD, BulkError
from forsyth.bulk.sources.files import Format, is_url, local_path
from forsyth.bulk.sources.shards import Shard, ShardReader
from forsyth.bulk.verbs.text_column import get_texts
from forsyth.bulk.writers import find_planes

_WAIT_SECONDS: Final = 0.2
"""Interval after which a waiting thread checks whether the work was cancelled."""
_SPARE_BATCHES: Final = 2
"""Number of batches that may wait besides those that are being processed."""


class BatchResult(NamedTuple):
    """The result of processing a batch."""

    result: pa.RecordBatch
    """The rows to write."""
    tally: Tally
    """The counts of the rows that were read."""


def run_shards(
    pass_spec: PassSpec, shards: Sequence[Shard], progress: Progress | None = None
) -> Iterator[list[Part]]:
    """Process one shard after the other on this machine, and yield the output parts of each.

    Args:
        pass_spec: What to do with the rows.
        shards: The ranges of files to process.
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
        pass_spec: What to do with the rows.
        shard: The range of a file to process.
        progress: Called with the numbers of rows and bytes since the last call; None to report nothing.
    """
    parts: list[Part] = []
    is_finished = False
    if pass_spec.folder is not None:
        parts, is_finished = read_finished_parts(pass_spec.folder, shard.number)
    if is_finished:
        if progress is not None:
            progress(_sum_progress(parts), shard.size or 0)
        return parts
    rows_done = sum(part.tally.read for part in parts)
    if progress is not None and rows_done:
        progress(_sum_progress(parts), 0)
    output = PartWriter(pass_spec, shard.number, parts)
    reader = open_shard_files(pass_spec, shard)
    process_rows(pass_spec, reader, number_games(pass_spec, shard, output, parts), rows_done, progress)
    return output.parts


def _sum_progress(parts: Sequence[Part]) -> int:
    """Return the number of records in some parts, or of rows if the input has no records."""
    return sum(part.tally.progress_count for part in parts)


def open_shard_files(pass_spec: PassSpec, shard: Shard) -> ShardReader:
    """Return a reader of the columns that a pass needs from the files of a shard."""
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
        pass_spec: The pass.
        source: The files of the shard.
        output: The output.
        skip: The number of rows in finished parts, which are left out.
        progress: Called with the numbers of rows and bytes of each batch; None to report nothing.
    """
    source_batches = _read_batches(pass_spec, source)
    batches = rebatch(source_batches, pass_spec.roll_rows, skip)
    max_pending = (
        pass_spec.threads + _SPARE_BATCHES
        if pass_spec.records is None
        else max_blocks_in_flight(pass_spec.threads)
    )
    results = _WriteQueue(output, source, progress, max_pending)
    pool = ThreadPoolExecutor(pass_spec.threads, "forsyth-work")
    try:
        first_row = skip
        for batch in batches:
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


def _read_batches(pass_spec: PassSpec, source: ShardReader) -> Generator[pa.RecordBatch, None, None]:
    """Yield the batches of all files of a shard, with the columns and types of the pass."""
    for file_batches in source:
        path = file_batches.shard.path
        check_no_lost_columns(file_batches.schema, pass_spec.schema, path)
        for batch in file_batches:
            source.add_rows(batch.num_rows)
            yield cast_to_schema(batch, pass_spec.schema, path)


def process_batch(pass_spec: PassSpec, batch: pa.RecordBatch, origin: Origin) -> BatchResult:
    """Apply the verb or the conversion of a pass to a batch, and return the rows to write and their counts.

    `origin` is the place of the batch in the input.
    """
    if pass_spec.records is not None:
        result, tally = convert_blocks_of_batch(pass_spec.records, batch, origin)
        if pass_spec.counts_only:
            return BatchResult(result.slice(0, 0), tally)
        return _select_output(pass_spec, result, tally)
    result, tally = batch, Tally(read=batch.num_rows)
    if pass_spec.selection is not None:
        result = _select_rows(pass_spec.selection, batch, origin)
    verb = pass_spec.verb
    if verb is not None:
        answers = verb.compute(batch)
        texts = get_texts(batch, verb.column)
        unreadable = verb.count_unreadable(batch, answers)
        tally = replace(tally, missing=verb.count_missing(batch), unreadable=unreadable)
        if verb.name == "scan":
            tally = replace(tally, counts=count_findings(verb, texts, answers, origin))
        if pass_spec.counts_only:
            return BatchResult(batch, replace(tally, written=batch.num_rows))
        result = verb.join_answers(batch, answers)
        if pass_spec.rows_before is not None:
            first = pass_spec.rows_before[origin.shard] + origin.first_row
            row_numbers = pa.array(np.arange(first, first + batch.num_rows))
            is_readable = answers.column(0).is_valid()
            result = result.append_column(ROW_COLUMN, row_numbers).filter(is_readable)
    return _select_output(pass_spec, result, tally)


def _select_output(pass_spec: PassSpec, result: pa.RecordBatch, tally: Tally) -> BatchResult:
    """Return the rows and columns of `result` that the pass writes, and `tally` with the number of rows."""
    if pass_spec.format is Format.NPY:
        # A tensor has no value for a missing position.
        result = result.filter(result.column(find_planes(result.schema)[0]).is_valid())
    if pass_spec.output_columns is not None:
        result = result.select(list(pass_spec.output_columns))
    return BatchResult(result, replace(tally, written=result.num_rows))


def _select_rows(selection: RowSelection, batch: pa.RecordBatch, origin: Origin) -> pa.RecordBatch:
    """Return the selected rows of a batch, with a column of counts if the selection has a file of counts."""
    is_selected = read_selection(selection, origin.shard, origin.first_row, batch.num_rows)
    if selection.counts is not None:
        first_row = selection.starts[origin.shard] + origin.first_row
        counts = np.fromfile(
            selection.counts, COUNT_DTYPE, batch.num_rows, offset=first_row * COUNT_DTYPE.itemsize
        )
        batch = batch.append_column(selection.count_column, pa.array(counts))
    return batch.filter(is_selected)


def read_selection(selection: RowSelection, shard: int, first_row: int, row_count: int) -> pa.Array:
    """Return for each of `row_count` rows of a shard whether it is selected.

    The selection is a file with one bit per row of the input, lowest bit first. `first_row` is the number of
    rows of the shard before them. Only their bits are read from the file.
    """
    start = selection.starts[shard] + first_row
    end = start + row_count
    first_byte, end_byte = start // 8, (end + 7) // 8
    with Path(selection.path).open("rb") as file:
        file.seek(first_byte)
        data = file.read(end_byte - first_byte)
    bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
    first_bit = start % 8
    return pa.array(bits[first_bit : first_bit + row_count].astype(bool))


class _WriteQueue:
    """The results of batches in progress, in order, and the thread that writes them when they are ready."""

    def __init__(
        self, output: Output, source: ShardReader, progress: Progress | None, max_pending: int
    ) -> None:
        """Start the thread.

        Args:
            output: The output, which the thread closes at the end.
            source: The files of the shard, whose position is reported as progress.
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

        Wait while too many results are pending. If writing failed, raise its error instead.
        """
        while not self._is_cancelled.is_set():
            try:
                self._pending.put(result, timeout=_WAIT_SECONDS)
                return
            except queue.Full:
                continue
        self._raise_failure()

    def finish(self) -> None:
        """Wait until everything is written and the output is closed. If writing failed, raise its error."""
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
        """Write all results and close the output. This runs in the thread."""
        try:
            for future in self._iter_pending():
                batch_result = future.result()
                self._output.write(batch_result.result, batch_result.tally)
                self._report_progress(batch_result.tally.progress_count)
            if not self._is_cancelled.is_set():
                self._output.close()
        except BaseException as error:
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

    def _report_progress(self, rows: int) -> None:
        """Call `progress` with `rows`, the number of new rows, and the number of bytes read since then."""
        if self._progress is not None:
            position = self._source.position
            self._progress(rows, position - self._bytes_reported)
            self._bytes_reported = position


# --- tasks for the workers of a cluster -------------------------------------------------------------


def make_tasks(pass_spec: PassSpec, shards: Sequence[Shard]) -> list[str]:
    """Return a task for each shard, as JSON that can be sent to a worker of a cluster.

    A task contains the description of the work, limited to one thread, and the shard with absolute paths.
    """
    pass_data = replace(pass_spec, threads=1).to_dict()
    return [json.dumps({"job": pass_data, "shard": with_absolute_paths(shard).to_dict()}) for shard in shards]


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
    """Return the output parts in the answer of `run_task`, and call `progress` with their rows and bytes.

    Raise `BulkError` if the answer is an error.
    """
    data = json.loads(answer)
    if "error" in data:
        raise BulkError(data["error"])
    parts = [Part.from_dict(part) for part in data["parts"]]
    if progress is not None:
        progress(_sum_progress(parts), data["size"] or 0)
    return parts


def with_absolute_paths(shard: Shard) -> Shard:
    """Return a shard whose paths do not depend on the working directory.

    Raise `BulkError` if the shard is standard input, which other processes cannot read.
    """
    if shard.path == STANDARD:
        raise BulkError("standard input can only be read by --engine local; write it to a file first")
    shard = replace(shard, more=tuple(map(with_absolute_paths, shard.more)))
    if is_url(shard.path):
        return shard
    return replace(shard, path=str(Path(local_path(shard.path)).absolute()))
