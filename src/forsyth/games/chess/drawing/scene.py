"""A chess position as a scene: board, side to move, pockets (Crazyhouse), checks to go (Three-check).

Accepts
    Any position, legal or not: no kings, nine queens, an empty board. Marks and notes by square (``e4``) or,
    for a piece in hand, by its drop (``Q@`` for White's, ``q@`` for Black's); others are ignored.
Writes
    Rank 8 at the top, or rank 1 when flipped. The description names every piece with its square, most
    valuable first, for readers who cannot see the board.
Limits
    A pocket shows each kind once, with its number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from itertools import chain
from typing import Final, Protocol

from forsyth.games.chess.drawing.pieces import GLYPHS
from forsyth.games.chess.figurines import OUTLINED, SOLID
from forsyth.scene import Area, Caption, Cell, Colour, Mark, Scene, Token, require_marks


class ShownPosition(Protocol):
    """What a picture needs to know of a position."""

    @property
    def board(self) -> str:
        """64 characters a8…h8, a7…h1; ``.`` is an empty square."""

    @property
    def side(self) -> str:
        """``w`` or ``b``."""

    @property
    def half(self) -> int:
        """Half-moves since the last capture or pawn move."""

    @property
    def full(self) -> int:
        """Number of the move."""

    @property
    def variant(self) -> str:
        """``standard``, ``chess960``, ``crazyhouse`` or ``3check``."""

    @property
    def pockets(self) -> str:
        """Letters of the pieces in hand, White's in capitals."""

    @property
    def checks(self) -> tuple[int, int]:
        """Checks White and Black still have to give."""


PALETTE: Final[Mapping[str, Colour]] = {
    "light": Colour("#f4f0e6", "#a09a8d"),
    "dark": Colour("#bdb29d", "#6d685f"),
    "pocket": Colour("#e6dfd0", "#85807a"),
    "white": Colour("#fffdf8", "#f6f2e8"),
    "white-line": Colour("#2a2723", "#1d1b18"),
    "black": Colour("#2a2723", "#1d1b18"),
    "black-line": Colour("#efe9dc", "#b5aea0"),
    "outline": Colour("#2a2723", "#1d1b18"),
}
"""Paper and sand on light pages, two middle tones on dark ones: black and white stand out on all four."""

_NAMES: Final[Mapping[str, str]] = {
    "K": "king",
    "Q": "queen",
    "R": "rook",
    "B": "bishop",
    "N": "knight",
    "P": "pawn",
}
_SIDES: Final[Mapping[str, str]] = {"w": "White", "b": "Black"}
_POCKET_KINDS: Final = "QRBNP"

_SQUARES: Final = tuple(f"{file}{rank}" for rank in "87654321" for file in "abcdefgh")
_RANKS: Final = range(0, 64, 8)
"""The number of the first square of each rank."""

_LEFT: Final = 0.5
_TOP: Final = 0.25
_FOOT: Final = 1.15
"""Room below the board for the file letters and one caption."""
_LINE: Final = 0.45
_POCKET_SCALE: Final = 0.75
_POCKET_GAP: Final = 0.3


def scene(
    position: ShownPosition,
    *,
    marks: Mapping[str, Mark] | None = None,
    flip: bool = False,
    notes: Mapping[str, str] | None = None,
) -> Scene:
    """What to draw of a position; `marks` and `notes` say what to point out on which square."""
    require_marks(marks, notes)
    marks, notes, flip = marks or {}, notes or {}, bool(flip)
    areas = [_board(position.board, marks, notes, flip)]
    width = _LEFT + 8 + _TOP
    if position.variant == "crazyhouse":
        areas += _pockets(position.pockets, marks, notes, flip)
        width += _POCKET_GAP + _POCKET_SCALE
    turn = f"{_SIDES[position.side]} to move"
    captions = tuple(_captions(position, turn))
    return Scene(
        title=f"Chess position, {turn}",
        description=_description(position),
        width=width,
        height=_TOP + 8 + _FOOT + _LINE * (len(captions) - 1),
        areas=tuple(areas),
        captions=captions,
        glyphs=GLYPHS,
        palette=PALETTE,
    )


def _board(board: str, marks: Mapping[str, Mark], notes: Mapping[str, str], flip: bool) -> Area:
    cells = tuple(chain.from_iterable([_rank(at, board[at : at + 8], flip) for at in _RANKS]))
    if marks or notes:
        cells = tuple(replace(cell, mark=marks.get(cell.id), note=notes.get(cell.id, "")) for cell in cells)
    files, ranks = tuple("abcdefgh"), tuple("87654321")
    return Area(
        name="Board",
        columns=8,
        rows=8,
        cells=cells[::-1] if flip else cells,
        x=_LEFT,
        y=_TOP,
        column_labels=files[::-1] if flip else files,
        row_labels=ranks[::-1] if flip else ranks,
    )


