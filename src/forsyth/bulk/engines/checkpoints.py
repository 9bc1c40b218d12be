"""Checkpoints of a job: the folder beside its target, the lock of the target, and the parts of the output.

Folder: its name is `.NAME.forsyth`, beside the target NAME. For a URL it is in the working directory, and a
few digits in its name distinguish targets with the same name. The manifest in the folder describes the job,
and only the same job is resumed. A job removes its folder at the end. A job that may be resumed leaves the
folder when it is stopped. If a job is killed, the next job deletes the folder, or uses it to resume.

Lock: a file beside the folder is locked while the job runs. It contains the process and the machine of the
job, for the error message of another job. The operating system releases the lock when the process ends for
any reason, so the next job can lock the remaining file. If the file system has no locks, the file counts as
locked while its process is running, or if the process is on another machine, where it cannot be checked.

Parts: a shard writes its output in parts. Each part ends after the same number of rows read, so that the ends
of parts depend on the input only. A part is finished when its note (``SSSSS-PPPPP.json``) exists; its data is
on the disk before that. A shard is finished when ``SSSSS.json`` exists. If a job is killed, each shard has
some finished parts, and perhaps files without a note, which are written again. Two attempts at the same shard
may run at the same time on different machines: each writes to a temporary name until the file is complete,
and both write the same data.

Limits: jobs that reach one target through different file systems, or write to one URL from different working
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
from forsyth.bulk.engines.job import PassSpec, Tally
from forsyth.bulk.errors import BulkError, explaining_errors
from forsyth.bulk.sinks import Sink, open_sink
from forsyth.bulk.sources.files import is_url, local_path

_NO_LOCK_CODES: Final = frozenset((errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK, errno.EINVAL))
"""Errors of file systems that have no locks."""
_LOCK_FILE_MODE: Final = 0o644
_READ_BITS_OF_OTHERS: Final = 0o044
"""Read permission of the group and of others."""
_OWNER_BITS: Final = 0o700
_READ_TO_ENTER_SHIFT: Final = 2
"""Number of bits by which the permission to enter a folder is lower than the permission to read."""
_URL_DIGITS: Final = 8
"""Number of digits in the folder's name that distinguish URLs."""


class Lock:
    """The lock of a target, which lasts until it is closed."""

    def __init__(self, path: Path, descriptor: int) -> None:
        """Store the path of the lock file and the descriptor of the open, locked file."""
        self._path = path
        self._descriptor = descriptor

    @classmethod
    def acquire(cls, path: Path, target: str) -> Self:
        """Create and lock the file `path`, so that no other job writes to `target`.

        Raise `BulkError` if another job has locked the file.
        """
        while True:
            descriptor, is_new = _open_lock_file(path)
            try:
                is_acquired = _try_to_lock(descriptor, path, is_new)
            except BaseException:
                os.close(descriptor)
                raise
            if not is_acquired:
                os.close(descriptor)
                raise BulkError(_describe_conflict(target, path, _read_holder(path)))
            if _is_file_at(descriptor, path):
                _write_holder(descriptor)
                return cls(path, descriptor)
            # Another job removed the file after it was opened here, so locking it has no effect. Try again.
            os.close(descriptor)

    def close(self) -> None:
        """Release the lock and remove its file."""
        # The file is removed before it is unlocked. Otherwise this might remove the new lock of another job.
        with suppress(OSError):
            self._path.unlink()
        os.close(self._descriptor)


def _open_lock_file(path: Path) -> tuple[int, bool]:
    """Open the lock file at `path`, and create it if it does not exist.

    Return its descriptor, and whether the file is new.
    """
    flags = os.O_RDWR | os.O_CREAT
    try:
        return os.open(path, flags | os.O_EXCL, _LOCK_FILE_MODE), True
    except FileExistsError:
        return os.open(path, flags, _LOCK_FILE_MODE), False


def _try_to_lock(descriptor: int, path: Path, is_new: bool) -> bool:
    """Lock an open lock file. Return False if another job has locked it.

    If the file system has no locks, the file counts as locked while the process that is written in it may be
    running.

    Args:
        descriptor: The open file.
        path: The path of the file.
        is_new: Whether the file did not exist before, so that no other job uses it.
    """
    try:
        _lock_file(descriptor)
    except OSError as error:
        has_locks = error.errno not in _NO_LOCK_CODES
        if has_locks:
            return False
        return is_new or not _may_be_running(_read_holder(path))
    return True


