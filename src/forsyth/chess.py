"""Chess under its short name: all that `forsyth.games.chess` offers."""

from forsyth.games.chess import *  # noqa: F403
from forsyth.games.chess import __all__  # noqa: F401
