"""Source files: patterns to files, names to formats, and the decompressed bytes of a file as a stream.

A pattern is a path, a glob (``**`` matches any depth), a directory, ``-`` for standard input, or any URL that
fsspec opens. A directory stands for all files in it, at any depth, whose names have a known ending; names
that begin with ``.`` or ``_`` are skipped. A file whose name contains ``*``, ``?`` or ``[`` is first looked
up under that name. ``file://`` is a local path. The files of one pattern are sorted by name, and the patterns
keep their order.

The ending of a name gives the format, and an ending after it the compression: ``games.csv.zst``. A format
that is named explicitly (``csv``, ``csv.gz``) takes precedence over the name. Standard input is text unless a
format is named, and its first bytes show whether it is compressed.

Compressed files may consist of several gzip members, zstd frames or bzip2 streams, as concatenated files do.
Limits: a file that ends in the middle of a member, frame or stream is an error, and so is an empty one. Only
one buffer is held in memory.
"""

from __future__ import annotations

import io
import os
import re
import stat
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from glob import glob, has_magic
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

import pyarrow as pa

from forsyth.bulk.errors import STANDARD, BulkError, display_name, explaining_errors, first_line


class Format(StrEnum):
    """The format of a file, without its compression."""

    PARQUET = "parquet"
    ARROW = "arrow"
    """Arrow IPC. A source may be a file or a stream; a target is a file."""
    ARROWS = "arrows"
    """Arrow IPC. A source may be a file or a stream; a target is a stream."""
    CSV = "csv"
    TSV = "tsv"
    JSONL = "jsonl"
    TEXT = "text"
    EPD = "epd"
    PGN = "pgn"
    NPY = "npy"
    """A NumPy array, only as a target."""


class Compression(StrEnum):
    """The compression of a whole file."""

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
"""The formats by the endings of file names."""

_URL: Final = re.compile(r"[a-z][a-z0-9+.-]*(?:://|::)", re.IGNORECASE)
_LOCAL: Final = re.compile(r"(?:file|local):(?://)?(?=/)", re.IGNORECASE)
_STAMP_KEYS: Final = (
    "ETag",
    "etag",
    "mtime",
    "LastModified",
    "last_modified",
    "updated",
    "modified",
    "created",
)
"""Keys under which the file systems of fsspec give the version of a file, in order of preference."""


_UNUSABLE_DELIMITERS: Final = '"\r\n\0'
"""Characters with another meaning in CSV."""


@dataclass(frozen=True, slots=True)
class CsvDialect:
    """The layout of a CSV or TSV file. Raise `BulkError` if the delimiter is not one usable character."""

    delimiter: str | None = None
    """The character between cells; None for the default of the format, a comma or a tab."""
    header: bool = True
    """Whether the first line names the columns."""
    typed: bool = True
    """Whether columns of numbers are read as numbers; otherwise every column is text."""

    def __post_init__(self) -> None:
        """Raise `BulkError` if the delimiter is not one usable character."""
        delimiter = self.delimiter
        if delimiter is None:
            return
        is_one_ascii_character = len(delimiter) == 1 and delimiter.isascii()
        if not is_one_ascii_character or delimiter in _UNUSABLE_DELIMITERS:
            raise BulkError(
                f"{delimiter!r} cannot be the delimiter between cells; give one character, such as ; or a tab"
            )


SMALL_FILE_BYTES: Final = 1 << 20
"""Files with fewer bytes are put into one shard together, and are not inspected before they are read."""

DEFAULT_DIALECT: Final = CsvDialect()


@dataclass(frozen=True, slots=True)
class SourceFile:
    """An existing file to be read."""

    path: str
    format: Format
    compression: Compression | None
    size: int | None = None
    """Size in bytes; None if it is not known in advance, as for a pipe."""
    stamp: str = ""
    """Version of the file: changes when the file is written again."""
    cells: CsvDialect = DEFAULT_DIALECT
    """Layout of the file if it is CSV or TSV."""


def is_url(path: str) -> bool:
    """Return whether `path` is a URL that fsspec opens, such as ``s3://...``; ``file://`` is a local path."""
    return _URL.match(path) is not None and _LOCAL.match(path) is None


def local_path(path: str) -> str:
    """Return the path of a local file without a leading ``file://``."""
    return _LOCAL.sub("", path, count=1)


