"""Doing a job: one shard, all shards on this machine, and a shard as a text that goes to a worker of a
cluster.

`run_shard` is the one function under every engine: it reads a shard, does what the job says to every batch,
and writes parts (`checkpoints`). Finished parts are kept, and the work continues after
them, so that it may be called again for the same shard after any failure. What it writes depends on the job
and the shard alone: engines differ in where they call it, not in what comes out.

Within a shard the calling thread reads, `threads` others work on batches (the kernels release the GIL), one
writes; a few batches are under way at a time, so that memory is bounded. Ctrl-C and errors end all of them.

Cluster engines differ in how they send texts; the texts (`tasks`) and what the worker does (`run_task`) are
the same, with parts on a file system that all workers see. A worker has one thread for its kernels, because
engines assign cores one by one. What is wrong with the data comes back in the answer, as one sentence,
because each engine words the failures of its workers differently.
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

from forsyth.bulk.batches import fitted, must_match, recut
from forsyth.bulk.engines.checkpoints import Output, Part, PartFiles, finished
from forsyth.bulk.engines.job import COUNT, ROW, Chosen, Job, Origin, Progress, Tally, counted
from forsyth.bulk.engines.records import blocks_under_way, numbered, rows_of_blocks
from forsyth.bulk.errors import STANDARD, BulkError
from forsyth.bulk.sources.files import Format, is_url, local_path
from forsyth.bulk.sources.shards import Shard, ShardFiles
from forsyth.bulk.verbs.text_column import texts_of
from forsyth.bulk.writers import planes_of

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
            progress(sum(part.tally.told for part in parts), shard.size or 0)
        return parts
    skip = sum(part.tally.read for part in parts)
    if progress is not None and skip:
        progress(sum(part.tally.told for part in parts), 0)
    output = PartFiles(job, shard.number, parts)
    stream(job, files_of(job, shard), numbered(job, shard, output, parts), skip, progress)
    return output.parts


def files_of(job: Job, shard: Shard) -> ShardFiles:
    """The files of a shard, opened as a job reads them."""
    return ShardFiles(shard, game=job.game, columns=job.columns, batch_rows=job.batch_rows, kinds=job.kinds)


def stream(
    job: Job, source: ShardFiles, output: Output, skip: int = 0, progress: Progress | None = None
) -> None:
    """Pass the rows of a source after the first `skip` through a job into an output.

    The output is closed, or aborted on an error.
    """
    fitting = _fitting(job, source)
    batches = recut(fitting, job.roll_rows, skip)
    most = job.threads + 2 if job.records is None else blocks_under_way(job.threads)
    steps = _Steps(output, source, progress, most)
    pool = ThreadPoolExecutor(job.threads, "forsyth-work")
    try:
        first = skip
        for batch in batches:
            steps.put(pool.submit(work, job, batch, Origin(source, first)))
            first += batch.num_rows
        steps.end()
    except BaseException:
        steps.stop()
        output.abort()
        raise
    finally:
        fitting.close()
        pool.shutdown(cancel_futures=True)


def _fitting(job: Job, source: ShardFiles) -> Generator[pa.RecordBatch, None, None]:
    """The batches of all files with the columns of the job."""
    for opened in source:
        path = opened.shard.path
        must_match(opened.schema, job.schema, path)
        for batch in opened:
            source.count(batch.num_rows)
            yield fitted(batch, job.schema, path)


def work(job: Job, batch: pa.RecordBatch, origin: Origin) -> Done:
    """What a job makes of a batch that came from there."""
    if job.records is not None:
        result, tally = rows_of_blocks(job.records, batch, origin)
        if job.counts_only:
            return Done(result.slice(0, 0), tally)
        return _finished(job, result, tally)
    result, tally = batch, Tally(read=batch.num_rows)
    if job.chosen is not None:
        result = _chosen(job.chosen, batch, origin)
    if job.verb is not None:
        answers = job.verb.answers(batch)
        texts = texts_of(batch, job.verb.column)
        unreadable = job.verb.unreadable(batch, answers)
        tally = replace(tally, missing=job.verb.missing(batch), unreadable=unreadable)
        if job.verb.name == "scan":
            tally = replace(tally, counts=counted(job.verb, texts, answers, origin))
        if job.counts_only:
            return Done(batch, replace(tally, written=batch.num_rows))
        result = job.verb.joined(batch, answers)
        if job.numbered is not None:
            first = job.numbered[origin.shard] + origin.first
            rows = pa.array(np.arange(first, first + batch.num_rows))
            result = result.append_column(ROW, rows).filter(answers.column(0).is_valid())
    return _finished(job, result, tally)


def _finished(job: Job, result: pa.RecordBatch, tally: Tally) -> Done:
    """The rows as the target takes them."""
    if job.format is Format.NPY:
        # A tensor has no value for a missing position.
        result = result.filter(result.column(planes_of(result.schema)[0]).is_valid())
    if job.kept_columns is not None:
        result = result.select(list(job.kept_columns))
    return Done(result, replace(tally, written=result.num_rows))


def _chosen(chosen: Chosen, batch: pa.RecordBatch, origin: Origin) -> pa.RecordBatch:
    """The rows of a batch that are kept, with their counts where those are asked for."""
    rows = chosen_rows(chosen, origin.shard, origin.first, batch.num_rows)
    if chosen.counts is not None:
        begin = chosen.starts[origin.shard] + origin.first
        counts = np.fromfile(chosen.counts, COUNT, batch.num_rows, offset=begin * COUNT.itemsize)
        batch = batch.append_column(chosen.count_column, pa.array(counts))
    return batch.filter(rows)


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

    def __init__(self, output: Output, source: ShardFiles, progress: Progress | None, most: int) -> None:
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
                self._report(done.tally.told)
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


# --- tasks for the workers of a cluster -------------------------------------------------------------


def tasks(job: Job, shards: Sequence[Shard]) -> list[str]:
    """One task for each shard."""
    data = replace(job, threads=1).to_dict()
    return [json.dumps({"job": data, "shard": anywhere(shard).to_dict()}) for shard in shards]


def run_task(task: str) -> str:
    """Do a task, on a worker; the answer."""
    data = json.loads(task)
    try:
        parts = run_shard(Job.from_dict(data["job"]), Shard.from_dict(data["shard"]))
    except BulkError as error:
        return json.dumps({"error": str(error)})
    return json.dumps({"parts": [part.to_dict() for part in parts], "size": data["shard"]["size"]})


def parts_of_answer(answer: str, progress: Progress | None = None) -> list[Part]:
    """The parts of an answer; raises `BulkError` where the data was at fault."""
    data = json.loads(answer)
    if "error" in data:
        raise BulkError(data["error"])
    parts = [Part.from_dict(part) for part in data["parts"]]
    if progress is not None:
        progress(sum(part.tally.told for part in parts), data["size"] or 0)
    return parts


def anywhere(shard: Shard) -> Shard:
    """The shard with a path that does not depend on where a process was started."""
    if shard.path == STANDARD:
        raise BulkError("standard input can only be read by --engine local; write it to a file first")
    shard = replace(shard, more=tuple(map(anywhere, shard.more)))
    if is_url(shard.path):
        return shard
    return replace(shard, path=str(Path(local_path(shard.path)).absolute()))
