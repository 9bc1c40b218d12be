# C types of completion.py.
cimport cython
from forsyth.games.cotulenh.board cimport u32, u64, i32, LAND, WATER, SQUARE_COUNT
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, CARRIERS, NAVY, TYPES
from forsyth.games.cotulenh.rules.attacks cimport Units
from forsyth.games.cotulenh.rules.apply cimport apply
from forsyth.games.cotulenh.rules.generate cimport (
    COMBINE, ENDANGERED, STAY, SUICIDE, Board, MoveList, Setting, generate_members, generate_unit, setting_of,
)
from forsyth.games.cotulenh.position cimport Position
from forsyth.games.cotulenh.rules.safety cimport is_legal, keep_legal, may_rescue, weigh

cdef class Patience:
    cdef public i32 left

@cython.final
cdef class Search:
    cdef u32 colour
    cdef i32 last_guard
    cdef Patience patience
    cdef set seen

cdef int has_whole_move(Search search, Units units, Setting setting) except -1
cdef int has_deployment(Search search, Units units, Setting setting) except -1
cdef int goes_on(Search search, Units units, i32 origin, u32 types) except -1
cdef int some_end(Search search, Units units, Setting setting, MoveList found, u32 types) except -1
cdef u64 with_company(Units units, u64 number, u32 company) noexcept
cdef i32 may_end(Search search, Units units, Setting setting, u64 number) noexcept
cdef void _copy(Units units, Board copy) noexcept
cdef tuple _board_of(Units units)
