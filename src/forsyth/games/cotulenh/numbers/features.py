# cython: boundscheck=False, wraparound=False
"""Features of a CoTuLenh position: one row of numbers for tables.

Points are those that the author of the game gives the pieces. The commander has none here, because without it
the game is over. The phase depends on how many of the 38 pieces are left, see PHASES. A clock beyond 32 bits
is clamped to the largest number of 32 bits. During a deploy session the current board counts.

Stability: names keep their meaning, and new ones are added at the end. `features` takes a position,
`write_features` its board and clocks, as columns have them. The module runs as it is and compiles with Cython
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
        FORM_NUMBERS,
        FULL_CLOCK,
        HALF_CLOCK,
        MAX_CLOCK_32,
        NO_FORM,
        SIDE_TO_MOVE,
        OccupiedSquares,
        State,
        find_occupied,
    )
    from forsyth.games.cotulenh.rules.attacks import COMMANDER_BIT, Units
    from forsyth.games.cotulenh.stacks import BLUE_BIT, HEROIC_SHIFT, TYPES

    Numbers = list[int] | memoryview
    FeatureRow = list[int]
    Size = int
    Sums = list[int]
    FEATURE_COUNT: Final = 43
    FIRST_UPPER_SQUARE: Final = 66
    """a7, the first square beyond the river seen from Red's side."""
    FIELD_MASK: Final = 1023
    PIECES_SHIFT: Final = 10
    STACKS_SHIFT: Final = 20
    POINTS_SHIFT: Final = 30
    """The fields of FORM_FACTS: units, pieces and stacks of ten bits each, then points."""
    SUMS_PER_SIDE: Final = 4
    # The numbers of the features, in the order of FEATURES. A pair has Red's first, then Blue's.
    TURN_FEATURE: Final = 0
    HALF_MOVE_FEATURE: Final = 1
    MOVE_NUMBER_FEATURE: Final = 2
    PHASE_FEATURE: Final = 3
    DEPLOYING_FEATURE: Final = 4
    ALL_PIECES_FEATURE: Final = 5
    PIECES_FEATURE: Final = 6
    UNITS_FEATURE: Final = 8
    STACKS_FEATURE: Final = 10
    HEROIC_FEATURE: Final = 12
    ACROSS_FEATURE: Final = 14
    MATERIAL_FEATURE: Final = 16
    BALANCE_FEATURE: Final = 18
    COMMANDER_FEATURE: Final = 19
    TYPES_FEATURE: Final = 21
    TYPE_COUNT: Final = 11
    LOW_TYPES: Final = 8
    HIGH_TYPES: Final = 3
    """The number of piece types counted in LOW_TYPE_COUNTS and in HIGH_TYPE_COUNTS, a byte each."""
    FORM_FACTS = [0] * 35
    LOW_TYPE_COUNTS = [0] * 35
    HIGH_TYPE_COUNTS = [0] * 35
    PHASE_MINIMUMS = [0] * 2

PHASES: Final = (("opening", 32), ("middlegame", 16), ("endgame", 0))
"""Phases of the game, each with the smallest number of pieces of both sides on the board."""
POINTS: Final = {"I": 10, "T": 20, "M": 10, "E": 10, "A": 30, "G": 10, "S": 20, "F": 40, "N": 80, "H": 10}
"""Points of each piece type, the commander aside."""

KIND_NAMES: Final = tuple(NAMES[letter].replace(" ", "_").replace("-", "_") for letter in LETTERS)
"""Names of the piece types as parts of feature names."""
_SIDES: Final = ("Red", "Blue")


def _for_both_sides(name: str, meaning: str) -> tuple[Feature, ...]:
    """Return a feature for Red and one for Blue. `meaning` has a placeholder for the name of the side."""
    return tuple(Feature(f"{side.lower()}_{name}", meaning.format(side)) for side in _SIDES)


