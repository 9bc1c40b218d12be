# C fields of position.py.
from forsyth.games.chess.board cimport u64, i32, lsb, msb, END_RANKS, FLIP_RANK, H_FILE

cpdef enum:
    STANDARD = 0
    CHESS960 = 1
    CRAZYHOUSE = 2
    THREE_CHECK = 3
    ATOMIC = 4
    ANTICHESS = 5
    HORDE = 6
    KING_OF_THE_HILL = 7
    RACING_KINGS = 8
    CHECKS_MASK = 15
    CHECKS_SHIFT = 4
    POCKET_COUNT_MASK = 255
    POCKET_COUNT_BITS = 8
    POCKET_BITS = 40
    POCKET_KINDS = 5
    RANK_MASK = 255
    RANK_8_SHIFT = 56

cdef enum:
    CHAR_A = 65
    CHAR_K = 75
    CHAR_Q = 81

cdef class Position:
    cdef readonly u64 pawns, knights, bishops, rooks, queens, kings, white, black
    cdef readonly u64 rights, promoted, white_pocket, black_pocket
    cdef readonly i32 black_to_move, ep_square, half, full, rules, remaining

cdef inline Position new_draft():
    return Position.__new__(Position)

cdef inline Position seal_position(Position position):
    return position

cdef inline void copy_fields(Position target, Position source) noexcept nogil:
    target.pawns, target.knights, target.bishops = source.pawns, source.knights, source.bishops
    target.rooks, target.queens, target.kings = source.rooks, source.queens, source.kings
    target.white, target.black = source.white, source.black
    target.rights, target.promoted = source.rights, source.promoted
    target.white_pocket, target.black_pocket = source.white_pocket, source.black_pocket
    target.black_to_move, target.ep_square = source.black_to_move, source.ep_square
    target.half, target.full = source.half, source.full
    target.rules, target.remaining = source.rules, source.remaining

cdef struct SavedFields:
    u64 pawns, knights, bishops, rooks, queens, kings, white, black
    u64 rights, promoted, white_pocket, black_pocket
    i32 black_to_move, ep_square, half, full, rules, remaining

cdef inline SavedFields save_fields(Position source) noexcept nogil:
    cdef SavedFields target
    target.pawns, target.knights, target.bishops = source.pawns, source.knights, source.bishops
    target.rooks, target.queens, target.kings = source.rooks, source.queens, source.kings
    target.white, target.black = source.white, source.black
    target.rights, target.promoted = source.rights, source.promoted
    target.white_pocket, target.black_pocket = source.white_pocket, source.black_pocket
    target.black_to_move, target.ep_square = source.black_to_move, source.ep_square
    target.half, target.full = source.half, source.full
    target.rules, target.remaining = source.rules, source.remaining
    return target

cdef inline void restore_fields(Position target, SavedFields source) noexcept nogil:
    target.pawns, target.knights, target.bishops = source.pawns, source.knights, source.bishops
    target.rooks, target.queens, target.kings = source.rooks, source.queens, source.kings
    target.white, target.black = source.white, source.black
    target.rights, target.promoted = source.rights, source.promoted
    target.white_pocket, target.black_pocket = source.white_pocket, source.black_pocket
    target.black_to_move, target.ep_square = source.black_to_move, source.ep_square
    target.half, target.full = source.half, source.full
    target.rules, target.remaining = source.rules, source.remaining

cdef inline Position copy_as_draft(Position position):
    cdef Position copy = Position.__new__(Position)
    copy_fields(copy, position)
    return copy

cdef inline i32 count_in_pocket(u64 pocket, i32 kind) noexcept nogil:
    return (pocket >> (POCKET_COUNT_BITS * kind)) & POCKET_COUNT_MASK

cdef inline i32 count_pocket(u64 pocket) noexcept nogil:
    cdef i32 piece_count = 0
    while pocket:
        piece_count += pocket & POCKET_COUNT_MASK
        pocket >>= POCKET_COUNT_BITS
    return piece_count

cdef inline i32 find_double_step_target(i32 ep_square) noexcept nogil:
    return ep_square ^ 8

cdef inline i32 find_double_step_origin(i32 ep_square) noexcept nogil:
    return ep_square ^ 24

cdef inline i32 find_skipped_square(i32 pawn_square) noexcept nogil:
    return pawn_square ^ 8

cdef i32 choose_xfen_letter(i32 file, i32 king, i32 rooks) noexcept nogil
