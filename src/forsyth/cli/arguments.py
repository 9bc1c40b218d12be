"""Escaping of arguments that begin with dashes, and the examples at the end of a command's help."""

from __future__ import annotations

from typing import Any, Final

_DASHES: Final = "---"
_ESCAPE: Final = "\ue000"
"""A private-use character before a text that begins with dashes, so that click does not read an option."""


def escape_dashes(arguments: list[str]) -> list[str]:
    """Put an escape character before each argument that begins with ``---``, and return all arguments.

    A position text of Azul can begin with dashes (``----|…``). Without the escape character, click would read
    it as an option. `unescape_dashes` removes the character again.
    """
    return [f"{_ESCAPE}{argument}" if argument.startswith(_DASHES) else argument for argument in arguments]


def unescape_dashes(value: Any) -> Any:
    """Remove the escape character that `escape_dashes` put before the dashes of an argument.

    `value` is the argument after click has parsed it. If it is a tuple, each text in it is unescaped. A value
    of another type, such as a number, is returned unchanged.
    """
    if isinstance(value, tuple):
        return tuple(unescape_dashes(element) for element in value)
    if isinstance(value, str) and value.startswith(_ESCAPE + _DASHES):
        return value.removeprefix(_ESCAPE)
    return value


def format_examples(*commands: str) -> str:
    """Format example commands as the last paragraph of a command's help, with the heading ``Example:``.

    Each of `commands` is one line, such as ``forsyth lint --fix src``.
    """
    # Click does not wrap the lines of a paragraph that begins with a backspace character.
    return "\b\nExample:\n" + "\n".join(f"  {command}" for command in commands)
