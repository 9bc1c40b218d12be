"""Short import path for CoTuLenh: the public names of `forsyth.games.cotulenh`."""

from forsyth.games.cotulenh import *  # noqa: F403
from forsyth.games.cotulenh import __all__  # noqa: F401
