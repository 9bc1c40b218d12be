"""The chess board as bits: squares, attack tables and sliding attacks.

A square is a number: a1 = 0, b1 = 1, … h8 = 63. A set of squares is an integer with one bit for each square.
The attack tables are filled when the module is imported. The module runs as it is and compiles with Cython
(`board.pxd` gives the C types).
"""

from __future__ import annotations

from collections.abc import Callable
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
    A1_BIT = 1
    H8_BIT = 1 << 63
    """Sets that contain only the square a1 or only h8."""
    FLIP_RANK = 56
    """`square ^ FLIP_RANK` is the square on the same file and the opposite rank."""
    NORTH: Final = 0
    NORTH_EAST: Final = 1
    EAST: Final = 2
    NORTH_WEST: Final = 3
    SOUTH: Final = 4
    SOUTH_WEST: Final = 5
    WEST: Final = 6
    SOUTH_EAST: Final = 7
    """Directions, as indexes of RAYS. North leads to rank 8, and east to the h-file."""
    C_FILE: Final = 2
    D_FILE: Final = 3
    E_FILE: Final = 4
    F_FILE: Final = 5
    G_FILE: Final = 6
    H_FILE: Final = 7
    """Files on which kings and rooks stand before and after castling. The a-file is 0."""
    BLACK_CORNER: Final = 56
    """The number of the square a8, the first one of Black's back rank."""
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
        """Return the lowest square in a set that is not empty: the index of the least significant bit."""
        return (squares & -squares).bit_length() - 1

    def msb(squares: int) -> int:
        """Return the highest square in a set that is not empty: the index of the most significant bit."""
        return squares.bit_length() - 1

    def count(squares: int) -> int:
        """Return the number of squares in a set, which has one bit for each square."""
        return squares.bit_count()

    def file_index(square: int) -> int:
        """Return the file of a square as a number, 0 for the a-file to 7 for the h-file."""
        return square & 7

    def rank_index(square: int) -> int:
        """Return the rank of a square as a number, 0 for rank 1 to 7 for rank 8."""
        return square >> 3

    def has_several(squares: int) -> bool:
        """Return whether a set of squares contains at least two squares."""
        # `squares & (squares - 1)` is the set without its lowest square.
        return squares & (squares - 1) != 0


_DIRECTIONS: Final = ((0, 1), (1, 1), (1, 0), (-1, 1), (0, -1), (-1, -1), (-1, 0), (1, -1))
"""The steps of a king as changes of file and rank, in the order NORTH, NORTH_EAST, … SOUTH_EAST.

Directions 0 to 3 lead to squares with higher numbers, 4 to 7 to squares with lower numbers. The directions
with even numbers are those of a rook. Directions whose numbers differ by 4 are opposite.
"""
_KNIGHT_JUMPS: Final = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def _find_reachable_squares(square: int, directions: tuple[tuple[int, int], ...], max_steps: int) -> int:
    """Return the set of squares that a piece reaches from `square` on an empty board.

    A set of squares is a number with one bit for each square, the lowest for a1.

    Args:
        square: The number of the square, 0 for a1 to 63 for h8.
        directions: The directions of the piece, as changes of file and rank, such as ``(1, 2)``.
        max_steps: The number of steps that the piece can make in one direction: 1 for a knight, 7 for a rook.
    """
    reachable_squares = 0
    for file_step, rank_step in directions:
        file, rank = square % 8, square // 8
        for _ in range(max_steps):
            file, rank = file + file_step, rank + rank_step
            if not (0 <= file < 8 and 0 <= rank < 8):
                break
            reachable_squares |= 1 << (rank * 8 + file)
    return reachable_squares


def _trace_ray(square: int, direction: int) -> int:
    """Return the set of squares from `square` to the edge of the board in one direction.

    `square` itself is not included. `direction` is an index of `_DIRECTIONS`, such as NORTH: ``_trace_ray(0,
    NORTH)`` is the set of a2 to a8.
    """
    return _find_reachable_squares(square, (_DIRECTIONS[direction],), 7)


def _fill_attack_tables() -> None:
    """Fill KNIGHT_ATTACKS, KING_ATTACKS, PAWN_ATTACKS and RAYS with sets of squares.

    An entry is the set of squares that the piece attacks from a square. ``RAYS[direction][square]`` is the
    set of squares from there to the edge of the board.
    """
    for square in range(64):
        KNIGHT_ATTACKS[square] = _find_reachable_squares(square, _KNIGHT_JUMPS, 1)
        KING_ATTACKS[square] = _find_reachable_squares(square, _DIRECTIONS, 1)
        PAWN_ATTACKS[0][square] = _find_reachable_squares(square, ((-1, 1), (1, 1)), 1)
        PAWN_ATTACKS[1][square] = _find_reachable_squares(square, ((-1, -1), (1, -1)), 1)
        for direction in range(8):
            RAYS[direction][square] = _trace_ray(square, direction)


