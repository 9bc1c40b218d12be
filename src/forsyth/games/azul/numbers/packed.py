"""The packed form and the key of an Azul position: bytes for stores and columns, 128 bits for comparing.

The first byte is the version, 1. Then

* one byte: bits 0 and 1 the number of players less 2, bits 2 and 3 the phase (0 offer, 1 tiling due, 2 tiling
  done, 3 ended), bit 4 if the position is complete, bit 5 if the marker lies in the centre, bit 6 if the rest
  is text;
* one byte: bits 0 and 1 the current player, bits 2 and 3 the starting player; two bytes: the round;
* one byte for each factory: the number of its tiles' multiset in FORMS; five bytes: the centre by colour;
* for each player 14 bytes: four for the wall, bit 5·row + column, and bit 25 if the marker is held; five for
  the lines, each 0 or 8·colour + tiles with colours from 1; three for the floor, three bits for each space
  from the lowest on, 1 to 5 a colour, 6 the marker; two for the score, signed;
* five bytes each: bag and discard by colour.

So a game of two takes 53 bytes, of three 69, of four 85, whatever the position. One that cannot arise (a
colour in the wrong cell, a line too long, more than 255 tiles) has bit 6 set, all other bits of its second
byte 0, and behind it the canonical text.

The key is a hash (BLAKE2b, 128 bits) of the canonical text. A standard text and the extended one of the same
moment have different keys: the one is a visible position, the other a complete one.

Numbers of several bytes are little-endian. Reading: `unpack` takes what `pack` writes and nothing else.
For whole columns `pack_cells` and `unpack_cells` do the same with cells, except for the forms that hold text;
zeros behind a form are taken as well.
Stability: bytes and key of a position never change (tests/golden/azul/keys.jsonl.gz holds that).
Limits: at most MAX_BYTES bytes.
"""

from __future__ import annotations

import hashlib
from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.azul.notation.fen import read_fen
from forsyth.games.azul.notation.write import write_canonical
from forsyth.games.azul.position import Board, Position
from forsyth.games.azul.rules.scoring import is_printed
from forsyth.games.azul.tiles import counts_of

if not cython.compiled:
    from forsyth.games.azul.notation.cells import (
        BAG,
        BOARD,
        BOARD_CELLS,
        CELLS,
        CENTER,
        COMPLETE,
        CURRENT,
        DISCARD,
        FACTORY,
        FINDINGS,
        FLOOR,
        HELD,
        LINE,
        MARKER_IN_CENTER,
        PHASE,
        PLAYERS,
        ROUND,
        SCORE,
        SPACES,
        START,
        STRANGE,
        WALL,
        Cells,
        Count,
        cells_of,
        position_of,
    )
    from forsyth.games.azul.tiles import FLOOR_SPACES, SIZE

    Packed = bytes
    Out = bytearray | memoryview
    Size = int
    VERSION: Final = 1
    FORM_COUNT: Final = 126
    HELD_BIT: Final = 25
    MOST_POINTS: Final = 9999
    MOST_ROUNDS: Final = 9999
    PACKED: Final = 0
    BAD_SHAPE: Final = 1
    BAD_LINE: Final = 2
    BAD_BOARD: Final = 3
    BAD_NUMBER: Final = 4
    NOT_PACKED: Final = 5
    _TEXT: Final = 64

Data = bytes | bytearray | memoryview
"""What `unpack` takes."""
MAX_BYTES: Final = 1026
_MOST: Final = 255
_REASONS: Final = (
    "",
    "these bytes do not have the shape of a position",
    "a pattern line cannot be",
    "the floor or the score of a board cannot be",
    "the round or a player is out of range",
    "these bytes are not the packed form of a position",
)
"""What is said about bytes for each answer of `unpack_cells`."""


def position_key(position: Position) -> str:
    """32 hexadecimal digits."""
    return hashlib.blake2b(write_canonical(position).encode(), digest_size=16).hexdigest()


def pack(position: Position) -> bytes:
    """The one packed form of a position."""
    cells: Cells
    # What is sound is compact: nobody need look again.
    if not position.sound and not _is_compact(position):
        return bytes((VERSION, _TEXT)) + write_canonical(position).encode()
    if not cython.compiled:
        cells = [0] * CELLS
    cells_of(position, cells)
    out = bytearray(packed_size(len(position.boards)))
    pack_cells(cells, out, 0)
    return bytes(out)


def _is_compact(position: Position) -> bool:
    counts = (*counts_of(position.center), *position.bag, *position.discard)
    return max(counts) <= _MOST and all(_is_compact_board(board) for board in position.boards)


def _is_compact_board(board: Board) -> bool:
    for line, tiles in enumerate(board.lines):
        if len(tiles) > line + 1 or tiles != tiles[:1] * len(tiles):
            return False
    return len(board.floor) <= FLOOR_SPACES and is_printed(board.wall)


