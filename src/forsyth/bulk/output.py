"""Where the batches of a shard go: parts in a folder, one sink, or nowhere but into the tally."""

from __future__ import annotations

from typing import Protocol

import pyarrow as pa

from forsyth.bulk.parts import Part, note, note_done, part_path
from forsyth.bulk.plan import Job
from forsyth.bulk.sinks import Sink, open_sink
from forsyth.bulk.tally import Tally


class Output(Protocol):
    """Takes batches in order."""

    def write(self, batch: pa.RecordBatch, tally: Tally) -> None:
        """Take a batch and what was counted in it."""

    def close(self) -> None:
        """All batches have come."""

    def abort(self) -> None:
        """No more batches will come: leave nothing that is not whole."""


class PartFiles:
    """The parts of one shard behind those that are there already; without a folder one part and no file."""

    def __init__(self, job: Job, shard: int, parts: list[Part]) -> None:
        self.parts = list(parts)
        self._job = job
        self._shard = shard
        self._schema = job.result_schema()
        self._sink: Sink | None = None
        self._tally = Tally()

    def write(self, batch: pa.RecordBatch, tally: Tally) -> None:
        """Take a batch; none of them reaches across the end of a part."""
        if self._job.folder is not None:
            if self._sink is None:
                self._sink = self._open(self._job.folder)
            if batch.num_rows:
                self._sink.write_batch(batch)
        self._tally += tally
        if self._tally.read >= self._job.roll_rows and self._job.folder is not None:
            self._finish(self._job.folder)

    def close(self) -> None:
        """Finish the last part; a shard without rows has one, for its columns."""
        folder = self._job.folder
        if folder is None:
            self.parts.append(Part(self._shard, 0, None, self._tally))
            return
        if self._sink is not None or not self.parts:
            self._finish(folder)
        note_done(folder, self._shard, len(self.parts))

    def abort(self) -> None:
        """Take away the part that is not whole."""
        if self._sink is not None:
            self._sink.abort()
            self._sink = None

    def _path(self, folder: str) -> str:
        return part_path(folder, self._shard, len(self.parts), self._job.ending)

    def _open(self, folder: str) -> Sink:
        return open_sink(self._path(folder), self._schema, self._job.format, self._job.compression)

    def _finish(self, folder: str) -> None:
        sink = self._open(folder) if self._sink is None else self._sink
        sink.close()
        part = Part(self._shard, len(self.parts), self._path(folder), self._tally)
        note(folder, part)
        self.parts.append(part)
        self._sink, self._tally = None, Tally()


class OneSink:
    """All batches of all shards into one sink, such as standard output."""

    def __init__(self, sink: Sink) -> None:
        self.tally = Tally()
        self._sink = sink

    def write(self, batch: pa.RecordBatch, tally: Tally) -> None:
        """Write a batch at once."""
        if batch.num_rows:
            self._sink.write_batch(batch)
        self.tally += tally

    def close(self) -> None:
        """A shard ends; the next one may follow."""

    def abort(self) -> None:
        """Let go of the sink."""
        self._sink.abort()
