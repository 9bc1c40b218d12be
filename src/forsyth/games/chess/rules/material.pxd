# C types of material.py.
from forsyth.games.chess.rules.attacks cimport (
    COUNTS_CHECKS, EXPLODES, HILL, MUST_CAPTURE, RACE, TRAITS, WHITE_HORDE,
)
from forsyth.games.chess.board cimport u64, i32, LIGHT, count
from forsyth.games.chess.position cimport Position, CRAZYHOUSE

cdef extern from *:
    u64 MINOR_POCKET "0x0000000000FFFF00ULL"

cpdef bint cannot_win(Position p, i32 black) noexcept nogil
cdef u64 men_but(Position p, u64 others) noexcept nogil
cdef bint is_one_coloured(u64 bishops) noexcept nogil
cdef bint is_one_minor(Position p) noexcept nogil
cdef bint cannot_explode(Position p, u64 own) noexcept nogil
cdef bint are_apart(u64 ours, u64 theirs) noexcept nogil
cdef bint cannot_lose_all(Position p, u64 own, i32 black) noexcept nogil
