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
    HAND_COUNT_BITS = 5
    CLOCK_BITS = 16
    MAX_CLOCK = 9999
    MAX_BYTE = 255
    VERSION = 1

@cython.final
cdef class GridRow(RowKernel):
    cdef Grammar grammar
    cdef Tables tables
    cdef Board board
    cdef Scan scan

cdef i32 read_bits(Chars data, Size bit_index, i32 count) noexcept nogil
cdef Size packed_bits(Grammar grammar, i32 piece_count) noexcept nogil
cdef bint put_packed(Grammar grammar, Board board, Scan scan, Out out, Size start, Size width) noexcept nogil
cdef Size put_clock(Out out, Size start, i32 value) noexcept nogil
cdef Size put_pieces(Grammar grammar, Board board, Out out, Size start) noexcept nogil
cdef bint read_packed(Grammar grammar, Board board, Scan scan, Chars data, Size start, Size width) noexcept nogil
cdef bint is_zero(Chars data, Size bit_index, Size end) noexcept nogil
cdef void put_features(
    Grammar grammar, Board board, Tables tables, Scan scan, Numbers out, Size start, Size step
) noexcept nogil
cdef Size feature_count(Grammar grammar) noexcept nogil
cdef Size plane_bytes(Grammar grammar) noexcept nogil
cdef void put_planes(Grammar grammar, Board board, Scan scan, Out out, Size start) noexcept nogil
cdef Size put_plane(Grammar grammar, Out out, Size start, i32 value) noexcept nogil

@cython.final
cdef class GridColumn(ColumnVerbs):
    cdef Grammar grammar
    cdef Tables tables
    cdef Size max_length
    cdef tuple square_names
    cdef tuple noted_codes
