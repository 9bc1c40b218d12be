# cython: boundscheck=False, wraparound=False
# C types of tree.py.
from forsyth.record_bytes.comment_commands cimport (
    ARROWS, CLOCK, ELAPSED, EVALUATION, NO_COMMAND, NO_NUMBER, identify_command, parse_number, find_value_end,
    find_value_start,
)
from forsyth.games.chess.board cimport ALL, i32, u64
from forsyth.games.chess.numbers.column cimport Scratch
from forsyth.games.chess.numbers.key cimport SEED_HIGH, SEED_LOW, hash_position, encode_key_state
from forsyth.games.chess.notation.kernel cimport Chars, Size
from forsyth.games.chess.rules.legality cimport find_effective_rights
from forsyth.games.chess.rules.moves cimport apply_move
from forsyth.games.chess.position cimport CRAZYHOUSE
from forsyth.games.chess.records.head cimport FULL
from forsyth.games.chess.records.moves cimport (
    Snapshot, changed_squares, play_written_move, restore_position, save_position,
)
from forsyth.games.chess.records.rows cimport (
    Rows, NO_CLOCK, NO_EVAL, WAITING, WANT_CLOCKS, WANT_COMMANDS, WANT_EMTS, WANT_EVALS, WANT_SHAPES,
)
from forsyth.record_bytes.words cimport UNSUPPORTED, INCOMPLETE, find_byte, classify_comment, CARRIAGE_RETURN, CLOSE_BRACE, DIGIT_0, DIGIT_9, FULL_STOP, NEWLINE, OPEN_BRACKET, SPACE

cdef enum:
    NO_NODE = -2147483648
    LEVELS = 66
    MAX_DEPTH = 64
    MAX_PLIES = 20000
    MAX_NUMBER_DIGITS = 4
    MAX_RESULT_SIZE = 8
    PLIES_TO_FIVEFOLD = 16
    BEFORE_MOVE = 0
    AFTER_MOVE = 1
    MAX_GLYPH_DIGITS = 3
    MAX_GLYPH = 255
    GOOD_MOVE = 1
    MISTAKE = 2
    BRILLIANT_MOVE = 3
    BLUNDER = 4
    INTERESTING_MOVE = 5
    DUBIOUS_MOVE = 6
    EXCLAMATION = 33
    QUESTION = 63

cdef unsigned char[256] MOVE_ENDS

cdef i32 parse_suffix(Chars chars, Size start, Size end) noexcept nogil

cdef class TreeReader:
    cdef Rows rows
    cdef Scratch position
    cdef Chars chars
    cdef Size limit
    cdef bint final
    cdef i32 level
    cdef Snapshot[LEVELS] before_last_move
    cdef Snapshot[LEVELS] after_last_move
    cdef Snapshot[1] start_position
    cdef i32[LEVELS] last_nodes
    cdef i32[LEVELS] variations
    cdef i32[LEVELS] has_variations
    cdef Size[LEVELS] waiting_comments

    cdef void set_input(self, Chars chars, Size limit, bint final) noexcept nogil
    cdef bint begin_game(self) noexcept nogil
    cdef bint finish_game(self) noexcept nogil
    cdef Size end_of_input(self) noexcept nogil
    cdef Size read_number(self, Size offset) noexcept nogil
    cdef Size read_move(self, Size offset) noexcept nogil
    cdef Size read_brace_comment(self, Size offset) noexcept nogil
    cdef Size read_line_comment(self, Size offset) noexcept nogil
    cdef Size add_comment(self, Size start, Size end, Size next_offset) noexcept nogil
    cdef void attach_comments(self, i32 node, i32 after) noexcept nogil
    cdef void store_commands(self, Size ply, Size offset, Size end) noexcept nogil
    cdef void store_command(self, Size ply, i32 kind, Size start, Size end) noexcept nogil
    cdef Size read_glyph(self, Size offset) noexcept nogil
    cdef Size read_suffix(self, Size offset) noexcept nogil
    cdef Size add_glyph(self, i32 glyph, Size next_offset) noexcept nogil
    cdef Size open_variation(self, Size offset) noexcept nogil
    cdef Size close_variation(self, Size offset) noexcept nogil
    cdef i32 count_repetitions(self) noexcept nogil
