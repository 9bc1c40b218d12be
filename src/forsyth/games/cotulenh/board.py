"""The CoTuLenh board: 11 files a to k, 12 ranks, sea on the left, a river across the middle.

A square is a number: a1 = 0, b1 = 1, … k12 = 131. The tables are filled on import (spec/cotulenh 1 and 2).
The module runs as it is and compiles with Cython (`board.pxd` gives the C types of the tables).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

FILES: Final = "abcdefghijk"
FILE_COUNT: Final = len(FILES)
RANK_COUNT: Final = 12
SQUARES: Final = tuple(f"{file}{rank}" for rank in range(1, RANK_COUNT + 1) for file in FILES)
SQUARE_NUMBER: Final = {name: number for number, name in enumerate(SQUARES)}
DIRECTIONS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1))
"""The eight directions as steps to the right and up. The first four are orthogonal."""
_MAX_DIAGONAL_ATTACK: Final = 5
"""Upper bound on the distance of a diagonal attack on a commander, in squares."""
_MIXED_SQUARES: Final = frozenset(("d6", "e6", "d7", "e7"))
"""Squares at the mouth of the river where navies and all other pieces may stand."""

if not cython.compiled:
    u32 = int
    u64 = int
    i32 = int
    i64 = int
    SQUARE_COUNT: Final = 132
    OFF_BOARD: Final = -1
    """The entry of RAYS where a ray has left the board."""
    DIRECTION_COUNT: Final = 8
    FIRST_DIAGONAL: Final = 4
    """The index of the first diagonal direction in DIRECTIONS; the directions before it are orthogonal."""
    RAY_LENGTH: Final = 12
    """The number of entries in a ray of RAYS, more than any piece can move."""
    RAYS = [[[OFF_BOARD] * RAY_LENGTH for _ in range(DIRECTION_COUNT)] for _ in range(SQUARE_COUNT)]
    WATER = [0] * SQUARE_COUNT
    LAND = [0] * SQUARE_COUNT
    ON_ATTACK_LINE = [[0] * SQUARE_COUNT for _ in range(SQUARE_COUNT)]

    def get_file(square: int) -> int:
        """Return the index of the file of a square number: 0 for a, 10 for k."""
        return square % FILE_COUNT

    def get_rank(square: int) -> int:
        """Return the index of the rank of a square number: 0 for rank 1, 11 for rank 12."""
        return square // FILE_COUNT


def _fill_terrain_tables() -> None:
    """Fill the tables WATER and LAND, which have one entry for each square.

    ``WATER[square]`` is 1 where navies may stand, ``LAND[square]`` is 1 where all other pieces may. Both are
    1 on the coast (file c) and at the mouth of the river.
    """
    coast_file = FILES.index("c")
    for square, name in enumerate(SQUARES):
        file = square % FILE_COUNT
        WATER[square] = file <= coast_file or name in _MIXED_SQUARES
        LAND[square] = file >= coast_file


def _fill_line_tables() -> None:
    """Fill the tables RAYS and ON_ATTACK_LINE for each square.

    * ``RAYS[square][direction]``: the squares that follow in this direction of DIRECTIONS, then OFF_BOARD.
    * ``ON_ATTACK_LINE[square][target]``: 1 if a piece on `target` may attack a commander on `square`. Both
      are on one file or rank, or on one diagonal and at most five squares apart.
    """
    for square in range(SQUARE_COUNT):
        file, rank = square % FILE_COUNT, square // FILE_COUNT
        for direction, (step_right, step_up) in enumerate(DIRECTIONS):
            is_orthogonal = direction < FIRST_DIAGONAL
            for distance in range(1, RAY_LENGTH + 1):
                target = _find_square(file + step_right * distance, rank + step_up * distance)
                RAYS[square][direction][distance - 1] = target
                is_near = is_orthogonal or distance <= _MAX_DIAGONAL_ATTACK
                if target != OFF_BOARD and is_near:
                    ON_ATTACK_LINE[square][target] = 1


def _find_square(file: int, rank: int) -> int:
    """Return the square at an index of file and rank: 46, which is c5, for file 2 and rank 4.

    Return OFF_BOARD if there is no such square.
    """
    is_on_board = 0 <= file < FILE_COUNT and 0 <= rank < RANK_COUNT
    return rank * FILE_COUNT + file if is_on_board else OFF_BOARD


_fill_terrain_tables()
_fill_line_tables()


def get_terrain(square: str) -> str:
    """Return the terrain of a square such as ``c5``: ``water``, ``mixed`` or ``land``.

    Navies may stand on water, all other pieces on land, and both on mixed terrain. Raise `KeyError` if there
    is no such square.
    """
    square_number = SQUARE_NUMBER[square]
    if LAND[square_number] and WATER[square_number]:
        return "mixed"
    return "land" if LAND[square_number] else "water"


WATER_OK: Final = tuple(bool(WATER[square]) for square in range(SQUARE_COUNT))
"""For each square, whether a navy may stand on it."""
LAND_OK: Final = tuple(bool(LAND[square]) for square in range(SQUARE_COUNT))
"""For each square, whether pieces other than navies may stand on it."""
BOARD_SIZE: Final = len(SQUARES)
"""Number of squares. Modules that are not compiled cannot import SQUARE_COUNT."""
