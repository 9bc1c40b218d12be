"""One folder for each game. Called, the package names all installed games: ``forsyth.games()``.

A package that can be called lets ``forsyth.games()`` and ``import forsyth.games.chess as chess`` both be what
they say.
"""

import sys
from types import ModuleType

from forsyth import registry


class _Games(ModuleType):
    def __call__(self) -> tuple[str, ...]:
        """The names of all installed games, built-in ones first."""
        return registry.games()


sys.modules[__name__].__class__ = _Games