if sys.platform == "win32":
    import msvcrt

    def _lock_file(descriptor: int) -> None:
        """Lock an open file. Raise `OSError` if another process has locked it."""
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock_file(descriptor: int) -> None:
        """Lock an open file. Raise `OSError` if another process has locked it."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_file_at(descriptor: int, path: Path) -> bool:
    """Return whether an open file still is the file at `path`."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _write_holder(descriptor: int) -> None:
    """Write the id and the machine of this process to an open lock file, as JSON."""
    holder = {"pid": os.getpid(), "host": socket.gethostname()}
    os.ftruncate(descriptor, 0)
    os.write(descriptor, json.dumps(holder).encode())


def _read_holder(path: Path) -> dict[str, Any]:
    """Return the content of a lock file, such as ``{"pid": 123, "host": "ox"}``, or {} if it is damaged."""
    try:
        holder = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return holder if isinstance(holder, dict) else {}


def _may_be_running(holder: dict[str, Any]) -> bool:
    """Return whether the process that wrote a lock file is running, or cannot be checked from here.

    `holder` is the content of the lock file, such as ``{"pid": 123, "host": "ox"}``. An empty one belongs to
    no process.
    """
    is_on_this_machine = holder.get("host") == socket.gethostname()
    if not is_on_this_machine:
        return bool(holder)
    if sys.platform == "win32":
        # Windows has no harmless way to check a process: signal 0 is Ctrl-C there.
        return True
    signal_without_effect = 0
    try:
        os.kill(int(holder["pid"]), signal_without_effect)
    except (ProcessLookupError, KeyError, ValueError, TypeError, OverflowError):
        return False
    except PermissionError:
        # The process exists, and belongs to another user.
        return True
    return True


def _describe_conflict(target: str, path: Path, holder: dict[str, Any]) -> str:
    """Return the error message for a target that another job has locked.

    `path` is the lock file, and `holder` is its content: the process and the machine of that job.
    """
    process = f" (process {holder.get('pid')} on {holder.get('host')})" if holder else ""
    return (
        f"another job{process} is writing to {target}; wait until it is done, or write to another target "
        f"(if there is no such job, remove {path})"
    )


# --- the folder -------------------------------------------------------------------------------------


def locate_parts_folder(target: str) -> Path:
    """Return the path of the folder for the parts of a target: ``.out.csv.forsyth`` for ``out.csv``."""
    if is_url(target):
        # URLs with the same name in different folders need different folders here.
        digits = hashlib.sha256(target.encode()).hexdigest()[:_URL_DIGITS]
        return Path(f".{PurePosixPath(target).name}-{digits}.forsyth")
    # Links are resolved, so that a target has one folder under all its names.
    path = Path(os.path.realpath(local_path(target)))
    return path.with_name(f".{path.name}.forsyth")


@contextmanager
def open_parts_folder(target: str, manifest: Mapping[str, Any], *, resume: bool) -> Iterator[Path]:
    """Lock a target, yield the path of the folder for its parts, and remove the folder at the end.

    Args:
        target: The path or URL of the target.
        manifest: The description of the job, as JSON-ready data.
        resume: Whether to use the parts of an earlier run, and to keep the folder if an error occurs.

    Raises:
        BulkError: If another job has locked the target, or the folder to resume belongs to another job.
    """
    folder = locate_parts_folder(target)
    with explaining_errors(target, "written"):
        lock = Lock.acquire(folder.with_name(f"{folder.name}.lock"), target)
    with closing(lock):
        # Ctrl-C can interrupt at any time after the folder was created.
        try:
            if resume and (folder / MANIFEST).exists():
                _require_same_job(folder, manifest)
            else:
                _create_parts_folder(folder, target, manifest)
            yield folder
        except BaseException:
            if not resume:
                shutil.rmtree(folder, ignore_errors=True)
            raise
        shutil.rmtree(folder, ignore_errors=True)


def _create_parts_folder(folder: Path, target: str, manifest: Mapping[str, Any]) -> None:
    """Create the folder for the parts of `target`, and write `manifest`, the description of the job, to it.

    A folder that exists already is replaced.
    """
    with explaining_errors(target, "written"):
        shutil.rmtree(folder, ignore_errors=True)
        try:
            folder.mkdir()
            if not is_url(target):
                _restrict_access(folder, Path(local_path(target)))
            write_json(folder / MANIFEST, dict(manifest))
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise


