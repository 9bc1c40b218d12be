# C types of safety.py.
from forsyth.games.cotulenh.board cimport u32, u64, i32, RAYS, SQUARE_COUNT
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, HEROIC_SHIFT, TYPES
from forsyth.games.cotulenh.rules.attacks cimport (
    MOST_ATTACKERS, RAID, Found, Units, attack_lines, find_air, find_raider, is_exposed, strikes,
)
from forsyth.games.cotulenh.rules.generate cimport (
    DEPLOY, ENDANGERED, SAFE, STAY, SUICIDE, UNSETTLED, MoveList, Setting,
)
from forsyth.games.cotulenh.rules.trials cimport (
    changes_home, enemy_guard_after, find_attacking_air, is_safe, promote_air,
)

ctypedef unsigned char* Squares

cdef void keep_legal(Units units, u32 colour, MoveList moves, Setting setting, i32 last_guard) noexcept
cdef i32 is_legal(Units units, u64 move, Setting setting, u32 colour, i32 last_guard) noexcept
cdef void weigh(Units units, Setting setting, u32 colour, i32 last_guard) noexcept
cdef i32 state_of(Units units, Setting setting, u32 colour) noexcept
cdef i32 lines_of_danger(Units units, i32 own, i32 enemy, u32 colour) noexcept
cdef void shelter(Units units, Setting setting, u32 colour) noexcept
cdef void mark_line(Setting setting) noexcept
cdef i32 may_rescue(u64 move, Setting setting) noexcept
cdef i32 changes_guard(u64 move, Setting setting) noexcept
cdef void find_shields(Units units, i32 target, u32 by, Squares shields) noexcept
cdef i32 may_matter(u64 move, Setting setting) noexcept
