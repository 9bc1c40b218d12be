# cython: boundscheck=False, wraparound=False
# C types of texts.py.
from libc.string cimport memcmp, memcpy

from forsyth.record_bytes.words cimport Bytes, Chars, Size, i32

ctypedef const int[::1] Ints
ctypedef const unsigned char[::1] Kinds
ctypedef int[::1] Filled
ctypedef unsigned char[::1] Bytearray
ctypedef unsigned char* Out

cdef enum:
    AS_IT_IS = 0
    ESCAPED = 1
    FOLDED = 2

cdef inline bint equal(Bytes data, Size at, Bytes name, Size size) noexcept nogil:
    return memcmp(&data[at], &name[0], size) == 0

cdef inline void copy(Bytearray out, Size to, Bytes data, Size at, Size size) noexcept nogil:
    memcpy(&out[to], &data[at], size)

cdef Size put_unescaped(Bytearray out, Size to, Bytes data, Size at, Size end) noexcept nogil
cdef Size put_folded(Bytearray out, Size to, Bytes data, Size at, Size end) noexcept nogil
