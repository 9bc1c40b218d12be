# C types of walls.py.
from forsyth.games.azul.tiles cimport SIZE

ctypedef int Count
ctypedef int* Masks

cdef enum:
    FULL_ROW = 31

cdef unsigned char[32] TILE_COUNTS
cdef unsigned char[32] RUN_POINTS
cdef unsigned char[32] LONE_TILES
cdef int[32] TRANSPOSED
cdef unsigned char[5][32] BY_COLOUR

cdef Count max_wall_points(Masks masks, Count start) noexcept nogil
cdef Count count_complete_rows(Masks masks, Count start) noexcept nogil
cdef Count count_complete_columns(Masks masks, Count start) noexcept nogil
cdef Count count_complete_colours(Masks masks, Count start) noexcept nogil
