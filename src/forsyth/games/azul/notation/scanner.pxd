# C types of scanner.py.
from forsyth.games.azul.notation.cells cimport (
    BAG, BOARD, BOARD_CELLS, CENTER, CODE, COMPLETE, CURRENT, Cells, Count, DISCARD, DISPLAY, FACTORY, FINDING, FINDINGS,
    FLOOR, FULL, HELD, IN_DONE, IN_ENDED, IN_OFFER, IN_TILING, LINE, MARKER_CODE, MARKER_IN_CENTER, MOST_FINDINGS, NARROW_LINES,
    ON_FLOORS, PHASE, PLAYERS, ROUND, ROW_COMPLETE, SCORE, SEEN, SPACES, START, STRANGE, STRANGE_BOARDS,
    STRANGE_SCORE, UNSORTED_CENTER, UNSORTED_FACTORIES, WALL, WALL_AT, tally,
)
from forsyth.games.azul.rules.legality cimport is_sound
from forsyth.games.azul.notation.strange_boards cimport recount, take_strange_lines, take_strange_wall
from forsyth.games.azul.tiles cimport FLOOR_SPACES, SIZE, TILES_PER_COLOUR, sort_tiles

ctypedef const unsigned char* Chars
ctypedef Py_ssize_t Size

cdef enum:
    UNREAD = 0
    SOUND = 1
    UNSOUND = 2
    MOST_COUNTED = 999
    NOWHERE = -1
    LONGEST = 1024
    MOST_IN_CENTER = 100
    MOST_ON_FLOOR = 100
    NOT_SORTED = 128
    FACTORY_PARTS = 0
    WALL_PARTS = 1
    WIDE_PARTS = 6
    NARROW_PARTS = 11

# By kind of part and the codes of its characters, three bits each, dashes behind them: its number and 1, or 0.
cdef unsigned char[11][32768] KNOWN

cdef inline void learn(int kind, str text, int number):
    cdef int index = 0
    cdef int column = 0
    cdef Py_UCS4 ch
    if kind < NARROW_PARTS:
        for ch in text:
            index |= CODE[ch] << 12 - 3 * column
            column += 1
        KNOWN[kind][index] = number + 1

# A narrow line is a wide one without the dashes that are no cells of the board.
cdef inline Count parts_at(Count kind, Chars s, Size at, Count count, Cells cells, Count place) noexcept nogil:
    cdef Count part, column, width, number, table
    cdef Count index
    cdef Count wrong = 0
    cdef Count most = 0
    for part in range(count):
        width = part + 1 if kind == NARROW_PARTS else 4 if kind == FACTORY_PARTS else 5
        table = WIDE_PARTS + part if kind == NARROW_PARTS else kind if kind == FACTORY_PARTS else kind + part
        index = 0
        for column in range(width):
            index |= CODE[s[at + column]] << 12 - 3 * column
        number = KNOWN[table][index] - 1
        wrong |= number < 0 or s[at + width] != (124 if part < count - 1 else 47)
        most = number if number > most else most
        cells[place + part] = number
        at += width + 1
    return -1 if wrong else most

cdef Count read_cells(Chars s, Size size, Cells cells) noexcept nogil
cdef Count _read_standard(Chars s, Size end, Cells cells) noexcept nogil
cdef Size take_standard_turn(Chars s, Size at, Size end, Cells cells) noexcept nogil
cdef Size take_turn(Chars s, Size at, Size end, Cells cells) noexcept nogil
cdef void assume(Cells cells) noexcept nogil
cdef Count _read_extended(Chars s, Size end, Cells cells) noexcept nogil
cdef void note(Cells cells, Count code, Size start, Size end) noexcept nogil
cdef Size take_factories(Chars s, Size at, Size end, Cells cells) noexcept nogil
cdef Size take_center(Chars s, Size at, Size end, Cells cells) noexcept nogil
cdef Size _board(Chars s, Size at, Size end, Cells cells, Count player) noexcept nogil
cdef Size take_floor(Chars s, Size at, Size end, Cells cells, Count player) noexcept nogil
cdef Size take_scores(Chars s, Size at, Size end, Cells cells) noexcept nogil
cdef Size take_counts(Chars s, Size at, Size end, Cells cells, Count place, Count behind) noexcept nogil
cdef Size _player(Chars s, Size at, Size end, Cells cells, Count place) noexcept nogil
cdef Count _number(Chars s, Size at, Size end) noexcept nogil
