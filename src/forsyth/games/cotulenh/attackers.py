"""Who attacks a square, and which squares the air defence covers, each told with its squares.

The rules are those of spec/cotulenh 6 and 10, as in `attacks`, which needs to know only whether there are
any.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from forsyth.games.cotulenh.board import DIRECTIONS, FILES, RANK_COUNT, SQUARES
from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.stacks import BLUE_BIT, HEROIC_SHIFT, LETTERS, TYPES, carrier_of, members

_RANGES: Final = {"T": 2, "S": 2, "A": 3, "N": 4, "F": 4, "H": 0}
_DIAGONAL: Final = frozenset("MASFN")
_SHOOTS_OVER: Final = frozenset("ASFN")
_AIR_LEVELS: Final = {"S": 2, "N": 1, "G": 1}
_FARTHEST: Final = 5


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
            for covered in _zone(square, _air_level(unit)):
                found.setdefault(covered, []).append(square)
    return {square: tuple(found[square]) for square in sorted(found)}


def _air_level(unit: int) -> int:
    """The radius of a unit's air defence; only the carrier counts."""
    kind = carrier_of(unit)
    level = _AIR_LEVELS.get(LETTERS[kind], 0)
    return level + (unit >> HEROIC_SHIFT + kind & 1) if level else 0


def _zone(square: int, level: int) -> Iterator[int]:
    if not level:
        return
    for across in range(-level, level + 1):
        for up in range(-level, level + 1):
            covered = _beside(square, across, up)
            if covered is not None and across * across + up * up <= level * level:
                yield covered


def _beside(square: int, across: int, up: int) -> int | None:
    file, rank = square % len(FILES) + across, square // len(FILES) + up
    return rank * len(FILES) + file if 0 <= file < len(FILES) and 0 <= rank < RANK_COUNT else None


def attackers(position: Position, target: int, colour: int) -> Iterator[Attacker]:
    """Every piece of a colour that attacks a square, stack members one by one."""
    zones = air_zones(position, BLUE_BIT - colour)
    for direction, (across, up) in enumerate(DIRECTIONS):
        path: list[int] = []
        clear = True
        for distance in range(1, _FARTHEST + 1):
            square = _beside(target, across * distance, up * distance)
            if square is None:
                break
            unit = position.unit_on(square)
            if unit and unit & BLUE_BIT == colour:
                for piece in members(unit):
                    if _reaches(position, piece, target, distance, direction > 3) and (
                        _passes(piece, [*path[::-1], target], zones, clear)
                    ):
                        yield Attacker(SQUARES[square], LETTERS[carrier_of(piece)].lower())
            clear = clear and not unit
            path.append(square)


def _reaches(position: Position, piece: int, target: int, distance: int, diagonal: bool) -> bool:
    """Whether a piece captures as far and in such a direction."""
    letter, heroic = LETTERS[carrier_of(piece)], bool(piece >> HEROIC_SHIFT & TYPES)
    standing = position.unit_on(target)
    on_target = LETTERS[carrier_of(standing)] if standing else ""
    if diagonal and not heroic and letter not in _DIAGONAL:
        return False
    if letter == "C":
        return distance == 1 and not (diagonal and on_target == "C")
    reach = _RANGES.get(letter, 1) + heroic
    if (letter == "N" and on_target != "N") or (letter == "S" and diagonal):
        reach -= 1
    return distance <= reach


def _passes(piece: int, way: list[int], zones: Zones, clear: bool) -> bool:
    """Whether a piece gets through: past others that stand between, and through air defence."""
    letter = LETTERS[carrier_of(piece)]
    if not clear and letter not in _SHOOTS_OVER:
        return False
    if letter != "F" or piece >> HEROIC_SHIFT & TYPES:
        return True
    met: set[int] = set()
    for square in way:
        here = zones.get(square, ())
        if met and not here:
            return False
        met.update(here)
        if len(met) > 1:
            return False
    return True
