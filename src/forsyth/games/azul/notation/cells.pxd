# C types of cells.py, and the places of the numbers.
from forsyth.games.azul.position cimport Board, Position, draft_position, draft_board, seal_position, seal_board
from forsyth.games.azul.tiles cimport FLOOR_SPACES, SIZE, TILES_PER_FACTORY, count_colours, sort_tiles, tiles_from_counts
from forsyth.games.azul.rules.scoring cimport list_row_masks

ctypedef unsigned long long u64
ctypedef int Count
ctypedef int[132] Cells

cpdef enum:
    PLAYERS = 0
    PHASE = 1
    COMPLETE = 2
    MARKER_IN_CENTER = 3
    ROUND = 4
    CURRENT = 5
    START = 6
    FINDINGS = 7
    FACTORY = 8
    CENTER = 17
    BAG = 22
    DISCARD = 27
    SEEN = 32
    DISPLAY = 37
    IN_CENTER = 38
    EMPTY = 39
    SHORT = 40
    IN_LINES = 41
    FULL = 42
    ON_FLOORS = 43
    MARKERS = 44
    ROW_COMPLETE = 45
    CLASHES = 46
    BOARD = 47
    BOARD_CELLS = 14
    FINDING = 103
    MOST_FINDINGS = 8
    STRANGE = 127
    WALL_AT = 128
    CELLS = 132

cpdef enum:
    STRANGE_BOARDS = 15
    STRANGE_SCORE = 16

cpdef enum:
    WALL = 0
    LINE = 5
    FLOOR = 10
    SPACES = 11
    HELD = 12
    SCORE = 13

cpdef enum:
    IN_OFFER = 0
    IN_TILING = 1
    IN_DONE = 2
    IN_ENDED = 3

cpdef enum:
    UNSORTED_FACTORIES = 1
    UNSORTED_CENTER = 2
    NARROW_LINES = 3

cdef enum:
    ODD = 7
    MARKER_CODE = 6
    TILES_LANE = 40
    EMPTY_LANE = 48
    SHORT_LANE = 56
    MARKER_LANE = 48
    FULL_LANE = 53
    COMPLETE_LANE = 58

cdef extern from *:
    u64 COLOUR_LANES "0xFFFFFFFFFFULL"

cdef unsigned char[256] CODE
cdef u64[126] FORM_LANES
cdef u64[5][32] WALL_LANES
cdef u64[5][48] LINE_LANES
cdef u64[8] FLOOR_LANES
cdef int[5][48] TARGET

cdef dict _FORM_OF
cdef tuple _PHASES
cdef tuple _ROW_OF
cdef tuple _LINE_OF
cdef dict _NUMBER_OF_LINE

cdef void tally(Cells cells) noexcept nogil
cdef void spread(Cells cells, u64 shown, u64 lanes, Count spaces, Count held) noexcept nogil
cdef cells_of(Position position, Cells cells)
cdef _put_board(Board board, Cells cells, Count at)
cdef Position position_of(Cells cells, str text)
cdef tuple _counts_from(Cells cells, Count at)
cdef str _tiles_from(Cells cells, Count at)
cdef Board _board_of(Cells cells, Count at, bint wide)
