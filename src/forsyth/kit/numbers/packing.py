"""Pack a position on a grid into bytes, and unpack it.

Bits are numbered from the highest bit of a byte to the lowest. Numbers of several bytes are big-endian. The
parts are:

* 1 byte: the version (1) in the upper seven bits, and the side to move in the lowest bit;
* 2 bytes for each clock of the game: the half-move clock, then the number of the move;
* the bitmap: one bit per square in the order of a text, set if a piece stands there, padded with zeros to a
  whole number of bytes;
* for each piece on the board its number minus 1, each in as many bits as the highest number needs;
* in games with hands, 5 bits for each count, padded with zeros to a whole number of bytes.

The bitmap determines the length. Unpacking rejects other lengths and versions, padding that is not zero,
unknown pieces, and clocks out of range.

Stability: the format never changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from forsyth.kit.sheet import MAX_CLOCK, SIDES, Sheet

if TYPE_CHECKING:
    from forsyth.kit.game import GridGame
    from forsyth.kit.position import GridPosition

VERSION: Final = 1
"""The version of the format, in the upper seven bits of the first byte."""
_BYTE_BITS: Final = 8
_HAND_COUNT_BITS: Final = 5
_CLOCK_BYTES: Final = 2


def count_piece_bits(sheet: Sheet) -> int:
    """Return the number of bits that one piece needs in the packed bytes of a game.

    Pieces are stored as their number minus 1, so 14 pieces, with the numbers 0 to 13, need 4 bits. `sheet` is
    the data of the game.
    """
    return (len(sheet.letters) - 2).bit_length()


def compute_packed_width(sheet: Sheet) -> int:
    """Return the maximum length of a packed legal position in bytes.

    It is the length with the maximum number of pieces, all of them on the board. `sheet` is the data of the
    game.
    """
    unpromoted_kinds = [kind for number, kind in enumerate(sheet.kinds) if sheet.base_kinds[number] == number]
    max_pieces = sum(kind.max_count for kind in unpromoted_kinds)
    # Where captured pieces change sides, `max_count` is for both sides together.
    if not sheet.has_hands:
        max_pieces *= len(SIDES)
    max_pieces = min(max_pieces, sheet.grid.size)
    bit_count = max_pieces * count_piece_bits(sheet) + _count_hand_bits(sheet)
    return _count_header_bytes(sheet) + _count_bitmap_bytes(sheet) + _count_bytes_for_bits(bit_count)


def pack(position: GridPosition) -> bytes:
    """Return a position as bytes, which `unpack` reads.

    The parts are: version and side to move, the clocks, a bitmap of the occupied squares, the number of each
    piece on the board, and the counts in hand.
    """
    sheet = position.game.sheet
    clocks = (position.half, position.full) if "half" in sheet.fields else (position.full,)
    header = bytes([(VERSION << 1) | position.turn])
    header += b"".join(clock.to_bytes(_CLOCK_BYTES, "big") for clock in clocks)

    # The bits of the bitmap and those of the pieces are each collected in one long integer.
    bits_per_piece = count_piece_bits(sheet)
    bitmap = 0
    piece_data = 0
    bit_count = 0
    for piece in position.board:
        bitmap = (bitmap << 1) | (1 if piece else 0)
        if piece:
            piece_data = (piece_data << bits_per_piece) | (piece - 1)
            bit_count += bits_per_piece
    for side in SIDES:
        for kind in sheet.hand_kinds:
            hand_count = position.hands[side * len(sheet.kinds) + kind]
            piece_data = (piece_data << _HAND_COUNT_BITS) | hand_count
            bit_count += _HAND_COUNT_BITS
    return (
        header
        + _convert_to_padded_bytes(bitmap, sheet.grid.size)
        + _convert_to_padded_bytes(piece_data, bit_count)
    )


def _convert_to_padded_bytes(bits: int, bit_count: int) -> bytes:
    """Return a number of `bit_count` bits as bytes, the highest bits first, padded with zeros at the end.

    The three bits ``101`` become the byte ``10100000``.
    """
    padding = -bit_count % _BYTE_BITS
    return (bits << padding).to_bytes(_count_bytes_for_bits(bit_count), "big")


def unpack(game: GridGame, data: bytes) -> GridPosition:
    """Return the position that `pack` wrote. Raise `ValueError` if `data` is not a packed position.

    Other versions, other lengths, padding that is not zero, unknown pieces, and clocks out of range are
    rejected.
    """
    sheet = game.sheet
    if not isinstance(data, bytes | bytearray | memoryview):
        raise _make_packed_form_error(sheet)
    data = bytes(data)
    header_end = _count_header_bytes(sheet)
    bitmap_end = header_end + _count_bitmap_bytes(sheet)
    if len(data) < bitmap_end:
        raise _make_packed_form_error(sheet)
    first_byte = data[0]
    version, turn = first_byte >> 1, first_byte & 1
    half, full = _read_clocks(data[1:header_end])
    if version != VERSION or half > MAX_CLOCK or not 1 <= full <= MAX_CLOCK:
        raise _make_packed_form_error(sheet)
    board, hands = _unpack_pieces(sheet, data[header_end:bitmap_end], data[bitmap_end:])
    return game.position(board, hands, turn, half, full)


def _read_clocks(clock_data: bytes) -> tuple[int, int]:
    """Return the half-move clock, 0 if the game has none, and the move number.

    `clock_data` has two bytes for each clock, the higher one first.
    """
    starts = range(0, len(clock_data), _CLOCK_BYTES)
    clocks = [int.from_bytes(clock_data[start : start + _CLOCK_BYTES], "big") for start in starts]
    if len(clocks) == 1:
        return 0, clocks[0]
    half_move_clock, move_number = clocks
    return half_move_clock, move_number


def _unpack_pieces(sheet: Sheet, bitmap_data: bytes, piece_data: bytes) -> tuple[bytes, bytes]:
    """Return the board and the hands of a packed position. Raise `ValueError` if the bytes are not valid.

    Args:
        sheet: The sheet of the game.
        bitmap_data: The bitmap of the occupied squares.
        piece_data: All bytes after the bitmap: the pieces on the board, then the counts in hand.
    """
    size = sheet.grid.size
    bits_per_piece = count_piece_bits(sheet)
    bitmap = int.from_bytes(bitmap_data, "big")
    piece_number_bits = int.from_bytes(piece_data, "big")
    used_bits = bitmap.bit_count() * bits_per_piece + _count_hand_bits(sheet)
    if len(piece_data) != _count_bytes_for_bits(used_bits):
        raise _make_packed_form_error(sheet)
    # Padding must be zero, so that each position has only one packed form.
    bitmap_padding, piece_padding = -size % _BYTE_BITS, -used_bits % _BYTE_BITS
    if bitmap & _make_low_bit_mask(bitmap_padding) or piece_number_bits & _make_low_bit_mask(piece_padding):
        raise _make_packed_form_error(sheet)

    bits_left = len(piece_data) * _BYTE_BITS
    board = bytearray(size)
    for square in range(size):
        is_occupied = (bitmap >> (size + bitmap_padding - 1 - square)) & 1
        if is_occupied:
            bits_left -= bits_per_piece
            board[square] = ((piece_number_bits >> bits_left) & _make_low_bit_mask(bits_per_piece)) + 1
    if max(board) >= len(sheet.letters):
        raise _make_packed_form_error(sheet)
    hands = bytearray(2 * len(sheet.kinds) if sheet.has_hands else 0)
    for side in SIDES:
        for kind in sheet.hand_kinds:
            bits_left -= _HAND_COUNT_BITS
            hand_count = (piece_number_bits >> bits_left) & _make_low_bit_mask(_HAND_COUNT_BITS)
            hands[side * len(sheet.kinds) + kind] = hand_count
    return bytes(board), bytes(hands)


def _make_low_bit_mask(count: int) -> int:
    """Return a number with only its `count` lowest bits set, such as ``0b111`` for 3."""
    return (1 << count) - 1


def _count_header_bytes(sheet: Sheet) -> int:
    """Return the length in bytes of the header: the version and side to move, then each clock of the game."""
    clock_count = 2 if "half" in sheet.fields else 1
    return 1 + _CLOCK_BYTES * clock_count


def _count_bitmap_bytes(sheet: Sheet) -> int:
    """Return the length in bytes of the bitmap of occupied squares: one bit per square, rounded up."""
    return _count_bytes_for_bits(sheet.grid.size)


def _count_hand_bits(sheet: Sheet) -> int:
    """Return the length in bits of the counts of both hands, 0 in games without hands."""
    return len(SIDES) * len(sheet.hand_kinds) * _HAND_COUNT_BITS


def _count_bytes_for_bits(bit_count: int) -> int:
    """Return the number of bytes that hold `bit_count` bits."""
    return (bit_count + _BYTE_BITS - 1) // _BYTE_BITS


def _make_packed_form_error(sheet: Sheet) -> ValueError:
    """Return the error for bytes that are not a packed position of a game. `sheet` is its data."""
    return ValueError(
        f"the bytes are not a packed position of {sheet.name}, expected those that pack returns"
    )
