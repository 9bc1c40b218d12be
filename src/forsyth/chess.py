"""Chess: the public names of `forsyth.games.chess`, and functions that read its texts.

`parse`, `read`, `check` and `repair` read a text of the game in any form (see `forsyth.game_functions`),
`start` is the text of the start position, and `write_line` writes a line of moves.
"""

from typing import Final

from forsyth.game_functions import GameFunctions
from forsyth.games.chess import *  # noqa: F403
from forsyth.games.chess import GAME, Move, Position
from forsyth.games.chess import __all__ as _names
from forsyth.record import write_line

_FUNCTIONS: Final[GameFunctions[Position, Move]] = GameFunctions(GAME)

parse = _FUNCTIONS.parse
read = _FUNCTIONS.read
check = _FUNCTIONS.check
repair = _FUNCTIONS.repair
start: Final = GAME.start

__all__ = [*_names, "check", "parse", "read", "repair", "start", "write_line"]  # noqa: PLE0604
