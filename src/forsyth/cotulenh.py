"""CoTuLenh under its short name: all that `forsyth.games.cotulenh` offers."""

from forsyth.games.cotulenh import *  # noqa: F403
from forsyth.games.cotulenh import __all__  # noqa: F401
