"""Pieces as values, with the names of the source documents: type, color, heroic, carrying.

A piece argument is a `Piece`, a mapping with these names, or a text such as ``+T`` or ``(nft)``. A mapping
without a colour belongs to the side to move, or to the side of its carrier. Types are read in small and
capital letters, with ``b`` as another letter for anti-air. They are written in small letters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from forsyth.arguments import quoted
from forsyth.games.cotulenh.board import SQUARE_NUMBER
from forsyth.games.cotulenh.stacks import (
    BLUE_BIT,
    HEROIC_SHIFT,
    LETTERS,
    TYPES,
    get_carrier_type,
    get_piece_letter,
    is_heroic_piece,
    read_unit,
    split_unit,
    write_unit,
)

RED: Final = "r"
"""The side that moves first."""

BLUE: Final = "b"
"""The other side."""

_COLOUR_BITS: Final = {"r": 0, "red": 0, "b": BLUE_BIT, "blue": BLUE_BIT}
_PIECE_KEYS: Final = frozenset(("type", "color", "heroic", "carrying"))


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece and the pieces that it carries. Its text is its FEN: ``(N+FT)`` or ``+t``."""

    type: str
    """The piece letter, in lower case."""
    color: str
    """``r`` or ``b``."""
    heroic: bool = False
    carrying: tuple[Piece, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the piece as JSON-ready data: ``{"type": "t", "color": "r", "heroic": False}``.

        `carrying` is a list of such mappings. It is left out if the piece carries nothing.
        """
        data: dict[str, Any] = {"type": self.type, "color": self.color, "heroic": self.heroic}
        if self.carrying:
            data["carrying"] = [piece.to_dict() for piece in self.carrying]
        return data

    def __str__(self) -> str:
        return write_unit(parse_piece(self), fen=True)


def parse_colour(color: object) -> int:
    """Return the colour bit of ``r``, ``b``, ``red`` or ``blue``: 0 for Red, BLUE_BIT for Blue.

    Raise `ValueError` if `color` is none of these.
    """
    colour_bit = _COLOUR_BITS.get(color.lower()) if isinstance(color, str) else None
    if colour_bit is None:
        raise ValueError(f"{quoted(color)} is not a colour, expected r or b")
    return colour_bit


def parse_square(name: object) -> int:
    """Return the number of a square such as ``c5``: 0 for ``a1``, 131 for ``k12``.

    Raise `ValueError` if there is no such square.
    """
    if not isinstance(name, str) or name not in SQUARE_NUMBER:
        raise ValueError(f"{quoted(name)} is not a square, expected a1 to k12")
    return SQUARE_NUMBER[name]


def parse_type(letter: object) -> int:
    """Return the number of the piece type of a letter in either case: 2, a tank, for ``t``.

    Raise `ValueError` if there is no such type.
    """
    unit = read_unit(letter) if isinstance(letter, str) and len(letter) == 1 else 0
    if not unit:
        raise ValueError(f"{quoted(letter)} is not a piece type, expected one of {LETTERS}")
    return get_carrier_type(unit)


def make_member_pieces(unit: int) -> tuple[Piece, ...]:
    """Return the members of a unit, a piece or stack as one number, as separate pieces.

    The piece that carries the others comes first.
    """
    color = BLUE if unit & BLUE_BIT else RED
    return tuple(
        Piece(type=get_piece_letter(member).lower(), color=color, heroic=is_heroic_piece(member))
        for member in split_unit(unit)
    )


def make_piece(unit: int) -> Piece:
    """Return a unit, a piece or stack as one number, as a `Piece` with the pieces it carries.

    The unit must not be 0, which is an empty square.
    """
    carrier, *passengers = make_member_pieces(unit)
    return replace(carrier, carrying=tuple(passengers))


def make_piece_or_none(unit: int) -> Piece | None:
    """Return a unit, a piece or stack as one number, as a `Piece`.

    Return None if `unit` is 0, which is an empty square.
    """
    return make_piece(unit) if unit else None


def parse_piece(piece: object, default_colour: int = 0) -> int:
    """Return a piece or stack as a unit, which is one number.

    Args:
        piece: A `Piece`, a mapping such as ``{"type": "t", "color": "r"}``, or a text such as ``+T``.
        default_colour: The colour of a mapping without one: 0 for Red, BLUE_BIT for Blue.

    Raises:
        ValueError: If `piece` is not a piece or legal stack.
    """
    if isinstance(piece, str):
        return _parse_piece_text(piece)
    if isinstance(piece, Piece):
        carrier = _make_member(piece.type, parse_colour(piece.color), piece.heroic)
        return _add_passengers(piece, carrier, piece.carrying)
    # A mapping must contain the type and may contain the other keys.
    if isinstance(piece, Mapping) and {"type"} <= set(piece) <= _PIECE_KEYS:
        color = piece.get("color")
        colour_bit = default_colour if color is None else parse_colour(color)
        carrier = _make_member(piece["type"], colour_bit, piece.get("heroic"))
        return _add_passengers(piece, carrier, piece.get("carrying"))
    raise ValueError(f"{quoted(piece)} is not a piece, expected a text such as (NFT), or its type and color")


def _parse_piece_text(text: str) -> int:
    """Return the unit of a text such as ``+T`` for Red or ``(nft)`` for Blue.

    A unit is a piece or stack as one number. Raise `ValueError` if the text is not a legal piece or stack, or
    if it mixes capital and small letters.
    """
    is_lower, is_upper = text == text.lower(), text == text.upper()
    unit = read_unit(text, is_blue=is_lower)
    if not unit or not (is_lower or is_upper):
        raise ValueError(f"{quoted(text)} is not a piece or stack, expected one such as +T, (NFT) or (nft)")
    return unit


def _make_member(letter: object, colour: int, heroic: object) -> int:
    """Return the unit of a single piece, such as a heroic tank of Red, as one number.

    Args:
        letter: The letter of the piece in either case.
        colour: 0 for Red, BLUE_BIT for Blue.
        heroic: Whether the piece is heroic (promoted). None means false.

    Raises:
        ValueError: If the type does not exist or `heroic` is not a boolean.
    """
    if heroic is not None and not isinstance(heroic, bool):
        raise ValueError(f"heroic is {quoted(heroic)}, expected true or false")
    type_bit = 1 << parse_type(letter)
    heroic_bit = type_bit << HEROIC_SHIFT if heroic else 0
    return type_bit | heroic_bit | colour


def _add_passengers(piece: object, carrier: int, passengers: object) -> int:
    """Return the stack of a carrier and the pieces that it carries, as one number.

    Without passengers it is the carrier alone. Raise `ValueError` if they do not make a legal stack that the
    carrier carries.

    Args:
        piece: The piece as the caller passed it, for the message of the error.
        carrier: The carrier as one number.
        passengers: A list or tuple of the carried pieces, or None if there are none.
    """
    if passengers is None:
        return carrier
    if not isinstance(passengers, list | tuple):
        raise ValueError(f"carrying is {quoted(passengers)}, expected a list of pieces")
    stack = carrier
    for passenger in passengers:
        unit = parse_piece(passenger, default_colour=carrier & BLUE_BIT)
        has_other_colour = (stack ^ unit) & BLUE_BIT
        if has_other_colour:
            raise ValueError(f"{quoted(piece)} is not a stack, expected pieces of one colour")
        has_same_type = stack & unit & TYPES
        if has_same_type:
            raise ValueError(f"{quoted(piece)} is not a stack, expected each type at most once")
        stack |= unit
    carrier_type = get_carrier_type(stack)
    is_legal_stack = carrier_type >= 0
    if not is_legal_stack or not carrier >> carrier_type & 1:
        raise ValueError(f"{quoted(piece)} is not a stack that its first piece carries")
    return stack
