# C types of apply.py.
from forsyth.games.cotulenh.board cimport u32, u64, i32, SQUARE_COUNT
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, CARRIERS, COMMANDER, HEROIC_SHIFT, TYPES
from forsyth.games.cotulenh.rules.attacks cimport (
    MAX_ATTACKERS, NO_SQUARE, AttackerList, Units, find_commander, find_effective_attackers, get_attacker_square,
    get_attacker_types, is_stack, make_heroic,
)
from forsyth.games.cotulenh.rules.generate cimport (
    COMBINE, MOVE_BITS, STAY, SUICIDE, get_flags, get_moving_types, get_origin, get_target, select_types,
)

cdef i32 is_move_number(u64 move) noexcept
cdef i32 is_applicable(Units units, u64 move) noexcept
cdef void apply_move(Units units, u64 move, u32 colour, i32 last_guard) noexcept
cdef void promote_pieces(Units units, u32 colour, i32 last_guard) noexcept
cdef void promote_attackers(Units units, i32 target, u32 colour) noexcept
cdef void promote_last_guard(Units units, u32 colour) noexcept
cdef i32 find_last_guard(Units units, u32 colour) noexcept
cdef void move_pieces(Units units, u64 move) noexcept
