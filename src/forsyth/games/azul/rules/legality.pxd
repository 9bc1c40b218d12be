# C types of legality.py.
from forsyth.games.azul.notation.cells cimport (
    BAG, BOARD, BOARD_CELLS, CLASHES, COMPLETE, CURRENT, Cells, Count, DISCARD, DISPLAY, EMPTY, FULL, IN_CENTER, IN_ENDED,
    IN_LINES, IN_OFFER, IN_TILING, MARKERS, MARKER_IN_CENTER, ON_FLOORS, PHASE, PLAYERS, ROUND, ROW_COMPLETE,
    SCORE, SEEN, SHORT, SPACES, START, STRANGE, WALL,
)
from forsyth.games.azul.tiles cimport FLOOR_SPACES, SIZE, TILES_PER_COLOUR, TILES_PER_FACTORY, count_factories
from forsyth.games.azul.rules.walls cimport (
    TILE_COUNTS, count_complete_colours, count_complete_columns, count_complete_rows, max_wall_points,
)

cdef enum:
    ROW_BONUS = 2
    COLUMN_BONUS = 7
    COLOUR_BONUS = 10

cdef inline Count get_board_index(Count player) noexcept nogil:
    return BOARD + BOARD_CELLS * player

cdef inline Count count_dealt_tiles(Cells cells) noexcept nogil:
    return TILES_PER_FACTORY * count_factories(cells[PLAYERS])

cdef bint is_sound(Cells cells) noexcept nogil
cdef bint _is_possible_phase(Cells cells) noexcept nogil
cdef bint is_reachable(Cells cells) noexcept nogil
cdef Count sum_bonus_points(Cells cells, Count board) noexcept nogil
cdef bint has_undealt_tiles(Cells cells, bint bag_only) noexcept nogil
cdef bint is_pending(Cells cells) noexcept nogil
cdef bint _is_possible_round(Cells cells, bint pending) noexcept nogil
cdef bint has_full_floor(Cells cells) noexcept nogil
cdef bint _are_possible_walls(Cells cells, bint pending) noexcept nogil
cdef bint _are_possible_scores(Cells cells) noexcept nogil
