# C types of features.py.
from forsyth.games.azul.notation.cells cimport (
    BAG, BOARD, BOARD_CELLS, CENTER, CELLS, COMPLETE, CURRENT, Cells, Count, DISCARD, DISPLAY, EMPTY, FACTORY,
    FLOOR, FORM_LANES, HELD, IN_CENTER, LINE, MARKER_IN_CENTER, PHASE, PLAYERS, ROUND, SCORE, SPACES, START,
    WALL, WALL_LANES, cells_of, tally, u64,
)
from forsyth.games.azul.rules.legality cimport bonus_points
from forsyth.games.azul.tiles cimport FLOOR_SPACES, SIZE
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

cdef unsigned char[8] PENALTY

cdef void put_features(Cells cells, Numbers out, Size offset, Size step) noexcept nogil
cdef Size _put_counts(Cells cells, Numbers out, Size offset, Size step) noexcept nogil
cdef void _put_board(Cells cells, Count board, Numbers out, Size offset, Size step) noexcept nogil
cdef Count _marker_owner(Cells cells) noexcept nogil
cdef Count _score_lead(Cells cells) noexcept nogil
cdef Count _count_fullest_row(Cells cells) noexcept nogil
cdef bint has_marker(Cells cells, Count board) noexcept nogil
