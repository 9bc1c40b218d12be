# C types of walls.py.
from forsyth.games.azul.tiles cimport SIZE

ctypedef int Count
ctypedef int* Masks

cdef unsigned char[32] TILES_IN
cdef unsigned char[32] RUN_POINTS
cdef unsigned char[32] LONE
cdef int[32] TURNED
cdef unsigned char[5][32] BY_COLOUR

cdef Count most_points(Masks masks, Count at) noexcept nogil
cdef Count complete_rows(Masks masks, Count at) noexcept nogil
cdef Count complete_columns(Masks masks, Count at) noexcept nogil
cdef Count complete_colours(Masks masks, Count at) noexcept nogil
