"""Xiangqi: its sheet of data, its WXF notation and its draws (docs/spec/xiangqi.md).

The texts of positions are those of Fairy-Stockfish. Moves are written in WXF notation (``C2=5``, ``H+-3``,
``15=6``). They are read in WXF notation or as two squares (``h3e3``). In WXF, the reader also accepts
lower-case letters, ``N`` and ``B`` for ``H`` and ``E``, and ``.`` for ``=``. If only one of two pieces on a
file can make the move, it accepts the file in place of ``+`` or ``-``. The rules about chasing are not
applied.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from forsyth.game import Outcome
from forsyth.games.xiangqi.look import LOOK
from forsyth.kit.game import GridGame, GridMove, GridPosition, Rules
from forsyth.kit.movement import FACE, HOP_TAKE, MOVE, Leap, Line, Movement, Zone, leaps, lines, symmetries
from forsyth.kit.sheet import Kind, Sheet, Side

_FILES: Final = "abcdefghi"
_START: Final = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
_MAX_QUIET_PLIES: Final = 120
"""Number of plies without a capture after which a game is drawn (section 7)."""

# --- the sheet --------------------------------------------------------------------------------------


def _make_horse_leap(right: int, ahead: int) -> Leap:
    """Return the leap of a horse to the square `right` files and `ahead` ranks from it.

    The square next to the horse in the longer direction must be empty. For (1, 2) it is the square ahead.
    """
    goes_sideways = abs(right) > abs(ahead)
    square_passed = (right // 2, 0) if goes_sideways else (0, ahead // 2)
    return Leap(right, ahead, square_passed)


_GENERAL: Final[tuple[Movement, ...]] = (*leaps(0, 1, end="palace"), Line(0, 1, FACE), Line(0, -1, FACE))
_ELEPHANT: Final = tuple(Leap(2 * x, 2 * y, (x, y), end="side of the river") for x, y in symmetries(1, 1))
_HORSE: Final = tuple(_make_horse_leap(x, y) for x, y in symmetries(1, 2))
_SOLDIER: Final = (
    Leap(0, 1),
    Leap(1, 0, start="far side of the river"),
    Leap(-1, 0, start="far side of the river"),
)

SHEET: Final = Sheet(
    name="xiangqi",
    title="Xiangqi",
    start=_START,
    files=_FILES,
    ranks=("10", "9", "8", "7", "6", "5", "4", "3", "2", "1"),
    kinds=(
        Kind("K", "general", _GENERAL, 0, 1, ("帥", "將"), royal=True),
        Kind("A", "advisor", leaps(1, 1, end="palace"), 2, 2, ("仕", "士")),
        Kind("B", "elephant", _ELEPHANT, 2, 2, ("相", "象")),
        Kind("N", "horse", _HORSE, 4, 2, ("傌", "馬")),
        Kind("R", "chariot", lines(0, 1), 9, 2, ("俥", "車")),
        Kind("C", "cannon", lines(0, 1, MOVE | HOP_TAKE), 5, 2, ("炮", "砲")),
        Kind("P", "soldier", _SOLDIER, 1, 5, ("兵", "卒")),
    ),
    sides=(Side("w", "Red"), Side("b", "Black")),
    look=LOOK,
    short_counts=(2, 4),
    zones={
        "palace": Zone("def", ("1", "2", "3")),
        "side of the river": Zone(_FILES, ("1", "2", "3", "4", "5")),
        "far side of the river": Zone(_FILES, ("6", "7", "8", "9", "10")),
    },
    not_judged=("perpetual chasing",),
    names={
        "empty": "9/9/9/9/9/9/9/9/9/9 w - - 0 1",
        "midgame": "r1b1kabr1/4a3c/1cn3n2/p1p1p1R1p/6p2/2P6/P3P1P1P/1CN1C1N2/9/R1BAKAB2 w - - 14 8",
        "endgame": "3k5/4a4/4P4/9/9/9/9/9/9/R3K4 w - - 12 60",
    },
    examples={
        "After 1. C2=5": "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1",
        "Letters of another notation": "rheakaehr/9/9/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r - - 0 1",
        "Several mistakes": "rnbakabnr/9/1c5c1/p1p1p1p2/9/45/P1P1P1P1P/1C5C1/9/RNBAQABNR x - - 0 1",
        "Generals face to face": "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
        "Mate in one": "3k5/8R/9/9/9/9/9/9/9/R3K4 w - - 0 1",
    },
    styles={"wxf": "H for horses, E for elephants, r for Red to move"},
    letter_aliases={"H": "N", "h": "n", "E": "B", "e": "b"},
    side_aliases={"r": "w", "white": "w"},
)

# --- WXF --------------------------------------------------------------------------------------------

_BLACK: Final = 1
"""Number of the second side."""
_TO_WXF: Final = str.maketrans("NBnb", "HEhe")
"""Translation of the letters of this notation to those of WXF."""
_WIDTH: Final = len(_FILES)
_MAX_SOLDIERS: Final = 5
_DIRECTION_LENGTH: Final = 2
"""Number of characters of the second half of a move, such as ``=5``."""
_ALWAYS_BY_FILE: Final = "KAB"
"""Kinds that are always written with their file: generals, advisors and elephants."""
_ATTACKERS: Final = "NRCPnrcp"
"""Pieces that can cross the river. Without them, no side can win."""


def write_wxf(position: GridPosition, move: GridMove) -> str:
    """Return a legal move in WXF notation, such as ``C2=5``, ``H+-3`` or ``15=6``.

    WXF cannot name a piece if three equal pieces that are not soldiers, or six soldiers, are on one file,
    which happens in no game. Such a move is returned as two squares, such as ``h3e3``.
    """
    piece_name = _name_piece(position, move.origin)
    if not piece_name:
        return position.game.coordinates.write_move(move)
    return piece_name + _format_direction(position, move)


def _is_black_to_move(position: GridPosition) -> bool:
    """Return True if Black is to move, False if Red is to move."""
    return position.turn == _BLACK


def _get_column(square: int) -> int:
    """Return the index of the file of a square, from 0 for file a."""
    return square % _WIDTH


def _get_file_number(position: GridPosition, square: int) -> int:
    """Return the number of the file of a square, from 1 to 9, counted from the right of the side to move."""
    if _is_black_to_move(position):
        return _get_column(square) + 1
    return _WIDTH - _get_column(square)


def _format_direction(position: GridPosition, move: GridMove) -> str:
    """Return the second half of a move in WXF notation, such as ``=5`` of ``C2=5``.

    It consists of ``+`` (ahead), ``-`` (back) or ``=`` (sideways), and a number: of ranks for a move along a
    file, or of the target file for any other move.
    """
    # Squares are numbered from the top of the board, which is Black's side.
    ranks_up = move.origin // _WIDTH - move.target // _WIDTH
    ranks_ahead = -ranks_up if _is_black_to_move(position) else ranks_up
    sign = "="
    if ranks_ahead:
        sign = "+" if ranks_ahead > 0 else "-"
    stays_on_file = _get_column(move.origin) == _get_column(move.target)
    number = abs(ranks_ahead) if stays_on_file else _get_file_number(position, move.target)
    return f"{sign}{number}"


def _get_wxf_letter(position: GridPosition, square: int) -> str:
    """Return the letter of the piece on a square in WXF notation, as a capital: ``H`` for a horse."""
    kind = position.game.sheet.kind_of(position.board[square])
    return kind.letter.translate(_TO_WXF)


def _name_piece(position: GridPosition, origin: int) -> str:
    """Return the first half of a move in WXF notation, which names the piece on the square `origin`.

    It is the letter and the file of the piece (``C2``). The front or rear one of two equal pieces on a file
    is named by its letter and ``+`` or ``-`` (``H+``). If this is ambiguous for soldiers, it is the number of
    the soldier from the front and its file (``15``). Return an empty string if WXF cannot name the piece.
    """
    piece = position.board[origin]
    letter = _get_wxf_letter(position, origin)
    file_number = _get_file_number(position, origin)
    equal_pieces = _find_equal_pieces_on_file(position, origin)
    is_always_by_file = position.game.sheet.kind_of(piece).letter in _ALWAYS_BY_FILE
    if len(equal_pieces) == 1 or is_always_by_file:
        return f"{letter}{file_number}"

    index_from_front = equal_pieces.index(origin)
    needs_number = len(equal_pieces) > 2 or _count_shared_files(position, piece) > 1
    if letter == "P" and needs_number:
        soldier_number = index_from_front + 1
        return f"{soldier_number}{file_number}" if soldier_number <= _MAX_SOLDIERS else ""
    if len(equal_pieces) > 2:
        return ""
    return f"{letter}+" if index_from_front == 0 else f"{letter}-"


def _find_equal_pieces_on_file(position: GridPosition, origin: int) -> list[int]:
    """Return the squares on the file of `origin` with the same piece as `origin`, which is among them.

    The first square is the one farthest ahead, as the side to move sees the board.
    """
    board = position.board
    file_squares = range(_get_column(origin), len(board), _WIDTH)
    squares_from_top = [square for square in file_squares if board[square] == board[origin]]
    if _is_black_to_move(position):
        return squares_from_top[::-1]
    return squares_from_top


def _count_shared_files(position: GridPosition, piece: int) -> int:
    """Return the number of files on which `piece` stands more than once.

    `piece` is the number that stands for the piece on the board.
    """
    files = [position.board[column::_WIDTH] for column in range(_WIDTH)]
    return sum(file.count(piece) > 1 for file in files)


def read_wxf(position: GridPosition, text: str) -> Iterable[GridMove]:
    """Return the legal moves that a text in WXF notation, such as ``C2=5``, stands for.

    There is no such move if the text is wrong, and there are several if it is ambiguous.
    """
    return match_wxf(position, text, position.moves())


def match_wxf(position: GridPosition, text: str, moves: Iterable[GridMove]) -> Iterable[GridMove]:
    """Return those of `moves`, legal or not, that a text in WXF notation, such as ``C2=5``, stands for.

    The letters of FEN and ``.`` for ``=`` are accepted too. If no move is written exactly like the text, the
    text may name the piece by its file, where WXF writes ``+`` or ``-``: ``H2+3`` for ``H++3``.
    """
    wxf_text = text.upper().translate(_TO_WXF).replace(".", "=")
    direction = wxf_text[-_DIRECTION_LENGTH:]
    moves_in_direction = [move for move in moves if _format_direction(position, move) == direction]
    exact_matches = [move for move in moves_in_direction if write_wxf(position, move) == wxf_text]
    if exact_matches:
        return exact_matches
    return [move for move in moves_in_direction if _write_with_file(position, move) == wxf_text]


def _write_with_file(position: GridPosition, move: GridMove) -> str:
    """Return a move with the file of its piece (``H2+3``), even if equal pieces stand on that file."""
    letter = _get_wxf_letter(position, move.origin)
    file_number = _get_file_number(position, move.origin)
    return f"{letter}{file_number}{_format_direction(position, move)}"


# --- other rules ------------------------------------------------------------------------------------


def check_for_draw(position: GridPosition) -> Outcome | None:
    """Return the outcome of a drawn position with its reason, or None if the position is not drawn.

    A position is drawn if no side has a piece that can cross the river, or after 60 moves of each side
    without a capture.
    """
    piece_number = position.game.sheet.piece_number
    has_attacker = any(piece_number[letter] in position.board for letter in _ATTACKERS)
    if not has_attacker:
        return Outcome("1/2-1/2", "insufficient material")
    if position.half >= _MAX_QUIET_PLIES:
        return Outcome("1/2-1/2", "sixty moves without a capture")
    return None


def write_style(position: GridPosition, style: str) -> str:
    """Return the text of a position with ``H`` for horses, ``E`` for elephants and ``r`` for Red to move.

    `style` is always ``wxf``, the only style of xiangqi besides the canonical text.
    """
    board, side, other_fields = str(position).split(" ", 2)
    wxf_board = board.translate(_TO_WXF)
    wxf_side = "r" if side == "w" else side
    return f"{wxf_board} {wxf_side} {other_fields}"


GAME: Final = GridGame(
    SHEET,
    Rules(
        move_pattern=r"[KAEBHNRCPkaebhnrcp1-5][1-9+-][-+=.][1-9]",
        write_move=write_wxf,
        read_move=read_wxf,
        match_moves=match_wxf,
        find_outcome=check_for_draw,
        write_style=write_style,
    ),
)
