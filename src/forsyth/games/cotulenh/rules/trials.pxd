# C types of trials.py.
from forsyth.games.cotulenh.board cimport u32, u64, i32, SQUARE_COUNT
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, CARRIERS, HEROIC_SHIFT, TYPES
from forsyth.games.cotulenh.rules.attacks cimport (
    MOST_ATTACKERS, RAID, Air, Found, Units, air_level, commander_square, cover, find_air, find_attackers,
    find_raider, is_attacked, is_exposed, strikes, update_air,
)
from forsyth.games.cotulenh.rules.apply cimport change, last_guard_of
from forsyth.games.cotulenh.rules.generate cimport STAY, UNSETTLED, Setting

cdef enum:
    AIR_DEFENCE = 720

cdef i32 is_safe(Units units, u64 move, Setting setting, u32 colour, i32 last_guard) noexcept
cdef i32 withstands(
    Units units, u64 move, Setting setting, u32 colour, i32 last_guard, i32 own, i32 enemy, u32 before, u32 there
) noexcept
cdef i32 is_raided(
    Units units, u64 move, Setting setting, u32 colour, i32 last_guard, i32 own, i32 enemy, u32 before, u32 there
) noexcept
cdef i32 changes_home(u64 move, Setting setting) noexcept
cdef i32 enemy_guard_after(Units units, Setting setting, i32 captured) noexcept
cdef void promote_air(Air air, i32 square, u32 unit, i32 times) noexcept
cdef i32 is_plain_air(u32 unit) noexcept
cdef i32 find_attacking_air(Units units, i32 target, u32 colour, Found found) noexcept
cdef i32 checks_after(Units units, u64 move, Setting setting, u32 colour, i32 last_guard) noexcept
cdef i32 guards_check(Units units, Setting setting, i32 captured, i32 enemy, u32 colour) noexcept
