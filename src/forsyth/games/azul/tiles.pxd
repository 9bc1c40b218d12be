# C types of tiles.py.
cpdef enum:
    SIZE = 5
    TILES_PER_COLOUR = 20
    TILES_PER_FACTORY = 4
    FLOOR_SPACES = 7

cdef dict _SORTED
cdef dict _PRESENT
cdef str _sorted(str tiles)
cpdef str in_order(str tiles)
cpdef tuple present_in(str tiles)
cpdef tuple counts_of(str tiles)
cpdef str tiles_of(tuple counts)
cpdef bint is_complete(str row)
