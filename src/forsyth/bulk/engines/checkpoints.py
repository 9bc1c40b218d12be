"""Checkpoints of a job: the parts of its output that are finished, and the writing of the next ones.

A shard writes its output in parts, each of as many rows read as the job says, so that where a part ends
depends on the input alone. A part exists when its note (``SSSSS-PPPPP.json``) does: the data is under its
name and on the disk before that. A shard is done when ``SSSSS.json`` exists. A kill leaves a run of whole
parts for each shard and perhaps files without a note, which are written again. Two attempts at one shard
may write at the same time, on different machines: each under its own name until the file is complete,
and both write the same.

The folder is `.NAME.forsyth` beside the target NAME. Its manifest says what the job was; only the same job is
resumed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import pyarrow as pa

from forsyth.atomic_write import atomic_write
from forsyth.bulk.engines.plan import Job
from forsyth.bulk.engines.tally import Tally
from forsyth.bulk.sinks.sink import Sink, open_sink

MANIFEST: Final = "manifest.json"


@dataclass(frozen=True, slots=True)
class Part:
    """One finished part of a shard's output; `path` is None where only the tally counts."""

    shard: int
    number: int
    path: str | None
    tally: Tally

    def to_dict(self) -> dict[str, Any]:
        """The part as JSON-ready data."""
        return {
            "shard": self.shard,
            "number": self.number,
            "path": self.path,
            "tally": self.tally.to_dict(),
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Part:
        """The part that `to_dict` wrote."""
        return cls(data["shard"], data["number"], data["path"], Tally.from_dict(data["tally"]))


def part_path(folder: str, shard: int, number: int, ending: str) -> str:
    """Where the data of a part lies."""
    return str(Path(folder) / f"{shard:05}-{number:05}.{ending}")


def note(folder: str, part: Part) -> None:
    """Say that a part is there."""
    write_json(Path(folder) / f"{part.shard:05}-{part.number:05}.json", part.to_dict())


def note_done(folder: str, shard: int, parts: int) -> None:
    """Say that a shard has no more parts than these."""
    write_json(Path(folder) / f"{shard:05}.json", {"parts": parts})


def finished(folder: str, shard: int) -> tuple[list[Part], bool]:
    """The parts of a shard that are there, from the first on without a gap, and whether they are all."""
    parts: list[Part] = []
    while (part := _noted(folder, shard, len(parts))) is not None:
        parts.append(part)
    done = _read_json(Path(folder) / f"{shard:05}.json")
    return parts, done is not None and done["parts"] == len(parts)


def _noted(folder: str, shard: int, number: int) -> Part | None:
    data = _read_json(Path(folder) / f"{shard:05}-{number:05}.json")
    part = None if data is None else Part.from_dict(data)
    # The only part of a job becomes the target itself: a kill after that leaves its note behind.
    return part if part is None or part.path is None or Path(part.path).exists() else None


def write_json(path: Path, data: dict[str, Any]) -> None:
    """Write a small file that is whole or absent."""
    with atomic_write(path) as file:
        file.write(json.dumps(data).encode())


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None


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
