# C types of reachability_notes.py.
from forsyth.games.azul.notation.cells cimport (
    BOARD, BOARD_CELLS, COMPLETE, CURRENT, Cells, Count, DISPLAY, EMPTY, FULL, IN_CENTER, IN_ENDED, IN_LINES, IN_OFFER,
    MARKER_IN_CENTER, ON_FLOORS, PHASE, PLAYERS, ROUND, ROW_COMPLETE, SCORE, START, WALL,
)
from forsyth.games.azul.rules.legality cimport sum_bonus_points, has_full_floor, is_pending
from forsyth.games.azul.notation.notes cimport (
    AFTER_END, CENTER_OVERFULL, CENTER_SQUARE, DRAFT_SUPPLY, MARKER_EARLY, MISSING_TILES, NO_PART, NO_SQUARE, Note,
    ROUND_TILES, SCORE_SQUARE, SCORE_WALL, TURN_ORDER, WALL_ROUND, WHOLE_TEXT, add_note, after_boards, first_component,
)
from forsyth.games.azul.notation.scanner cimport Chars, Size
from forsyth.games.azul.tiles cimport SIZE, TILES_PER_FACTORY
from forsyth.games.azul.rules.walls cimport TILE_COUNTS, max_wall_points

cdef void note_reachability(Cells cells, Chars s, Size end, Note note) noexcept nogil
cdef void _note_round(Cells cells, Chars s, Size end, bint pending, Note note) noexcept nogil
cdef Count _note_boards(Cells cells, Chars s, Size end, bint pending, Note note) noexcept nogil
cdef void _note_end(Cells cells, Chars s, Size end, Note note) noexcept nogil
