"""The features of an Azul position: its turn, its supply and each board as numbers.

`compute_features` accepts any position. `put_features` writes the features of cells and is used for columns.
For a position that no game reaches, the features describe what cells can hold. For a standard text the
assumed values count: the bag holds all tiles that are not visible, and the marker is in the centre. The
numbers of players who do not exist are 0.
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
    from forsyth.games.azul.rules.legality import get_board_index, sum_bonus_points
    from forsyth.games.azul.rules.walls import (
        TILE_COUNTS,
        count_complete_colours,
        count_complete_columns,
        count_complete_rows,
    )
    from forsyth.games.azul.tiles import FLOOR_SPACES, SIZE, count_factories

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
    SIDE_FEATURE: Final = 0
    START_FEATURE: Final = 1
    PLAYERS_FEATURE: Final = 2
    NOTATION_FEATURE: Final = 3
    PHASE_FEATURE: Final = 4
    ROUND_FEATURE: Final = 5
    MARKER_FEATURE: Final = 6
    DISPLAY_FEATURE: Final = 7
    CENTER_FEATURE: Final = 8
    FACTORIES_FEATURE: Final = 9
    DISPLAY_COLOURS_FEATURE: Final = 10
    BAG_FEATURE: Final = 15
    BAG_COLOURS_FEATURE: Final = 16
    DISCARD_FEATURE: Final = 21
    DISCARD_COLOURS_FEATURE: Final = 22
    WALLS_FEATURE: Final = 27
    FULLEST_ROW_FEATURE: Final = 28
    LEAD_FEATURE: Final = 29
    BOARDS_FEATURE: Final = 30
    """Indexes in `FEATURES`. An index such as BAG_COLOURS_FEATURE is that of the first of five colours."""
    SCORE_FEATURE: Final = 0
    WALL_FEATURE: Final = 1
    WALL_COLOURS_FEATURE: Final = 2
    ROWS_FEATURE: Final = 7
    COLUMNS_FEATURE: Final = 8
    COLOURS_FEATURE: Final = 9
    BONUS_FEATURE: Final = 10
    LINES_FEATURE: Final = 11
    FULL_LINES_FEATURE: Final = 12
    FLOOR_FEATURE: Final = 13
    PENALTY_FEATURE: Final = 14
    """Indexes of the features of a player's board, counted from the first one of the player."""
    NO_OWNER: Final = 0
    CENTER_OWNER: Final = 1
    FIRST_PLAYER_OWNER: Final = 2
    """Values of the feature ``marker``; the next player has the next number."""
    PENALTY = [0] * 8

    def get_colour_count(lanes: u64, colour: Count) -> Count:
        """Return the count of one colour from `lanes`, a number with eight bits for each colour."""
        return (lanes >> (LANE_BITS * colour)) & LANE_MASK


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


def compute_features(position: Position) -> tuple[int, ...]:
    """Return the features of a position, such as round and scores: a number for each entry of `FEATURES`."""
    cells: Cells
    values: Row
    if not cython.compiled:
        cells = [0] * CELLS
        values = [0] * FEATURE_COUNT
    cells_of(position, cells)
    tally(cells)
    put_features(cells, values, 0, 1)
    return tuple([int(values[feature]) for feature in range(FEATURE_COUNT)])


def put_features(cells: Cells, output: Numbers, offset: Size, step: Size) -> None:
    """Write the 90 features of a position to `output`, with feature f at ``offset + f * step``.

    `cells` holds the position as numbers, at indices such as `CURRENT` and `START`. The features are in the
    order of `FEATURES`. Those of players who do not exist are 0.
    """
    player: Count
    feature: Count
    board_offset: Size
    walls_offset: Size = offset + WALLS_FEATURE * step
    output[offset + SIDE_FEATURE * step] = cells[CURRENT]
    output[offset + START_FEATURE * step] = cells[START]
    output[offset + PLAYERS_FEATURE * step] = cells[PLAYERS]
    output[offset + NOTATION_FEATURE * step] = cells[COMPLETE]
    output[offset + PHASE_FEATURE * step] = cells[PHASE]
    output[offset + ROUND_FEATURE * step] = cells[ROUND]
    output[offset + MARKER_FEATURE * step] = _find_marker_owner(cells)
    output[offset + DISPLAY_FEATURE * step] = cells[DISPLAY]
    output[offset + CENTER_FEATURE * step] = cells[IN_CENTER]
    output[offset + FACTORIES_FEATURE * step] = count_factories(cells[PLAYERS]) - cells[EMPTY]
    _put_supply(cells, output, offset, step)
    output[offset + FULLEST_ROW_FEATURE * step] = _count_fullest_row(cells)
    output[offset + LEAD_FEATURE * step] = _compute_score_lead(cells)

    # The number of tiles on all walls is the sum over the boards.
    output[walls_offset] = 0
    for player in range(MAX_BOARDS):
        board_offset = offset + (BOARDS_FEATURE + BOARD_NUMBERS * player) * step
        if player < cells[PLAYERS]:
            _put_board(cells, get_board_index(player), output, board_offset, step)
            output[walls_offset] += output[board_offset + WALL_FEATURE * step]
        else:
            for feature in range(BOARD_NUMBERS):
                output[board_offset + feature * step] = 0


