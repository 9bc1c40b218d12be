"""The packages of the games. Calling this package, ``forsyth.games()``, returns the names of all games.

The package is callable, so that the function ``forsyth.games()`` and the import ``forsyth.games.chess`` can
use the same name.
"""

import sys
from types import ModuleType

from forsyth import registry


class _CallableModule(ModuleType):
    """A module that can be called like a function."""

    def __call__(self) -> tuple[str, ...]:
        """Return the names of all installed games, the built-in games first."""
        return registry.games()


sys.modules[__name__].__class__ = _CallableModule
