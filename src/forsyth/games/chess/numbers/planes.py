"""A chess position as a tensor of bytes, for training: planes of eight rows of eight squares.

Row 0 is rank 1, and the first byte of a row is the a-file, whoever moves. A plane of men has 1 where such a
man stands and 0 elsewhere; a plane of a flag or a number has it on every square, numbers above 255 as 255.
`PLANES` are those of standard chess and Chess960; `plane_shape` says those of a variant, which may have more
behind them.

The module runs as it is and compiles with Cython (`planes.pxd` gives the C types); `put_planes` works on
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
    from forsyth.games.chess.position import CRAZYHOUSE, THREE_CHECK
    from forsyth.games.chess.rules.legality import castling_wings

    Out = bytearray | memoryview
    Size = int
    PLANE: Final = 64
    STANDARD_PLANES: Final = 20
    ROWS = [[0] * 8 for _ in range(256)]

    def put_row(out: bytearray | memoryview, at: int, squares: int) -> None:
        """Write eight squares, a byte for each."""
        out[at : at + 8] = bytes(ROWS[squares])

    def fill(out: bytearray | memoryview, at: int, value: int) -> None:
        """Write a plane that is the same on every square."""
        out[at : at + PLANE] = bytes((value,)) * PLANE


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
_CRAZYHOUSE: Final = (
    *(f"white_{kind}_in_hand" for kind in _KINDS[:5]),
    *(f"black_{kind}_in_hand" for kind in _KINDS[:5]),
    "promoted",
)
_THREE_CHECK: Final = ("white_checks_left", "black_checks_left")


def _fill_rows() -> None:
    for squares in range(256):
        for file in range(8):
            ROWS[squares][file] = squares >> file & 1


_fill_rows()


def plane_shape(rules: int) -> Planes:
    """The shape of what `planes` gives in a variant."""
    if rules == CRAZYHOUSE:
        return PLANES._replace(names=PLANES.names + _CRAZYHOUSE)
    return PLANES._replace(names=PLANES.names + _THREE_CHECK) if rules == THREE_CHECK else PLANES


def planes(position: Position, rules: int) -> bytes:
    """The planes of a position, of the shape `plane_shape(rules)`."""
    out = bytearray(plane_shape(rules).size)
    put_planes(position, rules, out, 0)
    return bytes(out)


def planes_in(rules: i32) -> i32:
    """How many planes `put_planes` writes."""
    if rules == CRAZYHOUSE:
        return STANDARD_PLANES + 11
    return STANDARD_PLANES + 2 if rules == THREE_CHECK else STANDARD_PLANES


def put_planes(position: Position, rules: i32, out: Out, at: Size) -> None:
    """Write the planes of `plane_shape(rules)`."""
    black: i32
    own: u64
    wings: i32 = castling_wings(position)
    wing: i32
    for black in range(2):
        own = position.black if black else position.white
        at = put_set(out, at, position.pawns & own)
        at = put_set(out, at, position.knights & own)
        at = put_set(out, at, position.bishops & own)
        at = put_set(out, at, position.rooks & own)
        at = put_set(out, at, position.queens & own)
        at = put_set(out, at, position.kings & own)
    at = put_filled(out, at, position.black_to_move)
    for wing in range(4):
        at = put_filled(out, at, wings >> wing & 1)
    at = put_set(out, at, ONE << position.ep_square if position.ep_square >= 0 else 0)
    at = put_filled(out, at, position.half)
    at = put_filled(out, at, position.full)
    if rules == CRAZYHOUSE:
        put_pocket_planes(position, out, at)
    elif rules == THREE_CHECK:
        at = put_filled(out, at, position.remaining & 15)
        put_filled(out, at, position.remaining >> 4)


def put_pocket_planes(position: Position, out: Out, at: Size) -> None:
    """Write the planes that Crazyhouse adds."""
    kind: i32
    black: i32
    pocket: u64
    for black in range(2):
        pocket = position.black_pocket if black else position.white_pocket
        for kind in range(5):
            at = put_filled(out, at, pocket >> 8 * kind & 255)
    put_set(out, at, position.promoted)


def put_set(out: Out, at: Size, squares: u64) -> Size:
    """Write a plane with 1 on the squares of a set; where the next begins."""
    rank: i32
    for rank in range(8):
        put_row(out, at, squares >> 8 * rank & 255)
        at += 8
    return at


def put_filled(out: Out, at: Size, value: i32) -> Size:
    """Write a plane that has a number on every square; where the next begins."""
    fill(out, at, 255 if value > 255 else value)
    return at + PLANE
