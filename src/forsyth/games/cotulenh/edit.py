"""Editing a CoTuLenh position: place units on squares, set the side to move and the clocks.

Accepts
    Squares such as ``c5``. Symbols are pieces as in a FEN, ``T``, ``+T`` or ``t``, and whole stacks such as
    ``(NF)``, with their members in any order. A unit joins the unit on its square if they make a stack, else
    it replaces that unit. Fields take the values that a text may contain in default mode.
Writes
    Positions that a text can express, legal or not. Each change ends an open deploy session, because the
    session would no longer fit the board.
Limits
    Raises `ValueError` for a position whose text would be longer than 1024 characters.
"""

from __future__ import annotations

import re
from typing import Final

from forsyth.arguments import quoted, require_text
from forsyth.game import Field
from forsyth.game_values import require_one_word
from forsyth.games.cotulenh.board import SQUARE_NUMBER
from forsyth.games.cotulenh.drawing.pieces import GLYPHS
from forsyth.games.cotulenh.drawing.scene import PALETTE, make_piece_token
from forsyth.games.cotulenh.notation.fen import MAX_LENGTH, read_fen
from forsyth.games.cotulenh.notation.write import encode
from forsyth.games.cotulenh.position import Position, with_session, with_unit
from forsyth.games.cotulenh.stacks import LETTERS, combine_units, read_unit
from forsyth.scene import Area, Cell, Scene

_SYMBOL: Final = re.compile(
    rf"\+?[{LETTERS}]|\+?[{LETTERS.lower()}]|\((?:\+?[{LETTERS}])+\)|\((?:\+?[{LETTERS.lower()}])+\)"
)
_SIDES: Final = (("r", "Red"), ("b", "Blue"))
_WORD_INDEX: Final = {"side": 1, "half": 4, "full": 5}
"""Index of the word of a text that contains a field."""
_PALETTE_MARGIN: Final = 0.2
_PALETTE_HEIGHT: Final = 4.5
_BLUE_PALETTE_TOP: Final = 2.3
"""Sizes of the palette, in squares: its margin, its height, and where the blue pieces begin below its top."""
_PALETTE_ROWS: Final = 2
"""Number of rows for each colour: plain pieces and heroic ones."""


# --- units ------------------------------------------------------------------------------------------


def place_unit(position: Position, square: str, symbol: str | None) -> Position:
    """Return the position with a piece or stack such as ``T``, ``+t`` or ``(NF)`` on a square.

    It joins the piece or stack on the square if both make a legal stack, else it replaces it. An open deploy
    session ends.

    Args:
        position: The position, which stays as it is.
        square: The name of the square, such as ``c5``.
        symbol: The piece or stack as in a FEN. None empties the square.

    Raises:
        ValueError: If the square or the piece does not exist, or the text of the position would be too long.
    """
    square_number = _parse_square(square)
    if symbol is None:
        without_session = with_session(position, None)
        return with_unit(without_session, square_number, 0)
    return _join_or_replace(position, square_number, _parse_unit(symbol))


def move_unit(position: Position, source: str, target: str) -> Position:
    """Return the position with the piece or stack on `source` moved to `target`, legal or not.

    It joins the piece or stack on `target` if both make a legal stack, else it replaces it. Raise
    `ValueError` if `source` is empty, one of the squares does not exist, or the text of the position would be
    too long.
    """
    source_number = _parse_square(source)
    unit = position.unit_on(source_number)
    if not unit:
        raise ValueError(f"nothing is on {source}, expected a square with a piece or stack")
    if source == target:
        return position
    without_unit = with_unit(position, source_number, 0)
    return _join_or_replace(without_unit, _parse_square(target), unit)


def _join_or_replace(position: Position, square: int, unit: int) -> Position:
    """Return the position with a unit placed on a square, joined to the unit there if possible.

    A unit is a piece or stack as one number. If the two do not make a legal stack, `unit` replaces the unit
    there. An open deploy session ends. Raise `ValueError` if the text of the position would be too long.
    """
    unit_there = position.unit_on(square)
    stack = combine_units(unit_there, unit) if unit_there else 0
    without_session = with_session(position, None)
    after = with_unit(without_session, square, stack or unit)
    length = len(encode(after))
    if length > MAX_LENGTH:
        raise ValueError(
            f"the text of the position would have {length} characters, expected at most {MAX_LENGTH}"
        )
    return after


