# C types of features.py.
from forsyth.games.azul.notation.cells cimport (
    BAG, BOARD, BOARD_CELLS, CENTER, CELLS, COMPLETE, CURRENT, Cells, Count, DISCARD, DISPLAY, EMPTY, FACTORY,
    FLOOR, FORM_LANES, HELD, IN_CENTER, LINE, MARKER_IN_CENTER, PHASE, PLAYERS, ROUND, SCORE, SPACES, START,
    WALL, WALL_LANES, cells_of, tally, u64,
)
from forsyth.games.azul.rules.legality cimport bonus_points
from forsyth.games.azul.tiles cimport FLOOR_SPACES, SIZE
from forsyth.games.azul.rules.walls cimport TILES_IN, complete_colours, complete_columns, complete_rows

ctypedef int* Numbers
ctypedef int[90] Row
ctypedef Py_ssize_t Size

cdef enum:
    MOST_BOARDS = 4
    NUMBERS = 90
    BOARD_NUMBERS = 15

cdef unsigned char[8] PENALTY

cdef void put_features(Cells cells, Numbers out, Size at, Size step) noexcept nogil
cdef Size _put_counts(Cells cells, Numbers out, Size at, Size step) noexcept nogil
cdef void _put_board(Cells cells, Count place, Numbers out, Size at, Size step) noexcept nogil
cdef Count _marker(Cells cells) noexcept nogil
cdef Count _lead(Cells cells) noexcept nogil
cdef Count _fullest_row(Cells cells) noexcept nogil
cdef bint has_marker(Cells cells, Count place) noexcept nogil
