# C fields of position.py.
from forsyth.games.chess.board cimport u64, i32, lsb, msb

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

cdef class Position:
    cdef readonly u64 pawns, knights, bishops, rooks, queens, kings, white, black
    cdef readonly u64 rights, promoted, white_pocket, black_pocket
    cdef readonly i32 black_to_move, ep_square, half, full, rules, remaining

cdef inline Position blank():
    return Position.__new__(Position)

cdef inline Position seal(Position position):
    return position

cdef inline void assign(Position to, Position source) noexcept nogil:
    to.pawns, to.knights, to.bishops = source.pawns, source.knights, source.bishops
    to.rooks, to.queens, to.kings = source.rooks, source.queens, source.kings
    to.white, to.black = source.white, source.black
    to.rights, to.promoted = source.rights, source.promoted
    to.white_pocket, to.black_pocket = source.white_pocket, source.black_pocket
    to.black_to_move, to.ep_square = source.black_to_move, source.ep_square
    to.half, to.full = source.half, source.full
    to.rules, to.remaining = source.rules, source.remaining

cdef struct Numbers:
    u64 pawns, knights, bishops, rooks, queens, kings, white, black
    u64 rights, promoted, white_pocket, black_pocket
    i32 black_to_move, ep_square, half, full, rules, remaining

cdef inline Numbers numbers_of(Position source) noexcept nogil:
    cdef Numbers to
    to.pawns, to.knights, to.bishops = source.pawns, source.knights, source.bishops
    to.rooks, to.queens, to.kings = source.rooks, source.queens, source.kings
    to.white, to.black = source.white, source.black
    to.rights, to.promoted = source.rights, source.promoted
    to.white_pocket, to.black_pocket = source.white_pocket, source.black_pocket
    to.black_to_move, to.ep_square = source.black_to_move, source.ep_square
    to.half, to.full = source.half, source.full
    to.rules, to.remaining = source.rules, source.remaining
    return to

cdef inline void set_numbers(Position to, Numbers source) noexcept nogil:
    to.pawns, to.knights, to.bishops = source.pawns, source.knights, source.bishops
    to.rooks, to.queens, to.kings = source.rooks, source.queens, source.kings
    to.white, to.black = source.white, source.black
    to.rights, to.promoted = source.rights, source.promoted
    to.white_pocket, to.black_pocket = source.white_pocket, source.black_pocket
    to.black_to_move, to.ep_square = source.black_to_move, source.ep_square
    to.half, to.full = source.half, source.full
    to.rules, to.remaining = source.rules, source.remaining

cdef inline Position copy_of(Position position):
    cdef Position copy = Position.__new__(Position)
    assign(copy, position)
    return copy

cdef i32 xfen_letter(i32 file, i32 king, i32 rooks) noexcept nogil