def _fill_line_tables() -> None:
    """Fill BETWEEN and LINE, which have a set of squares for each pair of squares on one line.

    A line is a rank, file or diagonal. For a1 and a4, BETWEEN has the set of a2 and a3, and LINE the whole
    a-file.
    """
    for square in range(64):
        for direction in range(8):
            ray = _trace_ray(square, direction)
            opposite_direction = (direction + 4) % 8
            whole_line = ray | _trace_ray(square, opposite_direction) | (1 << square)
            for target in range(64):
                target_bit = 1 << target
                if ray & target_bit:
                    BETWEEN[square][target] = ray & ~(_trace_ray(target, direction) | target_bit)
                    LINE[square][target] = whole_line


def find_rook_attacks(square: i32, occupied: u64) -> u64:
    """Return the set of squares that a rook on `square` attacks.

    `occupied` is the set of all occupied squares. The rook attacks the first of them in each direction, but
    none behind it.
    """
    # To end a ray at its first occupied square, the ray that starts there is removed. A corner is added to
    # the occupied squares, so that there always is a first one: h8 for rays to higher squares, a1 for the
    # others. The ray that starts in this corner is empty, so a ray without obstacles stays whole.
    north: u64 = RAYS[NORTH][square]
    east: u64 = RAYS[EAST][square]
    south: u64 = RAYS[SOUTH][square]
    west: u64 = RAYS[WEST][square]
    north ^= RAYS[NORTH][lsb((north & occupied) | H8_BIT)]
    east ^= RAYS[EAST][lsb((east & occupied) | H8_BIT)]
    south ^= RAYS[SOUTH][msb((south & occupied) | A1_BIT)]
    west ^= RAYS[WEST][msb((west & occupied) | A1_BIT)]
    return north | east | south | west


def find_bishop_attacks(square: i32, occupied: u64) -> u64:
    """Return the set of squares that a bishop on `square` attacks.

    `occupied` is the set of all occupied squares. The bishop attacks the first of them in each direction, but
    none behind it.
    """
    # Each ray is cut off behind its first occupied square, as `find_rook_attacks` explains.
    north_east: u64 = RAYS[NORTH_EAST][square]
    north_west: u64 = RAYS[NORTH_WEST][square]
    south_west: u64 = RAYS[SOUTH_WEST][square]
    south_east: u64 = RAYS[SOUTH_EAST][square]
    north_east ^= RAYS[NORTH_EAST][lsb((north_east & occupied) | H8_BIT)]
    north_west ^= RAYS[NORTH_WEST][lsb((north_west & occupied) | H8_BIT)]
    south_west ^= RAYS[SOUTH_WEST][msb((south_west & occupied) | A1_BIT)]
    south_east ^= RAYS[SOUTH_EAST][msb((south_east & occupied) | A1_BIT)]
    return north_east | north_west | south_west | south_east


_fill_attack_tables()
_fill_line_tables()

if not cython.compiled:

    def _remember_attacks(find_attacks: Callable[[int, int], int]) -> Callable[[int, int], int]:
        """Return `find_attacks` with a dictionary of the sets of squares that it has returned.

        In plain Python, looking a set up takes a fifth of the time of computing it. The key has only the
        occupied squares that can stop the piece, which are those within its reach and not at the end of a
        ray. That bounds the number of sets: 102,400 for rooks and 5,248 for bishops.
        """
        stops = []
        for square in range(64):
            ends = 0
            for direction in range(8):
                ray = RAYS[direction][square]
                if ray:
                    is_upward = direction in (NORTH, NORTH_EAST, EAST, NORTH_WEST)
                    ends |= 1 << (msb(ray) if is_upward else lsb(ray))
            stops.append(find_attacks(square, 0) & ~ends)
        known_attacks: list[dict[int, int]] = [{} for _ in range(64)]

        def find_remembered_attacks(square: int, occupied: int) -> int:
            blockers = occupied & stops[square]
            attacks = known_attacks[square].get(blockers)
            if attacks is None:
                attacks = known_attacks[square][blockers] = find_attacks(square, blockers)
            return attacks

        find_remembered_attacks.__doc__ = find_attacks.__doc__
        return find_remembered_attacks

    find_rook_attacks = _remember_attacks(find_rook_attacks)  # type: ignore[assignment]
    find_bishop_attacks = _remember_attacks(find_bishop_attacks)  # type: ignore[assignment]
