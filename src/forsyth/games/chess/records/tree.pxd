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
from forsyth.games.chess.notation.san cimport Written
from forsyth.games.chess.position cimport CRAZYHOUSE
from forsyth.games.chess.records.head cimport FULL, NO_RESULT, equals_name, parse_result
from forsyth.games.chess.records.moves cimport (
    NULL_MOVE, Snapshot, can_pass_turn, changed_squares, is_ascii_letter, is_named_pawn_drop, is_null_move,
    play_recorded_move, play_respelled_move, play_written_move, restore_position, save_position, spell_in_ascii,
)
from forsyth.games.chess.records.rows cimport (
    Rows, GLYPH_AS_SYMBOL, MAX_ERRORS, MOVE_RESPELLED, NO_CLOCK, NO_EVAL, NUMBER_WRONG, TURN_PASSED, WAITING, WANT_CLOCKS, WANT_COMMANDS, WANT_EMTS, WANT_EVALS, WANT_SHAPES,
)
from forsyth.record_bytes.words cimport (
    CARRIAGE_RETURN, CLOSE_BRACE, DIGIT_0, DIGIT_9, FIRST_NON_ASCII, FULL_STOP, HASH, INCOMPLETE, MINUS, NEWLINE,
    OPEN_BRACE, OPEN_BRACKET, PLUS, SEMICOLON, SPACE, TAB, UNSUPPORTED, classify_comment, find_byte, finish_line,
)

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
    DOLLAR = 36
    OPEN_PARENTHESIS = 40
    CLOSE_PARENTHESIS = 41
    ZERO = 48
    EQUALS = 61
    QUESTION = 63
    AT_SIGN = 64
    LAST_ASCII = 126
    LONGEST_SYMBOL = 3
    MAX_LONG_NUMBER_DIGITS = 9

cdef unsigned char[256] MOVE_ENDS

cdef i32 parse_suffix(Chars chars, Size start, Size end) noexcept nogil
cdef bint is_mark(i32 byte) noexcept nogil
cdef bint is_castling(unsigned char* word, i32 size) noexcept nogil
cdef bint looks_like_move(Chars chars, Size start, Size end) noexcept nogil
cdef i32 find_symbol(Chars chars, Size start, Size size) noexcept nogil

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
    cdef i32[LEVELS] is_broken
    cdef i32[LEVELS] number_shifts
    cdef bint has_null_move
    cdef Size[LEVELS] waiting_comments

    cdef void set_input(self, Chars chars, Size limit, bint final) noexcept nogil
    cdef bint begin_game(self) noexcept nogil
    cdef bint finish_game(self) noexcept nogil
    cdef bint has_moves(self) noexcept nogil
    cdef Size end_of_input(self) noexcept nogil
    cdef Size read_number(self, Size offset) noexcept nogil
    cdef Size read_move(self, Size offset) noexcept nogil
    cdef bint accept_wrong_number(self, i32 number, Size start, Size digit_count) noexcept nogil
    cdef Size add_move(self, i32 move, Size text, Size length, Size next_offset) noexcept nogil
    cdef Size read_unusual_move(self, Size start, Size end) noexcept nogil
    cdef Size reject_move(self, Size start, Size end) noexcept nogil
    cdef Size skip_line(self, Size offset) noexcept nogil
    cdef Size skip_word(self, Size offset) noexcept nogil
    cdef Size skip_move(self, Size offset) noexcept nogil
    cdef Size skip_marks(self, Size offset) noexcept nogil
    cdef Size skip_number(self, Size offset) noexcept nogil
    cdef Size find_line_end(self, Size offset) noexcept nogil
    cdef Size parse_glyph(self, Size offset) noexcept nogil
    cdef Size read_symbol(self, Size offset) noexcept nogil
    cdef Size drop_variation(self, Size offset) noexcept nogil
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