def unpack(data: Data) -> Position:
    """The position of a packed form; `ValueError` for every other string of bytes."""
    cells: Cells
    if not isinstance(data, bytes | bytearray | memoryview):
        raise ValueError(f"packed azul: bytes are expected, not {type(data).__name__}")
    form: bytes = bytes(data)
    if not 2 <= len(form) <= MAX_BYTES:
        raise ValueError(f"packed azul: {len(form)} bytes, expected 2 to {MAX_BYTES}")
    if form[0] != VERSION:
        raise ValueError(f"packed azul: the version is not {VERSION}")
    if form[1] == _TEXT:
        return _from_text(form)
    if not cython.compiled:
        cells = [0] * CELLS
    reason = unpack_cells(form, len(form), cells)
    if reason == PACKED and len(form) != packed_size(cells[PLAYERS]):
        reason = BAD_SHAPE
    if reason != PACKED:
        raise ValueError(f"packed azul: {_REASONS[reason]}")
    return position_of(cells, None)


def _from_text(data: bytes) -> Position:
    position = read_fen(data[2:].decode("ascii", "replace")).position
    if position is None:
        raise ValueError("packed azul: the text inside cannot be read")
    if pack(position) != data:
        raise ValueError("packed azul: these bytes are not the packed form of a position")
    return position


# --- cells ------------------------------------------------------------------------------------------


def packed_size(players: Count) -> Size:
    """The bytes of a packed form: head, factories, centre, boards, bag and discard."""
    return 5 + 2 * players + 1 + 5 + 14 * players + 10


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


def unpack_cells(data: Packed, size: Size, cells: Cells) -> Count:
    """PACKED for so many bytes of a form and zeros, or what is wrong; its cells without what is counted."""
    number: Count
    reason: Count
    at: Size = 5
    if size < packed_size(2):
        return BAD_SHAPE
    _unpack_head(data, cells)
    if cells[PLAYERS] > 4 or size < packed_size(cells[PLAYERS]):
        return BAD_SHAPE
    for number in range(2 * cells[PLAYERS] + 1):
        if data[at] >= FORM_COUNT:
            return BAD_SHAPE
        cells[FACTORY + number] = data[at]
        at += 1
    for number in range(SIZE):
        cells[CENTER + number] = data[at]
        at += 1
    for number in range(cells[PLAYERS]):
        reason = _unpack_board(data, at, cells, BOARD + BOARD_CELLS * number)
        if reason != PACKED:
            return reason
        at += 14
    if cells[CURRENT] >= cells[PLAYERS] or (cells[START] & 3) >= cells[PLAYERS]:
        return BAD_NUMBER
    if cells[ROUND] < 1 or cells[ROUND] > MOST_ROUNDS:
        return BAD_NUMBER
    for number in range(SIZE):
        cells[BAG + number] = data[at + number]
        cells[DISCARD + number] = data[at + SIZE + number]
    at += 2 * SIZE
    while at < size:
        if data[at] != 0:
            return BAD_SHAPE
        at += 1
    return PACKED if _is_canonical(data, cells) else NOT_PACKED


def _unpack_head(data: Packed, cells: Cells) -> None:
    flags: Count = data[1]
    cells[PLAYERS] = (flags & 3) + 2
    cells[PHASE] = flags >> 2 & 3
    cells[COMPLETE] = flags >> 4 & 1
    cells[MARKER_IN_CENTER] = flags >> 5 & 1
    cells[CURRENT] = data[2] & 3
    cells[START] = data[2] >> 2
    cells[ROUND] = data[3] | data[4] << 8
    cells[FINDINGS] = 0
    cells[STRANGE] = 0


def _is_canonical(data: Packed, cells: Cells) -> bool:
    """Whether no bit is set that has no meaning, and no line holds more than it has room for."""
    player: Count
    row: Count
    at: Count
    if data[0] != VERSION or data[1] >= _TEXT or cells[START] > 3:
        return False
    for player in range(cells[PLAYERS]):
        at = BOARD + BOARD_CELLS * player
        if cells[at + HELD] > 1:
            return False
        for row in range(SIZE):
            if (cells[at + LINE + row] & 7) > row + 1:
                return False
    return True


def _unpack_board(data: Packed, at: Size, cells: Cells, place: Count) -> Count:
    row: Count
    line: Count
    score: Count = data[at + 12] | data[at + 13] << 8
    wall: Count = data[at] | data[at + 1] << 8 | data[at + 2] << 16
    # Bit 24 is the last cell of the wall, and bit 25 the marker's.
    wall |= (data[at + 3] & 1) << 24
    cells[place + HELD] = data[at + 3] >> 1
    for row in range(SIZE):
        cells[place + WALL + row] = wall >> SIZE * row & 31
        line = data[at + 4 + row]
        cells[place + LINE + row] = line
        if line and (line >> 3 < 1 or line >> 3 > SIZE or line & 7 < 1):
            return BAD_LINE
    if score >= 0x8000:
        score -= 0x10000
    cells[place + SCORE] = score
    if score > MOST_POINTS or score < -MOST_POINTS:
        return BAD_BOARD
    return _unpack_floor(cells, data[at + 9] | data[at + 10] << 8 | data[at + 11] << 16, place)


def _unpack_floor(cells: Cells, floor: Count, place: Count) -> Count:
    """Spaces are occupied from the first on, each by a colour or by the marker."""
    spaces: Count = 0
    cells[place + FLOOR] = floor
    while floor:
        if floor & 7 == 0 or floor & 7 == 7:
            return BAD_BOARD
        floor >>= 3
        spaces += 1
    cells[place + SPACES] = spaces
    return PACKED if spaces <= FLOOR_SPACES else NOT_PACKED
