# C types of attacks.py.
from forsyth.games.chess.board cimport (
    u64, i32, ONE, RANK_8, lsb, KNIGHT, KING, PAWN, rook_attacks, bishop_attacks,
)
from forsyth.games.chess.position cimport Position

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

cpdef enum:
    UNDECIDED = 0
    WHITE_WINS = 1
    BLACK_WINS = 2
    NOBODY_WINS = 3

cdef i32[16] TRAITS
cdef i32[2][16] LEAST_KINGS
cdef i32[2][16] MOST_KINGS
cdef i32[2][16] MOST_PAWNS
cdef i32[2][16] MOST_MEN

cdef u64 attackers(Position position, i32 square, u64 occupied, i32 by_black) noexcept nogil
cpdef u64 checkers_of(Position p) noexcept nogil
cpdef bint kings_touch(Position p) noexcept nogil
cpdef i32 decided(Position p) noexcept nogil
cdef i32 race_decided(Position p) noexcept nogil
cdef u64 blast(Position p, i32 target) noexcept nogil
cdef bint survives(Position p, i32 origin, i32 target, u64 taken) noexcept nogil
