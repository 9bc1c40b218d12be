# C types of check.py.
from forsyth.games.azul.position cimport Board, Position
from forsyth.games.azul.tiles cimport FLOOR_SPACES, SIZE, TILES_PER_COLOUR, TILES_PER_FACTORY
from forsyth.games.azul.rules.walls cimport TILES_IN, most_points

ctypedef int Count
ctypedef int[5] Masks

cdef class _Tally:
    cdef Count display
    cdef Count in_lines
    cdef Count on_floors
    cdef Count full
    cdef bint complete

cdef tuple _MASKS

cdef _Tally _tally_of(Position position)
cdef list _content(Position position, _Tally tally)
cdef list _reachability(Position position, _Tally tally)
cdef _judge_center(Position position, list found)
cdef _judge_score(Board board, Count player, Masks masks, bint over, list found)
