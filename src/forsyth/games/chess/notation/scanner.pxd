# C types of scanner.py.
from forsyth.games.chess.board cimport count, i32
from forsyth.games.chess.notation.fault_notes cimport note_faults
from forsyth.games.chess.notation.kernel cimport Chars, Size, characters, is_ascii, length, scan_board, scan_rest
from forsyth.games.chess.rules.legality cimport (
    CASTLING_KING, CASTLING_NONE, CASTLING_ROOK, EP_BLOCKED, EP_PAWN, EP_SIDE, find_castling_faults, find_effective_rights, find_ep_faults, find_faults,
)
from forsyth.games.chess.notation.notes cimport (
    BOARD_FROM, BOARD_TO, CASTLING_ORDER, CHECKS_VALUE, COUNT, ERRORS, FEN_DASH, FEN_EMPTY, FEN_FIELDS,
    FEN_FIELDS4, FEN_WHITESPACE, FIRST_FAULT, FULL_VALUE, HALF_VALUE, LENIENT, MENDED, MODE, Notes, RESPELLED,
    STRICT, begin, note,
)
from forsyth.games.chess.position cimport (
    Position, new_draft, seal_position, CHESS960, CRAZYHOUSE, HORDE, RACING_KINGS, STANDARD, THREE_CHECK,
)
from forsyth.games.chess.notation.scan_fields cimport (
    ALL_CHECKS, DASH, OPEN, SLASH_SIGN, TILDE, end_of_ranks, is_checks, scan_castling, scan_castling_960, scan_checks,
    scan_ep, scan_number, scan_pocket, scan_ranks, scan_side,
)
from forsyth.games.chess.notation.words cimport (
    BOARD_END, DASH_AT, DASH_LAST, FROM, LAST_FROM, LAST_TO, LONGEST_TEXT, MOST, ODD_FROM, ODD_TO, Plain, TAKEN, TO,
    WORDS, Words, field_end, field_from, field_to, fields_in, find_words, first_word, is_foreign, make_plain,
)

cdef enum:
    AUTO = -1
    DEFAULT = 0
    MOST_FINDINGS = 64
    NOT_TOLD = -2

# The verdicts of forsyth.column, which C must know before it is imported.
cdef enum:
    ASK = 0
    CANONICAL = 1
    SPELLED = 2
    NOTED = 3
    REFUSED = 4

cdef i32 judge(Position position, Notes notes, Chars s, Size n, i32 rules, i32 mode, bint legality) noexcept nogil
cdef i32 judge_words(Position position, Notes notes, Words words, Chars s, Size n, i32 rules, i32 mode, bint legality) noexcept nogil
cdef i32 read_words(Position position, Notes notes, Words words, Chars s, Size n, i32 rules, i32 mode) noexcept nogil
cdef bint count_fields(Position position, Notes notes, Words words, Chars s, i32 rules) noexcept nogil
cdef void take_checks(Position position, Notes notes, Words words, Chars s) noexcept nogil
cdef Size scan_board_field(Position position, Notes notes, Words words, Chars s, i32 rules) noexcept nogil
cdef void scan_fields(Position position, Notes notes, Words words, Chars s, i32 rules) noexcept nogil
cdef void mend(Position position, Notes notes, Words words) noexcept nogil
cdef i32 rules_told(Words words, Chars s) noexcept nogil
cdef i32 rules_by_board(Position position, Notes notes, Words words, Chars s, Size n) noexcept nogil
cdef bint is_horde(Position position) noexcept nogil
cdef bint misfits(Position position) noexcept nogil
cdef bint is_quick(Position position, Chars s, Size n, Size at, i32 rules, i32 mode) noexcept nogil
