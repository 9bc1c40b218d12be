# C types of legality.py.
from forsyth.games.chess.board cimport (
    u64, i32, ONE, LIGHT_SQUARES, END_RANKS, RANK_1, BLACK_CORNER, lsb, msb, count, has_several, rank_index,
    KING_ATTACKS, PAWN_ATTACKS, LINE,
)
from forsyth.games.chess.rules.attacks cimport (
    EXPLODES, MIN_KINGS, MAX_KINGS, MAX_PIECES, MAX_PAWNS, MUST_CAPTURE, NO_CASTLING, RACE, TRAITS, WHITE_HORDE,
    collect_attackers, are_kings_adjacent, is_atomic_legal, is_en_passant_safe,
)
from forsyth.games.chess.position cimport (
    Position, CHESS960, CRAZYHOUSE, POCKET_COUNT_MASK, count_pocket, find_double_step_origin, find_double_step_target,
)

cpdef enum:
    NO_KING = 1 << 0
    MANY_KINGS = 1 << 1
    BACKRANK = 1 << 2
    MANY_PAWNS = 1 << 3
    MANY_PIECES = 1 << 4
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

cdef enum:
    E_FILE_BIT = 16
    B_TO_G_FILE_BITS = 126
    RANK_BITS = 255
    STANDARD_KING_FILE = 4
    MAX_CHECKERS = 2
    SEVENTY_FIVE_MOVES = 150
    RANK_3_INDEX = 2
    RANK_6_INDEX = 5
    KING_SIDE = 1
    QUEEN_SIDE = 2
    WING_BITS = 2
    USUAL_PAWNS = 8
    CRAZYHOUSE_PAWNS = 16
    CRAZYHOUSE_PIECES = 32
    MISPLACED_EP_FAULTS = 7 << 10  # EP_SIDE, EP_PAWN and EP_BLOCKED

cpdef i32 find_faults(Position position) noexcept nogil
cdef i32 find_king_faults(Position position) noexcept nogil
cdef i32 find_piece_count_faults(Position position, i32 colour) noexcept nogil
cpdef u64 find_stray_pawns(Position position) noexcept nogil
cdef i32 find_check_faults(Position position, bint is_ep_square_valid) noexcept nogil
cdef bint is_impossible_double_check(Position position, u64 checkers) noexcept nogil
cdef bint has_too_many_promoted(Position position, u64 own_pieces, i32 pawn_limit) noexcept nogil
cdef i32 find_crazyhouse_faults(Position position) noexcept nogil
cdef i32 find_ep_faults(Position position) noexcept nogil
cdef i32 find_castling_faults(Position position) noexcept nogil
cdef i32 find_chess960_castling_faults(u64 right_files, u64 king_files, u64 rook_files) noexcept nogil
cdef i32 find_double_step_check_faults(Position position, i32 king_square, u64 checkers) noexcept nogil
cpdef i32 find_xfen_ep_square(Position position) noexcept nogil
cpdef i32 find_legal_ep_square(Position position) noexcept nogil
cpdef u64 find_effective_rights(Position position) noexcept nogil
cdef i32 encode_castling_wings(Position position) noexcept nogil
