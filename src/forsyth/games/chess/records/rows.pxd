# cython: boundscheck=False, wraparound=False
# C types of rows.py.
from libc.string cimport memcpy

from forsyth.games.chess.board cimport i32, u16, u64, ONE, lsb
from forsyth.games.chess.numbers.column cimport write_padded_form, put_key
from forsyth.games.chess.notation.kernel cimport Out, Size, put_text
from forsyth.games.chess.numbers.planes cimport put_planes
from forsyth.games.chess.position cimport Position, CRAZYHOUSE, STANDARD, THREE_CHECK
from forsyth.kit.numbers.column_verbs cimport fill

ctypedef long long* Offsets
ctypedef int* Numbers
ctypedef unsigned short* Shorts

cpdef enum:
    WANT_CLOCKS = 1
    WANT_EMTS = 2
    WANT_EVALS = 4
    WANT_SHAPES = 8
    WANT_KEYS = 16
    WANT_PACKED = 32
    WANT_BOARDS = 64
    WANT_PLANES = 128
    WANT_FENS = 256

cdef enum:
    WANT_COMMANDS = 15
    WANT_POSITIONS = 496
    MAX_FEN_BYTES = 320
    KEY_BYTES = 16
    SQUARES = 64
    PIECE_KINDS = 6
    WAITING = 2
    NO_CLOCK = -1
    NO_EVAL = -2147483648
    MAX_SAN_BYTES = 8
    MAX_ERRORS = 32
    MOVE_REJECTED = 0
    RESULT_MISSING = 1
    RESULT_CONTRADICTED = 2
    TAG_REPEATED = 3
    MOVE_RESPELLED = 4
    TURN_PASSED = 5
    GLYPH_AS_SYMBOL = 6
    NUMBER_WRONG = 7
    LEFT_TO_READER = 0
    ACCEPTED = 1
    ACCEPTED_WITH_NOTES = 2
    ACCEPTED_WITH_ERROR = 3

cdef inline Offsets get_offsets(long long[::1] view) noexcept:
    return &view[0]

cdef inline Numbers get_numbers(int[::1] view) noexcept:
    return &view[0]

cdef inline Shorts get_shorts(unsigned short[::1] view) noexcept:
    return &view[0]

cdef inline Out get_bytes(unsigned char[::1] view) noexcept:
    return &view[0]

cdef inline void copy_within(Out out, Size target, Size source, Size size) noexcept nogil:
    memcpy(out + target, out + source, size)

# The padding `distance` keeps the objects of two threads on different cache lines, as in `column.Scratch`.
cdef class Rows:
    cdef readonly dict buffers, widths
    cdef readonly i32 requested_columns
    cdef bint has_views
    cdef readonly Size packed_width, plane_size
    cdef i32 plane_rules
    cdef readonly Size games, fallback_count, tags, plies, positions, comments, nags, lines, sides
    cdef readonly Size notes, errors
    cdef Size max_games, max_plies, max_tags, max_fen_bytes, max_respelled_bytes, fen_size, respelled_size
    # Number of rejected moves of the current game.
    cdef i32 game_errors
    # First row of the current game in each table.
    cdef Size first_tag, first_ply, first_position, first_comment, first_nag, first_line, first_side, first_fen
    cdef Size first_note, first_error, first_respelled
    cdef Offsets start, end
    cdef Out verdict, result, variant, setup, end_key
    cdef Numbers tags_from, plies_from, positions_from, comments_from, nags_from, lines_from, sides_from
    cdef Numbers tag_name, tag_name_length, tag_value, tag_value_length
    cdef Out tag_escaped
    cdef Shorts move, side_move
    cdef Numbers san, side_san, side_line, line_node
    cdef Out san_length, side_san_length
    cdef Numbers clock, emt, eval, arrows, arrows_length, circles, circles_length
    cdef Numbers comment, comment_length, comment_node, nag_node
    cdef Out comment_folded, comment_after, nag
    cdef Out key, packed, board, planes, fen_chars
    cdef Numbers fen_offsets
    cdef Numbers notes_from, note, note_length, error_fen_length, error_note
    cdef Out note_kind, respelled, error_fen
    cdef char[128] distance

    cdef void reset(self)
    cdef void set_columns(self)
    cdef void clear(self) noexcept nogil
    cdef void begin_game(self) noexcept nogil
    cdef void drop_game(self) noexcept nogil
    cdef void end_game(self, Size start, Size end, i32 verdict) noexcept nogil
    cdef void close_row(self, Size row) noexcept nogil
    cdef void set_ending(self, Position position, i32 result, i32 setup) noexcept nogil
    cdef bint add_tag(
        self, Size name_start, Size name_length, Size value_start, Size value_length, i32 escaped,
    ) noexcept nogil
    cdef bint add_ply(self, i32 move, Size start, Size length) noexcept nogil
    cdef bint add_variation_move(self, i32 move, i32 line, Size start, Size length) noexcept nogil
    cdef bint add_variation(self, i32 node) noexcept nogil
    cdef bint add_nag(self, i32 nag, i32 node) noexcept nogil
    cdef bint add_comment(self, Size start, Size length, i32 folded, i32 node, i32 after) noexcept nogil
    cdef Size add_respelled(self, Out text, i32 length) noexcept nogil
    cdef bint add_note(self, i32 kind, Size start, Size length) noexcept nogil
    cdef bint add_error(self, Position position, Size start, Size length) noexcept nogil
    cdef bint add_position(self, Position position, u64 changed) noexcept nogil
    cdef bint add_fen(self, Position position) noexcept nogil
    cdef void add_board(self, Position position, u64 changed) noexcept nogil

cdef i32 board_cell(Position position, i32 square) noexcept nogil
