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
_RANDOM_SUFFIX_BYTES: Final = 8
"""Random bytes in a temporary name, so that two programs never choose the same name."""
_DESCRIPTOR_PATH: Final = re.compile(r"/(?:dev|proc/self)/fd/(\d{1,9})")
"""The path of an open file; the group is the number of its descriptor."""
_STANDARD_STREAMS: Final = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}


class PendingFile(Protocol):
    """A file that is being written: `commit` completes it, `discard` gives it up."""

    file: BinaryIO

    def commit(self) -> None:
        """Close the file, which is complete now. If its name is temporary, move it to its final path."""

    def discard(self) -> None:
        """Close the file, and remove it if its name is temporary. Ignore errors of the system."""


class FileChangedError(OSError):
    """Error for a file that another program changed after it was read."""


@contextmanager
def atomic_write(path: str | Path, old_content: bytes | None = None) -> Iterator[BinaryIO]:
    """Yield a file that replaces the one at `path` if the block ends without an exception.

    Args:
        path: The path of the file.
        old_content: The bytes that the existing file must still contain when it is replaced. None replaces
            any content.

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
    """Open a temporary file whose method `commit` moves it to `path`.

    A stream or device is opened directly.

    Args:
        path: The path of the file, stream or device.
        old_content: The bytes that a regular file at `path` must still contain when it is replaced, or
            `commit` raises `FileChangedError`. None replaces any content.

    Raises:
        OSError: If the path cannot be written.
    """
    path_text = os.fspath(path)
    require_writable(path_text)
    descriptor = _parse_descriptor(path_text)
    if descriptor is not None:
        return DirectFile(os.fdopen(os.dup(descriptor), "wb"))
    if is_stream(path_text):
        # Without O_CREAT: the stream exists, and systems refuse the flag for pipes of other users.
        stream_descriptor = os.open(path_text, os.O_WRONLY)
        return DirectFile(os.fdopen(stream_descriptor, "wb"))
    return ReplacementFile(_resolve_links(path_text), old_content)


def move_atomically(source: str | Path, target: str | Path) -> None:
    """Rename the file `source` to `target` in one step.

    No program can see an incomplete file at `target`. An existing file `target` is replaced, and its owner
    and permissions are kept. Both paths must be on one file system. Raise `OSError` if the target cannot be
    written.
    """
    require_writable(target)
    _replace_file(Path(source), _resolve_links(os.fspath(target)))


def is_stream(path: str | Path) -> bool:
    """Return True for the path of a device, a named pipe or another stream, such as ``/dev/stdout``.

    Return False for a regular file, a directory, and a path that does not exist.
    """
    is_open_descriptor = _parse_descriptor(os.fspath(path)) is not None
    if is_open_descriptor:
        return True
    try:
        mode = Path(path).stat().st_mode
    except OSError:
        # The path does not exist.
        return False
    is_file_or_directory = stat.S_ISREG(mode) or stat.S_ISDIR(mode)
    return not is_file_or_directory


def require_writable(path: str | Path) -> None:
    """Raise `OSError` if `atomic_write` could not write to `path`. Nothing is changed or created.

    The path may be that of an existing file, device or pipe, or of a new file in an existing directory.
    """
    path_text = os.fspath(path)
    is_open_descriptor = _parse_descriptor(path_text) is not None
    if is_open_descriptor:
        return
    with suppress(FileNotFoundError):
        mode = Path(path_text).stat().st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "the path is a directory, expected a file", path_text)
        # The system lets an administrator write to a file without write bits; `atomic_write` does not.
        is_write_protected = not mode & _WRITE_BITS
        if is_write_protected or not os.access(path_text, os.W_OK):
            raise PermissionError(errno.EACCES, "the file is read-only", path_text)
        is_regular_file = stat.S_ISREG(mode)
        if not is_regular_file:
            return
    # A regular file is replaced by a new one, so its directory must be writable too.
    directory = _resolve_links(path_text).parent
    if not directory.is_dir():
        raise FileNotFoundError(errno.ENOENT, "its directory does not exist", path_text)
    if not os.access(directory, os.W_OK):
        raise PermissionError(errno.EACCES, "its directory is not writable", path_text)


def copy_ownership(path: Path, replaced: os.stat_result) -> None:
    """Give a file or directory the owner, group and permissions of the one that it replaces.

    `replaced` is the `stat` result of the old one. If the system does not allow to change the owner or the
    group, it stays as it is.
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
    """Return the file permissions `mode`, but with the rights of others for the group too.

    For example, ``0o664`` becomes ``0o644``.
    """
    owner_bits = mode & stat.S_IRWXU
    other_bits = mode & stat.S_IRWXO
    group_bits = other_bits << _OTHERS_TO_GROUP_SHIFT
    return owner_bits | group_bits | other_bits


