"""Atomic writing of files: a file gets its complete new content or stays unchanged.

- A regular file is written under a temporary name in the same directory, flushed to disk and renamed when it
  is complete. Until then an existing file stays in place. The new file takes over its permissions, and its
  owner and group if the system allows it.
- A symbolic link is followed: the link stays, and the file behind it is replaced.
- If a file has several hard links, only the given name gets the new content.
- A device, a named pipe, ``/dev/stdout`` and ``/dev/fd/N`` are written directly. They are never replaced, and
  what was written cannot be undone.

Directories and files without write permission are rejected. A file on which nobody has write permission is
rejected for the administrator too, because somebody removed the permission on purpose.

The directory must be writable, even if the file itself is.

A caller that changes an existing file passes its old content. The file is then replaced only if it still has
this content, so that an edit made in the meantime is not lost.
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
"""Write permission of owner, group and others."""
_PRIVATE_MODE: Final = 0o600
_PUBLIC_MODE: Final = 0o666
"""Permissions of a new file. The system removes the bits in the umask of the process."""
_UNCHANGED: Final = -1
"""The owner or group that `os.chown` leaves as it is."""
_OTHERS_TO_GROUP_SHIFT: Final = 3
"""The permission bits of others are three places below those of the group."""
_MAX_NAME_PREFIX: Final = 40
"""Characters of the target's name in the temporary name, which must not exceed the longest file name."""
_DESCRIPTOR_PATH: Final = re.compile(r"/(?:dev|proc/self)/fd/(\d{1,9})")
_STANDARD_STREAMS: Final = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}


class PendingFile(Protocol):
    """A file that is being written."""

    file: BinaryIO

    def commit(self) -> None:
        """Close the complete file. A file under a temporary name replaces the file at its final path."""

    def discard(self) -> None:
        """Close the file and remove the temporary file, if there is one, without raising an error."""


class FileChangedError(OSError):
    """Error for a file that another program changed after it was read."""


@contextmanager
def atomic_write(path: str | Path, old_content: bytes | None = None) -> Iterator[BinaryIO]:
    """Yield a file to write to, which replaces `path` if the block ends without an exception.

    Args:
        path: The path of the file.
        old_content: The content that a regular file must still have when it is replaced, or None for any
            content.

    Raises:
        FileChangedError: If the file no longer has the content `old_content`. The file stays as it is.
        OSError: If the file cannot be opened or written.
    """
    pending = open_atomic(path, old_content)
    try:
        yield pending.file
        pending.commit()
    except BaseException as error:
        pending.discard()
        # A failed write, unlike a failed open, raises an error without the name of the file.
        if isinstance(error, OSError) and error.filename is None:
            error.filename = os.fspath(path)
        raise


def open_atomic(path: str | Path, old_content: bytes | None = None) -> PendingFile:
    """Open a temporary file that `commit` moves to `path`. Streams and devices are opened directly.

    With `old_content`, `commit` raises `FileChangedError` if a regular file no longer has this content. Raise
    `OSError` if the path cannot be written.
    """
    name = os.fspath(path)
    require_writable(name)
    descriptor = _parse_descriptor(name)
    if descriptor is not None:
        return DirectFile(os.fdopen(os.dup(descriptor), "wb"))
    if is_stream(name):
        # Without O_CREAT: the stream exists, and systems refuse the flag for pipes of other users.
        return DirectFile(os.fdopen(os.open(name, os.O_WRONLY), "wb"))
    return ReplacementFile(_resolve_links(name), old_content)


def move_atomically(source: str | Path, target: str | Path) -> None:
    """Rename the complete file `source` to `target`, as `atomic_write` does at its end.

    Both paths must be on one file system. Raise `OSError` if the target cannot be written.
    """
    require_writable(target)
    _replace_file(Path(source), _resolve_links(os.fspath(target)))


def is_stream(path: str | Path) -> bool:
    """Return whether `path` exists and is neither a regular file nor a directory, such as a named pipe."""
    if _parse_descriptor(os.fspath(path)) is not None:
        return True
    with suppress(OSError):
        mode = Path(path).stat().st_mode
        is_file_or_directory = stat.S_ISREG(mode) or stat.S_ISDIR(mode)
        return not is_file_or_directory
    # The path does not exist.
    return False


def require_writable(path: str | Path) -> None:
    """Raise `OSError` if `atomic_write` could not replace or create the file `path`. Change nothing.

    The path may be an existing file, device or pipe, or a new file in an existing directory.
    """
    name = os.fspath(path)
    if _parse_descriptor(name) is not None:
        return
    with suppress(FileNotFoundError):
        mode = Path(name).stat().st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "the path is a directory, expected a file", name)
        if not mode & _WRITE_BITS or not os.access(name, os.W_OK):
            raise PermissionError(errno.EACCES, "the file is read-only", name)
        is_regular_file = stat.S_ISREG(mode)
        if not is_regular_file:
            return
    # A regular file is replaced by a new one, so its directory must be writable too.
    directory = _resolve_links(name).parent
    if not directory.is_dir():
        raise FileNotFoundError(errno.ENOENT, "its directory does not exist", name)
    if not os.access(directory, os.W_OK):
        raise PermissionError(errno.EACCES, "its directory is not writable", name)


