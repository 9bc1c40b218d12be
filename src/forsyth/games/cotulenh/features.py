"""A CoTuLenh position in numbers, for tables: who is to move, what stands where, how far the game has come.

Points are those the game's author gives the pieces; the commander has none here, since without it the game
is over. The phase is told by the pieces that are left of 38, as PHASES says. A clock beyond 32 bits is
clamped to the largest number of 32 bits. While a deploy session is open the board is the one of the moment.

Stability: names keep their meaning; new ones come at the end. `column` counts the same for whole columns.
"""

from __future__ import annotations

from typing import Final

from forsyth.column import Feature
from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.stacks import (
    BLUE_BIT,
    COMMANDER,
    HEROIC_SHIFT,
    LETTERS,
    NAMES,
    TYPES,
)

MOST: Final = 2**31 - 1
PHASES: Final = (("opening", 32), ("middlegame", 16), ("endgame", 0))
"""The phases of the game, and how many pieces of both sides are on the board in each at least."""
POINTS: Final = {"I": 10, "T": 20, "M": 10, "E": 10, "A": 30, "G": 10, "S": 20, "F": 40, "N": 80, "H": 10}
UPPER_HALF: Final = 66
"""The first square beyond the river, from Red's side."""

KIND_NAMES: Final = tuple(NAMES[letter].replace(" ", "_").replace("-", "_") for letter in LETTERS)
"""The types of pieces as parts of a name."""
_SIDES: Final = ("Red", "Blue")


def _of_both(name: str, meaning: str) -> tuple[Feature, ...]:
    return tuple(Feature(f"{side.lower()}_{name}", meaning.format(side)) for side in _SIDES)


FEATURES: Final[tuple[Feature, ...]] = (
    Feature("side_to_move", "whose turn it is", ("red", "blue")),
    Feature("half_move_clock", "half-moves since the last capture or commander's move"),
    Feature("move_number", "the number of the move about to be played"),
    Feature("phase", "how far the game has come", tuple(name for name, _ in PHASES)),
    Feature("deploying", "1 while a deploy session is open, else 0"),
    Feature("pieces", "pieces on the board, those in stacks too"),
    *_of_both("pieces", "pieces of {}"),
    *_of_both("units", "squares on which {} stands"),
    *_of_both("stacks", "squares on which {} has two or three pieces"),
    *_of_both("heroic", "heroic pieces of {}"),
    *_of_both("across", "pieces of {} on the other side of the river"),
    *_of_both("material", "points of the pieces of {}, the commander apart"),
    Feature("material_balance", "points of Red less those of Blue"),
    *_of_both(
        "commander_square", "where the commander of {} is, a1 = 0, b1 = 1, … k12 = 131; −1 for nowhere"
    ),
    *(
        Feature(f"{side.lower()}_{name}", f"pieces of {side}: {NAMES[letter]}")
        for side in _SIDES
        for name, letter in zip(KIND_NAMES, LETTERS, strict=True)
    ),
)


def features(position: Position) -> tuple[int, ...]:
    """The numbers of a position, one for each of FEATURES."""
    red, blue = _Army(position, 0), _Army(position, BLUE_BIT)
    pieces = sum(red.kinds) + sum(blue.kinds)
    return (
        position.blue_to_move,
        min(position.half, MOST),
        min(position.full, MOST),
        next(number for number, (_, least) in enumerate(PHASES) if pieces >= least),
        int(position.session is not None),
        pieces,
        sum(red.kinds),
        sum(blue.kinds),
        len(red.units),
        len(blue.units),
        red.stacks(),
        blue.stacks(),
        red.heroic(),
        blue.heroic(),
        red.pieces_on(range(UPPER_HALF, 132)),
        blue.pieces_on(range(UPPER_HALF)),
        red.points(),
        blue.points(),
        red.points() - blue.points(),
        red.commander_square(),
        blue.commander_square(),
        *red.kinds,
        *blue.kinds,
    )


class _Army:
    """The units of one side, by square."""

    def __init__(self, position: Position, colour: int) -> None:
        board = enumerate(position.board())
        self.units = {square: unit for square, unit in board if unit and unit & BLUE_BIT == colour}
        self.kinds = [sum(unit >> kind & 1 for unit in self.units.values()) for kind in range(len(LETTERS))]

    def stacks(self) -> int:
        return sum(_size(unit) > 1 for unit in self.units.values())

    def heroic(self) -> int:
        return sum(_size(unit >> HEROIC_SHIFT) for unit in self.units.values())

    def pieces_on(self, squares: range) -> int:
        return sum(_size(unit) for square, unit in self.units.items() if square in squares)

    def points(self) -> int:
        return sum(POINTS.get(letter, 0) * number for letter, number in zip(LETTERS, self.kinds, strict=True))

    def commander_square(self) -> int:
        return next((square for square, unit in self.units.items() if unit >> COMMANDER & 1), -1)


def _size(unit: int) -> int:
    return (unit & TYPES).bit_count()
