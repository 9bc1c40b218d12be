# C types of planes.py.
from libc.string cimport memset

from forsyth.games.azul.notation.cells cimport (
    BAG, CELLS, CENTER, COMPLETE, CURRENT, Cells, Count, DISCARD, FACTORY, FLOOR, FORM_LANES,
    LINE, MARKER_IN_CENTER, PHASE, PLAYERS, ROUND, SCORE, START, WALL, cells_of,
)
from forsyth.games.azul.numbers.features cimport (
    COLOUR_SHIFT, SYMBOL_BITS, SYMBOL_MASK, TILES_MASK, get_colour_count, has_marker,
)
from forsyth.games.azul.rules.legality cimport get_board_index
from forsyth.games.azul.tiles cimport SIZE, count_factories

ctypedef unsigned char* Out
ctypedef Py_ssize_t Size

cdef enum:
    AREA = 25
    BOARD_PLANES = 9
    WALL_PLANE = 0
    LINE_TILES_PLANE = 1
    LINE_COLOUR_PLANE = 2
    FLOOR_PLANE = 3
    MARKER_PLANE = 4
    SCORE_PLANE = 5
    TO_MOVE_PLANE = 6
    STARTS_PLANE = 7
    PLAYS_PLANE = 8
    FIRST_FACTORY_PLANE = 36
    CENTER_PLANE = 45
    CENTER_MARKER_PLANE = 46
    BAG_PLANE = 47
    DISCARD_PLANE = 48
    FIRST_PHASE_PLANE = 49
    EXTENDED_PLANE = 53
    ROUND_PLANE = 54
    PLANE_BYTES = 1375
    MAX_BYTE = 255

cdef inline void clear_planes(Out output, Size offset) noexcept nogil:
    memset(output + offset, 0, PLANE_BYTES)

cdef void put_planes(Cells cells, Out output, Size offset) noexcept nogil
cdef void _put_board(Cells cells, Count board, Out output, Size offset) noexcept nogil
cdef void _put_floor(Count floor, Out output, Size offset) noexcept nogil
cdef void _put_factory(Count form, Out output, Size offset) noexcept nogil
cdef void _put_counts(Cells cells, Count first_cell, Out output, Size offset) noexcept nogil
cdef void _fill_bytes(Out output, Size offset, Count count, Count value) noexcept nogil
