# cython: boundscheck=False, wraparound=False
# C types of column.py.
cimport cython
from forsyth.column cimport ASK, CANONICAL, DEFAULT, LENIENT, NOTED
from forsyth.games.chess.board cimport i32, u64
from forsyth.games.chess.rules.legality cimport find_effective_rights
from forsyth.games.chess.numbers.features cimport NumberBuffer, count_features, put_features
from forsyth.games.chess.notation.kernel cimport put_rest, put_text
from forsyth.games.chess.numbers.key cimport SEED_HIGH, SEED_LOW, hash_position, encode_key_state
from forsyth.games.chess.notation.notes cimport BOARD_FROM, BOARD_TO, MENDED
from forsyth.games.chess.numbers.packing cimport FORM_BYTES, Form, put_packed, write_word, read_packed
from forsyth.games.chess.numbers.planes cimport PLANE_SIZE, count_planes, put_planes
from forsyth.games.chess.position cimport Position, RACING_KINGS
from forsyth.games.chess.notation.scanner cimport AUTO, judge
from forsyth.games.chess.notation.words cimport LONGEST_TEXT, Plain
from forsyth.kit.numbers.column_verbs cimport (
    Chars, ColumnVerbs, NO_TEXT, Numbers, Offsets, Out, RowKernel, Size, has_position, copy, fill,
)

cdef class Scratch(Position):
    cdef char[128] distance

cdef inline Position new_scratch():
    return Scratch.__new__(Scratch)

cdef enum:
    SHORT_TEXT = 96
    MAX_WRITTEN_TEXT = 320
    KEY_HALF_BYTES = 8

@cython.final
cdef class ChessRow(RowKernel):
    cdef Position position
    cdef i32 rules

cdef class Kernels(ColumnVerbs):
    cdef readonly i32 rules

cdef void put_key(Position position, Out out, Size start) noexcept nogil
cdef bint write_padded_form(Position position, Out out, Size start, Size width) noexcept nogil
