"""Files as sources: patterns to files, names to formats, and their bytes as a stream, decompressed.

Accepts: paths, globs (``**`` matches any depth), directories (all files in them, at any depth, whose names
have a known ending; names that begin with ``.`` or ``_`` are skipped), ``-`` for standard input, and every
URL that fsspec opens. A file whose name holds ``*``, ``?`` or ``[`` is found under that name first.
``file://`` is a local path. Files of one pattern come in the order of their names, patterns in the order
given.

The ending of a name gives the format, and an ending after it the compression: ``games.csv.zst``. A format
that is given (``csv``, ``csv.gz``) overrides the name; standard input is text unless one is given, and its
first bytes show whether it is compressed.

Compressed files may be gzip of several members, zstd of several frames or bzip2 of several streams, as
concatenated files are. Limits: a file that ends in the middle of a member, frame or stream is an error, and
so is an empty one. Only a buffer is held in memory.
"""

from __future__ import annotations

import io
import os
import re
import stat
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from glob import glob, has_magic
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

import pyarrow as pa

from forsyth.bulk.errors import STANDARD, BulkError, brief, explaining_errors, shown


class Format(StrEnum):
    """What a file holds."""

    PARQUET = "parquet"
    ARROW = "arrow"
    """Arrow IPC: as a source a file or a stream, whichever it is; as a sink a file."""
    ARROWS = "arrows"
    """Arrow IPC, as a sink a stream."""
    CSV = "csv"
    TSV = "tsv"
    JSONL = "jsonl"
    TEXT = "text"
    EPD = "epd"
    PGN = "pgn"
    NPY = "npy"
    """A NumPy array, as a sink only."""


class Compression(StrEnum):
    """What a file is wrapped in."""

    GZIP = "gz"
    ZSTD = "zst"
    BZIP2 = "bz2"


ENDINGS: Final[dict[str, Format]] = {
    **{str(name): name for name in Format},
    "feather": Format.ARROW,
    "ipc": Format.ARROW,
    "ndjson": Format.JSONL,
    "txt": Format.TEXT,
    "fen": Format.TEXT,
}

_URL: Final = re.compile(r"[a-z][a-z0-9+.-]*(?:://|::)", re.IGNORECASE)
_LOCAL: Final = re.compile(r"(?:file|local):(?://)?(?=/)", re.IGNORECASE)
_STAMPS: Final = ("ETag", "etag", "mtime", "LastModified", "last_modified", "updated", "modified", "created")
"""Where the file systems of fsspec say which version of a file is there."""


@dataclass(frozen=True, slots=True)
class Cells:
    """How the cells of a file of CSV or TSV stand beside each other."""

    delimiter: str | None = None
    """None for what the format says: a comma, or a tab."""
    header: bool = True
    """Whether the first line names the columns."""
    typed: bool = True
    """Whether columns of numbers are numbers; otherwise every column is text."""

    def __post_init__(self) -> None:
        given = self.delimiter
        if given is not None and (len(given) != 1 or not given.isascii() or given in '"\r\n\0'):
            raise BulkError(f"{given!r} cannot stand between cells; give one character, such as ; or a tab")


SMALL_BYTES: Final = 1 << 20
"""Files of fewer bytes are not looked into before they are read, and go together into one shard."""

PLAIN_CELLS: Final = Cells()


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file there is; `size` in bytes is None where it cannot be known, as of a pipe."""

    path: str
    format: Format
    compression: Compression | None
    size: int | None = None
    stamp: str = ""
    """Differs when the file has been written again."""
    cells: Cells = PLAIN_CELLS


def is_url(path: str) -> bool:
    """Whether a path is for fsspec."""
    return _URL.match(path) is not None and _LOCAL.match(path) is None


def local_path(path: str) -> str:
    """A path without ``file://``."""
    return _LOCAL.sub("", path, count=1)


def remote(path: str) -> tuple[Any, str]:
    """The file system of a URL, and the path there; raises `BulkError` where there is none."""
    try:
        import fsspec.core
    except ImportError as error:
        raise BulkError(f"{path} is a URL, which needs fsspec: pip install fsspec") from error
    try:
        found: tuple[Any, str] = fsspec.core.url_to_fs(path)
    except Exception as error:
        # Each file system of fsspec brings the exceptions of its own libraries.
        raise BulkError(
            f"{path} cannot be opened ({brief(error)}); check the URL and its settings"
        ) from error
    return found


