"""Short import path for chess: the public names of `forsyth.games.chess`."""

from forsyth.games.chess import *  # noqa: F403
from forsyth.games.chess import __all__  # noqa: F401