def _parse_square(square: str) -> int:
    """Return the number of a square such as ``c5``: 0 for ``a1``, 131 for ``k12``.

    Raise `ValueError` if there is no such square.
    """
    if not isinstance(square, str) or square not in SQUARE_NUMBER:
        raise ValueError(f"{quoted(square)} is not a square, expected one such as c5")
    return SQUARE_NUMBER[square]


def _parse_unit(symbol: str) -> int:
    """Return the unit of a symbol such as ``T``, ``+t`` or ``(NF)``. Small letters are Blue's.

    A unit is a piece or stack as one number. Raise `ValueError` if the symbol is not a piece or a legal
    stack.
    """
    is_symbol = isinstance(symbol, str) and _SYMBOL.fullmatch(symbol) is not None
    unit = read_unit(symbol, symbol.islower()) if is_symbol else 0
    if not unit:
        raise ValueError(
            f"{quoted(symbol)} is not a unit, expected a piece such as T or +t, or a stack such as (NF)"
        )
    return unit


def draw_palette(position: Position) -> Scene:
    """Return a drawing of the pieces of both colours, plain and heroic, to pick pieces from.

    It is the same for every position.
    """
    return Scene(
        title="CoTuLenh pieces",
        description="Pieces to place on the board: eleven of each colour, each above its heroic form.",
        width=len(LETTERS) + 2 * _PALETTE_MARGIN,
        height=_PALETTE_HEIGHT,
        areas=(
            _make_palette_area("Red", "r", top=_PALETTE_MARGIN),
            _make_palette_area("Blue", "b", top=_BLUE_PALETTE_TOP),
        ),
        glyphs=GLYPHS,
        palette=PALETTE,
    )


def _make_palette_area(name: str, colour: str, top: float) -> Area:
    """Return the area with the pieces of one colour: a row of plain ones above the heroic ones.

    Args:
        name: The title of the area.
        colour: ``r`` or ``b``.
        top: The distance of the area from the top of the drawing, in squares.
    """
    cells = []
    # The first row has the plain pieces, the second one the heroic ones.
    for row, heroic in enumerate((False, True)):
        for column, letter in enumerate(LETTERS):
            token = make_piece_token(colour, letter, heroic)
            cells.append(Cell(token.symbol, column, row, ground="page", tokens=(token,)))
    return Area(name, columns=len(LETTERS), rows=_PALETTE_ROWS, cells=tuple(cells), x=_PALETTE_MARGIN, y=top)


# --- fields -----------------------------------------------------------------------------------------


def list_fields(position: Position) -> tuple[Field, ...]:
    """Return the editable values that are not on the board: the side to move and both clocks.

    An open deploy session is not among them, because it depends on the board.
    """
    return (
        Field("side", "Side to move", position.turn, "choice", _SIDES),
        Field("half", "Half-move clock", str(position.half), "number"),
        Field("full", "Move number", str(position.full), "number"),
    )


def with_field(position: Position, name: str, value: str) -> Position:
    """Return the position with another side to move, half-move clock or move number.

    If the value changes, an open deploy session ends.

    Args:
        position: The position, which stays as it is.
        name: The name of the field: ``side``, ``half`` or ``full``.
        value: The new value as in the text of a position, such as ``b`` or ``12``.

    Raises:
        ValueError: If there is no such field or the value is not valid.
    """
    require_text("the name of a field", name)
    require_text("the value", value)
    known_fields = {field.name: field for field in list_fields(position)}
    if name not in known_fields:
        raise ValueError(f"a CoTuLenh position has no field {quoted(name)}; it has {', '.join(known_fields)}")
    if known_fields[name].value == value:
        return position
    # The value is put into the text of the position, so that the reader of texts checks it.
    words = encode(with_session(position, None)).split(" ")
    words[_WORD_INDEX[name]] = require_one_word(known_fields[name], value)
    reading = read_fen(" ".join(words))
    if reading.position is None:
        first_error = next(finding for finding in reading.diagnostics if finding.is_error)
        raise ValueError(first_error.message)
    return reading.position
