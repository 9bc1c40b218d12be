"""An Azul position as numbers: one flat array of small ints, which needs no objects and no lock.

The places:

* PLAYERS, PHASE (its place in `PHASES`), COMPLETE, MARKER_IN_CENTER, ROUND, CURRENT, START;
* FACTORY and on, nine: the number of a factory's tiles in `FORMS`; CENTER, BAG, DISCARD: five counts each;
* what `tally` counts: SEEN, five counts of all tiles outside bag and discard; DISPLAY and IN_CENTER, tiles;
  EMPTY and SHORT, factories without tiles and with one to three; IN_LINES, tiles; FULL, lines; ON_FLOORS,
  tiles without markers; MARKERS; ROW_COMPLETE, wall rows; CLASHES, not 0 where a line holds a colour that its
  wall row has;
* BOARD and on, BOARD_CELLS for each player: WALL, five rows as bits, column 0 lowest; LINE, five lines, each
  0 or 8·colour + tiles with colours from 1; FLOOR, three bits for each space from the lowest on, 1 to 5 a
  colour, 6 the marker; SPACES, how many of them are occupied; HELD, whether the marker is; SCORE;
* STRANGE, bits 0 to 3 for each player whose board holds what the cells cannot, such as a line of two
  colours (`strange_boards`), STRANGE_SCORE where a score is below 0; WALL_AT, for each player where the wall
  begins in the text;
* FINDINGS, what the scanner has to say about a text that it takes, at most MOST_FINDINGS; from FINDING on
  three numbers for each: its code and the first and last place of the characters it is about, half open.

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

from forsyth.games.azul.position import PHASES, Board, Position
from forsyth.games.azul.tiles import (
    COLOURS,
    FLOOR_SYMBOLS,
    FORMS,
    ROW_MASKS,
    count_colours,
    tiles_from_counts,
)

if not cython.compiled:
    from forsyth.games.azul.position import draft_board, draft_position, seal_board, seal_position
    from forsyth.games.azul.rules.scoring import list_row_masks
    from forsyth.games.azul.tiles import FLOOR_SPACES, SIZE, TILES_PER_FACTORY, sort_tiles

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
    FINDINGS: Final = 7
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
    CLASHES: Final = 46
    BOARD: Final = 47
    BOARD_CELLS: Final = 14
    FINDING: Final = 103
    MOST_FINDINGS: Final = 8
    STRANGE: Final = 127
    WALL_AT: Final = 128
    CELLS: Final = 132
    WALL: Final = 0
    LINE: Final = 5
    FLOOR: Final = 10
    SPACES: Final = 11
    HELD: Final = 12
    SCORE: Final = 13
    STRANGE_BOARDS: Final = 15
    STRANGE_SCORE: Final = 16
    IN_OFFER: Final = 0
    IN_TILING: Final = 1
    IN_DONE: Final = 2
    IN_ENDED: Final = 3
    UNSORTED_FACTORIES: Final = 1
    UNSORTED_CENTER: Final = 2
    NARROW_LINES: Final = 3
    """The codes of findings; that of the second player's lines is one more."""
    ODD: Final = 7
    MARKER_CODE: Final = 6
    CODE = [0] * 256
    """What a character stands for: a dash 0, colours 1 to 5, the marker 6, anything else ODD."""
    TILES_LANE: Final = 40
    EMPTY_LANE: Final = 48
    SHORT_LANE: Final = 56
    MARKER_LANE: Final = 48
    FULL_LANE: Final = 53
    COMPLETE_LANE: Final = 58
    COLOUR_LANES: Final = (1 << TILES_LANE) - 1
    FORM_LANES = [0] * 126
    """What a factory adds: eight bits for each colour, then its tiles, whether it is empty, whether short."""
    WALL_LANES = [[0] * 32 for _ in range(5)]
    LINE_LANES = [[0] * 48 for _ in range(5)]
    """What a row or a line adds: eight bits for each colour, then its tiles, five bits each from then on for
    markers, full lines and complete rows, of which four boards have no more than 28."""
    FLOOR_LANES = [0] * 8
    """What a floor space adds: eight bits for each colour, and the marker."""
    TARGET = [[0] * 48 for _ in range(5)]
    """For each row the wall cell that a line is to fill, as a bit; none for an empty line."""

