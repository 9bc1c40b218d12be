# C types of moves.py.
from forsyth.games.cotulenh.board cimport SQUARE_COUNT, u32, u64, i32
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, TYPES, HEROIC_SHIFT, CARRIERS
from forsyth.games.cotulenh.position cimport Position, copy_position, seal_position
from forsyth.games.cotulenh.rules.attacks cimport (
    COMMANDER_BIT, find_commander, is_attacked, is_in_danger, is_stack,
)
from forsyth.games.cotulenh.rules.apply cimport apply_move, is_applicable, is_move_number
from forsyth.games.cotulenh.rules.generate cimport (
    CAPTURE, STAY, SUICIDE, BoardFacts, MoveList, collect_facts, generate_all, generate_members, generate_unit,
    get_flags, get_moving_types, get_origin, get_target,
)
from forsyth.games.cotulenh.rules.safety cimport drop_illegal_moves

cdef inline u32 get_mover_colour(Position position) noexcept:
    return BLUE_BIT if position.blue_to_move else 0

cdef class Move:
    cdef readonly u64 id

cdef Move wrap_move(u64 packed_move)
cdef int require_applicable(Position position, u64 move) except -1
cdef MoveList generate_legal_moves(Position position, i32 last_guard)
cpdef Position play_move(Position position, u64 move, bint last_guard, bint commander_resets)
cpdef Position apply_step(Position position, u64 move, bint last_guard)
