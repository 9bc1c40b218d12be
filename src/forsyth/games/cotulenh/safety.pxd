# C types of safety.py.
from forsyth.games.cotulenh.board cimport u32, u64, i32, NEAR, RAYS, SQUARE_COUNT
from forsyth.games.cotulenh.stacks cimport BLUE_BIT
from forsyth.games.cotulenh.attacks cimport (
    DISTANCES, Units, commander_square, in_danger, is_attacked, is_exposed,
)
from forsyth.games.cotulenh.generate cimport (
    DEPLOY, STAY, SUICIDE, Board, MoveList, Setting, apply, change,
)

ctypedef unsigned char* Squares

cdef enum:
    AIR_DEFENCE = 720

cdef void keep_legal(Units units, u32 colour, MoveList moves, Setting setting, i32 last_guard) noexcept
cdef void weigh(Units units, Setting setting, u32 colour) noexcept
cdef i32 is_raided(Setting setting) noexcept
cdef i32 is_safe_now(Units units, Setting setting, u32 colour) noexcept
cdef void find_shields(Units units, i32 target, u32 by, Squares shields) noexcept
cdef i32 may_matter(u64 move, Setting setting) noexcept
cdef i32 is_safe(Units units, u64 move, Setting setting, u32 colour, i32 last_guard) noexcept
cdef i32 any_safe(Units units, u32 colour, MoveList moves, Setting setting, i32 last_guard) noexcept
cdef i32 is_safe_after(Units units, u64 move, u32 colour, i32 last_guard) noexcept
cdef i32 is_safe_meanwhile(Units units, u64 move, Setting setting, u32 colour) noexcept
cdef i32 checks_after(Units units, u64 move, u32 colour, i32 last_guard) noexcept
cdef i32 checks_meanwhile(Units units, u64 move, i32 enemy, u32 colour) noexcept
