# C types of attacks.py.
from forsyth.games.chess.board cimport (
    u64, i32, ONE, RANK_8, lsb, KNIGHT_ATTACKS, KING_ATTACKS, PAWN_ATTACKS, find_rook_attacks, find_bishop_attacks,
)
from forsyth.games.chess.position cimport Position, find_double_step_target

cdef extern from *:
    u64 CENTRE "0x0000001818000000ULL"

cdef enum:
    EXPLODES = 1
    MUST_CAPTURE = 2
    WHITE_HORDE = 4
    HILL = 8
    RACE = 16
    COUNTS_CHECKS = 32
    NO_CASTLING = 64
    WHITE_CHECKS_MASK = 15
    BLACK_CHECKS_SHIFT = 4

cpdef enum:
    UNDECIDED = 0
    WHITE_WINS = 1
    BLACK_WINS = 2
    NOBODY_WINS = 3

cdef i32[16] TRAITS
cdef i32[2][16] MIN_KINGS
cdef i32[2][16] MAX_KINGS
cdef i32[2][16] MAX_PAWNS
cdef i32[2][16] MAX_PIECES

cdef inline i32 select_winner(bint has_white_won, bint has_black_won) noexcept nogil:
    if has_white_won:
        return WHITE_WINS
    return BLACK_WINS if has_black_won else UNDECIDED

cdef u64 collect_attackers(Position position, i32 square, u64 occupied, i32 by_black) noexcept nogil
cdef bint is_en_passant_safe(Position position, i32 origin, i32 king_square) noexcept nogil
cpdef u64 find_checkers(Position position) noexcept nogil
cpdef bint are_kings_adjacent(Position position) noexcept nogil
cpdef i32 find_variant_winner(Position position) noexcept nogil
cdef i32 find_race_winner(Position position) noexcept nogil
cdef bint can_black_finish_race(Position position) noexcept nogil
cdef u64 find_blast_squares(Position position, i32 target) noexcept nogil
cdef bint is_atomic_legal(Position position, i32 origin, i32 target, u64 captured) noexcept nogil
