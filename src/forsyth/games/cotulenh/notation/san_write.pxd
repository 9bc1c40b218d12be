# C types of san_write.py.
cimport cython
from forsyth.games.cotulenh.board cimport u32, u64, i32, ON_ATTACK_LINE, SQUARE_COUNT
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, CARRIERS, HEROIC_SHIFT, TYPES
from forsyth.games.cotulenh.rules.attacks cimport is_attacked
from forsyth.games.cotulenh.rules.apply cimport is_move_number
from forsyth.games.cotulenh.rules.generate cimport (
    CAPTURE, COMBINE, DEPLOY, STAY, SUICIDE, MoveList, BoardFacts, collect_facts,
)
from forsyth.games.cotulenh.position cimport Position
from forsyth.games.cotulenh.rules.moves cimport Move, generate_legal_moves, require_applicable, wrap_move
from forsyth.games.cotulenh.rules.safety cimport mark_shields
from forsyth.games.cotulenh.rules.trials cimport gives_check

cdef enum:
    KEYS = 1452

@cython.final
cdef class Rivals:
    cdef MoveList moves
    cdef MoveList before
    cdef i32[1452] last
    cdef str hint(self, u64 number)

@cython.final
cdef class Watch:
    cdef i32 calm
    cdef u32 colour
    cdef i32 last_guard
    cdef BoardFacts setting
    cdef i32 checks(self, Position position, u64 number) noexcept

cdef i32 pair_of(u64 number) noexcept
cdef Rivals rivals_among(MoveList moves)
cdef Watch watch_of(Position position, i32 last_guard)
cdef MoveList _legal_list(Position position, object rules)
cdef str _spelled(Position position, u64 number, str origin)
cdef u32 _mover(u64 number, Position position) noexcept
cdef str _result(u64 number, Position position)
cdef str _check_mark(Position position, u64 number, object rules, object patience)