def resolve_url(url: str) -> tuple[Any, str]:
    """Return the fsspec file system of a URL, and the path within it.

    Raise `BulkError` if fsspec or the file system is not installed or cannot be reached.
    """
    try:
        import fsspec.core
    except ImportError as error:
        raise BulkError(f"{url} is a URL, which needs fsspec: pip install fsspec") from error
    try:
        file_system, path = fsspec.core.url_to_fs(url)
    except Exception as error:
        # Each file system of fsspec raises exceptions of its own libraries.
        raise BulkError(
            f"{url} cannot be opened ({first_line(error)}); check the URL and its settings"
        ) from error
    return file_system, path


def detect_format(path: str, format_name: str | None = None) -> tuple[Format, Compression | None]:
    """Return the format and the compression of a file, such as CSV and GZIP for ``games.csv.gz``.

    Args:
        path: The path, whose ending names the format. Standard input (``-``) is text by default.
        format_name: A format that takes precedence over the ending, such as ``csv`` or ``csv.gz``; None to
            use the ending.

    Raises:
        BulkError: If `format_name` is not a format, or if it is None and the ending is unknown.
    """
    path_format, path_compression = _parse_ending(_get_file_name(path))
    if format_name is not None:
        format, compression = _parse_ending(f".{format_name}")
        if format is None:
            raise BulkError(f"{format_name!r} is not a format; the formats are {_list_formats()}")
        return format, compression or path_compression
    if path == STANDARD:
        return Format.TEXT, None
    if path_format is None:
        raise BulkError(f"{path} has no known ending; name its format, one of {_list_formats()}")
    return path_format, path_compression


def file_ending(format: Format, compression: Compression | None) -> str:
    """Return the ending of a file name without the first dot, such as ``csv`` or ``csv.gz``."""
    return str(format) if compression is None else f"{format}.{compression}"


def has_known_ending(path: str) -> bool:
    """Return whether the ending of `path` names a format. Standard input (``-``) has no ending."""
    if path == STANDARD:
        return False
    format, _ = _parse_ending(_get_file_name(path))
    return format is not None


def expand_patterns(
    patterns: Sequence[str], format_name: str | None = None, dialect: CsvDialect | None = None
) -> list[SourceFile]:
    """Return the files of all patterns, in the order of the patterns.

    Args:
        patterns: Paths, globs, directories, URLs, or ``-`` for standard input.
        format_name: The format of all files; None to detect it from each name.
        dialect: The layout of CSV and TSV files; None for the default.

    Raises:
        BulkError: If a pattern matches no file, or the format of a file is unknown.
    """
    files = [file for pattern in patterns for file in _expand_pattern(pattern, format_name)]
    if dialect is None:
        return files
    return [replace(file, cells=dialect) for file in files]


def _expand_pattern(pattern: str, format_name: str | None) -> list[SourceFile]:
    """Return the files of one pattern: a path, a glob, a directory, a URL or ``-`` for standard input.

    `format_name` is the format of all files; None to detect it from each name. Raise `BulkError` if there is
    no file.
    """
    if pattern == STANDARD:
        return [SourceFile(STANDARD, *detect_format(STANDARD, format_name))]
    with explaining_errors(pattern):
        if is_url(pattern):
            return _expand_remote_pattern(pattern, format_name)
        return _expand_local_pattern(local_path(pattern), format_name)


def _expand_local_pattern(pattern: str, format_name: str | None) -> list[SourceFile]:
    """Return the files of a local path, glob or directory; raise `BulkError` if there is none.

    `format_name` is the format of all files; None to detect it from each name.
    """
    # Most patterns are files. With thousands of them, more than one call of `stat` for each would be slow.
    regular_file = _find_regular_file(pattern, format_name)
    if regular_file is not None:
        return [regular_file]
    if Path(pattern).exists() or not has_magic(pattern):
        names = [pattern]
    else:
        matches = glob(pattern, recursive=True)  # noqa: PTH207  (pathlib takes no absolute pattern)
        names = sorted(name for name in matches if Path(name).is_file())
        if not names:
            raise BulkError(f"no file matches {pattern}; check the pattern")
    if Path(names[0]).is_dir():
        names = _list_directory(pattern, format_name)
    return [_inspect_local_file(name, format_name) for name in names]


