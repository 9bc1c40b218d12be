# C types of compact.py.
cimport cython
from libc.string cimport memcpy

ctypedef unsigned char[::1] Bytes
ctypedef int[::1] Lengths
ctypedef long long[::1] Offsets
ctypedef Py_ssize_t Size

cdef inline void move(Bytes out, Size at, Bytes wide, Size start, Size length) noexcept nogil:
    if length > 0:
        memcpy(&out[at], &wide[start], length)

cpdef Size compact(Bytes wide, Size width, Lengths lengths, Size rows, Bytes out, Offsets offsets)
