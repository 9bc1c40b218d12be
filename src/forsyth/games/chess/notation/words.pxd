# C types of words.py.
from forsyth.games.chess.board cimport i32
from forsyth.games.chess.notation.kernel cimport Chars, Size

ctypedef i32[28] Words
ctypedef unsigned char[520] Plain

cdef enum:
    FROM = 0
    TO = 8
    WORDS = 16
    LAST_FROM = 17
    LAST_TO = 18
    BEFORE_LAST = 19
    ODD_FROM = 20
    ODD_TO = 21
    DASH_AT = 22
    TAKEN = 23
    BOARD_END = 24
    DASH_LAST = 25
    MOST = 8
    LONGEST_TEXT = 512

cdef enum:
    LETTER = 0
    SPACE = 1
    BLANK = 2
    ODD = 3

cdef i32[256] SORT

cdef bint find_words(Words words, Chars s, Size n, Size start, Size board_end) noexcept nogil
cdef Size first_word(Chars s) noexcept nogil
cdef bint is_foreign(Chars s, Size n) noexcept nogil
cdef Size make_plain(Words words, Plain plain, Chars s, Size n) noexcept nogil
cdef bint is_dash(i32 first, i32 second, i32 third) noexcept nogil
cdef i32 fields_in(Words words) noexcept nogil
cdef Size field_from(Words words, i32 number) noexcept nogil
cdef Size field_to(Words words, i32 number) noexcept nogil
cdef Size field_end(Words words) noexcept nogil
