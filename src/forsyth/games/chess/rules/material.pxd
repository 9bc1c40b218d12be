# C types of material.py.
from forsyth.games.chess.rules.attacks cimport (
    COUNTS_CHECKS, EXPLODES, HILL, MUST_CAPTURE, RACE, TRAITS, WHITE_HORDE,
)
from forsyth.games.chess.board cimport u64, i32, LIGHT_SQUARES, count
from forsyth.games.chess.position cimport Position, CRAZYHOUSE, count_pocket

cdef extern from *:
    u64 MINOR_POCKET "0x0000000000FFFF00ULL"

cdef inline bint has_light_square(u64 squares) noexcept nogil:
    return (squares & LIGHT_SQUARES) != 0

cdef inline bint has_dark_square(u64 squares) noexcept nogil:
    return (squares & ~LIGHT_SQUARES) != 0

cpdef bint cannot_win(Position position, i32 is_black) noexcept nogil
cdef bint cannot_win_standard(Position position, u64 own_pieces) noexcept nogil
cdef u64 find_pieces_except(Position position, u64 excluded) noexcept nogil
cdef bint are_on_one_colour(u64 bishops) noexcept nogil
cdef bint has_at_most_one_minor(Position position) noexcept nogil
cdef bint cannot_win_atomic(Position position, u64 own_pieces) noexcept nogil
cdef bint are_on_opposite_colours(u64 own_bishops, u64 enemy_bishops) noexcept nogil
cdef bint cannot_win_antichess(Position position, u64 own_pieces, i32 is_black) noexcept nogil
