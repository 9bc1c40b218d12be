# C types of packing.py.
from forsyth.games.chess.board cimport u64, i32, ONE, lsb, count, rank_index
from forsyth.games.chess.notation.kernel cimport Chars, Out, Planes as PieceSets, Size
from forsyth.games.chess.position cimport (
    Position, CHECKS_MASK, CHECKS_SHIFT, CHESS960, CRAZYHOUSE, POCKET_COUNT_BITS, POCKET_KINDS,
    RACING_KINGS, THREE_CHECK, count_in_pocket, count_pocket, find_double_step_target, find_skipped_square,
)

cdef extern from *:
    u64 RANK_4 "0x00000000FF000000ULL"
    u64 RANK_5 "0x000000FF00000000ULL"
    u64 CORNERS "0x8100000000000081ULL"
    u64 HOME_RANKS "0xFF000000000000FFULL"
    u64 ABOVE_15 "0x000000F0F0F0F0F0ULL"

ctypedef unsigned char[80] Form  # FORM_BYTES

cpdef enum:
    LICHESS = 1
    GENERAL = 2
    MAX_BYTES = 75

cdef enum:
    FORM_BYTES = 80
    HEADER_BYTES = 9
    TAIL_BYTES = 34
    WORD_BYTES = 8
    BYTE_BITS = 8
    BYTE_MASK = 255
    HIGHEST_BYTE_SHIFT = 56
    NIBBLE_BITS = 4
    NIBBLE_MASK = 15
    WHITE_PAWN = 0
    BLACK_PAWN = 1
    WHITE_KNIGHT = 2
    BLACK_KNIGHT = 3
    WHITE_BISHOP = 4
    BLACK_BISHOP = 5
    WHITE_ROOK = 6
    BLACK_ROOK = 7
    WHITE_QUEEN = 8
    BLACK_QUEEN = 9
    WHITE_KING = 10
    BLACK_KING = 11
    PIECE_CODES = 16
    PUSHED_PAWN = 12
    WHITE_CASTLING_ROOK = 13
    BLACK_CASTLING_ROOK = 14
    BLACK_KING_TO_MOVE = 15
    ALL_CHECKS = 3
    INVALID_CHECKS = 204
    LEB128_BITS = 7
    LEB128_MASK = 127
    LEB128_CONTINUES = 128
    LEB128_MAX_BYTES = 3
    RANK_3_INDEX = 2
    RANK_6_INDEX = 5
    LEB128_SIZE_SHIFT = 24
    LEB128_NUMBER = 16777215
    NO_SQUARE = 255
    MAX_CLOCK = 9999
    MAX_POCKET = 64

cdef i32[16] VARIANT_NUMBERS

cpdef u64 find_pushed_pawn(Position position) noexcept nogil
cdef i32 put_packed(Position position, Out out) noexcept nogil
cdef i32 write_pieces(Position position, Out out, bint with_marks) noexcept nogil
cdef i32 write_lichess_tail(Position position, Out out, i32 offset) noexcept nogil
cdef i32 write_general_tail(Position position, Out out, i32 offset) noexcept nogil
cdef i32 get_variant_number(Position position) noexcept nogil
cdef Size write_word(Out out, Size offset, u64 word) noexcept nogil
cdef i32 write_leb128(Out out, i32 offset, i32 number) noexcept nogil
cdef bint read_packed(Position position, Chars data, Size start, Size width) noexcept nogil
cdef bint read_lichess_tail(Position position, PieceSets piece_sets, Chars data, Size offset, Size end) noexcept nogil
cdef bint read_general_tail(Position position, PieceSets piece_sets, Chars data, Size offset, Size end) noexcept nogil
cdef void set_pieces(Position position, PieceSets piece_sets) noexcept nogil
cdef bint is_packed_form_of(Position position, Chars data, Size start, Size width) noexcept nogil
cdef bint is_valid_position(Position position) noexcept nogil
cdef bint fits_lichess(Position position) noexcept nogil
cdef i32 find_rules_of_variant(i32 variant) noexcept nogil
cdef i32 read_byte(Chars data, Size offset, Size end) noexcept nogil
cdef u64 read_word(Chars data, Size offset) noexcept nogil
cdef i32 read_leb128(Chars data, Size offset, Size end) noexcept nogil
