# cython: boundscheck=False, wraparound=False
# C types of kernel.py.
from forsyth.games.chess.board cimport i32
from forsyth.games.chess.notation.kernel cimport Chars, Size
from forsyth.games.chess.records.head cimport FULL, NO_RESULT, HeadReader, parse_result, result_size
from forsyth.games.chess.records.moves cimport UNKNOWN_RESULT, result_of_position
from forsyth.games.chess.records.rows cimport (
    ACCEPTED, LEFT_TO_READER, NO_CLOCK, NO_EVAL, RESULT_CONTRADICTED, RESULT_MISSING, Rows,
)
from forsyth.games.chess.records.tree cimport MOVE_ENDS, TreeReader
from forsyth.games.chess.records.contents cimport build_contents
from forsyth.record_bytes.words cimport (
    Bytes, CARRIAGE_RETURN, INCOMPLETE, NEWLINE, OPEN_BRACE, QUOTE, SEMICOLON, SPACE, UNSUPPORTED, find_stretch_end,
    find_tag_name_end, finish_line, get_chars,
    skip_blanks, skip_byte_order_mark, skip_ignored_lines,
)

cdef enum:
    MAX_CHARACTERS = 1048576
    # Kinds of words, by their first byte.
    UNEXPECTED = 0
    BLANK = 1
    LINE_END = 2
    DIGIT = 3
    LETTER = 4
    STAR_RESULT = 5
    BRACE_COMMENT = 6
    LINE_COMMENT = 7
    VARIATION_START = 8
    VARIATION_END = 9
    GLYPH = 10
    SUFFIX = 11
    DOT = 12
    SYMBOL = 13
    BRACKET = 14
    MAX_ROWS = 67108864

cdef unsigned char[256] WORD_KINDS

cdef class RecordKernel:
    cdef Rows rows
    cdef HeadReader head
    cdef TreeReader tree
    cdef object data
    cdef Chars chars
    cdef Size limit
    cdef bint final, busy
    cdef char[128] distance

    cdef Rows require_rows(self)
    cdef Size read_games(self, Size offset) noexcept nogil
    cdef Size read_game(self, Size offset) noexcept nogil
    cdef Size read_moves(self, Size offset) noexcept nogil
    cdef Size read_rare_word(self, Size offset) noexcept nogil
    cdef Size read_result(self, Size offset, i32 result) noexcept nogil
    cdef Size read_next_tag(self, Size offset) noexcept nogil
    cdef Size finish_without_result(self, Size offset) noexcept nogil
    cdef bint is_result_possible(self, i32 result) noexcept nogil
