# C types of scan_fields.py.
from forsyth.games.chess.board cimport u64, i32, ONE, lsb, msb
from forsyth.games.chess.notation.kernel cimport Chars, Planes, Size, put_castling, put_men, put_pockets
from forsyth.games.chess.notation.notes cimport (
    Notes, LENIENT, MODE, RESPELLED, note, ADJACENT_DIGITS, BOARD_CHAR, BOARD_DIGIT, BOARD_TILDE, CASTLING_CHAR,
    CASTLING_LENGTH, CASTLING_MIXED, CASTLING_ORDER, CASTLING_TWICE, CHECKS_FORM, CHECKS_VALUE, EP_RANK, EP_VALUE,
    FULL_VALUE, FULL_ZERO, HALF_VALUE, POCKET_CHAR, POCKET_FORM, POCKET_SIZE, RANK_COUNT, RANK_LONG, RANK_SHORT,
    SIDE_VALUE,
)
from forsyth.games.chess.position cimport Position, CHESS960

cdef extern from *:
    u64 WHITE_KING_SIDE "0x0000000000000080ULL"
    u64 WHITE_QUEEN_SIDE "0x0000000000000001ULL"
    u64 BLACK_KING_SIDE "0x8000000000000000ULL"
    u64 BLACK_QUEEN_SIDE "0x0100000000000000ULL"

ctypedef unsigned char[160] Spelling

cdef enum:
    MOST_IN_POCKET = 64
    MOST_RIGHTS = 4
    MOST_DIGITS = 4
    ALL_CHECKS = 51
    DASH = 45
    SLASH_SIGN = 47
    TILDE = 126
    OPEN = 91
    CLOSE = 93
    PLUS = 43

cdef i32[256] MAN
cdef i32[256] RIGHT

cdef void scan_ranks(Position position, Notes notes, Chars s, Size start, Size end, bint house) noexcept nogil
cdef void scan_rank(Position position, Planes planes, Notes notes, Chars s, Size start, Size end, i32 rank, bint house) noexcept nogil
cdef Size end_of_ranks(Notes notes, Chars s, Size start, Size end) noexcept nogil
cdef void scan_pocket(Position position, Notes notes, Chars s, Size start, Size end) noexcept nogil
cdef void scan_side(Position position, Notes notes, Chars s, Size start, Size end) noexcept nogil
cdef void scan_castling(Position position, Notes notes, Chars s, Size start, Size end) noexcept nogil
cdef void scan_castling_960(Position position, Notes notes, Chars s, Size start, Size end) noexcept nogil
cdef i32 rook_960(Position position, i32 letter) noexcept nogil
cdef void scan_ep(Position position, Notes notes, Chars s, Size start, Size end) noexcept nogil
cdef i32 scan_number(Notes notes, Chars s, Size start, Size end, i32 code, i32 least) noexcept nogil
cdef void scan_checks(Position position, Notes notes, Chars s, Size start, Size end) noexcept nogil
cdef bint is_checks(Chars s, Size start, Size end) noexcept nogil
cdef bint is_number(Chars s, Size start, Size end) noexcept nogil
cdef bint spells(Chars s, Size start, Size end, Spelling wanted, Size size) noexcept nogil
cdef bint is_word(Chars s, Size start, Size end, i32 number) noexcept nogil
cdef i32 small(i32 c) noexcept nogil
