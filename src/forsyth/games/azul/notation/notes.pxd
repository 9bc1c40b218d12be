# C types of notes.py.
from forsyth.games.azul.notation.cells cimport (
    BAG, BOARD, BOARD_CELLS, CODE, COMPLETE, Cells, Count, DISCARD, DISPLAY, FACTORY, FLOOR, FORM_LANES,
    FULL, HELD, IN_DONE, IN_OFFER, IN_TILING, LINE, MARKERS, MARKER_CODE, MARKER_IN_CENTER, PHASE,
    PLAYERS, ROW_COMPLETE, SCORE, SEEN, SHORT, SHORT_LANE, SPACES, STRANGE, TARGET, WALL, WALL_AT,
)
from forsyth.games.azul.rules.legality cimport has_undealt_tiles
from forsyth.games.azul.notation.scanner cimport Chars, Size
from forsyth.games.azul.notation.strange_boards cimport floor_at, line_at, line_width
from forsyth.games.azul.tiles cimport FLOOR_SPACES, SIZE, TILES_PER_COLOUR

ctypedef int[5] Note

cdef enum:
    SPELLING = 0
    FACTORY_TILES = 1
    WALL_CONFLICT = 2
    TILE_COUNT = 3
    CONSERVATION = 4
    MARKER_COUNT = 5
    PHASE_MISMATCH = 6
    CENTER_OVERFULL = 7
    ROUND_TILES = 8
    MISSING_TILES = 9
    WALL_ROUND = 10
    SCORE_WALL = 11
    DRAFT_SUPPLY = 12
    AFTER_END = 13
    MARKER_EARLY = 14
    TURN_ORDER = 15
    PHASE_FORMAT = 16
    FACTORY_COUNT = 17
    FACTORY_SIZE = 18
    FACTORY_PADDING = 19
    TILE_COLOR = 20
    CENTER_FORMAT = 21
    WALL_SHAPE = 22
    LINE_COUNT = 23
    LINE_WIDTH = 24
    LINE_GAP = 25
    FLOOR_FORMAT = 26
    SCORE_FORMAT = 27
    ROUND_FORMAT = 28
    ROUND_RANGE = 29
    PLAYER_FORMAT = 30
    PLAYER_RANGE = 31
    START_FORMAT = 32
    START_RANGE = 33
    BAG_FORMAT = 34
    DISCARD_FORMAT = 35
    WALL_PLACEMENT = 36
    LINE_CAPACITY = 37
    LINE_MIXED = 38
    FLOOR_OVERFLOW = 39
    SCORE_NEGATIVE = 40

cdef enum:
    NO_SQUARE = -1
    CENTER_SQUARE = 9
    LINE_SQUARE = 10
    FLOOR_SQUARE = 30
    SCORE_SQUARE = 34
    WALL_SQUARE = 38
    WHOLE_TEXT = -1
    NO_PART = -1
    COMMA = 44
    BAR = 124

cdef void note_content(Cells cells, Chars s, Size end, Note note) noexcept nogil
cdef void put_first(Note note, Count code, Size start, Size end, Count square) noexcept nogil
cdef void add_note(Note note, Count code, Chars s, Size end, Count component, Count part, Count square) noexcept nogil
cdef Count first_component(Cells cells) noexcept nogil
cdef Count after_boards(Cells cells) noexcept nogil
cdef void _note_factories(Cells cells, Chars s, Size end, Note note) noexcept nogil
cdef void _note_boards(Cells cells, Chars s, Size end, Note note) noexcept nogil
cdef void _note_conflicts(Cells cells, Chars s, Size end, Count player, Note note) noexcept nogil
cdef void _note_strange_board(Cells cells, Chars s, Count player, Note note) noexcept nogil
cdef void _note_strange_line(Cells cells, Chars s, Count player, Count row, Note note) noexcept nogil
cdef void _note_supply(Cells cells, Chars s, Size end, Note note) noexcept nogil
cdef void _note_marker(Cells cells, Chars s, Size end, Note note) noexcept nogil
cdef Count _markers_of(Cells cells, Chars s, Count player) noexcept nogil
cdef bint _phase_fits(Cells cells) noexcept nogil
