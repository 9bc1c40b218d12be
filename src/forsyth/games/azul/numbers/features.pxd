# C types of features.py.
from forsyth.games.azul.notation.cells cimport (
    BAG, CENTER, CELLS, COMPLETE, CURRENT, Cells, Count, DISCARD, DISPLAY, EMPTY, FACTORY,
    FLOOR, FORM_LANES, HELD, IN_CENTER, LINE, MARKER_IN_CENTER, PHASE, PLAYERS, ROUND, SCORE, SPACES, START,
    WALL, WALL_LANES, cells_of, tally, u64,
)
from forsyth.games.azul.rules.legality cimport get_board_index, sum_bonus_points
from forsyth.games.azul.tiles cimport FLOOR_SPACES, SIZE, count_factories
from forsyth.games.azul.rules.walls cimport TILE_COUNTS, count_complete_colours, count_complete_columns, count_complete_rows

ctypedef int* Numbers
ctypedef int[90] Row
ctypedef Py_ssize_t Size

cdef enum:
    MAX_BOARDS = 4
    FEATURE_COUNT = 90
    BOARD_NUMBERS = 15
    SYMBOL_BITS = 3
    SYMBOL_MASK = 7
    TILES_MASK = 7
    COLOUR_SHIFT = 3
    LOWEST_SCORE = -10000
    LANE_BITS = 8
    LANE_MASK = 255
    SIDE_FEATURE = 0
    START_FEATURE = 1
    PLAYERS_FEATURE = 2
    NOTATION_FEATURE = 3
    PHASE_FEATURE = 4
    ROUND_FEATURE = 5
    MARKER_FEATURE = 6
    DISPLAY_FEATURE = 7
    CENTER_FEATURE = 8
    FACTORIES_FEATURE = 9
    DISPLAY_COLOURS_FEATURE = 10
    BAG_FEATURE = 15
    BAG_COLOURS_FEATURE = 16
    DISCARD_FEATURE = 21
    DISCARD_COLOURS_FEATURE = 22
    WALLS_FEATURE = 27
    FULLEST_ROW_FEATURE = 28
    LEAD_FEATURE = 29
    BOARDS_FEATURE = 30
    SCORE_FEATURE = 0
    WALL_FEATURE = 1
    WALL_COLOURS_FEATURE = 2
    ROWS_FEATURE = 7
    COLUMNS_FEATURE = 8
    COLOURS_FEATURE = 9
    BONUS_FEATURE = 10
    LINES_FEATURE = 11
    FULL_LINES_FEATURE = 12
    FLOOR_FEATURE = 13
    PENALTY_FEATURE = 14
    NO_OWNER = 0
    CENTER_OWNER = 1
    FIRST_PLAYER_OWNER = 2

cdef unsigned char[8] PENALTY

cdef inline Count get_colour_count(u64 lanes, Count colour) noexcept nogil:
    return (lanes >> (LANE_BITS * colour)) & LANE_MASK

cdef void put_features(Cells cells, Numbers output, Size offset, Size step) noexcept nogil
cdef void _put_supply(Cells cells, Numbers output, Size offset, Size step) noexcept nogil
cdef void _put_board(Cells cells, Count board, Numbers output, Size offset, Size step) noexcept nogil
cdef Count _find_marker_owner(Cells cells) noexcept nogil
cdef Count _compute_score_lead(Cells cells) noexcept nogil
cdef Count _count_fullest_row(Cells cells) noexcept nogil
cdef bint has_marker(Cells cells, Count board) noexcept nogil
