"""Short import path for Azul: the public names of `forsyth.games.azul`."""

from forsyth.games.azul import *  # noqa: F403
from forsyth.games.azul import __all__  # noqa: F401
