# C types of check.py.
from forsyth.games.azul.position cimport Board, Position
from forsyth.games.azul.tiles cimport FLOOR_SPACES, SIZE, TILES_PER_COLOUR, TILES_PER_FACTORY
from forsyth.games.azul.rules.walls cimport TILE_COUNTS, max_wall_points

ctypedef int Count
ctypedef int[5] Masks

cdef class _Tally:
    cdef Count on_display
    cdef Count in_lines
    cdef Count on_floors
    cdef Count full_lines
    cdef bint has_complete_row

cdef tuple _MASKS

cdef _Tally _count_tiles(Position position)
cdef list _find_content_faults(Position position, _Tally tally)
cdef list _find_reachability_faults(Position position, _Tally tally)
cdef _check_center(Position position, list faults)
cdef _check_score(Board board, Count player, Masks masks, bint is_over, list faults)
