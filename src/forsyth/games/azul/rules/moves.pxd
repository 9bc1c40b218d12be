# C types of moves.py.
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_GET_ITEM, PyTuple_New, PyTuple_SET_ITEM
from forsyth.games.azul.position cimport (
    UNKNOWN, Board, Position, copy_of, copy_of_board, remember_open, seal, seal_board,
)
from forsyth.games.azul.tiles cimport FLOOR_SPACES, SIZE, in_order, present_in

ctypedef int Count
ctypedef tuple Tuple

cdef enum:
    _CENTER_SOURCE = 9
    _FLOOR_PLACE = 5

cdef Count _ANY_COLOUR
cdef tuple _TAKES
cdef tuple _OPEN
cdef dict _PARSED
cdef dict _LINE_BIT

# At once, not by way of a list: every move changes three tuples.
cdef inline tuple with_item(tuple values, Py_ssize_t place, object value):
    cdef Py_ssize_t at
    cdef Py_ssize_t size = len(values)
    cdef tuple changed = PyTuple_New(size)
    cdef object item
    for at in range(size):
        item = value if at == place else <object>PyTuple_GET_ITEM(values, at)
        Py_INCREF(item)
        PyTuple_SET_ITEM(changed, at, item)
    return changed

cpdef Count open_lines(Board board) except -1
cpdef list legal_moves(Position position)
cpdef Position apply_move(Position position, object move)
cdef _place(Position position, Position after, str colour, Count taken, Count place, bint marker)
cdef tuple _with_more(tuple counts, Count number, Count more)
cpdef object count_lines(Position position, Count depth)
