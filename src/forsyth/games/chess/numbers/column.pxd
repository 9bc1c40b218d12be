# cython: boundscheck=False, wraparound=False
# C types of column.py.
cimport cython
from forsyth.column cimport ASK, CANONICAL, DEFAULT, LENIENT, NOTED
from forsyth.games.chess.board cimport i32, u64
from forsyth.games.chess.rules.legality cimport effective_rights
from forsyth.games.chess.numbers.features cimport NumberBuffer, numbers_in, put_features
from forsyth.games.chess.notation.kernel cimport put_rest, put_text
from forsyth.games.chess.numbers.key cimport SEED_HIGH, SEED_LOW, lane_of, state_of
from forsyth.games.chess.notation.notes cimport BOARD_FROM, BOARD_TO, MENDED
from forsyth.games.chess.numbers.packing cimport Form, put_packed, put_word, take_packed
from forsyth.games.chess.numbers.planes cimport PLANE, planes_in, put_planes
from forsyth.games.chess.position cimport Position, RACING_KINGS
from forsyth.games.chess.notation.scanner cimport AUTO, judge
from forsyth.games.chess.notation.words cimport LONGEST_TEXT, Plain
from forsyth.kit.numbers.column_verbs cimport (
    Chars, ColumnVerbs, NO_TEXT, Numbers, Offsets, Out, RowKernel, Size, answers, copy, fill,
)

cdef class Scratch(Position):
    cdef char[128] distance

cdef inline Position scratch():
    return Scratch.__new__(Scratch)

cdef enum:
    SHORT = 96
    WRITTEN = 320

@cython.final
cdef class ChessRow(RowKernel):
    cdef Position position
    cdef i32 rules

cdef class Kernels(ColumnVerbs):
    cdef readonly i32 rules

cdef void put_key(Position position, Out out, Size at) noexcept nogil
cdef bint put_form(Position position, Out out, Size at, Size width) noexcept nogil