class ReplacementFile:
    """A regular file that is written under a temporary name until it is complete."""

    def __init__(self, target: Path, old_content: bytes | None = None) -> None:
        """Create a temporary file in the directory of `target`, and open it as the attribute `file`.

        If `old_content` is not None, `commit` requires that the file `target` still has this content.
        """
        self._target = target
        self._old_content = old_content
        random_suffix = secrets.token_hex(_RANDOM_SUFFIX_BYTES)
        self._temporary = target.with_name(f".{target.name[:_MAX_NAME_PREFIX]}.{random_suffix}.tmp")
        # The target may be private, so its replacement is private until it gets the target's permissions.
        mode = _PRIVATE_MODE if target.exists() else _PUBLIC_MODE
        self.file: BinaryIO = _create_file(self._temporary, mode)

    def commit(self) -> None:
        """Flush the temporary file to disk and rename it to its final path.

        Raise `FileChangedError` if the file at the final path no longer has the expected old content.
        """
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()
        # After flushing, which takes time: another program may change the old file meanwhile.
        if self._old_content is not None:
            _require_content(self._target, self._old_content)
        _replace_file(self._temporary, self._target)

    def discard(self) -> None:
        """Close and remove the temporary file, and leave the file at the final path unchanged.

        Errors of the system are ignored.
        """
        with suppress(OSError):
            # Closing writes the rest of the buffer, which fails again if the disk is full.
            self.file.close()
        with suppress(OSError):
            self._temporary.unlink(missing_ok=True)


class DirectFile:
    """A device, a named pipe or another open file that is written directly."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file

    def commit(self) -> None:
        """Write the rest of the buffer and close the file."""
        self.file.close()

    def discard(self) -> None:
        """Close the file, and ignore errors of the system. Bytes already written stay written."""
        with suppress(OSError):
            self.file.close()


def _require_content(path: str | Path, expected_content: bytes) -> None:
    """Raise `FileChangedError` if a file does not contain exactly `expected_content`.

    Raise `OSError` if the file cannot be read, for example because it was deleted.
    """
    with Path(path).open("rb") as file:
        # One byte more than expected shows that the file has grown.
        present_content = file.read(len(expected_content) + 1)
    if present_content != expected_content:
        message = "the file was changed in the meantime, so it was not written; run the command again"
        raise FileChangedError(errno.EBUSY, message, os.fspath(path))


def _create_file(path: Path, mode: int) -> BinaryIO:
    """Create a file with the permissions `mode`, such as ``0o600``, and return it open for writing.

    Raise `FileExistsError` if the path exists.
    """
    # Windows needs O_BINARY. Other systems do not have it.
    binary_flag = getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | binary_flag, mode)
    return os.fdopen(descriptor, "wb")


def _replace_file(path: Path, target: Path) -> None:
    """Rename `path` to `target`, and flush the directory of `target` to disk.

    If `target` exists, the new file gets its owner and permissions.
    """
    with suppress(FileNotFoundError):
        copy_ownership(path, target.stat())
    path.replace(target)
    _sync_directory(target.parent)


def _resolve_links(path_text: str) -> Path:
    """Return the path of the file itself if `path_text` is a symbolic link or leads through one."""
    # Path.resolve raises an error for a loop of links in some versions of Python.
    return Path(os.path.realpath(path_text))


def _parse_descriptor(path_text: str) -> int | None:
    """Return the file descriptor in a path: 3 for ``/dev/fd/3``, and 1 for ``/dev/stdout``.

    Return None for other paths. Callers duplicate the descriptor instead of opening the path, because a file
    that is opened anew is written from its beginning.
    """
    match = _DESCRIPTOR_PATH.fullmatch(path_text)
    if match is not None:
        return int(match[1])
    return _STANDARD_STREAMS.get(path_text)


def _sync_directory(directory: Path) -> None:
    """Flush a directory to disk, so that a renamed file keeps its new name after a crash.

    Do nothing on systems that cannot flush a directory.
    """
    with suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
