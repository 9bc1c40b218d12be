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
_ORTHOGONAL_COUNT: Final = 4
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
    RAYS = [[[OFF_BOARD] * 12 for _ in range(8)] for _ in range(SQUARE_COUNT)]
    WATER = [0] * SQUARE_COUNT
    LAND = [0] * SQUARE_COUNT
    ON_ATTACK_LINE = [[0] * SQUARE_COUNT for _ in range(SQUARE_COUNT)]


def _fill_tables() -> None:
    """Fill the tables of squares, which are arrays of numbers for speed.

    * RAYS[square][direction]: the squares from a square in each direction of DIRECTIONS, then OFF_BOARD.
    * WATER[square], LAND[square]: 1 where navies, or all other pieces, may stand.
    * ON_ATTACK_LINE[first][second]: 1 if a piece on the second square may attack a commander on the first.
    The two are on
      one file or rank, or on one diagonal at most five squares apart.
    """
    coast = FILES.index("c")
    for square, name in enumerate(SQUARES):
        file, rank = square % FILE_COUNT, square // FILE_COUNT
        WATER[square] = file <= coast or name in _MIXED_SQUARES
        LAND[square] = file >= coast
        for direction, (step_right, step_up) in enumerate(DIRECTIONS):
            for index in range(RANK_COUNT):
                distance = index + 1
                x, y = file + step_right * distance, rank + step_up * distance
                is_on_board = 0 <= x < FILE_COUNT and 0 <= y < RANK_COUNT
                target = y * FILE_COUNT + x if is_on_board else OFF_BOARD
                RAYS[square][direction][index] = target
                is_orthogonal = direction < _ORTHOGONAL_COUNT
                if is_on_board and (is_orthogonal or distance <= _MAX_DIAGONAL_ATTACK):
                    ON_ATTACK_LINE[square][target] = 1


_fill_tables()


def get_terrain(square: str) -> str:
    """Return the terrain of a square such as ``c5``: ``water``, ``mixed`` or ``land``.

    Navies and all other pieces may stand on mixed terrain. Raise `KeyError` if there is no such square.
    """
    number = SQUARE_NUMBER[square]
    if not LAND[number]:
        return "water"
    return "mixed" if WATER[number] else "land"


WATER_OK: Final = tuple(bool(WATER[square]) for square in range(SQUARE_COUNT))
"""For each square, whether a navy may stand on it."""
LAND_OK: Final = tuple(bool(LAND[square]) for square in range(SQUARE_COUNT))
"""For each square, whether pieces other than navies may stand on it."""
BOARD_SIZE: Final = len(SQUARES)
"""Number of squares. Modules that are not compiled cannot import SQUARE_COUNT."""
