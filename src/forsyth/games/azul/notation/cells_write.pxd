# C types of cells_write.py.
from forsyth.games.azul.notation.cells cimport (
    BAG, BOARD, BOARD_CELLS, CENTER, COMPLETE, CURRENT, Cells, Count, DISCARD, FACTORY, FLOOR, HELD, LINE,
    MARKER_IN_CENTER, PHASE, PLAYERS, ROUND, SCORE, START, STRANGE, WALL, WALL_AT,
)
from forsyth.games.azul.notation.strange_boards cimport Chars, floor_at, line_at, line_width
from forsyth.games.azul.tiles cimport SIZE

ctypedef unsigned char* Out
ctypedef Py_ssize_t Size

cdef enum:
    LETTER_F = 70
    ROOM = 2048
    STANDARD_PLAYERS = 2
    STANDARD_ROUNDS = 10

cdef unsigned char[504] FORM_TEXT
cdef unsigned char[25] PRINTED_LETTER
cdef unsigned char[8] LETTER
cdef unsigned char[4] PHASE_LETTER

cdef Size write_cells(Cells cells, Chars s, Out out, Size at) noexcept nogil
cdef Size _put_display(Cells cells, Out out, Size at, bint standard) noexcept nogil
cdef Size _put_board(Cells cells, Out out, Size at, Count place, bint standard) noexcept nogil
cdef Size _put_strange_board(Cells cells, Chars s, Out out, Size at, Count player, bint standard) noexcept nogil
cdef Size _put_floor(Cells cells, Out out, Size at, Count place, bint standard) noexcept nogil
cdef Size _put_counts(Cells cells, Out out, Size at, Count place) noexcept nogil
cdef Size _put_number(Out out, Size at, Count number) noexcept nogil
