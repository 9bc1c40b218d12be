"""Points of placed tiles, the tiling of one board, the bonuses and the winners (spec/azul 1.6 and 1.7).

All tiles of a wall must be on cells of their colour, and each pattern line must have one colour. For other
boards the results are meaningless.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.azul.position import Board
from forsyth.games.azul.tiles import MARKER, PENALTIES, PRINTED_COLUMN, ROW_MASKS, is_row_complete

if not cython.compiled:
    from forsyth.games.azul.position import draft_board, seal_board
    from forsyth.games.azul.rules.walls import BY_COLOUR
    from forsyth.games.azul.tiles import FLOOR_SPACES, SIZE

    Count = int

Wall = Sequence[str]
Masks = list[int]

ROW_BONUS: Final = 2
COLUMN_BONUS: Final = 7
COLOUR_BONUS: Final = 10


class Placement(NamedTuple):
    """A tile that moved from a full pattern line to the wall, and the points it scored."""

    row: int
    column: int
    colour: str
    points: int


class TilingResult(NamedTuple):
    """The result of tiling one board."""

    board: Board
    """The board after the tiling."""
    placements: tuple[Placement, ...]
    spaces: int
    """Number of occupied floor spaces, the marker included."""
    penalty: int
    """Points that the floor line costs."""
    lost: int
    """Points that were really lost: a score does not drop below 0."""
    discarded: str
    """The tiles that leave the board, as a string."""


class Bonus(NamedTuple):
    """Numbers of complete rows, columns and colours of a wall."""

    rows: int
    columns: int
    colours: int

    @property
    def points(self) -> int:
        """The bonus points for all of them."""
        return ROW_BONUS * self.rows + COLUMN_BONUS * self.columns + COLOUR_BONUS * self.colours


def _measure_run(mask: Count, index: Count) -> Count:
    """Return the length of the run of set bits in `mask` that contains bit `index`: 2 for 0b01101 and 3.

    A bit stands for a cell of a wall row or column, and a set bit for a cell with a tile. The bit `index`
    counts as set.
    """
    start = end = index
    while start > 0 and _is_bit_set(mask, start - 1):
        start -= 1
    while _is_bit_set(mask, end + 1):
        end += 1
    return end - start + 1


def _is_bit_set(mask: Count, index: Count) -> bool:
    """Return True if bit `index` of `mask` is set, where bit 0 is the lowest."""
    return bool((mask >> index) & 1)


_MASKS: Final = ROW_MASKS
"""`ROW_MASKS` as a name of this module, because its C type is declared here."""
_make_tuple: Final = tuple.__new__
"""Creates a named tuple without its Python constructor, which is slower."""
_RUN_LENGTHS: Final = tuple(
    tuple(_measure_run(mask, index) for index in range(SIZE)) for mask in range(1 << SIZE)
)
"""Lengths of runs, by mask and by index in the run."""


_FULL_ROW: Final = (1 << SIZE) - 1
"""Mask of a row with all five tiles."""


def list_row_masks(wall: Wall) -> list[int]:
    """Return for each wall row the occupied cells as a bit mask, column 0 in the lowest bit.

    The mask of the row ``B-R--`` is ``0b00101``.
    """
    masks = []
    row: Count
    cells: str
    for row in range(SIZE):
        cells = wall[row]
        mask = _MASKS[row].get(cells)
        # The table lacks rows with a tile on a cell of another colour.
        if mask is None:
            mask = sum([1 << column for column in range(SIZE) if cells[column] != "-"])
        masks.append(mask)
    return masks


def measure_runs(wall: Wall, row: int, column: int) -> tuple[int, int]:
    """Return the lengths of the horizontal and the vertical run of tiles through an occupied wall cell.

    A run is a series of tiles without a gap. The result for a lone tile is (1, 1).
    """
    masks = list_row_masks(wall)
    horizontal_length = _RUN_LENGTHS[masks[row]][column]
    vertical_length = _RUN_LENGTHS[_make_column_mask(masks, column)][row]
    return horizontal_length, vertical_length


def _make_column_mask(masks: Masks, column: Count) -> Count:
    """Return the occupied cells of a wall column as a bit mask, row 0 in the lowest bit.

    `masks` has the occupied cells of each row, column 0 in the lowest bit.
    """
    column_mask: Count = 0
    row: Count
    mask: Count
    for row in range(SIZE):
        mask = masks[row]
        column_mask |= ((mask >> column) & 1) << row
    return column_mask


def score_placement(row_run: Count, column_run: Count) -> Count:
    """Return the points of a tile that is placed on the wall.

    They are the sum of the two runs of tiles through its cell, but a run of 1 does not count. A tile without
    neighbours scores 1.

    Args:
        row_run: The number of tiles without a gap in its row, the placed tile included.
        column_run: The number of tiles without a gap in its column, the placed tile included.
    """
    if row_run == 1 and column_run == 1:
        return 1
    points: Count = 0
    if row_run > 1:
        points += row_run
    if column_run > 1:
        points += column_run
    return points


def place_on_wall(wall: Wall, row: int, colour: str) -> tuple[str, ...]:
    """Return a copy of a wall with a tile in row number `row`, on the cell where its colour is printed."""
    column = PRINTED_COLUMN[row][colour]
    old_row = wall[row]
    new_row = old_row[:column] + colour + old_row[column + 1 :]
    return (*wall[:row], new_row, *wall[row + 1 :])


def tile_board(board: Board) -> TilingResult:
    """Return the result of tiling one board. The board itself does not change.

    From top to bottom, one tile of each full pattern line moves to the wall and scores. The other tiles of
    the line are discarded. Then the penalty of the floor line is subtracted, but no score drops below 0.
    """
    wall = list(board.wall)
    lines = list(board.lines)
    # The occupied cells of each wall row, computed when the first tile is placed.
    masks: Masks = []
    placements = []
    discarded: str = board.floor.replace(MARKER, "")
    score: Count = board.score
    points: Count
    row: Count
    column: Count
    mask: Count
    row_run: Count
    column_run: Count
    line_tiles: str
    cells: str
    for row in range(SIZE):
        line_tiles = lines[row]
        # Line i has room for i + 1 tiles.
        if len(line_tiles) <= row:
            continue

        if not masks:
            masks = list_row_masks(board.wall)
        colour = line_tiles[0]
        column = PRINTED_COLUMN[row][colour]
        mask = masks[row]
        mask |= 1 << column
        masks[row] = mask
        cells = wall[row]
        wall[row] = cells[:column] + colour + cells[column + 1 :]
        discarded += line_tiles[1:]
        lines[row] = ""

        row_run = _RUN_LENGTHS[mask][column]
        column_run = _RUN_LENGTHS[_make_column_mask(masks, column)][row]
        points = score_placement(row_run, column_run)
        placements.append(_make_tuple(Placement, (row, column, colour, points)))
        score += points

    spaces: Count = min(len(board.floor), FLOOR_SPACES)
    penalty: Count = PENALTIES[spaces]
    final_score: Count = max(0, score - penalty)

    tiled_board = draft_board()
    tiled_board.wall = tuple(wall)
    tiled_board.lines = tuple(lines)
    tiled_board.floor = ""
    tiled_board.held = False
    tiled_board.score = final_score
    tiled_board.wide = board.wide
    seal_board(tiled_board)

    points_lost = score - final_score
    values = (tiled_board, tuple(placements), spaces, penalty, points_lost, discarded)
    return _make_tuple(TilingResult, values)


def count_bonus(wall: Wall) -> Bonus:
    """Return the numbers of complete rows, columns and colours of a wall, which score at the end."""
    row_masks = list_row_masks(wall)
    # A column or a colour is complete if its bit is set in all five rows.
    complete_columns = complete_colours = _FULL_ROW
    row: Count
    for row in range(SIZE):
        complete_columns &= row_masks[row]
        complete_colours &= BY_COLOUR[row][row_masks[row]]
    return Bonus(
        rows=row_masks.count(_FULL_ROW),
        columns=complete_columns.bit_count(),
        colours=complete_colours.bit_count(),
    )


def count_complete_rows(wall: Wall) -> int:
    """Return the number of wall rows in which all five cells are occupied."""
    return sum([is_row_complete(row) for row in wall])


def rank_winners(scores: Sequence[int], complete_rows: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of the players who win: more than one if they share the victory.

    The highest score wins. Among equal scores the most complete rows win.

    Args:
        scores: The score of each player.
        complete_rows: The number of complete wall rows of each player.
    """
    standings = list(zip(scores, complete_rows, strict=True))
    best_standing = max(standings)
    return tuple([player for player, standing in enumerate(standings) if standing == best_standing])


def has_printed_colours(wall: Wall) -> bool:
    """Return True if every tile of a wall is on a cell of its colour."""
    return all(cells in ROW_MASKS[row] for row, cells in enumerate(wall))
