# C types of moves.py.
from forsyth.games.chess.board cimport (
    u64, u16, i32, ONE, RANK_1, BLACK_CORNER, C_FILE, D_FILE, F_FILE, G_FILE, H_FILE, file_index, rank_index,
)
from forsyth.games.chess.position cimport (
    Position, SavedFields, copy_as_draft, save_fields, seal_position, restore_fields, CHESS960, CRAZYHOUSE, THREE_CHECK,
    POCKET_COUNT_BITS, count_pocket, find_double_step_target,
)
from forsyth.games.chess.rules.attacks cimport (
    BLACK_CHECKS_SHIFT, EXPLODES, TRAITS, WHITE_CHECKS_MASK, find_blast_squares, find_checkers,
)
from forsyth.games.chess.rules.generate cimport (
    CASTLE, DROP, TWO_RANKS, KIND_SHIFT, MOVE_BUFFER_SIZE, POCKET_BISHOP, POCKET_KNIGHT, POCKET_PAWN, POCKET_QUEEN, POCKET_ROOK,
    PROMOTE, PROMOTE_BISHOP, PROMOTE_KING, PROMOTE_QUEEN, PROMOTE_ROOK, SQUARE_MASK, TARGET_SHIFT, MoveBuffer,
    generate_moves,
)

cpdef enum:
    MAX_CLOCK = 9999

cdef enum:
    MAX_POCKET_PIECES = 64

cdef class Move:
    cdef readonly i32 id

cdef list _MOVES
cdef Move intern_move(i32 number)
cdef Position make_move(Position position, i32 move)
cdef void apply_move(Position position, i32 move) noexcept nogil
cdef u64 move_king_and_rook(Position position, i32 king, i32 target, u64 own) noexcept nogil
cdef void drop_piece(Position position, i32 kind, u64 target_bit) noexcept nogil
cdef void place_promoted_piece(Position position, i32 kind, u64 target_bit) noexcept nogil
cdef void subtract_given_check(Position position) noexcept nogil
cdef u64 count_move_sequences(Position position, i32 depth) noexcept nogil
cdef void remove_exploded(Position position, u64 squares) noexcept nogil
cdef void add_captured_to_pocket(Position position, u64 captured) noexcept nogil
