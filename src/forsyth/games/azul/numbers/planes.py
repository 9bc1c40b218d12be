"""An Azul position as a tensor for training: 55 planes of five rows of five bytes.

For each of four players, whether the player takes part or not:

* ``wall``, 0 or 1: the occupied cells of the wall, by row and column;
* ``line_tiles``, 0 or 1: the filled spaces of the pattern line of each row, from column 0 on;
* ``line_colour``, 0 or 1: the wall cell that the line will fill, which gives its colour;
* ``floor``: one row for each colour (blue, yellow, red, black, white), filled with the number of its tiles;
* ``marker``, ``to_move``, ``starts``, ``plays``, 0 or 1, and ``score``: one value that fills the plane.

Then follow nine factories, 0 or 1: one row for each colour, with as many columns from 0 on as there are
tiles. ``center``, ``bag`` and ``discard`` are like the floors. ``center_marker``, the four phases,
``extended``, 0 or 1, and ``round`` each fill their plane. Scores, rounds and counts above 255 are 255, and
scores below 0 are 0.

`compute_planes` accepts any position. `put_planes` writes the planes of cells and is used for columns. For a
position that no game reaches, the planes show what cells can hold.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.column import Planes
from forsyth.games.azul.position import PHASES, Position
from forsyth.games.azul.tiles import MAX_PLAYERS, factory_count

if not cython.compiled:
    from forsyth.games.azul.notation.cells import (
        BAG,
        CELLS,
        CENTER,
        COMPLETE,
        CURRENT,
        DISCARD,
        FACTORY,
        FLOOR,
        FORM_LANES,
        LINE,
        MARKER_IN_CENTER,
        PHASE,
        PLAYERS,
        ROUND,
        SCORE,
        START,
        WALL,
        Cells,
        Count,
        cells_of,
    )
    from forsyth.games.azul.numbers.features import (
        COLOUR_SHIFT,
        SYMBOL_BITS,
        SYMBOL_MASK,
        TILES_MASK,
        get_colour_count,
        has_marker,
    )
    from forsyth.games.azul.rules.legality import get_board_index
    from forsyth.games.azul.tiles import SIZE, count_factories

    Out = bytearray | memoryview
    Size = int
    AREA: Final = 25
    """Bytes of one plane."""
    BOARD_PLANES: Final = 9
    """Number of planes of each player."""
    WALL_PLANE: Final = 0
    LINE_TILES_PLANE: Final = 1
    LINE_COLOUR_PLANE: Final = 2
    FLOOR_PLANE: Final = 3
    MARKER_PLANE: Final = 4
    SCORE_PLANE: Final = 5
    TO_MOVE_PLANE: Final = 6
    STARTS_PLANE: Final = 7
    PLAYS_PLANE: Final = 8
    """Indexes of the planes of a player, counted from the first one of the player."""
    FIRST_FACTORY_PLANE: Final = 36
    CENTER_PLANE: Final = 45
    CENTER_MARKER_PLANE: Final = 46
    BAG_PLANE: Final = 47
    DISCARD_PLANE: Final = 48
    FIRST_PHASE_PLANE: Final = 49
    EXTENDED_PLANE: Final = 53
    ROUND_PLANE: Final = 54
    """Indexes of the planes that do not belong to a player."""
    PLANE_BYTES: Final = 1375
    """Bytes of all planes."""
    MAX_BYTE: Final = 255

    def clear_planes(output: Out, offset: Size) -> None:
        """Fill all 55 planes of a position, from index `offset` on, with zeros."""
        output[offset : offset + PLANE_BYTES] = bytes(PLANE_BYTES)


_BOARD_PLANE_NAMES: Final = (
    "wall",
    "line_tiles",
    "line_colour",
    "floor",
    "marker",
    "score",
    "to_move",
    "starts",
    "plays",
)
PLANES: Final = Planes(
    (
        *[f"p{player}_{name}" for player in range(MAX_PLAYERS) for name in _BOARD_PLANE_NAMES],
        *[f"factory_{number}" for number in range(factory_count(MAX_PLAYERS))],
        "center",
        "center_marker",
        "bag",
        "discard",
        *["phase_" + name.replace(" ", "_") for name in PHASES.values()],
        "extended",
        "round",
    ),
    5,
    5,
)
"""The names of the planes, in order, and their size."""


def compute_planes(position: Position) -> bytes:
    """Return a position as input of a neural network: 55 planes (grids) of five rows of five bytes.

    The planes show the boards of four players, nine factories, centre, bag, discard, phase and round.
    """
    cells: Cells
    if not cython.compiled:
        cells = [0] * CELLS
    cells_of(position, cells)
    output = bytearray(PLANE_BYTES)
    put_planes(cells, output, 0)
    return bytes(output)


def put_planes(cells: Cells, output: Out, offset: Size) -> None:
    """Write the 55 planes (grids of 25 bytes) of a position to `output` from index `offset` on.

    `cells` holds the position as numbers, at indices such as `PLAYERS`.
    """
    player: Count
    factory: Count
    board_offset: Size
    clear_planes(output, offset)
    for player in range(cells[PLAYERS]):
        board_offset = offset + AREA * BOARD_PLANES * player
        _put_board(cells, get_board_index(player), output, board_offset)
        if player == cells[CURRENT]:
            _fill_bytes(output, board_offset + AREA * TO_MOVE_PLANE, AREA, 1)
        if player == cells[START]:
            _fill_bytes(output, board_offset + AREA * STARTS_PLANE, AREA, 1)
        _fill_bytes(output, board_offset + AREA * PLAYS_PLANE, AREA, 1)
    for factory in range(count_factories(cells[PLAYERS])):
        _put_factory(cells[FACTORY + factory], output, offset + AREA * (FIRST_FACTORY_PLANE + factory))
    _put_counts(cells, CENTER, output, offset + AREA * CENTER_PLANE)
    _fill_bytes(output, offset + AREA * CENTER_MARKER_PLANE, AREA, cells[MARKER_IN_CENTER])
    _put_counts(cells, BAG, output, offset + AREA * BAG_PLANE)
    _put_counts(cells, DISCARD, output, offset + AREA * DISCARD_PLANE)
    _fill_bytes(output, offset + AREA * (FIRST_PHASE_PLANE + cells[PHASE]), AREA, 1)
    _fill_bytes(output, offset + AREA * EXTENDED_PLANE, AREA, cells[COMPLETE])
    _fill_bytes(output, offset + AREA * ROUND_PLANE, AREA, cells[ROUND])


def _put_board(cells: Cells, board: Count, output: Out, offset: Size) -> None:
    """Write the first six planes of a player: wall, line tiles, line colours, floor, marker and score.

    `board` is the index in `cells` of the first number of the player. The planes begin at `offset` of
    `output` and must be filled with zeros.
    """
    row: Count
    column: Count
    line: Count
    line_tiles: Count
    row_offset: Size
    for row in range(SIZE):
        line = cells[board + LINE + row]
        line_tiles = line & TILES_MASK
        row_offset = offset + SIZE * row
        for column in range(SIZE):
            output[row_offset + AREA * WALL_PLANE + column] = (cells[board + WALL + row] >> column) & 1
            output[row_offset + AREA * LINE_TILES_PLANE + column] = column < line_tiles
        if line:
            # Colour k, from 1, is printed in column (k - 1 + row) mod 5.
            column = ((line >> COLOUR_SHIFT) + row + SIZE - 1) % SIZE
            output[row_offset + AREA * LINE_COLOUR_PLANE + column] = 1
    _put_floor(cells[board + FLOOR], output, offset + AREA * FLOOR_PLANE)
    _fill_bytes(output, offset + AREA * MARKER_PLANE, AREA, has_marker(cells, board))
    _fill_bytes(output, offset + AREA * SCORE_PLANE, AREA, cells[board + SCORE])


def _put_floor(floor: Count, output: Out, offset: Size) -> None:
    """Write the plane of a floor line: one row for each colour, filled with its number of tiles.

    `floor` has three bits for each space: 1 to 5 for a colour, 6 for the marker. The plane begins at `offset`
    of `output` and must be filled with zeros.
    """
    symbol: Count
    column: Count
    while floor:
        symbol = floor & SYMBOL_MASK
        # Symbols up to SIZE are colours from 1 on. The marker is a higher one.
        if symbol <= SIZE:
            for column in range(SIZE):
                output[offset + SIZE * (symbol - 1) + column] += 1
        floor >>= SYMBOL_BITS


def _put_factory(form: Count, output: Out, offset: Size) -> None:
    """Write the plane of a factory: one row for each colour, with a 1 for each tile from column 0 on.

    `form` is the index of the factory's tiles in `FORMS`. The plane begins at `offset` of `output` and must
    be filled with zeros.
    """
    colour: Count
    for colour in range(SIZE):
        _fill_bytes(output, offset + SIZE * colour, get_colour_count(FORM_LANES[form], colour), 1)


def _put_counts(cells: Cells, first_cell: Count, output: Out, offset: Size) -> None:
    """Write the plane of the centre, the bag or the discard: one row for each colour, filled with its count.

    The five counts begin at index `first_cell` of `cells`, and the plane at `offset` of `output`.
    """
    colour: Count
    for colour in range(SIZE):
        _fill_bytes(output, offset + SIZE * colour, SIZE, cells[first_cell + colour])


def _fill_bytes(output: Out, offset: Size, count: Count, value: Count) -> None:
    """Write `value` into `count` bytes of `output` from `offset` on.

    A value below 0 is written as 0, and a value above 255 as 255.
    """
    index: Count
    byte: Count = value
    if value < 0:
        byte = 0
    elif value > MAX_BYTE:
        byte = MAX_BYTE
    for index in range(count):
        output[offset + index] = byte
