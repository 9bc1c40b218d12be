# cython: boundscheck=False, wraparound=False
# C types of measures.py.
from libc.string cimport memset

from forsyth.games.cotulenh.board cimport u32, u64, i32, SQUARE_COUNT
from forsyth.games.cotulenh.attacks cimport Units
from forsyth.games.cotulenh.kernel cimport Size
from forsyth.games.cotulenh.packing cimport FORM_OF, NO_FORM, Squares, State, find_units
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, CARRIERS, HEROIC_SHIFT, TYPES

ctypedef u64[8] Sums

cdef enum:
    UPPER_HALF = 66
    FIELD = 1023
    PLANE_BYTES = 6336

cdef u64[35] FACTS
cdef u64[35] LOW_KINDS
cdef u64[35] HIGH_KINDS
cdef i32[2] LEAST

cdef inline void spread(unsigned char[::1] out, Size start, Size size, int value) noexcept nogil:
    memset(&out[0] + start, value, size)

cdef void tally(Units units, Squares found, i32 first, i32 last, Sums sums) noexcept nogil
cdef void write_features(Units units, State state, i32[::1] out, Size rows, Size row) noexcept nogil
cdef i32 first_commander(Units units, Squares found, i32 count, i32 side) noexcept nogil
cdef void write_planes(Units units, State state, unsigned char[::1] out, Size start) noexcept nogil
