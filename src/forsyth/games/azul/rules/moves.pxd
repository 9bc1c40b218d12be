# C types of moves.py.
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_GET_ITEM, PyTuple_New, PyTuple_SET_ITEM
from forsyth.games.azul.position cimport (
    UNKNOWN, Board, Position, copy_position, copy_board, cache_open_lines, seal_position, seal_board,
)
from forsyth.games.azul.tiles cimport FLOOR_SPACES, SIZE, sort_tiles, list_colours

ctypedef int Count
ctypedef tuple Tuple

cdef enum:
    _CENTER_SOURCE = 9
    _FLOOR_DESTINATION = 5
    _LINE_SET = 31

cdef Count _ALL_COLOUR_BITS
cdef tuple _MOVES
cdef tuple _STARTABLE_BITS
cdef dict _PARSED_MOVES
cdef dict _COLOUR_BITS

cdef inline Count select_lines_of_colour(Count line_bits, Count colour) noexcept nogil:
    return (line_bits >> (SIZE * colour)) & _LINE_SET

# Builds the tuple directly, without a list, because every move changes three tuples.
cdef inline tuple replace_item(tuple values, Py_ssize_t index, object value):
    cdef Py_ssize_t i
    cdef Py_ssize_t size = len(values)
    cdef tuple items = PyTuple_New(size)
    cdef object item
    for i in range(size):
        item = value if i == index else <object>PyTuple_GET_ITEM(values, i)
        Py_INCREF(item)
        PyTuple_SET_ITEM(items, i, item)
    return items

cpdef Count find_open_lines(Board board) except -1
cpdef list legal_moves(Position position)
cpdef Position apply_move(Position position, object move)
cdef _place_tiles(
    Position position, Position after, str colour, Count taken_count, Count destination, bint takes_marker,
)
cdef tuple _add_count(tuple counts, Count colour_index, Count added_count)
cpdef object count_move_sequences(Position position, Count depth)
