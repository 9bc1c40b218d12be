# cython: boundscheck=False, wraparound=False
# C types of comment_commands.py.
ctypedef const unsigned char* Chars
ctypedef Py_ssize_t Size
ctypedef int i32
ctypedef long long i64

cdef extern from "Python.h":
    Chars characters "(const unsigned char *)PyBytes_AS_STRING" (object data)

cpdef enum:
    NO_COMMAND = 0
    CLOCK = 1
    ELAPSED = 2
    EVALUATION = 3
    ARROWS = 4
    CIRCLES = 5

cdef enum:
    NOTHING = -2147483648
    MOST = 2147483647
    MATE = 1000000
    MOST_CENTIPAWNS = 500000

cdef i32 command_at(Chars s, Size at, Size end) noexcept nogil
cdef Size value_start(Chars s, Size at, Size end, i32 kind) noexcept nogil
cdef Size skip_gap(Chars s, Size at, Size end) noexcept nogil
cdef bint is_gap(i32 character) noexcept nogil
cdef Size value_end(Chars s, Size at, Size end) noexcept nogil
cdef i32 number_of(Chars s, Size at, Size end, i32 kind) noexcept nogil
cdef i32 kind_of(Chars s, Size at) noexcept nogil
cdef i32 duration(Chars s, Size at, Size end) noexcept nogil
cdef i32 evaluation(Chars s, Size at, Size end) noexcept nogil
cdef bint is_depth(Chars s, Size at, Size end) noexcept nogil
