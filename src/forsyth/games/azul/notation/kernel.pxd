# C types of kernel.py.
from forsyth.games.azul.notation.cells cimport Cells, FINDINGS, position_of
from forsyth.games.azul.position cimport Position
from forsyth.games.azul.notation.scanner cimport LONGEST, SOUND, read_cells

cdef extern from "Python.h":
    bint is_ascii "PyUnicode_IS_COMPACT_ASCII" (object text)
    const unsigned char* characters "PyUnicode_1BYTE_DATA" (object text)

cpdef Position decode(object text)
cpdef Position decode_canonical(object text)
cdef Position _decode(object text, bint canonical)
