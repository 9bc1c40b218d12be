# cython: boundscheck=False, wraparound=False
# C types of words.py.
from libc.string cimport memchr, memcpy

ctypedef const unsigned char* Chars
ctypedef Py_ssize_t Size
ctypedef int i32
ctypedef unsigned long long u64

ctypedef const unsigned char[::1] Bytes

cdef inline Chars get_chars(Bytes view) noexcept nogil:
    return &view[0]

# Eight bytes as a number; spaces stand for the bytes behind `end`.
cdef inline u64 load_word(Chars chars, Size index, Size end) noexcept nogil:
    cdef u64 word = 0x2020202020202020ULL
    memcpy(&word, chars + index, 8 if end - index >= 8 else end - index)
    return word

# The highest bit of a byte of the tested number is set if the character is not ASCII, or below a space.
cdef inline bint is_plain(Chars chars, Size index, Size end) noexcept nogil:
    cdef u64 word
    cdef u64 blanks = 0x2020202020202020ULL
    cdef u64 high_bits = 0x8080808080808080ULL
    while index < end:
        word = load_word(chars, index, end)
        if (word | ((word - blanks) & ~word)) & high_bits:
            return False
        index += 8
    return True

cdef inline Size find_byte(Chars chars, Size index, Size end, i32 byte) noexcept nogil:
    cdef const void* found = memchr(chars + index, byte, end - index) if index < end else NULL
    return -1 if found == NULL else <Chars>found - chars

cpdef enum:
    INCOMPLETE = -1
    UNSUPPORTED = -2

cdef enum:
    PLAIN = 0
    FOLDED = 1
    MAX_STRETCH = 8388608
    MAX_LOOKAHEAD = 65536
    MAX_CHARACTER_SIZE = 4
    FIRST_NON_ASCII = 128
    NAME_CHARACTER = 1
    NAME_START = 2
    TAB = 9
    NEWLINE = 10
    CARRIAGE_RETURN = 13
    SPACE = 32
    QUOTE = 34
    HASH = 35
    PERCENT = 37
    PLUS = 43
    COMMA = 44
    MINUS = 45
    FULL_STOP = 46
    DIGIT_0 = 48
    DIGIT_9 = 57
    COLON = 58
    SEMICOLON = 59
    OPEN_BRACKET = 91
    BACKSLASH = 92
    CLOSE_BRACKET = 93
    OPEN_BRACE = 123
    CLOSE_BRACE = 125
    DELETE = 127

cdef unsigned char[256] NAMES

cdef Size skip_ignored_lines(Chars chars, Size index, Size end, bint final) noexcept nogil
cdef Size skip_byte_order_mark(Chars chars, Size index, Size end) noexcept nogil
cdef Size skip_blanks(Chars chars, Size index, Size end) noexcept nogil
cdef Size skip_line(Chars chars, Size index, Size end) noexcept nogil
cdef Size find_tag_name_end(Chars chars, Size index, Size end) noexcept nogil
cdef Size find_tag_value_end(Chars chars, Size index, Size end) noexcept nogil
cdef Size finish_line(Chars chars, Size index, Size end, bint final) noexcept nogil
cdef i32 classify_comment(Chars chars, Size index, Size end) noexcept nogil
cdef i32 classify_by_character(Chars chars, Size index, Size end) noexcept nogil
cdef i32 measure_utf8_char(Chars chars, Size index, Size end) noexcept nogil
cdef bint is_wide_blank(Chars chars, Size index) noexcept nogil
cdef bint is_tag_line(Chars chars, Size index, Size end) noexcept nogil
cdef bint begins_tag(Chars chars, Size index, Size end) noexcept nogil
cdef Size find_border(Chars chars, Size index, Size end, bint has_tag_before) noexcept nogil
cdef Size find_comment_end(Chars chars, Size index, Size end) noexcept nogil
cdef bint has_tag_bracket(Chars chars, Size index, Size end) noexcept nogil
cdef bint is_comment_line(Chars chars, Size index, Size end, bint is_in_comment) noexcept nogil
cdef bint leaves_comment_open(Chars chars, Size index, Size end, bint is_in_comment) noexcept nogil
cdef Size find_last_visible(Chars chars, Size index, Size end) noexcept nogil
cdef Size find_stretch_end(Chars chars, Size index, Size end, bint final) noexcept nogil
