# cython: boundscheck=False, wraparound=False
# C types of contents.py.
from forsyth.games.chess.notation.kernel cimport Chars, Size
from forsyth.games.chess.records.rows cimport Rows

cdef extern from "Python.h":
    """
    #define forsyth_utf8(s, at, size) PyUnicode_DecodeUTF8((const char *)(s) + (at), size, NULL)
    """
    str decode_text "forsyth_utf8" (Chars chars, Size start, Size size)

cdef object build_contents(Rows rows, Chars chars, Size row)
cdef str decode_move(Rows rows, Chars chars, Size start, Size size)