def copy_ownership(path: Path, replaced: os.stat_result) -> None:
    """Give the file or directory `path` the owner, group and permissions of the one that it replaces.

    `replaced` is the `stat` result of the old file. Owner and group stay as they are if the system does not
    allow the change.
    """
    mode = stat.S_IMODE(replaced.st_mode)
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(path, replaced.st_uid, _UNCHANGED)
        try:
            os.chown(path, _UNCHANGED, replaced.st_gid)
        except OSError:
            # The file stays in another group, which must not get the permissions of the original group.
            mode = _with_group_as_others(mode)
    path.chmod(mode)


def _with_group_as_others(mode: int) -> int:
    """Return the permissions `mode`, but give the group only those of others: ``0o664`` becomes ``0o644``."""
    owner_bits = mode & stat.S_IRWXU
    other_bits = mode & stat.S_IRWXO
    group_bits = other_bits << _OTHERS_TO_GROUP_SHIFT
    return owner_bits | group_bits | other_bits


class ReplacementFile:
    """A regular file that is written under a temporary name until it is complete."""

    def __init__(self, target: Path, old_content: bytes | None = None) -> None:
        """Create the temporary file. See `atomic_write` for `old_content`."""
        self._target = target
        self._old_content = old_content
        self._path = target.with_name(f".{target.name[:_MAX_NAME_PREFIX]}.{secrets.token_hex(8)}.tmp")
        # The target may be private, so its replacement is private until it gets the target's permissions.
        self.file: BinaryIO = _create_file(self._path, _PRIVATE_MODE if target.exists() else _PUBLIC_MODE)

    def commit(self) -> None:
        """Flush the temporary file to disk and rename it to its final path.

        Raise `FileChangedError` if the file at this path does not have the expected old content.
        """
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()
        # Last, because another program can change the file while this one is flushed to disk.
        if self._old_content is not None:
            _require_content(self._target, self._old_content)
        _replace_file(self._path, self._target)

    def discard(self) -> None:
        """Close and remove the temporary file without raising an error. The file at the path is unchanged."""
        with suppress(OSError):
            # Closing writes the rest of the buffer, which fails again if the disk is full.
            self.file.close()
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


class DirectFile:
    """A device, a named pipe or another open file that is written directly."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file

    def commit(self) -> None:
        """Write the rest of the buffer and close the file."""
        self.file.close()

    def discard(self) -> None:
        """Close the file without raising an error. What was written before cannot be undone."""
        with suppress(OSError):
            self.file.close()


def _require_content(path: str | Path, content: bytes) -> None:
    """Raise `FileChangedError` if a file does not have the content `content`, and `OSError` if it is gone."""
    with Path(path).open("rb") as file:
        present_content = file.read(len(content) + 1)
    if present_content != content:
        message = "the file was changed in the meantime, so it was not written; run the command again"
        raise FileChangedError(errno.EBUSY, message, os.fspath(path))


def _create_file(path: Path, mode: int) -> BinaryIO:
    """Create and open a file with the permissions `mode`. Raise `FileExistsError` if the path exists."""
    # Windows needs O_BINARY. Other systems do not have it.
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    return os.fdopen(descriptor, "wb")


def _replace_file(path: Path, target: Path) -> None:
    """Rename `path` to `target`, and flush the directory of `target` to disk.

    If `target` exists, the new file gets its owner and permissions.
    """
    with suppress(FileNotFoundError):
        copy_ownership(path, target.stat())
    path.replace(target)
    _sync_directory(target.parent)


def _resolve_links(name: str) -> Path:
    """Return the path behind all symbolic links of `name`."""
    # Path.resolve raises an error for a loop of links in some versions of Python.
    return Path(os.path.realpath(name))


def _parse_descriptor(name: str) -> int | None:
    """Return the file descriptor in a path such as ``/dev/fd/3`` or ``/dev/stdout``, or None.

    Opening such a path would start a new write position. A duplicate of the descriptor shares the position.
    """
    match = _DESCRIPTOR_PATH.fullmatch(name)
    if match is not None:
        return int(match[1])
    return _STANDARD_STREAMS.get(name)


def _sync_directory(directory: Path) -> None:
    """Flush a directory to disk, so that a renamed file survives a crash. Ignore systems that refuse it."""
    with suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
