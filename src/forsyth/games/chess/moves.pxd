# C types of moves.py.
from forsyth.games.chess.board cimport u64, u16, i32, ONE, RANK_1, lsb
from forsyth.games.chess.position cimport Position, blank, seal, CHESS960, CRAZYHOUSE, THREE_CHECK
from forsyth.games.chess.legality cimport attackers
from forsyth.games.chess.generate cimport CASTLE, DROP, PROMOTE, MoveBuffer, generate

cpdef enum:
    MAX_CLOCK = 9999

cdef class Move:
    cdef readonly i32 id

cdef list _MOVES
cdef Move move_of(i32 number)
cdef Position make(Position p, i32 move)
cdef u64 count_lines(Position p, i32 depth) noexcept
cdef void pocket_captured(Position p, Position q, u64 taken) noexcept
cpdef u64 checkers_of(Position p) noexcept
