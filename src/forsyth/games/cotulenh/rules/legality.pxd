# C types of legality.py.
from forsyth.games.cotulenh.board cimport u32, i32, LAND, SQUARE_COUNT, WATER
from forsyth.games.cotulenh.rules.attacks cimport COMMANDER_BIT, Units
from forsyth.games.cotulenh.position cimport Position
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, NAVY

cdef enum:
    SOUND_SUMMARY = 513
    COMMANDERS_SHIFT = 8
    MISPLACED_SHIFT = 16

cdef u32[132] NAVY_FORBIDDEN
cdef u32[132] OTHERS_FORBIDDEN
cdef i32 is_sound(Units units) noexcept nogil
cdef i32 summarize_board(Units units) noexcept nogil
cpdef bint has_sound_board(Position position)
