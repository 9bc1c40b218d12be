# C types of notes.py.
cimport cython
from libc.string cimport memset

from forsyth.column cimport ASK, CANONICAL, NOTED, REFUSED, STRICT
from forsyth.games.cotulenh.board cimport SQUARE_COUNT, i32, u32
from forsyth.games.cotulenh.notation.kernel cimport Tail

cdef enum:
    MOST_FINDINGS = 64
    NO_SQUARE = -1
    EMPTY = 0
    FIELDS = 1
    TURN = 2
    HALF_VALUE = 3
    HALF_RANGE = 4
    FULL_VALUE = 5
    FULL_RANGE = 6
    RANK_COUNT = 7
    COUNT = 8
    RANK_SHORT = 9
    RANK_LONG = 10
    LETTER = 11
    PLUS_DOUBLE = 12
    PLUS_ALONE = 13
    PAREN_NESTED = 14
    PAREN_CLOSE = 15
    PAREN_OPEN = 16
    STACK_DIGIT = 17
    STACK_EMPTY = 18
    ON_WATER = 19
    ON_LAND = 20
    COMMANDER_MANY = 21
    COMMANDER_MISSING = 22
    CASTLING = 23
    EN_PASSANT = 24
    FULL_ZERO = 25
    FULL_FORMAT = 26
    STACK_COLOURS = 27
    STACK_DUPLICATE = 28
    STACK_MEMBERS = 29
    WHITESPACE = 30
    HALF_FORMAT = 31
    ADJACENT_DIGITS = 32
    STACK_SINGLE = 33
    STACK_ORDER = 34
    HALF_INCONSISTENT = 35
    NO_COMMANDER = 36
    MISSING_FIELDS = 37
    EXTRA_FIELDS = 38
    ALIAS = 39
    SHORT_RANK = 40
    PLUS_BEFORE_STACK = 41
    PIPE = 42

@cython.final
cdef class Scan:
    cdef u32[132] units
    cdef i32[132] starts
    cdef i32[132] ends
    cdef Tail tail
    cdef i32 mode
    cdef i32 count
    cdef i32 errors
    cdef i32[4] error
    cdef i32[4] warning
    cdef i32 board_start
    cdef i32 words
    cdef i32[7] word_starts
    cdef i32[7] word_ends
    cdef i32 last_end
    cdef i32 odd_start
    cdef i32 odd_end
    cdef i32 readable
    cdef i32 slashes
    cdef i32 lost
    cdef i32 mended
    cdef i32 rank
    cdef i32 squares
    cdef i32 depth
    cdef i32 opened
    cdef i32 plus
    cdef i32 digits_start
    cdef i32 digits_end
    cdef i32 broken
    cdef i32 odd
    cdef i32 adjacent
    cdef i32 excess
    cdef i32 letters
    cdef u32 pieces
    cdef i32 colours
    cdef i32 commanders
    cdef i32 twice
    cdef i32 sorted
    cdef i32 last
    cdef i32 stacks
    cdef i32[132] stack_squares
    cdef i32[132] stack_codes
    cdef i32[132] stack_lost

cdef inline void clear(Scan scan) noexcept nogil:
    memset(scan.units, 0, SQUARE_COUNT * sizeof(u32))

cdef i32 note(Scan scan, i32 code, i32 start, i32 end, i32 square) noexcept nogil
cdef i32 verdict_of(Scan scan) noexcept nogil
