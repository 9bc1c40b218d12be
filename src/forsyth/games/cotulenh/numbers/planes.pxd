# cython: boundscheck=False, wraparound=False
# C types of planes.py.
from libc.string cimport memset

from forsyth.games.cotulenh.board cimport u32, i32, SQUARE_COUNT
from forsyth.games.cotulenh.rules.attacks cimport Units
from forsyth.games.cotulenh.notation.kernel cimport Size
from forsyth.games.cotulenh.numbers.packing cimport (
    FULL_CLOCK, HALF_CLOCK, SIDE_TO_MOVE, STATE_SIZE, OccupiedSquares, State, find_occupied,
)
from forsyth.games.cotulenh.position cimport Position
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, CARRIERS, HEROIC_SHIFT, TYPES

ctypedef unsigned char* Bytes

cdef enum:
    PLANE_BYTES = 6336
    MAX_VALUE = 255
    TYPE_COUNT = 11
    HEROIC_PLANES = 22
    STATE_PLANES = 44
    STATE_PLANE_COUNT = 3

cdef inline void fill_bytes(Bytes target, Size start, Size size, int value) noexcept nogil:
    memset(target + start, value, size)

cpdef bytes compute_planes(Position position)
cdef void write_planes(Units units, State state, Bytes tensor, Size start) noexcept nogil
