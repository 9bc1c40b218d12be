"""Chess positions as tensors of bytes for training: planes of eight rows of eight squares.

Row 0 is rank 1 and the first byte of a row is the a-file, whichever side is to move. A plane of pieces has 1
on the squares of these pieces and 0 elsewhere. A plane of a flag or a number has its value on every square;
numbers above 255 are written as 255. `PLANES` describes the planes of standard chess and Chess960, and
`make_plane_shape` those of a variant, which may have more planes at the end.

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

    def write_plane_row(output: bytearray | memoryview, offset: int, squares: int) -> None:
        """Write a row of a plane to `output`: eight bytes, 1 on the squares in a set and 0 elsewhere.

        `squares` has one bit for each square of the row, the lowest for the a-file. The row begins at
        `offset`.
        """
        output[offset : offset + ROW_SIZE] = bytes(ROW_BYTES[squares])

    def fill_plane(output: bytearray | memoryview, offset: int, value: int) -> None:
        """Set the 64 bytes of `output` from `offset` on, which are one plane, to `value` (0 to 255)."""
        output[offset : offset + PLANE_SIZE] = bytes((value,)) * PLANE_SIZE


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
    """Fill ROW_BYTES, which has the eight bytes (0 or 1) of each possible row of a plane.

    ``ROW_BYTES[5]``, the row with the a-file and the c-file, is ``[1, 0, 1, 0, 0, 0, 0, 0]``.
    """
    for squares in range(256):
        for file in range(8):
            ROW_BYTES[squares][file] = (squares >> file) & 1


_fill_row_bytes()


def make_plane_shape(variant_index: int) -> Planes:
    """Return the names of the planes of a variant, with their number of rows and columns.

    A plane is an 8 × 8 grid of bytes, such as ``white_pawns`` with 1 on the squares of White's pawns.
    `variant_index` is the index of the variant in VARIANTS. Crazyhouse and Three-check have additional
    planes.
    """
    if variant_index == CRAZYHOUSE:
        return PLANES._replace(names=PLANES.names + _CRAZYHOUSE_PLANES)
    if variant_index == THREE_CHECK:
        return PLANES._replace(names=PLANES.names + _THREE_CHECK_PLANES)
    return PLANES


def compute_planes(position: Position, variant_index: int) -> bytes:
    """Return the planes of a position, one after the other: 64 bytes for each, the square a1 first.

    A plane is an 8 × 8 grid of bytes, such as ``white_pawns`` with 1 on the squares of White's pawns.
    `variant_index` is the index of the variant in VARIANTS. `make_plane_shape` has the names of the planes.
    """
    output = bytearray(make_plane_shape(variant_index).size)
    put_planes(position, variant_index, output, 0)
    return bytes(output)


def count_planes(variant_index: i32) -> i32:
    """Return the number of planes of a variant: 20 for standard chess.

    `variant_index` is the index of the variant in VARIANTS.
    """
    if variant_index == CRAZYHOUSE:
        return STANDARD_PLANES + CRAZYHOUSE_PLANES
    if variant_index == THREE_CHECK:
        return STANDARD_PLANES + THREE_CHECK_PLANES
    return STANDARD_PLANES


def put_planes(position: Position, variant_index: i32, output: Out, offset: Size) -> None:
    """Write the planes of a position to `output`, one after the other, beginning at `offset`.

    Each plane takes 64 bytes, one for each square. `make_plane_shape` has their names and order. `output`
    needs space for all `count_planes` planes of the variant. `variant_index` is its index in VARIANTS.
    """
    colour: i32
    own_pieces: u64
    # Four bits, one for each castling right, in the order KQkq.
    castling_rights: i32 = encode_castling_wings(position)
    right_index: i32
    ep_squares: u64 = ONE << position.ep_square if position.ep_square >= 0 else 0
    for colour in range(2):
        own_pieces = position.black if colour else position.white
        offset = write_square_plane(output, offset, position.pawns & own_pieces)
        offset = write_square_plane(output, offset, position.knights & own_pieces)
        offset = write_square_plane(output, offset, position.bishops & own_pieces)
        offset = write_square_plane(output, offset, position.rooks & own_pieces)
        offset = write_square_plane(output, offset, position.queens & own_pieces)
        offset = write_square_plane(output, offset, position.kings & own_pieces)
    offset = write_constant_plane(output, offset, position.black_to_move)
    for right_index in range(2 * WING_BITS):
        offset = write_constant_plane(output, offset, (castling_rights >> right_index) & 1)
    offset = write_square_plane(output, offset, ep_squares)
    offset = write_constant_plane(output, offset, position.half)
    offset = write_constant_plane(output, offset, position.full)
    if variant_index == CRAZYHOUSE:
        write_pocket_planes(position, output, offset)
    elif variant_index == THREE_CHECK:
        offset = write_constant_plane(output, offset, position.remaining & WHITE_CHECKS_MASK)
        write_constant_plane(output, offset, position.remaining >> BLACK_CHECKS_SHIFT)


def write_pocket_planes(position: Position, output: Out, offset: Size) -> None:
    """Write the planes that only Crazyhouse has to `output`, beginning at `offset`.

    They are five planes with White's pieces in hand, from pawns to queens, five with Black's, and one with
    the squares of the promoted pieces.
    """
    kind: i32
    colour: i32
    pocket: u64
    for colour in range(2):
        pocket = position.black_pocket if colour else position.white_pocket
        for kind in range(POCKET_KINDS):
            offset = write_constant_plane(output, offset, count_in_pocket(pocket, kind))
    write_square_plane(output, offset, position.promoted)


def write_square_plane(output: Out, offset: Size, squares: u64) -> Size:
    """Write a plane to `output` from `offset` on: 64 bytes, 1 on the squares in a set and 0 elsewhere.

    `squares` has one bit for each square, the lowest for a1. Return the offset of the next plane.
    """
    rank: i32
    for rank in range(8):
        write_plane_row(output, offset, (squares >> (ROW_SIZE * rank)) & RANK_MASK)
        offset += ROW_SIZE
    return offset


def write_constant_plane(output: Out, offset: Size, value: i32) -> Size:
    """Write a plane of 64 equal bytes to `output` from `offset` on, and return the offset of the next one.

    A `value` above 255 is written as 255.
    """
    fill_plane(output, offset, MAX_BYTE if value > MAX_BYTE else value)
    return offset + PLANE_SIZE
