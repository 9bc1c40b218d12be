"""Azul under its short name: all that `forsyth.games.azul` offers."""

from forsyth.games.azul import *  # noqa: F403
from forsyth.games.azul import __all__  # noqa: F401
