# C types of fault_notes.py.
from forsyth.column cimport LENIENT
from forsyth.games.cotulenh.board cimport i32, i64, u32
from forsyth.games.cotulenh.notation.kernel cimport Chars, clock
from forsyth.games.cotulenh.rules.legality cimport NAVY_FORBIDDEN, OTHERS_FORBIDDEN, SOUND_SUMMARY, summarize_board
from forsyth.games.cotulenh.notation.notes cimport COMMANDER_MANY, COMMANDER_MISSING, HALF_INCONSISTENT, NO_SQUARE, ON_LAND, ON_WATER, Scan, note
from forsyth.games.cotulenh.notation.scan_board cimport find_unit
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, NAVY

cdef void judge_board(Scan scan, Chars s) noexcept nogil
cdef void _note_unit(Scan scan, Chars s, i32 code, i32 square) noexcept nogil
cdef void _judge_terrain(Scan scan, Chars s) noexcept nogil
cdef void _judge_commanders(Scan scan, Chars s) noexcept nogil
cdef void report_commanders(Scan scan, i32 code) noexcept nogil
cdef i32 judge_clocks(Scan scan, Chars s) noexcept nogil
