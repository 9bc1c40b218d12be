"""What tiles are worth: placements, the tiling of one board, bonuses, winners (spec/azul 1.6 and 1.7).

Accepts boards whose wall has each colour where it is printed and whose lines hold one colour; for any other
the points mean nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.azul.position import Board
from forsyth.games.azul.tiles import COLUMN_OF, MARKER, PENALTIES, ROWS, is_complete

if not cython.compiled:
    from forsyth.games.azul.position import blank_board, seal_board
    from forsyth.games.azul.rules.walls import BY_COLOUR
    from forsyth.games.azul.tiles import FLOOR_SPACES, SIZE

    Count = int

Wall = Sequence[str]
Masks = list[int]

ROW_BONUS: Final = 2
COLUMN_BONUS: Final = 7
COLOUR_BONUS: Final = 10


class Placement(NamedTuple):
    """One tile that went from a full line to the wall, and what it scored."""

    row: int
    column: int
    colour: str
    points: int


class Tiled(NamedTuple):
    """What the tiling made of one board."""

    board: Board
    placements: tuple[Placement, ...]
    spaces: int
    """Occupied floor spaces, the marker's included."""
    penalty: int
    lost: int
    """Points really lost: a score does not drop below 0."""
    discarded: str
    """The tiles that leave the board."""


class Bonus(NamedTuple):
    """What a wall is worth at the end."""

    rows: int
    columns: int
    colours: int

    @property
    def points(self) -> int:
        """Points for all of it."""
        return ROW_BONUS * self.rows + COLUMN_BONUS * self.columns + COLOUR_BONUS * self.colours


def _run(mask: int, place: int) -> int:
    """The length of the run of bits through an occupied place."""
    first = last = place
    while 0 < first < SIZE and mask >> first - 1 & 1:
        first -= 1
    while last < SIZE and mask >> last + 1 & 1:
        last += 1
    return last - first + 1


_MASKS: Final = ROWS
_new: Final = tuple.__new__
"""Makes a named tuple without going through its Python constructor."""
_RUNS: Final = tuple(tuple(_run(mask, place) for place in range(SIZE)) for mask in range(1 << SIZE))


_FULL: Final = (1 << SIZE) - 1


def masks_of(wall: Wall) -> list[int]:
    """The occupied cells of each row as bits, column 0 lowest."""
    masks = []
    row: Count
    text: str
    for row in range(SIZE):
        text = wall[row]
        mask = _MASKS[row].get(text)
        if mask is None:
            mask = sum([1 << column for column in range(SIZE) if text[column] != "-"])
        masks.append(mask)
    return masks


def runs_at(wall: Wall, row: int, column: int) -> tuple[int, int]:
    """The lengths of the unbroken runs through an occupied cell, across and down."""
    masks = masks_of(wall)
    return _RUNS[masks[row]][column], _RUNS[_column_of(masks, column)][row]


def _column_of(masks: Masks, column: Count) -> Count:
    """The occupied cells of a column as bits, row 0 lowest."""
    found: Count = 0
    row: Count
    mask: Count
    for row in range(SIZE):
        mask = masks[row]
        found |= (mask >> column & 1) << row
    return found


def points_for(across: Count, down: Count) -> Count:
    """The points of a placed tile whose runs are so long."""
    if across == 1 and down == 1:
        return 1
    return (across if across > 1 else 0) + (down if down > 1 else 0)


def with_tile(wall: Wall, row: int, colour: str) -> tuple[str, ...]:
    """The wall with one more tile, where its colour is printed in a row."""
    column = COLUMN_OF[row][colour]
    cells = wall[row]
    return (*wall[:row], f"{cells[:column]}{colour}{cells[column + 1 :]}", *wall[row + 1 :])


def tile(board: Board) -> Tiled:
    """Move a tile of each full line to the wall, top to bottom, then pay for the floor."""
    wall, lines = list(board.wall), list(board.lines)
    masks: Masks = []
    placements = []
    discarded: str = board.floor.replace(MARKER, "")
    score: Count = board.score
    points: Count
    row: Count
    column: Count
    mask: Count
    tiles: str
    cells: str
    for row in range(SIZE):
        tiles = lines[row]
        if len(tiles) <= row:
            continue
        if not masks:
            masks = masks_of(board.wall)
        colour = tiles[0]
        column = COLUMN_OF[row][colour]
        mask = masks[row]
        mask |= 1 << column
        masks[row] = mask
        cells = wall[row]
        wall[row] = cells[:column] + colour + cells[column + 1 :]
        points = points_for(_RUNS[mask][column], _RUNS[_column_of(masks, column)][row])
        placements.append(_new(Placement, (row, column, colour, points)))
        score += points
        discarded += tiles[1:]
        lines[row] = ""
    spaces: Count = min(len(board.floor), FLOOR_SPACES)
    penalty: Count = PENALTIES[spaces]
    left: Count = max(0, score - penalty)
    tiled = blank_board()
    tiled.wall = tuple(wall)
    tiled.lines = tuple(lines)
    tiled.floor = ""
    tiled.held = False
    tiled.score = left
    tiled.wide = board.wide
    return _new(Tiled, (seal_board(tiled), tuple(placements), spaces, penalty, score - left, discarded))


def bonus(wall: Wall) -> Bonus:
    """The complete rows, columns and colours of a wall."""
    masks = masks_of(wall)
    columns = colours = _FULL
    row: Count
    for row in range(SIZE):
        columns &= masks[row]
        colours &= BY_COLOUR[row][masks[row]]
    return Bonus(masks.count(_FULL), columns.bit_count(), colours.bit_count())


def complete_rows(wall: Wall) -> int:
    """How many rows have all their tiles."""
    return sum([is_complete(row) for row in wall])


def winners(scores: Sequence[int], rows: Sequence[int]) -> tuple[int, ...]:
    """Who wins: the highest score, among equals the most complete rows; several share a victory."""
    best = max(zip(scores, rows, strict=True))
    return tuple([player for player, pair in enumerate(zip(scores, rows, strict=True)) if pair == best])


def is_printed(wall: Wall) -> bool:
    """Whether every tile stands where its colour is printed."""
    return all(cells in ROWS[row] for row, cells in enumerate(wall))
