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
_HAND_COUNT_BITS: Final = 5
_CLOCK_BYTES: Final = 2


def piece_bits(sheet: Sheet) -> int:
    """Return the number of bits that one piece needs in the packed bytes of a game.

    Pieces are stored as their number minus 1, so 14 pieces need 4 bits.
    """
    return (len(sheet.letters) - 2).bit_length()


def packed_width(sheet: Sheet) -> int:
    """Return the maximum length of a packed legal position in bytes.

    It is the length with the maximum number of pieces, all of them on the board.
    """
    # Where captured pieces change sides, `max_count` is for both sides together.
    sides = 1 if sheet.has_hands else 2
    unpromoted_kinds = [kind for number, kind in enumerate(sheet.kinds) if sheet.base_kinds[number] == number]
    max_pieces = sides * sum(kind.max_count for kind in unpromoted_kinds)
    hand_bits = 2 * len(sheet.hand_kinds) * _HAND_COUNT_BITS
    bits = min(max_pieces, sheet.grid.size) * piece_bits(sheet) + hand_bits
    return _header_bytes(sheet) + _bitmap_bytes(sheet) + (bits + 7) // 8


def pack(position: GridPosition) -> bytes:
    """Return a position as bytes, which `unpack` reads.

    The parts are: version and side to move, the clocks, a bitmap of the occupied squares, the number of each
    piece on the board, and the counts in hand.
    """
    sheet, board = position.game.sheet, position.board
    bits_per_piece = piece_bits(sheet)
    clocks = (position.half, position.full) if "half" in sheet.fields else (position.full,)
    # The bits of pieces and hands are collected in one long integer.
    bitmap = piece_data = bit_count = 0
    for piece in board:
        bitmap = bitmap << 1 | (piece > 0)
        if piece:
            piece_data = piece_data << bits_per_piece | piece - 1
            bit_count += bits_per_piece
    for side in SIDES:
        for kind in sheet.hand_kinds:
            hand_count = position.hands[side * len(sheet.kinds) + kind]
            piece_data = piece_data << _HAND_COUNT_BITS | hand_count
            bit_count += _HAND_COUNT_BITS
    header = bytes((VERSION << 1 | position.turn,))
    header += b"".join(clock.to_bytes(_CLOCK_BYTES, "big") for clock in clocks)
    bitmap_padding, piece_padding = -len(board) % 8, -bit_count % 8
    return (
        header
        + (bitmap << bitmap_padding).to_bytes(_bitmap_bytes(sheet), "big")
        + (piece_data << piece_padding).to_bytes((bit_count + 7) // 8, "big")
    )


def unpack(game: GridGame, data: bytes) -> GridPosition:
    """Return the position that `pack` wrote. Raise `ValueError` if `data` is not a packed position.

    Other versions, other lengths, padding that is not zero, unknown pieces, and clocks out of range are
    rejected.
    """
    sheet = game.sheet
    size = sheet.grid.size
    header_end = _header_bytes(sheet)
    if not isinstance(data, bytes | bytearray | memoryview):
        raise _make_error(sheet)
    data = bytes(data)
    bitmap_end = header_end + _bitmap_bytes(sheet)
    if len(data) < bitmap_end or data[0] >> 1 != VERSION:
        raise _make_error(sheet)
    bitmap = int.from_bytes(data[header_end:bitmap_end], "big")
    piece_data = int.from_bytes(data[bitmap_end:], "big")
    bits_per_piece = piece_bits(sheet)
    used_bits = bitmap.bit_count() * bits_per_piece + 2 * len(sheet.hand_kinds) * _HAND_COUNT_BITS
    bits_left = 8 * len(data[bitmap_end:])
    clock_starts = range(1, header_end, _CLOCK_BYTES)
    clocks = [int.from_bytes(data[start : start + _CLOCK_BYTES], "big") for start in clock_starts]
    half, full = clocks if len(clocks) == 2 else (0, *clocks)
    bitmap_padding = -size % 8
    has_right_length = bits_left == (used_bits + 7) // 8 * 8
    # Padding must be zero, so that each position has only one packed form.
    if not has_right_length or bitmap & _low_bits(bitmap_padding):
        raise _make_error(sheet)
    if piece_data & _low_bits(bits_left - used_bits):
        raise _make_error(sheet)
    if half > MAX_CLOCK or not 1 <= full <= MAX_CLOCK:
        raise _make_error(sheet)
    board = bytearray(size)
    for square in range(size):
        if bitmap >> size + bitmap_padding - 1 - square & 1:
            bits_left -= bits_per_piece
            board[square] = (piece_data >> bits_left & _low_bits(bits_per_piece)) + 1
    if max(board) >= len(sheet.letters):
        raise _make_error(sheet)
    hands = bytearray(2 * len(sheet.kinds) if sheet.has_hands else 0)
    for side in SIDES:
        for kind in sheet.hand_kinds:
            bits_left -= _HAND_COUNT_BITS
            hands[side * len(sheet.kinds) + kind] = piece_data >> bits_left & _low_bits(_HAND_COUNT_BITS)
    return game.position(bytes(board), bytes(hands), data[0] & 1, half, full)


def _low_bits(count: int) -> int:
    """Return a number with only its `count` lowest bits set, such as ``0b111`` for 3."""
    return (1 << count) - 1


def _header_bytes(sheet: Sheet) -> int:
    """Return the length in bytes of the header: the version and side to move, then each clock of the game."""
    return 1 + _CLOCK_BYTES * (2 if "half" in sheet.fields else 1)


def _bitmap_bytes(sheet: Sheet) -> int:
    """Return the length in bytes of the bitmap of occupied squares: one bit per square, rounded up."""
    return (sheet.grid.size + 7) // 8


def _make_error(sheet: Sheet) -> ValueError:
    """Return the error for bytes that are not a packed position."""
    return ValueError(
        f"the bytes are not a packed position of {sheet.name}, expected those that pack returns"
    )
