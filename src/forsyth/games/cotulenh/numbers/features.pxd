# cython: boundscheck=False, wraparound=False
# C types of features.py.
from forsyth.games.cotulenh.board cimport u32, u64, i32, SQUARE_COUNT
from forsyth.games.cotulenh.rules.attacks cimport COMMANDER_BIT, Units
from forsyth.games.cotulenh.notation.kernel cimport Size
from forsyth.games.cotulenh.numbers.packing cimport (
    FORM_NUMBERS, FULL_CLOCK, HALF_CLOCK, MAX_CLOCK_32, NO_FORM, SIDE_TO_MOVE, STATE_SIZE, OccupiedSquares,
    State, find_occupied,
)
from forsyth.games.cotulenh.position cimport Position
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, HEROIC_SHIFT, TYPES

ctypedef u64[8] Sums
ctypedef i32* Numbers
ctypedef i32[43] FeatureRow

cdef enum:
    FEATURE_COUNT = 43
    FIRST_UPPER_SQUARE = 66
    FIELD_MASK = 1023
    PIECES_SHIFT = 10
    STACKS_SHIFT = 20
    POINTS_SHIFT = 30
    SUMS_PER_SIDE = 4
    TURN_FEATURE = 0
    HALF_MOVE_FEATURE = 1
    MOVE_NUMBER_FEATURE = 2
    PHASE_FEATURE = 3
    DEPLOYING_FEATURE = 4
    ALL_PIECES_FEATURE = 5
    PIECES_FEATURE = 6
    UNITS_FEATURE = 8
    STACKS_FEATURE = 10
    HEROIC_FEATURE = 12
    ACROSS_FEATURE = 14
    MATERIAL_FEATURE = 16
    BALANCE_FEATURE = 18
    COMMANDER_FEATURE = 19
    TYPES_FEATURE = 21
    TYPE_COUNT = 11
    LOW_TYPES = 8
    HIGH_TYPES = 3
    FORM_SUM = 0
    LOW_TYPES_SUM = 1
    HIGH_TYPES_SUM = 2
    HEROIC_SUM = 3
    RED_SUMS = 0
    BLUE_SUMS = 4
    BYTE_BITS = 8
    BYTE_MASK = 255
    OPENING = 0
    MIDDLEGAME = 1
    ENDGAME = 2

cdef u64[35] FORM_FACTS
cdef u64[35] LOW_TYPE_COUNTS
cdef u64[35] HIGH_TYPE_COUNTS
cdef i32[2] PHASE_MINIMUMS

cdef inline u64 get_unit_sum(u64 sums) noexcept nogil:
    return sums & FIELD_MASK

cdef inline u64 get_piece_sum(u64 sums) noexcept nogil:
    return sums >> PIECES_SHIFT & FIELD_MASK

cdef inline u64 get_stack_sum(u64 sums) noexcept nogil:
    return sums >> STACKS_SHIFT & FIELD_MASK

cdef inline u64 get_byte(u64 number, i32 index) noexcept nogil:
    return number >> (BYTE_BITS * index) & BYTE_MASK

cpdef tuple compute_features(Position position)
cdef i32 find_phase(i32 piece_count) noexcept nogil
cdef void write_side_features(
    Units units, OccupiedSquares occupied, i32 occupied_count, Sums sums, i32 side, Numbers table, Size row_count, Size row_index
) noexcept nogil
cdef void add_units(Units units, OccupiedSquares occupied, i32 start, i32 end, Sums sums) noexcept nogil
cdef void write_features(Units units, State state, Numbers table, Size row_count, Size row_index) noexcept nogil
cdef i32 find_first_commander(Units units, OccupiedSquares occupied, i32 occupied_count, i32 side) noexcept nogil
