# C types of tables.py.
cimport cython
from cpython cimport array

ctypedef int i32
ctypedef unsigned long long u64
ctypedef i32* Numbers
ctypedef u64* Masks

cpdef enum:
    MAX_SQUARES = 256
    MAX_KINDS = 31
    MAX_DIRECTIONS = 64
    MOVE = 1
    TAKE = 2
    HOP_TAKE = 4
    HOP_MOVE = 8
    HOPS = 12
    FACE = 16

@cython.final
cdef class Tables:
    cdef list buffers
    cdef bytes piece_bytes
    cdef readonly i32 width
    cdef readonly i32 size
    cdef readonly i32 kinds
    cdef readonly i32 directions
    cdef readonly i32 royal
    cdef i32 reach
    cdef i32 has_hands
    cdef i32* steps
    cdef i32* step_starts
    cdef i32* rays
    cdef i32* ray_starts
    cdef i32* lines
    cdef i32* line_starts
    cdef i32* promotes
    cdef i32* hand_kind
    cdef i32* one_per_file
    cdef i32* drop_mates
    cdef i32* zone
    cdef i32* stuck
    cdef i32* ray_depth
    cdef i32* leap_sources
    cdef i32* leap_source_starts
    cdef u64* leap_source_pieces
    cdef u64* first_attackers
    cdef u64* second_attackers
    @cython.locals(numbers=array.array)
    cdef Numbers store_numbers(self, object values) except? NULL
    @cython.locals(masks=array.array)
    cdef Masks store_masks(self, object values) except? NULL
