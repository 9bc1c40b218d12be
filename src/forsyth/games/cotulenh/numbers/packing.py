"""The packed form at full speed: the layout that `packed` describes, without a session, clocks of 32 bits.

`put_packed` and `take_packed` serve columns, `plain_form` and `from_plain_form` single positions; a board is
written here alone. What `from_plain_form` refuses `packed` reads or explains. The module runs as it is and
compiles with Cython (`packing.pxd` gives the C types).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.stacks import FORMS, read_unit

if not cython.compiled:
    from typing import Final

    from forsyth.games.cotulenh.board import SQUARE_COUNT, i32, i64, u32
    from forsyth.games.cotulenh.notation.write import KINDS
    from forsyth.games.cotulenh.position import blank, seal
    from forsyth.games.cotulenh.rules.attacks import Units
    from forsyth.games.cotulenh.stacks import BLUE_BIT, HEROIC_SHIFT, TYPES

    Packed = bytearray
    State = list[int]
    Squares = list[int]
    PACKED_VERSION: Final = 1
    LONGEST: Final = 320
    """More bytes than any packed form without a session has whose clocks are of 32 bits."""
    MAX_NUMBER: Final = 2**31 - 1
    FORM_COUNT: Final = 34
    NO_FORM: Final = 34
    FORM_OF = [0] * 2048
    TYPES_OF = [0] * 35


def _fill_tables() -> None:
    """FORM_OF: the place of a set of types in FORMS, NO_FORM for all else. TYPES_OF: the other way round."""
    for types in range(2048):
        FORM_OF[types] = NO_FORM
    for number, form in enumerate(FORMS):
        TYPES_OF[number] = read_unit(form) & TYPES
        FORM_OF[TYPES_OF[number]] = number
    TYPES_OF[NO_FORM] = 0


_fill_tables()


def find_units(units: Units, found: Squares) -> i32:
    """The occupied squares, a1 first; how many there are.

    Where men stand cannot be foreseen, so there is no choice in the loop: the square behind an empty one is
    written over it.
    """
    count: i32 = 0
    square: i32
    for square in range(SQUARE_COUNT):
        found[count] = square
        count += units[square] != 0
    return count


def put_packed(out: Packed, units: Units, state: State) -> i32:
    """Write the packed form of a board and a state: the side to move and both clocks; its length."""
    at: i32
    out[0] = PACKED_VERSION
    at = put_board(out, units)
    out[at] = state[0]
    return put_leb(out, put_leb(out, at + 1, state[1]), state[2])


def put_board(out: Packed, units: Units) -> i32:
    """Write a board behind the first byte; where the next one goes."""
    at: i32 = 18
    found: Squares
    count: i32
    i: i32
    unit: u32
    heroic: u32
    if not cython.compiled:
        found = [0] * (SQUARE_COUNT + 1)
    count = find_units(units, found)
    for i in range(1, 18):
        out[i] = 0
    for i in range(count):
        unit = units[found[i]]
        out[1 + (found[i] >> 3)] |= 1 << (found[i] & 7)
        heroic = unit >> HEROIC_SHIFT & TYPES
        out[at] = FORM_OF[unit & TYPES] | unit // BLUE_BIT << 6 | (128 if heroic else 0)
        at += 1
        if heroic:
            out[at] = marks_of(unit & TYPES, heroic)
            at += 1
    return at


def board_form(position: Position) -> bytes:
    """The bytes of a board: which squares are occupied, and the units on them."""
    out: Packed
    if not cython.compiled:
        out = bytearray(LONGEST)
    end: i32 = put_board(out, position.units)
    return bytes(out[1:end])


def plain_form(position: Position) -> bytes | None:
    """The packed form of a position without a session; None where a clock has more than 32 bits."""
    out: Packed
    state: State
    if position.half > MAX_NUMBER or position.full > MAX_NUMBER:
        return None
    if not cython.compiled:
        out, state = bytearray(LONGEST), [0] * 3
    state[0] = position.blue_to_move
    state[1] = position.half
    state[2] = position.full
    end: i32 = put_packed(out, position.units, state)
    return bytes(out[:end])


def from_plain_form(data: bytes) -> Position | None:
    """The position of such a form; None for any other bytes."""
    form: Packed
    state: State
    i: i32
    size: i32 = len(data)
    # The answer for bytes that are no form is 0, which no form is long.
    if size == 0 or size > LONGEST:
        return None
    if not cython.compiled:
        form, state = bytearray(LONGEST), [0] * 3
    for i in range(size):
        form[i] = data[i]
    for i in range(size, LONGEST):
        form[i] = 0
    position = blank()
    if take_packed(form, position.units, state) != size:
        return None
    position.blue_to_move = state[0]
    position.half = state[1]
    position.full = state[2]
    return seal(position)


def marks_of(types: u32, heroic: u32) -> u32:
    """The heroic members of a set of types, by their places in it, bit 0 the carrier."""
    place: i32
    bit: u32 = 1
    marks: u32 = 0
    for place in range(11):
        if types >> KINDS[place] & 1:
            if heroic >> KINDS[place] & 1:
                marks |= bit
            bit <<= 1
    return marks


def put_leb(out: Packed, at: i32, number: i64) -> i32:
    """Write a number in LEB128; where the next byte goes."""
    while number > 127:
        out[at] = number & 127 | 128
        number >>= 7
        at += 1
    out[at] = number
    return at + 1


def take_packed(data: Packed, units: Units, state: State) -> i32:
    """Set down a packed form on an empty board; its length, 0 if it is none or not for this module.

    Behind the bytes there are stand zeros. No form ends with one, so that none is read that is cut short.
    """
    at: i32 = 18
    found: Squares
    count: i32 = 0
    i: i32
    unit: u32
    form: u32
    types: u32
    heroic: u32
    if not cython.compiled:
        found = [0] * (SQUARE_COUNT + 1)
    if data[0] != PACKED_VERSION or data[17] >> 4:
        return 0
    for i in range(SQUARE_COUNT):
        found[count] = i
        count += data[1 + (i >> 3)] >> (i & 7) & 1
    for i in range(count):
        unit = data[at]
        at += 1
        form = unit & 63
        if form >= FORM_COUNT:
            return 0
        types = TYPES_OF[form]
        heroic = 0
        if unit & 128:
            heroic = heroic_of(types, data[at])
            at += 1
            if heroic == 0:
                return 0
        units[found[i]] = types | heroic << HEROIC_SHIFT | (unit >> 6 & 1) * BLUE_BIT
    state[0] = data[at]
    at = take_leb(data, at + 1, state, 1)
    if at:
        at = take_leb(data, at, state, 2)
    return at if state[0] <= 1 and state[2] > 0 else 0


def heroic_of(types: u32, marks: u32) -> u32:
    """The types whose places are marked; 0 for marks of no member."""
    place: i32
    heroic: u32 = 0
    for place in range(11):
        if types >> KINDS[place] & 1:
            if marks & 1:
                heroic |= 1 << KINDS[place]
            marks >>= 1
    return heroic if marks == 0 else 0


def take_leb(data: Packed, at: i32, state: State, place: i32) -> i32:
    """Read a number of 32 bits in LEB128; where the next byte stands, 0 if there is none."""
    shift: i32 = 0
    number: i64 = 0
    byte: i64
    state[place] = 0
    while shift < 35:
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        if byte < 128:
            # A last group of zeros is no canonical number, unless it is the only one.
            if number > MAX_NUMBER or (byte == 0 and shift):
                return 0
            state[place] = number
            return at
        shift += 7
    return 0
