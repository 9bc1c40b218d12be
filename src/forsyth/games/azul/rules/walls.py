"""A wall as bit masks: upper bounds of its score, and its complete rows, columns and colours.

A row is a mask with column 0 in the lowest bit. The functions take a list, and read five row masks that
begin at index `start`. All tiles must be on cells of their colour. The tables are filled on import. The
module runs as it is and compiles with Cython (`walls.pxd` gives the C types).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.games.azul.tiles import SIZE

    Count = int
    Masks = list[int]
    FULL_ROW: Final = 31
    """Mask of a row with all five tiles."""
    TILE_COUNTS = [0] * 32
    """Number of tiles in a row, by mask."""
    RUN_POINTS = [0] * 32
    """Points of a row or column for its runs, by mask: each of the n tiles of a run scores n."""
    LONE_TILES = [0] * 32
    """Mask of the tiles without a neighbour in their row or column, by mask."""
    TRANSPOSED = [0] * 32
    """The bits of a row spread over the columns, by mask: column c goes to bit `SIZE * c`.

    Shifted by the number of its row and combined, the five rows make the transposed wall.
    """
    BY_COLOUR = [[0] * 32 for _ in range(5)]
    """For each row: the mask of colours whose cell is occupied, by mask of columns, blue in the lowest bit.

    The printed colours of a row are those of the row above, one column further to the right.
    """


def _fill_tables() -> None:
    """Fill the tables `TILE_COUNTS`, `RUN_POINTS`, `LONE_TILES`, `TRANSPOSED` and `BY_COLOUR`.

    The index of an entry is the bit mask of a wall row: bit c is set if column c is occupied.
    """
    for mask in range(1 << SIZE):
        # The runs are the groups of ones in the binary digits: ``1011`` has runs of 1 and 2 tiles.
        run_lengths = [len(run) for run in f"{mask:b}".split("0") if run]
        columns = [column for column in range(SIZE) if (mask >> column) & 1]
        left_neighbours, right_neighbours = mask << 1, mask >> 1
        TILE_COUNTS[mask] = mask.bit_count()
        RUN_POINTS[mask] = sum([length * length for length in run_lengths if length > 1])
        LONE_TILES[mask] = mask & ~left_neighbours & ~right_neighbours
        TRANSPOSED[mask] = sum([1 << (SIZE * column) for column in columns])
        for row in range(SIZE):
            # Each row prints the colours of the row above one column further to the right.
            BY_COLOUR[row][mask] = ((mask >> row) | (mask << (SIZE - row))) & FULL_ROW


_fill_tables()


def max_wall_points(masks: Masks, start: Count) -> Count:
    """Return an upper bound on the points that the tiles of a wall have scored when they were placed.

    The bound is the sum of what each tile would score if it were placed last, so it holds for every order.
    The bit masks of the five rows begin at index `start` of `masks`. Bit c of a mask is set if column c is
    occupied.
    """
    points: Count = 0
    transposed_wall: Count = 0
    # The transposed tiles that have no neighbour in their row.
    transposed_lone_tiles: Count = 0
    row: Count
    column: Count
    row_mask: Count
    column_mask: Count
    lone_tiles: Count
    for row in range(SIZE):
        row_mask = masks[start + row]
        points += RUN_POINTS[row_mask]
        transposed_wall |= TRANSPOSED[row_mask] << row
        transposed_lone_tiles |= TRANSPOSED[LONE_TILES[row_mask]] << row
    for column in range(SIZE):
        column_mask = (transposed_wall >> (SIZE * column)) & FULL_ROW
        points += RUN_POINTS[column_mask]
        # A tile without a neighbour in its row and in its column scores 1 point.
        lone_tiles = (transposed_lone_tiles >> (SIZE * column)) & LONE_TILES[column_mask]
        points += TILE_COUNTS[lone_tiles]
    return points


def count_complete_rows(masks: Masks, start: Count) -> Count:
    """Return the number of complete rows of a wall.

    The bit masks of its five rows begin at index `start` of `masks`. Bit c is set if column c is occupied.
    """
    count: Count = 0
    row: Count
    for row in range(SIZE):
        count += masks[start + row] == FULL_ROW
    return count


def count_complete_columns(masks: Masks, start: Count) -> Count:
    """Return the number of complete columns of a wall.

    The bit masks of its five rows begin at index `start` of `masks`. Bit c is set if column c is occupied.
    """
    # Only the bits of complete columns are set in all five masks.
    complete_columns: Count = (
        masks[start] & masks[start + 1] & masks[start + 2] & masks[start + 3] & masks[start + 4]
    )
    return TILE_COUNTS[complete_columns]


def count_complete_colours(masks: Masks, start: Count) -> Count:
    """Return the number of colours that have all five tiles on a wall.

    The bit masks of its five rows begin at index `start` of `masks`. Bit c is set if column c is occupied.
    """
    complete_colours: Count = FULL_ROW
    row: Count
    for row in range(SIZE):
        complete_colours &= BY_COLOUR[row][masks[start + row]]
    return TILE_COUNTS[complete_colours]
