"""The packed form of a chess position: bytes, for stores and columns.

The first byte is the version. Numbers of several bytes are big-endian, sets of squares are 64 bits with
bit 0 for a1 and bit 63 for h8, and of two nibbles in a byte the low one comes first.

**Version 1** is the byte 1 and then exactly the public "binary FEN" of Lichess:

* 8 bytes: the occupied squares;
* one nibble for each of them, a1 first, the last one filled up with 0: 0/1 white/black pawn, 2/3 knight,
  4/5 bishop, 6/7 rook, 8/9 queen, 10/11 king; 12 a pawn that has just made the double step over the
  en-passant square (white on rank 4, black on rank 5); 13/14 a white/black rook that may still castle;
  15 a black king with Black to move;
* the half-move clock in LEB128, left out if it is 0 and nothing follows;
* the plies, 2·(move number − 1) and 1 more with Black to move, in LEB128, left out if they are 0 or 1, a
  black king tells who moves, and nothing follows;
* the variant, left out in standard chess: 1 Crazyhouse, 2 Chess960, 4 King of the Hill, 5 Three-check,
  6 antichess, 7 atomic, 8 horde, 9 Racing Kings;
* Crazyhouse: 5 bytes for pawns, knights, bishops, rooks and queens in the pockets, White's in the low and
  Black's in the high nibble; then, unless it is empty, 8 bytes for the set of promoted men;
* Three-check: one byte, the checks White has been given in the low nibble, Black in the high one.

**Version 2** is for the three things version 1 cannot hold: a castling right without a rook, an en-passant
square without its pawn, and 16 or more of a kind in a pocket. It is the byte 2, then

* 8 bytes: the occupied squares; one nibble for each of them, 0 to 11 as above;
* 8 bytes: the castling rights as rook squares; 8 bytes: the promoted men;
* 5 bytes: White's pocket, one count each for pawns, knights, bishops, rooks and queens; 5 bytes: Black's;
* 1 byte: 0 White, 1 Black to move; 1 byte: the en-passant square, 0 to 63, or 255 for none;
* 2 bytes: the half-move clock; 2 bytes: the move number;
* 1 byte: the variant, 0 standard, else as above; 1 byte: remaining checks, White's in the low nibble.

Reading: `unpack` takes what `pack` writes and nothing else, so that equal positions have equal bytes.
`read_binary`, for bytes that come from elsewhere, also takes parts that could have been left out, black
kings not all marked 15, and the variant 3 of Lichess ("from position"), which is standard chess.

Writing: `pack` writes version 1 whenever that loses nothing, else version 2. `write_binary` is version 1
without its first byte and refuses what it cannot hold.

Stability: the bytes of a position never change, and every version is read for ever. A golden file
(tests/golden/chess/packed.jsonl.gz) holds that.

Limits: at most 75 bytes. Bytes of what no `Position` can be (see `position.from_fields`) are refused, such as
clocks above 9999, a castling right in the middle of the board, or pockets outside Crazyhouse.

`packing` writes the bytes, and reads columns of them.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from forsyth.game import not_a_position
from forsyth.games.chess.numbers.packing import GENERAL, LICHESS, MAX_BYTES, pack, pushed_pawn
from forsyth.games.chess.position import (
    CRAZYHOUSE,
    STANDARD,
    THREE_CHECK,
    Position,
    bits,
    from_fields,
)
from forsyth.games.chess.variants import TABLE

__all__ = ["MAX_BYTES", "pack", "read_binary", "unpack", "write_binary"]

_RULES: Final = {variant.number: rules for rules, variant in enumerate(TABLE)}
_FROM_POSITION: Final = 3

_PUSHED_PAWN: Final = 12
_WHITE_CASTLING_ROOK: Final = 13
_BLACK_CASTLING_ROOK: Final = 14
_BLACK_KING_TO_MOVE: Final = 15
_PLAIN: Final = {12: 0, 13: 6, 14: 7, 15: 11}
"""Which man each of the four special nibbles is; a pushed pawn on rank 5 is the black one."""

_RANK_4: Final = 0xFF000000
_RANK_5: Final = 0xFF00000000
_TAIL: Final = Struct(">QQ5s5sBBHHBB")
_NO_SQUARE: Final = 255
_ABOVE_15: Final = 0xF0F0F0F0F0
"""The bits of a pocket that a nibble for each kind has no room for."""
_ALL_CHECKS: Final = 3


def unpack(data: bytes) -> Position:
    """The position of a packed form; `ValueError` for every other string of bytes."""
    source = _Source(data)
    version = source.byte("the version")
    if version not in (LICHESS, GENERAL):
        raise ValueError(f"packed chess: version {version} is not known, expected {LICHESS} or {GENERAL}")
    position = _read_lichess(source) if version == LICHESS else _read_general(source)
    if pack(position) != source.data:
        raise ValueError(f"packed chess: these bytes say {str(position)!r}, but not in its one packed form")
    return position


def write_binary(position: Position) -> bytes:
    """The bare "binary FEN" of Lichess; `ValueError` if it cannot hold the position."""
    if not isinstance(position, Position):
        raise not_a_position("chess", position)
    fault = _fault_for_lichess(position)
    if fault is not None:
        raise ValueError(f"binary FEN cannot hold {fault}")
    return pack(position)[1:]


def read_binary(data: bytes) -> Position:
    """The position of a bare "binary FEN"; `ValueError` if the bytes are none or not of a known variant."""
    return _read_lichess(_Source(data))


# --- what can be held -------------------------------------------------------------------------------


def _fault_for_lichess(position: Position) -> str | None:
    """What version 1 would lose of a position, or None if it holds it whole."""
    if position.rights & ~position.rooks:
        return "a castling right without a rook"
    if position.ep_square >= 0 and not pushed_pawn(position):
        return "an en-passant square without its pawn"
    if (position.white_pocket | position.black_pocket) & _ABOVE_15:
        return "more than 15 of a kind in a pocket"
    return None


# --- reading ----------------------------------------------------------------------------------------


class _Source:
    """Bytes being read: every step says what it wants and never reads past the end."""

    __slots__ = ("at", "data")

    def __init__(self, data: bytes) -> None:
        if not isinstance(data, bytes | bytearray | memoryview):
            raise TypeError(f"packed chess: bytes are expected, not {type(data).__name__}")
        if len(data) > MAX_BYTES:
            raise ValueError(f"packed chess: {len(data)} bytes, expected at most {MAX_BYTES}")
        self.data = bytes(data)
        self.at = 0

    def take(self, size: int, what: str) -> bytes:
        taken = self.data[self.at : self.at + size]
        if len(taken) < size:
            raise ValueError(f"packed chess: the bytes end inside {what}")
        self.at += size
        return taken

    def byte(self, what: str) -> int:
        return self.take(1, what)[0]

    def squares(self, what: str) -> int:
        return int.from_bytes(self.take(8, what), "big")

    def leb128(self, what: str) -> int:
        number = 0
        # Three bytes hold every clock that is accepted.
        for shift in (0, 7, 14):
            byte = self.byte(what)
            number |= (byte & 127) << shift
            if byte < 128:
                return number
        raise ValueError(f"packed chess: {what} is too large")

    def nibbles(self, count: int, what: str) -> list[int]:
        found = [nibble for byte in self.take((count + 1) // 2, what) for nibble in (byte & 15, byte >> 4)]
        if any(found[count:]):
            raise ValueError(f"packed chess: the unused half of the last byte of {what} is not 0")
        return found[:count]

    @property
    def ended(self) -> bool:
        return self.at == len(self.data)

    def require_end(self) -> None:
        if not self.ended:
            raise ValueError(f"packed chess: {len(self.data) - self.at} bytes too many")


def _read_lichess(source: _Source) -> Position:
    squares = bits(source.squares("the occupied squares"))
    codes = source.nibbles(len(squares), "the men")
    rights = sum(
        1 << square
        for square, code in zip(squares, codes, strict=True)
        if code in (_WHITE_CASTLING_ROOK, _BLACK_CASTLING_ROOK)
    )
    ep_square = _read_ep(squares, codes)
    half = 0 if source.ended else source.leb128("the half-move clock")
    plies = 0 if source.ended else source.leb128("the number of plies")
    variant = 0 if source.ended else source.byte("the variant")
    rules = STANDARD if variant == _FROM_POSITION else _rules(variant)
    white_pocket = black_pocket = promoted = remaining = 0
    if rules == CRAZYHOUSE:
        counts = source.nibbles(10, "the pockets")
        white_pocket = int.from_bytes(bytes(counts[::2]), "little")
        black_pocket = int.from_bytes(bytes(counts[1::2]), "little")
        promoted = 0 if source.ended else source.squares("the promoted men")
    if rules == THREE_CHECK:
        remaining = _read_checks(source.byte("the checks"))
    source.require_end()
    black_to_move = plies % 2 == 1 or _BLACK_KING_TO_MOVE in codes
    return _build(
        squares,
        [_plain(square, code) for square, code in zip(squares, codes, strict=True)],
        (rights, promoted, white_pocket, black_pocket),
        (int(black_to_move), ep_square, half, plies // 2 + 1, rules, remaining),
    )


def _plain(square: int, code: int) -> int:
    if code == _PUSHED_PAWN:
        return _RANK_5 >> square & 1
    return _PLAIN.get(code, code)


def _read_ep(squares: list[int], codes: list[int]) -> int:
    pushed = [square for square, code in zip(squares, codes, strict=True) if code == _PUSHED_PAWN]
    if not pushed:
        return -1
    if len(pushed) > 1 or not (_RANK_4 | _RANK_5) >> pushed[0] & 1:
        raise ValueError("packed chess: several pawns made a double step, or one not on rank 4 or 5")
    return pushed[0] ^ 8


def _read_checks(byte: int) -> int:
    """Remaining checks from checks suffered: what White has been given, Black need not give any more."""
    if byte & 0xCC:
        raise ValueError("packed chess: a side has been given more than three checks")
    return _ALL_CHECKS - (byte >> 4) | (_ALL_CHECKS - (byte & 15)) << 4


def _read_general(source: _Source) -> Position:
    squares = bits(source.squares("the occupied squares"))
    codes = source.nibbles(len(squares), "the men")
    if any(code > 11 for code in codes):
        raise ValueError("packed chess: version 2 knows the men 0 to 11 only")
    tail = source.take(_TAIL.size, "the fields after the board")
    source.require_end()
    rights, promoted, white, black, side, ep_square, half, full, variant, remaining = _TAIL.unpack(tail)
    return _build(
        squares,
        codes,
        (rights, promoted, int.from_bytes(white, "little"), int.from_bytes(black, "little")),
        (side, -1 if ep_square == _NO_SQUARE else ep_square, half, full, _rules(variant), remaining),
    )


def _rules(variant: int) -> int:
    if variant not in _RULES:
        raise ValueError(f"packed chess: variant {variant} is not known, expected 0 to 9 but not 3")
    return _RULES[variant]


def _build(squares: list[int], codes: list[int], sets: tuple[int, ...], rest: tuple[int, ...]) -> Position:
    kinds = [0] * 6
    colours = [0, 0]
    for square, code in zip(squares, codes, strict=True):
        kinds[code // 2] |= 1 << square
        colours[code % 2] |= 1 << square
    try:
        return from_fields((*kinds, *colours, *sets, *rest))
    except ValueError as error:
        raise ValueError(f"packed chess: {error}") from error
