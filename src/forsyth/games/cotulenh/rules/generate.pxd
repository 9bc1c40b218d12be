# C types of generate.py.
cimport cython
from forsyth.games.cotulenh.board cimport (
    u32, u64, i32, DIRECTION_COUNT, FIRST_DIAGONAL, LAND, RAYS, RAY_LENGTH, SQUARE_COUNT, WATER, get_file, get_rank,
)
from forsyth.games.cotulenh.stacks cimport (
    CARRIERS, TYPES, HEROIC_SHIFT, BLUE_BIT, COMMANDER, ARTILLERY, ANTI_AIR, MISSILE, AIR_FORCE, NAVY,
    HEADQUARTER,
)
from forsyth.games.cotulenh.rules.attacks cimport (
    Units, AirCover, COMMANDER_BIT, RANGES, MOVES_DIAGONALLY, SHOOTS_OVER, FLYING_SAFE, FLYING_LOST, NO_SQUARE,
    RANK_STEP, SQUARE_MASK, TYPES_SHIFT, fill_air_cover, advance_flight, has_heroic, is_stack,
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
    TARGET_SHIFT = 8
    FLAGS_SHIFT = 27
    FLAG_MASK = 63
    MOVE_BITS = 33
    GROWTH = 256
    MOVE_BYTES = 8
    FIRST_UPPER_SQUARE = 66
    C5 = 46
    D6 = 58
    D7 = 69
    C8 = 79
    FILE_C = 2
    FILE_F = 5
    FILE_H = 7
    LAST_FILE = 10
    UP = 0
    RIGHT = 1
    DOWN = 2
    LEFT = 3
    TYPE_COUNT = 11

cdef inline i32 get_origin(u64 move) noexcept nogil:
    return move & SQUARE_MASK

cdef inline i32 get_target(u64 move) noexcept nogil:
    return move >> TARGET_SHIFT & SQUARE_MASK

cdef inline u32 get_moving_types(u64 move) noexcept nogil:
    return move >> TYPES_SHIFT & TYPES

cdef inline i32 get_flags(u64 move) noexcept nogil:
    return move >> FLAGS_SHIFT & FLAG_MASK

cdef inline u32 select_types(u32 unit, u32 types) noexcept nogil:
    return unit & (types | types << HEROIC_SHIFT | BLUE_BIT)

@cython.final
cdef class MoveList:
    cdef u64* items
    cdef i32 count
    cdef i32 capacity
    cdef int add_move(self, i32 origin, i32 target, u32 unit, i32 flags) except -1
    cdef int append(self, u64 move) except -1
    cdef void truncate(self, i32 count) noexcept
    cpdef list to_list(self)

@cython.final
cdef class BoardFacts:
    cdef i32 own_commander
    cdef i32 enemy_commander
    cdef i32 own_guards
    cdef i32 enemy_guards
    cdef i32 extra_commanders
    cdef i32 deploy_flag
    cdef i32 has_own_cover
    cdef i32 danger_directions
    cdef i32 faces_raid
    cdef i32 commander_state
    cdef unsigned char[132] sight
    cdef unsigned char[132] shield_squares
    cdef unsigned char[132] rescue_squares
    cdef AirCover enemy_cover
    cdef AirCover own_cover
    cdef AirCover promoted_cover
    cdef i32[2] enemy_guard_squares

cdef i32 may_carrier_stand(i32 carrier, i32 square) noexcept
cdef i32 is_stopped_by_terrain(i32 carrier, i32 origin, i32 previous, i32 square, i32 direction) noexcept
cdef i32 is_navy_barrier(i32 previous, i32 square) noexcept
cdef i32 is_stopped_by_river(i32 origin, i32 square, i32 direction) noexcept
cdef void fill_sight(Units units, BoardFacts facts, i32 origin) noexcept
cdef int generate_unit(Units units, MoveList moves, BoardFacts facts, i32 origin, u32 mover) except -1
cdef int add_captures(
    MoveList moves, BoardFacts facts, i32 origin, i32 target, u32 mover, i32 carrier, i32 flight
) except -1
cdef BoardFacts collect_facts(Units units, u32 colour)
cdef int generate_members(Units units, MoveList moves, BoardFacts facts, i32 origin, u32 types) except -1
cdef int generate_all(Units units, u32 colour, MoveList moves, BoardFacts facts) except -1
