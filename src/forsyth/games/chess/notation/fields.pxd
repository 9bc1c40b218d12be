# C types of fields.py.
from forsyth.findings cimport Findings, Word, make_fix
from forsyth.games.chess.board cimport i32

cdef class BoardField:
    cdef public object clean
    cdef public bytearray cells
    cdef public object promoted
    cdef public object pocket

cdef object _read_rank(Findings findings, Word field, BoardField board, i32 start, i32 end, i32 rank)
