"""Chess: FEN and its relatives, EPD, SAN, UCI, the rules, packing and drawing.

Which file holds what: `board` squares and attack tables, `position` the value, `fen`, `fields` and
`extensions` reading and writing FEN, `epd`, `check` and `legality` what the rules say of a position,
`moves` and `generate` the rules, `san` and `uci` move texts, `key` and `packed` identity and binary form,
`outcome` and `null_move` ends of games and null moves of records, `scene` and `pieces` drawing,
`source_document` and `api` the source document's parser and its class, `kernel` and `packing` the fast
paths of text and bytes, `facts` moves and differences, `features` and `planes` numbers and tensors,
`column` whole columns, `variants` the table of the variants, `attacks` and `material` what follows from it,
`asking` and `squares` what a program asks a position, `codes` the findings there are, `game` all of it as a
`Game`.
"""

from forsyth.games.chess.api import Board
from forsyth.games.chess.codes import SeedKind
from forsyth.games.chess.epd import Epd, Operation, parse_epd, read_epd, write_epd
from forsyth.games.chess.fen import read_fen, write_fen
from forsyth.games.chess.game import GAME, Chess
from forsyth.games.chess.moves import Move
from forsyth.games.chess.packed import read_binary, write_binary
from forsyth.games.chess.position import Position
from forsyth.games.chess.san import read_san, write_san
from forsyth.games.chess.squares import Square
from forsyth.games.chess.uci import (
    PositionLine,
    PositionLineError,
    read_position_line,
    read_uci_move,
    write_uci_move,
)

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
