"""A chess position as a scene: board, side to move, pockets (Crazyhouse), remaining checks (Three-check).

Accepts
    Any position, legal or not, such as a board without kings or an empty board. Marks and notes belong to a
    square (``e4``) or to a place in a pocket (``Q@`` for White's queens, ``q@`` for Black's). Others are
    ignored.
Writes
    Rank 8 at the top, or rank 1 if the board is flipped. The description lists all pieces with their squares,
    the most valuable first, for people who cannot see the board.
Limits
    A pocket shows each kind of piece once, with the number of pieces.
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


class DrawablePosition(Protocol):
    """The properties of a position that a drawing shows."""

    @property
    def board(self) -> str:
        """The board as 64 characters: a8 to h8, a7 to h7, and so on. ``.`` is an empty square."""

    @property
    def side(self) -> str:
        """The side to move, ``w`` or ``b``."""

    @property
    def half(self) -> int:
        """Half-moves since the last capture or pawn move."""

    @property
    def full(self) -> int:
        """The number of the next move."""

    @property
    def variant(self) -> str:
        """The name of the variant, such as ``crazyhouse``."""

    @property
    def pockets(self) -> str:
        """The letters of the pieces in hand, White's in capitals."""

    @property
    def checks(self) -> tuple[int, int]:
        """The number of checks that White and Black still have to give."""


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
"""The colours for light and for dark pages. Pieces of both sides contrast with all square colours."""

_PIECE_NAMES: Final[Mapping[str, str]] = {
    "K": "king",
    "Q": "queen",
    "R": "rook",
    "B": "bishop",
    "N": "knight",
    "P": "pawn",
}
_SIDE_NAMES: Final[Mapping[str, str]] = {"w": "White", "b": "Black"}
_POCKET_KINDS: Final = "QRBNP"

_SQUARES: Final = tuple(f"{file}{rank}" for rank in "87654321" for file in "abcdefgh")
_RANK_STARTS: Final = range(0, 64, 8)
"""The index of the first square of each rank in `DrawablePosition.board`."""

_BOARD_SIZE: Final = 8
_LEFT_MARGIN: Final = 0.5
_TOP_MARGIN: Final = 0.25
"""Margins in units of one square. The margin on the right is as wide as the one at the top."""
_BOTTOM_MARGIN: Final = 1.15
"""Height of the file letters and one caption below the board."""
_CAPTION_HEIGHT: Final = 0.45
_CAPTION_OFFSET: Final = 0.85
"""Distance from the board to the first caption."""
_POCKET_SCALE: Final = 0.75
_POCKET_GAP: Final = 0.3


def scene(
    position: DrawablePosition,
    *,
    marks: Mapping[str, Mark] | None = None,
    flip: bool = False,
    notes: Mapping[str, str] | None = None,
) -> Scene:
    """Return the scene (the description of a drawing) of a position.

    Args:
        position: The position, legal or not.
        marks: The squares to mark, such as ``e4``, each with the kind of mark.
        flip: Whether to draw the board from Black's side.
        notes: Texts to show for squares.
    """
    require_marks(marks, notes)
    marks, notes = marks or {}, notes or {}
    flip = bool(flip)

    areas = [_make_board(position.board, marks, notes, flip)]
    width = _LEFT_MARGIN + _BOARD_SIZE + _TOP_MARGIN
    if position.variant == "crazyhouse":
        areas += _make_pockets(position.pockets, marks, notes, flip)
        width += _POCKET_GAP + _POCKET_SCALE

    turn = f"{_SIDE_NAMES[position.side]} to move"
    captions = tuple(_make_captions(position, turn))
    # The bottom margin has space for the first caption.
    height = _TOP_MARGIN + _BOARD_SIZE + _BOTTOM_MARGIN + _CAPTION_HEIGHT * (len(captions) - 1)
    return Scene(
        title=f"Chess position, {turn}",
        description=_describe_position(position),
        width=width,
        height=height,
        areas=tuple(areas),
        captions=captions,
        glyphs=GLYPHS,
        palette=PALETTE,
    )


