# cython: boundscheck=False, wraparound=False
# C types of scanner.py.
from forsyth.column cimport ASK, DEFAULT, LENIENT, NOTED, STRICT
from forsyth.games.cotulenh.board cimport SQUARE_COUNT, i32, i64
from forsyth.games.cotulenh.notation.fault_notes cimport judge_board, judge_clocks, report_commanders
from forsyth.games.cotulenh.notation.kernel cimport Chars, Size, UNTRIED, characters, clock, fill_board, is_ascii, length
from forsyth.games.cotulenh.rules.legality cimport is_sound
from forsyth.games.cotulenh.notation.notes cimport EMPTY, EXTRA_FIELDS, FIELDS, MISSING_FIELDS, NO_COMMANDER, NO_SQUARE, Scan, WHITESPACE, clear, note, verdict_of
from forsyth.games.cotulenh.position cimport Position, draft_position, seal_position
from forsyth.games.cotulenh.notation.scan_board cimport take_board
from forsyth.games.cotulenh.notation.scan_fields cimport BLANK, PART_OF, has_shape, is_dash, is_number, is_suffix, split_words, take_fields, take_half, take_turn

cdef enum:
    MAX_LENGTH = 1024

cdef i32 scan_text(Scan scan, Chars s, Size n, i32 mode, bint legality) noexcept nogil
cdef void _try_board(Scan scan, Chars s) noexcept nogil
cdef void _read_some(Scan scan, Chars s) noexcept nogil
cpdef Position accept(object text, bint lenient)
cdef Position _accepted(Chars s, Size n, i32 mode)
