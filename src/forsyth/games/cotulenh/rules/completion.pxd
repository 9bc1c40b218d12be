# C types of completion.py.
cimport cython
from forsyth.games.cotulenh.board cimport u32, u64, i32, LAND, WATER, SQUARE_COUNT
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, CARRIERS, NAVY, TYPES
from forsyth.games.cotulenh.rules.attacks cimport COMMANDER_BIT, SQUARE_MASK, TYPES_SHIFT, Units, is_stack
from forsyth.games.cotulenh.rules.apply cimport apply_move
from forsyth.games.cotulenh.rules.generate cimport (
    COMBINE, ENDANGERED, FLAGS_SHIFT, STAY, SUICIDE, TARGET_SHIFT, Board, BoardFacts, MoveList, collect_facts,
    generate_members, generate_unit,
)
from forsyth.games.cotulenh.position cimport Position
from forsyth.games.cotulenh.rules.safety cimport is_legal_move, drop_illegal_moves, may_rescue, assess_commander

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
cdef u64 add_companions(Units units, u64 step, u32 companions) noexcept
cdef i32 can_end_after(Search search, Units units, BoardFacts facts, u64 step) noexcept
cdef void _copy_board(Units units, Board target) noexcept
cdef tuple _board_tuple(Units units)
