# C types of stacks.py.
from forsyth.games.cotulenh.board cimport u32, i32

cpdef enum:
    COMMANDER = 0
    INFANTRY = 1
    TANK = 2
    MILITIA = 3
    ENGINEER = 4
    ARTILLERY = 5
    ANTI_AIR = 6
    MISSILE = 7
    AIR_FORCE = 8
    NAVY = 9
    HEADQUARTER = 10
    TYPES = 2047
    HEROIC_SHIFT = 11
    COLOUR_SHIFT = 22
    BLUE_BIT = 4194304

cdef signed char[2048] CARRIERS
cpdef u32 combine_units(u32 unit, u32 other) noexcept
cpdef i32 get_carrier_type(u32 unit) noexcept
cpdef u32 get_heroic_types(u32 unit) noexcept
