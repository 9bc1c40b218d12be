"""What ends a bulk job: one sentence for a person, from whichever library the error came.

`explaining_errors` turns into it what the operating system, Arrow and fsspec raise while a file is read or
written. A pipe whose reader has gone is not an error of the data: `BrokenPipeError` is passed on.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable
from types import TracebackType
from typing import Final, Literal

import pyarrow as pa

from forsyth.arguments import require_choice, whole_number

Doing = Literal["read", "written"]

STANDARD: Final = "-"
"""The path that means standard input or standard output."""

_FULL: Final = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
_DAMAGED: Final = {
    "read": "it may be cut off, damaged or of another format; copy it again, or name its format",
    "written": "choose another format for it, such as parquet",
}


class BulkError(Exception):
    """Something is wrong with the data, a file or what was asked for; says what, where, and a remedy."""


def must_be_one_of(what: str, value: object, choices: Iterable[object]) -> None:
    """Raises `BulkError` for a value that is none of the choices."""
    try:
        require_choice(what, value, choices)
    except ValueError as error:
        raise BulkError(str(error)) from None


def must_be_count(what: str, value: object) -> None:
    """Raises `BulkError` for what is no whole number of at least one."""
    try:
        whole_number(what, value, 1)
    except (TypeError, ValueError) as error:
        raise BulkError(str(error)) from None


def shown(path: str, doing: Doing = "read") -> str:
    """How a sentence names a file."""
    if path != STANDARD:
        return path
    return "standard input" if doing == "read" else "standard output"


class explaining_errors:  # noqa: N801  (used as a function: with explaining_errors(path))
    """Raises `BulkError` in place of what a library raises about the file at `path`.

    A class: thousands of small files enter it eight times each, and a generator takes four times as long.
    """

    __slots__ = ("_doing", "_path")

    def __init__(self, path: str, doing: Doing = "read") -> None:
        self._path = path
        self._doing: Doing = doing

    def __enter__(self) -> None:
        """Nothing is wrong yet."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None or isinstance(error, BulkError | BrokenPipeError):
            return
        doing = self._doing
        name = shown(self._path, doing)
        if isinstance(error, OSError):
            raise BulkError(_os_sentence(name, doing, error)) from error
        if isinstance(error, pa.ArrowException):
            raise BulkError(f"{name} cannot be {doing} ({brief(error)}); {_DAMAGED[doing]}") from error


def brief(error: Exception) -> str:
    """The first line of what a library says, without its full stop."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".")[:200] if lines else type(error).__name__


def _os_sentence(name: str, doing: Doing, error: OSError) -> str:
    if error.errno in _FULL:
        return f"there is no space on the disk for {name}; free some, or write to another place"
    if isinstance(error, FileNotFoundError):
        missing = "file" if doing == "read" else "directory for"
        return f"there is no {missing} {name}; check the path"
    if isinstance(error, PermissionError):
        return f"{name} may not be {doing}; change its permissions, or those of its directory"
    if isinstance(error, IsADirectoryError | NotADirectoryError):
        return f"{name} cannot be {doing} because a directory is where a file must be, or the reverse"
    return f"{name} cannot be {doing} ({brief(error)}); {_DAMAGED[doing]}"