def detect_format(path: str, given: str | None = None) -> tuple[Format, Compression | None]:
    """The format and the compression of a path, from its name or as given; raises `BulkError`."""
    named = _ending(_last_part(path))
    if given is None and path == STANDARD:
        return Format.TEXT, None
    if given is not None:
        told_format, compression = _ending(f".{given}")
        if told_format is None:
            raise BulkError(f"{given!r} is not a format; the formats are {_all_formats()}")
        return told_format, compression or named[1]
    if named[0] is None:
        raise BulkError(f"the format of {path} is not known by its name; give it as one of {_all_formats()}")
    return named[0], named[1]


def ending_of(format: Format, compression: Compression | None) -> str:
    """How the name of such a file ends."""
    return str(format) if compression is None else f"{format}.{compression}"


def names_format(path: str) -> bool:
    """Whether a name gives the format."""
    return path != STANDARD and _ending(Path(path).name)[0] is not None


def expand(patterns: Sequence[str], given: str | None = None, cells: Cells | None = None) -> list[SourceFile]:
    """The files of all patterns, in order; raises `BulkError` for a pattern that names none."""
    found = [file for pattern in patterns for file in _expand(pattern, given)]
    return found if cells is None else [replace(file, cells=cells) for file in found]


def _expand(pattern: str, given: str | None) -> list[SourceFile]:
    if pattern == STANDARD:
        return [SourceFile(STANDARD, *detect_format(STANDARD, given))]
    with explaining_errors(pattern):
        if is_url(pattern):
            return _expand_remote(pattern, given)
        return _expand_local(local_path(pattern), given)


def _expand_local(pattern: str, given: str | None) -> list[SourceFile]:
    plain = _regular_file(pattern, given)
    if plain is not None:
        # Most patterns are files: one look at each is enough where there are thousands.
        return [plain]
    if Path(pattern).exists() or not has_magic(pattern):
        names = [pattern]
    else:
        found = glob(pattern, recursive=True)  # noqa: PTH207  (pathlib takes no absolute pattern)
        names = sorted(name for name in found if Path(name).is_file())
        if not names:
            raise BulkError(f"no file matches {pattern}; check the pattern")
    if Path(names[0]).is_dir():
        below = (path for path in sorted(Path(pattern).rglob("*")) if path.is_file())
        inside = [path for path in below if _is_data(path.relative_to(pattern).parts)]
        names = _telling(map(str, inside), given, pattern)
    return [_local_file(name, given) for name in names]


def _regular_file(name: str, given: str | None) -> SourceFile | None:
    try:
        found = os.stat(name)  # noqa: PTH116  (of thousands of names, at a third of the cost)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return SourceFile(name, *detect_format(name, given), found.st_size, str(found.st_mtime_ns))


def _local_file(name: str, given: str | None) -> SourceFile:
    found = Path(name).stat()
    size = found.st_size if stat.S_ISREG(found.st_mode) else None
    return SourceFile(name, *detect_format(name, given), size, str(found.st_mtime_ns))


def _expand_remote(pattern: str, given: str | None) -> list[SourceFile]:
    system, path = remote(pattern)
    try:
        if has_magic(path) and not system.exists(path):
            found = [name for name in sorted(system.glob(path)) if system.isfile(name)]
            if not found:
                raise BulkError(f"no file matches {pattern}; check the pattern")
        elif system.isdir(path):
            top = path.rstrip("/")
            below = [name for name in sorted(system.find(path)) if _is_data(name[len(top) :].split("/"))]
            found = _telling(below, given, pattern)
        else:
            found = [path]
        return [_remote_file(system, name, given) for name in found]
    except (BulkError, OSError):
        raise
    except Exception as error:
        raise BulkError(
            f"{pattern} cannot be read ({brief(error)}); check the URL and its settings"
        ) from error


def _remote_file(system: Any, name: str, given: str | None) -> SourceFile:
    facts = system.info(name)
    stamp = next((str(facts[key]) for key in _STAMPS if facts.get(key)), "")
    url = system.unstrip_protocol(name)
    return SourceFile(url, *detect_format(url, given), facts.get("size"), stamp)


