# C types of attacks.py.
from forsyth.games.cotulenh.board cimport u32, i32, RAYS, SQUARE_COUNT
from forsyth.games.cotulenh.position cimport Position
from forsyth.games.cotulenh.stacks cimport (
    CARRIERS, TYPES, HEROIC_SHIFT, BLUE_BIT, COMMANDER, TANK, ARTILLERY, ANTI_AIR, MISSILE, AIR_FORCE, NAVY,
    HEADQUARTER,
)

ctypedef u32* Units
ctypedef i32[132] Air
ctypedef u32[41] Found

cpdef enum:
    FLYING_SAFE = 0
    FLYING_LOST = -1
    ONE_DEFENDER = 65536
    IS_DIAGONAL = 1
    IS_CLEAR = 2
    AT_NAVY = 4
    AT_COMMANDER = 8
    NO_ATTACK = 0
    ATTACK = 1
    RAID = 2
    MOST_ATTACKERS = 41

cdef signed char[11] RANGES
cdef unsigned char[11] DIAGONAL
cdef unsigned char[11] SHOOTS_OVER
cdef unsigned char[4][132][32] ZONES
cdef u32[6][16] REACHES
cdef u32[6][16] HEROIC_REACHES

cdef bint _reaches(i32 kind, i32 heroic, i32 distance, i32 way) noexcept
cdef i32 air_level(u32 unit) noexcept
cdef void cover(Air air, i32 square, i32 level, i32 times) noexcept
cdef void find_air(Units units, u32 colour, Air air) noexcept
cdef void update_air(Air air, u32 colour, i32 square, u32 before, u32 after) noexcept
cdef i32 fly(i32 flight, i32 here) noexcept
cdef i32 arrives(i32 target, i32 direction, i32 distance, Air air) noexcept
cdef i32 commander_square(Units units, u32 colour) noexcept
cdef i32 way_to(Units units, i32 target) noexcept
cdef u32 attacking_types(u32 unit, i32 distance, i32 way) noexcept
cdef i32 needs_air(u32 unit, u32 types) noexcept
cdef i32 strikes(Units units, i32 target, u32 by) noexcept
cdef i32 find_attackers(Units units, i32 target, u32 by, Found found) noexcept
cdef i32 find_arriving(Units units, i32 target, u32 by, Found found) noexcept
cdef i32 attack_lines(Units units, i32 target, u32 by) noexcept
cdef i32 find_raider(Units units, i32 target, u32 by, Air air) noexcept
cdef i32 is_attacked(Units units, i32 target, u32 by) noexcept
cdef i32 is_exposed(Units units, i32 one, i32 other) noexcept
cdef i32 in_danger(Units units, u32 colour) noexcept
cpdef list attackers_of(Position position, i32 target, u32 by)
cpdef list zone_of(i32 square, u32 unit)
cdef int require_square(i32 square) except -1
