# C types of rounds.py.
from forsyth.games.azul.position cimport Board, Position, copy_position, copy_board, seal_position, seal_board
from forsyth.games.azul.tiles cimport (
    TILES_PER_COLOUR, TILES_PER_FACTORY, count_colours, sort_tiles, is_row_complete,
)

ctypedef int Count
ctypedef double Real

cpdef object end_round(Position position)
cpdef bint is_last_round(Position position) except -1
cpdef tuple draw_tiles(Position position, object rng)
cdef tuple _draw_from_supply(Position position, object rng)
cpdef Position deal_tiles(Position position, object dealt)
cpdef Position deal_at_random(Position position, object rng)
cdef _require_next_round(Position position)
cdef Position _begin_round(Position position, object dealt, tuple bag, tuple discard)
cdef _require_phase(Position position, str phase)
cdef tuple _take_from_supply(Position position, object dealt)
cdef tuple _add_counts(tuple counts, tuple added_counts)
cdef Board _add_bonus(Board board, object bonus)
