# C types of outcome.py.
from forsyth.games.chess.rules.attacks cimport (
    EXPLODES, HILL, MUST_CAPTURE, NOBODY_WINS, RACE, TRAITS, WHITE_HORDE, WHITE_WINS, find_checkers,
    find_variant_winner,
)
from forsyth.games.chess.board cimport u64, i32, count
from forsyth.games.chess.rules.generate cimport MOVE_BUFFER_SIZE, MoveBuffer, generate_moves
from forsyth.games.chess.rules.material cimport cannot_win
from forsyth.games.chess.position cimport Position

cdef enum:
    THIRD_CHECK = 1
    CHECKMATE = 3
    EXPLOSION = 5
    NO_PIECES_LEFT = 7
    NO_MOVE = 9
    HILL_REACHED = 11
    RACE_WON = 13
    STALEMATE = 15
    RACE_DRAWN = 16
    INSUFFICIENT = 17
    SEVENTY_FIVE = 18
    FIVEFOLD = 19
    SEVENTY_FIVE_MOVES = 150
    FIFTY_MOVES = 100
    THREE_OCCURRENCES = 3
    FIVE_OCCURRENCES = 5
    NO_ENDING = 0

cdef inline i32 select_win_code(i32 white_code, i32 winner) noexcept nogil:
    return white_code if winner == WHITE_WINS else white_code + 1

cdef i32 find_ending_code(Position position, i32 repetitions) noexcept nogil
cdef i32 find_variant_ending_code(i32 traits, i32 winner) noexcept nogil
cpdef bint is_insufficient(Position position) noexcept nogil
