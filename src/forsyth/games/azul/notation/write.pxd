# C types of write.py.
from forsyth.games.azul.position cimport Board, Position
from forsyth.games.azul.tiles cimport SIZE, TILES_PER_FACTORY, sort_tiles

ctypedef int Count

cdef dict _WIDE
cdef dict _FACTORY
cdef tuple _NARROW

cpdef bint is_standard(Position position)
cpdef str write_canonical(Position position)
cdef str _factories(Position position, bint canonical)
cdef str _standard_board(Board board, object lines)
cdef str _extended_board(Board board)
cdef str _wide_lines(Board board)
cdef str _narrow_lines(Board board)
cdef str _counts(tuple counts)
