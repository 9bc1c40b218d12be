# cython: boundscheck=False, wraparound=False
"""Features of a CoTuLenh position: one row of numbers for tables.

Points are those that the author of the game gives the pieces. The commander has none here, because without it
the game is over. The phase depends on how many of the 38 pieces are left, see PHASES. A clock beyond 32 bits
is clamped to the largest number of 32 bits. During a deploy session the current board counts.

Stability: names keep their meaning, and new ones are added at the end. `compute_features` takes a position,
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
        STATE_SIZE,
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
    FORM_SUM: Final = 0
    LOW_TYPES_SUM: Final = 1
    HIGH_TYPES_SUM: Final = 2
    HEROIC_SUM: Final = 3
    """The positions of the packed sums of a side, see `add_units`."""
    RED_SUMS: Final = 0
    BLUE_SUMS: Final = 4
    """The positions of the first sum of each side."""
    BYTE_BITS: Final = 8
    BYTE_MASK: Final = 255
    OPENING: Final = 0
    MIDDLEGAME: Final = 1
    ENDGAME: Final = 2
    """The numbers of the phases, in the order of PHASES."""
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

    def get_unit_sum(sums: int) -> int:
        """Return the number of units in a packed sum. A unit is what stands on one square."""
        return sums & FIELD_MASK

    def get_piece_sum(sums: int) -> int:
        """Return the number of pieces in a packed sum, those in stacks included."""
        return sums >> PIECES_SHIFT & FIELD_MASK

    def get_stack_sum(sums: int) -> int:
        """Return the number of stacks in a packed sum."""
        return sums >> STACKS_SHIFT & FIELD_MASK

    def get_byte(number: int, index: int) -> int:
        """Return one byte of a number, the lowest for index 0."""
        return number >> (BYTE_BITS * index) & BYTE_MASK


PHASES: Final = (("opening", 32), ("middlegame", 16), ("endgame", 0))
"""Phases of the game, each with the smallest number of pieces of both sides on the board."""
POINTS: Final = {"I": 10, "T": 20, "M": 10, "E": 10, "A": 30, "G": 10, "S": 20, "F": 40, "N": 80, "H": 10}
"""Points of each piece type, the commander aside."""

KIND_NAMES: Final = tuple(NAMES[letter].replace(" ", "_").replace("-", "_") for letter in LETTERS)
"""Names of the piece types as parts of feature names."""
_SIDES: Final = ("Red", "Blue")


def _make_feature_pair(name: str, meaning: str) -> tuple[Feature, ...]:
    """Return a feature for Red and one for Blue, such as ``red_units`` and ``blue_units``.

    `name` is their common part, such as ``units``. `meaning` is the description of both, in which ``{}``
    stands for the name of the side.
    """
    return tuple(Feature(f"{side.lower()}_{name}", meaning.format(side)) for side in _SIDES)


FEATURES: Final[tuple[Feature, ...]] = (
    Feature("side_to_move", "whose turn it is", ("red", "blue")),
    Feature("half_move_clock", "half-moves since the last capture or commander's move"),
    Feature("move_number", "the number of the move about to be played"),
    Feature("phase", "how far the game has come", tuple(name for name, _ in PHASES)),
    Feature("deploying", "1 while a deploy session is open, else 0"),
    Feature("pieces", "pieces on the board, those in stacks too"),
    *_make_feature_pair("pieces", "pieces of {}"),
    *_make_feature_pair("units", "squares on which {} stands"),
    *_make_feature_pair("stacks", "squares on which {} has two or three pieces"),
    *_make_feature_pair("heroic", "heroic pieces of {}"),
    *_make_feature_pair("across", "pieces of {} on the other side of the river"),
    *_make_feature_pair("material", "points of the pieces of {}, the commander apart"),
    Feature("material_balance", "points of Red less those of Blue"),
    *_make_feature_pair(
        "commander_square", "where the commander of {} is, a1 = 0, b1 = 1, … k12 = 131; −1 for nowhere"
    ),
    *(
        Feature(f"{side.lower()}_{name}", f"pieces of {side}: {NAMES[letter]}")
        for side in _SIDES
        for name, letter in zip(KIND_NAMES, LETTERS, strict=True)
    ),
)


def _fill_tables() -> None:
    """Fill the tables of what each form, a piece or legal stack, adds to the sums of its side.

    FORM_FACTS has units, pieces and stacks in fields of ten bits, then points. LOW_TYPE_COUNTS and
    HIGH_TYPE_COUNTS have a byte for each piece type, which suffices because a board has 132 squares.
    PHASE_MINIMUMS has the smallest numbers of pieces for the first two phases.
    """
    for form_number, letters in enumerate(FORMS):
        points = sum(POINTS.get(letter, 0) for letter in letters)
        is_stack = len(letters) > 1
        FORM_FACTS[form_number] = (
            1 | len(letters) << PIECES_SHIFT | is_stack << STACKS_SHIFT | points << POINTS_SHIFT
        )
        # One byte for each piece type. The table of low types has the first eight, which are 64 bits.
        type_counts = sum(1 << BYTE_BITS * LETTERS.index(letter) for letter in letters)
        LOW_TYPE_COUNTS[form_number] = type_counts & (1 << 64) - 1
        HIGH_TYPE_COUNTS[form_number] = type_counts >> 64
    FORM_FACTS[NO_FORM] = LOW_TYPE_COUNTS[NO_FORM] = HIGH_TYPE_COUNTS[NO_FORM] = 0
    phase_minimums = [minimum for _, minimum in PHASES]
    PHASE_MINIMUMS[OPENING] = phase_minimums[OPENING]
    PHASE_MINIMUMS[MIDDLEGAME] = phase_minimums[MIDDLEGAME]


_fill_tables()


def compute_features(position: Position) -> tuple[int, ...]:
    """Return the features of a position, one number for each of FEATURES and in the same order.

    Features describe a position for tables, such as the number of tanks of a side. Clocks beyond 32 bits are
    clamped.
    """
    state: State
    values: FeatureRow
    if not cython.compiled:
        state = [0] * STATE_SIZE
        values = [0] * FEATURE_COUNT
    state[SIDE_TO_MOVE] = position.blue_to_move
    state[HALF_CLOCK] = min(position.half, MAX_CLOCK_32)
    state[FULL_CLOCK] = min(position.full, MAX_CLOCK_32)
    # A table of one row.
    write_features(position.units, state, values, 1, 0)
    values[DEPLOYING_FEATURE] = position.session is not None
    return tuple([int(values[index]) for index in range(FEATURE_COUNT)])


def add_units(units: Units, occupied: OccupiedSquares, start: i32, end: i32, sums: Sums) -> None:
    """Add the units on some of the occupied squares to the sums of their sides.

    There are four packed sums for each side, Red's first:

    * FORM_SUM: the numbers of units, pieces and stacks, and the points, as in FORM_FACTS;
    * LOW_TYPES_SUM, HIGH_TYPES_SUM: the number of pieces of each type;
    * HEROIC_SUM: as FORM_SUM for the heroic pieces alone.

    Args:
        units: The board.
        occupied: The occupied squares.
        start: The index in `occupied` of the first square to add.
        end: The index after that of the last square to add.
        sums: The sums, changed in place.
    """
    index: i32
    unit: u32
    form: i32
    heroic_form: i32
    side_sums: i32
    for index in range(start, end):
        unit = units[occupied[index]]
        form = FORM_NUMBERS[unit & TYPES]
        heroic_form = FORM_NUMBERS[unit >> HEROIC_SHIFT & TYPES]
        side_sums = SUMS_PER_SIDE * (unit // BLUE_BIT)
        sums[side_sums + FORM_SUM] += FORM_FACTS[form]
        sums[side_sums + LOW_TYPES_SUM] += LOW_TYPE_COUNTS[form]
        sums[side_sums + HIGH_TYPES_SUM] += HIGH_TYPE_COUNTS[form]
        sums[side_sums + HEROIC_SUM] += FORM_FACTS[heroic_form]


def write_features(units: Units, state: State, table: Numbers, row_count: Size, row_index: Size) -> None:
    """Write the features of one board into a table with `row_count` rows.

    Feature `f` goes to ``table[f * row_count + row_index]``.

    Args:
        units: The board: the unit on each square, 0 for an empty one.
        state: The side to move, the half-move clock and the move number.
        table: The numbers of all rows, feature by feature.
        row_count: The number of rows.
        row_index: The index of the row to write.
    """
    sums: Sums
    occupied: OccupiedSquares
    occupied_count: i32
    lower_count: i32 = 0
    index: i32
    side: i32
    piece_count: i32
    red_on_own_half: u64
    blue_across: u64
    if not cython.compiled:
        occupied = [0] * (SQUARE_COUNT + 1)
        sums = [0] * (2 * SUMS_PER_SIDE)
    for index in range(2 * SUMS_PER_SIDE):
        sums[index] = 0
    occupied_count = find_occupied(units, occupied)

    # First the pieces on Red's half of the board, then all others.
    while lower_count < occupied_count and occupied[lower_count] < FIRST_UPPER_SQUARE:
        lower_count += 1
    add_units(units, occupied, 0, lower_count, sums)
    red_on_own_half = get_piece_sum(sums[RED_SUMS])
    blue_across = get_piece_sum(sums[BLUE_SUMS])
    add_units(units, occupied, lower_count, occupied_count, sums)

    table[ACROSS_FEATURE * row_count + row_index] = get_piece_sum(sums[RED_SUMS]) - red_on_own_half
    table[(ACROSS_FEATURE + 1) * row_count + row_index] = blue_across
    table[TURN_FEATURE * row_count + row_index] = state[SIDE_TO_MOVE]
    table[HALF_MOVE_FEATURE * row_count + row_index] = state[HALF_CLOCK]
    table[MOVE_NUMBER_FEATURE * row_count + row_index] = state[FULL_CLOCK]
    table[DEPLOYING_FEATURE * row_count + row_index] = 0
    piece_count = get_piece_sum(sums[RED_SUMS]) + get_piece_sum(sums[BLUE_SUMS])
    table[PHASE_FEATURE * row_count + row_index] = find_phase(piece_count)
    table[ALL_PIECES_FEATURE * row_count + row_index] = piece_count
    for side in range(2):
        write_side_features(units, occupied, occupied_count, sums, side, table, row_count, row_index)
    table[BALANCE_FEATURE * row_count + row_index] = (
        table[MATERIAL_FEATURE * row_count + row_index]
        - table[(MATERIAL_FEATURE + 1) * row_count + row_index]
    )


def find_phase(piece_count: i32) -> i32:
    """Return the phase of a game: OPENING, MIDDLEGAME or ENDGAME.

    `piece_count` is the number of pieces on the board, those in stacks included.
    """
    if piece_count >= PHASE_MINIMUMS[OPENING]:
        return OPENING
    return MIDDLEGAME if piece_count >= PHASE_MINIMUMS[MIDDLEGAME] else ENDGAME


def write_side_features(
    units: Units,
    occupied: OccupiedSquares,
    occupied_count: i32,
    sums: Sums,
    side: i32,
    table: Numbers,
    row_count: Size,
    row_index: Size,
) -> None:
    """Write the features about the pieces of one side into a table, see `write_features`.

    Args:
        units: The board.
        occupied: The occupied squares.
        occupied_count: The number of occupied squares.
        sums: The sums over all units of both sides, see `add_units`.
        side: 0 for Red, 1 for Blue.
        table: The numbers of all rows, feature by feature.
        row_count: The number of rows.
        row_index: The index of the row to write.
    """
    first_sum: i32 = SUMS_PER_SIDE * side
    form_sum: u64 = sums[first_sum + FORM_SUM]
    first_type_feature: i32 = TYPES_FEATURE + TYPE_COUNT * side
    first_high_feature: i32 = first_type_feature + LOW_TYPES
    index: i32
    table[(PIECES_FEATURE + side) * row_count + row_index] = get_piece_sum(form_sum)
    table[(UNITS_FEATURE + side) * row_count + row_index] = get_unit_sum(form_sum)
    table[(STACKS_FEATURE + side) * row_count + row_index] = get_stack_sum(form_sum)
    table[(HEROIC_FEATURE + side) * row_count + row_index] = get_piece_sum(sums[first_sum + HEROIC_SUM])
    table[(MATERIAL_FEATURE + side) * row_count + row_index] = form_sum >> POINTS_SHIFT
    table[(COMMANDER_FEATURE + side) * row_count + row_index] = find_first_commander(
        units, occupied, occupied_count, side
    )
    for index in range(LOW_TYPES):
        table[(first_type_feature + index) * row_count + row_index] = get_byte(
            sums[first_sum + LOW_TYPES_SUM], index
        )
    for index in range(HIGH_TYPES):
        table[(first_high_feature + index) * row_count + row_index] = get_byte(
            sums[first_sum + HIGH_TYPES_SUM], index
        )


def find_first_commander(units: Units, occupied: OccupiedSquares, occupied_count: i32, side: i32) -> i32:
    """Return the first square with the commander of a side, or −1 if it has none.

    Args:
        units: The board.
        occupied: The numbers of the occupied squares.
        occupied_count: The number of occupied squares.
        side: 0 for Red, 1 for Blue.
    """
    index: i32
    colour_and_commander: u32 = BLUE_BIT | COMMANDER_BIT
    commander_of_side: u32 = side * BLUE_BIT | COMMANDER_BIT
    for index in range(occupied_count):
        if (units[occupied[index]] & colour_and_commander) == commander_of_side:
            return occupied[index]
    return -1