def _list_directory(directory: str, format_name: str | None) -> list[str]:
    """Return the paths of the files in a directory, at any depth, whose format is known.

    Names that begin with ``.`` or ``_`` are left out. If `format_name` is not None, it is the format of all
    files. Raise `BulkError` if there is no such file.
    """
    root = str(Path(directory))
    # Paths of files in the working directory have no `./` in front.
    removed_chars = len(f".{os.sep}") if root == "." else 0
    found: list[tuple[tuple[str, ...], str]] = []
    waiting: list[tuple[tuple[str, ...], str]] = [((), root)]
    while waiting:
        folder_parts, folder = waiting.pop()
        # Folders that cannot be read are left out. Links to folders are not followed, as they may be cycles.
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if _has_hidden_part([entry.name]):
                    continue
                parts = (*folder_parts, entry.name)
                if entry.is_dir(follow_symlinks=False):
                    waiting.append((parts, entry.path))
                elif entry.is_file():
                    found.append((parts, entry.path[removed_chars:]))
    return _select_known_formats((path for _, path in sorted(found)), format_name, directory)


def _find_regular_file(name: str, format_name: str | None) -> SourceFile | None:
    """Return the file `name` with its size, or None if it does not exist, or is a directory or a pipe.

    `format_name` is the format of the file; None to detect it from the name.
    """
    try:
        status = os.stat(name)  # noqa: PTH116  (a third of the cost of Path.stat for thousands of names)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return SourceFile(name, *detect_format(name, format_name), status.st_size, str(status.st_mtime_ns))


def _inspect_local_file(name: str, format_name: str | None) -> SourceFile:
    """Return the local file `name` with its modification time, and with its size if it is a regular file.

    `format_name` is the format of the file; None to detect it from the name. Raise `OSError` if the file does
    not exist.
    """
    status = os.stat(name)  # noqa: PTH116  (a third of the cost of Path.stat for thousands of names)
    size = status.st_size if stat.S_ISREG(status.st_mode) else None
    return SourceFile(name, *detect_format(name, format_name), size, str(status.st_mtime_ns))


def _expand_remote_pattern(pattern: str, format_name: str | None) -> list[SourceFile]:
    """Return the files of a URL, which may be a glob or a directory; raise `BulkError` if there is none.

    `format_name` is the format of all files; None to detect it from each name.
    """
    file_system, path = resolve_url(pattern)
    try:
        if has_magic(path) and not file_system.exists(path):
            names = [name for name in sorted(file_system.glob(path)) if file_system.isfile(name)]
            if not names:
                raise BulkError(f"no file matches {pattern}; check the pattern")
        elif file_system.isdir(path):
            names = _select_known_formats(_list_remote_directory(file_system, path), format_name, pattern)
        else:
            names = [path]
        return [_inspect_remote_file(file_system, name, format_name) for name in names]
    except (BulkError, OSError):
        raise
    except Exception as error:
        # Each file system of fsspec raises exceptions of its own libraries.
        raise BulkError(
            f"{pattern} cannot be read ({first_line(error)}); check the URL and its settings"
        ) from error


def _list_remote_directory(file_system: Any, directory: str) -> list[str]:
    """Return the paths of all files in a directory of an fsspec file system, at any depth.

    Names that begin with ``.`` or ``_`` are left out.
    """
    prefix_length = len(directory.rstrip("/"))
    paths = sorted(file_system.find(directory))
    return [path for path in paths if not _has_hidden_part(path[prefix_length:].split("/"))]


def _inspect_remote_file(file_system: Any, name: str, format_name: str | None) -> SourceFile:
    """Return the file `name` of an fsspec file system with its size and its version, such as an ETag.

    `format_name` is the format of the file; None to detect it from the name.
    """
    info = file_system.info(name)
    stamps = (str(info[key]) for key in _STAMP_KEYS if info.get(key))
    url = file_system.unstrip_protocol(name)
    return SourceFile(url, *detect_format(url, format_name), size=info.get("size"), stamp=next(stamps, ""))


def _has_hidden_part(parts: Iterable[str]) -> bool:
    """Return whether one of the `parts` of a path begins with ``.`` or ``_``, as in ``a/.cache/b.csv``."""
    return any(part.startswith((".", "_")) for part in parts)


def _select_known_formats(names: Iterable[str], format_name: str | None, directory: str) -> list[str]:
    """Return the names of files whose ending names a format. Raise `BulkError` if there are none.

    Args:
        names: The names of the files.
        format_name: The format of all files, with which all names are returned; None to detect it from each
            name.
        directory: The directory of the files, for the error message.
    """
    usable_names = [name for name in names if format_name is not None or has_known_ending(name)]
    if not usable_names:
        raise BulkError(f"the directory {directory} has no file with a known ending; name the files")
    return usable_names