FEATURES: Final[tuple[Feature, ...]] = (
    Feature("side_to_move", "whose turn it is", ("red", "blue")),
    Feature("half_move_clock", "half-moves since the last capture or commander's move"),
    Feature("move_number", "the number of the move about to be played"),
    Feature("phase", "how far the game has come", tuple(name for name, _ in PHASES)),
    Feature("deploying", "1 while a deploy session is open, else 0"),
    Feature("pieces", "pieces on the board, those in stacks too"),
    *_for_both_sides("pieces", "pieces of {}"),
    *_for_both_sides("units", "squares on which {} stands"),
    *_for_both_sides("stacks", "squares on which {} has two or three pieces"),
    *_for_both_sides("heroic", "heroic pieces of {}"),
    *_for_both_sides("across", "pieces of {} on the other side of the river"),
    *_for_both_sides("material", "points of the pieces of {}, the commander apart"),
    Feature("material_balance", "points of Red less those of Blue"),
    *_for_both_sides(
        "commander_square", "where the commander of {} is, a1 = 0, b1 = 1, … k12 = 131; −1 for nowhere"
    ),
    *(
        Feature(f"{side.lower()}_{name}", f"pieces of {side}: {NAMES[letter]}")
        for side in _SIDES
        for name, letter in zip(KIND_NAMES, LETTERS, strict=True)
    ),
)


def _fill_tables() -> None:
    """Fill the tables of the numbers that each form, a single piece or stack, adds to the sums of its side.

    FORM_FACTS has units, pieces and stacks in fields of ten bits, then points. LOW_TYPE_COUNTS and
    HIGH_TYPE_COUNTS have a byte for each piece type, which suffices because a board has 132 squares.
    PHASE_MINIMUMS has the smallest numbers of pieces for the first two phases.
    """
    for number, form in enumerate(FORMS):
        points = sum(POINTS.get(letter, 0) for letter in form)
        FORM_FACTS[number] = (
            1 | len(form) << PIECES_SHIFT | (len(form) > 1) << STACKS_SHIFT | points << POINTS_SHIFT
        )
        counts = sum(1 << 8 * LETTERS.index(letter) for letter in form)
        LOW_TYPE_COUNTS[number] = counts & (1 << 64) - 1
        HIGH_TYPE_COUNTS[number] = counts >> 64
    FORM_FACTS[NO_FORM] = LOW_TYPE_COUNTS[NO_FORM] = HIGH_TYPE_COUNTS[NO_FORM] = 0
    PHASE_MINIMUMS[0], PHASE_MINIMUMS[1] = PHASES[0][1], PHASES[1][1]


_fill_tables()


def features(position: Position) -> tuple[int, ...]:
    """Return the features of a position, one number for each of FEATURES and in the same order.

    Clocks beyond 32 bits are clamped.
    """
    state: State
    values: FeatureRow
    if not cython.compiled:
        state = [0] * 3
        values = [0] * FEATURE_COUNT
    state[SIDE_TO_MOVE] = position.blue_to_move
    state[HALF_CLOCK] = min(position.half, MAX_CLOCK_32)
    state[FULL_CLOCK] = min(position.full, MAX_CLOCK_32)
    write_features(position.units, state, values, 1, 0)
    values[DEPLOYING_FEATURE] = position.session is not None
    return tuple([int(values[i]) for i in range(FEATURE_COUNT)])


