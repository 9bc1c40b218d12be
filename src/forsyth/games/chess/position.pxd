# C fields of position.py.
from forsyth.games.chess.board cimport u64, i32, lsb

cpdef enum:
    STANDARD = 0
    CHESS960 = 1
    CRAZYHOUSE = 2
    THREE_CHECK = 3

cdef class Position:
    cdef readonly u64 pawns, knights, bishops, rooks, queens, kings, white, black
    cdef readonly u64 rights, promoted, white_pocket, black_pocket
    cdef readonly i32 black_to_move, ep_square, half, full, rules, remaining

cdef inline Position blank():
    return Position.__new__(Position)

cdef inline Position seal(Position position):
    return position
