# C types of packed.py.
from forsyth.games.azul.notation.cells cimport (
    BAG, BOARD, BOARD_CELLS, CELLS, CENTER, COMPLETE, CURRENT, Cells, Count, DISCARD, FACTORY, FLOOR, HELD, LINE, FINDINGS,
    MARKER_IN_CENTER, PHASE, PLAYERS, ROUND, SCORE, SPACES, START, STRANGE, WALL, cells_of, position_of,
)
from forsyth.games.azul.position cimport Board, Position
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
    PACKED = 0
    BAD_SHAPE = 1
    BAD_LINE = 2
    BAD_BOARD = 3
    BAD_NUMBER = 4
    NOT_PACKED = 5
    _TEXT = 64

cpdef bytes pack(Position position)
cdef bint _is_compact(Position position) except -1
cdef bint _is_compact_board(Board board) except -1
cpdef Position unpack(object data)
cdef Size packed_size(Count players) noexcept nogil
cdef Size pack_cells(Cells cells, Out out, Size at) noexcept nogil
cdef Size _pack_board(Cells cells, Out out, Size at, Count place) noexcept nogil
cdef Count unpack_cells(Packed data, Size size, Cells cells) noexcept nogil
cdef void _unpack_head(Packed data, Cells cells) noexcept nogil
cdef bint _is_canonical(Packed data, Cells cells) noexcept nogil
cdef Count _unpack_board(Packed data, Size at, Cells cells, Count place) noexcept nogil
cdef Count _unpack_floor(Cells cells, Count floor, Count place) noexcept nogil
