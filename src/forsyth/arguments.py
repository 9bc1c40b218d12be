"""What an argument must be, in one sentence for each kind of slip, the same in every game.

An enumerated argument with another value is a `ValueError` that lists the choices: nothing is guessed, and a
misspelt mode is not the default one. An argument of the wrong type is a `TypeError` that names the type found
and what was expected.

Limits: of the value found no more than `MAX_QUOTED` characters are repeated.
"""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Iterable
from typing import Any, Final, TypeVar

T = TypeVar("T")

MAX_QUOTED: Final = 64
"""Most characters of a value that a message repeats: enough to find it, too few to fill a log."""

_SHORT: Final = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = MAX_QUOTED


def quoted(value: object) -> str:
    """A value that was given, as a message repeats it: as Python writes it, and cut where it is endless."""
    if isinstance(value, str):
        return repr(value if len(value) <= MAX_QUOTED else value[:MAX_QUOTED] + "…")
    return _SHORT.repr(value)


def type_of(value: object) -> str:
    """The name of a value's type, with its module where that says more."""
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def no_choice(what: str, value: object, choices: Iterable[object]) -> ValueError:
    """The error of a value that is none of the choices."""
    return ValueError(f"there is no {what} {quoted(value)}; choose one of {', '.join(map(str, choices))}")


def require_choice(what: str, value: object, choices: Iterable[object]) -> None:
    """Raise `ValueError` unless a value is one of the choices."""
    # A tuple, because unhashable values may be asked for as well.
    known = tuple(choices)
    if value not in known:
        raise no_choice(what, value, known)


def require_kind(what: str, value: object, kind: type, expected: str) -> None:
    """Raise `TypeError` unless a value is of a kind."""
    if not isinstance(value, kind):
        raise TypeError(f"{what} is of type {type_of(value)}, expected {expected}")


def require_text(what: str, value: object) -> None:
    """Raise `TypeError` unless a value is text."""
    require_kind(what, value, str, "text")


def several(what: str, values: Iterable[T], expected: str) -> tuple[T, ...]:
    """Values that are given together; `TypeError` for what holds none, and for a text, which is one value."""
    # Most are a tuple already, and asking whether something can be iterated takes long.
    if type(values) is tuple:
        return values
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeError(f"{what} are of type {type_of(values)}, expected several {expected}")
    return tuple(values)


def whole_number(what: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """A value as a whole number; `TypeError` where it is none, `ValueError` where it is out of bounds."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} is of type {type_of(value)}, expected a whole number") from None
    if least is not None and (number < least or (most is not None and number > most)):
        expected = f"{least} or more" if most is None else f"{least} to {most}"
        raise ValueError(f"{what} is {quoted(number)}, expected {expected}")
    return number
