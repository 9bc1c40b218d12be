"""Chess positions as tensors of bytes for training: planes of eight rows of eight squares.

Row 0 is rank 1 and the first byte of a row is the a-file, whichever side is to move. A plane of pieces has 1
on the squares of these pieces and 0 elsewhere. A plane of a flag or a number has its value on every square;
numbers above 255 are written as 255. `PLANES` describes the planes of standard chess and Chess960, and
`plane_shape` those of a variant, which may have more planes at the end.

The module runs as it is and compiles with Cython (`planes.pxd` gives the C types). `put_planes` works on
memory, without the GIL.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.column import Planes
from forsyth.games.chess.position import Position

if not cython.compiled:
    from forsyth.games.chess.board import ONE, i32, u64
    from forsyth.games.chess.position import (
        CRAZYHOUSE,
        POCKET_KINDS,
        RANK_MASK,
        THREE_CHECK,
        count_in_pocket,
    )
    from forsyth.games.chess.rules.attacks import BLACK_CHECKS_SHIFT, WHITE_CHECKS_MASK
    from forsyth.games.chess.rules.legality import WING_BITS, encode_castling_wings

    Out = bytearray | memoryview
    Size = int
    PLANE_SIZE: Final = 64
    """Bytes of a plane."""
    ROW_SIZE: Final = 8
    """Bytes of a row, which are also the bits of a rank in a set of squares."""
    MAX_BYTE: Final = 255
    STANDARD_PLANES: Final = 20
    CRAZYHOUSE_PLANES: Final = 11
    THREE_CHECK_PLANES: Final = 2
    ROW_BYTES = [[0] * 8 for _ in range(256)]
    """The eight bytes of a row for each set of its squares."""

    def write_plane_row(out: bytearray | memoryview, start: int, squares: int) -> None:
        """Write eight bytes to `out` from `start` on: the bits of `squares`, the lowest (a-file) first."""
        out[start : start + ROW_SIZE] = bytes(ROW_BYTES[squares])

    def fill_plane(out: bytearray | memoryview, start: int, value: int) -> None:
        """Write `value`, 0 to 255, to the 64 bytes of `out` from `start` on, which are one plane."""
        out[start : start + PLANE_SIZE] = bytes((value,)) * PLANE_SIZE


_KINDS: Final = ("pawns", "knights", "bishops", "rooks", "queens", "kings")

PLANES: Final = Planes(
    (
        *(f"white_{kind}" for kind in _KINDS),
        *(f"black_{kind}" for kind in _KINDS),
        "black_to_move",
        "white_castles_short",
        "white_castles_long",
        "black_castles_short",
        "black_castles_long",
        "en_passant",
        "half_moves",
        "move_number",
    ),
    8,
    8,
)
"""The planes of standard chess, in order, with their numbers of rows and columns."""
_CRAZYHOUSE_PLANES: Final = (
    *(f"white_{kind}_in_hand" for kind in _KINDS[:5]),
    *(f"black_{kind}_in_hand" for kind in _KINDS[:5]),
    "promoted",
)
_THREE_CHECK_PLANES: Final = ("white_checks_left", "black_checks_left")


def _fill_row_bytes() -> None:
    """Fill ROW_BYTES: for each set of the eight squares of a row, the eight bytes 0 or 1, a-file first.

    ``ROW_BYTES[5]``, the a-file and the c-file, is ``[1, 0, 1, 0, 0, 0, 0, 0]``.
    """
    for squares in range(256):
        for file in range(8):
            ROW_BYTES[squares][file] = (squares >> file) & 1


_fill_row_bytes()


def plane_shape(rules: int) -> Planes:
    """Return the names of the planes of a variant, with their number of rows and columns.

    `rules` is the index of the variant in VARIANTS. Crazyhouse and Three-check have additional planes.
    """
    if rules == CRAZYHOUSE:
        return PLANES._replace(names=PLANES.names + _CRAZYHOUSE_PLANES)
    if rules == THREE_CHECK:
        return PLANES._replace(names=PLANES.names + _THREE_CHECK_PLANES)
    return PLANES


def planes(position: Position, rules: int) -> bytes:
    """Return the planes of a position as bytes: 64 for each name of `plane_shape(rules)`, in its order.

    Each plane begins with the squares a1, b1, … h1.
    """
    out = bytearray(plane_shape(rules).size)
    put_planes(position, rules, out, 0)
    return bytes(out)


def count_planes(rules: i32) -> i32:
    """Return the number of planes of a variant, whose index in VARIANTS is `rules`."""
    if rules == CRAZYHOUSE:
        return STANDARD_PLANES + CRAZYHOUSE_PLANES
    if rules == THREE_CHECK:
        return STANDARD_PLANES + THREE_CHECK_PLANES
    return STANDARD_PLANES


def put_planes(position: Position, rules: i32, out: Out, start: Size) -> None:
    """Write the planes of a position to `out`, beginning at the offset `start`.

    `plane_shape(rules)` names the planes, in order, where `rules` is the index of the variant in VARIANTS.
    Each plane takes 64 bytes, one for each square, so `out` needs space for 64 × `count_planes(rules)` bytes.
    """
    black: i32
    own: u64
    # One bit for each castling right, in the order KQkq.
    wings: i32 = encode_castling_wings(position)
    wing: i32
    ep_squares: u64 = ONE << position.ep_square if position.ep_square >= 0 else 0
    for black in range(2):
        own = position.black if black else position.white
        start = write_square_plane(out, start, position.pawns & own)
        start = write_square_plane(out, start, position.knights & own)
        start = write_square_plane(out, start, position.bishops & own)
        start = write_square_plane(out, start, position.rooks & own)
        start = write_square_plane(out, start, position.queens & own)
        start = write_square_plane(out, start, position.kings & own)
    start = write_constant_plane(out, start, position.black_to_move)
    for wing in range(2 * WING_BITS):
        start = write_constant_plane(out, start, (wings >> wing) & 1)
    start = write_square_plane(out, start, ep_squares)
    start = write_constant_plane(out, start, position.half)
    start = write_constant_plane(out, start, position.full)
    if rules == CRAZYHOUSE:
        write_pocket_planes(position, out, start)
    elif rules == THREE_CHECK:
        start = write_constant_plane(out, start, position.remaining & WHITE_CHECKS_MASK)
        write_constant_plane(out, start, position.remaining >> BLACK_CHECKS_SHIFT)


def write_pocket_planes(position: Position, out: Out, start: Size) -> None:
    """Write the planes that only Crazyhouse has to `out`, beginning at the offset `start`.

    They have the number of pieces in hand of each kind, for White and then Black, and the promoted pieces.
    """
    kind: i32
    black: i32
    pocket: u64
    for black in range(2):
        pocket = position.black_pocket if black else position.white_pocket
        for kind in range(POCKET_KINDS):
            start = write_constant_plane(out, start, count_in_pocket(pocket, kind))
    write_square_plane(out, start, position.promoted)


def write_square_plane(out: Out, start: Size, squares: u64) -> Size:
    """Write a plane of 64 bytes, 1 on the squares of a set and 0 elsewhere, to `out` from `start` on.

    Return the offset of the next plane.
    """
    rank: i32
    for rank in range(8):
        write_plane_row(out, start, (squares >> (ROW_SIZE * rank)) & RANK_MASK)
        start += ROW_SIZE
    return start


def write_constant_plane(out: Out, start: Size, value: i32) -> Size:
    """Write a plane of 64 bytes that all have the same value to `out` from `start` on.

    Values above 255 are written as 255. Return the offset of the next plane.
    """
    fill_plane(out, start, MAX_BYTE if value > MAX_BYTE else value)
    return start + PLANE_SIZE
