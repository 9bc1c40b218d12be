"""Doing a job: one shard, and all shards on this machine.

`run_shard` is the one function under every engine: it reads a shard, does what the job says to every batch,
and writes parts (`checkpoints`). Finished parts are kept, and the work continues after
them, so that it may be called again for the same shard after any failure. What it writes depends on the job
and the shard alone: engines differ in where they call it, not in what comes out.

Within a shard the calling thread reads, `threads` others work on batches (the kernels release the GIL), one
writes; a few batches are under way at a time, so that memory is bounded. Ctrl-C and errors end all of them.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa

from forsyth.bulk.batches import fitted, must_match, recut
from forsyth.bulk.engines.checkpoints import Output, Part, PartFiles, finished
from forsyth.bulk.engines.plan import Chosen, Job, Progress
from forsyth.bulk.engines.tally import Tally, counted
from forsyth.bulk.sinks.writers import planes_of
from forsyth.bulk.sources.files import Format
from forsyth.bulk.sources.shards import Batches, PeekedBatches, Shard, open_shard

_WAIT: Final = 0.2
"""Seconds after which a thread that waits looks whether the others are still there."""


class Done(NamedTuple):
    """One batch that was worked on: what is to be written, and what is to be counted."""

    result: pa.RecordBatch
    tally: Tally


def run_shards(job: Job, shards: Sequence[Shard], progress: Progress | None = None) -> Iterator[list[Part]]:
    """The local engine: one shard after the other; the parts of each as it is finished, in order."""
    for shard in shards:
        yield run_shard(job, shard, progress)
        # What the allocator keeps in pieces would add up over many shards.
        pa.default_memory_pool().release_unused()


def run_shard(job: Job, shard: Shard, progress: Progress | None = None) -> list[Part]:
    """Do a job on one shard; all its parts. What an earlier call finished is kept."""
    parts, done = ([], False) if job.folder is None else finished(job.folder, shard.number)
    if done:
        if progress is not None:
            progress(sum(part.tally.read for part in parts), shard.size or 0)
        return parts
    skip = sum(part.tally.read for part in parts)
    if progress is not None and skip:
        progress(skip, 0)
    with open_shard(shard, game=job.game, columns=job.columns, batch_rows=job.batch_rows) as source:
        output = PartFiles(job, shard.number, parts)
        stream(job, source, output, skip, progress)
    return output.parts


def stream(
    job: Job, source: Batches | PeekedBatches, output: Output, skip: int = 0, progress: Progress | None = None
) -> None:
    """Pass the rows of a source after the first `skip` through a job into an output.

    The output is closed, or aborted on an error.
    """
    shard = source.shard
    must_match(source.schema, job.schema, shard.path)
    fitting = (fitted(batch, job.schema, shard.path) for batch in source)
    batches = recut(fitting, job.roll_rows, skip)
    steps = _Steps(output, source, progress, job.threads + 2)
    pool = ThreadPoolExecutor(job.threads, "forsyth-work")
    try:
        first = skip
        for batch in batches:
            steps.put(pool.submit(work, job, shard.number, batch, first))
            first += batch.num_rows
        steps.end()
    except BaseException:
        steps.stop()
        output.abort()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def work(job: Job, shard: int, batch: pa.RecordBatch, first: int) -> Done:
    """What a job makes of a batch whose first row is number `first` of its shard."""
    result, tally = batch, Tally(read=batch.num_rows)
    if job.chosen is not None:
        result = batch.filter(chosen_rows(job.chosen, shard, first, batch.num_rows))
    if job.verb is not None:
        answers = job.verb.answers(batch)
        texts = batch.column(job.schema.get_field_index(job.verb.column))
        unreadable = job.verb.unreadable(batch, answers)
        tally = replace(tally, missing=texts.null_count, unreadable=unreadable)
        if job.verb.name == "scan":
            tally = replace(tally, counts=counted(job.verb, texts, answers, shard, first))
        if job.counts_only:
            return Done(batch, replace(tally, written=batch.num_rows))
        result = job.verb.joined(batch, answers)
    if job.format is Format.NPY:
        # A tensor has no value for a missing position.
        result = result.filter(result.column(planes_of(result.schema)[0]).is_valid())
    if job.kept_columns is not None:
        result = result.select(list(job.kept_columns))
    return Done(result, replace(tally, written=result.num_rows))


def chosen_rows(chosen: Chosen, shard: int, first: int, rows: int) -> pa.Array:
    """Which rows of a batch are kept, read from the file of bits."""
    begin = chosen.starts[shard] + first
    with Path(chosen.path).open("rb") as file:
        file.seek(begin // 8)
        data = file.read((begin + rows + 7) // 8 - begin // 8)
    bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
    return pa.array(bits[begin % 8 : begin % 8 + rows].astype(bool))


class _Steps:
    """The batches under way, in order, and the thread that writes them as they are done."""

    def __init__(
        self, output: Output, source: Batches | PeekedBatches, progress: Progress | None, most: int
    ) -> None:
        self._output = output
        self._source = source
        self._progress = progress
        self._waiting: queue.Queue[Future[Done] | None] = queue.Queue(maxsize=most)
        self._stopped = threading.Event()
        self._failure: BaseException | None = None
        self._bytes = 0
        self._thread = threading.Thread(target=self._write, name="forsyth-write")
        self._thread.start()

    def put(self, step: Future[Done] | None) -> None:
        """Have a batch written when its turn comes; waits while too many are under way."""
        while not self._stopped.is_set():
            try:
                self._waiting.put(step, timeout=_WAIT)
                return
            except queue.Full:
                continue
        self._raise()

    def end(self) -> None:
        """Wait until everything is written and the output is closed."""
        self.put(None)
        self._thread.join()
        self._raise()

    def stop(self) -> None:
        """Give up what is under way."""
        self._stopped.set()
        self._thread.join()

    def _raise(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _write(self) -> None:
        try:
            for step in self._arriving():
                done = step.result()
                self._output.write(done.result, done.tally)
                self._report(done.tally.read)
            if not self._stopped.is_set():
                self._output.close()
        except BaseException as error:
            self._failure = error
            self._stopped.set()

    def _arriving(self) -> Iterator[Future[Done]]:
        while not self._stopped.is_set():
            try:
                step = self._waiting.get(timeout=_WAIT)
            except queue.Empty:
                continue
            if step is None:
                return
            yield step

    def _report(self, rows: int) -> None:
        if self._progress is not None:
            position = self._source.position
            self._progress(rows, position - self._bytes)
            self._bytes = position
