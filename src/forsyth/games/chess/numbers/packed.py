"""Packed form of a chess position: bytes for databases and columns.

The first byte is the version. Numbers of several bytes are big-endian. Sets of squares are 64 bits, with bit
0 for a1 and bit 63 for h8. Of two nibbles in a byte, the low one comes first.

**Version 1** is the byte 1, followed by the public "binary FEN" of Lichess:

* 8 bytes: the occupied squares;
* one nibble for each of them, a1 first, with a 0 behind an odd number of nibbles: 0/1 white/black pawn, 2/3
  knight, 4/5 bishop, 6/7 rook, 8/9 queen, 10/11 king; 12 a pawn that has just made the double step over the
  en-passant square (white on rank 4, black on rank 5); 13/14 a white/black rook with a castling right;
  15 a black king with Black to move;
* the half-move clock in LEB128, omitted if it is 0 and nothing follows;
* the plies, which are 2·(move number − 1), plus 1 with Black to move, in LEB128, omitted if they are 0 or 1,
  a black king shows the side to move, and nothing follows;
* the variant, omitted in standard chess: 1 Crazyhouse, 2 Chess960, 4 King of the Hill, 5 Three-check,
  6 antichess, 7 atomic, 8 horde, 9 Racing Kings;
* Crazyhouse: 5 bytes for pawns, knights, bishops, rooks and queens in the pockets, White's in the low and
  Black's in the high nibble; then, unless it is empty, 8 bytes for the set of promoted pieces;
* Three-check: one byte, the checks White has been given in the low nibble, Black in the high one.

**Version 2** is for the three cases that version 1 cannot represent: a castling right without a rook, an
en-passant square without its pawn, and 16 or more pieces of a kind in a pocket. It is the byte 2, followed by

* 8 bytes: the occupied squares; one nibble for each of them, 0 to 11 as above;
* 8 bytes: the castling rights as rook squares; 8 bytes: the promoted pieces;
* 5 bytes: White's pocket, one count each for pawns, knights, bishops, rooks and queens; 5 bytes: Black's;
* 1 byte: 0 White, 1 Black to move; 1 byte: the en-passant square, 0 to 63, or 255 for none;
* 2 bytes: the half-move clock; 2 bytes: the move number;
* 1 byte: the variant, 0 standard, else as above; 1 byte: remaining checks, White's in the low nibble.

Reading: `unpack` accepts only what `pack` writes, so equal positions have equal bytes. `read_binary` is for
bytes from other programs. It also accepts fields that could have been omitted, black kings that are not all
marked with 15, and the variant 3 of Lichess ("from position"), which is standard chess.

Writing: `pack` writes version 1 if the position fits into it, else version 2. `write_binary` writes version 1
without its first byte, and refuses positions that do not fit.

Stability: the packed form of a position never changes, and every version stays readable for ever. A golden
file (tests/golden/chess/packed.jsonl.gz) checks this.

Limits: at most 75 bytes. Bytes that do not describe a possible `Position` (see `position.from_fields`) are
refused, such as clocks above 9999, a castling right in the middle of the board, or pockets outside
Crazyhouse.

`packing` writes the bytes, and reads columns of them.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from forsyth.game import wrong_position_error
from forsyth.games.chess.numbers.packing import GENERAL, LICHESS, MAX_BYTES, pack, pushed_pawn
from forsyth.games.chess.position import (
    CRAZYHOUSE,
    STANDARD,
    THREE_CHECK,
    Position,
    from_fields,
    list_squares,
)
from forsyth.games.chess.variants import VARIANT_TABLE

__all__ = ["MAX_BYTES", "pack", "read_binary", "unpack", "write_binary"]

_RULES_BY_VARIANT: Final = {variant.number: rules for rules, variant in enumerate(VARIANT_TABLE)}
"""The rules by the variant numbers of Lichess."""
_FROM_POSITION: Final = 3
"""The variant number of Lichess for a standard game from a given position."""

_PUSHED_PAWN: Final = 12
_WHITE_CASTLING_ROOK: Final = 13
_BLACK_CASTLING_ROOK: Final = 14
_BLACK_KING_TO_MOVE: Final = 15
_UNMARKED_CODES: Final = {12: 0, 13: 6, 14: 7, 15: 11}
"""The plain piece code of each marked one. A pushed pawn on rank 5 is black, which is code 1 instead."""

_RANK_4: Final = 0xFF000000
_RANK_5: Final = 0xFF00000000
_TAIL: Final = Struct(">QQ5s5sBBHHBB")
"""The fields behind the pieces in version 2."""
_NO_SQUARE: Final = 255
_ABOVE_15: Final = 0xF0F0F0F0F0
"""The bits of a pocket that are set if it has more than 15 pieces of a kind."""
_ALL_CHECKS: Final = 3
_INVALID_CHECKS: Final = 0xCC
"""The bits of the byte of checks that are set if a side has been given more than three."""


def unpack(data: bytes) -> Position:
    """Return the position that `pack` has written as `data`.

    Raise `ValueError` if the bytes are not exactly what `pack` writes.
    """
    source = _Reader(data)
    version = source.read_byte("the version")
    if version not in (LICHESS, GENERAL):
        raise ValueError(f"packed chess: version {version} is not known, expected {LICHESS} or {GENERAL}")
    position = _read_lichess(source) if version == LICHESS else _read_general(source)
    if pack(position) != source.data:
        raise ValueError(
            f"packed chess: the bytes describe {str(position)!r}, but differ from its packed form"
        )
    return position


def write_binary(position: Position) -> bytes:
    """Return a position in the "binary FEN" format of Lichess, which has no version byte.

    Raise `ValueError` if the format cannot represent the position, for example a castling right without a
    rook.
    """
    if not isinstance(position, Position):
        raise wrong_position_error("chess", position)
    unsupported = _unsupported_in_lichess(position)
    if unsupported is not None:
        raise ValueError(f"binary FEN cannot represent {unsupported}; use `pack` instead")
    return pack(position)[1:]


def read_binary(data: bytes) -> Position:
    """Return the position of bytes in the "binary FEN" format of Lichess, which has no version byte.

    Raise `ValueError` if the bytes are invalid, or name an unknown variant.
    """
    return _read_lichess(_Reader(data))


# --- the limits of version 1 ------------------------------------------------------------------------


def _unsupported_in_lichess(position: Position) -> str | None:
    """Return the reason why a position has no "binary FEN" of Lichess, or None if it has one.

    The reason is a noun phrase, such as ``a castling right without a rook``.
    """
    if position.rights & ~position.rooks:
        return "a castling right without a rook"
    if position.ep_square >= 0 and not pushed_pawn(position):
        return "an en-passant square without its pawn"
    if (position.white_pocket | position.black_pocket) & _ABOVE_15:
        return "more than 15 of a kind in a pocket"
    return None


# --- reading ----------------------------------------------------------------------------------------


class _Reader:
    """Bytes with a current offset, for reading.

    Each method reads the next field. `field` is its name for error messages. All methods raise `ValueError`
    if the bytes end too early.
    """

    __slots__ = ("data", "offset")

    def __init__(self, data: bytes) -> None:
        if not isinstance(data, bytes | bytearray | memoryview):
            raise TypeError(f"packed chess: the data is of type {type(data).__name__}, expected bytes")
        if len(data) > MAX_BYTES:
            raise ValueError(f"packed chess: the data has {len(data)} bytes, expected at most {MAX_BYTES}")
        self.data = bytes(data)
        self.offset = 0

    def read_bytes(self, size: int, field: str) -> bytes:
        """Return the next `size` bytes, and move behind them. Raise `ValueError` if there are fewer."""
        chunk = self.data[self.offset : self.offset + size]
        if len(chunk) < size:
            raise ValueError(f"packed chess: the bytes end inside {field}")
        self.offset += size
        return chunk

    def read_byte(self, field: str) -> int:
        """Return the next byte as a number, 0 to 255. `field` names it in the error for missing bytes."""
        return self.read_bytes(1, field)[0]

    def read_squares(self, field: str) -> int:
        """Return the next eight bytes, highest first, as a set of squares with bit 0 for a1."""
        return int.from_bytes(self.read_bytes(8, field), "big")

    def read_leb128(self, field: str) -> int:
        """Return the next number in LEB128: seven bits in each byte, lowest first.

        The highest bit of a byte is set if another byte follows. Raise `ValueError` if a fourth byte follows.
        """
        number = 0
        # Every accepted clock fits into three bytes.
        for shift in (0, 7, 14):
            byte = self.read_byte(field)
            number |= (byte & 127) << shift
            if byte < 128:
                return number
        raise ValueError(f"packed chess: {field} is too large")

    def read_nibbles(self, count: int, field: str) -> list[int]:
        """Return the next `count` nibbles (half bytes), the low one of each byte first.

        They take whole bytes. Raise `ValueError` if the unused half of the last byte is not 0.
        """
        nibbles: list[int] = []
        for byte in self.read_bytes((count + 1) // 2, field):
            nibbles += (byte & 15, byte >> 4)
        if any(nibbles[count:]):
            raise ValueError(f"packed chess: the unused half of the last byte of {field} is not 0")
        return nibbles[:count]

    @property
    def is_at_end(self) -> bool:
        """Whether all bytes have been read."""
        return self.offset == len(self.data)

    def require_end(self) -> None:
        """Raise `ValueError` if not all bytes have been read."""
        if not self.is_at_end:
            raise ValueError(f"packed chess: the data has {len(self.data)} bytes, expected {self.offset}")


def _read_lichess(source: _Reader) -> Position:
    """Return the position whose "binary FEN" of Lichess comes next in `source`, and ends with the data.

    Clocks and variant that are missing at the end have their defaults. Raise `ValueError` for invalid bytes.
    """
    squares = list_squares(source.read_squares("the occupied squares"))
    codes = source.read_nibbles(len(squares), "the pieces")
    rights = sum(
        1 << square
        for square, code in zip(squares, codes, strict=True)
        if code in (_WHITE_CASTLING_ROOK, _BLACK_CASTLING_ROOK)
    )
    ep_square = _find_ep_square(squares, codes)
    half = 0 if source.is_at_end else source.read_leb128("the half-move clock")
    plies = 0 if source.is_at_end else source.read_leb128("the number of plies")
    variant = 0 if source.is_at_end else source.read_byte("the variant")
    rules = STANDARD if variant == _FROM_POSITION else _rules_of_variant(variant)
    white_pocket = black_pocket = promoted = remaining = 0
    if rules == CRAZYHOUSE:
        counts = source.read_nibbles(10, "the pockets")
        white_pocket = int.from_bytes(bytes(counts[::2]), "little")
        black_pocket = int.from_bytes(bytes(counts[1::2]), "little")
        promoted = 0 if source.is_at_end else source.read_squares("the promoted pieces")
    if rules == THREE_CHECK:
        remaining = _remaining_checks(source.read_byte("the checks"))
    source.require_end()
    black_to_move = plies % 2 == 1 or _BLACK_KING_TO_MOVE in codes
    return _build_position(
        squares,
        [_unmark_code(square, code) for square, code in zip(squares, codes, strict=True)],
        (rights, promoted, white_pocket, black_pocket),
        (int(black_to_move), ep_square, half, plies // 2 + 1, rules, remaining),
    )


def _unmark_code(square: int, code: int) -> int:
    """Return the plain piece code, 0 to 11, for a code that may be marked: 6, a white rook, for 13.

    A pawn that has just made a double step is black if its square is on rank 5.
    """
    if code == _PUSHED_PAWN:
        return _RANK_5 >> square & 1
    return _UNMARKED_CODES.get(code, code)


def _find_ep_square(squares: list[int], codes: list[int]) -> int:
    """Return the en-passant square behind the pawn that has just made a double step, or −1 if there is none.

    `codes` are the piece codes of `squares`, and 12 marks such a pawn. Raise `ValueError` if several pawns
    are marked, or one that is not on rank 4 or 5.
    """
    pushed = [square for square, code in zip(squares, codes, strict=True) if code == _PUSHED_PAWN]
    if not pushed:
        return -1
    if len(pushed) > 1 or not (_RANK_4 | _RANK_5) >> pushed[0] & 1:
        raise ValueError("packed chess: several pawns made a double step, or one not on rank 4 or 5")
    return pushed[0] ^ 8


def _remaining_checks(byte: int) -> int:
    """Return the checks that each side still has to give: White's, plus 16 times Black's.

    The low four bits of `byte` are the checks that White has been given, the high ones those of Black. Raise
    `ValueError` if one of them is above three.
    """
    if byte & _INVALID_CHECKS:
        raise ValueError("packed chess: a side has been given more than three checks")
    return _ALL_CHECKS - (byte >> 4) | (_ALL_CHECKS - (byte & 15)) << 4


def _read_general(source: _Reader) -> Position:
    """Return the position whose fields of packed version 2 come next in `source`, and end with the data.

    Raise `ValueError` for invalid bytes.
    """
    squares = list_squares(source.read_squares("the occupied squares"))
    codes = source.read_nibbles(len(squares), "the pieces")
    if any(code > 11 for code in codes):
        raise ValueError(f"packed chess: version 2 has piece codes from 0 to 11 only, found {max(codes)}")
    tail = source.read_bytes(_TAIL.size, "the fields after the board")
    source.require_end()
    rights, promoted, white, black, side, ep_square, half, full, variant, remaining = _TAIL.unpack(tail)
    return _build_position(
        squares,
        codes,
        (rights, promoted, int.from_bytes(white, "little"), int.from_bytes(black, "little")),
        (
            side,
            -1 if ep_square == _NO_SQUARE else ep_square,
            half,
            full,
            _rules_of_variant(variant),
            remaining,
        ),
    )


def _rules_of_variant(variant: int) -> int:
    """Return the index in VARIANTS of the variant with this Lichess number: 1 (Chess960) for the number 2.

    Raise `ValueError` if the number is unknown.
    """
    if variant not in _RULES_BY_VARIANT:
        raise ValueError(f"packed chess: variant {variant} is not known, expected 0 to 9 but not 3")
    return _RULES_BY_VARIANT[variant]


def _build_position(
    squares: list[int], codes: list[int], sets: tuple[int, ...], state: tuple[int, ...]
) -> Position:
    """Return a position built from its pieces and fields.

    Args:
        squares: The occupied squares.
        codes: The plain piece code of each square.
        sets: The castling rights, the promoted pieces, and the pockets of White and Black.
        state: The side to move, the en-passant square, both clocks, the rules and the remaining checks.

    Raises:
        ValueError: If the fields do not describe a possible position.
    """
    kinds = [0] * 6
    colours = [0, 0]
    for square, code in zip(squares, codes, strict=True):
        kinds[code // 2] |= 1 << square
        colours[code % 2] |= 1 << square
    try:
        return from_fields((*kinds, *colours, *sets, *state))
    except ValueError as error:
        raise ValueError(f"packed chess: {error}") from error