def _get_file_name(path: str) -> str:
    """Return the last component of a path or URL: ``b.csv`` for ``a/b.csv``."""
    has_only_slashes = os.sep == "/" or is_url(path)
    if not has_only_slashes:
        # A local path on Windows may have other separators.
        return Path(path).name
    _, _, name = path.rstrip("/").rpartition("/")
    return name


_COMPRESSION_ENDINGS: Final = frozenset(str(compression) for compression in Compression)


def _parse_ending(name: str) -> tuple[Format | None, Compression | None]:
    """Return the format and the compression that the ending of a file name stands for.

    ``games.csv.gz`` gives CSV and GZIP, ``games.csv`` CSV and None. An unknown ending gives None and None.
    """
    _, *endings = name.lower().split(".")
    compression = None
    if endings and endings[-1] in _COMPRESSION_ENDINGS:
        compression = Compression(endings.pop())
    format = ENDINGS.get(endings[-1]) if endings else None
    return format, compression


def _list_formats() -> str:
    """Return the names of all formats and compressions, as error messages list them."""
    return f"{', '.join(Format)}, also with .gz, .zst or .bz2"


CODECS: Final = {Compression.GZIP: "gzip", Compression.ZSTD: "zstd", Compression.BZIP2: "bz2"}
"""Arrow's names for the compressions."""


_COMPRESSION_TITLES: Final = {Compression.GZIP: "gzip", Compression.ZSTD: "zstd", Compression.BZIP2: "bzip2"}
"""Names of the compressions in messages."""


_FIRST_BYTES: Final = {
    b"\x1f\x8b": Compression.GZIP,
    b"\x28\xb5\x2f\xfd": Compression.ZSTD,
    b"BZh": Compression.BZIP2,
}
_MAX_FIRST_BYTES: Final = max(map(len, _FIRST_BYTES))


class CountingReader:
    """A binary file that counts the bytes that are read from another one. Arrow can read from it."""

    closed = False

    def __init__(self, file: Any) -> None:
        """Read from the binary file `file`."""
        self._file = file
        self.bytes_read = 0
        """Number of bytes that have been read."""

    def read(self, size: int = -1) -> bytes:
        """Return the next `size` bytes, or fewer at the end."""
        data: bytes = self._file.read(size)
        self.bytes_read += len(data)
        return data

    def close(self) -> None:
        """Do nothing: the owner of the file closes it."""


class ByteStream(Protocol):
    """Decompressed bytes that are read from front to back."""

    @property
    def path(self) -> str:
        """Path of the file, for error messages."""

    @property
    def compression(self) -> Compression | None:
        """Compression of the file."""

    @property
    def bytes_read(self) -> int:
        """Number of bytes that have been read from the file itself, before decompression."""

    def read(self, size: int) -> bytes:
        """Return the next `size` bytes, or fewer at the end; no bytes when everything has been read."""

    def close(self) -> None:
        """Close the file."""


class Stream:
    """The decompressed bytes of one file, URL or standard input."""

    def __init__(self, path: str, compression: Compression | None = None, start: int = 0) -> None:
        """Open the file.

        Args:
            path: The path or URL of the file, or ``-`` for standard input.
            compression: The compression of the file. None means that the file is not compressed, except for
                standard input, whose compression is detected.
            start: The offset of the first byte to read.
        """
        self.path = path
        with explaining_errors(path):
            self._file = open_binary(path)
            if start:
                self._file.seek(start)
            if compression is None and path == STANDARD:
                compression = detect_compression(_peek_first_bytes(self._file))
        self.compression = compression
        self._reader = CountingReader(self._file)
        self._decompressor: Any = None
        if compression is not None:
            compressed_file = pa.PythonFile(self._reader, "r")
            self._decompressor = pa.CompressedInputStream(compressed_file, CODECS[compression])

    @property
    def bytes_read(self) -> int:
        """Number of bytes that have been read from the file itself, before decompression."""
        return self._reader.bytes_read

    def read(self, size: int) -> bytes:
        """Return the next `size` bytes, or fewer at the end; no bytes when everything has been read.

        Raise `BulkError` if the file cannot be read or decompressed.
        """
        with explaining_errors(self.path):
            if self._decompressor is None:
                return self._reader.read(size)
            return self._decompress(size)

    def _decompress(self, size: int) -> bytes:
        """Return the next `size` decompressed bytes, or fewer at the end.

        Raise `BulkError` if the file is damaged or empty.
        """
        try:
            data: bytes = self._decompressor.read(size)
        except (OSError, pa.ArrowException) as error:
            raise BulkError(self._describe_damage(first_line(error))) from error
        if not data and not self.bytes_read:
            raise BulkError(self._describe_damage("the file is empty"))
        return data

    def _describe_damage(self, reason: str) -> str:
        """Return the error message for a file that cannot be decompressed.

        `reason` is the message of the decompressor, or ``the file is empty``.
        """
        title = "compressed" if self.compression is None else _COMPRESSION_TITLES[self.compression]
        return (
            f"{display_name(self.path)} cannot be decompressed after byte {self.bytes_read} ({reason}); "
            f"it is not a complete {title} file: copy or make it again"
        )

    def close(self) -> None:
        """Close the file; standard input stays open."""
        if self.path != STANDARD:
            self._file.close()


