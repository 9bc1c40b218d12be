"""A wall as bits: what its rows and columns can have scored, and what of it is complete.

A row is a mask, column 0 lowest; the functions take five masks that stand in a row at a place of a list. They
mean something for walls with each colour where it is printed. The tables are filled on import; the module
runs as it is and compiles with Cython (`walls.pxd` gives the C types).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.games.azul.tiles import SIZE

    Count = int
    Masks = list[int]
    TILES_IN = [0] * 32
    """How many tiles a row has."""
    RUN_POINTS = [0] * 32
    """What the tiles of a row or column score by it: in a run of n each of the n tiles scores n."""
    LONE = [0] * 32
    """The tiles of a row or column without a neighbour in it."""
    TURNED = [0] * 32
    """The bits of a row set apart by columns: shifted by the row's number, all rows make the turned wall."""
    BY_COLOUR = [[0] * 32 for _ in range(5)]
    """For each row the cells as bits by colour, blue lowest: a row is the one above it, one place further."""


def _fill_tables() -> None:
    full = (1 << SIZE) - 1
    for mask in range(1 << SIZE):
        runs = [len(run) for run in f"{mask:b}".split("0") if run]
        TILES_IN[mask] = mask.bit_count()
        RUN_POINTS[mask] = sum([length * length for length in runs if length > 1])
        LONE[mask] = mask & ~(mask << 1) & ~(mask >> 1)
        TURNED[mask] = sum([1 << SIZE * column for column in range(SIZE) if mask >> column & 1])
        for row in range(SIZE):
            BY_COLOUR[row][mask] = (mask >> row | mask << SIZE - row) & full


_fill_tables()


def most_points(masks: Masks, at: Count) -> Count:
    """More than the tiles of a wall score in any order no game gives (spec/azul 8.4, SCORE_WALL)."""
    points: Count = 0
    turned: Count = 0
    lone: Count = 0
    row: Count
    mask: Count
    for row in range(SIZE):
        mask = masks[at + row]
        points += RUN_POINTS[mask]
        turned |= TURNED[mask] << row
        lone |= TURNED[LONE[mask]] << row
    for row in range(SIZE):
        mask = turned >> SIZE * row & 31
        points += RUN_POINTS[mask] + TILES_IN[lone >> SIZE * row & LONE[mask]]
    return points


def complete_rows(masks: Masks, at: Count) -> Count:
    """How many rows have all their tiles."""
    found: Count = 0
    row: Count
    for row in range(SIZE):
        found += masks[at + row] == 31
    return found


def complete_columns(masks: Masks, at: Count) -> Count:
    """How many columns have all their tiles."""
    return TILES_IN[masks[at] & masks[at + 1] & masks[at + 2] & masks[at + 3] & masks[at + 4]]


def complete_colours(masks: Masks, at: Count) -> Count:
    """How many colours have all their tiles."""
    found: Count = 31
    row: Count
    for row in range(SIZE):
        found &= BY_COLOUR[row][masks[at + row]]
    return TILES_IN[found]
