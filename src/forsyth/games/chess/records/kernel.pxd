# cython: boundscheck=False, wraparound=False
# C types of record_kernel.py.
from forsyth.games.chess.board cimport i32
from forsyth.games.chess.notation.kernel cimport Chars, Size
from forsyth.games.chess.records.head cimport FULL, Head, named
from forsyth.games.chess.records.moves cimport result_of_position
from forsyth.games.chess.records.rows cimport NO_CLOCK, NO_EVAL, Rows
from forsyth.games.chess.records.tree cimport STOPS, Tree
from forsyth.games.chess.records.contents cimport contents_of
from forsyth.record_bytes.words cimport (
    ODD, SHORT, Bytes, after_mark, bytes_of, find_stretch, line_rest, skip_between, skip_blanks,
)

cdef enum:
    MAX_CHARACTERS = 1048576
    # What a character is where a word begins.
    STRANGE = 0
    BLANK = 1
    LINE_END = 2
    DIGIT = 3
    LETTER = 4
    STAR = 5
    BRACE = 6
    SEMICOLON = 7
    OPENS = 8
    CLOSES = 9
    GLYPH = 10
    SUFFIX = 11
    DOT = 12

cdef unsigned char[256] BEGINS

cdef i32 result_at(Chars s, Size at, Size end) noexcept nogil
cdef Size result_size(i32 result) noexcept nogil

cdef class RecordKernel:
    cdef Rows rows
    cdef Head head
    cdef Tree tree
    cdef object data
    cdef Chars s
    cdef Size limit
    cdef bint final, busy
    cdef char[128] distance

    cdef Rows made(self)
    cdef Size read_games(self, Size at) noexcept nogil
    cdef Size read_game(self, Size at) noexcept nogil
    cdef Size read_moves(self, Size at) noexcept nogil
    cdef Size read_word(self, Size at) noexcept nogil
    cdef Size read_end(self, Size at, i32 result) noexcept nogil
    cdef bint agrees(self, i32 result, Size at) noexcept nogil
