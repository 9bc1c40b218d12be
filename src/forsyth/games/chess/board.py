"""The chess board as bits: squares, attack tables and sliding attacks.

A square is a number, a1 = 0, b1 = 1, … h8 = 63; a set of squares is an integer with one bit for each. The
module runs as it is and compiles with Cython (`board.pxd` gives the C types); tables are filled on import.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

FILES: Final = "abcdefgh"
SQUARES: Final = tuple(f"{file}{rank}" for rank in range(1, 9) for file in FILES)
SQUARE_NUMBER: Final = {name: number for number, name in enumerate(SQUARES)}

if not cython.compiled:
    u64 = int
    u16 = int
    i32 = int
    ALL = (1 << 64) - 1
    NOT_FILE_A = 0xFEFEFEFEFEFEFEFE
    NOT_FILE_H = 0x7F7F7F7F7F7F7F7F
    LIGHT = 0x55AA55AA55AA55AA
    ENDS = 0xFF000000000000FF
    RANK_1 = 0xFF
    RANK_2 = 0xFF00
    RANK_3 = 0xFF0000
    RANK_6 = 0xFF0000000000
    RANK_8 = 0xFF00000000000000
    ONE = 1
    RAYS = [[0] * 64 for _ in range(8)]
    KNIGHT = [0] * 64
    KING = [0] * 64
    PAWN = [[0] * 64 for _ in range(2)]
    BETWEEN = [[0] * 64 for _ in range(64)]
    LINE = [[0] * 64 for _ in range(64)]

    def lsb(x: int) -> int:
        """The number of the lowest square of a set that is not empty."""
        return (x & -x).bit_length() - 1

    def msb(x: int) -> int:
        """The number of the highest square of a set that is not empty."""
        return x.bit_length() - 1

    def count(x: int) -> int:
        """How many squares a set has."""
        return x.bit_count()


# Directions 0 to 3 lead to higher squares, 4 to 7 to lower ones; even ones are a rook's.
_STEPS: Final = ((0, 1), (1, 1), (1, 0), (-1, 1), (0, -1), (-1, -1), (-1, 0), (1, -1))
_LEAPS: Final = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def _reach(square: int, steps: tuple[tuple[int, int], ...], far: int) -> int:
    found = 0
    for across, up in steps:
        file, rank = square % 8, square // 8
        for _ in range(far):
            file, rank = file + across, rank + up
            if not (0 <= file < 8 and 0 <= rank < 8):
                break
            found |= 1 << (rank * 8 + file)
    return found


def _fill_tables() -> None:
    for square in range(64):
        KNIGHT[square] = _reach(square, _LEAPS, 1)
        KING[square] = _reach(square, _STEPS, 1)
        PAWN[0][square] = _reach(square, ((-1, 1), (1, 1)), 1)
        PAWN[1][square] = _reach(square, ((-1, -1), (1, -1)), 1)
        for direction in range(8):
            RAYS[direction][square] = _reach(square, (_STEPS[direction],), 7)
    for square in range(64):
        for direction in range(8):
            ray = _reach(square, (_STEPS[direction],), 7)
            back = _reach(square, (_STEPS[(direction + 4) % 8],), 7)
            for other in range(64):
                if not ray >> other & 1:
                    continue
                beyond = _reach(other, (_STEPS[direction],), 7)
                BETWEEN[square][other] = ray & ~(beyond | 1 << other)
                LINE[square][other] = ray | back | 1 << square


def rook_attacks(square: i32, occupied: u64) -> u64:
    """The squares a rook attacks, its first obstacle in each direction included."""
    # h8 (or a1) has no ray in an upward (downward) direction, so adding it to the obstacles of a ray
    # without any leaves the ray whole.
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
    """The squares a bishop attacks, its first obstacle in each direction included."""
    north_east: u64 = RAYS[1][square]
    north_west: u64 = RAYS[3][square]
    south_west: u64 = RAYS[5][square]
    south_east: u64 = RAYS[7][square]
    north_east ^= RAYS[1][lsb((north_east & occupied) | (ONE << 63))]
    north_west ^= RAYS[3][lsb((north_west & occupied) | (ONE << 63))]
    south_west ^= RAYS[5][msb((south_west & occupied) | ONE)]
    south_east ^= RAYS[7][msb((south_east & occupied) | ONE)]
    return north_east | north_west | south_west | south_east


_fill_tables()
