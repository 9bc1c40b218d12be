# C types of moves.py.
from forsyth.games.cotulenh.board cimport SQUARE_COUNT, u32, u64, i32
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, TYPES, HEROIC_SHIFT, CARRIERS
from forsyth.games.cotulenh.position cimport Position, copy_of, seal
from forsyth.games.cotulenh.rules.attacks cimport commander_square, in_danger, is_attacked
from forsyth.games.cotulenh.rules.apply cimport apply, fits, is_move
from forsyth.games.cotulenh.rules.generate cimport (
    CAPTURE, STAY, SUICIDE, MoveList, Setting, generate_all, generate_members, generate_unit, setting_of,
)
from forsyth.games.cotulenh.rules.safety cimport keep_legal

cdef class Move:
    cdef readonly u64 id

cdef Move wrapped(u64 number)
cdef int require_fitting(Position position, u64 move) except -1
cdef MoveList legal(Position position, i32 last_guard)
cpdef Position make(Position position, u64 move, bint last_guard, bint commander_resets)
cpdef Position stepped(Position position, u64 move, bint last_guard)
