# C types of notes.py.
from forsyth.games.chess.board cimport i32
from forsyth.games.chess.notation.kernel cimport Size

ctypedef i32[12] Notes

# The first numbers are those of a column's notes.
cdef enum:
    CODE = 0
    SEVERITY = 1
    START = 2
    END = 3
    SQUARE = 4
    COUNT = 5
    ERRORS = 6
    MENDED = 7
    MODE = 8
    RESPELLED = 9
    BOARD_FROM = 10
    BOARD_TO = 11

cdef enum:
    FEN_EMPTY = 0
    FEN_FIELDS = 1
    FEN_DASH = 2
    FEN_WHITESPACE = 3
    FEN_FIELDS4 = 4
    BOARD_CHAR = 5
    BOARD_DIGIT = 6
    ADJACENT_DIGITS = 7
    RANK_SHORT = 8
    RANK_LONG = 9
    RANK_COUNT = 10
    BOARD_TILDE = 11
    POCKET_CHAR = 12
    POCKET_SIZE = 13
    POCKET_FORM = 14
    SIDE_VALUE = 15
    CASTLING_CHAR = 16
    CASTLING_LENGTH = 17
    CASTLING_MIXED = 18
    CASTLING_TWICE = 19
    CASTLING_ORDER = 20
    EP_VALUE = 21
    EP_RANK = 22
    CHECKS_VALUE = 23
    CHECKS_FORM = 24
    HALF_VALUE = 25
    HALF_RANGE = 26
    HALF_FORMAT = 27
    FULL_VALUE = 28
    FULL_RANGE = 29
    FULL_FORMAT = 30
    FULL_ZERO = 31
    FIRST_FAULT = 32

cdef enum:
    AN_ERROR = 0
    A_WARNING = 1
    STRICT = 1
    LENIENT = 2

cdef i32[64] SEVERITIES
cdef void begin(Notes notes, i32 mode) noexcept nogil
cdef void note(Notes notes, i32 code, bint mended, Size start, Size end, i32 square) noexcept nogil
