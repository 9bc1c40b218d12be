# C types of attacks.py.
from forsyth.games.cotulenh.board cimport u32, i32, RAYS, SQUARE_COUNT
from forsyth.games.cotulenh.stacks cimport (
    CARRIERS, TYPES, HEROIC_SHIFT, BLUE_BIT, COMMANDER, TANK, ARTILLERY, ANTI_AIR, MISSILE, AIR_FORCE, NAVY,
    HEADQUARTER,
)

ctypedef u32* Units
ctypedef i32[140] Defenders

cpdef enum:
    FLYING_SAFE = 0
    FLYING_LOST = -1

cdef signed char[11] RANGES
cdef unsigned char[11] DIAGONAL
cdef unsigned char[11] SHOOTS_OVER
cdef unsigned char[132][132] DISTANCES

cdef i32 range_of(i32 kind, i32 heroic) noexcept
cdef i32 commander_square(Units units, u32 colour) noexcept
cdef i32 air_level(u32 unit) noexcept
cdef void find_defenders(Units units, u32 colour, Defenders found) noexcept
cdef i32 fly(i32 flight, i32 square, Defenders defenders) noexcept
cdef u32 attacking_members(
    Units units, i32 target, i32 direction, i32 distance, i32 clear, Defenders defenders
) noexcept
cdef i32 is_attacked(Units units, i32 target, u32 by) noexcept
cdef i32 is_exposed(Units units, i32 one, i32 other) noexcept
cdef i32 in_danger(Units units, u32 colour) noexcept
