"""The scene of a position on a grid: the board, the pieces, and the hands beside the board.

Any position can be drawn, legal or not. Marks and notes are given by square (``e4``) or, for pieces in hand,
by place (``P*``, ``p*``); other names are ignored. The top rank of a text is drawn at the top. A flipped
scene is turned by half a turn, with the pieces that are drawn upside down for one side. The description names
every piece with its square.

Limits: a hand shows each kind once, with the number of pieces.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from forsyth.kit.edit import list_hand_pieces, name_hand_place
from forsyth.kit.sheet import SIDES
from forsyth.scene import Area, Caption, Cell, Mark, Scene, Stroke, Token, require_marks

if TYPE_CHECKING:
    from forsyth.kit.game import GridGame
    from forsyth.kit.position import GridPosition

_LEFT_MARGIN: Final = 0.55
_RIGHT_MARGIN: Final = 0.25
_TOP_MARGIN: Final = 0.25
_BOTTOM_MARGIN: Final = 1.15
"""Height below the board for the names of the files and one caption."""
_CAPTION_OFFSET: Final = 0.85
"""Distance from the bottom of the board to the caption."""
_HAND_COLUMNS: Final = 2
_HAND_SCALE: Final = 0.8
_HAND_GAP: Final = 0.3
"""Distance between the board and the hands."""
_PALETTE_MARGIN: Final = 0.2
_PALETTE_ROW_HEIGHT: Final = 1.1
"""Distance between the upper edges of the two rows of the palette."""
_PALETTE_HEIGHT: Final = 2.5
_TURNED: Final = " turned"
"""The end of the name of a drawing that is turned upside down."""
_CACHE_SIZE: Final = 4096
"""Maximum number of cached rotated strokes. All strokes of several games fit."""
_CELL_SIDE: Final = 100
"""The side of a cell in the units of paths."""
_PAIR: Final = re.compile(r"(-?[\d.]+) (-?[\d.]+)")
"""The coordinates of a point in a path."""


def make_scene(
    game: GridGame,
    position: GridPosition,
    *,
    marks: Mapping[str, Mark] | None = None,
    flip: bool = False,
    notes: Mapping[str, str] | None = None,
) -> Scene:
    """Return the scene (the description of a drawing) of a position.

    Args:
        game: The game, with the set of piece drawings to use.
        position: The position, legal or not.
        marks: Marks by square, such as ``e4``, or by place in a hand, such as ``P*``.
        flip: Whether to draw the board from the second side's view.
        notes: Notes by square or by place in a hand.
    """
    require_marks(marks, notes)
    sheet = game.sheet
    marks, notes, flip = marks or {}, notes or {}, bool(flip)
    areas = [_make_board_area(game, position, marks, notes, flip)]
    width = _LEFT_MARGIN + len(sheet.files) + _RIGHT_MARGIN
    if sheet.has_hands:
        areas += [_make_hand_area(game, position, side, marks, notes, flip) for side in (1, 0)]
        width += _HAND_GAP + _HAND_COLUMNS * _HAND_SCALE
    side_text = f"{sheet.sides[position.turn].name} to move"
    caption_y = _TOP_MARGIN + len(sheet.ranks) + _CAPTION_OFFSET
    return Scene(
        title=f"{sheet.title} position, {side_text}",
        description=" ".join(_describe_position(position, side_text)),
        width=width,
        height=_TOP_MARGIN + len(sheet.ranks) + _BOTTOM_MARGIN,
        areas=tuple(areas),
        captions=(Caption(f"{side_text} · move {position.full}", _LEFT_MARGIN, caption_y),),
        glyphs=collect_glyphs(game),
        palette=sheet.look.palette,
    )


def collect_glyphs(game: GridGame) -> Mapping[str, tuple[Stroke, ...]]:
    """Return the drawings of all pieces by their letters, such as ``+P``.

    If the look draws one side's pieces upside down, there are also turned drawings, such as ``+P turned``.
    """
    glyphs = dict(game.sheet.look.glyphs[game.look])
    if not game.sheet.look.rotates_pieces:
        return glyphs
    turned_glyphs = {
        f"{letters}{_TURNED}": tuple(rotate_stroke(stroke, _CELL_SIDE, _CELL_SIDE) for stroke in strokes)
        for letters, strokes in glyphs.items()
    }
    return glyphs | turned_glyphs


@lru_cache(maxsize=_CACHE_SIZE)
def rotate_stroke(stroke: Stroke, width: float, height: float) -> Stroke:
    """Return a stroke rotated by half a turn in a box of `width` and `height`.

    The path of the stroke must contain only absolute pairs of numbers, such as ``M50 4L77 17Z``.
    """

    def rotate_point(match: re.Match[str]) -> str:
        """Return the coordinates of a point of the path after half a turn, such as ``50 96``."""
        x, y = float(match[1]), float(match[2])
        return f"{width - x:g} {height - y:g}"

    return stroke._replace(path=_PAIR.sub(rotate_point, stroke.path))


def make_token(game: GridGame, piece: int, *, upside_down: bool = False, count: int = 1) -> Token:
    """Return the token (a piece in a drawing) of a piece, or of `count` equal pieces in hand.

    `piece` is a piece number of the game. `upside_down` has an effect only if the look of the game turns
    pieces.
    """
    sheet = game.sheet
    side, kind, letters = sheet.side_of(piece), sheet.kind_of(piece), sheet.letters[piece]
    is_turned = upside_down and sheet.look.rotates_pieces
    # The look `letters` shows letters in terminals too.
    character = "" if game.look == "letters" else kind.characters[side]
    owner = sheet.sides[side].name.lower()
    return Token(
        symbol=letters,
        owner=owner,
        glyph=f"{letters}{_TURNED}" if is_turned else letters,
        text=character or letters,
        label=f"{owner} {kind.name}",
        count=count,
        counter=True,
    )


def _make_board_area(
    game: GridGame, position: GridPosition, marks: Mapping[str, Mark], notes: Mapping[str, str], flip: bool
) -> Area:
    """Return the board with all pieces, marks and notes, as an area of the scene.

    If `flip` is true, the board is seen from the second side. Marks and notes are given by square, such as
    ``e4``.
    """
    sheet, look = position.game.sheet, position.game.sheet.look
    width, height = len(sheet.files), len(sheet.ranks)
    # Half a turn reverses the order of files, ranks and squares.
    order = -1 if flip else 1
    squares = list(zip(sheet.squares, position.board, strict=True))[::order]
    near_side = 1 if flip else 0
    cells = []
    for index, (name, piece) in enumerate(squares):
        row, column = divmod(index, width)
        tokens: tuple[Token, ...] = ()
        if piece:
            tokens = (make_token(game, piece, upside_down=sheet.side_of(piece) != near_side),)
        cell = Cell(
            id=name,
            column=column,
            row=row,
            ground=look.grounds[(row + column) % 2],
            tokens=tokens,
            mark=marks.get(name),
            note=notes.get(name, ""),
        )
        cells.append(cell)
    board_strokes = look.map
    if flip:
        board_box = _CELL_SIDE * width, _CELL_SIDE * height
        board_strokes = tuple(rotate_stroke(stroke, *board_box) for stroke in look.map)
    return Area(
        name="Board",
        columns=width,
        rows=height,
        cells=tuple(cells),
        x=_LEFT_MARGIN,
        y=_TOP_MARGIN,
        column_labels=tuple(sheet.files)[::order],
        row_labels=sheet.ranks[::order],
        map=board_strokes,
        between=look.between,
    )


def _make_hand_area(
    game: GridGame,
    position: GridPosition,
    side: int,
    marks: Mapping[str, Mark],
    notes: Mapping[str, str],
    flip: bool,
) -> Area:
    """Return the hand of a side (0 or 1) as an area of the scene, beside the side's own half of the board.

    Each kind of piece has one cell, which shows the number of pieces. Marks and notes are given by place,
    such as ``P*``. If `flip` is true, the board is seen from the second side.
    """
    sheet = position.game.sheet
    pieces = list_hand_pieces(sheet, side)
    row_count = math.ceil(len(pieces) / _HAND_COLUMNS)
    near_side = 1 if flip else 0
    is_far_side = side != near_side
    cells = []
    for index, piece in enumerate(pieces):
        row, column = divmod(index, _HAND_COLUMNS)
        place, count = name_hand_place(sheet.letters[piece]), position.hands[piece - 1]
        tokens = (make_token(game, piece, upside_down=is_far_side, count=count),) if count else ()
        cells.append(Cell(place, column, row, "hand", tokens, marks.get(place), notes.get(place, "")))
    # The far side's hand begins at the top of the board, the near side's hand ends at its bottom.
    y_at_bottom = _TOP_MARGIN + len(sheet.ranks) - row_count * _HAND_SCALE
    right, bottom = _CELL_SIDE * _HAND_COLUMNS, _CELL_SIDE * row_count
    background = Stroke(f"M0 0L{right} 0L{right} {bottom}L0 {bottom}Z", fill="hand", line="none")
    return Area(
        name=f"{sheet.sides[side].name}'s hand",
        columns=_HAND_COLUMNS,
        rows=row_count,
        cells=tuple(cells),
        x=_LEFT_MARGIN + len(sheet.files) + _HAND_GAP,
        y=_TOP_MARGIN if is_far_side else y_at_bottom,
        scale=_HAND_SCALE,
        map=(background,),
    )


def _describe_position(position: GridPosition, side_text: str) -> Iterator[str]:
    """Yield the sentences that describe a position: both sides' pieces and hands, then the clocks.

    `side_text` begins the last sentence, such as ``Red to move``.
    """
    sheet = position.game.sheet
    for side in SIDES:
        side_name = sheet.sides[side].name
        yield f"{side_name}: {_describe_pieces(position, side) or 'no pieces'}."
        if sheet.has_hands:
            yield f"In {side_name}'s hand: {_describe_hand(position, side) or 'nothing'}."
    clock = f"; plies since the last capture: {position.half}" if "half" in sheet.fields else ""
    yield f"{side_text}, move {position.full}{clock}."


def _describe_pieces(position: GridPosition, side: int) -> str:
    """Return one side's pieces with their squares, such as ``general e1, advisors d1 f1``."""
    sheet = position.game.sheet
    names_and_pieces = list(zip(sheet.squares, position.board, strict=True))
    phrases = []
    for number, kind in enumerate(sheet.kinds):
        piece = 1 + side * len(sheet.kinds) + number
        squares = [name for name, occupant in names_and_pieces if occupant == piece]
        if squares:
            noun = kind.plural if len(squares) > 1 else kind.name
            phrases.append(f"{noun} {' '.join(squares)}")
    return ", ".join(phrases)


