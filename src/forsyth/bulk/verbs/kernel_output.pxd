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
    CODE = 0
    SEVERITY = 1
    START = 2
    END = 3
    SQUARE = 4
    COUNT = 5

cdef enum:
    SHORT_COLUMNS = 2
    INT_COLUMNS = 4
    BITMAPS = 2

cdef inline void copy_bytes(Bytes target, Size target_start, Bytes source, Size start, Size size) noexcept nogil:
    if size > 0:
        memcpy(&target[target_start], &source[start], size)

cdef inline void set_bit(Bytes bitmaps, Size first_byte, Size row) noexcept nogil:
    bitmaps[first_byte + (row >> 3)] |= 1 << (row & 7)

cpdef Size compact_texts(Bytes slots, Size width, Numbers lengths, Size rows, Bytes output, Offsets offsets)

@cython.locals(row=Size, byte=Size, first_note=Size, first_severity=Size, first_end=Size, first_square=Size,
               first_count=Size, bitmap_size=Size, no_error_bitmap=Size, code=Size, square=Size,
               code_count=Size, unknown_row=Size)
cpdef object scatter_findings(
    Bytes verdicts, Numbers notes, Size rows, Shorts code_numbers, Size no_square, Shorts short_columns,
    Numbers int_columns, Bytes bitmaps
)
