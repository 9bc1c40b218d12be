# C types of rounds.py.
from forsyth.games.azul.position cimport Board, Position, copy_of, copy_of_board, seal, seal_board
from forsyth.games.azul.tiles cimport (
    TILES_PER_COLOUR, TILES_PER_FACTORY, counts_of, in_order, is_complete,
)

ctypedef int Count
ctypedef double Real

cpdef object end_round(Position position)
cpdef bint is_last_round(Position position) except -1
cpdef tuple draw(Position position, object chance)
cdef tuple _drawn(Position position, object chance)
cpdef Position deal(Position position, object dealt)
cpdef Position deal_by_chance(Position position, object chance)
cdef _require_next_round(Position position)
cdef Position _next_round(Position position, object dealt, tuple bag, tuple discard)
cdef _require(Position position, str phase)
cdef tuple _without(Position position, object dealt)
cdef tuple _sums(tuple counts, tuple more)
cdef Board _rewarded(Board board, object bonus)
