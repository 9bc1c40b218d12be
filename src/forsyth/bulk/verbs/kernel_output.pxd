# cython: boundscheck=False, wraparound=False
# C types of kernel_output.py.
cimport cython
from libc.string cimport memcpy

from forsyth.column cimport NOTED, NOTES, REFUSED

ctypedef unsigned char[::1] Bytes
ctypedef int[::1] Numbers
ctypedef short[::1] Shorts
ctypedef long long[::1] Offsets
ctypedef Py_ssize_t Size

cdef inline void move(Bytes out, Size at, Bytes wide, Size start, Size length) noexcept nogil:
    if length > 0:
        memcpy(&out[at], &wide[start], length)

cpdef Size compact(Bytes wide, Size width, Numbers lengths, Size rows, Bytes out, Offsets offsets)

@cython.locals(row=Size, at=Size, size=Size, codes=Size, bad=Size)
cpdef object spread_notes(
    Bytes verdicts, Numbers notes, Size rows, Shorts numbers, Size nowhere, Shorts shorts, Numbers places, Bytes bits
)
