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
Stability: bytes and key of a position never change (tests/golden/azul/keys.jsonl.gz holds that).
Limits: at most MAX_BYTES bytes.
"""

from __future__ import annotations

import hashlib
from itertools import combinations_with_replacement
from typing import Final

from forsyth.games.azul.fen import read_fen
from forsyth.games.azul.position import PHASES, Board, Position, board_of, build
from forsyth.games.azul.scoring import is_printed
from forsyth.games.azul.tiles import (
    COLOURS,
    FLOOR_SPACES,
    MARKER,
    PRINTED,
    SIZE,
    TILES_PER_FACTORY,
    counts_of,
    factory_count,
    in_order,
    tiles_of,
)
from forsyth.games.azul.write import write_canonical

VERSION: Final = 1
MAX_BYTES: Final = 1026
FORMS: Final = tuple(
    "".join(tiles)
    for count in range(TILES_PER_FACTORY + 1)
    for tiles in combinations_with_replacement(COLOURS, count)
)
"""Every content of a factory; the place in this list is its number for ever."""

_FORM_OF: Final = {tiles: number for number, tiles in enumerate(FORMS)}
_PHASES: Final = "".join(PHASES)
_ON_FLOOR: Final = f"-{COLOURS}{MARKER}"
_TEXT: Final = 64
_HELD: Final = 1 << SIZE * SIZE
_MOST: Final = 255
_BOARD_BYTES: Final = 14


def position_key(position: Position) -> str:
    """32 hexadecimal digits."""
    return hashlib.blake2b(write_canonical(position).encode(), digest_size=16).hexdigest()


# --- packing ----------------------------------------------------------------------------------------


def pack(position: Position) -> bytes:
    """The one packed form of a position."""
    if not _is_compact(position):
        return bytes((VERSION, _TEXT)) + write_canonical(position).encode()
    out = bytearray((VERSION,))
    out.append(
        position.players - 2
        | _PHASES.index(position.phase) << 2
        | position.complete << 4
        | position.marker_in_center << 5
    )
    out.append(position.current | position.start << 2)
    out += position.round.to_bytes(2, "little")
    out += bytes([_FORM_OF[in_order(tiles)] for tiles in position.factories])
    out += bytes(counts_of(position.center))
    for board in position.boards:
        _put_board(out, board)
    return bytes(out + bytes(position.bag) + bytes(position.discard))


def _is_compact(position: Position) -> bool:
    counts = (*counts_of(position.center), *position.bag, *position.discard)
    return max(counts) <= _MOST and all(_is_compact_board(board) for board in position.boards)


def _is_compact_board(board: Board) -> bool:
    lines = all(
        tiles == tiles[:1] * len(tiles) and len(tiles) <= line + 1 for line, tiles in enumerate(board.lines)
    )
    return lines and len(board.floor) <= FLOOR_SPACES and is_printed(board.wall)


def _put_board(out: bytearray, board: Board) -> None:
    cells = "".join(board.wall)
    wall = sum([1 << number for number, cell in enumerate(cells) if cell != "-"])
    out += (wall | (_HELD if board.held else 0)).to_bytes(4, "little")
    for tiles in board.lines:
        out.append((COLOURS.index(tiles[0]) + 1) * 8 + len(tiles) if tiles else 0)
    floor = sum([_ON_FLOOR.index(tile) << 3 * space for space, tile in enumerate(board.floor)])
    out += floor.to_bytes(3, "little") + board.score.to_bytes(2, "little", signed=True)


# --- unpacking --------------------------------------------------------------------------------------


def unpack(data: bytes) -> Position:
    """The position of a packed form; `ValueError` for every other string of bytes."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise ValueError(f"packed azul: bytes are expected, not {type(data).__name__}")
    data = bytes(data)
    if not 2 <= len(data) <= MAX_BYTES:
        raise ValueError(f"packed azul: {len(data)} bytes, expected 2 to {MAX_BYTES}")
    if data[0] != VERSION:
        raise ValueError(f"packed azul: the version is not {VERSION}")
    position = _from_text(data[2:]) if data[1] == _TEXT else _from_bytes(data)
    if pack(position) != data:
        raise ValueError("packed azul: these bytes are not the packed form of a position")
    return position


def _from_text(data: bytes) -> Position:
    position = read_fen(data.decode("ascii", "replace")).position
    if position is None:
        raise ValueError("packed azul: the text inside cannot be read")
    return position


def _from_bytes(data: bytes) -> Position:
    players = (data[1] & 3) + 2
    factories = factory_count(players)
    at = 5 + factories
    boards = at + SIZE
    counts = boards + players * _BOARD_BYTES
    if players > 4 or len(data) != counts + 2 * SIZE or max(data[5:at]) >= len(FORMS):
        raise ValueError("packed azul: these bytes do not have the shape of a position")
    found = [_board(data[start : start + _BOARD_BYTES]) for start in range(boards, counts, _BOARD_BYTES)]
    round = int.from_bytes(data[3:5], "little")
    current, start = data[2] & 3, data[2] >> 2 & 3
    if not 1 <= round <= 9999 or max(current, start) >= players:
        raise ValueError("packed azul: the round or a player is out of range")
    return build(
        tuple([FORMS[number] for number in data[5:at]]),
        tiles_of(tuple(data[at:boards])),
        bool(data[1] & 32),
        tuple(found),
        _PHASES[data[1] >> 2 & 3],
        round,
        current,
        start,
        tuple(data[counts : counts + SIZE]),
        tuple(data[counts + SIZE :]),
        bool(data[1] & 16),
    )


def _board(data: bytes) -> Board:
    wall = int.from_bytes(data[:4], "little")
    rows = tuple(
        [
            "".join(
                [PRINTED[row][column] if wall >> SIZE * row + column & 1 else "-" for column in range(SIZE)]
            )
            for row in range(SIZE)
        ]
    )
    lines = tuple([_line(byte) for byte in data[4:9]])
    spaces = int.from_bytes(data[9:12], "little")
    floor = "".join([(_ON_FLOOR + "?")[spaces >> 3 * space & 7] for space in range(FLOOR_SPACES)]).rstrip("-")
    score = int.from_bytes(data[12:14], "little", signed=True)
    if floor.strip(_ON_FLOOR[1:]) or abs(score) > 9999:
        raise ValueError("packed azul: the floor or the score of a board cannot be")
    return board_of(rows, lines, floor, bool(wall & _HELD), score)


def _line(byte: int) -> str:
    colour, count = byte >> 3, byte & 7
    if not byte:
        return ""
    if not 1 <= colour <= SIZE or not count:
        raise ValueError("packed azul: a pattern line cannot be")
    return COLOURS[colour - 1] * count
