# cython: boundscheck=False, wraparound=False
# C types of comment_commands.py.
from forsyth.record_bytes.words cimport (
    CARRIAGE_RETURN, CLOSE_BRACKET, COLON, COMMA, DIGIT_0, DIGIT_9, FULL_STOP, HASH, MINUS, NEWLINE, OPEN_BRACE,
    OPEN_BRACKET, PERCENT, PLUS, SPACE, TAB,
)

ctypedef const unsigned char* Chars
ctypedef Py_ssize_t Size
ctypedef int i32
ctypedef long long i64

cdef extern from "Python.h":
    Chars get_chars "(const unsigned char *)PyBytes_AS_STRING" (object data)

cpdef enum:
    NO_COMMAND = 0
    CLOCK = 1
    ELAPSED = 2
    EVALUATION = 3
    ARROWS = 4
    CIRCLES = 5

cdef enum:
    COMMAND_COUNT = 5
    NO_NUMBER = -2147483648
    MAX_INT32 = 2147483647
    MATE = 1000000
    MAX_CENTIPAWNS = 500000
    MAX_DIGITS = 9
    MAX_FIELDS = 3
    MILLISECONDS = 1000
    SHORTEST_COMMAND = 8
    START_SIZE = 6
    EVAL_START_SIZE = 7
    A = 97
    C = 99
    E = 101
    K = 107
    L = 108
    M = 109
    S = 115
    T = 116
    V = 118

cdef i32 identify_command(Chars chars, Size index, Size end) noexcept nogil
cdef Size find_value_start(Chars chars, Size index, Size end, i32 kind) noexcept nogil
cdef Size skip_gap(Chars chars, Size index, Size end) noexcept nogil
cdef bint is_gap(i32 character) noexcept nogil
cdef Size find_value_end(Chars chars, Size index, Size end) noexcept nogil
cdef i32 parse_number(Chars chars, Size index, Size end, i32 kind) noexcept nogil
cdef i32 identify_name(Chars chars, Size index) noexcept nogil
cdef i32 parse_duration(Chars chars, Size index, Size end) noexcept nogil
cdef i32 parse_evaluation(Chars chars, Size index, Size end) noexcept nogil
cdef bint is_depth(Chars chars, Size index, Size end) noexcept nogil