_FORM_OF: Final = {tiles: number for number, tiles in enumerate(FORMS)}
_PHASES: Final = tuple(PHASES)
_MOST_IN_LINE: Final = 7
_ROW_OF: Final = tuple(tuple(sorted(texts, key=texts.__getitem__)) for texts in ROW_MASKS)
"""For each row of a wall its texts by their bits."""
_LINE_OF: Final = ("",) * 8 + tuple(colour * count for colour in COLOURS for count in range(8))
"""The tiles of a line by its number."""
_NUMBER_OF_LINE: Final = {tiles: number for number, tiles in enumerate(_LINE_OF) if tiles} | {"": 0}


def _fill_tables() -> None:
    # A number of C has to be as wide as the lanes before it is shifted.
    one: u64 = 1
    lanes: u64
    for number in range(256):
        CODE[number] = ODD
    for number, ch in enumerate(FLOOR_SYMBOLS):
        CODE[ord(ch)] = number
    for number, tiles in enumerate(FORMS):
        lanes = one * len(tiles) << TILES_LANE
        for colour, count in enumerate(count_colours(tiles)):
            lanes |= one * count << 8 * colour
        if not tiles:
            lanes |= one << EMPTY_LANE
        elif len(tiles) < TILES_PER_FACTORY:
            lanes |= one << SHORT_LANE
        FORM_LANES[number] = lanes
    for row in range(SIZE):
        for mask in range(1 << SIZE):
            lanes = one << COMPLETE_LANE if mask == 31 else 0
            for column in range(SIZE):
                if mask >> column & 1:
                    lanes |= one << 8 * ((column + SIZE - row) % SIZE)
            WALL_LANES[row][mask] = lanes
        for colour in range(SIZE):
            for count in range(_MOST_IN_LINE + 1):
                lanes = one << FULL_LANE if count > row else 0
                lanes |= one * count << 8 * colour | one * count << TILES_LANE
                LINE_LANES[row][8 * (colour + 1) + count] = lanes
                TARGET[row][8 * (colour + 1) + count] = 1 << (colour + row) % SIZE
    for colour in range(SIZE):
        FLOOR_LANES[colour + 1] = one << 8 * colour
    FLOOR_LANES[SIZE + 1] = one << MARKER_LANE


_fill_tables()


def tally(cells: Cells) -> None:
    """Count what is asked for several times, from SEEN to CLASHES."""
    shown: u64 = 0
    lanes: u64 = 0
    number: Count
    at: Count
    row: Count
    wall: Count
    line: Count
    floor: Count
    spaces: Count = 0
    held: Count = 0
    clashes: Count = 0
    for number in range(2 * cells[PLAYERS] + 1):
        shown += FORM_LANES[cells[FACTORY + number]]
    for number in range(cells[PLAYERS]):
        at = BOARD + BOARD_CELLS * number
        for row in range(SIZE):
            wall = cells[at + row]
            line = cells[at + LINE + row]
            lanes += WALL_LANES[row][wall] + LINE_LANES[row][line]
            clashes |= wall & TARGET[row][line]
        floor = cells[at + FLOOR]
        while floor:
            lanes += FLOOR_LANES[floor & 7]
            floor >>= 3
        spaces += cells[at + SPACES]
        held += cells[at + HELD]
    cells[CLASHES] = clashes
    spread(cells, shown, lanes, spaces, held)


def spread(cells: Cells, shown: u64, lanes: u64, spaces: Count, held: Count) -> None:
    """Set the counts, from the lanes of all factories and of all boards, floor spaces and markers held."""
    number: Count = 0
    row: Count
    cells[EMPTY] = shown >> EMPTY_LANE & 255
    cells[SHORT] = shown >> SHORT_LANE
    for row in range(SIZE):
        number += cells[CENTER + row]
    cells[IN_CENTER] = number
    cells[DISPLAY] = number + (shown >> TILES_LANE & 255)
    # Of the factories only the colours are left: the lanes above are those of the boards.
    lanes += shown & COLOUR_LANES
    for row in range(SIZE):
        cells[SEEN + row] = cells[CENTER + row] + (lanes >> 8 * row & 255)
    number = lanes >> MARKER_LANE & 31
    cells[IN_LINES] = lanes >> TILES_LANE & 255
    cells[FULL] = lanes >> FULL_LANE & 31
    cells[ON_FLOORS] = spaces - number
    cells[MARKERS] = number + held + cells[MARKER_IN_CENTER]
    cells[ROW_COMPLETE] = lanes >> COMPLETE_LANE


# --- positions as cells -----------------------------------------------------------------------------


