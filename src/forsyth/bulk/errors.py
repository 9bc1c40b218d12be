"""The error that ends a bulk job: one sentence for the user, whichever library raised the original error.

`explaining_errors` converts the errors that the operating system, Arrow and fsspec raise while a file is read
or written. A `BrokenPipeError` is passed on unchanged, because a closed pipe is not an error in the data.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Final, Literal

import pyarrow as pa

from forsyth.arguments import describe_unknown_option, escape_controls, require_choice, require_integer
from forsyth.game import Columnar, Game

FileAction = Literal["read", "written"]
ColumnKind = Literal["packed columns", "features", "planes"]
"""A kind of columns that only some games have."""

STANDARD: Final = "-"
"""The path that means standard input or standard output."""

_MAX_REASON_LENGTH: Final = 200
"""Upper bound on the characters of a library's message that are repeated in a sentence."""
_DISK_FULL_CODES: Final = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
_REMEDIES: Final = {
    "read": "it may be cut off, damaged or of another format; copy it again, or name its format",
    "written": "choose another format for it, such as parquet",
}


class BulkError(Exception):
    """An error in the data, a file or the arguments; its message names the problem and a remedy.

    Control characters in the message, such as those in a path, are escaped.
    """

    def __init__(self, message: str) -> None:
        """Store the message, with its control characters escaped."""
        super().__init__(escape_controls(message, kept="\n"))


def require_one_of(label: str, value: object, choices: Iterable[object]) -> None:
    """Raise `BulkError` if `value` is not one of `choices`.

    `label` names the value in the message, such as ``mode``.
    """
    try:
        require_choice(label, value, choices)
    except ValueError as error:
        raise BulkError(str(error)) from None


def require_known_options(
    function_name: str, options: Iterable[str], option_type: Any, remedy: str = ""
) -> None:
    """Raise `BulkError` if `options`, the keyword arguments of a call, has an unknown name.

    `option_type` is the `TypedDict` with the keyword arguments of the function. `remedy` is added to the
    message.
    """
    message = describe_unknown_option(function_name, options, option_type.__optional_keys__)
    if message is not None:
        raise BulkError(f"{message}; {remedy}" if remedy else message)


def require_count(label: str, value: object) -> None:
    """Raise `BulkError` if `value` is not a whole number of at least 1.

    `label` names the value in the message, such as ``threads``.
    """
    try:
        require_integer(label, value, 1)
    except (TypeError, ValueError) as error:
        raise BulkError(str(error)) from None


def require_columns(game: Game, kind: ColumnKind, remedy: str = "choose another verb") -> Columnar:
    """Return the game as a `Columnar` one. Raise `BulkError` if it has no columns of one kind.

    Args:
        game: The game.
        kind: The kind: ``packed columns`` (positions as bytes), ``features`` (numbers that describe a
            position) or ``planes`` (positions as tensors).
        remedy: The end of the error message, which proposes what to do instead.
    """
    if isinstance(game, Columnar) and _has_columns(game, kind):
        return game
    raise BulkError(f"{game.name} has no {kind}; {remedy}")


def _has_columns(game: Columnar, kind: ColumnKind) -> bool:
    """Return whether a game has columns of one kind, such as ``features``."""
    if kind == "features":
        return bool(game.feature_list)
    if kind == "planes":
        return game.plane_shape.size > 0
    return kind == "packed columns"


def display_name(path: str, action: FileAction = "read") -> str:
    """Return the name of a file for a message, which is its path, such as ``games.csv``.

    For the path ``-`` it is "standard input" if the `action` is ``read``, and "standard output" if the action
    is ``written``.
    """
    if path != STANDARD:
        return path
    return "standard input" if action == "read" else "standard output"


class explaining_errors:  # noqa: N801  (used as a function: with explaining_errors(path))
    """A context manager that converts errors of the system and of Arrow to `BulkError`.

    The message names the file. A generator would be shorter than this class, but four times as slow, and jobs
    with thousands of small files enter it eight times per file.
    """

    __slots__ = ("_action", "_path")

    def __init__(self, path: str, action: FileAction = "read") -> None:
        """Store the path of the file, and what is done with it, for the messages."""
        self._path = path
        self._action: FileAction = action

    def __enter__(self) -> None:
        """Do nothing; errors are converted by `__exit__`."""

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Raise `BulkError` if `error` is an `OSError` or an error of Arrow.

        Other errors pass unchanged.
        """
        is_for_caller = isinstance(error, BulkError | BrokenPipeError)
        if error is None or is_for_caller:
            return
        action = self._action
        name = display_name(self._path, action)
        if isinstance(error, OSError):
            raise BulkError(_explain_os_error(name, action, error)) from error
        if isinstance(error, pa.ArrowException):
            reason = first_line(error)
            raise BulkError(f"{name} cannot be {action} ({reason}); {_REMEDIES[action]}") from error


def first_line(error: Exception) -> str:
    """Return the first line of an error message, without a full stop at its end.

    Longer lines are cut after `_MAX_REASON_LENGTH` characters. If the error has no message, return the name
    of its type, such as ``KeyError``.
    """
    lines = str(error).strip().splitlines()
    if not lines:
        return type(error).__name__
    return lines[0].rstrip(".")[:_MAX_REASON_LENGTH]


def _explain_os_error(name: str, action: FileAction, error: OSError) -> str:
    """Return a sentence about an error of the system, such as a missing file, with a remedy.

    `name` is the name of the file, and `action` is ``read`` or ``written``.
    """
    if error.errno in _DISK_FULL_CODES:
        return f"there is no space on the disk for {name}; free some space, or write to another disk"
    if isinstance(error, FileNotFoundError):
        missing_item = "file" if action == "read" else "directory for"
        return f"there is no {missing_item} {name}; check the path"
    if isinstance(error, PermissionError):
        return f"{name} may not be {action}; change the permissions of the file or of its directory"
    if isinstance(error, IsADirectoryError):
        return f"{name} cannot be {action} because it is a directory; name a file"
    if isinstance(error, NotADirectoryError):
        return f"{name} cannot be {action} because part of its path is not a directory; check the path"
    return f"{name} cannot be {action} ({first_line(error)}); {_REMEDIES[action]}"
