# C types of generate.py.
from forsyth.games.chess.board cimport (
    u64, u16, i32, ALL, ONE, NOT_FILE_A, NOT_FILE_H, END_RANKS, RANK_1, RANK_2, RANK_3, RANK_6,
    BLACK_CORNER, C_FILE, D_FILE, E_FILE, F_FILE, G_FILE, H_FILE, file_index, has_several, lsb, rank_index,
    KNIGHT_ATTACKS, KING_ATTACKS, PAWN_ATTACKS, BETWEEN, LINE, find_rook_attacks, find_bishop_attacks,
)
from forsyth.games.chess.position cimport Position, CHESS960, CRAZYHOUSE, count_in_pocket, find_double_step_target
from forsyth.games.chess.rules.attacks cimport (
    EXPLODES, MUST_CAPTURE, NO_CASTLING, RACE, TRAITS, WHITE_HORDE, collect_attackers, find_variant_winner, is_atomic_legal,
    is_en_passant_safe,
)

cdef enum:
    MOVE_BUFFER_SIZE = 2048

ctypedef u16* Moves
ctypedef u16[MOVE_BUFFER_SIZE] MoveBuffer

cpdef enum:
    CASTLE = 1
    PROMOTE = 1
    DROP = 8

cdef enum:
    NO_KING_TO_PROTECT = -1
    RANK_3_INDEX = 2
    RANK_6_INDEX = 5
    ONE_RANK = 8
    TWO_RANKS = 16
    WEST_DIAGONAL = 7
    EAST_DIAGONAL = 9
    SQUARE_MASK = 63
    TARGET_SHIFT = 6
    KIND_SHIFT = 12
    PROMOTE_KNIGHT = 2
    PROMOTE_BISHOP = 3
    PROMOTE_ROOK = 4
    PROMOTE_QUEEN = 5
    PROMOTE_KING = 6
    POCKET_PAWN = 0
    POCKET_KNIGHT = 1
    POCKET_BISHOP = 2
    POCKET_ROOK = 3
    POCKET_QUEEN = 4

cdef i32 add_moves(Moves moves, i32 move_count, i32 origin, u64 targets) noexcept nogil
cdef i32 add_pawn_moves(Moves moves, i32 move_count, u64 targets, i32 step, i32 end_kind) noexcept nogil
cdef u64 find_attacked_squares(Position position, u64 own_pieces, u64 occupied, i32 is_black) noexcept nogil
cdef i32 generate_moves(Position position, Moves moves) noexcept nogil
cdef i32 generate_piece_moves(Position position, Moves moves, i32 move_count, u64 pinned, u64 allowed_targets, i32 king_square) noexcept nogil
cdef i32 generate_antichess_moves(Position position, Moves moves) noexcept nogil
cdef i32 generate_king_moves(Position position, Moves moves, i32 move_count, u64 allowed_targets) noexcept nogil
cdef i32 generate_atomic_moves(Position position, Moves moves) noexcept nogil
cdef i32 keep_atomic_legal_moves(Position position, Moves moves, i32 move_count) noexcept nogil
cdef i32 keep_moves_without_check(Position position, Moves moves, i32 move_count) noexcept nogil
cdef bint gives_check(Position position, i32 move, i32 king_square) noexcept nogil
cdef i32 generate_pawn_moves(Position position, Moves moves, i32 move_count, u64 pinned, u64 allowed_targets, i32 king_square) noexcept nogil
cdef i32 generate_castling_moves(Position position, Moves moves, i32 move_count, i32 king_square, u64 attacked) noexcept nogil
cdef i32 generate_drops(Position position, Moves moves, i32 move_count, u64 targets) noexcept nogil
cdef i32 generate_pinned_pawn_moves(Position position, Moves moves, i32 move_count, u64 pinned, u64 allowed_targets, i32 king_square) noexcept nogil
cdef i32 generate_en_passant_moves(Position position, Moves moves, i32 move_count, i32 king_square) noexcept nogil
cdef u64 find_pinned(Position position, i32 king_square) noexcept nogil
cdef bint is_ep_square_valid(Position position) noexcept nogil
