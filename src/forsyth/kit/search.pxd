# C types of search.py.
from forsyth.kit.board cimport (
    DROP_SHIFT, ORIGIN_SHIFT, PROMOTES, SQUARE_MASK, Board, Marks, MoveList, find_attackers, make_move,
    mark_attack_squares, require_set_up, u32, unmake_move,
)
from forsyth.kit.tables cimport (
    FACE, HOP_MOVE, HOP_TAKE, HOPS, MAX_SQUARES, MOVE, TAKE, Numbers, Tables, i32, u64,
)

cdef i32 add_with_promotion(Board board, MoveList moves, i32 piece, i32 origin, i32 target) except -1
cdef i32 generate_line_moves(Board board, MoveList moves, i32 piece, i32 origin) except -1
cdef i32 has_piece_on_file(Board board, i32 piece, i32 file) noexcept
cdef i32 generate_drops(Board board, MoveList moves) except -1
cdef i32 generate_moves(Board board, MoveList moves) except -1
cdef i32 generate_legal_moves(Board board, MoveList moves) except -1
cdef i32 leaves_king_safe(Board board, u32 move) except -1
cdef i32 gives_drop_mate(Board board, u32 move) except -1
cdef u64 count_move_sequences(Board board, i32 depth) except? 0
