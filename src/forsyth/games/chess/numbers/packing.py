"""Fast conversion of positions to packed bytes and back, in every variant.

`packed` describes the layouts, and reads single packed forms with precise error messages. This module works
on memory without the GIL. It runs as it is and compiles with Cython (`packing.pxd` gives the C types).

Writing: `put_packed` accepts every position of every variant. Reading: `read_packed` accepts only what
`put_packed` writes, with any number of zeros behind it.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.position import Position
from forsyth.games.chess.variants import VARIANT_TABLE

if not cython.compiled:
    from forsyth.games.chess.board import ONE, count, i32, lsb, rank_index, u64
    from forsyth.games.chess.position import (
        CHECKS_MASK,
        CHECKS_SHIFT,
        CHESS960,
        CRAZYHOUSE,
        MAX_POCKET,
        POCKET_COUNT_BITS,
        POCKET_KINDS,
        RACING_KINGS,
        THREE_CHECK,
        count_in_pocket,
        count_pocket,
        find_double_step_target,
        find_skipped_square,
    )

    Chars = bytes | memoryview
    Form = bytearray
    FORM_BYTES: Final = 80
    """Bytes of a `Form`, the buffer for one packed form."""
    Out = bytearray | memoryview
    PieceSets = list[int]
    Size = int
    # Sets of squares.
    RANK_4: Final = 0xFF000000
    RANK_5: Final = 0xFF00000000
    CORNERS: Final = 0x8100000000000081
    HOME_RANKS: Final = 0xFF000000000000FF
    ABOVE_15: Final = 0xF0F0F0F0F0
    """The bits of a pocket that are set if it has more than 15 pieces of a kind."""
    LICHESS: Final = 1
    """The version with the layout of Lichess."""
    GENERAL: Final = 2
    """The version that can represent every position."""
    MAX_BYTES: Final = 75
    """Length of the longest packed form: version 2 with 64 pieces, 1 + 8 + 32 + 34 bytes."""
    HEADER_BYTES: Final = 9
    """Bytes before the pieces: the version and the occupied squares."""
    TAIL_BYTES: Final = 34
    """Bytes behind the pieces in version 2."""
    WORD_BYTES: Final = 8
    """Bytes of a set of squares."""
    BYTE_BITS: Final = 8
    BYTE_MASK: Final = 255
    HIGHEST_BYTE_SHIFT: Final = 56
    """The number of bits behind the highest byte of a number of 64 bits."""
    NIBBLE_BITS: Final = 4
    NIBBLE_MASK: Final = 15
    WHITE_PAWN: Final = 0
    BLACK_PAWN: Final = 1
    WHITE_KNIGHT: Final = 2
    BLACK_KNIGHT: Final = 3
    WHITE_BISHOP: Final = 4
    BLACK_BISHOP: Final = 5
    WHITE_ROOK: Final = 6
    BLACK_ROOK: Final = 7
    WHITE_QUEEN: Final = 8
    BLACK_QUEEN: Final = 9
    WHITE_KING: Final = 10
    BLACK_KING: Final = 11
    """Plain piece codes."""
    PIECE_CODES: Final = 16
    """The number of piece codes, plain and marked."""
    PUSHED_PAWN: Final = 12
    WHITE_CASTLING_ROOK: Final = 13
    BLACK_CASTLING_ROOK: Final = 14
    BLACK_KING_TO_MOVE: Final = 15
    """Piece codes with a mark, which only version 1 has."""
    ALL_CHECKS: Final = 3
    INVALID_CHECKS: Final = 0xCC
    """The bits of the byte of checks that are set if a side has been given more than three."""
    LEB128_BITS: Final = 7
    LEB128_MASK: Final = 127
    LEB128_CONTINUES: Final = 128
    """A byte of LEB128: seven bits of a number, and a bit that is set if another byte follows."""
    LEB128_MAX_BYTES: Final = 3
    """Bytes of the longest number that is read, which are enough for every clock."""
    RANK_3_INDEX: Final = 2
    RANK_6_INDEX: Final = 5
    LEB128_SIZE_SHIFT: Final = 24
    LEB128_NUMBER: Final = 0xFFFFFF
    """Parts of a result of `read_leb128`: the number of bytes that it takes, and the number itself."""
    NO_SQUARE: Final = 255
    MAX_CLOCK: Final = 9999
    VARIANT_NUMBERS = [0] * 16
    """The variant numbers of Lichess, by the numbers of the rules."""


def _fill_variant_numbers() -> None:
    """Fill VARIANT_NUMBERS: for each index in `VARIANT_TABLE`, the number that Lichess gives the variant."""
    for rules, variant in enumerate(VARIANT_TABLE):
        VARIANT_NUMBERS[rules] = variant.number


_fill_variant_numbers()


# --- position to bytes ------------------------------------------------------------------------------


def pack(position: Position) -> bytes:
    """Return the packed form of a position: at most 75 bytes, which `unpack` reads.

    Equal positions have equal packed forms, in all versions of Forsyth.
    """
    output = bytearray(MAX_BYTES)
    size: i32 = put_packed(position, output)
    return bytes(output[:size])


def find_pushed_pawn(position: Position) -> u64:
    """Return the pawn that has just made a double step, as a set that contains only its square.

    A set of squares is a number with one bit for each square. The set is empty if there is no en-passant
    square, or no pawn of the right colour in front of it.
    """
    pawns_after_double_step: u64
    if position.ep_square < 0:
        return 0
    pawns_after_double_step = position.pawns & ((position.white & RANK_4) | (position.black & RANK_5))
    return pawns_after_double_step & (ONE << find_double_step_target(position.ep_square))


def put_packed(position: Position, output: Out) -> i32:
    """Write the packed form of a position to `output`, and return its number of bytes, at most MAX_BYTES."""
    # The first byte is the version of the layout.
    if fits_lichess(position):
        output[0] = LICHESS
        return write_lichess_tail(position, output, write_pieces(position, output, True))
    output[0] = GENERAL
    return write_general_tail(position, output, write_pieces(position, output, False))


def fits_lichess(position: Position) -> bool:
    """Return whether the layout of Lichess, which is packed version 1, can represent a position.

    It cannot represent a castling right without a rook, an en-passant square without a pawn, and more than 15
    pieces of a kind in a pocket.
    """
    if position.rights & ~position.rooks:
        return False
    if position.ep_square >= 0 and not find_pushed_pawn(position):
        return False
    return ((position.white_pocket | position.black_pocket) & ABOVE_15) == 0


def write_pieces(position: Position, output: Out, with_marks: bool) -> i32:
    """Write the occupied squares and the pieces to `output` from offset 1 on.

    The occupied squares are a set of eight bytes. For each of them a nibble (half a byte) follows, which is
    the code of its piece: 0 for a white pawn to 11 for a black king. If `with_marks` is true, the codes 12 to
    15 mark a pawn that has just made a double step, rooks with castling rights, and a black king to move.
    Return the offset behind the pieces.
    """
    squares: u64 = position.white | position.black
    # For each bit of the nibble, the squares that have it. Bit 0 is the colour, the others are the kind.
    bit_0: u64 = position.black
    bit_1: u64 = position.knights | position.rooks | position.kings
    bit_2: u64 = position.bishops | position.rooks
    bit_3: u64 = position.queens | position.kings
    pushed: u64
    square: i32
    nibble: i32
    offset: i32 = write_word(output, 1, squares)
    is_high_nibble: i32 = 0
    if with_marks:
        # The marked codes are 12 to 15, so bits 2 and 3 are set in all of them.
        pushed = find_pushed_pawn(position)
        bit_0 &= ~pushed
        bit_2 |= pushed | position.rights
        bit_3 |= pushed | position.rights
        bit_0 ^= position.rights
        bit_1 &= ~(position.rights & position.white)
        if position.black_to_move:
            bit_2 |= position.kings & position.black
    output[offset] = 0
    while squares:
        square = lsb(squares)
        squares &= squares - 1  # Remove the lowest square.
        nibble = (
            ((bit_0 >> square) & 1)
            | (((bit_1 >> square) & 1) << 1)
            | (((bit_2 >> square) & 1) << 2)
            | (((bit_3 >> square) & 1) << 3)
        )
        if is_high_nibble:
            output[offset] |= nibble << NIBBLE_BITS
            offset += 1
        else:
            output[offset] = nibble
        is_high_nibble ^= 1
    return offset + is_high_nibble


def write_lichess_tail(position: Position, output: Out, offset: i32) -> i32:
    """Write the fields behind the pieces in packed version 1 to `output` from `offset` on.

    They are the clocks, the variant, the pockets and the checks. Fields at the end with default values are
    left out, as Lichess does. Return the offset behind the fields.
    """
    kind: i32
    given_by_white: i32
    given_by_black: i32
    variant: i32 = get_variant_number(position)
    plies: i32 = 2 * (position.full - 1) + position.black_to_move
    # One ply means that Black is to move, which the code of a black king shows if there is one.
    is_side_unmarked: i32 = plies == 1 and (position.kings & position.black) == 0
    writes_plies: i32 = plies > 1 or variant != 0 or is_side_unmarked
    if position.half or writes_plies:
        offset = write_leb128(output, offset, position.half)
    if writes_plies:
        offset = write_leb128(output, offset, plies)
    if variant:
        output[offset] = variant
        offset += 1
    if position.rules == CRAZYHOUSE:
        for kind in range(POCKET_KINDS):
            output[offset] = count_in_pocket(position.white_pocket, kind) | (
                count_in_pocket(position.black_pocket, kind) << NIBBLE_BITS
            )
            offset += 1
        if position.promoted:
            offset = write_word(output, offset, position.promoted)
    if position.rules == THREE_CHECK:
        # The low nibble counts the checks that White's king has been given, which Black has given.
        given_by_white = ALL_CHECKS - (position.remaining & CHECKS_MASK)
        given_by_black = ALL_CHECKS - (position.remaining >> CHECKS_SHIFT)
        output[offset] = given_by_black | (given_by_white << NIBBLE_BITS)
        offset += 1
    return offset


def write_general_tail(position: Position, output: Out, offset: i32) -> i32:
    """Write the fields behind the pieces in packed version 2 to `output` from `offset` on.

    They always take 34 bytes: castling rights, promoted pieces, pockets, side to move, en-passant square,
    clocks, variant and remaining checks. Return the offset behind the fields.
    """
    kind: i32
    offset = write_word(output, offset, position.rights)
    offset = write_word(output, offset, position.promoted)
    for kind in range(POCKET_KINDS):
        output[offset + kind] = count_in_pocket(position.white_pocket, kind)
        output[offset + POCKET_KINDS + kind] = count_in_pocket(position.black_pocket, kind)
    offset += 2 * POCKET_KINDS

    output[offset] = position.black_to_move
    output[offset + 1] = NO_SQUARE if position.ep_square < 0 else position.ep_square
    # The clocks have two bytes, the higher one first.
    output[offset + 2] = position.half >> BYTE_BITS
    output[offset + 3] = position.half & BYTE_MASK
    output[offset + 4] = position.full >> BYTE_BITS
    output[offset + 5] = position.full & BYTE_MASK
    output[offset + 6] = get_variant_number(position)
    output[offset + 7] = position.remaining
    return offset + 8


def get_variant_number(position: Position) -> i32:
    """Return the number that Lichess uses for the variant of a position, such as 7 for atomic chess."""
    return VARIANT_NUMBERS[position.rules]


def write_word(output: Out, offset: Size, word: u64) -> Size:
    """Write a number of 64 bits to `output` from `offset` on, highest byte first.

    Return the offset behind it.
    """
    shift: i32
    for shift in range(HIGHEST_BYTE_SHIFT, -1, -8):  # Compiled code needs a literal step.
        output[offset] = (word >> shift) & BYTE_MASK
        offset += 1
    return offset


def write_leb128(output: Out, offset: i32, number: i32) -> i32:
    """Write a number in LEB128 to `output` from `offset` on, and return the offset behind it.

    LEB128 puts seven bits of the number into each byte, lowest first. The highest bit of a byte is set if
    another byte follows: 200 is written as C8 01.
    """
    while number > LEB128_MASK:
        output[offset] = (number & LEB128_MASK) | LEB128_CONTINUES
        offset += 1
        number >>= LEB128_BITS
    output[offset] = number
    return offset + 1


# --- bytes to position ------------------------------------------------------------------------------


def read_packed(position: Position, data: Chars, start: Size, width: Size) -> bool:
    """Read a packed position from `data` into `position`, which is changed in place.

    Return whether the bytes are valid. If they are not, the fields of `position` are undefined.

    Args:
        position: The position to fill.
        data: The bytes.
        start: The offset of the packed form in `data`.
        width: The number of its bytes, with the zeros behind it.
    """
    piece_sets: PieceSets
    index: i32
    code: i32
    nibble_shift: i32
    offset: Size = start + HEADER_BYTES
    squares: u64
    version: i32
    if width < HEADER_BYTES:
        return False
    version = data[start]
    squares = read_word(data, start + 1)
    if HEADER_BYTES + (count(squares) + 1) // 2 > width:
        return False

    # `piece_sets` has the set of squares of each piece code.
    if not cython.compiled:
        piece_sets = [0] * PIECE_CODES
    for index in range(PIECE_CODES):
        piece_sets[index] = 0
    index = 0
    while squares:
        # Two pieces share a byte, the first one in its low nibble.
        nibble_shift = NIBBLE_BITS if index & 1 else 0
        code = (data[offset + (index >> 1)] >> nibble_shift) & NIBBLE_MASK
        piece_sets[code] |= ONE << lsb(squares)
        squares &= squares - 1  # Remove the lowest square.
        index += 1
    offset += (index + 1) >> 1
    position.promoted = 0
    position.white_pocket = 0
    position.black_pocket = 0
    position.remaining = 0
    if version == LICHESS:
        if not read_lichess_tail(position, piece_sets, data, offset, start + width):
            return False
    elif version != GENERAL or not read_general_tail(position, piece_sets, data, offset, start + width):
        return False
    set_pieces(position, piece_sets)
    # Each position has exactly one packed form, so any other bytes are invalid.
    return is_valid_position(position) and is_packed_form_of(position, data, start, width)


def is_valid_position(position: Position) -> bool:
    """Return whether the fields of a position that was read from bytes are possible.

    The clocks must be in range, castling rights on squares of rooks, and pockets, promoted pieces and
    remaining checks only in a variant that has them. The reading functions have checked the other conditions
    of `position.from_fields`.
    """
    allowed_rights: u64 = HOME_RANKS if position.rules == CHESS960 else CORNERS
    promotable: u64 = position.knights | position.bishops | position.rooks | position.queens
    pocket_count: i32 = count_pocket(position.white_pocket) + count_pocket(position.black_pocket)
    if position.half > MAX_CLOCK or position.full > MAX_CLOCK or position.rights & ~allowed_rights:
        return False
    if position.rules != CRAZYHOUSE and (position.promoted or pocket_count):
        return False
    if position.promoted & ~promotable or pocket_count > MAX_POCKET:
        return False
    if position.rules != THREE_CHECK:
        return position.remaining == 0
    return (position.remaining & CHECKS_MASK) <= ALL_CHECKS and (
        0 <= (position.remaining >> CHECKS_SHIFT) <= ALL_CHECKS
    )


def find_rules_of_variant(variant: i32) -> i32:
    """Return the index in VARIANTS of the variant with this Lichess number, or −1 if there is none."""
    rules: i32
    for rules in range(RACING_KINGS + 1):
        if VARIANT_NUMBERS[rules] == variant:
            return rules
    return -1


def read_lichess_tail(
    position: Position, piece_sets: PieceSets, data: Chars, offset: Size, end: Size
) -> bool:
    """Read the fields behind the pieces in packed version 1 into `position`, which is changed in place.

    Args:
        position: The position to fill.
        piece_sets: The set of squares of each piece code. The squares of the codes 12 to 15, which mark a
            pawn after a double step, rooks with castling rights and a black king to move, are added to the
            plain codes.
        data: The bytes.
        offset: The offset behind the pieces.
        end: The offset behind the packed form.

    Returns:
        False if the bytes are not valid.
    """
    plies: i32
    number: i32
    given_by_white: i32
    given_by_black: i32
    kind: i32
    shift: i32
    byte: u64
    position.ep_square = find_skipped_square(lsb(piece_sets[PUSHED_PAWN])) if piece_sets[PUSHED_PAWN] else -1
    piece_sets[WHITE_PAWN] |= piece_sets[PUSHED_PAWN] & RANK_4
    piece_sets[BLACK_PAWN] |= piece_sets[PUSHED_PAWN] & RANK_5
    piece_sets[WHITE_ROOK] |= piece_sets[WHITE_CASTLING_ROOK]
    piece_sets[BLACK_ROOK] |= piece_sets[BLACK_CASTLING_ROOK]
    piece_sets[BLACK_KING] |= piece_sets[BLACK_KING_TO_MOVE]
    position.rights = piece_sets[WHITE_CASTLING_ROOK] | piece_sets[BLACK_CASTLING_ROOK]

    # Fields that were left out are read as 0. Two plies (half-moves) are one move.
    number = read_leb128(data, offset, end)
    position.half = number & LEB128_NUMBER
    offset += number >> LEB128_SIZE_SHIFT
    number = read_leb128(data, offset, end)
    offset += number >> LEB128_SIZE_SHIFT
    plies = number & LEB128_NUMBER
    position.black_to_move = (plies & 1) | (piece_sets[BLACK_KING_TO_MOVE] != 0)
    position.full = (plies >> 1) + 1
    position.rules = find_rules_of_variant(read_byte(data, offset, end))
    offset += 1
    if position.rules == CRAZYHOUSE:
        for kind in range(POCKET_KINDS):
            shift = kind * POCKET_COUNT_BITS
            byte = read_byte(data, offset, end)
            position.white_pocket |= (byte & NIBBLE_MASK) << shift
            position.black_pocket |= (byte >> NIBBLE_BITS) << shift
            offset += 1
        if offset + WORD_BYTES <= end:
            position.promoted = read_word(data, offset)
    if position.rules == THREE_CHECK:
        # The low nibble counts the checks that White's king has been given, which Black has given.
        number = read_byte(data, offset, end)
        if number & INVALID_CHECKS:
            return False
        given_by_black = number & NIBBLE_MASK
        given_by_white = number >> NIBBLE_BITS
        position.remaining = ALL_CHECKS - given_by_white
        position.remaining |= (ALL_CHECKS - given_by_black) << CHECKS_SHIFT
    return position.rules >= 0


def read_general_tail(
    position: Position, piece_sets: PieceSets, data: Chars, offset: Size, end: Size
) -> bool:
    """Read the fields behind the pieces in packed version 2 into `position`, which is changed in place.

    Args:
        position: The position to fill.
        piece_sets: The set of squares of each piece code. The codes 12 to 15, which only version 1 has, must
            have no squares.
        data: The bytes.
        offset: The offset behind the pieces.
        end: The offset behind the packed form.

    Returns:
        False if the bytes are not valid.
    """
    kind: i32
    shift: i32
    byte: u64
    marked_pieces: u64 = piece_sets[PUSHED_PAWN] | piece_sets[WHITE_CASTLING_ROOK]
    marked_pieces |= piece_sets[BLACK_CASTLING_ROOK] | piece_sets[BLACK_KING_TO_MOVE]
    if end - offset < TAIL_BYTES or marked_pieces:
        return False
    position.rights = read_word(data, offset)
    position.promoted = read_word(data, offset + WORD_BYTES)
    offset += 2 * WORD_BYTES
    for kind in range(POCKET_KINDS):
        shift = kind * POCKET_COUNT_BITS
        byte = data[offset]
        position.white_pocket |= byte << shift
        byte = data[offset + POCKET_KINDS]
        position.black_pocket |= byte << shift
        offset += 1
    offset += POCKET_KINDS

    position.black_to_move = data[offset]
    position.ep_square = -1 if data[offset + 1] == NO_SQUARE else data[offset + 1]
    # The clocks have two bytes, the higher one first.
    position.half = (data[offset + 2] << BYTE_BITS) | data[offset + 3]
    position.full = (data[offset + 4] << BYTE_BITS) | data[offset + 5]
    position.rules = find_rules_of_variant(data[offset + 6])
    position.remaining = data[offset + 7]
    if position.rules < 0 or position.black_to_move > 1 or position.full == 0:
        return False
    if position.ep_square == -1:
        return True
    return rank_index(position.ep_square) == RANK_3_INDEX or rank_index(position.ep_square) == RANK_6_INDEX


def set_pieces(position: Position, piece_sets: PieceSets) -> None:
    """Set the pieces of `position`, in place, from the set of squares of each piece code.

    The index of a set in `piece_sets` is the code, such as WHITE_PAWN.
    """
    position.pawns = piece_sets[WHITE_PAWN] | piece_sets[BLACK_PAWN]
    position.knights = piece_sets[WHITE_KNIGHT] | piece_sets[BLACK_KNIGHT]
    position.bishops = piece_sets[WHITE_BISHOP] | piece_sets[BLACK_BISHOP]
    position.rooks = piece_sets[WHITE_ROOK] | piece_sets[BLACK_ROOK]
    position.queens = piece_sets[WHITE_QUEEN] | piece_sets[BLACK_QUEEN]
    position.kings = piece_sets[WHITE_KING] | piece_sets[BLACK_KING]
    position.white = (
        piece_sets[WHITE_PAWN]
        | piece_sets[WHITE_KNIGHT]
        | piece_sets[WHITE_BISHOP]
        | piece_sets[WHITE_ROOK]
        | piece_sets[WHITE_QUEEN]
        | piece_sets[WHITE_KING]
    )
    position.black = (
        piece_sets[BLACK_PAWN]
        | piece_sets[BLACK_KNIGHT]
        | piece_sets[BLACK_BISHOP]
        | piece_sets[BLACK_ROOK]
        | piece_sets[BLACK_QUEEN]
        | piece_sets[BLACK_KING]
    )


def is_packed_form_of(position: Position, data: Chars, start: Size, width: Size) -> bool:
    """Return whether some bytes are the packed form of a position, with nothing but zeros behind it.

    The bytes are the `width` bytes of `data` from `start` on.
    """
    form: Form
    index: Size
    size: Size
    # Stays 0 if all bytes are equal. One test at the end is faster than one test for each byte.
    difference: i32 = 0
    if not cython.compiled:
        form = bytearray(FORM_BYTES)
    size = put_packed(position, form)
    if size > width:
        return False
    for index in range(size):
        difference |= data[start + index] ^ form[index]
    for index in range(size, width):
        difference |= data[start + index]
    return difference == 0


def read_byte(data: Chars, offset: Size, end: Size) -> i32:
    """Return the byte of `data` at an offset, or 0 if the offset is not before `end`.

    A packed form may omit its last fields, which are 0 then.
    """
    return data[offset] if offset < end else 0


def read_word(data: Chars, offset: Size) -> u64:
    """Return the eight bytes at an offset as a number of 64 bits, highest byte first."""
    word: u64 = 0
    index: i32
    for index in range(WORD_BYTES):
        word = (word << BYTE_BITS) | data[offset + index]
    return word


def read_leb128(data: Chars, offset: Size, end: Size) -> i32:
    """Return the LEB128 number at an offset, and its length in bytes in the bits from 24 on.

    LEB128 has seven bits of a number in each byte, lowest first, and sets the highest bit of a byte if
    another byte follows. The bytes C8 01 return 200 + (2 << 24). At most three bytes are read, and bytes at
    `end` or behind it are read as 0. If the number does not end before `end`, its length is 3.
    """
    number: i32 = 0
    index: i32
    for index in range(LEB128_MAX_BYTES):
        if offset + index >= end:
            break
        number |= (data[offset + index] & LEB128_MASK) << (LEB128_BITS * index)
        if data[offset + index] < LEB128_CONTINUES:
            return number | ((index + 1) << LEB128_SIZE_SHIFT)
    return number | (LEB128_MAX_BYTES << LEB128_SIZE_SHIFT)
