# C types of scan_board.py.
from forsyth.column cimport LENIENT
from forsyth.games.cotulenh.board cimport i32, u32
from forsyth.games.cotulenh.notation.kernel cimport Chars, SINGLES, WRITTEN, marked_unit
from forsyth.games.cotulenh.notation.notes cimport ADJACENT_DIGITS, ALIAS, COUNT, LETTER, NO_SQUARE, PAREN_CLOSE, PAREN_NESTED, PAREN_OPEN, PIPE, PLUS_ALONE, PLUS_BEFORE_STACK, PLUS_DOUBLE, RANK_COUNT, RANK_LONG, RANK_SHORT, SHORT_RANK, STACK_COLOURS, STACK_DIGIT, STACK_DUPLICATE, STACK_EMPTY, STACK_MEMBERS, STACK_ORDER, STACK_SINGLE, Scan, clear, note
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, CARRIERS, HEROIC_SHIFT, TYPES

cdef void take_board(Scan scan, Chars s) noexcept nogil
cdef void _report_spelling(Scan scan) noexcept nogil
cdef void find_unit(Scan scan, Chars s, i32 square) noexcept nogil
cdef void _walk_board(Scan scan, Chars s) noexcept nogil
cdef i32 _quick_rank(Scan scan, Chars s, i32 at, i32 end) noexcept nogil
cdef void _rank(Scan scan, Chars s, i32 start, i32 end) noexcept nogil
cdef i32 _length_code(Scan scan) noexcept nogil
cdef void _token(Scan scan, Chars s, i32 at) noexcept nogil
cdef void _rank_note(Scan scan, i32 code, i32 start, i32 end) noexcept nogil
cdef void _piece(Scan scan, u32 piece, i32 at) noexcept nogil
cdef void _member(Scan scan, u32 piece) noexcept nogil
cdef i32 _digits(Scan scan, Chars s, i32 at, i32 end) noexcept nogil
cdef void _lone_plus(Scan scan) noexcept nogil
cdef void _open(Scan scan, i32 at) noexcept nogil
cdef void _close(Scan scan, i32 at) noexcept nogil
cdef void _end_stack(Scan scan, i32 at) noexcept nogil
cdef i32 _stack_code(Scan scan) noexcept nogil
cdef void _report_stacks(Scan scan) noexcept nogil
