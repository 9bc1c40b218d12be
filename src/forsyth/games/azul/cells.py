"""An Azul position as numbers: one flat array of small ints, which needs no objects and no lock.

The places:

* PLAYERS, PHASE (its place in `PHASES`), COMPLETE, MARKER_IN_CENTER, ROUND, CURRENT, START; LOOSE, whether
  the text that was read is not the canonical one;
* FACTORY and on, nine: the number of a factory's tiles in `FORMS`; CENTER, BAG, DISCARD: five counts each;
* what `tally` counts: SEEN, five counts of all tiles outside bag and discard; DISPLAY and IN_CENTER, tiles;
  EMPTY and SHORT, factories without tiles and with one to three; IN_LINES, tiles; FULL, lines; ON_FLOORS,
  tiles without markers; MARKERS; ROW_COMPLETE, whether a wall row is;
* BOARD and on, BOARD_CELLS for each player: WALL, five rows as bits, column 0 lowest; LINE, five lines, each
  0 or 8·colour + tiles with colours from 1; FLOOR, three bits for each space from the lowest on, 1 to 5 a
  colour, 6 the marker; SPACES, how many of them are occupied; HELD, whether the marker is; SCORE.

It is the packed form unpacked, and what that cannot hold it cannot either: `cells_of` takes any position, but
of a factory the first four tiles, of a line the first colour and at most seven tiles, of a floor the first
seven spaces (SPACES says how many there are), and on the wall each tile as the colour that is printed there.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.azul.packed import FORMS
from forsyth.games.azul.position import PHASES, Board, Position
from forsyth.games.azul.tiles import COLOURS, MARKER, counts_of

if not cython.compiled:
    from forsyth.games.azul.scoring import masks_of
    from forsyth.games.azul.tiles import FLOOR_SPACES, SIZE, TILES_PER_FACTORY, in_order

    u64 = int
    Count = int
    Cells = list[int]
    PLAYERS: Final = 0
    PHASE: Final = 1
    COMPLETE: Final = 2
    MARKER_IN_CENTER: Final = 3
    ROUND: Final = 4
    CURRENT: Final = 5
    START: Final = 6
    LOOSE: Final = 7
    FACTORY: Final = 8
    CENTER: Final = 17
    BAG: Final = 22
    DISCARD: Final = 27
    SEEN: Final = 32
    DISPLAY: Final = 37
    IN_CENTER: Final = 38
    EMPTY: Final = 39
    SHORT: Final = 40
    IN_LINES: Final = 41
    FULL: Final = 42
    ON_FLOORS: Final = 43
    MARKERS: Final = 44
    ROW_COMPLETE: Final = 45
    BOARD: Final = 46
    BOARD_CELLS: Final = 14
    CELLS: Final = 102
    WALL: Final = 0
    LINE: Final = 5
    FLOOR: Final = 10
    SPACES: Final = 11
    HELD: Final = 12
    SCORE: Final = 13
    IN_OFFER: Final = 0
    IN_TILING: Final = 1
    IN_DONE: Final = 2
    IN_ENDED: Final = 3
    TILES_LANE: Final = 40
    EMPTY_LANE: Final = 48
    MARKER_LANE: Final = 48
    SHORT_LANE: Final = 56
    COLOUR_LANES: Final = (1 << TILES_LANE) - 1
    FORM_LANES = [0] * 126
    """What a factory adds: eight bits for each colour, then its tiles, whether it is empty, whether short."""
    WALL_LANES = [[0] * 32 for _ in range(5)]
    LINE_LANES = [0] * 48
    """What a row or a line adds: eight bits for each colour, then the tiles of the line."""
    FLOOR_LANES = [0] * 8
    """What a floor space adds: eight bits for each colour, and the marker."""

_FORM_OF: Final = {tiles: number for number, tiles in enumerate(FORMS)}
_PHASES: Final = tuple(PHASES)
_ON_FLOOR: Final = f"-{COLOURS}{MARKER}"
_MOST_IN_LINE: Final = 7


def _fill_tables() -> None:
    # A number of C has to be as wide as the lanes before it is shifted.
    one: u64 = 1
    lanes: u64
    for number, tiles in enumerate(FORMS):
        lanes = one * len(tiles) << TILES_LANE
        for colour, count in enumerate(counts_of(tiles)):
            lanes |= one * count << 8 * colour
        if not tiles:
            lanes |= one << EMPTY_LANE
        elif len(tiles) < TILES_PER_FACTORY:
            lanes |= one << SHORT_LANE
        FORM_LANES[number] = lanes
    for row in range(SIZE):
        for mask in range(1 << SIZE):
            lanes = 0
            for column in range(SIZE):
                if mask >> column & 1:
                    lanes |= one << 8 * ((column + SIZE - row) % SIZE)
            WALL_LANES[row][mask] = lanes
    for colour in range(SIZE):
        FLOOR_LANES[colour + 1] = one << 8 * colour
        for count in range(_MOST_IN_LINE + 1):
            LINE_LANES[8 * (colour + 1) + count] = one * count << 8 * colour | one * count << TILES_LANE
    FLOOR_LANES[SIZE + 1] = one << MARKER_LANE


_fill_tables()


def tally(cells: Cells) -> None:
    """Count what is asked for several times, from SEEN to ROW_COMPLETE."""
    lanes: u64 = 0
    number: Count
    at: Count
    row: Count
    floor: Count
    full: Count = 0
    spaces: Count = 0
    held: Count = 0
    complete: Count = 0
    for number in range(2 * cells[PLAYERS] + 1):
        lanes += FORM_LANES[cells[FACTORY + number]]
    cells[EMPTY] = lanes >> EMPTY_LANE & 255
    cells[SHORT] = lanes >> SHORT_LANE
    number = 0
    for row in range(SIZE):
        number += cells[CENTER + row]
    cells[IN_CENTER] = number
    cells[DISPLAY] = number + (lanes >> TILES_LANE & 255)
    # From here on only the colours count, and the lanes above are those of the boards.
    lanes &= COLOUR_LANES
    for number in range(cells[PLAYERS]):
        at = BOARD + BOARD_CELLS * number
        for row in range(SIZE):
            lanes += WALL_LANES[row][cells[at + WALL + row]] + LINE_LANES[cells[at + LINE + row]]
            full += (cells[at + LINE + row] & 7) > row
            complete |= cells[at + WALL + row] == 31
        floor = cells[at + FLOOR]
        while floor:
            lanes += FLOOR_LANES[floor & 7]
            floor >>= 3
        spaces += cells[at + SPACES]
        held += cells[at + HELD]
    for row in range(SIZE):
        cells[SEEN + row] = cells[CENTER + row] + (lanes >> 8 * row & 255)
    number = lanes >> MARKER_LANE & 255
    cells[IN_LINES] = lanes >> TILES_LANE & 255
    cells[FULL] = full
    cells[ON_FLOORS] = spaces - number
    cells[MARKERS] = number + held + cells[MARKER_IN_CENTER]
    cells[ROW_COMPLETE] = complete


def cells_of(position: Position, cells: Cells) -> None:
    """The numbers of a position."""
    tiles: str
    number: Count
    colour: Count
    board: Board
    cells[PLAYERS] = len(position.boards)
    cells[PHASE] = _PHASES.index(position.phase)
    cells[COMPLETE] = position.complete
    cells[MARKER_IN_CENTER] = position.marker_in_center
    cells[ROUND] = position.round
    cells[CURRENT] = position.current
    cells[START] = position.start
    cells[LOOSE] = 0
    for number in range(len(position.factories)):
        tiles = position.factories[number]
        cells[FACTORY + number] = _FORM_OF[in_order(tiles[:TILES_PER_FACTORY])]
    center = counts_of(position.center)
    for colour in range(SIZE):
        cells[CENTER + colour] = center[colour]
        cells[BAG + colour] = position.bag[colour]
        cells[DISCARD + colour] = position.discard[colour]
    for number in range(len(position.boards)):
        board = position.boards[number]
        _put_board(board, cells, BOARD + BOARD_CELLS * number)
    tally(cells)


def _put_board(board: Board, cells: Cells, at: Count) -> None:
    row: Count
    tiles: str
    floor: Count = 0
    masks = masks_of(board.wall)
    for row in range(SIZE):
        cells[at + WALL + row] = masks[row]
        tiles = board.lines[row]
        cells[at + LINE + row] = 0
        if tiles:
            cells[at + LINE + row] = 8 * _ON_FLOOR.index(tiles[0]) + min(len(tiles), _MOST_IN_LINE)
    for row in range(min(len(board.floor), FLOOR_SPACES)):
        floor |= _ON_FLOOR.index(board.floor[row]) << 3 * row
    cells[at + FLOOR] = floor
    cells[at + SPACES] = len(board.floor)
    cells[at + HELD] = board.held
    cells[at + SCORE] = board.score
