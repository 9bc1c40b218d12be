# C types of apply.py.
from forsyth.games.cotulenh.board cimport u32, u64, i32, SQUARE_COUNT
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, CARRIERS, COMMANDER, HEROIC_SHIFT, TYPES
from forsyth.games.cotulenh.rules.attacks cimport MOST_ATTACKERS, Found, Units, commander_square, find_arriving
from forsyth.games.cotulenh.rules.generate cimport COMBINE, STAY, SUICIDE

cdef i32 is_move(u64 move) noexcept
cdef i32 fits(Units units, u64 move) noexcept
cdef void apply(Units units, u64 move, u32 colour, i32 last_guard) noexcept
cdef void promote(Units units, u32 colour, i32 last_guard) noexcept
cdef void promote_attackers(Units units, i32 target, u32 colour) noexcept
cdef void promote_last_guard(Units units, u32 colour) noexcept
cdef i32 last_guard_of(Units units, u32 colour) noexcept
cdef void change(Units units, u64 move) noexcept
