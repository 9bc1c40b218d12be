# C types of legality.py.
from forsyth.games.cotulenh.board cimport u32, i32, LAND, SQUARE_COUNT, WATER
from forsyth.games.cotulenh.rules.attacks cimport Units
from forsyth.games.cotulenh.position cimport Position
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, NAVY

cdef enum:
    SOUND = 513

cdef u32[132] FOR_NAVY
cdef u32[132] FOR_OTHERS
cdef i32 is_sound(Units units) noexcept nogil
cdef i32 soundness(Units units) noexcept nogil
cpdef bint has_sound_board(Position position)
