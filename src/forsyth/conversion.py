"""Conversion of a position to its canonical text, a form such as `base64`, or a style of its game.

Conversion to the form `state` also saves the canonical text in the store, so that the identifier can be
resolved later.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from forsyth import forms
from forsyth.arguments import quoted
from forsyth.game import Game
from forsyth.identity import stored_text

CANONICAL: Final = "canonical"
"""The target that gives the canonical text."""

WRITABLE_FORMS: Final = tuple(form for form in forms.FORMS if form != "name")
"""The forms that a position can be written in. Names are excluded: most positions have none."""


def conversion_targets(games: Iterable[Game]) -> tuple[str, ...]:
    """Return the names of all targets to which positions of these games can be converted, each once.

    They are ``canonical``, the forms, such as ``base64``, and the notation styles of the games.
    """
    styles = (style for game in games for style in game.styles)
    return tuple(dict.fromkeys((CANONICAL, *WRITABLE_FORMS, *styles)))


def convert_position(game: Game, position: Any, target: str, store: forms.Store | None) -> str:
    """Return a position as text in the form, such as ``base64``, or notation style `target`.

    Args:
        game: The game of the position.
        position: The position to write.
        target: One of the names that `conversion_targets` returns for the game.
        store: The store that saves the text if the target is ``state``, so that the identifier can be
            resolved later. None only computes the identifier.

    Raises:
        ValueError: If there is no such target, or the position cannot be written in it.
    """
    if target in WRITABLE_FORMS:
        # A wrapped text is passed on without the name of its variant, so it has to contain the variant.
        text = game.write(position) if target == "plain" else stored_text(position)
        return forms.wrap(text, target, store=store, game=game.name)
    targets = conversion_targets([game])
    if target not in targets:
        raise ValueError(f"{game.name} has no style {quoted(target)}; choose one of {', '.join(targets)}")
    return game.write(position, target)
