"""Who attacks a square, and which squares the air defence covers, by their names.

The rules are those of `attacks`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from forsyth.games.cotulenh.board import SQUARES
from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.rules.attacks import attackers_of, zone_of
from forsyth.games.cotulenh.stacks import BLUE_BIT, LETTERS, TYPES, carrier_of, members


class Attacker(NamedTuple):
    """A piece that attacks: where it stands and its type, a small letter."""

    square: str
    type: str


Zones = dict[int, tuple[int, ...]]
"""For each covered square the squares of its defenders."""


def air_zones(position: Position, colour: int) -> Zones:
    """The squares that a colour's air defence covers, a1 first."""
    found: dict[int, list[int]] = {}
    for square, unit in enumerate(position.board()):
        if unit and unit & BLUE_BIT == colour:
            for covered in zone_of(square, unit):
                found.setdefault(covered, []).append(square)
    return {square: tuple(found[square]) for square in sorted(found)}


def attackers(position: Position, target: int, colour: int) -> Iterator[Attacker]:
    """Every piece of a colour that attacks a square, stack members one by one."""
    for square, types in attackers_of(position, target, colour):
        for piece in members(position.unit_on(square)):
            if piece & types & TYPES:
                yield Attacker(SQUARES[square], LETTERS[carrier_of(piece)].lower())
