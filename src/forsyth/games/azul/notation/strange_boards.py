"""Azul boards that no game has: well-formed, but with more in them than cells can hold.

Accepts walls with a colour in the cell of another, lines of several colours or with more tiles than they have
room for, and floors of more than seven spaces. What stands for them in the cells is what `cells_of` makes of
such a position; STRANGE says whose board it is, and WALL_AT where it stands in the text, from which counts,
findings (`notes`) and the canonical text (`cells_write`) are taken.

Limits: the caller has looked whether there are enough characters.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.games.azul.notation.cells import (
        BOARD,
        BOARD_CELLS,
        CODE,
        FLOOR,
        FLOOR_LANES,
        HELD,
        LINE,
        LINE_LANES,
        MARKER_CODE,
        MARKER_LANE,
        MARKERS,
        ON_FLOORS,
        PLAYERS,
        SEEN,
        STRANGE,
        WALL,
        WALL_AT,
        WALL_LANES,
        Cells,
        Count,
        u64,
    )
    from forsyth.games.azul.tiles import SIZE

    Chars = bytes
    Size = int
    Counts = list[int]


def take_strange_wall(s: Chars, at: Size, cells: Cells, player: Count) -> bool:
    """Whether five rows of any tiles begin at a place; which cells they occupy."""
    row: Count
    column: Count
    mask: Count
    for row in range(SIZE):
        mask = 0
        for column in range(SIZE):
            if CODE[s[at + column]] > SIZE:
                return False
            mask |= (s[at + column] != 45) << column
        if s[at + SIZE] != (47 if row == SIZE - 1 else 124):
            return False
        cells[BOARD + BOARD_CELLS * player + WALL + row] = mask
        at += SIZE + 1
    cells[STRANGE] |= 1 << player
    return True


def take_strange_lines(s: Chars, at: Size, cells: Cells, player: Count, wide: bool) -> bool:
    """Whether five lines of any tiles begin at a place, dashes behind them; what cells hold."""
    row: Count
    width: Count
    tiles: Count
    for row in range(SIZE):
        width = SIZE if wide else row + 1
        tiles = tiles_at(s, at, width)
        if tiles < 0 or s[at + width] != (47 if row == SIZE - 1 else 124):
            return False
        cells[BOARD + BOARD_CELLS * player + LINE + row] = 8 * CODE[s[at]] + tiles if tiles else 0
        at += width + 1
    cells[STRANGE] |= 1 << player
    return True


def tiles_at(s: Chars, at: Size, width: Count) -> Count:
    """How many tiles a line holds, −1 where it is none."""
    column: Count
    tiles: Count = 0
    for column in range(width):
        if CODE[s[at + column]] > SIZE:
            return -1
        if s[at + column] != 45:
            if tiles < column:
                return -1
            tiles += 1
    return tiles


def line_at(s: Chars, cells: Cells, player: Count, row: Count) -> Size:
    """Where a pattern line of a board begins in the text."""
    at: Size = cells[WALL_AT + player] + 30
    return at + row * (row + 3) // 2 if s[at + 1] == 124 else at + (SIZE + 1) * row


def line_width(s: Chars, cells: Cells, player: Count, row: Count) -> Count:
    """With how many characters a pattern line of a board is spelled."""
    return row + 1 if s[cells[WALL_AT + player] + 31] == 124 else SIZE


def floor_at(s: Chars, cells: Cells, player: Count) -> Size:
    """Where the floor of a board begins in the text."""
    return line_at(s, cells, player, SIZE - 1) + SIZE + 1


def recount(cells: Cells, s: Chars) -> None:
    """Count the tiles and markers of strange boards in the text, where `tally` has counted those in cells."""
    player: Count
    colour: Count
    markers: Count
    lanes: u64
    counts: Counts
    if not cython.compiled:
        counts = [0] * 8
    for player in range(cells[PLAYERS]):
        if not cells[STRANGE] >> player & 1:
            continue
        lanes = _lanes_of(cells, BOARD + BOARD_CELLS * player)
        _count_characters(s, cells[WALL_AT + player], counts)
        for colour in range(SIZE):
            cells[SEEN + colour] += counts[colour + 1] - (lanes >> 8 * colour & 255)
        markers = counts[MARKER_CODE] - (lanes >> MARKER_LANE & 31)
        cells[MARKERS] += markers - cells[BOARD + BOARD_CELLS * player + HELD]
        cells[ON_FLOORS] -= markers - cells[BOARD + BOARD_CELLS * player + HELD]


def _lanes_of(cells: Cells, place: Count) -> u64:
    """What `tally` has counted of a board."""
    row: Count
    floor: Count = cells[place + FLOOR]
    lanes: u64 = 0
    for row in range(SIZE):
        lanes += WALL_LANES[row][cells[place + WALL + row]] + LINE_LANES[row][cells[place + LINE + row]]
    while floor:
        lanes += FLOOR_LANES[floor & 7]
        floor >>= 3
    return lanes


def _count_characters(s: Chars, at: Size, counts: Counts) -> None:
    """How often each tile stands in the three components that begin at a place."""
    code: Count
    slashes: Count = 0
    for code in range(8):
        counts[code] = 0
    while slashes < 3:
        slashes += s[at] == 47
        counts[CODE[s[at]]] += 1
        at += 1
