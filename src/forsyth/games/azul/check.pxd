# C types of check.py.
from forsyth.games.azul.position cimport Board, Position
from forsyth.games.azul.tiles cimport FLOOR_SPACES, SIZE, TILES_PER_COLOUR, TILES_PER_FACTORY

ctypedef int Count

cdef class _Tally:
    cdef Count display
    cdef Count in_lines
    cdef Count on_floors
    cdef Count full
    cdef bint complete

cdef tuple _MASKS
cdef tuple _RUN_POINTS
cdef tuple _LONE
cdef tuple _TURNED
cdef tuple _TILES_IN

cdef _Tally _tally_of(Position position)
cdef list _content(Position position, _Tally tally)
cdef list _reachability(Position position, _Tally tally)
cdef _judge_center(Position position, list found)
cdef _judge_score(Board board, Count player, list masks, bint over, list found)
