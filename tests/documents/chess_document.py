"""The parser of the chess document, its Rust transcribed line by line: the oracle of `profile="seed"`.

Nothing of Forsyth is used here. The names are the document's. What its language does by itself is written
out: rank and file are numbers of eight bits and wrap (in an optimised build), a length is one of bytes, an
index beyond the board ends the program (`Panic`). What the document takes from the engine around it stands in
the specification (spec/chess 3): the clock ends at 100, the moves at 2048, a square is a letter and a digit.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from enum import Enum

FEN_START_POSITION = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MAX_MOVE_RULE = 100
MAX_GAME_MOVES = 2048

FEN_NR_OF_PARTS = 6
LIST_OF_PIECES = "kqrbnpKQRBNP"
EP_SQUARES_WHITE = range(16, 24)
EP_SQUARES_BLACK = range(40, 48)
WHITE_OR_BLACK = "wb"
SPLITTER = "/"
DASH = "-"
EM_DASH = "\u2013"
SPACE = " "

SHORT_FEN_LENGTH = 4

WHITE, BLACK = 0, 1
KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN = range(6)
WK, WQ, BK, BQ = 1, 2, 4, 8


class FenError(Enum):
    """The document's error type; a value is what its `Display` writes."""

    IncorrectLength = "Error in FEN string: Must be 6 parts"
    Part1 = "Error in FEN Part 1: Pieces or squares"
    Part2 = "Error in FEN Part 2: Colors"
    Part3 = "Error in FEN Part 3: Castling rights"
    Part4 = "Error in FEN Part 4: En passant field"
    Part5 = "Error in FEN Part 5: Half-move clock"
    Part6 = "Error in FEN Part 6: Full-move number"


class Err(Exception):  # noqa: N818 - the name of the document's language
    """The error side of a result."""

    def __init__(self, error: FenError) -> None:
        super().__init__(error.value)
        self.error = error


class Panic(Exception):  # noqa: N818 - the name of the document's language
    """Where the document's program aborts."""


class Board:
    """The document's board, as far as its parser writes to it."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """An empty board."""
        self.bb_pieces = [[0] * 6, [0] * 6]
        self.active_color = WHITE
        self.castling = 0
        self.en_passant: int | None = None
        self.halfmove_clock = 0
        self.fullmove_number = 0

    def fen_setup(self, fen_string: str | None) -> None:
        """Set up a position, or raise and leave the board as it is."""
        fen_parts = split_fen_string(fen_string)
        fen_parsers = create_part_parsers()
        temp_board = deepcopy(self)
        temp_board.reset()
        for parser, part in zip(fen_parsers, fen_parts, strict=True):
            parser(temp_board, part)
        self.__dict__ = temp_board.__dict__


def split_fen_string(fen_string: str | None) -> list[str]:
    """The six parts of a text."""
    given = FEN_START_POSITION if fen_string is None else fen_string
    parts = given.replace(EM_DASH, DASH).split(SPACE)
    if len(parts) == SHORT_FEN_LENGTH:
        parts += ["0", "1"]
    if len(parts) != FEN_NR_OF_PARTS:
        raise Err(FenError.IncorrectLength)
    return parts


def create_part_parsers() -> list[Callable[[Board, str], None]]:
    """A parser for each part, in order."""
    return [pieces, color, castling, en_passant, half_move_clock, full_move_number]


def pieces(board: Board, part: str) -> None:
    """Part 1."""
    rank, file = 7, 0
    for c in part:
        square = u8(u8(rank * 8) + file)
        match c:
            case "k":
                board.bb_pieces[BLACK][KING] |= bb_squares(square)
            case "q":
                board.bb_pieces[BLACK][QUEEN] |= bb_squares(square)
            case "r":
                board.bb_pieces[BLACK][ROOK] |= bb_squares(square)
            case "b":
                board.bb_pieces[BLACK][BISHOP] |= bb_squares(square)
            case "n":
                board.bb_pieces[BLACK][KNIGHT] |= bb_squares(square)
            case "p":
                board.bb_pieces[BLACK][PAWN] |= bb_squares(square)
            case "K":
                board.bb_pieces[WHITE][KING] |= bb_squares(square)
            case "Q":
                board.bb_pieces[WHITE][QUEEN] |= bb_squares(square)
            case "R":
                board.bb_pieces[WHITE][ROOK] |= bb_squares(square)
            case "B":
                board.bb_pieces[WHITE][BISHOP] |= bb_squares(square)
            case "N":
                board.bb_pieces[WHITE][KNIGHT] |= bb_squares(square)
            case "P":
                board.bb_pieces[WHITE][PAWN] |= bb_squares(square)
            case "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8":
                file = u8(file + int(c))
            case "/":
                if file != 8:
                    raise Err(FenError.Part1)
                rank = u8(rank - 1)
                file = 0
            case _:
                raise Err(FenError.Part1)
        if c in LIST_OF_PIECES:
            file = u8(file + 1)


def color(board: Board, part: str) -> None:
    """Part 2."""
    if length(part) == 1 and part[0] in WHITE_OR_BLACK:
        match part[0]:
            case "w":
                board.active_color = WHITE
            case "b":
                board.active_color = BLACK
        return
    raise Err(FenError.Part2)


def castling(board: Board, part: str) -> None:
    """Part 3."""
    if 1 <= length(part) <= 4:
        for c in part:
            match c:
                case "K":
                    board.castling |= WK
                case "Q":
                    board.castling |= WQ
                case "k":
                    board.castling |= BK
                case "q":
                    board.castling |= BQ
                case "-":
                    pass
                case _:
                    raise Err(FenError.Part3)
        return
    raise Err(FenError.Part3)


def en_passant(board: Board, part: str) -> None:
    """Part 4."""
    if length(part) == 1 and part[0] == DASH:
        return
    if length(part) == 2:
        square = algebraic_square_to_number(part)
        if square is not None and (square in EP_SQUARES_WHITE or square in EP_SQUARES_BLACK):
            board.en_passant = square
            return
        raise Err(FenError.Part4)
    raise Err(FenError.Part4)


def half_move_clock(board: Board, part: str) -> None:
    """Part 5."""
    if 1 <= length(part) <= 3:
        x = parse_unsigned(part, 255)
        if x is not None and x <= MAX_MOVE_RULE:
            board.halfmove_clock = x
            return
    raise Err(FenError.Part5)


def full_move_number(board: Board, part: str) -> None:
    """Part 6."""
    if part and length(part) <= 4:
        x = parse_unsigned(part, 65535)
        if x is not None and x <= MAX_GAME_MOVES:
            board.fullmove_number = x
            return
    raise Err(FenError.Part6)


# --- what the document's language and engine do by themselves ---------------------------------------


def u8(number: int) -> int:
    """Arithmetic of eight bits in an optimised build."""
    return number % 256


def bb_squares(square: int) -> int:
    """The table of the 64 squares."""
    if square > 63:
        raise Panic
    return 1 << square


def length(part: str) -> int:
    """Bytes of UTF-8."""
    return len(part.encode())


def parse_unsigned(part: str, largest: int) -> int | None:
    """An unsigned number of some bits: digits, a plus before them or none."""
    digits = part.removeprefix("+")
    if not digits or not set(digits) <= set("0123456789"):
        return None
    return int(digits) if int(digits) <= largest else None


def algebraic_square_to_number(part: str) -> int | None:
    """A1 is 0, B1 is 1, H8 is 63."""
    if len(part) != 2 or part[0] not in "abcdefgh" or part[1] not in "12345678":
        return None
    return "abcdefgh".index(part[0]) + 8 * "12345678".index(part[1])
