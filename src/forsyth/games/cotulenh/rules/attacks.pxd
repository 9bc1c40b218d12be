# C types of attacks.py.
from forsyth.games.cotulenh.board cimport (
    u32, i32, DIRECTION_COUNT, FIRST_DIAGONAL, RAYS, SQUARE_COUNT, get_file, get_rank,
)
from forsyth.games.cotulenh.position cimport Position
from forsyth.games.cotulenh.stacks cimport (
    CARRIERS, TYPES, HEROIC_SHIFT, BLUE_BIT, COMMANDER, TANK, ARTILLERY, ANTI_AIR, MISSILE, AIR_FORCE, NAVY,
    HEADQUARTER,
)

ctypedef u32* Units
ctypedef i32[132] AirCover
ctypedef u32[41] AttackerList

cpdef enum:
    SQUARE_MASK = 255
    DIRECTION_SHIFT = 8
    DISTANCE_SHIFT = 12
    RAY_MASK = 15
    TYPES_SHIFT = 16
    COMMANDER_BIT = 1
    FLYING_SAFE = 0
    FLYING_LOST = -1
    ONE_DEFENDER = 65536
    IS_DIAGONAL = 1
    PATH_IS_CLEAR = 2
    TARGET_IS_NAVY = 4
    TARGET_IS_COMMANDER = 8
    NO_ATTACK = 0
    ATTACK = 1
    AIR_RAID = 2
    MAX_ATTACKERS = 41
    MAX_ATTACK_DISTANCE = 5
    MAX_DEFENCE_LEVEL = 3
    NO_SQUARE = -1
    RANK_STEP = 11

cdef signed char[11] RANGES
cdef unsigned char[11] MOVES_DIAGONALLY
cdef unsigned char[11] SHOOTS_OVER
cdef unsigned char[4][132][32] ZONES
cdef u32[6][16] ATTACKING_TYPES
cdef u32[6][16] HEROIC_ATTACKING_TYPES

# Subtracting 1 from a set and intersecting removes its lowest type: a stack has another one.
cdef inline bint is_stack(u32 unit) noexcept nogil:
    return (unit & TYPES & ((unit & TYPES) - 1)) != 0

cdef inline u32 make_heroic(u32 unit) noexcept nogil:
    return unit | (unit & TYPES) << HEROIC_SHIFT

cdef inline i32 has_heroic(u32 unit, i32 piece_type) noexcept nogil:
    return unit >> (HEROIC_SHIFT + piece_type) & 1

cdef inline i32 has_plain_air_force(u32 unit) noexcept nogil:
    return (unit & ~(unit >> HEROIC_SHIFT)) >> AIR_FORCE & 1

cdef inline u32 pack_attacker(i32 square, i32 direction, i32 distance, u32 types) noexcept nogil:
    return square | direction << DIRECTION_SHIFT | distance << DISTANCE_SHIFT | (types & TYPES) << TYPES_SHIFT

cdef inline i32 get_attacker_square(u32 attacker) noexcept nogil:
    return attacker & SQUARE_MASK

cdef inline i32 get_attacker_direction(u32 attacker) noexcept nogil:
    return attacker >> DIRECTION_SHIFT & RAY_MASK

cdef inline i32 get_attacker_distance(u32 attacker) noexcept nogil:
    return attacker >> DISTANCE_SHIFT & RAY_MASK

cdef inline u32 get_attacker_types(u32 attacker) noexcept nogil:
    return attacker >> TYPES_SHIFT

cdef void _fill_zone(i32 level, i32 square) except *
cdef bint _can_attack(i32 piece_type, i32 heroic, i32 distance, i32 conditions) noexcept
cdef i32 air_defence_level(u32 unit) noexcept
cdef void add_zone(AirCover cover, i32 square, i32 level, i32 sign) noexcept
cdef void fill_air_cover(Units units, u32 colour, AirCover cover) noexcept
cdef void update_air_cover(AirCover cover, u32 colour, i32 square, u32 before, u32 after) noexcept
cdef i32 advance_flight(i32 flight, i32 cover_here) noexcept
cdef i32 can_fly_to(i32 target, i32 direction, i32 distance, AirCover cover) noexcept
cdef i32 find_commander(Units units, u32 colour) noexcept
cdef i32 get_target_conditions(Units units, i32 target) noexcept
cdef u32 select_attacking_types(u32 unit, i32 distance, i32 conditions) noexcept
cdef i32 can_be_shot_down(u32 unit, u32 types) noexcept
cdef i32 can_be_stopped(u32 unit, u32 types) noexcept
cdef i32 classify_attack(Units units, i32 target, u32 colour) noexcept
cdef i32 find_attackers(Units units, i32 target, u32 colour, AttackerList attackers) noexcept
cdef i32 find_effective_attackers(Units units, i32 target, u32 colour, AttackerList attackers) noexcept
cdef i32 find_attack_directions(Units units, i32 target, u32 colour) noexcept
cdef i32 find_raider(Units units, i32 target, u32 colour, AirCover cover) noexcept
cdef i32 is_attacked(Units units, i32 target, u32 colour) noexcept
cdef i32 are_exposed(Units units, i32 own_square, i32 enemy_square) noexcept
cdef i32 is_in_danger(Units units, u32 colour) noexcept
cpdef list list_attackers(Position position, i32 target, u32 colour)
cpdef list list_zone(i32 square, u32 unit)
cdef int require_square(i32 square) except -1
