"""The folder beside a target with the parts of a running job, and the lock that keeps a second job away.

It is `.NAME.forsyth` beside the target NAME; for a URL it is in the working directory, and a few digits in
its name distinguish targets of one name. A run removes it when it ends; a run that may be resumed leaves it
when it is stopped. What a kill leaves is deleted by the next run, or resumed when that is asked for and the
manifest says that the job is the same.

The lock file beside it names the process and the machine that hold it, for whoever is turned away. It is held
by a lock of the operating system, which ends with the process, however that ends: what a kill leaves behind
is taken over by the next job. Where the file system has no such locks, a file counts as held while its
process lives, or when that process is on another machine and nobody can tell.

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
from pathlib import Path, PurePosixPath
from typing import Any, Final, Self

from forsyth.bulk.engines.checkpoints import MANIFEST, write_json
from forsyth.bulk.errors import BulkError, explaining_errors
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
        if resume and (folder / MANIFEST).exists():
            _must_be_the_same(folder, manifest)
        else:
            _make(folder, target, manifest)
        try:
            yield folder
        except BaseException:
            if not resume:
                shutil.rmtree(folder, ignore_errors=True)
            raise
        shutil.rmtree(folder, ignore_errors=True)


def _make(folder: Path, target: str, manifest: Mapping[str, Any]) -> None:
    with explaining_errors(target, "written"):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        try:
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
