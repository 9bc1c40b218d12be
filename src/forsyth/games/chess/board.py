"""The chess board as bits: squares, attack tables and sliding attacks.

A square is a number: a1 = 0, b1 = 1, … h8 = 63. A set of squares is an integer with one bit for each square.
The attack tables are filled when the module is imported. The module runs as it is and compiles with Cython
(`board.pxd` gives the C types).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

FILES: Final = "abcdefgh"
SQUARES: Final = tuple(f"{file}{rank}" for rank in range(1, 9) for file in FILES)
"""The names of all squares, by their numbers."""
SQUARE_NUMBER: Final = {name: number for number, name in enumerate(SQUARES)}
"""The number of each square, by its name."""

if not cython.compiled:
    u64 = int
    u16 = int
    i32 = int
    ALL = (1 << 64) - 1
    NOT_FILE_A = 0xFEFEFEFEFEFEFEFE
    NOT_FILE_H = 0x7F7F7F7F7F7F7F7F
    LIGHT_SQUARES = 0x55AA55AA55AA55AA
    END_RANKS = 0xFF000000000000FF
    RANK_1 = 0xFF
    RANK_2 = 0xFF00
    RANK_3 = 0xFF0000
    RANK_6 = 0xFF0000000000
    RANK_8 = 0xFF00000000000000
    ONE = 1
    FLIP_RANK = 56
    """`square ^ FLIP_RANK` is the square on the same file and the opposite rank."""
    RAYS = [[0] * 64 for _ in range(8)]
    """The squares from a square to the edge of the board, by the direction and the square."""
    KNIGHT_ATTACKS = [0] * 64
    KING_ATTACKS = [0] * 64
    PAWN_ATTACKS = [[0] * 64 for _ in range(2)]
    """The squares that a pawn attacks, by its colour (0 White, 1 Black) and its square."""
    BETWEEN = [[0] * 64 for _ in range(64)]
    """The squares between two squares on one rank, file or diagonal. Empty for other pairs of squares."""
    LINE = [[0] * 64 for _ in range(64)]
    """The whole rank, file or diagonal through two squares. Empty for pairs of squares without one."""

    def lsb(squares: int) -> int:
        """Return the number of the lowest square (least significant bit) of a set that is not empty."""
        return (squares & -squares).bit_length() - 1

    def msb(squares: int) -> int:
        """Return the number of the highest square (most significant bit) of a set that is not empty."""
        return squares.bit_length() - 1

    def count(squares: int) -> int:
        """Return the number of squares in a set."""
        return squares.bit_count()


_DIRECTIONS: Final = ((0, 1), (1, 1), (1, 0), (-1, 1), (0, -1), (-1, -1), (-1, 0), (1, -1))
"""The steps of a king as changes of file and rank.

Directions 0 to 3 lead to squares with higher numbers, 4 to 7 to squares with lower numbers. The directions
with even numbers are those of a rook.
"""
_KNIGHT_JUMPS: Final = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def _reachable_squares(square: int, steps: tuple[tuple[int, int], ...], max_steps: int) -> int:
    """Return the set of squares that a piece reaches from `square` on an empty board.

    Args:
        square: The number of the square, 0 for a1 to 63 for h8.
        steps: The directions of the piece, as changes of file and rank, such as ``(1, 2)``.
        max_steps: How often the piece can repeat a step: 1 for a king or knight, 7 for a rook.
    """
    reachable = 0
    for file_step, rank_step in steps:
        file, rank = square % 8, square // 8
        for _ in range(max_steps):
            file, rank = file + file_step, rank + rank_step
            if not (0 <= file < 8 and 0 <= rank < 8):
                break
            reachable |= 1 << (rank * 8 + file)
    return reachable


def _fill_attack_tables() -> None:
    """Fill KNIGHT_ATTACKS, KING_ATTACKS, PAWN_ATTACKS and RAYS, on an empty board.

    An entry is the set of squares that the piece attacks from a square. ``RAYS[direction][square]`` is the
    set of squares from there to the edge of the board.
    """
    for square in range(64):
        KNIGHT_ATTACKS[square] = _reachable_squares(square, _KNIGHT_JUMPS, 1)
        KING_ATTACKS[square] = _reachable_squares(square, _DIRECTIONS, 1)
        PAWN_ATTACKS[0][square] = _reachable_squares(square, ((-1, 1), (1, 1)), 1)
        PAWN_ATTACKS[1][square] = _reachable_squares(square, ((-1, -1), (1, -1)), 1)
        for direction in range(8):
            RAYS[direction][square] = _reachable_squares(square, (_DIRECTIONS[direction],), 7)


def _fill_line_tables() -> None:
    """Fill BETWEEN and LINE for all pairs of squares on one rank, file or diagonal.

    ``BETWEEN[a1][a4]`` is the set of a2 and a3. ``LINE[a1][a4]`` is the whole a-file.
    """
    for square in range(64):
        for direction in range(8):
            ray = _reachable_squares(square, (_DIRECTIONS[direction],), 7)
            opposite_ray = _reachable_squares(square, (_DIRECTIONS[(direction + 4) % 8],), 7)
            for target in range(64):
                if not ray >> target & 1:
                    continue
                squares_behind = _reachable_squares(target, (_DIRECTIONS[direction],), 7)
                BETWEEN[square][target] = ray & ~(squares_behind | 1 << target)
                LINE[square][target] = ray | opposite_ray | 1 << square


def rook_attacks(square: i32, occupied: u64) -> u64:
    """Return the set of squares that a rook on `square` attacks.

    `occupied` is the set of all occupied squares. The first one in each direction is attacked, and those
    behind it are not.
    """
    # A ray ends at its first occupied square: the ray that starts there is removed. The corner h8 (for rays
    # to higher squares) or a1 (for rays to lower squares) is added to the occupied squares, so that there
    # always is one. No ray in these directions starts there, so a ray without obstacles stays whole.
    north: u64 = RAYS[0][square]
    east: u64 = RAYS[2][square]
    south: u64 = RAYS[4][square]
    west: u64 = RAYS[6][square]
    north ^= RAYS[0][lsb((north & occupied) | (ONE << 63))]
    east ^= RAYS[2][lsb((east & occupied) | (ONE << 63))]
    south ^= RAYS[4][msb((south & occupied) | ONE)]
    west ^= RAYS[6][msb((west & occupied) | ONE)]
    return north | east | south | west


def bishop_attacks(square: i32, occupied: u64) -> u64:
    """Return the set of squares that a bishop on `square` attacks.

    `occupied` is the set of all occupied squares. The first one in each direction is attacked, and those
    behind it are not. `rook_attacks` explains the method.
    """
    north_east: u64 = RAYS[1][square]
    north_west: u64 = RAYS[3][square]
    south_west: u64 = RAYS[5][square]
    south_east: u64 = RAYS[7][square]
    north_east ^= RAYS[1][lsb((north_east & occupied) | (ONE << 63))]
    north_west ^= RAYS[3][lsb((north_west & occupied) | (ONE << 63))]
    south_west ^= RAYS[5][msb((south_west & occupied) | ONE)]
    south_east ^= RAYS[7][msb((south_east & occupied) | ONE)]
    return north_east | north_west | south_west | south_east


_fill_attack_tables()
_fill_line_tables()
