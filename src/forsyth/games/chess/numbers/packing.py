"""Packed forms at full speed: position to bytes, bytes to position, in every variant.

`packed` describes the layouts and explains what is wrong with bytes; this module works on memory, without
the GIL. It runs as it is and compiles with Cython (`packing.pxd` gives the C types).

Writing: `put_packed` takes any position of any variant. Reading: `take_packed` takes what `put_packed`
writes, and zeros behind it, and nothing else.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.position import Position
from forsyth.games.chess.variants import TABLE

if not cython.compiled:
    from forsyth.games.chess.board import ONE, count, i32, lsb, u64
    from forsyth.games.chess.position import CHESS960, CRAZYHOUSE, MAX_POCKET, RACING_KINGS, THREE_CHECK

    Chars = bytes | memoryview
    Form = bytearray
    Out = bytearray | memoryview
    Planes = list[int]
    Size = int
    RANK_4: Final = 0xFF000000
    RANK_5: Final = 0xFF00000000
    CORNERS: Final = 0x8100000000000081
    HOME_RANKS: Final = 0xFF000000000000FF
    ABOVE_15: Final = 0xF0F0F0F0F0
    LICHESS: Final = 1
    """The version that holds the layout of Lichess."""
    GENERAL: Final = 2
    """The version that holds every position."""
    MAX_BYTES: Final = 75
    """The longest packed form: version 2 with 64 men, 1 + 8 + 32 + 34 bytes."""
    MEN: Final = 9
    TAIL: Final = 34
    NO_SQUARE: Final = 255
    MAX_CLOCK: Final = 9999
    NUMBER = [0] * 16


def _fill_table() -> None:
    for rules, variant in enumerate(TABLE):
        NUMBER[rules] = variant.number


_fill_table()


# --- position to bytes ------------------------------------------------------------------------------


def pack(position: Position) -> bytes:
    """The one packed form of a position."""
    out = bytearray(MAX_BYTES)
    size: i32 = put_packed(position, out)
    return bytes(out[:size])


def pushed_pawn(position: Position) -> u64:
    """The pawn that made the double step over the en-passant square, as a set; empty if it is not there."""
    if position.ep_square < 0:
        return 0
    return (
        (ONE << (position.ep_square ^ 8))
        & position.pawns
        & ((position.white & RANK_4) | (position.black & RANK_5))
    )


def put_packed(position: Position, out: Out) -> i32:
    """Write the packed form, at most MAX_BYTES; how many bytes it has."""
    if (
        position.rights & ~position.rooks
        or (position.ep_square >= 0 and not pushed_pawn(position))
        or (position.white_pocket | position.black_pocket) & ABOVE_15
    ):
        out[0] = GENERAL
        return put_general_tail(position, out, put_men(position, out, False))
    out[0] = LICHESS
    return put_lichess_tail(position, out, put_men(position, out, True))


def put_men(position: Position, out: Out, marked: bool) -> i32:
    """Write the occupied squares and a nibble for each; `marked` ones say who may castle and the like."""
    squares: u64 = position.white | position.black
    # The four bits of the nibbles: the lowest is the colour, the others the kind, pawns to kings.
    one: u64 = position.black
    two: u64 = position.knights | position.rooks | position.kings
    four: u64 = position.bishops | position.rooks
    eight: u64 = position.queens | position.kings
    special: u64
    square: i32
    nibble: i32
    at: i32 = put_word(out, 1, squares)
    high: i32 = 0
    if marked:
        special = pushed_pawn(position)
        one &= ~special
        four |= special | position.rights
        eight |= special | position.rights
        one ^= position.rights
        two &= ~(position.rights & position.white)
        if position.black_to_move:
            four |= position.kings & position.black
    out[at] = 0
    while squares:
        square = lsb(squares)
        squares &= squares - 1
        nibble = (
            (one >> square & 1)
            | (two >> square & 1) << 1
            | (four >> square & 1) << 2
            | (eight >> square & 1) << 3
        )
        if high:
            out[at] |= nibble << 4
            at += 1
        else:
            out[at] = nibble
        high ^= 1
    return at + high


def put_lichess_tail(position: Position, out: Out, at: i32) -> i32:
    """Write what stands behind the men in version 1."""
    shift: i32
    variant: i32 = variant_number(position)
    plies: i32 = 2 * (position.full - 1) + position.black_to_move
    need_plies: i32 = plies > 1 or variant != 0 or (plies == 1 and position.kings & position.black == 0)
    if position.half or need_plies:
        at = put_leb128(out, at, position.half)
    if need_plies:
        at = put_leb128(out, at, plies)
    if variant:
        out[at] = variant
        at += 1
    if position.rules == CRAZYHOUSE:
        for shift in range(0, 40, 8):
            out[at] = (position.white_pocket >> shift & 15) | (position.black_pocket >> shift & 15) << 4
            at += 1
        if position.promoted:
            at = put_word(out, at, position.promoted)
    if position.rules == THREE_CHECK:
        # Checks suffered, not checks to give.
        out[at] = (3 - (position.remaining >> 4)) | (3 - (position.remaining & 15)) << 4
        at += 1
    return at


def put_general_tail(position: Position, out: Out, at: i32) -> i32:
    """Write what stands behind the men in version 2."""
    shift: i32
    at = put_word(out, at, position.rights)
    at = put_word(out, at, position.promoted)
    for shift in range(0, 40, 8):
        out[at] = position.white_pocket >> shift & 255
        out[at + 5] = position.black_pocket >> shift & 255
        at += 1
    at += 5
    out[at] = position.black_to_move
    out[at + 1] = NO_SQUARE if position.ep_square < 0 else position.ep_square
    out[at + 2] = position.half >> 8
    out[at + 3] = position.half & 255
    out[at + 4] = position.full >> 8
    out[at + 5] = position.full & 255
    out[at + 6] = variant_number(position)
    out[at + 7] = position.remaining
    return at + 8


def variant_number(position: Position) -> i32:
    """The variant in the numbers of Lichess."""
    return NUMBER[position.rules]


def put_word(out: Out, at: Size, word: u64) -> Size:
    """Write 64 bits, highest byte first; where the next byte goes."""
    shift: i32
    for shift in range(56, -8, -8):
        out[at] = word >> shift & 255
        at += 1
    return at


def put_leb128(out: Out, at: i32, number: i32) -> i32:
    """Write seven bits a byte, lowest first, the highest bit set on all but the last."""
    while number > 127:
        out[at] = (number & 127) | 128
        at += 1
        number >>= 7
    out[at] = number
    return at + 1


# --- bytes to position ------------------------------------------------------------------------------


def take_packed(position: Position, data: Chars, start: Size, width: Size) -> bool:
    """Whether `width` bytes are a packed form and zeros; if so the position is theirs."""
    planes: Planes
    i: i32
    code: i32
    at: Size = start + MEN
    squares: u64
    version: i32
    if width < MEN:
        return False
    version = data[start]
    squares = word_at(data, start + 1)
    if MEN + (count(squares) + 1) // 2 > width:
        return False
    if not cython.compiled:
        planes = [0] * 16
    for i in range(16):
        planes[i] = 0
    i = 0
    while squares:
        code = data[at + (i >> 1)] >> ((i & 1) << 2) & 15
        planes[code] |= squares & ~(squares - 1)
        squares &= squares - 1
        i += 1
    at += (i + 1) >> 1
    position.promoted = 0
    position.white_pocket = 0
    position.black_pocket = 0
    position.remaining = 0
    if version == LICHESS:
        if not take_lichess(position, planes, data, at, start + width):
            return False
    elif version != GENERAL or not take_general(position, planes, data, at, start + width):
        return False
    set_men(position, planes)
    # There is one form of a position: what was not read, or said twice, or cannot be, is seen in the end.
    return is_sound(position) and is_form_of(position, data, start, width)


def is_sound(position: Position) -> bool:
    """Whether a text can say what was read, as `position.from_fields` has it."""
    rights: u64 = HOME_RANKS if position.rules == CHESS960 else CORNERS
    bearers: u64 = position.knights | position.bishops | position.rooks | position.queens
    men: i32 = men_in(position.white_pocket) + men_in(position.black_pocket)
    if position.half > MAX_CLOCK or position.full > MAX_CLOCK or position.rights & ~rights:
        return False
    if position.rules != CRAZYHOUSE and (position.promoted or men):
        return False
    if position.promoted & ~bearers or men > MAX_POCKET:
        return False
    if position.rules != THREE_CHECK:
        return position.remaining == 0
    return position.remaining & 15 <= 3 and 0 <= position.remaining >> 4 <= 3


def men_in(pocket: u64) -> i32:
    """How many men a pocket holds."""
    men: i32 = 0
    while pocket:
        men += pocket & 255
        pocket >>= 8
    return men


def rules_of_number(variant: i32) -> i32:
    """The rules of a variant in the numbers of Lichess; −1 for an unknown one."""
    rules: i32
    for rules in range(RACING_KINGS + 1):
        if NUMBER[rules] == variant:
            return rules
    return -1


def take_lichess(position: Position, planes: Planes, data: Chars, at: Size, end: Size) -> bool:
    """Take the marks of version 1 out of the planes, and the rest from behind the men."""
    plies: i32
    number: i32
    shift: i32
    byte: u64
    position.ep_square = lsb(planes[12]) ^ 8 if planes[12] else -1
    planes[0] |= planes[12] & RANK_4
    planes[1] |= planes[12] & RANK_5
    planes[6] |= planes[13]
    planes[7] |= planes[14]
    planes[11] |= planes[15]
    position.rights = planes[13] | planes[14]
    # Where the form has ended stand zeros, which are what was left out.
    number = leb128_at(data, at, end)
    position.half = number & 0xFFFFFF
    at += number >> 24
    number = leb128_at(data, at, end)
    at += number >> 24
    plies = number & 0xFFFFFF
    position.black_to_move = (plies & 1) | (planes[15] != 0)
    position.full = (plies >> 1) + 1
    position.rules = rules_of_number(byte_at(data, at, end))
    at += 1
    if position.rules == CRAZYHOUSE:
        for shift in range(0, 40, 8):
            byte = byte_at(data, at, end)
            position.white_pocket |= (byte & 15) << shift
            position.black_pocket |= (byte >> 4) << shift
            at += 1
        if at + 8 <= end:
            position.promoted = word_at(data, at)
    if position.rules == THREE_CHECK:
        # Checks suffered, not checks to give.
        number = byte_at(data, at, end)
        if number & 0xCC:
            return False
        position.remaining = 3 - (number >> 4) | (3 - (number & 15)) << 4
    return position.rules >= 0


def take_general(position: Position, planes: Planes, data: Chars, at: Size, end: Size) -> bool:
    """Take what stands behind the men in version 2."""
    shift: i32
    byte: u64
    if end - at < TAIL or planes[12] | planes[13] | planes[14] | planes[15]:
        return False
    position.rights = word_at(data, at)
    position.promoted = word_at(data, at + 8)
    at += 16
    for shift in range(0, 40, 8):
        byte = data[at]
        position.white_pocket |= byte << shift
        byte = data[at + 5]
        position.black_pocket |= byte << shift
        at += 1
    at += 5
    position.black_to_move = data[at]
    position.ep_square = -1 if data[at + 1] == NO_SQUARE else data[at + 1]
    position.half = data[at + 2] << 8 | data[at + 3]
    position.full = data[at + 4] << 8 | data[at + 5]
    position.rules = rules_of_number(data[at + 6])
    position.remaining = data[at + 7]
    if position.rules < 0 or position.black_to_move > 1 or position.full == 0:
        return False
    return position.ep_square == -1 or position.ep_square >> 3 == 2 or position.ep_square >> 3 == 5


def set_men(position: Position, planes: Planes) -> None:
    """Put the men of twelve planes, kinds two by two, on the board."""
    position.pawns = planes[0] | planes[1]
    position.knights = planes[2] | planes[3]
    position.bishops = planes[4] | planes[5]
    position.rooks = planes[6] | planes[7]
    position.queens = planes[8] | planes[9]
    position.kings = planes[10] | planes[11]
    position.white = planes[0] | planes[2] | planes[4] | planes[6] | planes[8] | planes[10]
    position.black = planes[1] | planes[3] | planes[5] | planes[7] | planes[9] | planes[11]


def is_form_of(position: Position, data: Chars, start: Size, width: Size) -> bool:
    """Whether bytes are the packed form of a position and then zeros."""
    form: Form
    i: Size
    size: Size
    odd: i32 = 0
    if not cython.compiled:
        form = bytearray(80)
    size = put_packed(position, form)
    if size > width:
        return False
    for i in range(size):
        odd |= data[start + i] ^ form[i]
    for i in range(size, width):
        odd |= data[start + i]
    return odd == 0


def byte_at(data: Chars, at: Size, end: Size) -> i32:
    """A byte; 0 where the bytes have ended."""
    return data[at] if at < end else 0


def word_at(data: Chars, at: Size) -> u64:
    """64 bits, highest byte first."""
    word: u64 = 0
    i: i32
    for i in range(8):
        word = word << 8 | data[at + i]
    return word


def leb128_at(data: Chars, at: Size, end: Size) -> i32:
    """A number of at most three bytes, its length above bit 24; 0 where the bytes have ended."""
    number: i32 = 0
    i: i32
    for i in range(3):
        if at + i >= end:
            break
        number |= (data[at + i] & 127) << 7 * i
        if data[at + i] < 128:
            return number | (i + 1) << 24
    return number | 3 << 24
