# cython: boundscheck=False, wraparound=False
# C types of texts.py.
from libc.string cimport memcmp, memcpy

from forsyth.record_bytes.words cimport BACKSLASH, CARRIAGE_RETURN, NEWLINE, SPACE, Bytes, Chars, Size, i32

ctypedef const int[::1] Ints
ctypedef const unsigned char[::1] Kinds
ctypedef int[::1] Filled
ctypedef unsigned char[::1] Bytearray
ctypedef unsigned char* Out

cdef enum:
    INT_SIZE = 4
    MAX_TEXT_BYTES = 2147483647
    AS_IT_IS = 0
    ESCAPED = 1
    FOLDED = 2

cdef inline bint equal(Bytes data, Size index, Bytes name, Size size) noexcept nogil:
    return memcmp(&data[index], &name[0], size) == 0

cdef inline void set_bit(Bytearray bitmap, Size index) noexcept nogil:
    bitmap[index >> 3] |= 1 << (index & 7)

cdef inline void copy(Bytearray out, Size target, Bytes data, Size start, Size size) noexcept nogil:
    memcpy(&out[target], &data[start], size)

cdef Size write_unescaped(Bytearray out, Size target, Bytes data, Size index, Size end) noexcept nogil
cdef Size write_folded(Bytearray out, Size target, Bytes data, Size index, Size end) noexcept nogil
