# cython: boundscheck=False, wraparound=False
# C types of record_contents.py.
from forsyth.games.chess.notation.kernel cimport Chars, Size
from forsyth.games.chess.records.rows cimport Rows

cdef extern from "Python.h":
    """
    #define forsyth_utf8(s, at, size) PyUnicode_DecodeUTF8((const char *)(s) + (at), size, NULL)
    """
    str text_at "forsyth_utf8" (Chars s, Size at, Size size)

cdef object contents_of(Rows rows, Chars s, Size row)
