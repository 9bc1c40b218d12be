# cython: boundscheck=False, wraparound=False
"""Features and planes at full speed, for columns: what `features` and `planes` say, without a session.

These are the law and hold names and order; here the same is written into the buffers of a column. The module
runs as it is and compiles with Cython (`measures.pxd` gives the C types).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.cotulenh.features import PHASES, POINTS
from forsyth.games.cotulenh.packed import FORMS
from forsyth.games.cotulenh.stacks import LETTERS

if not cython.compiled:
    from typing import Final

    from forsyth.games.cotulenh.attacks import Units
    from forsyth.games.cotulenh.board import SQUARE_COUNT, i32, u32, u64
    from forsyth.games.cotulenh.features import UPPER_HALF
    from forsyth.games.cotulenh.packing import FORM_OF, NO_FORM, Squares, State, find_units
    from forsyth.games.cotulenh.stacks import BLUE_BIT, CARRIERS, HEROIC_SHIFT, TYPES

    Bytes = memoryview
    Numbers = memoryview
    Size = int
    Sums = list[int]
    FIELD: Final = 1023
    PLANE_BYTES: Final = 48 * 132
    FACTS = [0] * 35
    LOW_KINDS = [0] * 35
    HIGH_KINDS = [0] * 35
    LEAST = [0] * 2

    def spread(out: memoryview, start: int, size: int, value: int) -> None:
        """Set some bytes to one value."""
        out[start : start + size] = bytes((value,)) * size


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


def write_planes(units: Units, state: State, out: Bytes, start: Size) -> None:
    """Write the planes of a board and a state from a byte on."""
    found: Squares
    count: i32
    i: i32
    plane: i32
    unit: u32
    types: u32
    bit: u32
    if not cython.compiled:
        found = [0] * (SQUARE_COUNT + 1)
    spread(out, start, PLANE_BYTES, 0)
    count = find_units(units, found)
    for i in range(count):
        unit = units[found[i]]
        types = unit & TYPES
        while types:
            bit = types & ~(types - 1)
            types ^= bit
            plane = CARRIERS[bit] + 11 * (unit // BLUE_BIT)
            out[start + plane * SQUARE_COUNT + found[i]] = 1
            out[start + (22 + plane) * SQUARE_COUNT + found[i]] = 1 if unit >> HEROIC_SHIFT & bit else 0
    for plane in range(3):
        unit = 255 if state[plane] > 255 else state[plane]
        spread(out, start + (44 + plane) * SQUARE_COUNT, SQUARE_COUNT, unit)
