# C types of generate.py.
cimport cython
from forsyth.games.cotulenh.board cimport u32, u64, i32, RAYS, WATER, LAND, SQUARE_COUNT
from forsyth.games.cotulenh.stacks cimport (
    CARRIERS, TYPES, HEROIC_SHIFT, BLUE_BIT, COMMANDER, ARTILLERY, ANTI_AIR, MISSILE, AIR_FORCE, NAVY,
    HEADQUARTER,
)
from forsyth.games.cotulenh.rules.attacks cimport (
    Units, Air, RANGES, DIAGONAL, SHOOTS_OVER, FLYING_SAFE, FLYING_LOST, find_air, fly,
)

ctypedef u32[132] Board

cpdef enum:
    QUIET = 1
    CAPTURE = 2
    STAY = 4
    SUICIDE = 8
    DEPLOY = 16
    COMBINE = 32
    UNSETTLED = 0
    SAFE = 1
    ENDANGERED = 2

@cython.final
cdef class MoveList:
    cdef u64* items
    cdef i32 count
    cdef i32 size
    cdef int add(self, i32 origin, i32 target, u32 unit, i32 flags) except -1
    cdef int keep(self, u64 move) except -1
    cdef void shorten(self, i32 count) noexcept
    cpdef list numbers(self)

@cython.final
cdef class Setting:
    cdef i32 own_commander
    cdef i32 enemy_commander
    cdef i32 guards
    cdef i32 enemy_guards
    cdef i32 spare
    cdef i32 deploy
    cdef i32 guarded
    cdef i32 lines
    cdef i32 raid
    cdef i32 state
    cdef unsigned char[132] seen
    cdef unsigned char[132] shields
    cdef unsigned char[132] rescue
    cdef Air air
    cdef Air home
    cdef Air shelter
    cdef i32[2] watched

cdef i32 terrain_stops(i32 kind, i32 origin, i32 before, i32 square, i32 direction) noexcept
cdef void look(Units units, Setting setting, i32 origin) noexcept
cdef int generate_unit(Units units, MoveList out, Setting setting, i32 origin, u32 mover) except -1
cdef int add_captures(
    MoveList out, Setting setting, i32 origin, i32 target, u32 mover, i32 kind, i32 flight
) except -1
cdef Setting setting_of(Units units, u32 colour)
cdef int generate_members(Units units, MoveList out, Setting setting, i32 origin, u32 types) except -1
cdef int generate_all(Units units, u32 colour, MoveList out, Setting setting) except -1