def add_units(units: Units, occupied: OccupiedSquares, first: i32, last: i32, sums: Sums) -> None:
    """Add the units on some of the occupied squares to `sums`, four packed numbers for each side, Red first.

    They are the FORM_FACTS of all units (units, pieces, stacks and points), LOW_TYPE_COUNTS,
    HIGH_TYPE_COUNTS, and the FORM_FACTS of the heroic pieces alone. The heroic pieces of a stack are always a
    form, too.

    Args:
        units: The board.
        occupied: The occupied squares.
        first: The index of the first of these squares to add.
        last: The index after the last of them.
        sums: The sums, which are changed in place.
    """
    i: i32
    unit: u32
    form: i32
    side: i32
    for i in range(first, last):
        unit = units[occupied[i]]
        form = FORM_NUMBERS[unit & TYPES]
        side = SUMS_PER_SIDE * (unit // BLUE_BIT)
        sums[side] += FORM_FACTS[form]
        sums[side + 1] += LOW_TYPE_COUNTS[form]
        sums[side + 2] += HIGH_TYPE_COUNTS[form]
        sums[side + 3] += FORM_FACTS[FORM_NUMBERS[unit >> HEROIC_SHIFT & TYPES]]


def write_features(units: Units, state: State, out: Numbers, rows: Size, row: Size) -> None:
    """Write the features of one board into a table; feature `f` goes to ``out[f * rows + row]``.

    Args:
        units: The board.
        state: The side to move, the half-move clock and the move number.
        out: The numbers of all rows, feature by feature.
        rows: The number of rows.
        row: The index of the row to write.
    """
    sums: Sums
    occupied: OccupiedSquares
    count: i32
    lower_count: i32 = 0
    side: i32
    kind: i32
    first: i32
    column: i32
    phase: i32
    piece_count: i32
    red: u64
    blue: u64
    if not cython.compiled:
        occupied = [0] * (SQUARE_COUNT + 1)
        sums = [0] * (2 * SUMS_PER_SIDE)
    for kind in range(2 * SUMS_PER_SIDE):
        sums[kind] = 0
    count = find_occupied(units, occupied)
    while lower_count < count and occupied[lower_count] < FIRST_UPPER_SQUARE:
        lower_count += 1
    add_units(units, occupied, 0, lower_count, sums)
    red = sums[0] >> PIECES_SHIFT & FIELD_MASK
    blue = sums[SUMS_PER_SIDE] >> PIECES_SHIFT & FIELD_MASK
    add_units(units, occupied, lower_count, count, sums)
    # The sums held only the pieces on Red's half until now.
    out[ACROSS_FEATURE * rows + row] = (sums[0] >> PIECES_SHIFT & FIELD_MASK) - red
    out[(ACROSS_FEATURE + 1) * rows + row] = blue
    out[TURN_FEATURE * rows + row] = state[SIDE_TO_MOVE]
    out[HALF_MOVE_FEATURE * rows + row] = state[HALF_CLOCK]
    out[MOVE_NUMBER_FEATURE * rows + row] = state[FULL_CLOCK]
    out[DEPLOYING_FEATURE * rows + row] = 0
    red = sums[0] >> PIECES_SHIFT & FIELD_MASK
    blue = sums[SUMS_PER_SIDE] >> PIECES_SHIFT & FIELD_MASK
    piece_count = red + blue
    phase = 2
    if piece_count >= PHASE_MINIMUMS[0]:
        phase = 0
    elif piece_count >= PHASE_MINIMUMS[1]:
        phase = 1
    out[PHASE_FEATURE * rows + row] = phase
    out[ALL_PIECES_FEATURE * rows + row] = piece_count
    for side in range(2):
        first = SUMS_PER_SIDE * side
        out[(PIECES_FEATURE + side) * rows + row] = sums[first] >> PIECES_SHIFT & FIELD_MASK
        out[(UNITS_FEATURE + side) * rows + row] = sums[first] & FIELD_MASK
        out[(STACKS_FEATURE + side) * rows + row] = sums[first] >> STACKS_SHIFT & FIELD_MASK
        out[(HEROIC_FEATURE + side) * rows + row] = sums[first + 3] >> PIECES_SHIFT & FIELD_MASK
        out[(MATERIAL_FEATURE + side) * rows + row] = sums[first] >> POINTS_SHIFT
        out[(COMMANDER_FEATURE + side) * rows + row] = find_first_commander(units, occupied, count, side)
        column = TYPES_FEATURE + TYPE_COUNT * side
        for kind in range(LOW_TYPES):
            out[(column + kind) * rows + row] = sums[first + 1] >> (8 * kind) & 255
        for kind in range(HIGH_TYPES):
            out[(column + LOW_TYPES + kind) * rows + row] = sums[first + 2] >> (8 * kind) & 255
    out[BALANCE_FEATURE * rows + row] = (
        out[MATERIAL_FEATURE * rows + row] - out[(MATERIAL_FEATURE + 1) * rows + row]
    )


def find_first_commander(units: Units, occupied: OccupiedSquares, count: i32, side: i32) -> i32:
    """Return the first occupied square with the commander of a side, or −1 if it has none.

    `occupied` has the numbers of the occupied squares, of which there are `count`. `side` is 0 for Red and 1
    for Blue.
    """
    i: i32
    commander: u32 = side * BLUE_BIT | COMMANDER_BIT
    for i in range(count):
        if units[occupied[i]] & (BLUE_BIT | COMMANDER_BIT) == commander:
            return occupied[i]
    return -1
