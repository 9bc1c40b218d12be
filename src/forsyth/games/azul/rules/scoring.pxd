# C types of scoring.py.
from forsyth.games.azul.position cimport Board, draft_board, seal_board
from forsyth.games.azul.tiles cimport FLOOR_SPACES, SIZE
from forsyth.games.azul.rules.walls cimport BY_COLOUR

ctypedef int Count

cdef tuple _MASKS
cdef tuple _RUN_LENGTHS

cdef Count _measure_run(Count mask, Count index) noexcept
cdef bint _is_bit_set(Count mask, Count index) noexcept
cpdef list list_row_masks(object wall)
cdef Count _make_column_mask(list masks, Count column) except -1
cpdef Count score_placement(Count row_run, Count column_run) except -1
cpdef object tile_board(Board board)
