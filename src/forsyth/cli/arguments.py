"""Escaping of arguments that begin with dashes, and the examples at the end of a command's help."""

from __future__ import annotations

from typing import Any, Final

_DASHES: Final = "---"
_ESCAPE: Final = "\ue000"
"""A private-use character before a text that begins with dashes, so that click does not read an option."""
_ESCAPED_LENGTH: Final = len(_ESCAPE + _DASHES)


def escape_dashes(arguments: list[str]) -> list[str]:
    """Return the arguments with an escape before each that begins with ``---``, such as Azul's ``----|…``.

    Without the escape, click would read such a text as an option.
    """
    return [f"{_ESCAPE}{word}" if word.startswith(_DASHES) else word for word in arguments]


def unescape_dashes(value: Any) -> Any:
    """Return a parsed argument without the character that `escape_dashes` put before its dashes.

    Texts in a tuple are unescaped one by one. A value that is not a text is returned unchanged.
    """
    if isinstance(value, tuple):
        return tuple(unescape_dashes(element) for element in value)
    if isinstance(value, str) and _DASHES in value[:_ESCAPED_LENGTH]:
        return value.removeprefix(_ESCAPE)
    return value


def format_examples(*commands: str) -> str:
    """Return the last paragraph of a command's help: the lines `commands` below the heading "Example:"."""
    # Click does not wrap the lines of a paragraph that begins with a backspace character.
    return "\b\nExample:\n" + "\n".join(f"  {command}" for command in commands)
