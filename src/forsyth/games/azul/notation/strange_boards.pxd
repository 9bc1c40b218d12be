# C types of strange_boards.py.
from forsyth.games.azul.notation.cells cimport (
    BOARD, BOARD_CELLS, CODE, Cells, Count, FLOOR, FLOOR_LANES, HELD, LINE, LINE_LANES, MARKERS, MARKER_CODE,
    MARKER_LANE, ON_FLOORS, PLAYERS, SEEN, STRANGE, WALL, WALL_AT, WALL_LANES, u64,
)
from forsyth.games.azul.tiles cimport SIZE

ctypedef const unsigned char* Chars
ctypedef Py_ssize_t Size
ctypedef int[8] Counts

cdef bint take_strange_wall(Chars s, Size at, Cells cells, Count player) noexcept nogil
cdef bint take_strange_lines(Chars s, Size at, Cells cells, Count player, bint wide) noexcept nogil
cdef Count tiles_at(Chars s, Size at, Count width) noexcept nogil
cdef Size line_at(Chars s, Cells cells, Count player, Count row) noexcept nogil
cdef Count line_width(Chars s, Cells cells, Count player, Count row) noexcept nogil
cdef Size floor_at(Chars s, Cells cells, Count player) noexcept nogil
cdef void recount(Cells cells, Chars s) noexcept nogil
cdef u64 _lanes_of(Cells cells, Count place) noexcept nogil
cdef void _count_characters(Chars s, Size at, Counts counts) noexcept nogil
