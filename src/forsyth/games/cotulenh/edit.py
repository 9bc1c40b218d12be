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
    """Return the position with a unit such as ``T``, ``+t`` or ``(NF)`` placed on a square.

    None as `symbol` empties the square. An open deploy session ends. The unit joins the unit on the square if
    they make a stack, else it replaces that unit. Raise `ValueError` if the square or the unit does not
    exist, or the text of the position would be too long.
    """
    square_number = _parse_square(square)
    if symbol is None:
        return with_unit(with_session(position, None), square_number, 0)
    return _join_or_replace(position, square_number, _parse_unit(symbol))


def move_unit(position: Position, source: str, target: str) -> Position:
    """Return the position with the unit on the square `source` moved to the square `target`, legal or not.

    The unit joins the unit on `target` if they make a stack, else it replaces that unit. Raise `ValueError`
    if `source` is empty, one of the squares does not exist, or the text of the position would be too long.
    """
    source_number = _parse_square(source)
    unit = position.unit_on(source_number)
    if not unit:
        raise ValueError(f"nothing is on {source}, expected a square with a piece or stack")
    if source == target:
        return position
    return _join_or_replace(with_unit(position, source_number, 0), _parse_square(target), unit)


def _join_or_replace(position: Position, square: int, unit: int) -> Position:
    """Return the position with `unit` on a square, joined to the unit there if the two make a stack.

    Otherwise `unit` replaces the unit there. An open deploy session ends. Raise `ValueError` if the text of
    the position would be too long.
    """
    unit_there = position.unit_on(square)
    stack = combine_units(unit_there, unit) if unit_there else 0
    after = with_unit(with_session(position, None), square, stack or unit)
    length = len(encode(after))
    if length > MAX_LENGTH:
        raise ValueError(
            f"the text of the position would have {length} characters, expected at most {MAX_LENGTH}"
        )
    return after


def _parse_square(square: str) -> int:
    """Return the number of a square such as ``c5``. Raise `ValueError` if there is no such square."""
    if not isinstance(square, str) or square not in SQUARE_NUMBER:
        raise ValueError(f"{quoted(square)} is not a square, expected one such as c5")
    return SQUARE_NUMBER[square]


def _parse_unit(symbol: str) -> int:
    """Return the unit of a symbol such as ``T``, ``+t`` or ``(NF)``. Small letters are Blue's.

    Raise `ValueError` if the symbol is not a piece or a legal stack.
    """
    is_symbol = isinstance(symbol, str) and _SYMBOL.fullmatch(symbol) is not None
    unit = read_unit(symbol, symbol.islower()) if is_symbol else 0
    if not unit:
        raise ValueError(
            f"{quoted(symbol)} is not a unit, expected a piece such as T or +t, or a stack such as (NF)"
        )
    return unit


def draw_palette(position: Position) -> Scene:
    """Return a drawing of the pieces of both colours, each above its heroic form, to pick from.

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
    """Return the area with the pieces of one colour, in two rows: plain pieces above heroic ones.

    `name` is the title of the area, and `colour` is ``r`` or ``b``. `top` is the distance of the area from
    the top of the scene, in squares.
    """
    cells = []
    for row, heroic in enumerate((False, True)):
        for column, letter in enumerate(LETTERS):
            token = make_piece_token(colour, letter, heroic)
            cells.append(Cell(token.symbol, column, row, ground="page", tokens=(token,)))
    return Area(name, columns=len(LETTERS), rows=_PALETTE_ROWS, cells=tuple(cells), x=_PALETTE_MARGIN, y=top)


# --- fields -----------------------------------------------------------------------------------------


def list_fields(position: Position) -> tuple[Field, ...]:
    """Return the editable values of a position that are not on the board: the side to move and the clocks.

    An open deploy session is not among them, because it depends on the board.
    """
    return (
        Field("side", "Side to move", position.turn, "choice", _SIDES),
        Field("half", "Half-move clock", str(position.half), "number"),
        Field("full", "Move number", str(position.full), "number"),
    )


def with_field(position: Position, name: str, value: str) -> Position:
    """Return the position with another value in one field, the side to move or a clock, see `list_fields`.

    `name` is ``side``, ``half`` or ``full``. `value` is parsed as in the text of a position. If it changes
    the field, an open deploy session ends. Raise `ValueError` if there is no such field or the value is not
    valid.
    """
    require_text("the name of a field", name)
    require_text("the value", value)
    known_fields = {field.name: field for field in list_fields(position)}
    if name not in known_fields:
        raise ValueError(f"a CoTuLenh position has no field {quoted(name)}; it has {', '.join(known_fields)}")
    if known_fields[name].value == value:
        return position
    words = encode(with_session(position, None)).split(" ")
    words[_WORD_INDEX[name]] = require_one_word(known_fields[name], value)
    reading = read_fen(" ".join(words))
    if reading.position is None:
        first_error = next(finding for finding in reading.diagnostics if finding.is_error)
        raise ValueError(first_error.message)
    return reading.position
