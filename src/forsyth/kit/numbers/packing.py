"""The binary form of a position on a grid.

Layout, bits of a byte from the highest to the lowest, numbers of several bytes with the highest byte first:

* 1 byte: 2, and 1 more where the second side moves (the version is 1);
* 2 bytes for each clock that a text has: the half-move clock, then the number of the move;
* a bit for each square in the order of a text, set where a man stands, and zeros up to the end of a byte;
* for each man as many bits as the largest needs: its number in the order of the sheet, the first is 0;
* where there are hands 5 bits for each count, and zeros up to the end of a byte.

The bitmap tells the length. Refused: other lengths and versions, bits that should be zero, numbers that no
man has, and clocks out of range. Stability: promised for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from forsyth.kit.sheet import MAX_CLOCK, SIDES, Sheet

if TYPE_CHECKING:
    from forsyth.kit.game import GridGame
    from forsyth.kit.position import GridPosition

VERSION: Final = 1
_HELD_BITS: Final = 5


def man_bits(sheet: Sheet) -> int:
    """How many bits a man takes."""
    return (len(sheet.letters) - 2).bit_length()


def packed_width(sheet: Sheet) -> int:
    """The bytes of the longest form of a legal position: as many men as there can be, all on the board."""
    sides = 1 if sheet.has_hands else 2
    men = sides * sum(
        kind.most for number, kind in enumerate(sheet.kinds) if sheet.base_kinds[number] == number
    )
    held = 2 * len(sheet.held) * _HELD_BITS
    bits = min(men, sheet.grid.size) * man_bits(sheet) + held
    return _head(sheet) + _bitmap(sheet) + (bits + 7) // 8


def pack(position: GridPosition) -> bytes:
    """The binary form of a position."""
    sheet, board = position.game.sheet, position.board
    bits = man_bits(sheet)
    clocks = (position.half, position.full) if "half" in sheet.fields else (position.full,)
    bitmap = men = count = 0
    for man in board:
        bitmap = bitmap << 1 | (man > 0)
        if man:
            men = men << bits | man - 1
            count += bits
    for side in SIDES:
        for kind in sheet.held:
            men = men << _HELD_BITS | position.hands[side * len(sheet.kinds) + kind]
            count += _HELD_BITS
    head = bytes((VERSION << 1 | position.turn,)) + b"".join(clock.to_bytes(2, "big") for clock in clocks)
    filled = -len(board) % 8
    return (
        head
        + (bitmap << filled).to_bytes(_bitmap(sheet), "big")
        + (men << -count % 8).to_bytes((count + 7) // 8, "big")
    )


def unpack(game: GridGame, data: bytes) -> GridPosition:
    """The position of a binary form; raises `ValueError` when it is none."""
    sheet = game.sheet
    head, size = _head(sheet), sheet.grid.size
    if not isinstance(data, bytes | bytearray | memoryview):
        raise _not_packed(sheet)
    data = bytes(data)
    rest = head + _bitmap(sheet)
    if len(data) < rest or data[0] >> 1 != VERSION:
        raise _not_packed(sheet)
    bitmap = int.from_bytes(data[head:rest], "big")
    bits, per_man = 8 * len(data[rest:]), man_bits(sheet)
    used = bitmap.bit_count() * per_man + 2 * len(sheet.held) * _HELD_BITS
    tail = int.from_bytes(data[rest:], "big")
    clocks = [int.from_bytes(data[at : at + 2], "big") for at in range(1, head, 2)]
    half, full = clocks if len(clocks) == 2 else (0, *clocks)
    spare = -size % 8
    sound = (
        bits == (used + 7) // 8 * 8 and not bitmap & (1 << spare) - 1 and not tail & (1 << bits - used) - 1
    )
    if not sound or half > MAX_CLOCK or not 1 <= full <= MAX_CLOCK:
        raise _not_packed(sheet)
    board = bytearray(size)
    for square in range(size):
        if bitmap >> size + spare - 1 - square & 1:
            bits -= per_man
            board[square] = (tail >> bits & (1 << per_man) - 1) + 1
    if max(board) >= len(sheet.letters):
        raise _not_packed(sheet)
    hands = bytearray(2 * len(sheet.kinds) if sheet.has_hands else 0)
    for side in SIDES:
        for kind in sheet.held:
            bits -= _HELD_BITS
            hands[side * len(sheet.kinds) + kind] = tail >> bits & (1 << _HELD_BITS) - 1
    return game.position(bytes(board), bytes(hands), data[0] & 1, half, full)


def _head(sheet: Sheet) -> int:
    return 5 if "half" in sheet.fields else 3


def _bitmap(sheet: Sheet) -> int:
    return (sheet.grid.size + 7) // 8


def _not_packed(sheet: Sheet) -> ValueError:
    return ValueError(f"the bytes are not a packed position of {sheet.name}")
