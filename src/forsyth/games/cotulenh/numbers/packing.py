"""Fast packing and unpacking of CoTuLenh positions without a session and with clocks of 32 bits.

`packed` describes the layout. `write_packed` and `read_packed` serve columns, `pack_plain` and `unpack_plain`
single positions. Bytes that `unpack_plain` rejects are read or explained by `packed`. The module runs as it
is and compiles with Cython (`packing.pxd` gives the C types).
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
    from forsyth.games.cotulenh.position import draft_position, seal_position
    from forsyth.games.cotulenh.rules.attacks import Units
    from forsyth.games.cotulenh.stacks import BLUE_BIT, HEROIC_SHIFT, TYPES

    Packed = bytearray
    State = list[int]
    OccupiedSquares = list[int]
    PACKED_VERSION: Final = 1
    MAX_PACKED_BYTES: Final = 320
    """Upper bound on the size of a packed form without a session and with clocks of 32 bits."""
    MAX_CLOCK_32: Final = 2**31 - 1
    FORM_COUNT: Final = 34
    NO_FORM: Final = 34
    """The form number of a set of types that is not a unit."""
    BITMAP_START: Final = 1
    BITMAP_END: Final = 18
    """The offsets of the bitmap of the occupied squares, after the version byte, and of the byte after it."""
    FORM_MASK: Final = 63
    BLUE_SHIFT: Final = 6
    HEROIC_FLAG: Final = 128
    """The parts of a unit byte: the form number, the colour, and whether a byte of heroic marks follows."""
    GROUP_MASK: Final = 127
    GROUP_BITS: Final = 7
    MORE_FLAG: Final = 128
    """The parts of a byte in LEB128: seven bits of the number, and whether another byte follows."""
    SIDE_TO_MOVE: Final = 0
    HALF_CLOCK: Final = 1
    FULL_CLOCK: Final = 2
    """The positions in a `State`: the side to move (1 for Blue), the half-move clock, the move number."""
    STATE_SIZE: Final = 3
    """The number of entries in a `State`."""
    TYPE_COUNT: Final = 11
    """The number of piece types."""
    BYTE_SHIFT: Final = 3
    BIT_MASK: Final = 7
    """``square >> BYTE_SHIFT`` is the byte of a square in the bitmap, ``square & BIT_MASK`` its bit there."""
    MAX_LEB128_BYTES: Final = 5
    """The largest number of bytes of a 32-bit number in LEB128."""
    FORM_NUMBERS = [0] * 2048
    FORM_TYPES = [0] * 35


def _fill_tables() -> None:
    """Fill the tables that convert sets of piece types to form numbers and back.

    A form number is an index of FORMS, which lists every single piece and legal stack. FORM_NUMBERS[types] is
    the form number of a set of types, NO_FORM if the set is neither. FORM_TYPES[form] is the set of types.
    """
    for types in range(TYPES + 1):
        FORM_NUMBERS[types] = NO_FORM
    for form_number, letters in enumerate(FORMS):
        types = read_unit(letters) & TYPES
        FORM_TYPES[form_number] = types
        FORM_NUMBERS[types] = form_number
    FORM_TYPES[NO_FORM] = 0


_fill_tables()


def find_occupied(units: Units, occupied: OccupiedSquares) -> i32:
    """Write the numbers of the occupied squares into `occupied`, a1 first, and count them.

    The loop has no branches, because a processor cannot predict where pieces stand. Every square is written,
    and the next square overwrites an empty one.
    """
    occupied_count: i32 = 0
    square: i32
    for square in range(SQUARE_COUNT):
        occupied[occupied_count] = square
        occupied_count += units[square] != 0
    return occupied_count


def write_packed(packed: Packed, units: Units, state: State) -> i32:
    """Write the packed form of a position without a deploy session. Return its size in bytes.

    Args:
        packed: Receives the form. It must have at least MAX_PACKED_BYTES bytes.
        units: The board: the unit on each square, 0 for an empty one.
        state: The side to move, the half-move clock and the move number.
    """
    offset: i32
    packed[0] = PACKED_VERSION
    offset = write_board(packed, units)
    packed[offset] = state[SIDE_TO_MOVE]
    offset = write_leb128(packed, offset + 1, state[HALF_CLOCK])
    return write_leb128(packed, offset, state[FULL_CLOCK])


def write_board(packed: Packed, units: Units) -> i32:
    """Write a board into a packed form, and return the offset of the next byte.

    It begins at byte 1, after the version: first a bitmap of the occupied squares, then one or two bytes for
    each unit.
    """
    offset: i32 = BITMAP_END
    occupied: OccupiedSquares
    occupied_count: i32
    index: i32
    square: i32
    unit: u32
    is_blue: u32
    heroic: u32
    if not cython.compiled:
        occupied = [0] * (SQUARE_COUNT + 1)
    occupied_count = find_occupied(units, occupied)
    for index in range(BITMAP_START, BITMAP_END):
        packed[index] = 0
    for index in range(occupied_count):
        square = occupied[index]
        unit = units[square]
        is_blue = unit // BLUE_BIT
        heroic = unit >> HEROIC_SHIFT & TYPES
        # Eight squares to a byte, the first in the lowest bit.
        packed[BITMAP_START + (square >> BYTE_SHIFT)] |= 1 << (square & BIT_MASK)
        packed[offset] = FORM_NUMBERS[unit & TYPES] | is_blue << BLUE_SHIFT | (HEROIC_FLAG if heroic else 0)
        offset += 1
        if heroic:
            packed[offset] = pack_heroic_marks(unit & TYPES, heroic)
            offset += 1
    return offset


def pack_board(position: Position) -> bytes:
    """Return the board of a position as bytes.

    A bitmap of the occupied squares comes first, then one or two bytes for the unit on each of them.
    """
    packed: Packed
    if not cython.compiled:
        packed = bytearray(MAX_PACKED_BYTES)
    end: i32 = write_board(packed, position.units)
    return bytes(packed[1:end])


def pack_plain(position: Position) -> bytes | None:
    """Return the packed form of a position without a deploy session.

    Return None if a clock exceeds 32 bits.
    """
    packed: Packed
    state: State
    if position.half > MAX_CLOCK_32 or position.full > MAX_CLOCK_32:
        return None
    if not cython.compiled:
        packed, state = bytearray(MAX_PACKED_BYTES), [0] * STATE_SIZE
    state[SIDE_TO_MOVE] = position.blue_to_move
    state[HALF_CLOCK] = position.half
    state[FULL_CLOCK] = position.full
    end: i32 = write_packed(packed, position.units, state)
    return bytes(packed[:end])


def unpack_plain(data: bytes) -> Position | None:
    """Return the position of a packed form without a deploy session, or None.

    None stands for invalid bytes, and also for a valid form with a deploy session or with a clock beyond 32
    bits.
    """
    packed: Packed
    state: State
    index: i32
    size: i32 = len(data)
    # `read_packed` returns 0 for invalid bytes, so an empty text must be rejected first.
    if size == 0 or size > MAX_PACKED_BYTES:
        return None
    if not cython.compiled:
        packed, state = bytearray(MAX_PACKED_BYTES), [0] * STATE_SIZE
    for index in range(size):
        packed[index] = data[index]
    for index in range(size, MAX_PACKED_BYTES):
        packed[index] = 0
    position = draft_position()
    if read_packed(packed, position.units, state) != size:
        return None
    position.blue_to_move = state[SIDE_TO_MOVE]
    position.half = state[HALF_CLOCK]
    position.full = state[FULL_CLOCK]
    return seal_position(position)


def pack_heroic_marks(types: u32, heroic: u32) -> u32:
    """Return which members of a stack are heroic, as bits in the order of its members.

    Bit 0 is the carrier. `types` and `heroic` are sets of piece types: those in the stack, and those of them
    that are heroic.
    """
    index: i32
    piece_type: i32
    member_bit: u32 = 1
    marks: u32 = 0
    # KINDS lists the piece types in the order in which members are written.
    for index in range(TYPE_COUNT):
        piece_type = KINDS[index]
        if types >> piece_type & 1:
            if heroic >> piece_type & 1:
                marks |= member_bit
            member_bit <<= 1
    return marks


def write_leb128(packed: Packed, offset: i32, number: i64) -> i32:
    """Write a number in LEB128 from byte `offset` on, and return the offset of the next byte.

    Each byte has seven bits of the number, lowest first, and bit 7 set if another byte follows.
    """
    while number > GROUP_MASK:
        packed[offset] = (number & GROUP_MASK) | MORE_FLAG
        number >>= GROUP_BITS
        offset += 1
    packed[offset] = number
    return offset + 1


def read_packed(packed: Packed, units: Units, state: State) -> i32:
    """Read the packed form of a position and return its size in bytes, or 0 if it is invalid.

    Forms with a deploy session or a clock beyond 32 bits count as invalid. No form ends with a zero, so a
    truncated form is never read as valid.

    Args:
        packed: The packed form, then zeros up to MAX_PACKED_BYTES.
        units: An empty board that receives the units. It may be partly filled if the form is invalid.
        state: Receives the side to move, the half-move clock and the move number.
    """
    offset: i32 = BITMAP_END
    occupied: OccupiedSquares
    occupied_count: i32
    index: i32
    unit_byte: u32
    form: u32
    types: u32
    heroic: u32
    is_blue: u32
    if not cython.compiled:
        occupied = [0] * (SQUARE_COUNT + 1)
    # The last byte of the bitmap has bits for only four squares.
    if packed[0] != PACKED_VERSION or packed[BITMAP_END - 1] >> (SQUARE_COUNT & BIT_MASK):
        return 0
    occupied_count = read_occupied(packed, occupied)
    for index in range(occupied_count):
        unit_byte = packed[offset]
        offset += 1
        form = unit_byte & FORM_MASK
        if form >= FORM_COUNT:
            return 0
        types = FORM_TYPES[form]
        heroic = 0
        if unit_byte & HEROIC_FLAG:
            heroic = unpack_heroic_types(types, packed[offset])
            offset += 1
            if heroic == 0:
                return 0
        is_blue = unit_byte >> BLUE_SHIFT & 1
        units[occupied[index]] = types | heroic << HEROIC_SHIFT | is_blue * BLUE_BIT
    state[SIDE_TO_MOVE] = packed[offset]
    # An offset of 0 means that the clock is not valid.
    offset = read_leb128(packed, offset + 1, state, HALF_CLOCK)
    if offset:
        offset = read_leb128(packed, offset, state, FULL_CLOCK)
    return offset if state[SIDE_TO_MOVE] <= 1 and state[FULL_CLOCK] > 0 else 0


def read_occupied(packed: Packed, occupied: OccupiedSquares) -> i32:
    """Write the squares that are occupied in a packed form into `occupied`, and count them.

    They are the bits of its bitmap. Every square is written, and the next square overwrites an empty one, as
    in `find_occupied`.
    """
    occupied_count: i32 = 0
    square: i32
    for square in range(SQUARE_COUNT):
        occupied[occupied_count] = square
        occupied_count += packed[BITMAP_START + (square >> BYTE_SHIFT)] >> (square & BIT_MASK) & 1
    return occupied_count


def unpack_heroic_types(types: u32, marks: u32) -> u32:
    """Return the set of the heroic types of a stack, or 0 if a mark belongs to no member.

    Args:
        types: The set of the piece types in the stack.
        marks: Bits in the order of the members, bit 0 for the carrier, set for a heroic member.
    """
    index: i32
    piece_type: i32
    heroic: u32 = 0
    # KINDS lists the piece types in the order in which members are written.
    for index in range(TYPE_COUNT):
        piece_type = KINDS[index]
        if types >> piece_type & 1:
            if marks & 1:
                heroic |= 1 << piece_type
            marks >>= 1
    # A mark that is left over has no member.
    return heroic if marks == 0 else 0


def read_leb128(packed: Packed, offset: i32, state: State, index: i32) -> i32:
    """Read a clock in LEB128 from byte `offset` of `packed` into ``state[index]``.

    Return the offset of the next byte, or 0 if the bytes are not a canonical number or the number exceeds 32
    bits. In LEB128 each byte has seven bits of the number, lowest first, and bit 7 set if another follows.
    """
    shift: i32 = 0
    number: i64 = 0
    byte: i64
    state[index] = 0
    while shift < MAX_LEB128_BYTES * GROUP_BITS:
        byte = packed[offset]
        offset += 1
        number |= (byte & GROUP_MASK) << shift
        if byte < MORE_FLAG:
            # A last byte of 0 is not canonical, unless it is the only byte.
            if number > MAX_CLOCK_32 or (byte == 0 and shift):
                return 0
            state[index] = number
            return offset
        shift += GROUP_BITS
    return 0