def cells_of(position: Position, cells: Cells) -> None:
    """The numbers of a position, without those that `tally` counts."""
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
    cells[FINDINGS] = 0
    cells[STRANGE] = 0
    for number in range(len(position.factories)):
        tiles = position.factories[number]
        cells[FACTORY + number] = _FORM_OF[sort_tiles(tiles[:TILES_PER_FACTORY])]
    center = count_colours(position.center)
    for colour in range(SIZE):
        cells[CENTER + colour] = center[colour]
        cells[BAG + colour] = position.bag[colour]
        cells[DISCARD + colour] = position.discard[colour]
    for number in range(len(position.boards)):
        board = position.boards[number]
        _put_board(board, cells, BOARD + BOARD_CELLS * number)


def _put_board(board: Board, cells: Cells, at: Count) -> None:
    row: Count
    tiles: str
    floor: Count = 0
    masks = list_row_masks(board.wall)
    for row in range(SIZE):
        cells[at + WALL + row] = masks[row]
        tiles = board.lines[row]
        cells[at + LINE + row] = _NUMBER_OF_LINE[tiles[:1] * min(len(tiles), _MOST_IN_LINE)]
    for row in range(min(len(board.floor), FLOOR_SPACES)):
        floor |= FLOOR_SYMBOLS.index(board.floor[row]) << 3 * row
    cells[at + FLOOR] = floor
    cells[at + SPACES] = len(board.floor)
    cells[at + HELD] = board.held
    cells[at + SCORE] = board.score


# --- cells as positions -----------------------------------------------------------------------------


def position_of(cells: Cells, text: str | None) -> Position:
    """The position of cells, spelled like the text that they were read from, or else canonically."""
    number: Count
    at: Count
    code: Count
    narrow: Count = 0
    spelled: str
    if text is not None and cells[COMPLETE]:
        narrow = 15
    factories = [FORMS[cells[FACTORY + number]] for number in range(2 * cells[PLAYERS] + 1)]
    center = _tiles_from(cells, CENTER)
    if text is not None:
        for number in range(cells[FINDINGS]):
            at = FINDING + 3 * number
            code = cells[at]
            spelled = text[cells[at + 1] : cells[at + 2]]
            if code == UNSORTED_FACTORIES:
                factories = [tiles.rstrip("-") for tiles in spelled.split("|")]
            elif code == UNSORTED_CENTER:
                center = spelled
            else:
                narrow |= 1 << code - NARROW_LINES
    position = draft_position()
    position.factories = tuple(factories)
    position.center = center
    position.marker_in_center = cells[MARKER_IN_CENTER] != 0
    position.boards = tuple(
        [
            _board_of(cells, BOARD + BOARD_CELLS * number, not narrow >> number & 1)
            for number in range(cells[PLAYERS])
        ]
    )
    position.phase = _PHASES[cells[PHASE]]
    position.round = cells[ROUND]
    position.current = cells[CURRENT]
    position.start = cells[START]
    position.bag = _counts_from(cells, BAG)
    position.discard = _counts_from(cells, DISCARD)
    position.complete = cells[COMPLETE] != 0
    position.is_sound = text is not None
    return seal_position(position)


def _counts_from(cells: Cells, at: Count) -> tuple[int, ...]:
    return cells[at], cells[at + 1], cells[at + 2], cells[at + 3], cells[at + 4]


def _tiles_from(cells: Cells, at: Count) -> str:
    """Sorted tiles from five counts."""
    counts = _counts_from(cells, at)
    return tiles_from_counts(counts) if any(counts) else ""


def _board_of(cells: Cells, at: Count, wide: bool) -> Board:
    board = draft_board()
    floor: Count = cells[at + FLOOR]
    board.wall = (
        _ROW_OF[0][cells[at]],
        _ROW_OF[1][cells[at + 1]],
        _ROW_OF[2][cells[at + 2]],
        _ROW_OF[3][cells[at + 3]],
        _ROW_OF[4][cells[at + 4]],
    )
    board.lines = (
        _LINE_OF[cells[at + LINE]],
        _LINE_OF[cells[at + LINE + 1]],
        _LINE_OF[cells[at + LINE + 2]],
        _LINE_OF[cells[at + LINE + 3]],
        _LINE_OF[cells[at + LINE + 4]],
    )
    board.floor = ""
    while floor:
        board.floor += FLOOR_SYMBOLS[floor & 7]
        floor >>= 3
    board.held = cells[at + HELD] != 0
    board.score = cells[at + SCORE]
    board.wide = wide
    return seal_board(board)
