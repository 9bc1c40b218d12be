# C types of safety.py.
from forsyth.games.cotulenh.board cimport u32, u64, i32, NEAR, SQUARE_COUNT
from forsyth.games.cotulenh.stacks cimport AIR_FORCE, BLUE_BIT, CARRIERS, COMMANDER, TYPES
from forsyth.games.cotulenh.attacks cimport (
    DISTANCES, Units, commander_square, in_danger, is_attacked, is_exposed,
)
from forsyth.games.cotulenh.generate cimport DEPLOY, Board, MoveList, apply, change

cdef enum:
    AIR_RAID = 1
    REDUCED = 2
    AIR_DEFENCE = 720

cdef MoveList legal_only(Units units, u32 colour, MoveList moves, i32 last_guard)
cdef i32 is_safe(
    Units units, u64 move, i32 own, i32 enemy, u32 colour, i32 careful, i32 last_guard
) noexcept
cdef i32 any_safe(Units units, u32 colour, MoveList moves, i32 last_guard) noexcept
cdef i32 is_safe_after(Units units, u64 move, u32 colour, i32 last_guard) noexcept
cdef i32 is_safe_meanwhile(Units units, u64 move, i32 own, i32 enemy, u32 colour) noexcept
cdef i32 promotions_matter(Units units, i32 own, u32 colour) noexcept
