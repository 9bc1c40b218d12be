# C types of legality.py.
from forsyth.games.chess.board cimport (
    u64, i32, ONE, LIGHT, ENDS, RANK_1, lsb, msb, count, KING, PAWN, LINE,
)
from forsyth.games.chess.rules.attacks cimport (
    EXPLODES, LEAST_KINGS, MOST_KINGS, MOST_MEN, MOST_PAWNS, MUST_CAPTURE, NO_CASTLING, RACE, TRAITS, WHITE_HORDE,
    attackers, kings_touch, survives,
)
from forsyth.games.chess.position cimport Position, CHESS960, CRAZYHOUSE

cpdef enum:
    NO_KING = 1 << 0
    MANY_KINGS = 1 << 1
    BACKRANK = 1 << 2
    MANY_PAWNS = 1 << 3
    MANY_MEN = 1 << 4
    PROMOTED = 1 << 5
    CASTLING_KING = 1 << 6
    CASTLING_ROOK = 1 << 7
    CASTLING_AMBIGUOUS = 1 << 8
    CASTLING_DIFFER = 1 << 9
    EP_SIDE = 1 << 10
    EP_PAWN = 1 << 11
    EP_BLOCKED = 1 << 12
    EP_HALF = 1 << 13
    OPPOSITE = 1 << 14
    ADJACENT = 1 << 15
    MANY_CHECKS = 1 << 16
    IMPOSSIBLE = 1 << 17
    HALF_INCONSISTENT = 1 << 18
    HALF_SEVENTYFIVE = 1 << 19
    CASTLING_NONE = 1 << 20
    RACE_CHECK = 1 << 21

cpdef i32 faults(Position position) noexcept nogil
cdef i32 king_faults(Position position) noexcept nogil
cdef i32 men_faults(Position position, i32 colour) noexcept nogil
cpdef u64 stray_pawns(Position position) noexcept nogil
cdef i32 check_faults(Position position, bint ep_sound) noexcept nogil
cdef u64 attackers_left(Position position, i32 king, u64 before) noexcept nogil
cdef bint impossible_pair(Position position, u64 checkers) noexcept nogil
cdef bint too_many_promoted(Position position, u64 own, i32 most) noexcept nogil
cdef i32 crazyhouse_faults(Position position) noexcept nogil
cdef i32 ep_faults(Position position) noexcept nogil
cdef i32 castling_faults(Position position) noexcept nogil
cpdef i32 xfen_ep(Position position) noexcept nogil
cpdef i32 legal_ep(Position position) noexcept nogil
cpdef u64 effective_rights(Position position) noexcept nogil
cdef i32 castling_wings(Position position) noexcept nogil
