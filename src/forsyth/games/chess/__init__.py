"""Chess and its variants: FEN and its relatives, EPD, SAN, UCI, the rules, packing and drawing.

Which folder holds what, as in every large game: `notation` texts of positions and moves, `rules` what is
legal and what follows, `numbers` keys, packed bytes, features, planes and whole columns, `records` whole
files of games, `drawing` scene and pieces, `documents` the source document's parser and class. Beside them:
`position` the value, `board` and `squares` what it stands on, `variants` the table of the variants,
`asking` what a program asks a position, `edit`, `facts` (moves and differences), `json_state`, `codes` the
findings there are, and `game` all of it as a `Game`.
"""

from forsyth.games.chess.codes import SeedKind
from forsyth.games.chess.documents.api import Board
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
