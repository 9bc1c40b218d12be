"""Where a file of rows is written: a path, a URL or standard output.

A local path is written by `forsyth.atomic_write`: whole or not at all. At a URL the same is done with the
file system's own move. Standard output, devices and pipes are written to as they are.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from forsyth.atomic_write import Written, is_stream, open_written
from forsyth.bulk.errors import STANDARD, BulkError, brief
from forsyth.bulk.places import is_url, local_path, remote


def open_destination(path: str) -> Written:
    """A file that will stand at `path`; raises what the operating system raises, or `BulkError`."""
    if path == STANDARD:
        return _StandardOutput()
    if is_url(path):
        return _Remote(path)
    name = local_path(path)
    if Path(name).is_dir():
        raise BulkError(
            f"{path} is a directory; name a file, or end the name with / for a directory of parts"
        )
    return open_written(name)


def is_streamed(target: str) -> bool:
    """Whether rows go to a target as they come, and cannot be taken back."""
    return target == STANDARD or (not is_url(target) and is_stream(local_path(target)))


@contextmanager
def told_of_url(url: str) -> Iterator[None]:
    """Raises `BulkError` in place of what the library behind a URL raises while it is written."""
    try:
        yield
    except (BulkError, OSError):
        raise
    except Exception as error:
        # Each file system of fsspec brings the exceptions of its own libraries.
        raise BulkError(f"{url} cannot be written ({brief(error)}); write to another place") from error


class _StandardOutput:
    """Standard output, which stays open."""

    def __init__(self) -> None:
        found: BinaryIO | None = getattr(sys.stdout, "buffer", None)
        if found is None or found.closed:
            raise BulkError("standard output is closed; name a file to write to")
        self.file = found

    def commit(self) -> None:
        self.file.flush()

    def discard(self) -> None:
        """What was written has gone."""


class _Remote:
    """A file at a URL."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._system, self._target = remote(url)
        self._path = f"{self._target}.{secrets.token_hex(8)}.tmp"
        with told_of_url(url):
            self.file: BinaryIO = self._system.open(self._path, "wb")

    def commit(self) -> None:
        with told_of_url(self._url):
            self.file.close()
            self._system.mv(self._path, self._target)

    def discard(self) -> None:
        with suppress(Exception):
            self.file.close()
        with suppress(Exception):
            self._system.rm_file(self._path)


class Borrowed:
    """A file for Arrow, which closes what it writes to: this one stays open, and knows its place."""

    closed = False

    def __init__(self, file: Any) -> None:
        self._file: Any = file
        self._written = 0

    def write(self, data: bytes) -> int:
        """Hands the bytes on."""
        if self._file is not None:
            self._file.write(data)
        self._written += len(data)
        return len(data)

    def give_back(self) -> None:
        """Hands nothing on any more: what Arrow writes when it lets go of a file would be too much."""
        self._file = None

    def tell(self) -> int:
        """How many bytes were written."""
        return self._written

    def flush(self) -> None:
        """Does nothing: the file is brought to the disk once, when it is complete."""

    def close(self) -> None:
        """Leaves the file itself open: who opened it closes it."""
