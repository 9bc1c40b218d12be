"""An Azul position as a tensor for training: 55 planes of five rows of five bytes.

For each of four players, whether he plays or not:

* ``wall``, 0 or 1: row and column of the wall, the first row and the first column first;
* ``line_tiles``, 0 or 1: row of the pattern line, its spaces filled from column 0 on;
* ``line_colour``, 0 or 1: the wall cell that the line is to fill, which says its colour;
* ``floor``: row of the colour (blue, yellow, red, black, white), all of it the number of its tiles;
* ``marker``, ``to_move``, ``starts``, ``plays``, 0 or 1, and ``score``: each fills its plane.

Then nine factories, 0 or 1: row of the colour, as many columns from 0 on as there are tiles; ``center``,
``bag`` and ``discard`` as the floors; ``center_marker``, the four phases, ``extended``, 0 or 1, and
``round``: each fills its plane. Scores, rounds and counts over 255 are 255, scores below 0 are 0.

`planes` takes any position, `put_planes` its cells, which is how a column has them; so of a position that
cannot arise it shows what cells can hold.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.column import Planes
from forsyth.games.azul.position import PHASES, Position
from forsyth.games.azul.tiles import MOST_PLAYERS, factory_count

if not cython.compiled:
    from forsyth.games.azul.notation.cells import (
        BAG,
        BOARD,
        BOARD_CELLS,
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
    from forsyth.games.azul.numbers.features import has_marker
    from forsyth.games.azul.tiles import SIZE

    Out = bytearray | memoryview
    Size = int
    AREA: Final = 25
    BOARD_PLANES: Final = 9
    FACTORY_PLANES: Final = 36
    SUPPLY_PLANES: Final = 45
    PLANE_BYTES: Final = 1375
    MOST: Final = 255

    def clear(out: Out, at: Size) -> None:
        """Fill the planes at a place with zeros."""
        out[at : at + PLANE_BYTES] = bytes(PLANE_BYTES)


_BOARD: Final = (
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
        *[f"p{player}_{name}" for player in range(MOST_PLAYERS) for name in _BOARD],
        *[f"factory_{number}" for number in range(factory_count(MOST_PLAYERS))],
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


def planes(position: Position) -> bytes:
    """The planes of a position, one after the other, each row by row."""
    cells: Cells
    if not cython.compiled:
        cells = [0] * CELLS
    out = bytearray(PLANE_BYTES)
    cells_of(position, cells)
    put_planes(cells, out, 0)
    return bytes(out)


def put_planes(cells: Cells, out: Out, at: Size) -> None:
    """Write the planes of a position at a place."""
    number: Count
    board: Size
    clear(out, at)
    for number in range(cells[PLAYERS]):
        board = at + AREA * BOARD_PLANES * number
        _put_board(cells, BOARD + BOARD_CELLS * number, out, board)
        if number == cells[CURRENT]:
            _fill(out, board + 6 * AREA, AREA, 1)
        if number == cells[START]:
            _fill(out, board + 7 * AREA, AREA, 1)
        _fill(out, board + 8 * AREA, AREA, 1)
    for number in range(2 * cells[PLAYERS] + 1):
        _put_factory(cells[FACTORY + number], out, at + AREA * (FACTORY_PLANES + number))
    at += AREA * SUPPLY_PLANES
    _put_counts(cells, CENTER, out, at)
    _fill(out, at + AREA, AREA, cells[MARKER_IN_CENTER])
    _put_counts(cells, BAG, out, at + 2 * AREA)
    _put_counts(cells, DISCARD, out, at + 3 * AREA)
    _fill(out, at + AREA * (4 + cells[PHASE]), AREA, 1)
    _fill(out, at + 8 * AREA, AREA, cells[COMPLETE])
    _fill(out, at + 9 * AREA, AREA, cells[ROUND])


def _put_board(cells: Cells, place: Count, out: Out, at: Size) -> None:
    row: Count
    column: Count
    line: Count
    for row in range(SIZE):
        line = cells[place + LINE + row]
        for column in range(SIZE):
            out[at + SIZE * row + column] = cells[place + WALL + row] >> column & 1
            out[at + AREA + SIZE * row + column] = column < (line & 7)
        if line:
            # Colour k, from 1, is printed in column (k - 1 + row) mod 5.
            out[at + 2 * AREA + SIZE * row + ((line >> 3) + row + 4) % SIZE] = 1
    _put_floor(cells[place + FLOOR], out, at + 3 * AREA)
    _fill(out, at + 4 * AREA, AREA, has_marker(cells, place))
    _fill(out, at + 5 * AREA, AREA, cells[place + SCORE])


def _put_floor(floor: Count, out: Out, at: Size) -> None:
    column: Count
    while floor:
        if floor & 7 <= SIZE:
            for column in range(SIZE):
                out[at + SIZE * ((floor & 7) - 1) + column] += 1
        floor >>= 3


def _put_factory(form: Count, out: Out, at: Size) -> None:
    colour: Count
    for colour in range(SIZE):
        _fill(out, at + SIZE * colour, FORM_LANES[form] >> 8 * colour & 255, 1)


def _put_counts(cells: Cells, place: Count, out: Out, at: Size) -> None:
    colour: Count
    for colour in range(SIZE):
        _fill(out, at + SIZE * colour, SIZE, cells[place + colour])


def _fill(out: Out, at: Size, count: Count, value: Count) -> None:
    """So many bytes of a value, as far as a byte can hold it."""
    number: Count
    value = 0 if value < 0 else MOST if value > MOST else value
    for number in range(count):
        out[at + number] = value
