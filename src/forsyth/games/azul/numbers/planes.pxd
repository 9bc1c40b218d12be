# C types of planes.py.
from libc.string cimport memset

from forsyth.games.azul.notation.cells cimport (
    BAG, BOARD, BOARD_CELLS, CELLS, CENTER, COMPLETE, CURRENT, Cells, Count, DISCARD, FACTORY, FLOOR, FORM_LANES,
    LINE, MARKER_IN_CENTER, PHASE, PLAYERS, ROUND, SCORE, START, WALL, cells_of,
)
from forsyth.games.azul.numbers.features cimport (
    COLOUR_SHIFT, LANE_BITS, LANE_MASK, SYMBOL_BITS, SYMBOL_MASK, TILES_MASK, has_marker,
)
from forsyth.games.azul.tiles cimport SIZE

ctypedef unsigned char* Out
ctypedef Py_ssize_t Size

cdef enum:
    AREA = 25
    BOARD_PLANES = 9
    FACTORY_PLANES = 36
    SUPPLY_PLANES = 45
    PLANE_BYTES = 1375
    MAX_BYTE = 255

cdef inline void clear_planes(Out out, Size offset) noexcept nogil:
    memset(out + offset, 0, PLANE_BYTES)

cdef void put_planes(Cells cells, Out out, Size offset) noexcept nogil
cdef void _put_board(Cells cells, Count board, Out out, Size offset) noexcept nogil
cdef void _put_floor(Count floor, Out out, Size offset) noexcept nogil
cdef void _put_factory(Count form, Out out, Size offset) noexcept nogil
cdef void _put_counts(Cells cells, Count first_cell, Out out, Size offset) noexcept nogil
cdef void _fill(Out out, Size offset, Count count, Count value) noexcept nogil
