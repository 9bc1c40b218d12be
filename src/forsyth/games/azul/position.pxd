# C fields of position.py.
cimport cython
from forsyth.games.azul.tiles cimport SIZE

cdef enum:
    UNKNOWN = -1

# Boards and positions cannot be part of a reference cycle: they hold only values that are older.
@cython.final
@cython.no_gc
cdef class Board:
    cdef readonly tuple wall
    cdef readonly tuple lines
    cdef readonly str floor
    cdef readonly bint held
    cdef readonly int score
    cdef readonly bint wide
    cdef int open_line_bits

@cython.final
@cython.no_gc
cdef class Position:
    cdef readonly tuple factories
    cdef readonly str center
    cdef readonly bint marker_in_center
    cdef readonly tuple boards
    cdef readonly str phase
    cdef readonly int round
    cdef readonly int current
    cdef readonly int start
    cdef readonly tuple bag
    cdef readonly tuple discard
    cdef readonly bint complete
    cdef readonly bint is_sound

cdef inline Board draft_board():
    cdef Board board = Board.__new__(Board)
    board.open_line_bits = UNKNOWN
    return board
cdef inline Board seal_board(Board board):
    return board
cdef inline Position draft_position():
    return Position.__new__(Position)
cdef inline Position seal_position(Position position):
    return position

cdef inline void cache_open_lines(Board board, int line_bits) noexcept:
    board.open_line_bits = line_bits

cdef Position copy_position(Position position)
cdef Board copy_board(Board board)
