# cython: boundscheck=False, wraparound=False, cdivision=True
# C types of column.py.
cimport cython
from forsyth.column cimport ASK, CANONICAL, NOTED, STRICT
from forsyth.kit.numbers.blake2b cimport digest_16
from forsyth.kit.numbers.column_verbs cimport (
    Chars, ColumnVerbs, NO_TEXT, Numbers, Out, RowKernel, Size, copy, fill,
)
from forsyth.kit.board cimport Board, find_attackers
from forsyth.kit.notation.scanner cimport Grammar, Scan, TEXT_ROOM, is_sound, put_identity, put_text, scan_text, tally
from forsyth.kit.tables cimport Tables, i32

cdef enum:
    HELD_BITS = 5
    MAX_CLOCK = 9999
    VERSION = 1

@cython.final
cdef class GridRow(RowKernel):
    cdef Grammar grammar
    cdef Tables tables
    cdef Board board
    cdef Scan scan

cdef i32 take_bits(Chars data, Size at, i32 bits) noexcept nogil
cdef Size packed_bits(Grammar g, i32 men) noexcept nogil
cdef bint put_packed(Grammar g, Board board, Scan scan, Out out, Size at, Size width) noexcept nogil
cdef Size put_clock(Out out, Size at, i32 value) noexcept nogil
cdef Size put_men(Grammar g, Board board, Out out, Size at) noexcept nogil
cdef bint take_packed(Grammar g, Board board, Scan scan, Chars data, Size start, Size width) noexcept nogil
cdef void put_features(
    Grammar g, Board board, Tables tables, Scan scan, Numbers out, Size step, Size at
) noexcept nogil
cdef Size feature_count(Grammar g) noexcept nogil
cdef Size plane_bytes(Grammar g) noexcept nogil
cdef void put_planes(Grammar g, Board board, Scan scan, Out out, Size start) noexcept nogil
cdef Size put_plane(Grammar g, Out out, Size start, i32 value) noexcept nogil

@cython.final
cdef class GridColumn(ColumnVerbs):
    cdef Grammar grammar
    cdef Tables tables
    cdef Size longest
    cdef tuple names
    cdef tuple noted
