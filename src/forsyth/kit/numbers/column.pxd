# cython: boundscheck=False, wraparound=False, cdivision=True
# C types of column.py.
cimport cython
from forsyth.column cimport ASK, CANONICAL, NOTED, STRICT
from forsyth.kit.numbers.blake2b cimport write_digest
from forsyth.kit.numbers.column_verbs cimport (
    Chars, ColumnVerbs, NO_TEXT, Numbers, Out, RowKernel, Size, copy, fill,
)
from forsyth.kit.board cimport Board, find_attackers
from forsyth.kit.notation.scanner cimport Grammar, Scan, TEXT_ROOM, is_sound, put_identity, put_text, scan_text, tally
from forsyth.kit.tables cimport Tables, i32

cdef enum:
    BYTE_BITS = 8
    BYTE_SHIFT = 3
    BIT_MASK = 7
    VERSION_BITS = 7
    HAND_COUNT_BITS = 5
    CLOCK_BITS = 16
    MAX_CLOCK = 9999
    MAX_BYTE = 255
    PENDING_MASK = 65535
    VERSION = 1
    NOTE_CODE = 0
    NOTE_IS_WARNING = 1
    NOTE_START = 2
    NOTE_END = 3
    NOTE_SQUARE = 4
    NOTE_COUNT = 5
    COMMON_FEATURES = 5
    NO_SQUARE = -1

@cython.final
cdef class GridRow(RowKernel):
    cdef Grammar grammar
    cdef Tables tables
    cdef Board board
    cdef Scan scan

cdef inline Size count_bytes_for_bits(Size bit_count) noexcept nogil:
    return (bit_count + BYTE_BITS - 1) >> BYTE_SHIFT

cdef inline i32 get_hand_count(Grammar grammar, Board board, i32 side, i32 hand_index) noexcept nogil:
    return board.hands[side * grammar.kinds + grammar.held[hand_index]]

cdef i32 read_bits(Chars data, Size bit_index, i32 count) noexcept nogil
cdef Size count_packed_bits(Grammar grammar, i32 piece_count) noexcept nogil
cdef bint write_packed(Grammar grammar, Board board, Scan scan, Out output, Size start, Size width) noexcept nogil
cdef Size write_clock(Out output, Size start, i32 value) noexcept nogil
cdef Size write_bitmap(Grammar grammar, Board board, Out output, Size start) noexcept nogil
cdef Size write_pieces(Grammar grammar, Board board, Out output, Size start) noexcept nogil
cdef bint read_packed(Grammar grammar, Board board, Scan scan, Chars data, Size start, Size width) noexcept nogil
cdef bint are_bits_zero(Chars data, Size first_bit, Size end_bit) noexcept nogil
cdef void write_features(
    Grammar grammar, Board board, Tables tables, Scan scan, Numbers output, Size start, Size step
) noexcept nogil
cdef Size count_features(Grammar grammar) noexcept nogil
cdef Size count_plane_bytes(Grammar grammar) noexcept nogil
cdef void write_planes(Grammar grammar, Board board, Scan scan, Out output, Size start) noexcept nogil
cdef Size write_filled_plane(Grammar grammar, Out output, Size start, i32 value) noexcept nogil

@cython.final
cdef class GridColumn(ColumnVerbs):
    cdef Grammar grammar
    cdef Tables tables
    cdef Size max_length
    cdef tuple square_names
    cdef tuple noted_codes
