# cython: boundscheck=False, wraparound=False
# C types of record_head.py.
from libc.string cimport memcmp

from forsyth.games.chess.board cimport i32, u64, ONE
from forsyth.games.chess.notation.kernel cimport Chars, Size
from forsyth.games.chess.position cimport Position, assign
from forsyth.games.chess.records.rows cimport Rows
from forsyth.record_bytes.words cimport ODD, SHORT, find_byte, line_rest, name_end, value_end

cdef enum:
    FULL = -3
    OTHER_TAG = 0
    FEN_TAG = 1
    SETUP_TAG = 2
    VARIANT_TAG = 3
    RESULT_TAG = 4

cdef inline bint same(Chars s, Size at, Size other, Size size) noexcept nogil:
    return memcmp(s + at, s + other, size) == 0

cdef inline bint named(Chars s, Size at, Size size, const char* name, Size length) noexcept nogil:
    return size == length and memcmp(s + at, name, size) == 0

cdef i32 known_tag(Chars s, Size at, Size size) noexcept nogil

cdef class Head:
    cdef Rows rows
    cdef Position usual
    cdef object begin, data
    cdef i32 setup
    cdef Chars s
    cdef Size limit
    cdef bint final
    cdef u64 names_seen
    cdef Size[5] special
    cdef char[128] distance

    cdef void look_at(self, Chars s, Size limit, bint final) noexcept nogil
    cdef Size read(self, Size at) noexcept nogil
    cdef Size short(self) noexcept nogil
    cdef Size read_tag(self, Size at) noexcept nogil
    cdef bint is_new(self, Size at, Size size) noexcept nogil
    cdef bint find_start(self, Position position) noexcept nogil
    cdef bint ask_start(self, Position position) noexcept with gil
    cdef object tag_text(self, i32 which)
    cdef bint says(self, Size at, Size size) noexcept nogil
