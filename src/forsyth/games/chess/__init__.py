"""Chess and its variants: FEN and related notations, EPD, SAN, UCI, the rules, packed forms and drawing.

Packages, with the same names as in the other large games:

- `notation`: the texts of positions and moves.
- `rules`: legal positions, legal moves and outcomes.
- `numbers`: keys, packed bytes, features, planes and whole columns.
- `records`: whole files of games.
- `drawing`: the scene of a position and the drawings of the pieces.
- `documents`: the parser and the board class of the source document.

Modules:

- `position`, `board`, `squares` and `variants`: the position, sets of squares, and the table of variants.
- `queries`: attacks, pins, material, mirrored boards and claims.
- `edit`, `facts` and `json_state`: editing, the facts about a move, and positions as JSON-ready data.
- `codes`: the diagnostic codes.
- `game`: chess as a `Game`.
"""

from typing import TYPE_CHECKING

from forsyth.games.chess.codes import SeedKind
from forsyth.games.chess.game import GAME, Chess
from forsyth.games.chess.notation.epd import Epd, Operation, parse_epd, read_epd, write_epd
from forsyth.games.chess.notation.fen import read_fen, write_fen
from forsyth.games.chess.notation.san import read_san, write_san
from forsyth.games.chess.notation.uci import (
    PositionLine,
    PositionLineError,
    read_position_line,
    read_uci_move,
    write_uci_move,
)
from forsyth.games.chess.numbers.packed import read_binary, write_binary
from forsyth.games.chess.position import Position
from forsyth.games.chess.rules.moves import Move
from forsyth.games.chess.squares import Square
from forsyth.lazy_names import make_lazy_getattr

# The documentation leaves out names that are imported under `if TYPE_CHECKING`.
if not TYPE_CHECKING:
    # Detection needs only the game, which takes less time to import than the source document.
    __getattr__ = make_lazy_getattr(__name__, {f"{__name__}.documents.api": "Board"})
else:
    from forsyth.games.chess.documents.api import Board

__all__ = [
    "GAME",
    "Board",
    "Chess",
    "Epd",
    "Move",
    "Operation",
    "Position",
    "PositionLine",
    "PositionLineError",
    "SeedKind",
    "Square",
    "parse_epd",
    "read_binary",
    "read_epd",
    "read_fen",
    "read_position_line",
    "read_san",
    "read_uci_move",
    "write_binary",
    "write_epd",
    "write_fen",
    "write_san",
    "write_uci_move",
]
