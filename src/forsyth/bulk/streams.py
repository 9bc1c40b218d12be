"""Files as streams of bytes: local files, URLs and standard input, decompressed on the way.

Accepts gzip of several members and zstd of several frames, as they come of putting files together. Limits:
what ends in the middle of a member or frame is an error, an empty file too, for even nothing is some bytes
when compressed. Nothing is held but a buffer.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any, BinaryIO, Final

import pyarrow as pa

from forsyth.bulk.errors import STANDARD, BulkError, brief, shown, told
from forsyth.bulk.places import Compression, is_url, local_path, remote

CODECS: Final = {Compression.GZIP: "gzip", Compression.ZSTD: "zstd"}
"""What Arrow calls them."""


class Counted:
    """A binary file that is read from front to back, and how many bytes that were; Arrow reads it too."""

    closed = False

    def __init__(self, file: Any) -> None:
        self._file = file
        self.count = 0

    def read(self, size: int = -1) -> bytes:
        """The next bytes, fewer than `size` only at the end."""
        data: bytes = self._file.read(size)
        self.count += len(data)
        return data

    def close(self) -> None:
        """Leaves the file itself open: who opened it closes it."""


class Stream:
    """The bytes of one file, as they are behind its compression."""

    def __init__(self, path: str, compression: Compression | None = None, start: int = 0) -> None:
        self.path = path
        self.compression = compression
        with told(path):
            self._file = open_binary(path)
            if start:
                self._file.seek(start)
        self._counted = Counted(self._file)
        self._packed: Any = None
        if compression is not None:
            self._packed = pa.CompressedInputStream(pa.PythonFile(self._counted, "r"), CODECS[compression])

    @property
    def position(self) -> int:
        """How many bytes of the file itself have been taken."""
        return self._counted.count

    def read(self, size: int) -> bytes:
        """The next bytes, fewer than `size` only at the end, and none there; raises `BulkError`."""
        with told(self.path):
            if self._packed is None:
                return self._counted.read(size)
            return self._unpack(size)

    def _unpack(self, size: int) -> bytes:
        try:
            data: bytes = self._packed.read(size)
        except (OSError, pa.ArrowException) as error:
            raise BulkError(self._broken(brief(error))) from error
        if not data and not self._counted.count:
            raise BulkError(self._broken("the file is empty"))
        return data

    def _broken(self, reason: str) -> str:
        name = "gzip" if self.compression is Compression.GZIP else "zstd"
        place = f"{shown(self.path)} cannot be decompressed behind byte {self._counted.count}"
        return f"{place} ({reason}); it is cut off or no whole {name} file: copy or make it again"

    def close(self) -> None:
        """Gives the file back."""
        if self.path != STANDARD:
            self._file.close()


def open_binary(path: str) -> BinaryIO:
    """A file, a URL or standard input, open for reading bytes."""
    if path == STANDARD:
        return _standard_input()
    if not is_url(path):
        return Path(local_path(path)).open("rb")
    system, name = remote(path)
    found: BinaryIO = system.open(name, "rb")
    return found


def open_seekable(path: str) -> BinaryIO:
    """The same for formats that must be read from several places; raises `BulkError` for a pipe."""
    with told(path):
        file = open_binary(path)
        if file.seekable():
            return file
        if path != STANDARD:
            file.close()
    raise BulkError(f"{shown(path)} is a pipe, but its format is not read from front to back; name a file")


def _standard_input() -> BinaryIO:
    if sys.stdin is None or sys.stdin.closed:
        raise BulkError("standard input is closed; name a file to read")
    found = getattr(sys.stdin, "buffer", None)
    return io.BytesIO(sys.stdin.read().encode()) if found is None else found
