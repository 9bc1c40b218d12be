# C types of kernel.py.
from forsyth.games.chess.board cimport u64, i32, ONE, lsb
from forsyth.games.chess.position cimport Position, blank, seal, CHESS960, CRAZYHOUSE, THREE_CHECK

cdef extern from "Python.h":
    bint is_ascii "PyUnicode_IS_COMPACT_ASCII" (object text)
    const unsigned char* characters "PyUnicode_1BYTE_DATA" (object text)
    Py_ssize_t length "PyUnicode_GET_LENGTH" (object text)
    str text_of "PyUnicode_FromStringAndSize" (const char* characters, Py_ssize_t size)

ctypedef const unsigned char* Chars
ctypedef Py_ssize_t Size
ctypedef u64[16] Planes
ctypedef char[64] Cells
ctypedef char[192] Buffer

cdef enum:
    EMPTY = 12
    DIGIT = 1 << 8
    SLASH = 1 << 9
    END = 1 << 10

cdef unsigned short[256] CLASS
cdef Position scan(Chars s, Size n)
cdef i32 clock(Chars s, Size at) noexcept
cdef i32 put_number(Buffer out, i32 at, i32 number) noexcept
cpdef str encode(Position position)