def _restrict_access(folder: Path, target: Path) -> None:
    """Deny access to a folder to users who cannot read the existing file `target`.

    Nothing changes if `target` does not exist.
    """
    with suppress(FileNotFoundError):
        read_bits = target.stat().st_mode & _READ_BITS_OF_OTHERS
        # Users who may read the target may also enter the folder.
        enter_bits = read_bits >> _READ_TO_ENTER_SHIFT
        allowed_bits = _OWNER_BITS | read_bits | enter_bits
        folder.chmod(folder.stat().st_mode & allowed_bits)


def _require_same_job(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Raise `BulkError` if the folder for parts belongs to another job.

    `manifest` describes the job that is to be resumed. The file MANIFEST in the folder describes the job of
    the folder.
    """
    try:
        folder_manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except ValueError:
        folder_manifest = {}
    # JSON has no tuples, so the manifest is compared as it would be read.
    job_manifest = json.loads(json.dumps(manifest))
    all_names = {*folder_manifest, *job_manifest}
    differing_names = sorted(
        name for name in all_names if folder_manifest.get(name) != job_manifest.get(name)
    )
    if differing_names:
        raise BulkError(
            f"{folder} holds parts of another job, which differs in: {', '.join(differing_names)}; "
            "run the command without --resume to begin again"
        )


MANIFEST: Final = "manifest.json"


# --- parts ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Part:
    """A finished part of the output of a shard."""

    shard: int
    """Number of the shard."""
    number: int
    """Index of the part in the shard."""
    path: str | None
    """Path of the data; None if the pass only counts."""
    tally: Tally
    """Counts of the rows that were read for the part."""

    def to_dict(self) -> dict[str, Any]:
        """Return the part as JSON-ready data."""
        return {
            "shard": self.shard,
            "number": self.number,
            "path": self.path,
            "tally": self.tally.to_dict(),
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Part:
        """Return the part from the data that `to_dict` returned."""
        return cls(
            shard=data["shard"],
            number=data["number"],
            path=data["path"],
            tally=Tally.from_dict(data["tally"]),
        )


def make_part_path(folder: str, shard: int, number: int, ending: str) -> str:
    """Return the path of a part: ``FOLDER/00003-00000.csv`` for the first part of shard 3.

    Args:
        folder: The folder of the parts.
        shard: The number of the shard.
        number: The index of the part in the shard, from 0.
        ending: The ending of the name, such as ``csv``.
    """
    return str(Path(folder) / f"{shard:05}-{number:05}.{ending}")


def mark_part_finished(folder: str, part: Part) -> None:
    """Write the JSON file that marks a part of the output as finished.

    It contains the path of the part and the counts of its rows.
    """
    note_path = make_part_path(folder, part.shard, part.number, "json")
    write_json(Path(note_path), part.to_dict())


def mark_shard_finished(folder: str, shard: int, part_count: int) -> None:
    """Write the JSON file that marks shard number `shard` as finished, with the number of its parts."""
    write_json(_make_shard_note_path(folder, shard), {"parts": part_count})


def _make_shard_note_path(folder: str, shard: int) -> Path:
    """Return the path of the file that marks shard number `shard` as finished: ``FOLDER/00003.json``."""
    return Path(folder) / f"{shard:05}.json"


def read_finished_parts(folder: str, shard: int) -> tuple[list[Part], bool]:
    """Return the finished parts of shard number `shard`, and whether the whole shard is finished.

    Parts that come after an unfinished part are ignored, because they are written again.
    """
    parts: list[Part] = []
    while (part := _read_part(folder, shard, len(parts))) is not None:
        parts.append(part)
    shard_note = _read_json(_make_shard_note_path(folder, shard))
    is_finished = shard_note is not None and shard_note["parts"] == len(parts)
    return parts, is_finished


def _read_part(folder: str, shard: int, number: int) -> Part | None:
    """Return part `number` of shard number `shard`, or None if the part is not finished.

    The part is finished if its JSON file and its data exist.
    """
    note = _read_json(Path(make_part_path(folder, shard, number, "json")))
    if note is None:
        return None
    part = Part.from_dict(note)
    # The only part of a job is moved to the target. If the job is killed then, only the JSON file remains.
    is_data_lost = part.path is not None and not Path(part.path).exists()
    return None if is_data_lost else part


def write_json(path: Path, data: dict[str, Any]) -> None:
    """Write `data` to a JSON file. If this is interrupted, the file does not change."""
    with atomic_write(path) as file:
        file.write(json.dumps(data).encode())


def _read_json(path: Path) -> Any:
    """Return the data of a JSON file, or None if it does not exist."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None


# --- outputs ----------------------------------------------------------------------------------------


class Output(Protocol):
    """A target to which the batches of a shard are written in order."""

    def write(self, batch: pa.RecordBatch, tally: Tally) -> None:
        """Write a batch. `tally` has the counts of the rows that were read for it."""

    def close(self) -> None:
        """Complete the output, because all batches have been written."""

    def abort(self) -> None:
        """Remove what is not complete, because an error occurred."""


class PartWriter:
    """An output that writes the rows of a shard as several files, its parts.

    If the pass has no folder for parts, the rows are only counted, as one part.
    """

    def __init__(self, pass_spec: PassSpec, shard: int, parts: list[Part]) -> None:
        """Prepare writing the parts of a shard.

        Args:
            pass_spec: The description of the work; it has the folder and format of the parts.
            shard: The number of the shard.
            parts: The parts that an earlier run finished. The new parts come after them.
        """
        self.parts = list(parts)
        """All finished parts of the shard."""
        self._pass = pass_spec
        self._shard = shard
        self._schema = pass_spec.make_result_schema()
        self._sink: Sink | None = None
        self._tally = Tally()

    def write(self, batch: pa.RecordBatch, tally: Tally) -> None:
        """Write a batch to the open part, and finish the part if enough rows were read for it.

        `tally` has the counts of the rows that were read for the batch. The rows of a batch must all belong
        to one part.
        """
        self._tally += tally
        folder = self._pass.folder
        if folder is None:
            return
        if self._sink is None:
            self._sink = self._open_part(folder)
        if batch.num_rows:
            self._sink.write_batch(batch)
        if self._tally.read >= self._pass.roll_rows:
            self._finish_part(folder)

    def close(self) -> None:
        """Finish the last part, and mark the shard as finished.

        A shard without rows has one empty part, which has the columns of the output.
        """
        folder = self._pass.folder
        if folder is None:
            self.parts.append(Part(self._shard, number=0, path=None, tally=self._tally))
            return
        if self._sink is not None or not self.parts:
            self._finish_part(folder)
        mark_shard_finished(folder, self._shard, len(self.parts))

    def abort(self) -> None:
        """Remove the part that is not finished."""
        if self._sink is not None:
            self._sink.abort()
            self._sink = None

    def _make_next_path(self, folder: str) -> str:
        """Return the path of the next part in the folder of the parts."""
        return make_part_path(folder, self._shard, len(self.parts), self._pass.ending)

    def _open_part(self, folder: str) -> Sink:
        """Open the file of the next part, in the folder of the parts."""
        return open_sink(
            self._make_next_path(folder), self._schema, self._pass.format, self._pass.compression
        )

    def _finish_part(self, folder: str) -> None:
        """Complete the open part, or create an empty one if none is open, and mark it as finished.

        `folder` is the folder of the parts.
        """
        sink = self._open_part(folder) if self._sink is None else self._sink
        sink.close()
        part = Part(self._shard, len(self.parts), self._make_next_path(folder), self._tally)
        mark_part_finished(folder, part)
        self.parts.append(part)
        self._sink = None
        self._tally = Tally()


class SinkOutput:
    """An output that writes the batches of all shards to one sink, such as standard output."""

    def __init__(self, sink: Sink) -> None:
        """Write to `sink`, which the caller closes."""
        self.tally = Tally()
        """Counts of all rows read so far."""
        self._sink = sink

    def write(self, batch: pa.RecordBatch, tally: Tally) -> None:
        """Write a batch, and add `tally`, the counts of its rows, to the counts of this output."""
        if batch.num_rows:
            self._sink.write_batch(batch)
        self.tally += tally

    def close(self) -> None:
        """Do nothing, because the next shard is written to the same sink."""

    def abort(self) -> None:
        """Remove the file that was written, unless the sink is a stream."""
        self._sink.abort()
