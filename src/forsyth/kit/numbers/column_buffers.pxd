# C types of column_buffers.py.
from libc.string cimport memcpy

ctypedef Py_ssize_t Size

cdef inline void copy_in(unsigned char* target, const unsigned char[::1] source, Size start, Size size) noexcept nogil:
    if size > 0:
        memcpy(target, &source[0] + start, size)

cdef inline void copy_out(unsigned char[::1] target, Size start, const void* source, Size size) noexcept nogil:
    if size > 0:
        memcpy(&target[0] + start, source, size)

cdef bint has_room(Size size, Size rows, Size width) noexcept
cdef int require(bint enough) except -1
