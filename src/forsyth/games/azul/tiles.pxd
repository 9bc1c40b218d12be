# C types of tiles.py.
cpdef enum:
    SIZE = 5
    TILES_PER_COLOUR = 20
    TILES_PER_FACTORY = 4
    FLOOR_SPACES = 7

cdef inline int count_factories(int players) noexcept nogil:
    return 2 * players + 1

cdef dict _SORTED
cdef dict _COLOURS_PRESENT
cdef str _sort_uncached(str tiles)
cpdef str sort_tiles(str tiles)
cpdef tuple list_colours(str tiles)
cpdef tuple count_colours(str tiles)
cpdef str tiles_from_counts(tuple counts)
cpdef bint is_row_complete(str row)
