# C types of packing.py.
from forsyth.games.chess.board cimport u64, i32, ONE, lsb, count
from forsyth.games.chess.notation.kernel cimport Chars, Out, Planes, Size
from forsyth.games.chess.position cimport Position, CHESS960, CRAZYHOUSE, RACING_KINGS, THREE_CHECK

cdef extern from *:
    u64 RANK_4 "0x00000000FF000000ULL"
    u64 RANK_5 "0x000000FF00000000ULL"
    u64 CORNERS "0x8100000000000081ULL"
    u64 HOME_RANKS "0xFF000000000000FFULL"
    u64 ABOVE_15 "0x000000F0F0F0F0F0ULL"

ctypedef unsigned char[80] Form

cpdef enum:
    LICHESS = 1
    GENERAL = 2
    MAX_BYTES = 75

cdef enum:
    MEN = 9
    TAIL = 34
    NO_SQUARE = 255
    MAX_CLOCK = 9999
    MAX_POCKET = 64

cdef i32[16] NUMBER

cpdef u64 pushed_pawn(Position position) noexcept nogil
cdef i32 put_packed(Position position, Out out) noexcept nogil
cdef i32 put_men(Position position, Out out, bint marked) noexcept nogil
cdef i32 put_lichess_tail(Position position, Out out, i32 at) noexcept nogil
cdef i32 put_general_tail(Position position, Out out, i32 at) noexcept nogil
cdef i32 variant_number(Position position) noexcept nogil
cdef Size put_word(Out out, Size at, u64 word) noexcept nogil
cdef i32 put_leb128(Out out, i32 at, i32 number) noexcept nogil
cdef bint take_packed(Position position, Chars data, Size start, Size width) noexcept nogil
cdef bint take_lichess(Position position, Planes planes, Chars data, Size at, Size end) noexcept nogil
cdef bint take_general(Position position, Planes planes, Chars data, Size at, Size end) noexcept nogil
cdef void set_men(Position position, Planes planes) noexcept nogil
cdef bint is_form_of(Position position, Chars data, Size start, Size width) noexcept nogil
cdef bint is_sound(Position position) noexcept nogil
cdef i32 men_in(u64 pocket) noexcept nogil
cdef i32 rules_of_number(i32 variant) noexcept nogil
cdef i32 byte_at(Chars data, Size at, Size end) noexcept nogil
cdef u64 word_at(Chars data, Size at) noexcept nogil
cdef i32 leb128_at(Chars data, Size at, Size end) noexcept nogil
