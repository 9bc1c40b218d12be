"""Checks of argument values, with the same error sentences everywhere.

- An enumerated argument with an unknown value raises `ValueError`, and the message lists the choices.
  Nothing is guessed: a misspelt mode is not read as the default mode.
- An argument of the wrong type raises `TypeError`, and the message names the actual and the expected type.

A message repeats at most `MAX_QUOTED` characters of a value.
"""

from __future__ import annotations

import operator
import re
import reprlib
from collections.abc import Iterable
from typing import Any, Final, TypeVar

T = TypeVar("T")

MAX_QUOTED: Final = 64
"""Upper bound on the characters of a value that a message repeats, so that it cannot fill a log."""

_TERMINAL_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""A character that can move the cursor, change colours or hide text on a terminal."""

_SHORT: Final = reprlib.Repr()
"""Formats values other than strings; long ones are abbreviated."""
_SHORT.maxstring = _SHORT.maxother = MAX_QUOTED


def quoted(value: object) -> str:
    """Return `value` as Python code, such as ``'e4'``, shortened to about 64 characters for a message."""
    if isinstance(value, str):
        return repr(value if len(value) <= MAX_QUOTED else value[:MAX_QUOTED] + "…")
    return _SHORT.repr(value)


def escape_controls(text: str, kept: str = "") -> str:
    r"""Return `text` with each character that could control a terminal as an escape, such as ``\x1b``.

    These are control characters, line separators, and characters that change the direction of writing.
    Characters in `kept`, such as the newline, stay as they are.
    """
    if text.isascii() and text.isprintable():
        return text
    return _TERMINAL_CONTROL.sub(lambda match: match[0] if match[0] in kept else _escape(match[0]), text)


def _escape(char: str) -> str:
    r"""Return the escape of a character: ``\x1b`` for the character 27."""
    return char.encode("unicode_escape").decode("ascii")


def type_name(value: object) -> str:
    """Return the name of the type of `value`, such as ``int``, or ``decimal.Decimal`` if not built in."""
    value_type = type(value)
    if value_type.__module__ == "builtins":
        return value_type.__qualname__
    return f"{value_type.__module__}.{value_type.__qualname__}"


def unknown_choice_error(label: str, value: object, choices: Iterable[object]) -> ValueError:
    """Return the `ValueError` for a `value` that is not one of `choices`. `label` names the argument."""
    return ValueError(f"there is no {label} {quoted(value)}; choose one of {', '.join(map(str, choices))}")


def fold_choice(value: str, choices: Iterable[str]) -> str:
    """Return the choice that equals `value` in any case, such as ``atomic`` for ``Atomic``.

    If there is none, return `value` itself, which the caller then rejects as usual.
    """
    if not isinstance(value, str):
        return value
    folded = value.casefold()
    return next((choice for choice in choices if choice.casefold() == folded), value)


def require_choice(label: str, value: object, choices: Iterable[object]) -> None:
    """Raise `ValueError` if `value` is not one of `choices`. `label` names the argument in the message."""
    # A tuple instead of a set, because the value may be unhashable.
    choice_tuple = tuple(choices)
    if value not in choice_tuple:
        raise unknown_choice_error(label, value, choice_tuple)


def require_type(label: str, value: object, expected_type: type, description: str) -> None:
    """Raise `TypeError` if `value` is not an instance of `expected_type`.

    `label` names the argument and `description` the expected type, both for the message.
    """
    if not isinstance(value, expected_type):
        raise TypeError(f"{label} is of type {type_name(value)}, expected {description}")


def require_text(label: str, value: object) -> None:
    """Raise `TypeError` if `value` is not a string. `label` names the argument in the message."""
    require_type(label, value, str, "text")


def to_tuple(label: str, values: Iterable[T], expected: str) -> tuple[T, ...]:
    """Return `values` as a tuple.

    Raise `TypeError` if `values` is not iterable, or if it is a string or bytes: these are one value, not
    several. `label` names the argument and `expected` its items, both for the message.
    """
    # Most values are a tuple already, and the isinstance check with Iterable is slow.
    if type(values) is tuple:
        return values
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeError(f"{label} are of type {type_name(values)}, expected several {expected}")
    return tuple(values)


def require_integer(label: str, value: Any, minimum: int | None = None, maximum: int | None = None) -> int:
    """Return `value` as an int. `label` names the argument in messages.

    Raise `TypeError` if `value` is not a whole number, and `ValueError` if it is below `minimum` or above
    `maximum`. None means no bound; `maximum` is only checked when there is a `minimum`.
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{label} is of type {type_name(value)}, expected a whole number") from None
    if minimum is None:
        return number
    is_too_small = number < minimum
    is_too_large = maximum is not None and number > maximum
    if is_too_small or is_too_large:
        expected = f"{minimum} or more" if maximum is None else f"{minimum} to {maximum}"
        raise ValueError(f"{label} is {quoted(number)}, expected {expected}")
    return number
