# C fields of position.py.
from forsyth.games.cotulenh.board cimport u32, i32, SQUARE_COUNT

cdef class Position:
    cdef u32[132] units
    cdef readonly i32 blue_to_move
    cdef readonly object half, full
    cdef readonly object session

cdef inline Position draft_position():
    return Position.__new__(Position)

cdef inline Position seal_position(Position position):
    return position

cpdef Position copy_position(Position position)
cpdef Position with_session(Position position, object session)
cpdef Position with_unit(Position position, i32 square, u32 unit)
