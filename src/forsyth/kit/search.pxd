# C types of search.py.
cimport cython
from cpython cimport array

ctypedef int i32
ctypedef unsigned int u32
ctypedef unsigned long long u64

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
    PROMOTES = 262144

ctypedef i32* Numbers
ctypedef u64* Masks
ctypedef unsigned char[257] Marks

@cython.final
cdef class MoveList:
    cdef u32* items
    cdef i32 count
    cdef i32 size
    cdef int add(self, u32 number) except -1
    cdef void shorten(self, i32 count) noexcept
    cdef list numbers(self)

@cython.final
cdef class Tables:
    cdef list kept
    cdef readonly i32 width
    cdef readonly i32 size
    cdef readonly i32 kinds
    cdef readonly i32 directions
    cdef readonly i32 royal
    cdef i32 reach
    cdef i32 has_hands
    cdef i32* steps
    cdef i32* step_at
    cdef i32* rays
    cdef i32* ray_at
    cdef i32* lines
    cdef i32* line_at
    cdef i32* promotes
    cdef i32* held
    cdef i32* one_per_file
    cdef i32* drop_mates
    cdef i32* zone
    cdef i32* stuck
    cdef i32* depth
    cdef i32* seen
    cdef i32* seen_at
    cdef u64* seen_masks
    cdef u64* near
    cdef u64* far
    @cython.locals(numbers=array.array)
    cdef Numbers hold(self, object values) except? NULL
    @cython.locals(masks=array.array)
    cdef Masks hold_masks(self, object values) except? NULL

@cython.final
cdef class Search:
    cdef Tables tables
    cdef MoveList found
    cdef i32 side
    cdef i32[257] squares
    cdef i32[62] hands
    cdef i32[2] kings

cdef i32 find_king(Search search, i32 side) noexcept
cdef i32 find_attackers(Search search, i32 target, i32 side, MoveList found) except -1
cdef i32 find_marks(Search search, i32 king, i32 side, Marks marks) noexcept
cdef i32 add_promoting(Search search, MoveList out, i32 man, i32 origin, i32 target) except -1
cdef i32 generate_lines(Search search, MoveList out, i32 man, i32 origin) except -1
cdef i32 generate_drops(Search search, MoveList out) except -1
cdef i32 generate(Search search, MoveList out) except -1
cdef i32 generate_legal(Search search, MoveList out) except -1
cdef i32 is_safe(Search search, u32 move) except -1
cdef i32 is_drop_mate(Search search, u32 move) except -1
cdef u32 make(Search search, u32 move) noexcept
cdef void unmake(Search search, u32 move, u32 before) noexcept
cdef u64 count_lines(Search search, i32 depth) except? 0