class MemoryStream:
    """Bytes in memory as a `ByteStream`."""

    compression: Compression | None = None

    def __init__(self, path: str, data: bytes | bytearray | memoryview) -> None:
        """Read the bytes of `data`. Error messages name them `path`."""
        self.path = path
        self._file = io.BytesIO(data)

    @property
    def bytes_read(self) -> int:
        """Number of bytes that have been read."""
        return self._file.tell()

    def read(self, size: int) -> bytes:
        """Return the next `size` bytes, or fewer at the end."""
        return self._file.read(size)

    def close(self) -> None:
        """Do nothing: there is no file to close."""


def detect_compression(data: bytes) -> Compression | None:
    """Return the compression of a file that begins with `data`, or None if it is not compressed.

    A gzip file, for example, begins with ``1f 8b``. No text begins with such bytes.
    """
    for first_bytes, compression in _FIRST_BYTES.items():
        if data.startswith(first_bytes):
            return compression
    return None


def _peek_first_bytes(file: Any) -> bytes:
    """Return the next bytes of a file, enough to recognise a compression, which can still be read.

    Return no bytes if the file can neither be peeked into nor positioned.
    """
    if not hasattr(file, "peek") and not file.seekable():
        return b""
    return _peek(file, _MAX_FIRST_BYTES)


def _peek(file: Any, size: int) -> bytes:
    """Return about `size` of the next bytes of a file, which can still be read.

    The file must be positionable or have a method `peek`.
    """
    if hasattr(file, "peek"):
        peeked_bytes: bytes = file.peek(size)
        return peeked_bytes
    offset = file.tell()
    next_bytes: bytes = file.read(size)
    file.seek(offset)
    return next_bytes


def open_binary(path: str) -> BinaryIO:
    """Open a file, a URL or standard input (``-``) for reading bytes from front to back."""
    if path == STANDARD:
        return _get_standard_input()
    if not is_url(path):
        return open(local_path(path), "rb")  # noqa: PTH123  (a third of the cost; the caller closes it)
    file_system, remote_path = resolve_url(path)
    file: BinaryIO = file_system.open(remote_path, "rb")
    return file


def open_seekable(path: str) -> BinaryIO:
    """Open a file for reading bytes at any position; raise `BulkError` if it is a pipe."""
    with explaining_errors(path):
        file = open_binary(path)
        if file.seekable():
            return file
        if path != STANDARD:
            file.close()
    raise BulkError(
        f"{display_name(path)} is a pipe, but its format cannot be read from front to back; name a file"
    )


def peek_standard_input() -> bytes:
    """Return the first bytes of standard input, about `_PEEKED_BYTES` of them, which can still be read.

    Return no bytes if standard input is empty, is closed or has no buffer to keep them in.
    """
    buffer = getattr(sys.stdin, "buffer", None)
    if buffer is None or buffer.closed:
        return b""
    return _peek(buffer, _PEEKED_BYTES)


_PEEKED_BYTES: Final = 1 << 16
"""Number of bytes of standard input in which the game is detected."""


def _get_standard_input() -> BinaryIO:
    """Return standard input as a file of bytes; raise `BulkError` if it is closed."""
    if sys.stdin is None or sys.stdin.closed:
        raise BulkError("standard input is closed; name a file to read")
    buffer: BinaryIO | None = getattr(sys.stdin, "buffer", None)
    if buffer is None:
        # A program may have replaced `sys.stdin` by a text file without bytes below it.
        return io.BytesIO(sys.stdin.read().encode())
    return buffer
