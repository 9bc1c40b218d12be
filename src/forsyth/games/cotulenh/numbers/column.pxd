# cython: boundscheck=False, wraparound=False
# C types of column.py.
cimport cython
from forsyth.column cimport ASK, CANONICAL, DEFAULT, LENIENT, NOTED, REFUSED, STRICT
from forsyth.games.cotulenh.board cimport u32, u64, i32, i64, get_rank
from forsyth.games.cotulenh.rules.legality cimport is_sound
from forsyth.games.cotulenh.notation.kernel cimport MAX_CANONICAL, clock, fill, fill_tail, odd_stack
from forsyth.games.cotulenh.notation.notes cimport Scan, clear
from forsyth.games.cotulenh.notation.scanner cimport scan_text
from forsyth.games.cotulenh.notation.write cimport Buffer, put_board, put_ranks, put_rest, put_text, put_unit
from forsyth.games.cotulenh.numbers.key cimport (
    BLOCK_SIZE, LANES_PER_KEY, WORD_COUNT, Lanes, Words, mix_block, start_lanes, write_words,
)
from forsyth.games.cotulenh.numbers.features cimport FEATURE_COUNT, write_features
from forsyth.games.cotulenh.numbers.planes cimport PLANE_BYTES, write_planes
from forsyth.games.cotulenh.numbers.packing cimport (
    FULL_CLOCK, HALF_CLOCK, MAX_CLOCK_32, MAX_PACKED_BYTES, SIDE_TO_MOVE, STATE_SIZE, Packed, State,
    read_packed, write_packed,
)
from forsyth.kit.numbers.column_verbs cimport (
    Chars, ColumnVerbs, NO_TEXT, Numbers, Out, RowKernel, Size, copy, fill as fill_bytes,
)

cdef enum:
    SIDE = 0
    HALF_START = 1
    HALF_END = 2
    FULL_START = 3
    FULL_END = 4
    BOARD_END = 5
    DIGIT_RUN_COUNT = 6
    DIGIT_RUN_SQUARE = 9
    STACK_COUNT = 10
    STACK_START = 11
    STACK_SQUARE = 13
    MAX_CLOCK_DIGITS = 18
    SLASH = 47
    OPENING_PARENTHESIS = 40
    UNIT_MASK = 0xFFFFFF
    UNIT_LENGTH_SHIFT = 24
    NOTE_CODE = 0
    NOTE_IS_WARNING = 1
    NOTE_START = 2
    NOTE_END = 3
    NOTE_SQUARE = 4
    NOTE_COUNT = 5
    FINDING_CODE = 0
    FINDING_START = 1
    FINDING_END = 2
    FINDING_SQUARE = 3
    LANE_BYTES = 8
    BYTE_BITS = 8
    BYTE_MASK = 255
    TOP_RANK = 11

@cython.final
cdef class CoTuLenhRow(RowKernel):
    cdef Scan scan
    cdef unsigned char[1032] text
    cdef Size length
    cdef State state
    cdef Buffer line
    cdef Packed packed
    cdef Words words
    cdef Lanes lanes
    cdef Size[4] key_offsets
    cdef i32 waiting_count

    cdef bint load_text(self) noexcept nogil
    cdef i32 judge_text(self, i32 mode, bint legality) noexcept nogil
    cdef bint load_accepted(self) noexcept nogil
    cdef bint load_state(self) noexcept nogil
    cdef bint has_no_findings(self, i32 mode, bint legality) noexcept nogil
    cdef void set_first_finding(self) noexcept nogil
    cdef Size copy_line(self, Size size, Out out, Size start, Size room) noexcept nogil

cdef class CoTuLenhColumn(ColumnVerbs):
    pass

cdef i32 clamp_clock(i64 clock_value) noexcept nogil
cdef void put_lane(Out key_bytes, Size offset, u64 lane) noexcept nogil
cdef bint has_short_clocks(Scan scan) noexcept nogil
cdef i32 write_board_text(CoTuLenhRow row, Scan scan) noexcept nogil
cdef i32 write_stacks(CoTuLenhRow row, Scan scan, i32 size) noexcept nogil
cdef i32 find_noncanonical_rank(Scan scan) noexcept nogil
