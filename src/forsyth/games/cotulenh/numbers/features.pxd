# cython: boundscheck=False, wraparound=False
# C types of features.py.
from forsyth.games.cotulenh.board cimport u32, u64, i32, SQUARE_COUNT
from forsyth.games.cotulenh.rules.attacks cimport Units
from forsyth.games.cotulenh.notation.kernel cimport Size
from forsyth.games.cotulenh.numbers.packing cimport FORM_OF, MAX_NUMBER, NO_FORM, Squares, State, find_units
from forsyth.games.cotulenh.position cimport Position
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, HEROIC_SHIFT, TYPES

ctypedef u64[8] Sums
ctypedef i32* Numbers
ctypedef i32[43] Row

cdef enum:
    NUMBERS = 43
    UPPER_HALF = 66
    FIELD = 1023

cdef u64[35] FACTS
cdef u64[35] LOW_KINDS
cdef u64[35] HIGH_KINDS
cdef i32[2] LEAST

cpdef tuple features(Position position)
cdef void tally(Units units, Squares found, i32 first, i32 last, Sums sums) noexcept nogil
cdef void write_features(Units units, State state, Numbers out, Size rows, Size row) noexcept nogil
cdef i32 first_commander(Units units, Squares found, i32 count, i32 side) noexcept nogil
