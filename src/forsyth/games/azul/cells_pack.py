"""Azul cells as the packed form and back, byte for byte that of `packed`, which is the law.

Accepts, unpacking: a form of 53, 69 or 85 bytes as `packed.pack` writes it, and zeros behind it. Forms that
hold text are those of positions that cannot arise; they are left to `packed`.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.games.azul.cells import (
        BAG,
        BOARD,
        BOARD_CELLS,
        CENTER,
        COMPLETE,
        CURRENT,
        DISCARD,
        FACTORY,
        FLOOR,
        HELD,
        LINE,
        LOOSE,
        MARKER_IN_CENTER,
        PHASE,
        PLAYERS,
        ROUND,
        SCORE,
        SPACES,
        START,
        WALL,
        Cells,
        Count,
    )
    from forsyth.games.azul.packed import VERSION
    from forsyth.games.azul.tiles import FLOOR_SPACES, SIZE

    Packed = bytes | memoryview
    Out = bytearray | memoryview
    Size = int
    FORM_COUNT: Final = 126
    HELD_BIT: Final = 25
    MOST_POINTS: Final = 9999
    MOST_ROUNDS: Final = 9999


def packed_size(players: Count) -> Size:
    """The bytes of a packed form: head, factories, centre, boards, bag and discard."""
    return 5 + 2 * players + 1 + 5 + 14 * players + 10


# --- packing ----------------------------------------------------------------------------------------


def pack_cells(cells: Cells, out: Out, at: Size) -> Size:
    """Write the packed form at a place; where it ends."""
    number: Count
    out[at] = VERSION
    out[at + 1] = cells[PLAYERS] - 2 | cells[PHASE] << 2 | cells[COMPLETE] << 4 | cells[MARKER_IN_CENTER] << 5
    out[at + 2] = cells[CURRENT] | cells[START] << 2
    out[at + 3] = cells[ROUND] & 255
    out[at + 4] = cells[ROUND] >> 8
    at += 5
    for number in range(2 * cells[PLAYERS] + 1):
        out[at] = cells[FACTORY + number]
        at += 1
    for number in range(SIZE):
        out[at] = cells[CENTER + number]
        at += 1
    for number in range(cells[PLAYERS]):
        at = _pack_board(cells, out, at, BOARD + BOARD_CELLS * number)
    for number in range(SIZE):
        out[at + number] = cells[BAG + number]
        out[at + SIZE + number] = cells[DISCARD + number]
    return at + 2 * SIZE


def _pack_board(cells: Cells, out: Out, at: Size, place: Count) -> Size:
    row: Count
    wall: Count = cells[place + HELD] << HELD_BIT
    floor: Count = cells[place + FLOOR]
    score: Count = cells[place + SCORE]
    for row in range(SIZE):
        wall |= cells[place + WALL + row] << SIZE * row
        out[at + 4 + row] = cells[place + LINE + row]
    out[at] = wall & 255
    out[at + 1] = wall >> 8 & 255
    out[at + 2] = wall >> 16 & 255
    out[at + 3] = wall >> 24 & 255
    out[at + 9] = floor & 255
    out[at + 10] = floor >> 8 & 255
    out[at + 11] = floor >> 16 & 255
    out[at + 12] = score & 255
    out[at + 13] = score >> 8 & 255
    return at + 14


# --- unpacking --------------------------------------------------------------------------------------


def unpack_cells(data: Packed, at: Size, end: Size, cells: Cells) -> bool:
    """Whether the bytes from `at` to `end` are a packed form and zeros; its cells without what is counted."""
    number: Count
    if end - at < packed_size(2) or not _unpack_head(data, at, cells):
        return False
    if end - at < packed_size(cells[PLAYERS]):
        return False
    at += 5
    for number in range(2 * cells[PLAYERS] + 1):
        if data[at] >= FORM_COUNT:
            return False
        cells[FACTORY + number] = data[at]
        at += 1
    for number in range(SIZE):
        cells[CENTER + number] = data[at]
        at += 1
    for number in range(cells[PLAYERS]):
        if not _unpack_board(data, at, cells, BOARD + BOARD_CELLS * number):
            return False
        at += 14
    for number in range(SIZE):
        cells[BAG + number] = data[at + number]
        cells[DISCARD + number] = data[at + SIZE + number]
    at += 2 * SIZE
    while at < end:
        if data[at] != 0:
            return False
        at += 1
    return True


def _unpack_head(data: Packed, at: Size, cells: Cells) -> bool:
    flags: Count = data[at + 1]
    cells[PLAYERS] = (flags & 3) + 2
    cells[PHASE] = flags >> 2 & 3
    cells[COMPLETE] = flags >> 4 & 1
    cells[MARKER_IN_CENTER] = flags >> 5 & 1
    cells[CURRENT] = data[at + 2] & 3
    cells[START] = data[at + 2] >> 2
    cells[ROUND] = data[at + 3] | data[at + 4] << 8
    cells[LOOSE] = 0
    if data[at] != VERSION or flags >= 64 or cells[PLAYERS] > 4:
        return False
    if cells[CURRENT] >= cells[PLAYERS] or cells[START] >= cells[PLAYERS]:
        return False
    return 1 <= cells[ROUND] <= MOST_ROUNDS


def _unpack_board(data: Packed, at: Size, cells: Cells, place: Count) -> bool:
    row: Count
    line: Count
    score: Count = data[at + 12] | data[at + 13] << 8
    wall: Count = data[at] | data[at + 1] << 8 | data[at + 2] << 16
    # The byte of bit 25 has two bits that are used; a wall with others would not fit a signed number.
    if data[at + 3] > 3:
        return False
    wall |= data[at + 3] << 24
    cells[place + HELD] = wall >> HELD_BIT
    for row in range(SIZE):
        cells[place + WALL + row] = wall >> SIZE * row & 31
        line = data[at + 4 + row]
        cells[place + LINE + row] = line
        if line and (line >> 3 < 1 or line >> 3 > SIZE or line & 7 < 1 or line & 7 > row + 1):
            return False
    if score >= 0x8000:
        score -= 0x10000
    cells[place + SCORE] = score
    if score > MOST_POINTS or score < -MOST_POINTS:
        return False
    return _unpack_floor(cells, data[at + 9] | data[at + 10] << 8 | data[at + 11] << 16, place)


def _unpack_floor(cells: Cells, floor: Count, place: Count) -> bool:
    """Spaces are occupied from the first on, each by a colour or by the marker."""
    spaces: Count = 0
    cells[place + FLOOR] = floor
    while floor:
        if floor & 7 == 0 or floor & 7 == 7:
            return False
        floor >>= 3
        spaces += 1
    cells[place + SPACES] = spaces
    return spaces <= FLOOR_SPACES