def _describe_hand(position: GridPosition, side: int) -> str:
    """Return one side's pieces in hand in words, such as ``2 pawns, 1 rook``; empty if there are none."""
    sheet = position.game.sheet
    phrases = []
    for piece in list_hand_pieces(sheet, side):
        count, kind = position.hands[piece - 1], sheet.kind_of(piece)
        if count:
            noun = kind.plural if count > 1 else kind.name
            phrases.append(f"{count} {noun}")
    return ", ".join(phrases)


def make_palette(game: GridGame) -> Scene:
    """Return a scene to choose pieces from: one of each kind, the first side's above the second side's."""
    sheet = game.sheet
    names = ", ".join(kind.name for kind in sheet.kinds)
    return Scene(
        title=f"{sheet.title} pieces",
        description=f"Pieces to place on the board: {names} of both sides.",
        width=len(sheet.kinds) + 2 * _PALETTE_MARGIN,
        height=_PALETTE_HEIGHT,
        areas=tuple(_make_palette_row(game, side) for side in SIDES),
        glyphs=collect_glyphs(game),
        palette=sheet.look.palette,
    )


def _make_palette_row(game: GridGame, side: int) -> Area:
    """Return one row of the palette: a piece of each kind of a side (0 or 1)."""
    sheet = game.sheet
    kind_count = len(sheet.kinds)
    first_piece = 1 + side * kind_count
    cells = []
    for column in range(kind_count):
        piece = first_piece + column
        token = make_token(game, piece, upside_down=side == 1)
        cells.append(Cell(sheet.letters[piece], column, row=0, ground="page", tokens=(token,)))
    return Area(
        name=sheet.sides[side].name,
        columns=kind_count,
        rows=1,
        cells=tuple(cells),
        x=_PALETTE_MARGIN,
        y=_PALETTE_MARGIN + _PALETTE_ROW_HEIGHT * side,
    )
