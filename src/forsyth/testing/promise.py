"""Assertions for the conformance checks. Their messages are one sentence that begins with the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from forsyth.arguments import quoted, type_name

if TYPE_CHECKING:
    from forsyth.game import Game

T = TypeVar("T")


def require(condition: object, game: Game, message: str) -> None:
    """Raise `AssertionError` with the name of the game and `message` if `condition` is false."""
    if not condition:
        raise AssertionError(f"{game.name}: {message}")


def require_refusal(
    game: Game,
    description: str,
    error_type: type[Exception],
    function: Callable[..., object],
    *arguments: Any,
) -> None:
    """Raise `AssertionError` unless ``function(*arguments)`` raises an error of type `error_type`.

    `description` names the call in the message, such as ``reading the move text 'x'``.
    """
    try:
        result = function(*arguments)
    except error_type:
        return
    except Exception as error:
        raise AssertionError(
            f"{game.name}: {description} raises {type_name(error)}, expected {error_type.__name__}"
        ) from error
    raise AssertionError(
        f"{game.name}: {description} returns {quoted(result)}, expected {error_type.__name__}"
    )


def call_or_none(
    game: Game,
    description: str,
    error_type: type[Exception],
    function: Callable[..., T],
    *arguments: Any,
) -> T | None:
    """Return ``function(*arguments)``, or None if it raises an error of type `error_type`.

    Raise `AssertionError` if it raises another error. `description` names the call in the message.
    """
    try:
        return function(*arguments)
    except error_type:
        return None
    except Exception as error:
        raise AssertionError(
            f"{game.name}: {description} raises {type_name(error)}, "
            f"expected a result or {error_type.__name__}"
        ) from error
