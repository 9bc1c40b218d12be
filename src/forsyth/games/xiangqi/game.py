"""Xiangqi as a sheet of data and the rules that no sheet can say (docs/spec/xiangqi.md).

Texts are those of Fairy-Stockfish. Moves are written as WXF (``C2=5``, ``H+-3``, ``15=6``) and read as WXF or
as two points (``h3e3``); WXF also with small letters, ``N`` and ``B`` for ``H`` and ``E``, ``.`` for ``=``,
and with a file where only one of two men on it can make the move. Chasing is not judged.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from forsyth.game import Outcome
from forsyth.games.xiangqi.look import LOOK
from forsyth.kit.game import GridGame, GridMove, GridPosition, Rules
from forsyth.kit.movement import FACE, HOP_TAKE, MOVE, Leap, Line, Movement, Zone, around, leaps, lines
from forsyth.kit.sheet import Kind, Sheet, Side

_FILES: Final = "abcdefghi"
_START: Final = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
_NO_CAPTURE: Final = 120
"""Plies without a capture after which a game is drawn (section 7)."""

# --- the sheet --------------------------------------------------------------------------------------


def _horse(right: int, ahead: int) -> Leap:
    """One point straight and one aslant outwards; the first one is the leg."""
    leg = (right // 2, 0) if abs(right) == 2 else (0, ahead // 2)
    return Leap(right, ahead, leg)


_GENERAL: Final[tuple[Movement, ...]] = (*leaps(0, 1, end="palace"), Line(0, 1, FACE), Line(0, -1, FACE))
_ELEPHANT: Final = tuple(Leap(2 * x, 2 * y, (x, y), end="side of the river") for x, y in around(1, 1))
_HORSE: Final = tuple(_horse(x, y) for x, y in around(1, 2))
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
    short=(2, 4),
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
    letters_meant={"H": "N", "h": "n", "E": "B", "e": "b"},
    sides_meant={"r": "w", "white": "w"},
)

# --- WXF --------------------------------------------------------------------------------------------

_TO_WXF: Final = str.maketrans("NBnb", "HEhe")
_WIDTH: Final = len(_FILES)
_MOST_SOLDIERS: Final = 5
_FILED: Final = "KAB"
"""Kinds that are always written with their file: generals, advisors and elephants."""


def write_wxf(position: GridPosition, move: GridMove) -> str:
    """A legal move as WXF, such as ``C2=5``, ``H+-3`` or ``15=6``; as its squares where WXF has no name.

    That is so on boards that no game leads to: three men alike on a file, or six soldiers.
    """
    name = _name(position, move.origin)
    return f"{name}{_way(position, move)}" if name else position.game.coordinates.write(move)


def _file(position: GridPosition, square: int) -> int:
    """The number of a file as the side to move counts: from its right."""
    column = square % _WIDTH
    return column + 1 if position.turn else _WIDTH - column


def _way(position: GridPosition, move: GridMove) -> str:
    """How a man goes: ahead, back or sideways, and how far or to which file."""
    rows = move.origin // _WIDTH - move.target // _WIDTH
    ahead = -rows if position.turn else rows
    straight = move.origin % _WIDTH == move.target % _WIDTH
    return f"{'=+-'[(ahead > 0) - (ahead < 0)]}{abs(ahead) if straight else _file(position, move.target)}"


def _letter(position: GridPosition, square: int) -> str:
    return position.game.sheet.kind_of(position.board[square]).letter.translate(_TO_WXF)


def _name(position: GridPosition, origin: int) -> str:
    """Which man goes: its letter with its file, or with its place among those alike on the file.

    Empty where neither tells it from the others.
    """
    board, man = position.board, position.board[origin]
    letter = _letter(position, origin)
    alike = [square for square in range(origin % _WIDTH, len(board), _WIDTH) if board[square] == man]
    if len(alike) == 1 or position.game.sheet.kind_of(man).letter in _FILED:
        return f"{letter}{_file(position, origin)}"
    place = alike[:: -1 if position.turn else 1].index(origin)
    crowded = sum(board[column::_WIDTH].count(man) > 1 for column in range(_WIDTH))
    if letter == "P" and (len(alike) > 2 or crowded > 1):
        return f"{place + 1}{_file(position, origin)}" if place < _MOST_SOLDIERS else ""
    if len(alike) > 2:
        return ""
    return f"{letter}{'+-'[min(place, 1)]}"


def read_wxf(position: GridPosition, text: str) -> Iterable[GridMove]:
    """The legal moves that a text of WXF may mean."""
    return meant_by_wxf(position, text, position.moves())


def meant_by_wxf(position: GridPosition, text: str, moves: Iterable[GridMove]) -> Iterable[GridMove]:
    """Those of some moves that a text of WXF may mean."""
    meant = text.upper().translate(_TO_WXF).replace(".", "=")
    alike = [move for move in moves if _way(position, move) == meant[-2:]]
    exact = [move for move in alike if write_wxf(position, move) == meant]
    return exact or [move for move in alike if _with_file(position, move) == meant]


def _with_file(position: GridPosition, move: GridMove) -> str:
    """A move with the file of its man although others alike stand on it."""
    return f"{_letter(position, move.origin)}{_file(position, move.origin)}{_way(position, move)}"


# --- other rules ------------------------------------------------------------------------------------


def ended(position: GridPosition) -> Outcome | None:
    """Draws although there are legal moves (section 7)."""
    numbers = position.game.sheet.man_number
    if not any(numbers[letter] in position.board for letter in "NRCPnrcp"):
        return Outcome("1/2-1/2", "insufficient material")
    if position.half >= _NO_CAPTURE:
        return Outcome("1/2-1/2", "sixty moves without a capture")
    return None


def write_style(position: GridPosition, style: str) -> str:
    """A position with the letters of WXF."""
    board, side, rest = str(position).split(" ", 2)
    return f"{board.translate(_TO_WXF)} {'r' if side == 'w' else side} {rest}"


GAME: Final = GridGame(
    SHEET,
    Rules(
        move_pattern=r"[KAEBHNRCPkaebhnrcp1-5][1-9+-][-+=.][1-9]",
        write_move=write_wxf,
        read_move=read_wxf,
        meant=meant_by_wxf,
        ended=ended,
        write=write_style,
    ),
)