def _make_board(board_letters: str, marks: Mapping[str, Mark], notes: Mapping[str, str], flip: bool) -> Area:
    """Return the board with its pieces, marks and notes, as an area of the scene.

    Args:
        board_letters: The piece letters of 64 squares, a8 first. ``.`` is an empty square.
        marks: The squares to mark, such as ``e4``, each with the kind of mark.
        notes: Texts to show for squares.
        flip: Whether rank 1 is at the top.
    """
    ranks = [_make_rank(start, board_letters[start : start + _BOARD_SIZE], flip) for start in _RANK_STARTS]
    cells = tuple(chain.from_iterable(ranks))
    if marks or notes:
        cells = tuple(replace(cell, mark=marks.get(cell.id), note=notes.get(cell.id, "")) for cell in cells)
    file_labels, rank_labels = tuple("abcdefgh"), tuple("87654321")
    if flip:
        cells, file_labels, rank_labels = cells[::-1], file_labels[::-1], rank_labels[::-1]
    return Area(
        name="Board",
        columns=_BOARD_SIZE,
        rows=_BOARD_SIZE,
        cells=cells,
        x=_LEFT_MARGIN,
        y=_TOP_MARGIN,
        column_labels=file_labels,
        row_labels=rank_labels,
    )


@lru_cache(maxsize=1024)
def _make_rank(first_index: int, piece_letters: str, flip: bool) -> tuple[Cell, ...]:
    """Return the eight cells of a rank of the board. They are cached, because boards share many ranks.

    Args:
        first_index: The index of the first square of the rank: 0 for a8, 56 for a1.
        piece_letters: The pieces, such as ``r..qk..r``.
        flip: Whether rank 1 is at the top of the board.
    """
    return tuple(_make_square(first_index + file, letter, flip) for file, letter in enumerate(piece_letters))


@cache
def _make_square(index: int, letter: str, flip: bool) -> Cell:
    """Return the cell of a square of the board, with its piece unless `letter` is ``.``.

    `index` is 0 for a8 to 63 for h1. If `flip` is True, a8 is at the bottom right. The cache has at most
    1,664 cells: 64 squares, 13 letters and 2 orientations.
    """
    row, column = divmod(index, _BOARD_SIZE)
    # The square in the top left corner, a8, is light.
    is_dark = (row + column) % 2 == 1
    if flip:
        row, column = _BOARD_SIZE - 1 - row, _BOARD_SIZE - 1 - column
    return Cell(
        id=_SQUARES[index],
        column=column,
        row=row,
        ground="dark" if is_dark else "light",
        tokens=() if letter == "." else _make_piece_tokens(letter),
    )


@cache
def _make_piece_tokens(letter: str) -> tuple[Token]:
    """Return a tuple that contains only the drawing of a piece, such as ``Q``. The tuple is cached."""
    return (make_token(letter),)


def make_token(letter: str, count: int = 1) -> Token:
    """Return the token (the drawing of a piece in a scene) for a letter, such as ``Q`` for the white queen.

    In a pocket, `count` is the number of equal pieces, which is drawn as well.
    """
    kind = letter.upper()
    is_white = letter == kind
    owner = "white" if is_white else "black"
    return Token(
        symbol=letter,
        owner=owner,
        glyph=_PIECE_NAMES[kind],
        text=OUTLINED[kind] if is_white else SOLID[kind],
        label=f"{owner} {_PIECE_NAMES[kind]}",
        solid=SOLID[kind],
        count=count,
    )


def _make_pockets(
    pockets: str, marks: Mapping[str, Mark], notes: Mapping[str, str], flip: bool
) -> tuple[Area, Area]:
    """Return the areas with the pieces in hand of Black and of White, on the right of the board.

    Each is next to the player's side of the board, so Black's is above White's unless `flip` is True.

    Args:
        pockets: The letters of the pieces in hand of both sides, such as ``QPn``.
        marks: The cells to mark, such as ``Q@``, each with the kind of mark.
        notes: Texts to show for cells.
        flip: Whether rank 1 is at the top of the board.
    """
    upper_y = _TOP_MARGIN
    lower_y = _TOP_MARGIN + _BOARD_SIZE - len(_POCKET_KINDS) * _POCKET_SCALE
    black_y, white_y = (lower_y, upper_y) if flip else (upper_y, lower_y)
    black = _make_pocket("Black's pocket", _POCKET_KINDS.lower(), pockets, black_y, marks, notes)
    white = _make_pocket("White's pocket", _POCKET_KINDS, pockets, white_y, marks, notes)
    return black, white


