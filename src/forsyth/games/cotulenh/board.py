"""The CoTuLenh board: 11 files a to k, 12 ranks, sea on the left, a river across the middle.

A square is a number, a1 = 0, b1 = 1, … k12 = 131. The module runs as it is and compiles with Cython
(`board.pxd` gives the C tables); tables are filled on import (spec/cotulenh 1 and 2).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

FILES: Final = "abcdefghijk"
RANK_COUNT: Final = 12
SQUARES: Final = tuple(f"{file}{rank}" for rank in range(1, RANK_COUNT + 1) for file in FILES)
SQUARE_NUMBER: Final = {name: number for number, name in enumerate(SQUARES)}
DIRECTIONS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1))
"""Steps across and up; the first four are orthogonal."""

if not cython.compiled:
    u32 = int
    u64 = int
    i32 = int
    i64 = int
    SQUARE_COUNT: Final = 132
    NOWHERE: Final = -1
    RAYS = [[[NOWHERE] * 12 for _ in range(8)] for _ in range(SQUARE_COUNT)]
    WATER = [0] * SQUARE_COUNT
    LAND = [0] * SQUARE_COUNT
    NEAR = [[0] * SQUARE_COUNT for _ in range(SQUARE_COUNT)]


def _fill_tables() -> None:
    """RAYS: the squares in each direction, then NOWHERE. WATER and LAND: where navies and all others may
    stand. NEAR: the squares whose men can bear on a commander: eight rays of five, its file and its rank."""
    mixed = {"d6", "e6", "d7", "e7"}
    for square, name in enumerate(SQUARES):
        file, rank = square % 11, square // 11
        WATER[square] = file <= 2 or name in mixed
        LAND[square] = file >= 2
        for direction, (across, up) in enumerate(DIRECTIONS):
            for step in range(12):
                x, y = file + across * (step + 1), rank + up * (step + 1)
                on_board = 0 <= x < 11 and 0 <= y < RANK_COUNT
                RAYS[square][direction][step] = y * 11 + x if on_board else NOWHERE
                if on_board and (direction < 4 or step < 5):
                    NEAR[square][y * 11 + x] = 1


_fill_tables()


def terrain(square: str) -> str:
    """``water``, ``mixed`` or ``land``."""
    number = SQUARE_NUMBER[square]
    if not LAND[number]:
        return "water"
    return "mixed" if WATER[number] else "land"


WATER_OK: Final = tuple(bool(WATER[square]) for square in range(SQUARE_COUNT))
"""Where a navy may stand."""
LAND_OK: Final = tuple(bool(LAND[square]) for square in range(SQUARE_COUNT))
"""Where all others may stand."""
BOARD_SIZE: Final = len(SQUARES)
"""How many squares there are, for modules that are not compiled."""
