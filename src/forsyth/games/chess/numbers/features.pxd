# C types of features.py.
from forsyth.games.chess.board cimport u64, i32, LIGHT_SQUARES, NOT_FILE_A, NOT_FILE_H, count, lsb
from forsyth.games.chess.rules.attacks cimport BLACK_CHECKS_SHIFT, WHITE_CHECKS_MASK, find_checkers
from forsyth.games.chess.rules.legality cimport castling_wings
from forsyth.games.chess.position cimport Position, CRAZYHOUSE, THREE_CHECK

cdef extern from *:
    u64 ALL "0xFFFFFFFFFFFFFFFFULL"
    u64 FILE_A "0x0101010101010101ULL"

cdef enum:
    STANDARD_FEATURES = 41
    MAX_FEATURES = 52
    WHITE_START = 11
    BLACK_START = 26
    MAX_PHASE = 24
    KNIGHT_VALUE = 3
    ROOK_VALUE = 5
    QUEEN_VALUE = 9

ctypedef i32* Numbers
ctypedef i32[MAX_FEATURES] NumberBuffer

cdef i32 feature_count(i32 rules) noexcept nogil
cdef void put_features(Position position, i32 rules, Numbers out) noexcept nogil
cdef void put_pocket_features(Position position, Numbers out) noexcept nogil
cdef i32 put_side_features(Position position, i32 black, Numbers out, i32 start) noexcept nogil
cdef i32 game_stage(i32 pieces) noexcept nogil
cdef bint has_opposite_bishops(Position position) noexcept nogil
cdef i32 count_isolated_pawns(u64 pawns) noexcept nogil
cdef i32 occupied_files(u64 pawns) noexcept nogil
cdef i32 count_passed_pawns(u64 own, u64 enemy, i32 black) noexcept nogil
