# cython: boundscheck=False, wraparound=False
# C types of words.py.
from libc.string cimport memchr, memcpy

ctypedef const unsigned char* Chars
ctypedef Py_ssize_t Size
ctypedef int i32
ctypedef unsigned long long u64

ctypedef const unsigned char[::1] Bytes

cdef inline Chars bytes_of(Bytes view) noexcept nogil:
    return &view[0]

cdef extern from *:
    u64 HIGH_BITS "0x8080808080808080ULL"
    u64 BLANKS "0x2020202020202020ULL"

# A word of eight characters; where there are fewer the rest are blanks.
cdef inline u64 eight(Chars s, Size at, Size end) noexcept nogil:
    cdef u64 word = BLANKS
    memcpy(&word, s + at, 8 if end - at >= 8 else end - at)
    return word

cdef inline Size find_byte(Chars s, Size at, Size end, i32 byte) noexcept nogil:
    cdef const void* found = memchr(s + at, byte, end - at) if at < end else NULL
    return -1 if found == NULL else <Chars>found - s

cpdef enum:
    SHORT = -1
    ODD = -2

cdef enum:
    PLAIN = 0
    FOLDED = 1
    MAX_STRETCH = 8388608

cdef unsigned char[256] NAMES

cdef Size skip_between(Chars s, Size at, Size end, bint final) noexcept nogil
cdef Size after_mark(Chars s, Size at, Size end) noexcept nogil
cdef Size skip_blanks(Chars s, Size at, Size end) noexcept nogil
cdef Size after_line(Chars s, Size at, Size end) noexcept nogil
cdef Size name_end(Chars s, Size at, Size end) noexcept nogil
cdef Size value_end(Chars s, Size at, Size end) noexcept nogil
cdef Size line_rest(Chars s, Size at, Size end, bint final) noexcept nogil
cdef i32 kind_of_comment(Chars s, Size at, Size end) noexcept nogil
cdef i32 look_closer(Chars s, Size at, Size end) noexcept nogil
cdef i32 utf8_size(Chars s, Size at, Size end) noexcept nogil
cdef bint is_wide_blank(Chars s, Size at) noexcept nogil
cdef bint is_tag_line(Chars s, Size at, Size end) noexcept nogil
cdef bint begins_tag(Chars s, Size at, Size end) noexcept nogil
cdef Size find_border(Chars s, Size at, Size end, bint cut_first) noexcept nogil
cdef bint has_bracket(Chars s, Size at, Size end) noexcept nogil
cdef bint stays_open(Chars s, Size at, Size end, bint inside) noexcept nogil
cdef Size last_visible(Chars s, Size at, Size end) noexcept nogil
cdef Size find_stretch(Chars s, Size at, Size end, bint final) noexcept nogil
