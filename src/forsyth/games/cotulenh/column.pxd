# cython: boundscheck=False, wraparound=False
# C types of column.py.
from libc.string cimport memcpy, memset

from forsyth.games.cotulenh.board cimport u32, i32, i64, SQUARE_COUNT
from forsyth.games.cotulenh.legality cimport is_sound
from forsyth.games.cotulenh.kernel cimport MAX_CANONICAL, Size, Tail, clock, fill
from forsyth.games.cotulenh.write cimport Buffer, put_text
from forsyth.games.cotulenh.key cimport BLOCK, WORD_COUNT, Lanes, Words, begin, stir_block, write_words
from forsyth.games.cotulenh.features cimport write_features
from forsyth.games.cotulenh.planes cimport PLANE_BYTES, write_planes
from forsyth.games.cotulenh.packing cimport LONGEST, MAX_NUMBER, Packed, State, put_packed, take_packed

cdef enum:
    ASK = 0
    CANONICAL = 1

cdef class Scratch:
    cdef unsigned char[1032] text
    cdef Size length
    cdef u32[132] units
    cdef Tail tail
    cdef State state
    cdef Buffer line
    cdef Packed packed
    cdef Words words
    cdef Lanes lanes
    cdef Size[4] rows

cdef inline void copy(unsigned char* target, const unsigned char[::1] source, Size start, Size size) noexcept nogil:
    if size > 0:
        memcpy(target, &source[0] + start, size)

cdef inline void clear(u32* units) noexcept nogil:
    memset(units, 0, SQUARE_COUNT * sizeof(u32))

cdef i32 take(Scratch scratch, const unsigned char[::1] chars, const i64[::1] offsets, Size row) noexcept nogil
cdef i32 take_state(Scratch scratch) noexcept nogil
cdef i32 has_fitting_clocks(Scratch scratch) noexcept nogil
cdef void write_keys(Scratch scratch, i32 count, unsigned char[::1] out) noexcept nogil
cdef i32 take_form(Scratch scratch, const unsigned char[::1] packed, Size width, Size row) noexcept nogil
cdef bint has_room(Size size, Size rows, Size width) noexcept
cdef int require(bint enough) except -1

cdef class CoTuLenhColumn:
    cpdef void scan(
        self, const unsigned char[::1] chars, const i64[::1] offsets, Size first, Size last, bint legality,
        unsigned char[::1] verdicts,
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
