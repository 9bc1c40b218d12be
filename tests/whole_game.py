"""The type of a game that has every ability a built-in one has, and the built-in games as that type."""

from __future__ import annotations

from typing import Protocol, cast

import forsyth
from forsyth.game import Columnar, Editable, Game, M, P


class WholeGame(Game[P, M], Editable[P], Columnar[P], Protocol[P, M]):
    """A game that can be edited and has columns."""


def whole(name: str, variant: str | None = None) -> WholeGame:
    """A built-in game, in its usual variant or another."""
    return cast(WholeGame, forsyth.game(name, variant))
