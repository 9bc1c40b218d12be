# C types of kernel.py.
from forsyth.games.cotulenh.board cimport u32, i32, SQUARE_COUNT
from forsyth.games.cotulenh.stacks cimport CARRIERS, TYPES, HEROIC_SHIFT, BLUE_BIT
from forsyth.games.cotulenh.position cimport Position, blank, seal

cdef extern from "Python.h":
    bint is_ascii "PyUnicode_IS_COMPACT_ASCII" (object text)
    const unsigned char* characters "PyUnicode_1BYTE_DATA" (object text)
    Py_ssize_t length "PyUnicode_GET_LENGTH" (object text)
    str text_of "PyUnicode_FromStringAndSize" (const char* characters, Py_ssize_t size)

ctypedef const unsigned char* Chars
ctypedef Py_ssize_t Size
ctypedef char[1400] Buffer

cdef signed char[128] PLACES
cdef unsigned char[11] WRITTEN
cdef unsigned char[11] KINDS
cdef char[11] CHARS
cdef Position scan(Chars s, Size n)
cdef i32 clock_end(Chars s, i32 at, i32 first) noexcept
cdef i32 put_unit(Buffer out, i32 at, u32 unit) noexcept
cdef i32 put_empty(Buffer out, i32 at, i32 empty) noexcept
cdef str placement(Position position)
cdef str written_board(Position position)
cpdef str encode(Position position)
