"""Editing a CoTuLenh position: units put on squares, side and clocks set.

Accepts
    Squares (``c5``). Symbols are pieces as the board writes them, ``T``, ``+T``, ``t``, and whole stacks,
    ``(NF)``, their members in any order. A unit joins one of its own colour where both make a stack; anything
    else that stands there is replaced.
Writes
    Positions that a text can say, legal or not. Every change ends an open deploy session: what the session
    says about the board would no longer be true.
Limits
    A position whose text would be longer than a text may be (1024 characters) is refused. Fields take what
    default reading takes.
"""

from __future__ import annotations

import re
from typing import Final

from forsyth.arguments import quoted, require_text
from forsyth.game import Field
from forsyth.game_values import one_word
from forsyth.games.cotulenh.board import SQUARE_NUMBER
from forsyth.games.cotulenh.drawing.pieces import GLYPHS
from forsyth.games.cotulenh.drawing.scene import PALETTE, token
from forsyth.games.cotulenh.notation.fen import MAX_LENGTH, read_fen
from forsyth.games.cotulenh.notation.write import encode
from forsyth.games.cotulenh.position import Position, with_session, with_unit
from forsyth.games.cotulenh.stacks import LETTERS, combine, read_unit
from forsyth.scene import Area, Cell, Scene

_SYMBOL: Final = re.compile(
    rf"\+?[{LETTERS}]|\+?[{LETTERS.lower()}]|\((?:\+?[{LETTERS}])+\)|\((?:\+?[{LETTERS.lower()}])+\)"
)
_SIDES: Final = (("r", "Red"), ("b", "Blue"))
_WORDS: Final = {"side": 1, "half": 4, "full": 5}
"""Which word of a text says a field."""


# --- units ------------------------------------------------------------------------------------------


def put(position: Position, square: str, symbol: str | None) -> Position:
    """The position with a unit on a square, joined to its own colour where that makes a stack, or emptied."""
    number = _number(square)
    if symbol is None:
        return with_unit(with_session(position, None), number, 0)
    return _place(position, number, _unit(symbol))


def lift(position: Position, source: str, target: str) -> Position:
    """The position with the unit of one square on another."""
    unit = position.unit_on(_number(source))
    if not unit:
        raise ValueError(f"nothing is on {source}")
    if source == target:
        return position
    return _place(with_unit(position, _number(source), 0), _number(target), unit)


def _place(position: Position, square: int, unit: int) -> Position:
    joined = combine(position.unit_on(square), unit) if position.unit_on(square) else 0
    after = with_unit(with_session(position, None), square, joined or unit)
    length = len(encode(after))
    if length > MAX_LENGTH:
        raise ValueError(f"the text would have {length} characters, expected at most {MAX_LENGTH}")
    return after


def _number(square: str) -> int:
    if not isinstance(square, str) or square not in SQUARE_NUMBER:
        raise ValueError(f"{quoted(square)} is not a square, expected one such as c5")
    return SQUARE_NUMBER[square]


def _unit(symbol: str) -> int:
    known = isinstance(symbol, str) and _SYMBOL.fullmatch(symbol) is not None
    unit = read_unit(symbol, symbol.islower()) if known else 0
    if not unit:
        raise ValueError(
            f"{quoted(symbol)} is not a unit, expected a piece such as T or +t, or a stack such as (NF)"
        )
    return unit


def palette(position: Position) -> Scene:
    """The pieces of both colours, each above its heroic form."""
    return Scene(
        title="CoTuLenh pieces",
        description="Pieces to put on the board: eleven for Red and for Blue, each above its heroic form.",
        width=len(LETTERS) + 0.4,
        height=4.5,
        areas=(_pieces("Red", "r", 0.2), _pieces("Blue", "b", 2.3)),
        glyphs=GLYPHS,
        palette=PALETTE,
    )


def _pieces(name: str, colour: str, y: float) -> Area:
    shown = [
        (token(colour, letter, heroic), column, row)
        for row, heroic in enumerate((False, True))
        for column, letter in enumerate(LETTERS)
    ]
    cells = tuple(Cell(piece.symbol, column, row, "page", (piece,)) for piece, column, row in shown)
    return Area(name, len(LETTERS), 2, cells, x=0.2, y=y)


# --- fields -----------------------------------------------------------------------------------------


def fields(position: Position) -> tuple[Field, ...]:
    """Everything of a position that is not on the board; an open session is part of the board."""
    return (
        Field("side", "Side to move", position.turn, "choice", _SIDES),
        Field("half", "Half-move clock", str(position.half), "number"),
        Field("full", "Move number", str(position.full), "number"),
    )


def with_field(position: Position, name: str, value: str) -> Position:
    """The position with another value in one of its fields, read as a text would be."""
    require_text("the name of a field", name)
    require_text("the value", value)
    known = {field.name: field for field in fields(position)}
    if name not in known:
        raise ValueError(f"a CoTuLenh position has no field {quoted(name)}; it has {', '.join(known)}")
    if known[name].value == value:
        return position
    words = encode(with_session(position, None)).split(" ")
    words[_WORDS[name]] = one_word(known[name], value)
    reading = read_fen(" ".join(words))
    if reading.position is None:
        raise ValueError(next(finding.message for finding in reading.diagnostics if finding.is_error))
    return reading.position
