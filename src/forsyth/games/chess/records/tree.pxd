# cython: boundscheck=False, wraparound=False
# C types of record_tree.py.
from forsyth.record_bytes.comment_commands cimport (
    ARROWS, CLOCK, ELAPSED, EVALUATION, NO_COMMAND, NOTHING, command_at, number_of, value_end as end_of_command,
    value_start,
)
from forsyth.games.chess.board cimport ALL, i32, u64
from forsyth.games.chess.numbers.column cimport Scratch
from forsyth.games.chess.numbers.key cimport SEED_HIGH, SEED_LOW, lane_of, state_of
from forsyth.games.chess.notation.kernel cimport Chars, Size
from forsyth.games.chess.rules.legality cimport effective_rights
from forsyth.games.chess.rules.moves cimport advance
from forsyth.games.chess.position cimport CRAZYHOUSE
from forsyth.games.chess.records.head cimport FULL
from forsyth.games.chess.records.moves cimport Snapshot, changed, keep, restore, take_move
from forsyth.games.chess.records.rows cimport (
    Rows, NO_CLOCK, NO_EVAL, WAITING, WANT_CLOCKS, WANT_COMMANDS, WANT_EMTS, WANT_EVALS, WANT_SHAPES,
)
from forsyth.record_bytes.words cimport ODD, SHORT, find_byte, kind_of_comment

cdef enum:
    NO_NODE = -2147483648
    LEVELS = 66
    MAX_DEPTH = 64
    MAX_PLIES = 20000

cdef unsigned char[256] STOPS

cdef i32 suffix_number(Chars s, Size at, Size end) noexcept nogil

cdef class Tree:
    cdef Rows rows
    cdef Scratch position
    cdef Chars s
    cdef Size limit
    cdef bint final
    cdef i32 level
    cdef Snapshot[LEVELS] before
    cdef Snapshot[LEVELS] held
    cdef Snapshot[1] begun
    cdef i32[LEVELS] node
    cdef i32[LEVELS] line
    cdef i32[LEVELS] varied
    cdef Size[LEVELS] waiting

    cdef void look_at(self, Chars s, Size limit, bint final) noexcept nogil
    cdef bint begin(self) noexcept nogil
    cdef bint finish(self) noexcept nogil
    cdef Size short(self) noexcept nogil
    cdef Size read_number(self, Size at) noexcept nogil
    cdef Size read_move(self, Size at) noexcept nogil
    cdef Size read_comment(self, Size at) noexcept nogil
    cdef Size read_rest(self, Size at) noexcept nogil
    cdef Size put_comment(self, Size at, Size end, Size after) noexcept nogil
    cdef void settle_comments(self, i32 node, i32 after) noexcept nogil
    cdef void take_commands(self, Size ply, Size at, Size end) noexcept nogil
    cdef void take_command(self, Size ply, i32 kind, Size at, Size end) noexcept nogil
    cdef Size read_glyph(self, Size at) noexcept nogil
    cdef Size read_suffix(self, Size at) noexcept nogil
    cdef Size put_glyph(self, i32 number, Size after) noexcept nogil
    cdef Size open_line(self, Size at) noexcept nogil
    cdef Size close_line(self, Size at) noexcept nogil
    cdef i32 repetitions(self) noexcept nogil
