# cython: boundscheck=False, wraparound=False
"""A CoTuLenh position in numbers, for tables: who is to move, what stands where, how far the game has come.

Points are those the game's author gives the pieces; the commander has none here, since without it the game
is over. The phase is told by the pieces that are left of 38, as PHASES says. A clock beyond 32 bits is
clamped to the largest number of 32 bits. While a deploy session is open the board is the one of the moment.

Stability: names keep their meaning; new ones come at the end. `features` takes a position, `write_features`
its board and clocks, which is how a column has them. The module runs as it is and compiles with Cython
(`features.pxd` gives the C types).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.column import Feature
from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.stacks import FORMS, LETTERS, NAMES

if not cython.compiled:
    from forsyth.games.cotulenh.board import SQUARE_COUNT, i32, u32, u64
    from forsyth.games.cotulenh.numbers.packing import (
        FORM_OF,
        MAX_NUMBER,
        NO_FORM,
        Squares,
        State,
        find_units,
    )
    from forsyth.games.cotulenh.rules.attacks import Units
    from forsyth.games.cotulenh.stacks import BLUE_BIT, HEROIC_SHIFT, TYPES

    Numbers = list[int] | memoryview
    Row = list[int]
    Size = int
    Sums = list[int]
    NUMBERS: Final = 43
    UPPER_HALF: Final = 66
    """The first square beyond the river, from Red's side."""
    FIELD: Final = 1023
    FACTS = [0] * 35
    LOW_KINDS = [0] * 35
    HIGH_KINDS = [0] * 35
    LEAST = [0] * 2

PHASES: Final = (("opening", 32), ("middlegame", 16), ("endgame", 0))
"""The phases of the game, and how many pieces of both sides are on the board in each at least."""
POINTS: Final = {"I": 10, "T": 20, "M": 10, "E": 10, "A": 30, "G": 10, "S": 20, "F": 40, "N": 80, "H": 10}
_DEPLOYING: Final = 4
"""The place of the number that a board does not say."""

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


def _fill_tables() -> None:
    """What each form adds to the sums of its side.

    FACTS: units, pieces and stacks in fields of ten bits, then points. LOW_KINDS and HIGH_KINDS: a byte for
    each type of piece, of which no board has more than 132. LEAST: with fewer pieces the phase is the next.
    """
    for number, form in enumerate(FORMS):
        points = sum(POINTS.get(letter, 0) for letter in form)
        FACTS[number] = 1 | len(form) << 10 | (len(form) > 1) << 20 | points << 30
        kinds = sum(1 << 8 * LETTERS.index(letter) for letter in form)
        LOW_KINDS[number] = kinds & (1 << 64) - 1
        HIGH_KINDS[number] = kinds >> 64
    FACTS[NO_FORM] = LOW_KINDS[NO_FORM] = HIGH_KINDS[NO_FORM] = 0
    LEAST[0], LEAST[1] = PHASES[0][1], PHASES[1][1]


_fill_tables()


def features(position: Position) -> tuple[int, ...]:
    """The numbers of a position, one for each of FEATURES."""
    state: State
    found: Row
    if not cython.compiled:
        state = [0] * 3
        found = [0] * NUMBERS
    state[0] = position.blue_to_move
    state[1] = min(position.half, MAX_NUMBER)
    state[2] = min(position.full, MAX_NUMBER)
    write_features(position.units, state, found, 1, 0)
    found[_DEPLOYING] = position.session is not None
    return tuple([int(found[i]) for i in range(NUMBERS)])


def tally(units: Units, found: Squares, first: i32, last: i32, sums: Sums) -> None:
    """Add the units of some of the occupied squares to the sums, four for each side.

    These are the facts, the two parts of the kinds, and the facts of the heroic pieces. What is heroic of a
    stack is a form as well.
    """
    i: i32
    unit: u32
    form: i32
    side: i32
    for i in range(first, last):
        unit = units[found[i]]
        form = FORM_OF[unit & TYPES]
        side = 4 * (unit // BLUE_BIT)
        sums[side] += FACTS[form]
        sums[side + 1] += LOW_KINDS[form]
        sums[side + 2] += HIGH_KINDS[form]
        sums[side + 3] += FACTS[FORM_OF[unit >> HEROIC_SHIFT & TYPES]]


def write_features(units: Units, state: State, out: Numbers, rows: Size, row: Size) -> None:
    """Write the features of a board and a state, that of number f at ``f * rows + row``.

    A state is the side to move and both clocks.
    """
    sums: Sums
    found: Squares
    count: i32
    river: i32 = 0
    side: i32
    kind: i32
    red: u64
    blue: u64
    if not cython.compiled:
        found = [0] * (SQUARE_COUNT + 1)
        sums = [0] * 8
    for kind in range(8):
        sums[kind] = 0
    count = find_units(units, found)
    while river < count and found[river] < UPPER_HALF:
        river += 1
    tally(units, found, 0, river, sums)
    red = sums[0] >> 10 & FIELD
    blue = sums[4] >> 10 & FIELD
    tally(units, found, river, count, sums)
    out[14 * rows + row] = (sums[0] >> 10 & FIELD) - red
    out[15 * rows + row] = blue
    red = sums[0]
    blue = sums[4]
    out[row] = state[0]
    out[rows + row] = state[1]
    out[2 * rows + row] = state[2]
    out[4 * rows + row] = 0
    kind = (red >> 10 & FIELD) + (blue >> 10 & FIELD)
    out[3 * rows + row] = 0 if kind >= LEAST[0] else 1 if kind >= LEAST[1] else 2
    out[5 * rows + row] = kind
    for side in range(2):
        out[(6 + side) * rows + row] = sums[4 * side] >> 10 & FIELD
        out[(8 + side) * rows + row] = sums[4 * side] & FIELD
        out[(10 + side) * rows + row] = sums[4 * side] >> 20 & FIELD
        out[(12 + side) * rows + row] = sums[4 * side + 3] >> 10 & FIELD
        out[(16 + side) * rows + row] = sums[4 * side] >> 30
        out[(19 + side) * rows + row] = first_commander(units, found, count, side)
        for kind in range(8):
            out[(21 + 11 * side + kind) * rows + row] = sums[4 * side + 1] >> (8 * kind) & 255
        for kind in range(3):
            out[(29 + 11 * side + kind) * rows + row] = sums[4 * side + 2] >> (8 * kind) & 255
    out[18 * rows + row] = out[16 * rows + row] - out[17 * rows + row]


def first_commander(units: Units, found: Squares, count: i32, side: i32) -> i32:
    """The first of the occupied squares with the commander of a side, carried or not; −1 if it is gone."""
    i: i32
    wanted: u32 = side * BLUE_BIT | 1
    for i in range(count):
        if units[found[i]] & (BLUE_BIT | 1) == wanted:
            return found[i]
    return -1
