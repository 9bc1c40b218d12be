"""Writing files so that they are whole or absent.

Accepts: any path. A regular file is written under another name in its directory, brought to the disk, and
renamed when it is complete: what stood there before stays until then, and gives the new file its permissions,
and its owner and group where the system lets them be given. A symbolic link keeps pointing where it points;
the file behind it is replaced. Of a file with several hard links only the name that was given gets the new
content. What is not a regular file (a device, a named pipe, ``/dev/stdout``, ``/dev/fd/N``) is written
directly: what was written there cannot be taken back, and nothing is ever put in its place.

Refuses: directories, and what may not be written. The administrator may write everything; a file that nobody
may write (no ``w`` in its permissions) is refused all the same, for somebody took that away on purpose.

Limits: the directory must be one in which files can be made, even where the file itself may be written.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final, Protocol

_WRITE_BITS: Final = 0o222
_PRIVATE: Final = 0o600
_PUBLIC: Final = 0o666
"""What the creation mask of the process takes its share from."""
_SHOWN: Final = 40
"""Characters of a file's name in that of its unfinished one: a name of full length has no space for more."""
_NUMBERED: Final = re.compile(r"/(?:dev|proc/self)/fd/(\d{1,9})")
_NAMED: Final = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}


class Written(Protocol):
    """A file being written."""

    file: BinaryIO

    def commit(self) -> None:
        """Puts the file in its place."""

    def discard(self) -> None:
        """Removes what was written; nothing is raised."""


@contextmanager
def atomic_write(path: str | Path) -> Iterator[BinaryIO]:
    """A file to write to, which is at `path` when the block is left without an exception."""
    written = open_written(path)
    try:
        yield written.file
        written.commit()
    except BaseException as error:
        written.discard()
        # The system names the file when it cannot be opened, and not when a write to it fails.
        if isinstance(error, OSError) and error.filename is None:
            error.filename = os.fspath(path)
        raise


def open_written(path: str | Path) -> Written:
    """A file that will be at `path`; raises what the operating system raises."""
    name = os.fspath(path)
    must_be_writable(name)
    number = _descriptor(name)
    if number is not None:
        return Through(os.fdopen(os.dup(number), "wb"))
    if is_stream(name):
        # Without O_CREAT: nothing is to be made, and systems refuse it for pipes of others.
        return Through(os.fdopen(os.open(name, os.O_WRONLY), "wb"))
    return Replacing(_behind_links(name))


def put(source: str | Path, target: str | Path) -> None:
    """Renames a complete file to `target`, as if it had been written there; both on one file system."""
    must_be_writable(target)
    _put(Path(source), _behind_links(os.fspath(target)))


def is_stream(path: str | Path) -> bool:
    """Whether a path is written through: it is there, and is no regular file and no directory."""
    if _descriptor(os.fspath(path)) is not None:
        return True
    with suppress(OSError):
        mode = Path(path).stat().st_mode
        return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
    return False


def must_be_writable(path: str | Path) -> None:
    """Raises `OSError` for a path that cannot be written, before anything is."""
    name = os.fspath(path)
    if _descriptor(name) is not None:
        return
    with suppress(FileNotFoundError):
        mode = Path(name).stat().st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "it is a directory", name)
        if not mode & _WRITE_BITS or not os.access(name, os.W_OK):
            raise PermissionError(errno.EACCES, "it is read-only", name)
        if not stat.S_ISREG(mode):
            return
    directory = _behind_links(name).parent
    if not directory.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no directory for it", name)
    if not os.access(directory, os.W_OK):
        raise PermissionError(errno.EACCES, "nothing can be made in its directory", name)


def inherit(path: Path, found: os.stat_result) -> None:
    """Gives a file or directory the owner, group and permissions of what it takes the place of."""
    mode = stat.S_IMODE(found.st_mode)
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(path, found.st_uid, -1)
        try:
            os.chown(path, -1, found.st_gid)
        except OSError:
            # Another group must not be let in where this one was: it gets what everybody has.
            mode = mode & 0o707 | (mode & 0o007) << 3
    path.chmod(mode)


class Replacing:
    """A regular file, written under another name until it is complete."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._path = target.with_name(f".{target.name[:_SHOWN]}.{secrets.token_hex(8)}.tmp")
        # What replaces a file that others may not read is not to be read by them half-written either.
        self.file: BinaryIO = _made(self._path, _PRIVATE if target.exists() else _PUBLIC)

    def commit(self) -> None:
        """Puts the file in its place."""
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()
        _put(self._path, self._target)

    def discard(self) -> None:
        """Removes what was written; nothing is raised."""
        with suppress(OSError):
            # A full disk refuses what is still in the buffer once more.
            self.file.close()
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


class Through:
    """A device, a named pipe or another open file, written to directly."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file

    def commit(self) -> None:
        """Hands on what is in the buffer."""
        self.file.close()

    def discard(self) -> None:
        """Lets go of it."""
        with suppress(OSError):
            self.file.close()


def _made(path: Path, mode: int) -> BinaryIO:
    number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    return os.fdopen(number, "wb")


def _put(path: Path, target: Path) -> None:
    with suppress(FileNotFoundError):
        inherit(path, target.stat())
    path.replace(target)
    _sync_directory(target.parent)


def _behind_links(name: str) -> Path:
    # Not Path.resolve, which knows no loops of links in some versions of Python.
    return Path(os.path.realpath(name))


def _descriptor(name: str) -> int | None:
    """The number of an open file that a path means: it has a place of its own in what is written there."""
    found = _NUMBERED.fullmatch(name)
    return _NAMED.get(name) if found is None else int(found[1])


def _sync_directory(directory: Path) -> None:
    """A name is on the disk when its directory is."""
    with suppress(OSError):
        number = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
