# cython: boundscheck=False, wraparound=False
# C types of spread_notes.py.
cimport cython

from forsyth.column cimport NOTED, NOTES, REFUSED

ctypedef unsigned char[::1] Bytes
ctypedef int[::1] Numbers
ctypedef short[::1] Shorts
ctypedef Py_ssize_t Size

@cython.locals(row=Size, at=Size, size=Size, codes=Size, bad=Size)
cpdef object spread_notes(
    Bytes verdicts, Numbers notes, Size rows, Shorts numbers, Size nowhere, Shorts shorts, Numbers places, Bytes bits
)
