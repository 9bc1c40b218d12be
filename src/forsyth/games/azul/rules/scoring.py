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


def _run_length(mask: int, index: int) -> int:
    """Return the length of the run of set bits in `mask` that contains bit `index`.

    For ``0b01101`` and index 3 it is 2. A bit stands for a cell of a wall row or column.
    """
    first = last = index
    while 0 < first < SIZE and mask >> first - 1 & 1:
        first -= 1
    while last < SIZE and mask >> last + 1 & 1:
        last += 1
    return last - first + 1


_MASKS: Final = ROW_MASKS
"""`ROW_MASKS` as a name of this module, because its C type is declared here."""
_make_tuple: Final = tuple.__new__
"""Creates a named tuple without its Python constructor, which is slower."""
_RUN_LENGTHS: Final = tuple(
    tuple(_run_length(mask, index) for index in range(SIZE)) for mask in range(1 << SIZE)
)
"""Lengths of runs, by mask and by index in the run."""


_FULL_ROW: Final = (1 << SIZE) - 1
"""Mask of a row with all five tiles."""


def list_row_masks(wall: Wall) -> list[int]:
    """Return the occupied cells of each wall row as a bit mask, column 0 in the lowest bit.

    The mask of the row ``B-R--`` is ``0b00101``.
    """
    masks = []
    row: Count
    cells: str
    for row in range(SIZE):
        cells = wall[row]
        mask = _MASKS[row].get(cells)
        if mask is None:
            mask = sum([1 << column for column in range(SIZE) if cells[column] != "-"])
        masks.append(mask)
    return masks


def measure_runs(wall: Wall, row: int, column: int) -> tuple[int, int]:
    """Return the lengths of the horizontal and the vertical run of tiles through an occupied wall cell."""
    masks = list_row_masks(wall)
    return _RUN_LENGTHS[masks[row]][column], _RUN_LENGTHS[_column_mask(masks, column)][row]


def _column_mask(masks: Masks, column: Count) -> Count:
    """Return the occupied cells of a wall column as a bit mask, row 0 in the lowest bit.

    `masks` has the occupied cells of each row, column 0 in the lowest bit.
    """
    column_mask: Count = 0
    row: Count
    mask: Count
    for row in range(SIZE):
        mask = masks[row]
        column_mask |= (mask >> column & 1) << row
    return column_mask


def placement_points(across: Count, down: Count) -> Count:
    """Return the points of a placed tile: 1 for a lone tile, else the lengths of its runs together.

    `across` and `down` are the lengths of its horizontal and vertical run, the tile included. A run of 1
    scores nothing beside a longer one.
    """
    if across == 1 and down == 1:
        return 1
    return (across if across > 1 else 0) + (down if down > 1 else 0)


def place_on_wall(wall: Wall, row: int, colour: str) -> tuple[str, ...]:
    """Return a copy of a wall with a tile in `row`, on the cell where its colour is printed."""
    column = PRINTED_COLUMN[row][colour]
    cells = wall[row]
    return (*wall[:row], f"{cells[:column]}{colour}{cells[column + 1 :]}", *wall[row + 1 :])


def tile_board(board: Board) -> TilingResult:
    """Return the result of tiling one board. The board itself does not change.

    From top to bottom, a tile of each full pattern line moves to the wall and scores. The others of the line
    are discarded. Then the penalty of the floor line is subtracted, but no score drops below 0.
    """
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
            masks = list_row_masks(board.wall)
        colour = tiles[0]
        column = PRINTED_COLUMN[row][colour]
        mask = masks[row]
        mask |= 1 << column
        masks[row] = mask
        cells = wall[row]
        wall[row] = cells[:column] + colour + cells[column + 1 :]
        points = placement_points(_RUN_LENGTHS[mask][column], _RUN_LENGTHS[_column_mask(masks, column)][row])
        placements.append(_make_tuple(Placement, (row, column, colour, points)))
        score += points
        discarded += tiles[1:]
        lines[row] = ""
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
    values = (tiled_board, tuple(placements), spaces, penalty, score - final_score, discarded)
    return _make_tuple(TilingResult, values)


def count_bonus(wall: Wall) -> Bonus:
    """Return the numbers of complete rows, columns and colours of a wall, which score at the end."""
    masks = list_row_masks(wall)
    columns = colours = _FULL_ROW
    row: Count
    for row in range(SIZE):
        columns &= masks[row]
        colours &= BY_COLOUR[row][masks[row]]
    return Bonus(masks.count(_FULL_ROW), columns.bit_count(), colours.bit_count())


def count_complete_rows(wall: Wall) -> int:
    """Return the number of complete rows of a wall."""
    return sum([is_row_complete(row) for row in wall])


def rank_winners(scores: Sequence[int], rows: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of the players who win.

    The highest score wins. Among equal scores the most complete rows win, and players equal in both share the
    victory.

    Args:
        scores: The score of each player.
        rows: The number of complete rows of each player.
    """
    best = max(zip(scores, rows, strict=True))
    return tuple(
        [player for player, standing in enumerate(zip(scores, rows, strict=True)) if standing == best]
    )


def has_printed_colours(wall: Wall) -> bool:
    """Return True if every tile of a wall is on a cell of its colour."""
    return all(cells in ROW_MASKS[row] for row, cells in enumerate(wall))
