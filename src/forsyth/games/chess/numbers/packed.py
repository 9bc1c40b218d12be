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

from collections.abc import Mapping
from struct import Struct
from typing import Final

from forsyth.game import wrong_position_error
from forsyth.games.chess.numbers.packing import GENERAL, LICHESS, MAX_BYTES, find_pushed_pawn, pack
from forsyth.games.chess.position import (
    CHECKS_SHIFT,
    CRAZYHOUSE,
    POCKET_KINDS,
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
_WHITE_PAWN: Final = 0
_BLACK_PAWN: Final = 1
_UNMARKED_CODES: Final = {
    _WHITE_CASTLING_ROOK: 6,
    _BLACK_CASTLING_ROOK: 7,
    _BLACK_KING_TO_MOVE: 11,
}
"""The plain piece code of each marked one, such as 6 for a white rook.

The code of a pawn depends on its rank.
"""

_RANK_SQUARES: Final = 8
"""The number of squares of a rank, which is the distance between the numbers of two squares on one file."""
_RANK_4: Final = 0xFF000000
_RANK_5: Final = 0xFF00000000
_TAIL: Final = Struct(">QQ5s5sBBHHBB")
"""The fields behind the pieces in version 2."""
_TAIL_FIELDS: Final = (
    *("rights", "promoted", "white_pocket", "black_pocket", "black_to_move"),
    *("ep_square", "half", "full", "variant", "remaining"),
)
"""The names of the fields of _TAIL, in order."""
_NIBBLE_BITS: Final = 4
_NIBBLE_MASK: Final = 15
_LEB128_MASK: Final = 127
"""The bits of a byte of LEB128 that belong to the number."""
_MAX_PLAIN_CODE: Final = 11
_NO_SQUARE: Final = 255
_ABOVE_15: Final = 0xF0F0F0F0F0
"""The bits of a pocket that are set if it has more than 15 pieces of a kind."""
_ALL_CHECKS: Final = 3
_INVALID_CHECKS: Final = 0xCC
"""The bits of the byte of checks that are set if a side has been given more than three."""


def unpack(data: bytes) -> Position:
    """Return the position that `pack` has written as `data`.

    Raise `ValueError` if the bytes are not exactly those that `pack` writes.
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
    unsupported_feature = _describe_unsupported_part(position)
    if unsupported_feature is not None:
        raise ValueError(f"binary FEN cannot represent {unsupported_feature}; use `pack` instead")
    return pack(position)[1:]


def read_binary(data: bytes) -> Position:
    """Return the position of bytes in the "binary FEN" format of Lichess, which has no version byte.

    Raise `ValueError` if the bytes are invalid, or name an unknown variant.
    """
    return _read_lichess(_Reader(data))


# --- the limits of version 1 ------------------------------------------------------------------------


def _describe_unsupported_part(position: Position) -> str | None:
    """Return the part of a position that the "binary FEN" of Lichess cannot represent, or None.

    The result is a phrase for a message, such as ``a castling right without a rook``.
    """
    if position.rights & ~position.rooks:
        return "a castling right without a rook"
    if position.ep_square >= 0 and not find_pushed_pawn(position):
        return "an en-passant square without its pawn"
    if (position.white_pocket | position.black_pocket) & _ABOVE_15:
        return "more than 15 of a kind in a pocket"
    return None


# --- reading ----------------------------------------------------------------------------------------


class _Reader:
    """Reader of packed bytes, one field after the other.

    `offset` is the number of bytes that have been read. Each method takes the name of its field for error
    messages, and raises `ValueError` if the bytes end too early.
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
        """Return the next `size` bytes. Raise `ValueError`, which names `field`, if there are fewer."""
        chunk = self.data[self.offset : self.offset + size]
        if len(chunk) < size:
            raise ValueError(
                f"packed chess: the bytes end inside {field}: {len(chunk)} left, expected {size}"
            )
        self.offset += size
        return chunk

    def read_byte(self, field: str) -> int:
        """Return the next byte as a number, 0 to 255. Raise `ValueError`, which names `field`, at the end."""
        return self.read_bytes(1, field)[0]

    def read_squares(self, field: str) -> int:
        """Return the next eight bytes, highest first, as a set of squares with bit 0 for a1.

        Raise `ValueError`, which names `field`, if there are fewer bytes.
        """
        return int.from_bytes(self.read_bytes(8, field), "big")

    def read_leb128(self, field: str) -> int:
        """Return the next number in LEB128, which has seven bits in each byte, lowest first.

        The highest bit of a byte is set if another byte follows. Raise `ValueError`, which names `field`, if
        the number has more than three bytes.
        """
        number = 0
        # Every accepted clock fits into three bytes.
        for shift in (0, 7, 14):
            byte = self.read_byte(field)
            number |= (byte & _LEB128_MASK) << shift
            if byte <= _LEB128_MASK:
                return number
        raise ValueError(f"packed chess: {field} is too large, expected at most three bytes")

    def read_nibbles(self, count: int, field: str) -> list[int]:
        """Return the next `count` nibbles (half bytes), the low one of each byte first.

        They take whole bytes. Raise `ValueError`, which names `field`, if the unused half of the last byte is
        not 0.
        """
        nibbles: list[int] = []
        for byte in self.read_bytes((count + 1) // 2, field):
            nibbles += (byte & _NIBBLE_MASK, byte >> _NIBBLE_BITS)
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
    """Return the position that the rest of `source` describes in the "binary FEN" format of Lichess.

    The format may omit the clocks and the variant at the end. They are then 0, move 1 and standard chess.
    Raise `ValueError` if the bytes are invalid.
    """
    squares = list_squares(source.read_squares("the occupied squares"))
    codes = source.read_nibbles(len(squares), "the pieces")
    code_by_square = dict(zip(squares, codes, strict=True))
    rights = sum(
        1 << square
        for square, code in code_by_square.items()
        if code in (_WHITE_CASTLING_ROOK, _BLACK_CASTLING_ROOK)
    )
    ep_square = _find_ep_square(code_by_square)

    half_clock = 0 if source.is_at_end else source.read_leb128("the half-move clock")
    plies = 0 if source.is_at_end else source.read_leb128("the number of plies")
    variant = 0 if source.is_at_end else source.read_byte("the variant")
    rules = STANDARD if variant == _FROM_POSITION else _find_rules_of_variant(variant)
    white_pocket = black_pocket = promoted = remaining = 0
    if rules == CRAZYHOUSE:
        # The numbers of White's and of Black's pieces alternate. A pocket has one byte for each kind.
        counts = source.read_nibbles(2 * POCKET_KINDS, "the pockets")
        white_counts, black_counts = counts[::2], counts[1::2]
        white_pocket = int.from_bytes(bytes(white_counts), "little")
        black_pocket = int.from_bytes(bytes(black_counts), "little")
        promoted = 0 if source.is_at_end else source.read_squares("the promoted pieces")
    if rules == THREE_CHECK:
        remaining = _decode_remaining_checks(source.read_byte("the checks"))
    source.require_end()

    black_to_move = plies % 2 == 1 or _BLACK_KING_TO_MOVE in codes
    return _build_position(
        {square: _unmark_code(square, code) for square, code in code_by_square.items()},
        rights=rights,
        promoted=promoted,
        white_pocket=white_pocket,
        black_pocket=black_pocket,
        black_to_move=int(black_to_move),
        ep_square=ep_square,
        half=half_clock,
        full=plies // 2 + 1,
        rules=rules,
        remaining=remaining,
    )


def _unmark_code(square: int, code: int) -> int:
    """Return the plain piece code, 0 to 11, for a code that may be marked, 0 to 15.

    Code 13, a white rook with a castling right, becomes 6, a white rook. Code 12, a pawn that has just made a
    double step, becomes a black pawn if its square is on rank 5, and else a white one.
    """
    if code == _PUSHED_PAWN:
        return _BLACK_PAWN if _RANK_5 & (1 << square) else _WHITE_PAWN
    return _UNMARKED_CODES.get(code, code)


def _find_ep_square(code_by_square: Mapping[int, int]) -> int:
    """Return the en-passant square behind the pawn that has just made a double step, or −1 if there is none.

    The piece code of such a pawn is 12. Raise `ValueError` if several pawns have this code, or one that is
    not on rank 4 or 5.
    """
    pushed_pawns = [square for square, code in code_by_square.items() if code == _PUSHED_PAWN]
    if not pushed_pawns:
        return -1
    pawn_square = pushed_pawns[0]
    is_on_rank_4 = bool(_RANK_4 & (1 << pawn_square))
    is_on_rank_5 = bool(_RANK_5 & (1 << pawn_square))
    if len(pushed_pawns) > 1 or not (is_on_rank_4 or is_on_rank_5):
        raise ValueError("packed chess: several pawns made a double step, or one not on rank 4 or 5")
    return pawn_square - _RANK_SQUARES if is_on_rank_4 else pawn_square + _RANK_SQUARES


def _decode_remaining_checks(byte: int) -> int:
    """Return the checks that each side still has to give: White's, plus 16 times Black's.

    Raise `ValueError` if a side has been given more than three checks.

    Args:
        byte: The checks that White's king has been given in the low four bits, and those that Black's king
            has been given in the high four bits.
    """
    if byte & _INVALID_CHECKS:
        raise ValueError(
            f"packed chess: a side has been given more than three checks, found the byte {byte:#04x}"
        )
    given_by_black = byte & _NIBBLE_MASK
    given_by_white = byte >> _NIBBLE_BITS
    return (_ALL_CHECKS - given_by_white) | ((_ALL_CHECKS - given_by_black) << CHECKS_SHIFT)


def _read_general(source: _Reader) -> Position:
    """Return the position that the rest of `source` describes in the layout of packed version 2.

    Version 2 has a fixed number of bytes behind the pieces. Raise `ValueError` if the bytes are invalid.
    """
    squares = list_squares(source.read_squares("the occupied squares"))
    codes = source.read_nibbles(len(squares), "the pieces")
    if any(code > _MAX_PLAIN_CODE for code in codes):
        raise ValueError(f"packed chess: version 2 has piece codes from 0 to 11 only, found {max(codes)}")
    tail = source.read_bytes(_TAIL.size, "the fields after the board")
    source.require_end()
    fields = dict(zip(_TAIL_FIELDS, _TAIL.unpack(tail), strict=True))
    return _build_position(
        dict(zip(squares, codes, strict=True)),
        rights=fields["rights"],
        promoted=fields["promoted"],
        white_pocket=int.from_bytes(fields["white_pocket"], "little"),
        black_pocket=int.from_bytes(fields["black_pocket"], "little"),
        black_to_move=fields["black_to_move"],
        ep_square=-1 if fields["ep_square"] == _NO_SQUARE else fields["ep_square"],
        half=fields["half"],
        full=fields["full"],
        rules=_find_rules_of_variant(fields["variant"]),
        remaining=fields["remaining"],
    )


def _find_rules_of_variant(variant: int) -> int:
    """Return the index in VARIANTS of the variant that has a number at Lichess: 1 (Chess960) for 2.

    Raise `ValueError` if the number is unknown.
    """
    if variant not in _RULES_BY_VARIANT:
        raise ValueError(f"packed chess: variant {variant} is not known, expected 0 to 9 but not 3")
    return _RULES_BY_VARIANT[variant]


def _build_position(code_by_square: Mapping[int, int], **fields: int) -> Position:
    """Return a position built from its pieces and its other fields.

    Args:
        code_by_square: The plain piece code, 0 to 11, of each occupied square.
        **fields: The other fields of the position, in the order of FIELD_NAMES: `rights` to `remaining`.

    Raises:
        ValueError: If the fields do not describe a possible position.
    """
    # The sets of squares of each kind of piece and of each colour.
    kinds = [0] * 6
    colours = [0, 0]
    for square, code in code_by_square.items():
        # Codes 0 and 1 are the white and the black pawn, 2 and 3 the knights, and so on.
        kinds[code // 2] |= 1 << square
        colours[code % 2] |= 1 << square
    try:
        return from_fields((*kinds, *colours, *fields.values()))
    except ValueError as error:
        raise ValueError(f"packed chess: {error}") from error