def _is_data(parts: Iterable[str]) -> bool:
    return not any(part.startswith((".", "_")) for part in parts)


def _telling(names: Iterable[str], given: str | None, directory: str) -> list[str]:
    found = [name for name in names if given is not None or _ending(Path(name).name)[0] is not None]
    if not found:
        raise BulkError(f"the directory {directory} holds no file with a known ending; name the files")
    return found


def _last_part(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2] if os.sep == "/" or is_url(path) else Path(path).name


def _ending(name: str) -> tuple[Format | None, Compression | None]:
    parts = name.lower().split(".")[1:]
    compression = Compression(parts.pop()) if parts and parts[-1] in list(Compression) else None
    return (ENDINGS.get(parts[-1]) if parts else None), compression


def _all_formats() -> str:
    return f"{', '.join(Format)}, also with .gz, .zst or .bz2"


CODECS: Final = {Compression.GZIP: "gzip", Compression.ZSTD: "zstd", Compression.BZIP2: "bz2"}
"""What Arrow calls them."""


_CALLED: Final = {Compression.GZIP: "gzip", Compression.ZSTD: "zstd", Compression.BZIP2: "bzip2"}
"""What people call them."""


_FIRST_BYTES: Final = {
    b"\x1f\x8b": Compression.GZIP,
    b"\x28\xb5\x2f\xfd": Compression.ZSTD,
    b"BZh": Compression.BZIP2,
}
_MOST_FIRST: Final = max(map(len, _FIRST_BYTES))


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


class ByteStream(Protocol):
    """Bytes that are read from front to back."""

    @property
    def path(self) -> str:
        """How sentences name it."""

    @property
    def compression(self) -> Compression | None:
        """What it is wrapped in."""

    @property
    def position(self) -> int:
        """How many bytes of the file itself have been taken."""

    def read(self, size: int) -> bytes:
        """The next bytes, fewer than `size` only at the end, and none there."""

    def close(self) -> None:
        """Gives the file back."""


class Stream:
    """The bytes of one file, decompressed."""

    def __init__(self, path: str, compression: Compression | None = None, start: int = 0) -> None:
        self.path = path
        with explaining_errors(path):
            self._file = open_binary(path)
            if start:
                self._file.seek(start)
            if compression is None and path == STANDARD:
                compression = compression_of(_first_bytes(self._file))
        self.compression = compression
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
        with explaining_errors(self.path):
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
        name = "compressed" if self.compression is None else _CALLED[self.compression]
        place = f"{shown(self.path)} cannot be decompressed after byte {self._counted.count}"
        return f"{place} ({reason}); it is not a complete {name} file: copy or make it again"

    def close(self) -> None:
        """Gives the file back."""
        if self.path != STANDARD:
            self._file.close()


class MemoryStream:
    """Bytes that are in memory, as the stream of a file."""

    compression: Compression | None = None

    def __init__(self, path: str, data: bytes | bytearray | memoryview) -> None:
        self.path = path
        self._file = io.BytesIO(data)

    @property
    def position(self) -> int:
        """How many bytes have been taken."""
        return self._file.tell()

    def read(self, size: int) -> bytes:
        """The next bytes."""
        return self._file.read(size)

    def close(self) -> None:
        """There is nothing to give back."""


def compression_of(data: bytes) -> Compression | None:
    """What a file is compressed with that begins with these bytes; no text does."""
    return next((name for first, name in _FIRST_BYTES.items() if data.startswith(first)), None)


def _first_bytes(file: Any) -> bytes:
    """Some bytes from the front of a file that are still to be read."""
    if hasattr(file, "peek"):
        found: bytes = file.peek(_MOST_FIRST)
        return found
    if not file.seekable():
        return b""
    at = file.tell()
    found = file.read(_MOST_FIRST)
    file.seek(at)
    return found


def open_binary(path: str) -> BinaryIO:
    """A file, a URL or standard input, open for reading bytes."""
    if path == STANDARD:
        return _standard_input()
    if not is_url(path):
        return open(local_path(path), "rb")  # noqa: PTH123  (as above; who asked for it closes it)
    system, name = remote(path)
    found: BinaryIO = system.open(name, "rb")
    return found


def open_seekable(path: str) -> BinaryIO:
    """The same for formats that must be read from several places; raises `BulkError` for a pipe."""
    with explaining_errors(path):
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