def _put_supply(cells: Cells, output: Numbers, offset: Size, step: Size) -> None:
    """Write the features about tiles on display, in the bag and in the discard: counts by colour, and sums.

    `output` gets the features, with feature f at ``offset + f * step``. `cells` holds the position as
    numbers, at indices such as `BAG`.
    """
    lanes: u64 = 0
    factory: Count
    colour: Count
    bag_total: Count = 0
    discard_total: Count = 0
    for factory in range(count_factories(cells[PLAYERS])):
        lanes += FORM_LANES[cells[FACTORY + factory]]
    for colour in range(SIZE):
        output[offset + (DISPLAY_COLOURS_FEATURE + colour) * step] = cells[
            CENTER + colour
        ] + get_colour_count(lanes, colour)
        output[offset + (BAG_COLOURS_FEATURE + colour) * step] = cells[BAG + colour]
        output[offset + (DISCARD_COLOURS_FEATURE + colour) * step] = cells[DISCARD + colour]
        bag_total += cells[BAG + colour]
        discard_total += cells[DISCARD + colour]
    output[offset + BAG_FEATURE * step] = bag_total
    output[offset + DISCARD_FEATURE * step] = discard_total


def _put_board(cells: Cells, board: Count, output: Numbers, offset: Size, step: Size) -> None:
    """Write the 15 features of a player's board to `output`, such as score, wall tiles and complete rows.

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
        # Line i has room for i + 1 tiles.
        full_lines += line_tiles > row

    output[offset + SCORE_FEATURE * step] = cells[board + SCORE]
    output[offset + WALL_FEATURE * step] = wall_tiles
    for colour in range(SIZE):
        output[offset + (WALL_COLOURS_FEATURE + colour) * step] = get_colour_count(lanes, colour)
    output[offset + ROWS_FEATURE * step] = count_complete_rows(cells, board + WALL)
    output[offset + COLUMNS_FEATURE * step] = count_complete_columns(cells, board + WALL)
    output[offset + COLOURS_FEATURE * step] = count_complete_colours(cells, board + WALL)
    output[offset + BONUS_FEATURE * step] = sum_bonus_points(cells, board)
    output[offset + LINES_FEATURE * step] = in_lines
    output[offset + FULL_LINES_FEATURE * step] = full_lines
    output[offset + FLOOR_FEATURE * step] = spaces
    output[offset + PENALTY_FEATURE * step] = PENALTY[spaces if spaces < FLOOR_SPACES else FLOOR_SPACES]


def _find_marker_owner(cells: Cells) -> Count:
    """Return the owner of the first-player marker: 0 for nobody, 1 for the centre, 2 + p for player p.

    If there are several markers, the centre counts, or else the first player who has one.
    """
    player: Count
    if cells[MARKER_IN_CENTER]:
        return CENTER_OWNER
    for player in range(cells[PLAYERS]):
        if has_marker(cells, get_board_index(player)):
            return FIRST_PLAYER_OWNER + player
    return NO_OWNER


def has_marker(cells: Cells, board: Count) -> bool:
    """Return True if the first-player marker is on the floor of a player, or held beside it.

    `board` is the index in `cells` of the first number of the player.
    """
    floor: Count = cells[board + FLOOR]
    while floor:
        # Symbols up to SIZE are colours from 1 on. The marker is a higher one.
        if (floor & SYMBOL_MASK) > SIZE:
            return True
        floor >>= SYMBOL_BITS
    return cells[board + HELD] != 0


def _compute_score_lead(cells: Cells) -> Count:
    """Return the score of the player to move minus the best score of the others; it may be negative."""
    player: Count
    score: Count
    best_other: Count = LOWEST_SCORE
    for player in range(cells[PLAYERS]):
        score = cells[get_board_index(player) + SCORE]
        if player != cells[CURRENT] and score > best_other:
            best_other = score
    return cells[get_board_index(cells[CURRENT]) + SCORE] - best_other


def _count_fullest_row(cells: Cells) -> Count:
    """Return the number of tiles in the fullest wall row of all players: from 0 to 5."""
    player: Count
    row: Count
    tiles: Count
    max_tiles: Count = 0
    for player in range(cells[PLAYERS]):
        for row in range(SIZE):
            tiles = TILE_COUNTS[cells[get_board_index(player) + WALL + row]]
            max_tiles = tiles if tiles > max_tiles else max_tiles
    return max_tiles
