# C types of format_notes.py.
from forsyth.games.azul.notation.cells cimport CODE, Count, MARKER_CODE
from forsyth.games.azul.notation.notes cimport (
    BAG_FORMAT, CENTER_FORMAT, CENTER_SQUARE, DISCARD_FORMAT, FACTORY_COUNT, FACTORY_PADDING, FACTORY_SIZE,
    FLOOR_FORMAT, FLOOR_SQUARE, LINE_COUNT, LINE_GAP, LINE_SQUARE, LINE_WIDTH, NO_SQUARE, Note, PHASE_FORMAT,
    PLAYER_FORMAT, PLAYER_RANGE, ROUND_FORMAT, ROUND_RANGE, SCORE_FORMAT, SCORE_SQUARE, START_FORMAT, START_RANGE,
    TILE_COLOR, WALL_SHAPE, WALL_SQUARE, put_first,
)
from forsyth.games.azul.notation.scanner cimport Chars, Size
from forsyth.games.azul.tiles cimport SIZE, TILES_PER_FACTORY

cdef enum:
    MOST_COMPONENTS = 24
    MOST_NOTED = 64
    NO_NUMBER = 100000

ctypedef Size[25] Places

cdef bint note_format(Chars s, Size end, bint lenient, Note note) noexcept nogil
cdef bint _is_blank(Count c) noexcept nogil
cdef bint _has_bare_lines(Chars s, Size start, Size end) noexcept nogil
cdef Count _components(Chars s, Size end, Places places) noexcept nogil
cdef Count _players_of(Chars s, Size end, Count components) noexcept nogil
cdef void _note_phase(Chars s, Size start, Size end, Note note) noexcept nogil
cdef void _note_factories(Chars s, Size start, Size end, Count players, Note note) noexcept nogil
cdef void _note_center(Chars s, Size start, Size end, bint marked, Note note) noexcept nogil
cdef void _note_wall(Chars s, Size start, Size end, Count player, Note note) noexcept nogil
cdef void _note_lines(Chars s, Size start, Size end, Count player, bint marked, Note note) noexcept nogil
cdef void _note_widths(Chars s, Size start, Size end, Count player, bint marked, Note note) noexcept nogil
cdef Count _only_odd(Chars s, Size start, Size end, bint wide) noexcept nogil
cdef bint _fits(Chars s, Size start, Size end, bint wide) noexcept nogil
cdef void _note_floor(Chars s, Size start, Size end, Count player, bint marked, Note note) noexcept nogil
cdef bint _is_held(Chars s, Size start, Size end) noexcept nogil
cdef void _note_scores(Chars s, Size start, Size end, Count players, Note note) noexcept nogil
cdef void _note_round(Chars s, Size start, Size end, Count most, Note note) noexcept nogil
cdef void _note_player(Chars s, Size start, Size end, Count players, Count code, Note note) noexcept nogil
cdef void _note_counts(Chars s, Size start, Size end, Count code, Note note) noexcept nogil
cdef Size _part_end(Chars s, Size at, Size end, Count mark) noexcept nogil
cdef Count _parts(Chars s, Size start, Size end, Count mark) noexcept nogil
cdef bint _holds(Chars s, Size start, Size end, Count c) noexcept nogil
cdef void _note_order(Chars s, Size start, Size end, Count code, Count square, Note note) noexcept nogil
cdef void _note_tiles(Chars s, Size start, Size end, Count most, Count square, Note note) noexcept nogil
cdef Count _integer(Chars s, Size start, Size end) noexcept nogil
