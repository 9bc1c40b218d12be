# C types of moves.py.
from forsyth.games.chess.board cimport u64, u16, i32, ONE, RANK_1
from forsyth.games.chess.position cimport (
    Position, Numbers, copy_of, numbers_of, seal, set_numbers, CHESS960, CRAZYHOUSE, THREE_CHECK,
)
from forsyth.games.chess.rules.attacks cimport EXPLODES, TRAITS, blast, checkers_of
from forsyth.games.chess.rules.generate cimport CASTLE, DROP, PROMOTE, MoveBuffer, generate

cpdef enum:
    MAX_CLOCK = 9999

cdef class Move:
    cdef readonly i32 id

cdef list _MOVES
cdef Move move_of(i32 number)
cdef Position make(Position p, i32 move)
cdef void advance(Position p, i32 move) noexcept nogil
cdef u64 count_lines(Position p, i32 depth) noexcept nogil
cdef void explode(Position p, u64 gone) noexcept nogil
cdef void pocket_captured(Position p, u64 taken) noexcept nogil
