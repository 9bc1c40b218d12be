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

_SHORT_REPR: Final = reprlib.Repr()
"""Formats values other than strings; long ones are abbreviated."""
_SHORT_REPR.maxstring = _SHORT_REPR.maxother = MAX_QUOTED


def quoted(value: object) -> str:
    """Return `value` as it is written in Python code, such as ``'e4'``, to quote it in a message.

    A long value is cut to about 64 characters.
    """
    if not isinstance(value, str):
        return _SHORT_REPR.repr(value)
    shown_text = value if len(value) <= MAX_QUOTED else value[:MAX_QUOTED] + "…"
    return repr(shown_text)


def escape_controls(text: str, kept: str = "") -> str:
    r"""Escape all characters of `text` that could control a terminal, such as ``\x1b``.

    These are control characters, line separators, and characters that change the direction of writing.
    Characters in `kept`, such as a newline, stay as they are.
    """
    if text.isascii() and text.isprintable():
        return text

    def escape_unless_kept(match: re.Match[str]) -> str:
        char = match[0]
        return char if char in kept else _escape_char(char)

    return _TERMINAL_CONTROL.sub(escape_unless_kept, text)


def _escape_char(char: str) -> str:
    r"""Return the Python escape of a character, such as the four characters ``\x1b`` for Escape."""
    return char.encode("unicode_escape").decode("ascii")


def type_name(value: object) -> str:
    """Return the name of the type of `value`, such as ``int``, for a message.

    The name of a type that is not built in begins with its module: ``decimal.Decimal``.
    """
    value_type = type(value)
    if value_type.__module__ == "builtins":
        return value_type.__qualname__
    return f"{value_type.__module__}.{value_type.__qualname__}"


def unknown_choice_error(label: str, value: object, choices: Iterable[object]) -> ValueError:
    """Return a `ValueError` whose message lists `choices`, for a `value` that is not one of them.

    `label` is the name of the argument in the message, such as ``mode``.
    """
    return ValueError(f"there is no {label} {quoted(value)}; choose one of {', '.join(map(str, choices))}")


def fold_choice(value: str, choices: Iterable[str]) -> str:
    """Return the choice that equals `value` in any case, such as ``atomic`` for ``Atomic``.

    Return `value` unchanged if there is none. The caller then rejects it like any unknown choice.
    """
    if not isinstance(value, str):
        return value
    folded_value = value.casefold()
    for choice in choices:
        if choice.casefold() == folded_value:
            return choice
    return value


def require_choice(label: str, value: object, choices: Iterable[object]) -> None:
    """Raise `ValueError` if `value` is not one of `choices`.

    The message lists the choices. `label` is the name of the argument in it, such as ``mode``.
    """
    # A tuple instead of a set, because the value may be unhashable.
    choice_tuple = tuple(choices)
    if value not in choice_tuple:
        raise unknown_choice_error(label, value, choice_tuple)


def describe_unknown_option(function_name: str, options: Iterable[str], known: Iterable[str]) -> str | None:
    """Return the error message about the first keyword argument that a function does not have, or None.

    Args:
        function_name: The function that the user called, such as ``draw.svg``.
        options: The names of the keyword arguments that were passed.
        known: The names of all keyword arguments of the function.
    """
    known_names = sorted(known)
    for name in options:
        if name not in known_names:
            return (
                f"{function_name}() got an unexpected keyword argument {quoted(name)}, "
                f"expected one of {', '.join(known_names)}"
            )
    return None


def require_type(label: str, value: object, expected_type: type, description: str) -> None:
    """Raise `TypeError` if `value` is not an instance of `expected_type`.

    Args:
        label: The argument as the message names it, such as ``the note``.
        value: The value to check.
        expected_type: The type that the value must have.
        description: The expected type as the message names it, such as ``text``.
    """
    if not isinstance(value, expected_type):
        raise TypeError(f"{label} is of type {type_name(value)}, expected {description}")


def require_text(label: str, value: object) -> None:
    """Raise `TypeError` if `value` is not a string.

    `label` is the argument as the message names it, such as ``the note``.
    """
    require_type(label, value, str, "text")


def to_tuple(label: str, values: Iterable[T], expected: str) -> tuple[T, ...]:
    """Return several values as a tuple.

    Args:
        label: The argument as the message names it, such as ``the tags``.
        values: An iterable. A string or bytes is rejected, because it is one value.
        expected: The expected values as the message names them, such as ``texts``.

    Raises:
        TypeError: If `values` is not iterable, or is a string or bytes.
    """
    # Most values are a tuple already, and the isinstance check with Iterable is slow.
    if type(values) is tuple:
        return values
    is_single_value = isinstance(values, str | bytes) or not isinstance(values, Iterable)
    if is_single_value:
        raise TypeError(f"{label} are of type {type_name(values)}, expected several {expected}")
    return tuple(values)


def require_integer(label: str, value: Any, minimum: int | None = None, maximum: int | None = None) -> int:
    """Return `value` as an int if it is a whole number from `minimum` to `maximum`.

    Args:
        label: The argument as messages name it, such as ``the depth``.
        value: A number of any integer type.
        minimum: The lowest allowed number. None means that no bound is checked, not even `maximum`.
        maximum: The highest allowed number, or None for no upper bound.

    Raises:
        TypeError: If `value` is not a whole number.
        ValueError: If it is below `minimum` or above `maximum`.
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
