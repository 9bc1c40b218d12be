# C fields of position.py.
cimport cython
from forsyth.games.azul.tiles cimport SIZE

cdef enum:
    UNKNOWN = -1

# Neither can be part of a cycle: all they hold was there before them.
@cython.final
@cython.no_gc
cdef class Board:
    cdef readonly tuple wall
    cdef readonly tuple lines
    cdef readonly str floor
    cdef readonly bint held
    cdef readonly int score
    cdef readonly bint wide
    cdef int open

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
    cdef readonly bint sound

cdef inline Board blank_board():
    cdef Board board = Board.__new__(Board)
    board.open = UNKNOWN
    return board
cdef inline Board seal_board(Board board):
    return board
cdef inline Position blank():
    return Position.__new__(Position)
cdef inline Position seal(Position position):
    return position

cdef inline void remember_open(Board board, int lines) noexcept:
    board.open = lines

cdef Position copy_of(Position position)
cdef Board copy_of_board(Board board)
