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

cdef enum:
    SEVERITY = 1
    START = 2
    END = 3
    SQUARE = 4
    COUNT = 5

cdef inline void move(Bytes out, Size target, Bytes wide, Size start, Size length) noexcept nogil:
    if length > 0:
        memcpy(&out[target], &wide[start], length)

cpdef Size compact_texts(Bytes wide, Size width, Numbers lengths, Size rows, Bytes out, Offsets offsets)

@cython.locals(row=Size, byte=Size, note=Size, bitmap_size=Size, code_count=Size, unknown_row=Size)
cpdef object scatter_findings(
    Bytes verdicts, Numbers notes, Size rows, Shorts code_numbers, Size no_square, Shorts short_columns,
    Numbers int_columns, Bytes bitmaps
)