@lru_cache(maxsize=1024)
def _rank(at: int, letters: str, flip: bool) -> tuple[Cell, ...]:
    """The squares of a rank, from the one with that number: boards have many ranks in common."""
    return tuple(_square(at + file, letter, flip) for file, letter in enumerate(letters))


@cache
def _square(index: int, letter: str, flip: bool) -> Cell:
    """A square with what stands on it; there are no more than some 1,600."""
    row, column = divmod(index, 8)
    return Cell(
        id=_SQUARES[index],
        column=7 - column if flip else column,
        row=7 - row if flip else row,
        ground="dark" if (row + column) % 2 else "light",
        tokens=() if letter == "." else _standing(letter),
    )


@cache
def _standing(letter: str) -> tuple[Token]:
    return (token(letter),)


def token(letter: str, count: int = 1) -> Token:
    """A man as it is drawn, or so many alike in a pocket."""
    kind = letter.upper()
    white = letter == kind
    owner = "white" if white else "black"
    return Token(
        symbol=letter,
        owner=owner,
        glyph=_NAMES[kind],
        text=OUTLINED[kind] if white else SOLID[kind],
        label=f"{owner} {_NAMES[kind]}",
        solid=SOLID[kind],
        count=count,
    )


def _pockets(
    pockets: str, marks: Mapping[str, Mark], notes: Mapping[str, str], flip: bool
) -> tuple[Area, Area]:
    """The pieces in hand, each side's pocket on its own side of the board."""
    low = _TOP + 8 - len(_POCKET_KINDS) * _POCKET_SCALE
    black_at, white_at = (low, _TOP) if flip else (_TOP, low)
    black = _pocket("Black's pocket", _POCKET_KINDS.lower(), pockets, black_at, marks, notes)
    white = _pocket("White's pocket", _POCKET_KINDS, pockets, white_at, marks, notes)
    return black, white


def _pocket(
    name: str, kinds: str, pockets: str, y: float, marks: Mapping[str, Mark], notes: Mapping[str, str]
) -> Area:
    cells = tuple(
        Cell(
            id=f"{letter}@",
            column=0,
            row=row,
            ground="pocket",
            tokens=(token(letter, pockets.count(letter)),) if letter in pockets else (),
            mark=marks.get(f"{letter}@"),
            note=notes.get(f"{letter}@", ""),
        )
        for row, letter in enumerate(kinds)
    )
    x = _LEFT + 8 + _POCKET_GAP
    return Area(name=name, columns=1, rows=len(kinds), cells=cells, x=x, y=y, scale=_POCKET_SCALE)


def _captions(position: ShownPosition, turn: str) -> Iterator[Caption]:
    base = _TOP + 8 + 0.85
    yield Caption(f"{turn} · move {position.full}", _LEFT, base)
    if position.variant == "3check":
        yield Caption(_checks(position), _LEFT, base + _LINE)


def _checks(position: ShownPosition) -> str:
    white, black = position.checks
    return f"Checks to go: White {white}, Black {black}"


def _description(position: ShownPosition) -> str:
    squares: dict[str, list[str]] = {}
    for square, letter in zip(_SQUARES, position.board, strict=True):
        if letter != ".":
            squares.setdefault(letter, []).append(square)
    sentences = [_holdings("White", squares, "KQRBNP"), _holdings("Black", squares, "kqrbnp")]
    if position.variant == "crazyhouse":
        sentences.append(_in_hand(position.pockets))
    if position.variant == "3check":
        sentences.append(f"{_checks(position)}.")
    sentences.append(
        f"{_SIDES[position.side]} to move, move {position.full};"
        f" half-moves since the last capture or pawn move: {position.half}."
    )
    return " ".join(sentences)


def _holdings(side: str, squares: Mapping[str, list[str]], kinds: str) -> str:
    """One side's pieces with their squares, such as ``White: king e1, rooks a1 h1.``"""
    found = []
    for kind in filter(squares.__contains__, kinds):
        plural = "s" if len(squares[kind]) > 1 else ""
        found.append(f"{_NAMES[kind.upper()]}{plural} {' '.join(squares[kind])}")
    return f"{side}: {', '.join(found) or 'no pieces'}."


def _in_hand(pockets: str) -> str:
    found = [
        f"{pockets.count(letter)} {token(letter).label}{'s' if pockets.count(letter) > 1 else ''}"
        for letter in _POCKET_KINDS + _POCKET_KINDS.lower()
        if letter in pockets
    ]
    return f"In hand: {', '.join(found) or 'nothing'}."
