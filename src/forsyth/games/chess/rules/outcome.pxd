# C types of outcome.py.
from forsyth.games.chess.rules.attacks cimport (
    EXPLODES, HILL, MUST_CAPTURE, NOBODY_WINS, RACE, TRAITS, WHITE_HORDE, checkers_of, decided,
)
from forsyth.games.chess.board cimport u64, i32, count
from forsyth.games.chess.rules.generate cimport MoveBuffer, generate
from forsyth.games.chess.rules.material cimport cannot_win
from forsyth.games.chess.position cimport Position

cdef enum:
    THIRD_CHECK = 1
    CHECKMATE = 3
    EXPLOSION = 5
    LAST_MAN = 7
    NO_MOVE = 9
    HILL_REACHED = 11
    RACE_WON = 13
    STALEMATE = 15
    RACE_DRAWN = 16
    INSUFFICIENT = 17
    SEVENTY_FIVE = 18
    FIVEFOLD = 19

cdef i32 ending(Position position, i32 repetitions) noexcept nogil
cdef i32 ending_of(i32 traits, i32 winner) noexcept nogil
cpdef bint is_insufficient(Position position) noexcept nogil
