"""What a game's package offers beyond the `Game` protocol, found by the name of the module that holds it.

A built-in game may have, beside its game object, ``report.type_of``, ``report.details_of`` and
``report.places_of`` (what it calls a text, a position and a place in its own words), and
``rounds.end_round`` (what a round's end brings). A game without them is served by the protocol alone.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any, Final

from forsyth.game import Game

_BUILT_IN: Final = "forsyth.games."


def own(game: Game, module: str, name: str) -> Callable[..., Any] | None:
    """A function of the game's own package, or None where it has none of that name."""
    return _found(type(game).__module__, module, name)


@cache
def _found(place: str, module: str, name: str) -> Callable[..., Any] | None:
    package = place.rpartition(".")[0]
    # In a package of a third party a module of this name may be anything.
    if not package.startswith(_BUILT_IN) or find_spec(f"{package}.{module}") is None:
        return None
    found: Callable[..., Any] | None = getattr(importlib.import_module(f"{package}.{module}"), name, None)
    return found
