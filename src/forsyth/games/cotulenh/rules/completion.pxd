# C types of completion.py.
cimport cython
from forsyth.games.cotulenh.board cimport u32, u64, i32, SQUARE_COUNT
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, CARRIERS, TYPES
from forsyth.games.cotulenh.rules.attacks cimport COMMANDER_BIT, TYPES_SHIFT, Units, is_stack
from forsyth.games.cotulenh.rules.apply cimport apply_move
from forsyth.games.cotulenh.rules.generate cimport (
    COMBINE, ENDANGERED, STAY, SUICIDE, Board, BoardFacts, MoveList, collect_facts, generate_members, generate_unit,
    get_flags, get_moving_types, get_origin, get_target, may_carrier_stand,
)
from forsyth.games.cotulenh.position cimport Position
from forsyth.games.cotulenh.rules.safety cimport (
    assess_commander, drop_illegal_moves, has_several_bits, is_legal_move, may_rescue,
)

cdef class SearchBudget:
    cdef public i32 tries_left

@cython.final
cdef class Search:
    cdef u32 colour
    cdef i32 last_guard
    cdef SearchBudget budget
    cdef set visited

cdef int has_whole_move(Search search, Units units, BoardFacts facts) except -1
cdef int has_deployment(Search search, Units units, BoardFacts facts) except -1
cdef int can_continue(Search search, Units units, i32 origin, u32 types) except -1
cdef int has_ending_step(Search search, Units units, BoardFacts facts, MoveList single_steps, u32 types) except -1
cdef int try_with_companions(
    Search search, Units units, BoardFacts facts, u64 single_step, u32 types, MoveList tried_steps
) except -1
cdef int can_continue_after(Search search, Units units, MoveList tried_steps, u32 types) except -1
cdef u64 add_companions(Units units, u64 step, u32 companions) noexcept
cdef i32 can_end_after(Search search, Units units, BoardFacts facts, u64 step) noexcept
cdef void _copy_board(Units units, Board copy) noexcept
cdef tuple _board_tuple(Units units)
