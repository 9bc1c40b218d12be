"""Writing a position as somebody asks: canonical, in a form, or in a style of its game.

`state` keeps the canonical text in the store, or the identifier would lead nowhere. What does not exist, and
what cannot hold the position, is a `ValueError` of one sentence.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from forsyth import forms
from forsyth.arguments import quoted
from forsyth.game import Game
from forsyth.identity import kept_text

CANONICAL: Final = "canonical"

WRITABLE_FORMS: Final = tuple(form for form in forms.FORMS if form != "name")
"""A name is given to a position, not written from it."""


def targets(games: Iterable[Game]) -> tuple[str, ...]:
    """Everything that positions of these games can be written as."""
    styles = (style for game in games for style in game.styles)
    return tuple(dict.fromkeys((CANONICAL, *WRITABLE_FORMS, *styles)))


def converted(game: Game, position: Any, target: str, store: forms.Store | None) -> str:
    """A position written as the target says."""
    if target in WRITABLE_FORMS:
        # A form of its own tells nobody the variant; a plain text stands beside its name.
        text = game.write(position) if target == "plain" else kept_text(position)
        return forms.wrap(text, target, store=store, game=game.name)
    known = targets([game])
    if target not in known:
        raise ValueError(f"{game.name} has no style {quoted(target)}; choose one of {', '.join(known)}")
    return game.write(position, target)
