"""Lists of attackers and of the squares under air defence, with the names of squares and pieces.

The rules are those of `attacks`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from forsyth.games.cotulenh.board import SQUARES
from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.rules.attacks import list_attackers, list_zone
from forsyth.games.cotulenh.stacks import BLUE_BIT, TYPES, get_piece_letter, split_unit


class Attacker(NamedTuple):
    """A piece that attacks: its square and its type as a small letter."""

    square: str
    type: str


Zones = dict[int, tuple[int, ...]]
"""Map from each covered square to the squares of its defenders."""


def map_air_defence(position: Position, colour: int) -> Zones:
    """Map each square that a colour's air defence covers to the squares of its defenders.

    All squares are numbers. The covered squares are sorted, a1 first. `colour` is 0 for Red and BLUE_BIT for
    Blue.
    """
    defenders: dict[int, list[int]] = {}
    for square, unit in enumerate(position.board()):
        if unit and unit & BLUE_BIT == colour:
            for covered_square in list_zone(square, unit):
                defenders.setdefault(covered_square, []).append(square)
    return {covered_square: tuple(defenders[covered_square]) for covered_square in sorted(defenders)}


def find_attacking_pieces(position: Position, target: int, colour: int) -> Iterator[Attacker]:
    """Yield every piece of a colour that attacks the square number `target`.

    Each member of a stack counts as a piece. Air forces that air defence stops are left out. `colour` is 0
    for Red and BLUE_BIT for Blue.
    """
    for square, attacking_types in list_attackers(position, target, colour):
        for piece in split_unit(position.unit_on(square)):
            if piece & attacking_types & TYPES:
                yield Attacker(SQUARES[square], get_piece_letter(piece).lower())
