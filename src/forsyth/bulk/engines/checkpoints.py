"""Checkpoints of a job: the folder beside its target, the lock that keeps a second job away, the parts of the
output that are finished, and the writing of the next ones.

The folder is `.NAME.forsyth` beside the target NAME; for a URL it is in the working directory, and a few
digits in its name distinguish targets of one name. Its manifest says what the job was; only the same job is
resumed. A run removes the folder when it ends; a run that may be resumed leaves it when it is stopped. What a
kill leaves is deleted by the next run, or resumed when that is asked for.

The lock file beside it names the process and the machine that hold it, for whoever is turned away. It is held
by a lock of the operating system, which ends with the process, however that ends: what a kill leaves behind
is taken over by the next job. Where the file system has no such locks, a file counts as held while its
process lives, or when that process is on another machine and nobody can tell.

A shard writes its output in parts, each of as many rows read as the job says, so that where a part ends
depends on the input alone. A part exists when its note (``SSSSS-PPPPP.json``) does: the data is under its
name and on the disk before that. A shard is done when ``SSSSS.json`` exists. A kill leaves a run of whole
parts for each shard and perhaps files without a note, which are written again. Two attempts at one shard
may write at the same time, on different machines: each under its own name until the file is complete,
and both write the same.

Limits: jobs that reach one target by different file systems, or write to one URL from different working
directories, do not see each other's lock.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import socket
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final, Protocol, Self

import pyarrow as pa

from forsyth.atomic_write import atomic_write
from forsyth.bulk.engines.job import Job, Tally
from forsyth.bulk.errors import BulkError, explaining_errors
from forsyth.bulk.sinks import Sink, open_sink
from forsyth.bulk.sources.files import is_url, local_path

_UNKNOWN: Final = frozenset((errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK, errno.EINVAL))
"""What file systems without locks answer."""


class Lock:
    """A lock that is held until it is closed."""

    def __init__(self, path: Path, number: int) -> None:
        self._path = path
        self._number = number

    @classmethod
    def acquire(cls, path: Path, target: str) -> Self:
        """The lock of a target; raises `BulkError` while another job has it."""
        while True:
            number, is_new = _open(path)
            try:
                if not _hold(number) and not is_new and _lives(_holder(path)):
                    raise BlockingIOError
            except BlockingIOError as error:
                os.close(number)
                raise BulkError(_busy(target, path, _holder(path))) from error
            except BaseException:
                os.close(number)
                raise
            if _is_at(number, path):
                _sign(number)
                return cls(path, number)
            # Its holder removed the file between the two steps: this one is nobody's lock any more.
            os.close(number)

    def close(self) -> None:
        """Let the next job have it."""
        # Removed while it is held, or another job's new lock might be.
        with suppress(OSError):
            self._path.unlink()
        os.close(self._number)


def _open(path: Path) -> tuple[int, bool]:
    """The file, open, and whether it was made."""
    flags = os.O_RDWR | os.O_CREAT
    try:
        return os.open(path, flags | os.O_EXCL, 0o644), True
    except FileExistsError:
        return os.open(path, flags, 0o644), False


def _hold(number: int) -> bool:
    """Lock a file; False where that cannot be done; raises `BlockingIOError` where another process did."""
    try:
        _lock(number)
    except OSError as error:
        if error.errno in _UNKNOWN:
            return False
        raise BlockingIOError(*error.args) from error
    return True


if sys.platform == "win32":
    import msvcrt

    def _lock(number: int) -> None:
        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(number: int) -> None:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_at(number: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(number), path.stat())
    except FileNotFoundError:
        return False


def _sign(number: int) -> None:
    os.ftruncate(number, 0)
    os.write(number, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode())


def _holder(path: Path) -> dict[str, Any]:
    """Who has the lock, as far as that can be read."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _lives(holder: dict[str, Any]) -> bool:
    if holder.get("host") != socket.gethostname():
        return bool(holder)
    if sys.platform == "win32":
        # Windows has no question without consequences: signal 0 is Ctrl-C there.
        return True
    try:
        os.kill(int(holder["pid"]), 0)
    except (ProcessLookupError, KeyError, ValueError, TypeError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _busy(target: str, path: Path, holder: dict[str, Any]) -> str:
    who = f" (process {holder.get('pid')} on {holder.get('host')})" if holder else ""
    return (
        f"another job{who} is writing to {target}; wait until it is done, or write to another target "
        f"(if there is no such job, remove {path})"
    )


# --- the folder -------------------------------------------------------------------------------------


def folder_of(target: str) -> Path:
    """Where the parts of a target go."""
    if is_url(target):
        digits = hashlib.sha256(target.encode()).hexdigest()[:8]
        return Path(f".{PurePosixPath(target).name}-{digits}.forsyth")
    # Links resolved: a target has one folder under all its names.
    path = Path(os.path.realpath(local_path(target)))
    return path.with_name(f".{path.name}.forsyth")


@contextmanager
def opened(target: str, manifest: Mapping[str, Any], *, resume: bool) -> Iterator[Path]:
    """The folder of a job, new or resumed; raises `BulkError` where it is another job's."""
    folder = folder_of(target)
    with explaining_errors(target, "written"):
        lock = Lock.acquire(folder.with_name(f"{folder.name}.lock"), target)
    with closing(lock):
        # Ctrl-C may come as soon as the folder is there.
        try:
            if resume and (folder / MANIFEST).exists():
                _must_be_the_same(folder, manifest)
            else:
                _make(folder, target, manifest)
            yield folder
        except BaseException:
            if not resume:
                shutil.rmtree(folder, ignore_errors=True)
            raise
        shutil.rmtree(folder, ignore_errors=True)


def _make(folder: Path, target: str, manifest: Mapping[str, Any]) -> None:
    with explaining_errors(target, "written"):
        shutil.rmtree(folder, ignore_errors=True)
        try:
            folder.mkdir()
            if not is_url(target):
                _close_to_others(folder, Path(local_path(target)))
            write_json(folder / MANIFEST, dict(manifest))
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise


def _close_to_others(folder: Path, target: Path) -> None:
    """Who may not read the file that is to be replaced may not read its parts either."""
    with suppress(FileNotFoundError):
        read = target.stat().st_mode & 0o044
        folder.chmod(folder.stat().st_mode & (0o700 | read | read >> 2))


def _must_be_the_same(folder: Path, manifest: Mapping[str, Any]) -> None:
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except ValueError:
        found = {}
    wanted = json.loads(json.dumps(manifest))
    differing = sorted(name for name in {*found, *wanted} if found.get(name) != wanted.get(name))
    if differing:
        raise BulkError(
            f"{folder} holds parts of another job (other: {', '.join(differing)}); "
            "run the command without --resume to begin again"
        )


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
