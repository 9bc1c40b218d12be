"""Shogi under its short name: all that `forsyth.games.shogi` offers."""

from forsyth.games.shogi import *  # noqa: F403
from forsyth.games.shogi import __all__  # noqa: F401
