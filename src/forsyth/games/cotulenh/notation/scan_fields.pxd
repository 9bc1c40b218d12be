# C types of scan_fields.py.
from forsyth.games.cotulenh.board cimport i32
from forsyth.games.cotulenh.notation.kernel cimport Chars
from forsyth.games.cotulenh.notation.notes cimport CASTLING, EN_PASSANT, FULL_FORMAT, FULL_RANGE, FULL_VALUE, FULL_ZERO, HALF_FORMAT, HALF_RANGE, HALF_VALUE, NO_SQUARE, Scan, TURN, note

cdef enum:
    MOST_DIGITS = 40
    IN_WORD = 0
    BLANK = 1
    FOREIGN = 2

cdef unsigned char[256] PART_OF

cdef i32 split_words(Scan scan, Chars s, i32 n) noexcept nogil
cdef i32 has_shape(Scan scan, Chars s) noexcept nogil
cdef i32 _count_of(Chars s, i32 start, i32 end, i32 c) noexcept nogil
cdef i32 is_suffix(Scan scan, Chars s) noexcept nogil
cdef void take_fields(Scan scan, Chars s) noexcept nogil
cdef i32 is_dash(Scan scan, Chars s, i32 word) noexcept nogil
cdef i32 is_number(Scan scan, Chars s, i32 word) noexcept nogil
cdef void take_turn(Scan scan, Chars s) noexcept nogil
cdef void _dash(Scan scan, Chars s, i32 word, i32 code) noexcept nogil
cdef i32 _significant(Scan scan, Chars s, i32 word) noexcept nogil
cdef void take_half(Scan scan, Chars s) noexcept nogil
cdef void _full(Scan scan, Chars s) noexcept nogil
