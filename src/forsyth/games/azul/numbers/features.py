"""What an Azul position is in numbers: turn, supply, and each board; the features of a position.

`features` takes any position, `put_features` its cells, which is how a column has them; so of a position that
cannot arise it tells what cells can hold. Of a standard text what is assumed counts as said: the bag holds
all tiles that are not seen, and the marker lies in the centre. Players who do not play have zeros.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.column import Feature
from forsyth.games.azul.position import PHASES, Position
from forsyth.games.azul.tiles import COLOURS, MOST_PLAYERS, NAMES, PENALTIES

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
        DISPLAY,
        EMPTY,
        FACTORY,
        FLOOR,
        FORM_LANES,
        HELD,
        IN_CENTER,
        LINE,
        MARKER_IN_CENTER,
        PHASE,
        PLAYERS,
        ROUND,
        SCORE,
        SPACES,
        START,
        WALL,
        WALL_LANES,
        Cells,
        Count,
        cells_of,
        tally,
        u64,
    )
    from forsyth.games.azul.rules.legality import bonus_points
    from forsyth.games.azul.rules.walls import TILES_IN, complete_colours, complete_columns, complete_rows
    from forsyth.games.azul.tiles import FLOOR_SPACES, SIZE

    Numbers = list[int] | memoryview
    Row = list[int]
    Size = int
    MOST_BOARDS: Final = 4
    NUMBERS: Final = 90
    BOARD_NUMBERS: Final = 15
    PENALTY = [0] * 8

_PLAYERS: Final = tuple(f"Player {player}" for player in range(MOST_PLAYERS))
_COLOURS: Final = tuple(NAMES[colour] for colour in COLOURS)

_TABLE: Final = (
    Feature("side", "whose turn it is", _PLAYERS),
    Feature("start", "who began the round, or begins the next one", _PLAYERS),
    Feature("players", "how many play"),
    Feature("notation", "what the text says", ("standard", "extended")),
    Feature("phase", "what happens next", tuple(PHASES.values())),
    Feature("round", "the number of the round"),
    Feature("marker", "who has the first-player marker", ("nobody", "center", *_PLAYERS)),
    Feature("display", "tiles on factories and in the centre"),
    Feature("center", "tiles in the centre"),
    Feature("factories", "factories with tiles"),
    *[Feature(f"display_{name}", f"{name} tiles on display") for name in _COLOURS],
    Feature("bag", "tiles in the bag"),
    *[Feature(f"bag_{name}", f"{name} tiles in the bag") for name in _COLOURS],
    Feature("discard", "discarded tiles"),
    *[Feature(f"discard_{name}", f"{name} tiles discarded") for name in _COLOURS],
    Feature("walls", "tiles on all walls"),
    Feature("fullest_row", "the most tiles in one wall row; at 5 the game ends"),
    Feature("lead", "the score of whose turn it is, less the best of the others"),
)
_BOARD: Final = (
    ("score", "points of {0}"),
    ("wall", "tiles on the wall of {0}"),
    *[(f"wall_{name}", f"{name} tiles on the wall of {{0}}") for name in _COLOURS],
    ("rows", "complete rows of {0}"),
    ("columns", "complete columns of {0}"),
    ("colours", "complete colours of {0}"),
    ("bonus", "what the wall of {0} brings at the end"),
    ("lines", "tiles in the pattern lines of {0}"),
    ("full_lines", "full pattern lines of {0}"),
    ("floor", "occupied floor spaces of {0}"),
    ("penalty", "what the floor costs {0}"),
)
FEATURES: Final[tuple[Feature, ...]] = (
    *_TABLE,
    *[
        Feature(f"p{player}_{name}", meaning.format(f"player {player}"))
        for player in range(MOST_PLAYERS)
        for name, meaning in _BOARD
    ],
)
"""The numbers of a position, in order."""


def _fill_tables() -> None:
    for spaces, points in enumerate(PENALTIES):
        PENALTY[spaces] = points


_fill_tables()


def features(position: Position) -> tuple[int, ...]:
    """The numbers of a position, one for each of `FEATURES`."""
    cells: Cells
    row: Row
    if not cython.compiled:
        cells = [0] * CELLS
        row = [0] * NUMBERS
    cells_of(position, cells)
    tally(cells)
    put_features(cells, row, 0, 1)
    return tuple([int(row[number]) for number in range(NUMBERS)])


def put_features(cells: Cells, out: Numbers, at: Size, step: Size) -> None:
    """Write the numbers of a position at a place, and each next one `step` further."""
    player: Count
    number: Count
    out[at] = cells[CURRENT]
    out[at + step] = cells[START]
    out[at + 2 * step] = cells[PLAYERS]
    out[at + 3 * step] = cells[COMPLETE]
    out[at + 4 * step] = cells[PHASE]
    out[at + 5 * step] = cells[ROUND]
    out[at + 6 * step] = _marker(cells)
    out[at + 7 * step] = cells[DISPLAY]
    out[at + 8 * step] = cells[IN_CENTER]
    out[at + 9 * step] = 2 * cells[PLAYERS] + 1 - cells[EMPTY]
    at = _put_counts(cells, out, at + 10 * step, step)
    out[at + step] = _fullest_row(cells)
    out[at + 2 * step] = _lead(cells)
    # The tiles on all walls are those of the boards.
    out[at] = 0
    for player in range(MOST_BOARDS):
        if player < cells[PLAYERS]:
            _put_board(
                cells,
                BOARD + BOARD_CELLS * player,
                out,
                at + (3 + BOARD_NUMBERS * player) * step,
                step,
            )
            out[at] += out[at + (4 + BOARD_NUMBERS * player) * step]
        else:
            for number in range(BOARD_NUMBERS):
                out[at + (3 + BOARD_NUMBERS * player + number) * step] = 0


def _put_counts(cells: Cells, out: Numbers, at: Size, step: Size) -> Size:
    """Display, bag and discard by colour; where the next number goes."""
    lanes: u64 = 0
    number: Count
    bag: Count = 0
    discard: Count = 0
    for number in range(2 * cells[PLAYERS] + 1):
        lanes += FORM_LANES[cells[FACTORY + number]]
    for number in range(SIZE):
        out[at + number * step] = cells[CENTER + number] + (lanes >> 8 * number & 255)
        out[at + (6 + number) * step] = cells[BAG + number]
        out[at + (12 + number) * step] = cells[DISCARD + number]
        bag += cells[BAG + number]
        discard += cells[DISCARD + number]
    out[at + 5 * step] = bag
    out[at + 11 * step] = discard
    return at + 17 * step


def _put_board(cells: Cells, place: Count, out: Numbers, at: Size, step: Size) -> None:
    row: Count
    line: Count
    tiles: Count = 0
    in_lines: Count = 0
    full: Count = 0
    lanes: u64 = 0
    spaces: Count = cells[place + SPACES]
    for row in range(SIZE):
        lanes += WALL_LANES[row][cells[place + WALL + row]]
        tiles += TILES_IN[cells[place + WALL + row]]
        line = cells[place + LINE + row] & 7
        in_lines += line
        full += line > row
    out[at] = cells[place + SCORE]
    out[at + step] = tiles
    for row in range(SIZE):
        out[at + (2 + row) * step] = lanes >> 8 * row & 255
    out[at + 7 * step] = complete_rows(cells, place + WALL)
    out[at + 8 * step] = complete_columns(cells, place + WALL)
    out[at + 9 * step] = complete_colours(cells, place + WALL)
    out[at + 10 * step] = bonus_points(cells, place)
    out[at + 11 * step] = in_lines
    out[at + 12 * step] = full
    out[at + 13 * step] = spaces
    out[at + 14 * step] = PENALTY[spaces if spaces < FLOOR_SPACES else FLOOR_SPACES]


def _marker(cells: Cells) -> Count:
    """Who has the marker: nobody 0, the centre 1, player p 2 + p; the first of several."""
    player: Count
    if cells[MARKER_IN_CENTER]:
        return 1
    for player in range(cells[PLAYERS]):
        if has_marker(cells, BOARD + BOARD_CELLS * player):
            return 2 + player
    return 0


def has_marker(cells: Cells, place: Count) -> bool:
    """Whether the marker lies on the floor of a board, or is held beside it."""
    floor: Count = cells[place + FLOOR]
    while floor:
        if floor & 7 > SIZE:
            return True
        floor >>= 3
    return cells[place + HELD] != 0


def _lead(cells: Cells) -> Count:
    player: Count
    score: Count
    best: Count = -10_000
    for player in range(cells[PLAYERS]):
        score = cells[BOARD + BOARD_CELLS * player + SCORE]
        if player != cells[CURRENT] and score > best:
            best = score
    return cells[BOARD + BOARD_CELLS * cells[CURRENT] + SCORE] - best


def _fullest_row(cells: Cells) -> Count:
    player: Count
    row: Count
    tiles: Count
    most: Count = 0
    for player in range(cells[PLAYERS]):
        for row in range(SIZE):
            tiles = TILES_IN[cells[BOARD + BOARD_CELLS * player + WALL + row]]
            most = tiles if tiles > most else most
    return most