def _make_pocket(
    name: str, piece_letters: str, pockets: str, y: float, marks: Mapping[str, Mark], notes: Mapping[str, str]
) -> Area:
    """Return the area with the pieces in hand of one side, with a cell for each kind of piece.

    Args:
        name: The name of the area.
        piece_letters: The letters of the side's pieces, one for each cell, such as ``QRBNP``.
        pockets: The letters of the pieces in both pockets, such as ``QPn``.
        y: The upper edge, in units of one square of the board.
        marks: The cells to mark, such as ``Q@``, each with the kind of mark.
        notes: Texts to show for cells.
    """
    cells = []
    for row, letter in enumerate(piece_letters):
        pocket_place = f"{letter}@"
        count = pockets.count(letter)
        cell = Cell(
            id=pocket_place,
            column=0,
            row=row,
            ground="pocket",
            tokens=(make_token(letter, count),) if count else (),
            mark=marks.get(pocket_place),
            note=notes.get(pocket_place, ""),
        )
        cells.append(cell)
    x = _LEFT_MARGIN + _BOARD_SIZE + _POCKET_GAP
    return Area(
        name=name, columns=1, rows=len(piece_letters), cells=tuple(cells), x=x, y=y, scale=_POCKET_SCALE
    )


def _make_captions(position: DrawablePosition, turn: str) -> Iterator[Caption]:
    """Yield the lines of text below the board: the side to move and, in Three-check, the remaining checks.

    `turn` is a text such as ``White to move``.
    """
    y = _TOP_MARGIN + _BOARD_SIZE + _CAPTION_OFFSET
    yield Caption(f"{turn} · move {position.full}", _LEFT_MARGIN, y)
    if position.variant == "3check":
        yield Caption(_describe_checks(position), _LEFT_MARGIN, y + _CAPTION_HEIGHT)


def _describe_checks(position: DrawablePosition) -> str:
    """Return the checks that each side still has to give: ``Checks to go: White 3, Black 2``."""
    white, black = position.checks
    return f"Checks to go: White {white}, Black {black}"


def _describe_position(position: DrawablePosition) -> str:
    """Return the position in words, for people who cannot see the drawing.

    An example is ``White: king e1. Black: king e8. White to move, move 1; half-moves since the last capture
    or pawn move: 0.`` Variants add the pieces in hand or the remaining checks.
    """
    squares_by_letter: dict[str, list[str]] = {}
    for square, letter in zip(_SQUARES, position.board, strict=True):
        if letter != ".":
            squares_by_letter.setdefault(letter, []).append(square)

    sentences = [
        _describe_pieces("White", squares_by_letter, "KQRBNP"),
        _describe_pieces("Black", squares_by_letter, "kqrbnp"),
    ]
    if position.variant == "crazyhouse":
        sentences.append(_describe_pockets(position.pockets))
    if position.variant == "3check":
        sentences.append(f"{_describe_checks(position)}.")
    sentences.append(
        f"{_SIDE_NAMES[position.side]} to move, move {position.full};"
        f" half-moves since the last capture or pawn move: {position.half}."
    )
    return " ".join(sentences)


def _describe_pieces(side: str, squares_by_letter: Mapping[str, list[str]], letters: str) -> str:
    """Return a sentence with one side's pieces, such as ``White: king e1, rooks a1 h1``.

    Args:
        side: The name of the side, ``White`` or ``Black``.
        squares_by_letter: The names of the squares of each piece letter.
        letters: The piece letters of the side, in the order of the sentence, such as ``KQRBNP``.
    """
    phrases = []
    for letter in letters:
        squares = squares_by_letter.get(letter, [])
        if squares:
            plural = "s" if len(squares) > 1 else ""
            phrases.append(f"{_PIECE_NAMES[letter.upper()]}{plural} {' '.join(squares)}")
    return f"{side}: {', '.join(phrases) or 'no pieces'}."


def _describe_pockets(pockets: str) -> str:
    """Return a sentence with the pieces in hand of both sides, such as ``In hand: 2 white pawns``.

    `pockets` has a letter for each piece in hand, White's in capitals.
    """
    phrases = []
    for letter in _POCKET_KINDS + _POCKET_KINDS.lower():
        count = pockets.count(letter)
        if count:
            plural = "s" if count > 1 else ""
            phrases.append(f"{count} {make_token(letter).label}{plural}")
    return f"In hand: {', '.join(phrases) or 'nothing'}."
