"""The features of an Azul position: its turn, its supply and each board as numbers.

`features` accepts any position. `put_features` writes the features of cells and is used for columns. For a
position that no game reaches, the features describe what cells can hold. For a standard text the assumed
values count: the bag holds all tiles that are not visible, and the marker is in the centre. The numbers of
players who do not exist are 0.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.column import Feature
from forsyth.games.azul.position import PHASES, Position
from forsyth.games.azul.tiles import COLOUR_NAMES, COLOURS, MAX_PLAYERS, PENALTIES

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
    from forsyth.games.azul.rules.walls import (
        TILE_COUNTS,
        count_complete_colours,
        count_complete_columns,
        count_complete_rows,
    )
    from forsyth.games.azul.tiles import FLOOR_SPACES, SIZE

    Numbers = list[int] | memoryview
    Row = list[int]
    Size = int
    MAX_BOARDS: Final = 4
    FEATURE_COUNT: Final = 90
    BOARD_NUMBERS: Final = 15
    SYMBOL_BITS: Final = 3
    SYMBOL_MASK: Final = 7
    """Bits of one floor space in a cell FLOOR: `SYMBOL_BITS` for each space."""
    TILES_MASK: Final = 7
    """Bits of the number of tiles in a cell LINE. The colour is above them."""
    COLOUR_SHIFT: Final = 3
    """Position of the colour in a cell LINE, 1 for blue."""
    LOWEST_SCORE: Final = -10_000
    """A number below every score."""
    LANE_BITS: Final = 8
    LANE_MASK: Final = 255
    """Bits of the count of one colour in lanes: `LANE_BITS` for each colour."""
    PENALTY = [0] * 8

_PLAYERS: Final = tuple(f"Player {player}" for player in range(MAX_PLAYERS))
_COLOURS: Final = tuple(COLOUR_NAMES[colour] for colour in COLOURS)

_TABLE_FEATURES: Final = (
    Feature("side", "the side to move", _PLAYERS),
    Feature("start", "the side that began the round, or begins the next one", _PLAYERS),
    Feature("players", "the number of players"),
    Feature("notation", "the form of the text", ("standard", "extended")),
    Feature("phase", "the phase", tuple(PHASES.values())),
    Feature("round", "the number of the round"),
    Feature("marker", "the owner of the first-player marker", ("nobody", "center", *_PLAYERS)),
    Feature("display", "tiles on factories and in the centre"),
    Feature("center", "tiles in the centre"),
    Feature("factories", "factories with tiles"),
    *[Feature(f"display_{name}", f"{name} tiles on display") for name in _COLOURS],
    Feature("bag", "tiles in the bag"),
    *[Feature(f"bag_{name}", f"{name} tiles in the bag") for name in _COLOURS],
    Feature("discard", "discarded tiles"),
    *[Feature(f"discard_{name}", f"{name} tiles discarded") for name in _COLOURS],
    Feature("walls", "tiles on all walls"),
    Feature("fullest_row", "tiles in the fullest wall row; at 5 the game ends"),
    Feature("lead", "the score of the side to move minus the best score of the others"),
)
_BOARD_FEATURES: Final = (
    ("score", "points of {0}"),
    ("wall", "tiles on the wall of {0}"),
    *[(f"wall_{name}", f"{name} tiles on the wall of {{0}}") for name in _COLOURS],
    ("rows", "complete rows of {0}"),
    ("columns", "complete columns of {0}"),
    ("colours", "complete colours of {0}"),
    ("bonus", "bonus points that the wall of {0} earns at the end"),
    ("lines", "tiles in the pattern lines of {0}"),
    ("full_lines", "full pattern lines of {0}"),
    ("floor", "occupied floor spaces of {0}"),
    ("penalty", "points that the floor costs {0}"),
)
FEATURES: Final[tuple[Feature, ...]] = (
    *_TABLE_FEATURES,
    *[
        Feature(f"p{player}_{name}", meaning.format(f"player {player}"))
        for player in range(MAX_PLAYERS)
        for name, meaning in _BOARD_FEATURES
    ],
)
"""The features of a position, in order."""


def _fill_tables() -> None:
    """Copy `PENALTIES` into `PENALTY`, an array that compiled code reads without Python objects.

    The index of an entry is the number of occupied floor spaces.
    """
    for spaces, points in enumerate(PENALTIES):
        PENALTY[spaces] = points


_fill_tables()


def features(position: Position) -> tuple[int, ...]:
    """Return the features of a position, one number for each entry of `FEATURES`."""
    cells: Cells
    row: Row
    if not cython.compiled:
        cells = [0] * CELLS
        row = [0] * FEATURE_COUNT
    cells_of(position, cells)
    tally(cells)
    put_features(cells, row, 0, 1)
    return tuple([int(row[number]) for number in range(FEATURE_COUNT)])


def put_features(cells: Cells, out: Numbers, offset: Size, step: Size) -> None:
    """Write the 90 features of a position to `out`, with feature f at ``offset + f * step``.

    `cells` holds the position as numbers, at indices such as `CURRENT` and `BOARD`. The order is that of
    `FEATURES`. The features of players who do not exist are 0.
    """
    player: Count
    number: Count
    board: Size
    out[offset] = cells[CURRENT]
    out[offset + step] = cells[START]
    out[offset + 2 * step] = cells[PLAYERS]
    out[offset + 3 * step] = cells[COMPLETE]
    out[offset + 4 * step] = cells[PHASE]
    out[offset + 5 * step] = cells[ROUND]
    out[offset + 6 * step] = _marker_owner(cells)
    out[offset + 7 * step] = cells[DISPLAY]
    out[offset + 8 * step] = cells[IN_CENTER]
    out[offset + 9 * step] = 2 * cells[PLAYERS] + 1 - cells[EMPTY]
    offset = _put_counts(cells, out, offset + 10 * step, step)
    out[offset + step] = _count_fullest_row(cells)
    out[offset + 2 * step] = _score_lead(cells)
    # The number of tiles on all walls is the sum over the boards, which follow.
    out[offset] = 0
    for player in range(MAX_BOARDS):
        board = offset + (3 + BOARD_NUMBERS * player) * step
        if player < cells[PLAYERS]:
            _put_board(cells, BOARD + BOARD_CELLS * player, out, board, step)
            out[offset] += out[board + step]
        else:
            for number in range(BOARD_NUMBERS):
                out[board + number * step] = 0


def _put_counts(cells: Cells, out: Numbers, offset: Size, step: Size) -> Size:
    """Write the tiles on display, in the bag and in the discard by colour, and the sums of the last two.

    The first feature is written at `offset`, and each next one `step` later. Return the index of the feature
    after the last one.
    """
    lanes: u64 = 0
    number: Count
    bag: Count = 0
    discard: Count = 0
    for number in range(2 * cells[PLAYERS] + 1):
        lanes += FORM_LANES[cells[FACTORY + number]]
    for number in range(SIZE):
        out[offset + number * step] = cells[CENTER + number] + (lanes >> LANE_BITS * number & LANE_MASK)
        out[offset + (6 + number) * step] = cells[BAG + number]
        out[offset + (12 + number) * step] = cells[DISCARD + number]
        bag += cells[BAG + number]
        discard += cells[DISCARD + number]
    out[offset + 5 * step] = bag
    out[offset + 11 * step] = discard
    return offset + 17 * step


def _put_board(cells: Cells, board: Count, out: Numbers, offset: Size, step: Size) -> None:
    """Write the 15 features of a player's board, such as score, wall tiles and complete rows.

    `board` is the index in `cells` of the first number of the player. The first feature is written at
    `offset`, and each next one `step` later.
    """
    row: Count
    colour: Count
    line_tiles: Count
    wall_tiles: Count = 0
    in_lines: Count = 0
    full_lines: Count = 0
    lanes: u64 = 0
    spaces: Count = cells[board + SPACES]
    for row in range(SIZE):
        lanes += WALL_LANES[row][cells[board + WALL + row]]
        wall_tiles += TILE_COUNTS[cells[board + WALL + row]]
        line_tiles = cells[board + LINE + row] & TILES_MASK
        in_lines += line_tiles
        full_lines += line_tiles > row
    out[offset] = cells[board + SCORE]
    out[offset + step] = wall_tiles
    for colour in range(SIZE):
        out[offset + (2 + colour) * step] = lanes >> LANE_BITS * colour & LANE_MASK
    out[offset + 7 * step] = count_complete_rows(cells, board + WALL)
    out[offset + 8 * step] = count_complete_columns(cells, board + WALL)
    out[offset + 9 * step] = count_complete_colours(cells, board + WALL)
    out[offset + 10 * step] = bonus_points(cells, board)
    out[offset + 11 * step] = in_lines
    out[offset + 12 * step] = full_lines
    out[offset + 13 * step] = spaces
    out[offset + 14 * step] = PENALTY[spaces if spaces < FLOOR_SPACES else FLOOR_SPACES]


def _marker_owner(cells: Cells) -> Count:
    """Return who has the first-player marker: 0 for nobody, 1 for the centre, 2 + p for player p.

    If there are several markers, the centre or else the first player counts.
    """
    player: Count
    if cells[MARKER_IN_CENTER]:
        return 1
    for player in range(cells[PLAYERS]):
        if has_marker(cells, BOARD + BOARD_CELLS * player):
            return 2 + player
    return 0


def has_marker(cells: Cells, board: Count) -> bool:
    """Return True if the first-player marker is on the floor of a player, or held beside it.

    `board` is the index in `cells` of the first number of the player.
    """
    floor: Count = cells[board + FLOOR]
    while floor:
        if floor & SYMBOL_MASK > SIZE:
            return True
        floor >>= SYMBOL_BITS
    return cells[board + HELD] != 0


def _score_lead(cells: Cells) -> Count:
    """Return the score of the player to move minus the best score of the others."""
    player: Count
    score: Count
    best_other: Count = LOWEST_SCORE
    for player in range(cells[PLAYERS]):
        score = cells[BOARD + BOARD_CELLS * player + SCORE]
        if player != cells[CURRENT] and score > best_other:
            best_other = score
    return cells[BOARD + BOARD_CELLS * cells[CURRENT] + SCORE] - best_other


def _count_fullest_row(cells: Cells) -> Count:
    """Return the number of tiles in the fullest wall row of all players."""
    player: Count
    row: Count
    tiles: Count
    max_tiles: Count = 0
    for player in range(cells[PLAYERS]):
        for row in range(SIZE):
            tiles = TILE_COUNTS[cells[BOARD + BOARD_CELLS * player + WALL + row]]
            max_tiles = tiles if tiles > max_tiles else max_tiles
    return max_tiles
