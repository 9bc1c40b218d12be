"""One job at a time for one target: a lock file beside the folder of its parts.

The file names the process and the machine that hold it, for whoever is turned away. It is held by a lock of
the operating system, which ends with the process, however that ends: what a kill leaves behind is taken over
by the next job. Where the file system has no such locks, a file counts as held while its process lives, or
when that is on another machine and nobody can tell.

Limits: jobs that reach one target by different file systems, or write to one URL from different working
directories, do not see each other's lock.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

from forsyth.bulk.errors import BulkError

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
