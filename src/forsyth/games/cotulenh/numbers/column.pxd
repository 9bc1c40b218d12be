# cython: boundscheck=False, wraparound=False
# C types of column.py.
from libc.string cimport memcpy

from forsyth.column cimport ASK, CANONICAL, DEFAULT, LENIENT, NOTED, NOTES, REFUSED, STRICT
from forsyth.games.cotulenh.board cimport u32, i32, i64
from forsyth.games.cotulenh.rules.legality cimport is_sound
from forsyth.games.cotulenh.notation.kernel cimport MAX_CANONICAL, Size, clock, fill, fill_tail, odd_stack
from forsyth.games.cotulenh.notation.notes cimport Scan, clear
from forsyth.games.cotulenh.notation.scanner cimport scan_text
from forsyth.games.cotulenh.notation.write cimport Buffer, put_board, put_ranks, put_rest, put_text, put_unit
from forsyth.games.cotulenh.numbers.key cimport BLOCK, WORD_COUNT, Lanes, Words, begin, stir_block, write_words
from forsyth.games.cotulenh.numbers.features cimport write_features
from forsyth.games.cotulenh.numbers.planes cimport PLANE_BYTES, write_planes
from forsyth.kit.numbers.column_buffers cimport copy_in, copy_out, has_room, require
from forsyth.games.cotulenh.numbers.packing cimport LONGEST, MAX_NUMBER, Packed, State, put_packed, take_packed

cdef class Scratch:
    cdef unsigned char[1032] text
    cdef Size length
    cdef State state
    cdef Buffer line
    cdef Packed packed
    cdef Words words
    cdef Lanes lanes
    cdef Size[4] rows

cdef inline void copy_text(void* target, const unsigned char* source, Size start, Size size) noexcept nogil:
    memcpy(target, source + start, size)

cdef i32 take_board_text(Scratch scratch, Scan scan) noexcept nogil
cdef i32 put_stacks(Scratch scratch, Scan scan, i32 size) noexcept nogil
cdef i32 odd_rank(Scan scan) noexcept nogil
cdef i32 take(Scratch scratch, Scan scan, const unsigned char[::1] chars, const i64[::1] offsets, Size row) noexcept nogil
cdef i32 read_row(Scratch scratch, Scan scan, const unsigned char[::1] chars, const i64[::1] offsets, Size row) noexcept nogil
cdef i32 take_noted(Scratch scratch, Scan scan, const unsigned char[::1] chars, const i64[::1] offsets, Size row) noexcept nogil
cdef i32 judge_row(Scratch scratch, Scan scan, i32 mode, bint legality) noexcept nogil
cdef i32 has_short_clocks(Scan scan) noexcept nogil
cdef i32 take_state(Scratch scratch, Scan scan) noexcept nogil
cdef i32 is_silent(Scratch scratch, Scan scan, i32 mode, bint legality) noexcept nogil
cdef void put_note(Scan scan, i32[::1] out, Size row) noexcept nogil
cdef void write_keys(Scratch scratch, i32 count, unsigned char[::1] out) noexcept nogil
cdef i32 take_form(Scratch scratch, Scan scan, const unsigned char[::1] packed, Size width, Size row) noexcept nogil

cdef class CoTuLenhColumn:
    cpdef void scan(
        self, const unsigned char[::1] chars, const i64[::1] offsets, Size first, Size last, Size mode,
        bint legality, unsigned char[::1] verdicts, i32[::1] notes,
    )
    cpdef void rewrite(
        self, const unsigned char[::1] chars, const i64[::1] offsets, Size first, Size last,
        const unsigned char[::1] verdicts, unsigned char[::1] out, i32[::1] lengths, Size width,
    )
    cpdef void keys(
        self, const unsigned char[::1] chars, const i64[::1] offsets, Size first, Size last,
        unsigned char[::1] verdicts, unsigned char[::1] out,
    )
    cpdef void pack(
        self, const unsigned char[::1] chars, const i64[::1] offsets, Size first, Size last,
        unsigned char[::1] verdicts, unsigned char[::1] out, Size width,
    )
    cpdef void unpack(
        self, const unsigned char[::1] packed, Size width, Size first, Size last, unsigned char[::1] verdicts,
        unsigned char[::1] out, i32[::1] lengths, Size room,
    )
    cpdef void features(
        self, const unsigned char[::1] chars, const i64[::1] offsets, Size first, Size last,
        unsigned char[::1] verdicts, i32[::1] out, Size rows,
    )
    cpdef void planes(
        self, const unsigned char[::1] chars, const i64[::1] offsets, Size first, Size last,
        unsigned char[::1] verdicts, unsigned char[::1] out,
    )
