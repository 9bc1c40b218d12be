# C types of trials.py.
from forsyth.games.cotulenh.board cimport u32, u64, i32, SQUARE_COUNT
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, CARRIERS, TYPES
from forsyth.games.cotulenh.rules.attacks cimport (
    AIR_RAID, COMMANDER_BIT, MAX_ATTACKERS, NO_SQUARE, AirCover, AttackerList, Units, add_zone, air_defence_level,
    are_exposed, classify_attack, fill_air_cover, find_attackers, find_commander, find_raider, get_attacker_square,
    get_attacker_types, has_heroic, is_attacked, is_stack, make_heroic, update_air_cover,
)
from forsyth.games.cotulenh.rules.apply cimport move_pieces, find_last_guard
from forsyth.games.cotulenh.rules.generate cimport (
    STAY, UNSETTLED, BoardFacts, get_flags, get_moving_types, get_origin, get_target,
)

cdef enum:
    AIR_DEFENCE_TYPES = 720

cdef i32 is_safe_after(Units units, u64 move, BoardFacts facts, u32 colour, i32 last_guard) noexcept
cdef i32 is_unattacked_after(
    Units units, u64 move, BoardFacts facts, u32 colour, i32 last_guard, i32 own_square, i32 enemy_square,
    u32 origin_before, u32 target_before
) noexcept
cdef i32 is_raided_after(
    Units units, u64 move, BoardFacts facts, u32 colour, i32 last_guard, i32 own_square, i32 enemy_square,
    u32 origin_before, u32 target_before
) noexcept
cdef i32 list_promoted_defence(
    Units units, BoardFacts facts, u32 colour, i32 last_guard, i32 enemy_square, AttackerList promoted_squares
) noexcept
cdef i32 contains_square(AttackerList squares, i32 count, i32 square) noexcept
cdef i32 may_change_own_cover(u64 move, BoardFacts facts) noexcept
cdef i32 find_enemy_guard(Units units, BoardFacts facts, i32 captured) noexcept
cdef void promote_zone(AirCover cover, i32 square, u32 unit, i32 sign) noexcept
cdef i32 is_plain_air_defence(u32 unit) noexcept
cdef i32 find_attacking_air_defence(Units units, i32 target, u32 colour, AttackerList squares) noexcept
cdef i32 gives_check(Units units, u64 move, BoardFacts facts, u32 colour, i32 last_guard) noexcept
cdef i32 guards_give_check(Units units, BoardFacts facts, i32 captured, i32 enemy_square, u32 colour) noexcept
