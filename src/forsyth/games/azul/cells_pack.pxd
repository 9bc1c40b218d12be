# C types of cells_pack.py.
from forsyth.games.azul.cells cimport (
    BAG, BOARD, BOARD_CELLS, CENTER, COMPLETE, CURRENT, Cells, Count, DISCARD, FACTORY, FLOOR, HELD, LINE, LOOSE,
    MARKER_IN_CENTER, PHASE, PLAYERS, ROUND, SCORE, SPACES, START, WALL,
)
from forsyth.games.azul.tiles cimport FLOOR_SPACES, SIZE

ctypedef const unsigned char* Packed
ctypedef unsigned char* Out
ctypedef Py_ssize_t Size

cdef enum:
    VERSION = 1
    FORM_COUNT = 126
    HELD_BIT = 25
    MOST_POINTS = 9999
    MOST_ROUNDS = 9999

cdef Size packed_size(Count players) noexcept nogil
cdef Size pack_cells(Cells cells, Out out, Size at) noexcept nogil
cdef Size _pack_board(Cells cells, Out out, Size at, Count place) noexcept nogil
cdef bint unpack_cells(Packed data, Size at, Size end, Cells cells) noexcept nogil
cdef bint _unpack_head(Packed data, Size at, Cells cells) noexcept nogil
cdef bint _unpack_board(Packed data, Size at, Cells cells, Count place) noexcept nogil
cdef bint _unpack_floor(Cells cells, Count floor, Count place) noexcept nogil
