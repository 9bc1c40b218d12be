# cython: boundscheck=False, wraparound=False, cdivision=True
# C types of column.py.
cimport cython
from forsyth.column cimport ASK, CANONICAL, NOTED, NOTES, STRICT
from forsyth.kit.numbers.blake2b cimport digest_16
from forsyth.kit.numbers.column_buffers cimport Size, copy_in, copy_out, has_room, require
from forsyth.kit.board cimport Board, find_attackers
from forsyth.kit.notation.scanner cimport Grammar, Scan, TEXT_ROOM, is_sound, put_identity, put_text, scan_text, tally
from forsyth.kit.tables cimport Tables, i32

ctypedef long long i64

cdef enum:
    HELD_BITS = 5
    MAX_CLOCK = 9999
    VERSION = 1

cdef inline void put_key(const unsigned char* line, Size size, unsigned char[::1] out, Size at) noexcept nogil:
    digest_16(line, 0, size, &out[0], at)

cdef i32 read_row(
    Grammar g, Board board, Scan scan, const unsigned char[::1] chars, const i64[::1] offsets, Size row, Size longest
) noexcept nogil
cdef void put_note(Scan scan, i32[::1] out, Size row) noexcept nogil
cdef i32 take_bits(const unsigned char[::1] data, Size at, i32 bits) noexcept nogil
cdef Size packed_bits(Grammar g, i32 men) noexcept nogil
cdef i32 put_packed(Grammar g, Board board, Scan scan, unsigned char[::1] out, Size row, Size width) noexcept nogil
cdef Size put_clock(unsigned char[::1] out, Size at, i32 value) noexcept nogil
cdef Size put_men(Grammar g, Board board, unsigned char[::1] out, Size at) noexcept nogil
cdef i32 take_packed(Grammar g, Board board, Scan scan, const unsigned char[::1] data, Size row, Size width) noexcept nogil
cdef void put_features(
    Grammar g, Board board, Tables tables, Scan scan, i32[::1] out, Size rows, Size row
) noexcept nogil
cdef Size feature_count(Grammar g) noexcept nogil
cdef Size plane_bytes(Grammar g) noexcept nogil
cdef void put_planes(Grammar g, Board board, Scan scan, unsigned char[::1] out, Size start) noexcept nogil
cdef Size put_plane(Grammar g, unsigned char[::1] out, Size start, i32 value) noexcept nogil

@cython.final
cdef class GridColumn:
    cdef Grammar grammar
    cdef Tables tables
    cdef Size longest
    cdef tuple names
    cdef tuple noted
    cpdef void scan(
        self, const unsigned char[::1] chars, const i64[::1] offsets, Size first, Size last, Size mode,
        bint legality, unsigned char[::1] verdicts, i32[::1] notes,
    ) except *
    cpdef void rewrite(
        self, const unsigned char[::1] chars, const i64[::1] offsets, Size first, Size last,
        const unsigned char[::1] verdicts, unsigned char[::1] out, i32[::1] lengths, Size width,
    ) except *
    cpdef void keys(
        self, const unsigned char[::1] chars, const i64[::1] offsets, Size first, Size last,
        unsigned char[::1] verdicts, unsigned char[::1] out,
    ) except *
    cpdef void pack(
        self, const unsigned char[::1] chars, const i64[::1] offsets, Size first, Size last,
        unsigned char[::1] verdicts, unsigned char[::1] out, Size width,
    ) except *
    cpdef void unpack(
        self, const unsigned char[::1] packed, Size width, Size first, Size last, unsigned char[::1] verdicts,
        unsigned char[::1] out, i32[::1] lengths, Size room,
    ) except *
    cpdef void features(
        self, const unsigned char[::1] chars, const i64[::1] offsets, Size first, Size last,
        unsigned char[::1] verdicts, i32[::1] out, Size rows,
    ) except *
    cpdef void planes(
        self, const unsigned char[::1] chars, const i64[::1] offsets, Size first, Size last,
        unsigned char[::1] verdicts, unsigned char[::1] out,
    ) except *

cdef Grammar require_grammar(GridColumn column)
cdef Board blank_board(GridColumn column)
