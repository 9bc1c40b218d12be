# cython: boundscheck=False, wraparound=False
# C types of column.py.
cimport cython
from forsyth.column cimport ASK, CANONICAL, DEFAULT, LENIENT, NOTED, REFUSED, STRICT
from forsyth.games.cotulenh.board cimport u32, i32, i64
from forsyth.games.cotulenh.rules.legality cimport is_sound
from forsyth.games.cotulenh.notation.kernel cimport MAX_CANONICAL, clock, fill, fill_tail, odd_stack
from forsyth.games.cotulenh.notation.notes cimport Scan, clear
from forsyth.games.cotulenh.notation.scanner cimport scan_text
from forsyth.games.cotulenh.notation.write cimport Buffer, put_board, put_ranks, put_rest, put_text, put_unit
from forsyth.games.cotulenh.numbers.key cimport BLOCK, WORD_COUNT, Lanes, Words, begin, stir_block, write_words
from forsyth.games.cotulenh.numbers.features cimport NUMBERS, write_features
from forsyth.games.cotulenh.numbers.planes cimport PLANE_BYTES, write_planes
from forsyth.games.cotulenh.numbers.packing cimport LONGEST, MAX_NUMBER, Packed, State, put_packed, take_packed
from forsyth.kit.numbers.column_verbs cimport (
    Chars, ColumnVerbs, KEY_BYTES, NO_TEXT, Numbers, Out, RowKernel, Size, copy, fill as spread,
)

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
    cdef Size[4] places
    cdef i32 waiting

    cdef bint take_text(self) noexcept nogil
    cdef i32 judge_text(self, i32 mode, bint legality) noexcept nogil
    cdef bint take_noted(self) noexcept nogil
    cdef bint take_state(self) noexcept nogil
    cdef bint is_silent(self, i32 mode, bint legality) noexcept nogil
    cdef void set_note(self) noexcept nogil
    cdef Size put_line(self, Size size, Out out, Size at, Size room) noexcept nogil

cdef class CoTuLenhColumn(ColumnVerbs):
    pass

cdef bint has_short_clocks(Scan scan) noexcept nogil
cdef i32 put_board_text(CoTuLenhRow row, Scan scan) noexcept nogil
cdef i32 put_stacks(CoTuLenhRow row, Scan scan, i32 size) noexcept nogil
cdef i32 odd_rank(Scan scan) noexcept nogil
