"""Pieces as values, with the names of the source documents: type, color, heroic, carrying.

Accepted where a piece is given: a `Piece`, a mapping with these names, or a text such as ``+T`` or ``(nft)``.
A mapping without a colour is a piece of the side to move, a carried one of its carrier's side. Types are
read in small and capital letters, ``b`` as anti-air, and written in small ones, as in the documents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from forsyth.arguments import quoted
from forsyth.games.cotulenh.board import SQUARE_NUMBER
from forsyth.games.cotulenh.stacks import (
    BLUE_BIT,
    HEROIC_SHIFT,
    LETTERS,
    TYPES,
    carrier_of,
    members,
    read_unit,
    write_unit,
)

RED: Final = "r"
"""The side that moves first."""

BLUE: Final = "b"
"""The other side."""

_COLOURS: Final = {"r": 0, "red": 0, "b": BLUE_BIT, "blue": BLUE_BIT}
_PIECE_KEYS: Final = frozenset(("type", "color", "heroic", "carrying"))


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece with what it carries; `str()` is its text in a FEN, such as ``(N+FT)`` or ``+t``."""

    type: str
    """One small letter."""
    color: str
    """``r`` or ``b``."""
    heroic: bool = False
    carrying: tuple[Piece, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The piece as JSON-ready data; `carrying` only where something is carried."""
        shown: dict[str, Any] = {"type": self.type, "color": self.color, "heroic": self.heroic}
        if self.carrying:
            shown["carrying"] = [piece.to_dict() for piece in self.carrying]
        return shown

    def __str__(self) -> str:
        return write_unit(unit_of(self), fen=True)


def colour_of(color: object) -> int:
    """The bit of a colour given as ``r``, ``b``, ``red`` or ``blue``; raises `ValueError`."""
    found = _COLOURS.get(color.lower()) if isinstance(color, str) else None
    if found is None:
        raise ValueError(f"{quoted(color)} is not a colour, expected r or b")
    return found


def square_of(name: object) -> int:
    """The number of a square; raises `ValueError`."""
    if not isinstance(name, str) or name not in SQUARE_NUMBER:
        raise ValueError(f"{quoted(name)} is not a square, expected a1 to k12")
    return SQUARE_NUMBER[name]


def type_of(letter: object) -> int:
    """The number of a piece type; raises `ValueError`."""
    unit = read_unit(letter) if isinstance(letter, str) and len(letter) == 1 else 0
    if not unit:
        raise ValueError(f"{quoted(letter)} is not a piece type, expected one of {LETTERS}")
    return carrier_of(unit)


def flat_pieces(unit: int) -> tuple[Piece, ...]:
    """The members of a unit one by one, carrier first."""
    color = BLUE if unit & BLUE_BIT else RED
    return tuple(
        Piece(LETTERS[carrier_of(single)].lower(), color, bool(single >> HEROIC_SHIFT & TYPES))
        for single in members(unit)
    )


def whole_piece(unit: int) -> Piece:
    """The piece of a unit, with what it carries."""
    carrier, *carried = flat_pieces(unit)
    return Piece(carrier.type, carrier.color, carrier.heroic, tuple(carried))


def piece_of(unit: int) -> Piece | None:
    """The piece of a unit; None for an empty square."""
    return whole_piece(unit) if unit else None


def unit_of(piece: object, colour: int = 0) -> int:
    """The unit of a piece; `colour` is the bit of one that names none. Raises `ValueError`."""
    if isinstance(piece, str):
        return _unit_of_text(piece)
    if isinstance(piece, Piece):
        return _joined(piece, _single(piece.type, colour_of(piece.color), piece.heroic), piece.carrying)
    if isinstance(piece, Mapping) and {"type"} <= set(piece) <= _PIECE_KEYS:
        color = piece.get("color")
        given = colour if color is None else colour_of(color)
        single = _single(piece["type"], given, piece.get("heroic"))
        return _joined(piece, single, piece.get("carrying"))
    raise ValueError(f"{quoted(piece)} is not a piece, expected a text such as (NFT), or its type and color")


def _unit_of_text(text: str) -> int:
    unit = read_unit(text, text == text.lower())
    if not unit or text not in (text.lower(), text.upper()):
        raise ValueError(f"{quoted(text)} is not a piece or stack, expected one such as +T, (NFT) or (nft)")
    return unit


def _single(letter: object, colour: int, heroic: object) -> int:
    if heroic is not None and not isinstance(heroic, bool):
        raise ValueError(f"heroic is {quoted(heroic)}, expected true or false")
    kind = type_of(letter)
    return 1 << kind | colour | (1 << kind + HEROIC_SHIFT if heroic else 0)


def _joined(whole: object, unit: int, carried: object) -> int:
    if carried is None:
        return unit
    if not isinstance(carried, list | tuple):
        raise ValueError(f"carrying is {quoted(carried)}, expected a list of pieces")
    carrier = unit & TYPES
    for piece in carried:
        other = unit_of(piece, unit & BLUE_BIT)
        if (unit ^ other) & BLUE_BIT or unit & other & TYPES:
            raise ValueError(f"{quoted(whole)} is not a stack")
        unit |= other
    if carrier_of(unit) < 0 or not carrier >> carrier_of(unit) & 1:
        raise ValueError(f"{quoted(whole)} is not a stack that its first piece carries")
    return unit
