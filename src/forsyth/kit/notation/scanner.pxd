# cython: boundscheck=False, wraparound=False, cdivision=True
# C types of scanner.py.
cimport cython
from forsyth.kit.board cimport Board, find_attackers
from forsyth.kit.tables cimport Tables, i32, u64

cdef enum:
    MOST_FIELDS = 8
    MOST_NAME = 64
    TEXT_ROOM = 2048
    MOST_HELD = 31
    MOST_DIGITS = 4
    BOARD = 0
    SIDE = 1
    HANDS = 2
    UNUSED = 3
    HALF = 4
    FULL = 5
    DASH = 0
    WHITESPACE = 1
    SHORT = 2
    HAND_FORMAT = 3
    HALF_FORMAT = 4
    FULL_FORMAT = 5
    FULL_ZERO = 6

@cython.final
cdef class Grammar:
    cdef i32 width
    cdef i32 ranks
    cdef i32 size
    cdef i32 kinds
    cdef i32 piece_bits
    cdef i32 has_half
    cdef i32 royal
    cdef i32 short_counts
    cdef i32 field_count
    cdef i32[8] fields
    cdef i32 name_length
    cdef unsigned char[64] name
    cdef unsigned char[2] sides
    cdef i32 held_count
    cdef i32[31] held
    cdef unsigned char[256] plain
    cdef unsigned char[256] promoted
    cdef unsigned char[128] letters
    cdef u64[256] places
    cdef i32 group_count
    cdef i32[64] group
    cdef i32[62] hand_group
    cdef i32[64] most
    cdef i32[64] one_per_file
    cdef i32[64] values
    cdef int _learn_men(self, object sheet) except -1
    cdef int _learn_letter(self, int code, int man, bint promoted) except -1
    cdef int _learn_rules(self, object sheet) except -1

@cython.final
cdef class Scan:
    cdef unsigned char[2056] text
    cdef unsigned char[2056] line
    cdef i32 length
    cdef i32 turn
    cdef i32 half
    cdef i32 full
    cdef i32 dash
    cdef i32 count
    cdef i32 code
    cdef i32 start
    cdef i32 end
    cdef i32 words
    cdef i32 odd_start
    cdef i32 odd_end
    cdef i32[8] word_starts
    cdef i32[8] word_ends
    cdef i32[64] counts
    cdef i32[64] groups
    cdef i32[2] kings

cdef i32 scan_text(Grammar g, Board board, Scan scan) noexcept nogil
cdef void _note(Scan scan, i32 code, i32 start, i32 end) noexcept nogil
cdef i32 _clean(Scan scan) noexcept nogil
cdef i32 _split(Grammar g, Scan scan) noexcept nogil
cdef i32 _is_blank(i32 c) noexcept nogil
cdef void _empty_hands(Grammar g, Board board) noexcept nogil
cdef i32 _take_field(Grammar g, Board board, Scan scan, i32 kind, i32 start, i32 end) noexcept nogil
cdef i32 _take_board(Grammar g, Board board, Scan scan, i32 at, i32 end) noexcept nogil
cdef i32 _take_hands(Grammar g, Board board, Scan scan, i32 start, i32 end) noexcept nogil
cdef i32 _is_held(Grammar g, i32 man) noexcept nogil
cdef i32 _take_clock(Scan scan, i32 kind, i32 start, i32 end) noexcept nogil
cdef i32 tally(Grammar g, Board board, Scan scan) noexcept nogil
cdef i32 is_sound(Grammar g, Board board, Tables tables, Scan scan) noexcept nogil
cdef i32 _is_enough(Grammar g, Board board, Scan scan) noexcept nogil
cdef i32 _has_free_files(Grammar g, Board board) noexcept nogil
cdef i32 put_text(Grammar g, Board board, Scan scan) noexcept nogil
cdef i32 put_identity(Grammar g, Board board, Scan scan) noexcept nogil
cdef i32 _put_fields(Grammar g, Board board, Scan scan, i32 at, i32 clocks) noexcept nogil
cdef i32 _copy_board(Scan scan, i32 at) noexcept nogil
cdef i32 _put_board(Grammar g, Board board, Scan scan, i32 at) noexcept nogil
cdef i32 _put_man(Grammar g, Scan scan, i32 at, i32 man) noexcept nogil
cdef i32 put_hands(Grammar g, Board board, Scan scan, i32 at) noexcept nogil
cdef i32 _put_number(Scan scan, i32 at, i32 number) noexcept nogil
