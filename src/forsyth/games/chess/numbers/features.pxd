# C types of compute_features.py.
from forsyth.games.chess.board cimport u64, i32, LIGHT_SQUARES, NOT_FILE_A, NOT_FILE_H, count, file_index, lsb
from forsyth.games.chess.rules.attacks cimport BLACK_CHECKS_SHIFT, WHITE_CHECKS_MASK, find_checkers
from forsyth.games.chess.rules.legality cimport KING_SIDE, QUEEN_SIDE, WING_BITS, encode_castling_wings
from forsyth.games.chess.position cimport (
    Position, CRAZYHOUSE, POCKET_KINDS, RANK_MASK, THREE_CHECK, count_in_pocket,
)

cdef extern from *:
    u64 ALL "0xFFFFFFFFFFFFFFFFULL"
    u64 FILE_A "0x0101010101010101ULL"

cdef enum:
    STANDARD_FEATURES = 41
    THREE_CHECK_FEATURES = 2
    MAX_FEATURES = 52
    WHITE_START = 11
    BLACK_START = 26
    MAX_PHASE = 24
    KNIGHT_VALUE = 3
    ROOK_VALUE = 5
    QUEEN_VALUE = 9
    ROOK_PHASE = 2
    QUEEN_PHASE = 4
    OPENING_PIECES = 11
    MIDDLEGAME_PIECES = 7
    OPENING = 0
    MIDDLEGAME = 1
    ENDGAME = 2
    SIDE_TO_MOVE = 0
    MOVE_NUMBER = 1
    HALF_MOVES = 2
    PLIES = 3
    ALL_PIECES = 4
    PHASE = 5
    STAGE = 6
    BALANCE = 7
    CHECKERS = 8
    EN_PASSANT_FILE = 9
    OPPOSITE_BISHOPS = 10
    CASTLES_SHORT = 0
    CASTLES_LONG = 1
    PIECES = 2
    PAWNS = 3
    KNIGHTS = 4
    BISHOPS = 5
    ROOKS = 6
    QUEENS = 7
    KINGS = 8
    MATERIAL = 9
    BISHOP_PAIR = 10
    DOUBLED_PAWNS = 11
    ISOLATED_PAWNS = 12
    PASSED_PAWNS = 13
    KING_SQUARE = 14

ctypedef i32* Numbers
ctypedef i32[MAX_FEATURES] NumberBuffer

cdef i32 count_features(i32 rules) noexcept nogil
cdef void put_features(Position position, i32 rules, Numbers out) noexcept nogil
cdef void write_pocket_features(Position position, Numbers out) noexcept nogil
cdef i32 write_side_features(Position position, i32 black, Numbers out, i32 start) noexcept nogil
cdef i32 classify_game_stage(i32 pieces) noexcept nogil
cdef bint has_opposite_bishops(Position position) noexcept nogil
cdef i32 count_isolated_pawns(u64 pawns) noexcept nogil
cdef i32 find_occupied_files(u64 pawns) noexcept nogil
cdef i32 count_passed_pawns(u64 own, u64 enemy, i32 black) noexcept nogil
