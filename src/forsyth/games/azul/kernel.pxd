# C types of kernel.py.
from forsyth.games.azul.position cimport Board, Position, blank, blank_board, seal, seal_board
from forsyth.games.azul.tiles cimport FLOOR_SPACES, SIZE, TILES_PER_COLOUR, TILES_PER_FACTORY, counts_of

ctypedef Py_ssize_t Size

cdef dict _FACTORIES
cdef tuple _ROWS
cdef tuple _WIDE
cdef tuple _NARROW
cdef dict _NUMBERS
cdef dict _ROUNDS
cdef dict _PLAYERS

cpdef Position decode(object text)
cdef Position _standard(str text)
cdef str _visible_phase(Position position)
cdef Position _extended(str text)
cdef tuple _counts(str text)
cdef bint _is_sound(Position position, str text) except -1
cdef bint _display(Position position, str factories, str center, Size players) except -1
cdef Board _board(str wall, str lines, str floor, str score, bint extended)
cdef Size _number(str text) except -2
cdef bint _has_tiles(Position position) except -1
cdef Size _short_factories(Position position) except -1
cdef bint _is_untiled(Position position) except -1
cdef bint _has_complete_row(Position position) except -1
