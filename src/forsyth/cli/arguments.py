"""What is done to arguments before click reads them, and the examples at the end of a command's help."""

from __future__ import annotations

from typing import Any, Final

_DASHES: Final = "---"
_SHIELD: Final = "\ue000"
"""Put before a text so that its dashes are not taken for those of an option."""


def shielded(arguments: list[str]) -> list[str]:
    """Arguments in which a text that begins with dashes, such as Azul's ``----|…``, is not an option."""
    return [f"{_SHIELD}{word}" if word.startswith(_DASHES) else word for word in arguments]


def unshielded(value: Any) -> Any:
    """The text, or the texts, as they were given."""
    if isinstance(value, tuple):
        return tuple(unshielded(one) for one in value)
    return value.removeprefix(_SHIELD) if isinstance(value, str) and _DASHES in value[:4] else value


def example(*commands: str) -> str:
    """The last paragraph of a command's help: what to type."""
    return "\b\nExample:\n" + "\n".join(f"  {command}" for command in commands)
