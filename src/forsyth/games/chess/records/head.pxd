# cython: boundscheck=False, wraparound=False
# C types of head.py.
from libc.string cimport memcmp

from forsyth.games.chess.board cimport i32, u64, ONE
from forsyth.games.chess.notation.kernel cimport Chars, Size
from forsyth.games.chess.position cimport Position, copy_fields
from forsyth.games.chess.records.moves cimport BLACK_WON, DRAWN, UNKNOWN_RESULT, WHITE_WON
from forsyth.games.chess.records.rows cimport RESULT_CONTRADICTED, TAG_REPEATED, Rows
from forsyth.record_bytes.words cimport BACKSLASH, CLOSE_BRACKET, DIGIT_0, MINUS, OPEN_BRACKET, QUOTE, SPACE
from forsyth.record_bytes.words cimport UNSUPPORTED, INCOMPLETE, find_byte, finish_line, find_tag_name_end, find_tag_value_end

cdef enum:
    FULL = -3
    OTHER_TAG = 0
    FEN_TAG = 1
    SETUP_TAG = 2
    VARIANT_TAG = 3
    RESULT_TAG = 4
    TAG_KINDS = 5
    MAX_NAME_HASH = 63
    WIN_SIZE = 3
    DRAW_SIZE = 7
    NO_RESULT = -1
    STAR = 42
    DIGIT_1 = 49
    QUESTION_MARK = 63

cdef inline bint equal_chars(Chars chars, Size first, Size second, Size size) noexcept nogil:
    return memcmp(chars + first, chars + second, size) == 0

cdef inline bint equals_name(Chars chars, Size start, Size size, const char* name, Size length) noexcept nogil:
    return size == length and memcmp(chars + start, name, size) == 0

cdef i32 identify_tag(Chars chars, Size start, Size size) noexcept nogil

cdef i32 parse_result(Chars chars, Size start, Size end) noexcept nogil
cdef Size result_size(i32 result) noexcept nogil

cdef class HeadReader:
    cdef Rows rows
    cdef Position default_start
    cdef object start_from_tags, data
    cdef i32 has_setup
    cdef Chars chars
    cdef Size limit
    cdef bint final
    cdef u64 name_hashes
    cdef Size[TAG_KINDS] special_rows
    cdef char[128] distance

    cdef void set_input(self, Chars chars, Size limit, bint final) noexcept nogil
    cdef Size read_tags(self, Size offset) noexcept nogil
    cdef Size end_of_input(self) noexcept nogil
    cdef Size read_tag(self, Size offset) noexcept nogil
    cdef bint is_new_name(self, Size start, Size size) noexcept nogil
    cdef bint set_start(self, Position position) noexcept nogil
    cdef bint set_start_from_tags(self, Position position) noexcept with gil
    cdef object tag_value_text(self, i32 tag_kind)
    cdef Size finish_repeated_tag(self, Size start, Size quote) noexcept nogil
    cdef i32 read_result_tag(self) noexcept nogil
    cdef Size check_result_tag(self, i32 result) noexcept nogil
