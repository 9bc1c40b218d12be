# C types of scoring.py.
from forsyth.games.azul.position cimport Board, blank_board, seal_board
from forsyth.games.azul.tiles cimport FLOOR_SPACES, SIZE
from forsyth.games.azul.rules.walls cimport BY_COLOUR

ctypedef int Count

cdef tuple _MASKS
cdef tuple _RUNS

cpdef list masks_of(object wall)
cdef Count _column_of(list masks, Count column) except -1
cpdef Count points_for(Count across, Count down) except -1
cpdef object tile(Board board)
