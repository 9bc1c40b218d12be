# C types of cells_read.py.
from forsyth.games.azul.cells cimport (
    BAG, BOARD, BOARD_CELLS, CENTER, COMPLETE, CURRENT, Cells, Count, DISCARD, DISPLAY, FACTORY, FLOOR, FULL, HELD,
    IN_DONE, IN_ENDED, IN_OFFER, IN_TILING, LINE, LOOSE, MARKER_IN_CENTER, ON_FLOORS, PHASE, PLAYERS, ROUND,
    ROW_COMPLETE, SCORE, SEEN, SPACES, START, WALL, tally,
)
from forsyth.games.azul.cells_judge cimport is_sound
from forsyth.games.azul.tiles cimport FLOOR_SPACES, SIZE, TILES_PER_COLOUR

ctypedef const unsigned char* Chars
ctypedef Py_ssize_t Size

cdef enum:
    NOWHERE = -1
    LONGEST = 1024
    MOST_IN_CENTER = 100
    ODD = 7
    MARKER_CODE = 6
    NOT_SORTED = 128
    NO_FORM = 256
    NO_CELL = 128
    NO_LINE = 255

cdef unsigned char[256] CODE
cdef unsigned short[4096] FORM
cdef unsigned char[6400] WALL_CELL
cdef unsigned char[32768] LINE_OF

cdef bint read_cells(Chars s, Size at, Size end, Cells cells) noexcept nogil
cdef bint _read_standard(Chars s, Size at, Size end, Cells cells) noexcept nogil
cdef void _assume(Cells cells) noexcept nogil
cdef bint _read_extended(Chars s, Size at, Size end, Cells cells) noexcept nogil
cdef Size _factories(Chars s, Size at, Size end, Cells cells) noexcept nogil
cdef Size _center(Chars s, Size at, Size end, Cells cells) noexcept nogil
cdef Size _board(Chars s, Size at, Size end, Cells cells, Count place) noexcept nogil
cdef Size _wall(Chars s, Size at, Size end, Cells cells, Count place) noexcept nogil
cdef Size _wide_lines(Chars s, Size at, Cells cells, Count place) noexcept nogil
cdef Size _narrow_lines(Chars s, Size at, Cells cells, Count place) noexcept nogil
cdef Size _floor(Chars s, Size at, Size end, Cells cells, Count place) noexcept nogil
cdef Size _scores(Chars s, Size at, Size end, Cells cells) noexcept nogil
cdef Size _counts(Chars s, Size at, Size end, Cells cells, Count place, Count behind) noexcept nogil
cdef Size _player(Chars s, Size at, Size end, Cells cells, Count place) noexcept nogil
cdef Count _number(Chars s, Size at, Size end) noexcept nogil
