"""The packed form and the key of an Azul position: bytes for stores and columns, and a hash of 128 bits.

The first byte is the version, 1. Then follow:

* one byte: bits 0 and 1 the number of players minus 2, bits 2 and 3 the phase (0 offer, 1 tiling due, 2
  tiling done, 3 ended), bit 4 set if the position is complete, bit 5 if the marker is in the centre, bit 6 if
  the rest is text;
* one byte: bits 0 and 1 the current player, bits 2 and 3 the starting player;
* two bytes: the round;
* one byte for each factory: the index of its tiles in FORMS;
* five bytes: the tiles in the centre by colour;
* for each player 14 bytes: four for the wall, bit 5·row + column, with bit 25 set if the marker is held; five
  for the lines, each 0 or 8·colour + tiles with colours from 1; three for the floor, three bits for each
  space from the lowest on, 1 to 5 a colour, 6 the marker; two for the score, signed;
* five bytes each: bag and discard by colour.

A game of two players takes 53 bytes, of three 69, of four 85. Some positions that no game reaches do not fit
(a colour in the wrong cell, a line that is too long, more than 255 tiles). Their second byte has only bit 6
set, and the canonical text follows.

The key is a hash (BLAKE2b, 128 bits) of the canonical text. A standard text and an extended text of the same
moment have different keys, because one is a visible position and the other a complete one.

Numbers of several bytes are little-endian. `unpack` accepts exactly what `pack` writes. For whole columns
`pack_cells` and `unpack_cells` do the same with cells, except for the forms that contain text. They also
accept zeros after a form.
Stability: bytes and key of a position never change (tests/golden/azul/keys.jsonl.gz checks that).
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
from forsyth.games.azul.rules.scoring import has_printed_colours
from forsyth.games.azul.tiles import count_colours

if not cython.compiled:
    from forsyth.games.azul.notation.cells import (
        BAG,
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
    from forsyth.games.azul.rules.legality import get_board_index
    from forsyth.games.azul.tiles import FLOOR_SPACES, SIZE, count_factories

    Packed = bytes
    Out = bytearray | memoryview
    Size = int
    VERSION: Final = 1
    FORM_COUNT: Final = 126
    HELD_BIT: Final = 25
    MAX_POINTS: Final = 9999
    MAX_ROUNDS: Final = 9999
    PACKED: Final = 0
    BAD_SHAPE: Final = 1
    BAD_LINE: Final = 2
    BAD_BOARD: Final = 3
    BAD_NUMBER: Final = 4
    NOT_PACKED: Final = 5
    """Results of `unpack_cells`: PACKED for a valid form, else the reason why it is not."""
    _TEXT_FLAG: Final = 64
    """Bit of the second byte that is set if the rest is text."""
    MIN_PACKED_PLAYERS: Final = 2
    MAX_PACKED_PLAYERS: Final = 4
    HEAD_BYTES: Final = 5
    """Length of the part before the factories."""
    VERSION_OFFSET: Final = 0
    FLAGS_OFFSET: Final = 1
    PLAYERS_OFFSET: Final = 2
    ROUND_OFFSET: Final = 3
    """Offsets of the version, the flags, the current and starting player, and the round."""
    MARKER_OFFSET: Final = 3
    """Offset of the byte with the last wall cell and the held marker in the part of a player."""
    BOARD_BYTES: Final = 14
    """Length of the part of a player; the wall is at its start."""
    LINES_OFFSET: Final = 4
    FLOOR_OFFSET: Final = 9
    SCORE_OFFSET: Final = 12
    """Offsets of the lines, the floor and the score in the part of a player."""
    BYTE_MASK: Final = 255
    PLAYERS_MASK: Final = 3
    """Bits of the number of players minus 2 in the second byte, and of a player in the third."""
    PHASE_SHIFT: Final = 2
    PHASE_MASK: Final = 3
    COMPLETE_SHIFT: Final = 4
    MARKER_SHIFT: Final = 5
    """Positions of the bits of the second byte that the module describes."""
    START_SHIFT: Final = 2
    ROW_MASK: Final = 31
    LAST_CELL_BIT: Final = 24
    """Bit of the last cell in the number of the wall. HELD_BIT is the next one."""
    TILES_MASK: Final = 7
    COLOUR_SHIFT: Final = 3
    """Parts of the byte of a line: the number of tiles, and above it the colour."""
    SYMBOL_MASK: Final = 7
    SYMBOL_BITS: Final = 3
    UNUSED_SYMBOL: Final = 7
    """Bits of one space in the number of the floor."""
    SIGN_BIT: Final = 0x8000
    SCORE_RANGE: Final = 0x10000
    """Number of values of a score in two bytes, to restore its sign."""

    def read_uint16(data: Packed, offset: Size) -> Count:
        """Return the number in two bytes of `data` from `offset` on, little-endian, without a sign."""
        return data[offset] | (data[offset + 1] << 8)

    def write_uint16(output: Out, offset: Size, value: Count) -> None:
        """Write the lowest 16 bits of `value` to two bytes of `output` from `offset` on, little-endian."""
        output[offset] = value & BYTE_MASK
        output[offset + 1] = (value >> 8) & BYTE_MASK


Data = bytes | bytearray | memoryview
"""The types that `unpack` accepts."""
MAX_BYTES: Final = 1026
_MIN_BYTES: Final = 2
_MAX_BYTE: Final = 255
_KEY_BYTES: Final = 16
_TEXT_OFFSET: Final = 2
"""Index of the first byte of the text in a packed form that contains text."""
_ERRORS: Final = (
    "",
    "the lengths or numbers in the bytes do not fit a position",
    "a pattern line has an invalid colour or number of tiles",
    "a board has an invalid floor line or score",
    "the round or a player is out of range",
    "the bytes are not the form that pack writes",
)
"""The error message for each result of `unpack_cells`."""


def position_key(position: Position) -> str:
    """Return the key of a position: a hash of its canonical text as 32 hexadecimal digits."""
    text_bytes = write_canonical(position).encode()
    return hashlib.blake2b(text_bytes, digest_size=_KEY_BYTES).hexdigest()


def pack(position: Position) -> bytes:
    """Return a position as bytes, which `unpack` reads: 53 for two players, 69 for three, 85 for four.

    For a position that no game reaches, the bytes may contain its canonical text instead.
    """
    cells: Cells
    # A sound position always fits the compact form.
    if not position.is_sound and not _is_compact(position):
        return bytes((VERSION, _TEXT_FLAG)) + write_canonical(position).encode()
    if not cython.compiled:
        cells = [0] * CELLS
    cells_of(position, cells)
    output = bytearray(get_packed_size(len(position.boards)))
    pack_cells(cells, output, 0)
    return bytes(output)


def _is_compact(position: Position) -> bool:
    """Return True if the position fits the packed form of fixed length.

    Each count must fit one byte, and each board must be one that the rules allow.
    """
    counts = (*count_colours(position.center), *position.bag, *position.discard)
    return max(counts) <= _MAX_BYTE and all(_is_compact_board(board) for board in position.boards)


def _is_compact_board(board: Board) -> bool:
    """Return True if a board fits the packed form of fixed length.

    Its lines must have one colour and not too many tiles, its floor at most seven, and its wall only tiles on
    cells of their colour.
    """
    for line, tiles in enumerate(board.lines):
        has_one_colour = tiles == tiles[:1] * len(tiles)
        if len(tiles) > line + 1 or not has_one_colour:
            return False
    return len(board.floor) <= FLOOR_SPACES and has_printed_colours(board.wall)


def unpack(data: Data) -> Position:
    """Return the position that `pack` wrote. Raise `ValueError` if `data` is not a packed position."""
    cells: Cells
    if not isinstance(data, bytes | bytearray | memoryview):
        raise ValueError(f"packed azul: bytes are expected, not {type(data).__name__}")
    packed: bytes = bytes(data)
    if not _MIN_BYTES <= len(packed) <= MAX_BYTES:
        raise ValueError(f"packed azul: {len(packed)} bytes, expected {_MIN_BYTES} to {MAX_BYTES}")
    version = packed[VERSION_OFFSET]
    if version != VERSION:
        raise ValueError(f"packed azul: the version is {version}, expected {VERSION}")
    if packed[FLAGS_OFFSET] == _TEXT_FLAG:
        return _unpack_text(packed)
    if not cython.compiled:
        cells = [0] * CELLS
    status = unpack_cells(packed, len(packed), cells)
    # `unpack_cells` also accepts zeros at the end, but `pack` never writes them.
    if status == PACKED and len(packed) != get_packed_size(cells[PLAYERS]):
        status = BAD_SHAPE
    if status != PACKED:
        raise ValueError(f"packed azul: {_ERRORS[status]}")
    return position_of(cells, None)


def _unpack_text(data: bytes) -> Position:
    """Return the position of packed bytes that contain its canonical text from the third byte on.

    Raise `ValueError` if the text cannot be read, or if `pack` would write other bytes.
    """
    text = data[_TEXT_OFFSET:].decode("ascii", "replace")
    position = read_fen(text).position
    if position is None:
        raise ValueError("packed azul: the text in the bytes is not a valid position")
    if pack(position) != data:
        raise ValueError("packed azul: the bytes are not the form that pack writes")
    return position


# --- cells ------------------------------------------------------------------------------------------


def get_packed_size(players: Count) -> Size:
    """Return the length in bytes of a packed position of fixed length: 53, 69 or 85."""
    center_bytes: Count = SIZE
    bag_and_discard_bytes: Count = 2 * SIZE
    return (
        HEAD_BYTES + count_factories(players) + center_bytes + BOARD_BYTES * players + bag_and_discard_bytes
    )


def pack_cells(cells: Cells, output: Out, offset: Size) -> Size:
    """Write a position as packed bytes to `output` from index `offset` on. Return the index after its end.

    `cells` holds the position as numbers, at indices such as `PLAYERS` and `ROUND`. The module describes the
    bytes.
    """
    factory: Count
    colour: Count
    player: Count
    output[offset + VERSION_OFFSET] = VERSION
    output[offset + FLAGS_OFFSET] = (
        (cells[PLAYERS] - MIN_PACKED_PLAYERS)
        | (cells[PHASE] << PHASE_SHIFT)
        | (cells[COMPLETE] << COMPLETE_SHIFT)
        | (cells[MARKER_IN_CENTER] << MARKER_SHIFT)
    )
    output[offset + PLAYERS_OFFSET] = cells[CURRENT] | (cells[START] << START_SHIFT)
    write_uint16(output, offset + ROUND_OFFSET, cells[ROUND])
    offset += HEAD_BYTES
    for factory in range(count_factories(cells[PLAYERS])):
        output[offset] = cells[FACTORY + factory]
        offset += 1
    for colour in range(SIZE):
        output[offset] = cells[CENTER + colour]
        offset += 1
    for player in range(cells[PLAYERS]):
        offset = _pack_board(cells, output, offset, get_board_index(player))
    for colour in range(SIZE):
        output[offset + colour] = cells[BAG + colour]
        output[offset + SIZE + colour] = cells[DISCARD + colour]
    return offset + 2 * SIZE


def _pack_board(cells: Cells, output: Out, offset: Size, board: Count) -> Size:
    """Write the 14 packed bytes of a player to `output` from `offset` on. Return the index after them.

    The bytes contain the wall, the lines, the floor and the score. `board` is the index in `cells` of the
    first number of the player.
    """
    row: Count
    wall: Count = cells[board + HELD] << HELD_BIT
    floor: Count = cells[board + FLOOR]
    for row in range(SIZE):
        wall |= cells[board + WALL + row] << (SIZE * row)
        output[offset + LINES_OFFSET + row] = cells[board + LINE + row]
    write_uint16(output, offset, wall)
    write_uint16(output, offset + 2, wall >> 16)
    write_uint16(output, offset + FLOOR_OFFSET, floor)
    output[offset + FLOOR_OFFSET + 2] = (floor >> 16) & BYTE_MASK
    write_uint16(output, offset + SCORE_OFFSET, cells[board + SCORE])
    return offset + BOARD_BYTES


def unpack_cells(data: Packed, size: Size, cells: Cells) -> Count:
    """Read a packed position of fixed length, followed by zeros up to `size` bytes, into `cells`.

    `cells` gets the position as numbers, at indices such as `PLAYERS`, but not the sums that `tally` computes
    from them. Return PACKED, or the reason why the bytes are not valid, such as BAD_LINE. `_ERRORS` has a
    message for each reason.
    """
    factory: Count
    colour: Count
    player: Count
    status: Count
    offset: Size = HEAD_BYTES
    if size < get_packed_size(MIN_PACKED_PLAYERS):
        return BAD_SHAPE
    _unpack_head(data, cells)
    if cells[PLAYERS] > MAX_PACKED_PLAYERS or size < get_packed_size(cells[PLAYERS]):
        return BAD_SHAPE

    for factory in range(count_factories(cells[PLAYERS])):
        if data[offset] >= FORM_COUNT:
            return BAD_SHAPE
        cells[FACTORY + factory] = data[offset]
        offset += 1
    for colour in range(SIZE):
        cells[CENTER + colour] = data[offset]
        offset += 1
    for player in range(cells[PLAYERS]):
        status = _unpack_board(data, offset, cells, get_board_index(player))
        if status != PACKED:
            return status
        offset += BOARD_BYTES

    if cells[CURRENT] >= cells[PLAYERS] or (cells[START] & PLAYERS_MASK) >= cells[PLAYERS]:
        return BAD_NUMBER
    if cells[ROUND] < 1 or cells[ROUND] > MAX_ROUNDS:
        return BAD_NUMBER
    for colour in range(SIZE):
        cells[BAG + colour] = data[offset + colour]
        cells[DISCARD + colour] = data[offset + SIZE + colour]
    offset += 2 * SIZE

    while offset < size:
        if data[offset] != 0:
            return BAD_SHAPE
        offset += 1
    return PACKED if _is_canonical(data, cells) else NOT_PACKED


def _unpack_head(data: Packed, cells: Cells) -> None:
    """Read the first five bytes: the flags, the current and the starting player, and the round.

    The values are written to `cells`, at indices such as `PLAYERS`. They are not checked.
    """
    flags: Count = data[FLAGS_OFFSET]
    cells[PLAYERS] = (flags & PLAYERS_MASK) + MIN_PACKED_PLAYERS
    cells[PHASE] = (flags >> PHASE_SHIFT) & PHASE_MASK
    cells[COMPLETE] = (flags >> COMPLETE_SHIFT) & 1
    cells[MARKER_IN_CENTER] = (flags >> MARKER_SHIFT) & 1
    cells[CURRENT] = data[PLAYERS_OFFSET] & PLAYERS_MASK
    cells[START] = data[PLAYERS_OFFSET] >> START_SHIFT
    cells[ROUND] = read_uint16(data, ROUND_OFFSET)
    cells[FINDINGS] = 0
    cells[STRANGE] = 0


def _is_canonical(data: Packed, cells: Cells) -> bool:
    """Return True if `pack` would write exactly the bytes `data` for the position in `cells`.

    This is so if only bits with a meaning are set, and no line has more tiles than spaces. The bytes must
    have passed the other checks of `unpack_cells`.
    """
    player: Count
    row: Count
    board: Count
    if data[VERSION_OFFSET] != VERSION or data[FLAGS_OFFSET] >= _TEXT_FLAG or cells[START] > PLAYERS_MASK:
        return False
    for player in range(cells[PLAYERS]):
        board = get_board_index(player)
        if cells[board + HELD] > 1:
            return False
        for row in range(SIZE):
            if (cells[board + LINE + row] & TILES_MASK) > row + 1:
                return False
    return True


def _unpack_board(data: Packed, offset: Size, cells: Cells, board: Count) -> Count:
    """Read the 14 packed bytes of a player from `offset` on into the cells from index `board` on.

    Return PACKED, or the reason why the bytes are not valid: BAD_LINE, BAD_BOARD or NOT_PACKED.
    """
    row: Count
    line: Count
    colour: Count
    line_tiles: Count
    score: Count = read_uint16(data, offset + SCORE_OFFSET)
    floor: Count = read_uint16(data, offset + FLOOR_OFFSET) | (data[offset + FLOOR_OFFSET + 2] << 16)
    wall: Count = read_uint16(data, offset) | (data[offset + 2] << 16)
    # The lowest bit of the fourth byte is the last cell of the wall. The bits above it are for the marker.
    wall |= (data[offset + MARKER_OFFSET] & 1) << LAST_CELL_BIT
    cells[board + HELD] = data[offset + MARKER_OFFSET] >> 1
    for row in range(SIZE):
        cells[board + WALL + row] = (wall >> (SIZE * row)) & ROW_MASK
        line = data[offset + LINES_OFFSET + row]
        cells[board + LINE + row] = line
        colour = line >> COLOUR_SHIFT
        line_tiles = line & TILES_MASK
        if line and (colour < 1 or colour > SIZE or line_tiles < 1):
            return BAD_LINE

    # The score has a sign: its highest bit is set if it is below 0.
    if score >= SIGN_BIT:
        score -= SCORE_RANGE
    cells[board + SCORE] = score
    if score > MAX_POINTS or score < -MAX_POINTS:
        return BAD_BOARD
    return _unpack_floor(cells, floor, board)


def _unpack_floor(cells: Cells, floor: Count, board: Count) -> Count:
    """Write the floor line of a player to the cells from index `board` on.

    `floor` has three bits for each space, the first space lowest: 1 to 5 for a colour, 6 for the marker.
    Return PACKED if the floor is valid, BAD_BOARD if a symbol is wrong or a space is left out, or NOT_PACKED
    if there are too many spaces.
    """
    spaces: Count = 0
    symbol: Count
    cells[board + FLOOR] = floor
    while floor:
        symbol = floor & SYMBOL_MASK
        if symbol == 0 or symbol == UNUSED_SYMBOL:
            return BAD_BOARD
        floor >>= SYMBOL_BITS
        spaces += 1
    cells[board + SPACES] = spaces
    return PACKED if spaces <= FLOOR_SPACES else NOT_PACKED
