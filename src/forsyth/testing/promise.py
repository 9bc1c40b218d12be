"""How a broken promise is reported: one sentence that names the game, and what was found."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from forsyth.arguments import quoted, type_of

if TYPE_CHECKING:
    from forsyth.game import Game

T = TypeVar("T")


def require(holds: object, game: Game, sentence: str) -> None:
    """Raise `AssertionError` with the sentence unless something holds."""
    if not holds:
        raise AssertionError(f"{game.name}: {sentence}")


def require_refusal(
    game: Game, sentence: str, error: type[Exception], call: Callable[..., object], *given: Any
) -> None:
    """Raise `AssertionError` unless a call raises an error of this kind and no other."""
    try:
        found = call(*given)
    except error:
        return
    except Exception as other:
        raise AssertionError(
            f"{game.name}: {sentence} raises {type_of(other)}, expected {error.__name__}"
        ) from other
    raise AssertionError(f"{game.name}: {sentence} gives {quoted(found)}, expected {error.__name__}")


def attempted(
    game: Game, sentence: str, error: type[Exception], call: Callable[..., T], *given: Any
) -> T | None:
    """What a call gives, or None where it raises an error of this kind; no other is allowed."""
    try:
        return call(*given)
    except error:
        return None
    except Exception as other:
        raise AssertionError(
            f"{game.name}: {sentence} raises {type_of(other)}, allowed is {error.__name__}"
        ) from other
