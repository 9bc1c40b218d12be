# C types of kernel.py.
from forsyth.games.cotulenh.board cimport u32, i32, i64, SQUARE_COUNT
from forsyth.games.cotulenh.stacks cimport CARRIERS, TYPES, HEROIC_SHIFT, BLUE_BIT
from forsyth.games.cotulenh.rules.attacks cimport Units
from forsyth.games.cotulenh.position cimport Position, draft_position, seal_position

cdef extern from "Python.h":
    bint is_ascii "PyUnicode_IS_COMPACT_ASCII" (object text)
    const unsigned char* characters "PyUnicode_1BYTE_DATA" (object text)
    Py_ssize_t length "PyUnicode_GET_LENGTH" (object text)

ctypedef const unsigned char* Chars
ctypedef Py_ssize_t Size
ctypedef i32[16] Tail

cdef enum:
    MAX_CANONICAL = 1024
    AFTER_ONE = 256
    AFTER_NUMBER = 512
    NO_STEP = 100
    UNTRIED = -2

cdef signed char[768] STEPS
cdef short[256] NEXT
cdef unsigned char[256] DOWN
cdef u32[256] SINGLES
cdef unsigned char[11] WRITTEN
cdef i32 fill(Chars s, Size n, Units units, Tail tail) noexcept nogil
cdef i32 fill_tail(Chars s, i32 at, Size n, Tail tail) noexcept nogil
cdef i32 fill_board(Chars s, i32 at, Units units, Tail tail) noexcept nogil
cdef i32 row_of_digits(Chars s, i32 at, i32 square, Tail tail) noexcept nogil
cdef u32 odd_stack(Chars s, i32 at, i32 square, Tail tail) noexcept nogil
cdef u32 marked_unit(Chars s, i32 at) noexcept nogil
cdef i32 clock_end(Chars s, i32 at, i32 first) noexcept nogil
cdef i64 clock(Chars s, i32 at, i32 end) noexcept nogil
cdef Position scan(Chars s, Size n)
