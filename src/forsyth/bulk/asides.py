"""Files that are whole or absent: written aside, and put in their place when they are complete.

A local file is written as ``NAME.tmp`` in its directory, brought to the disk, and renamed; what stood there
before stays until then, and the new file gets its permissions. At a URL the same is done with the file
system's own move. Standard output and devices are written to as they are: what has gone there cannot be taken
back.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

from forsyth.bulk.errors import STANDARD, BulkError, brief
from forsyth.bulk.places import is_url, local_path, remote

ENDING: Final = ".tmp"
"""What is put behind the name of a file that is not complete."""


class Aside(Protocol):
    """A file being written."""

    file: BinaryIO
    rewinds: bool
    """Whether its beginning can be written last."""

    def commit(self) -> None:
        """Puts the file in its place."""

    def discard(self) -> None:
        """Removes what was written; nothing is raised."""


def open_aside(path: str) -> Aside:
    """A file that will stand at `path`; raises what the operating system raises, or `BulkError`."""
    if path == STANDARD:
        return _Direct(_standard_output())
    if is_url(path):
        return _Remote(path)
    target = Path(local_path(path)).resolve()
    if target.is_dir():
        raise BulkError(
            f"{path} is a directory; name a file, or end the name with / for a directory of parts"
        )
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):
        return _Direct(target.open("wb"))
    return _Local(target)


class _Local:
    """A file of this machine."""

    rewinds = True

    def __init__(self, target: Path) -> None:
        self._target = target
        self._path = target.with_name(target.name + ENDING)
        self.file: BinaryIO = self._path.open("wb")
        if target.exists():
            os.fchmod(self.file.fileno(), stat.S_IMODE(target.stat().st_mode))

    def commit(self) -> None:
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()
        self._path.replace(self._target)
        _sync_directory(self._target.parent)

    def discard(self) -> None:
        with suppress(OSError):
            # A full disk refuses what is still in the buffer once more.
            self.file.close()
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


class _Remote:
    """A file at a URL."""

    rewinds = False

    def __init__(self, url: str) -> None:
        self._system, self._target = remote(url)
        self._path = self._target + ENDING
        try:
            self.file: BinaryIO = self._system.open(self._path, "wb")
        except OSError:
            raise
        except Exception as error:
            # Each file system of fsspec brings the exceptions of its own libraries.
            raise BulkError(f"{url} cannot be written ({brief(error)}); write to another place") from error

    def commit(self) -> None:
        self.file.close()
        self._system.mv(self._path, self._target)

    def discard(self) -> None:
        with suppress(Exception):
            self.file.close()
        with suppress(Exception):
            self._system.rm_file(self._path)


class _Direct:
    """Standard output, a device or a named pipe."""

    rewinds = False

    def __init__(self, file: BinaryIO) -> None:
        self.file = file

    def commit(self) -> None:
        self.file.flush()
        self._let_go()

    def discard(self) -> None:
        with suppress(OSError):
            self._let_go()

    def _let_go(self) -> None:
        if self.file is not getattr(sys.stdout, "buffer", None):
            self.file.close()


class Borrowed:
    """A file for Arrow, which closes what it writes to: this one stays open, and knows its place."""

    closed = False

    def __init__(self, file: Any) -> None:
        self._file = file
        self._written = 0

    def write(self, data: bytes) -> int:
        """Hands the bytes on."""
        self._file.write(data)
        self._written += len(data)
        return len(data)

    def tell(self) -> int:
        """How many bytes were written."""
        return self._written

    def flush(self) -> None:
        """Does nothing: the file is brought to the disk once, when it is complete."""

    def close(self) -> None:
        """Leaves the file itself open: who opened it closes it."""


def _standard_output() -> BinaryIO:
    found: BinaryIO | None = getattr(sys.stdout, "buffer", None)
    if found is None or found.closed:
        raise BulkError("standard output is closed; name a file to write to")
    return found


def _sync_directory(directory: Path) -> None:
    """A name is on the disk when its directory is."""
    with suppress(OSError):
        number = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
