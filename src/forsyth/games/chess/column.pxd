# cython: boundscheck=False, wraparound=False
# C types of column.py.
from forsyth.games.chess.board cimport i32, u64
from forsyth.games.chess.legality cimport effective_rights, faults
from forsyth.games.chess.features cimport NUMBERS, NumberBuffer, put_features
from forsyth.games.chess.kernel cimport Chars, Out, Size, LONGEST, SHORTEST, put_text, scan as scan_text
from forsyth.games.chess.key cimport SEED_HIGH, SEED_LOW, lane_of, state_of
from forsyth.games.chess.packing cimport Form, put_packed, put_word, take_packed
from forsyth.games.chess.planes cimport COUNT, PLANE, put_planes
from forsyth.games.chess.position cimport Position

cdef class Scratch(Position):
    cdef char[128] distance

cdef inline Position scratch():
    return Scratch.__new__(Scratch)

cdef extern from "string.h" nogil:
    void* memcpy(void* to, const void* source, size_t size)
    void* memset(void* to, int value, size_t size)

ctypedef const unsigned char[::1] Bytes
ctypedef unsigned char[::1] Bytearray
ctypedef const long long[::1] Offsets
ctypedef int[::1] Integers
ctypedef const long long* Places
ctypedef int* Numbers
ctypedef unsigned char[96] Row

# The verdicts of forsyth.column, which C must know before it is imported.
cdef enum:
    ASK = 0
    CANONICAL = 1
    ROW = 96

# A view without elements has an address too; it is never followed.
cdef inline Chars bytes_of(Bytes view) noexcept nogil:
    return &view[0]

cdef inline Out writable(Bytearray view) noexcept nogil:
    return &view[0]

cdef inline Places places_of(Offsets view) noexcept nogil:
    return &view[0]

cdef inline Numbers numbers_of(Integers view) noexcept nogil:
    return &view[0]

cdef inline void copy(Out to, Size at, Chars source, Size start, Size size) noexcept nogil:
    memcpy(to + at, source + start, size)

cdef inline void clear(Out to, Size at, Size size) noexcept nogil:
    memset(to + at, 0, size)

cpdef object scan(
    Bytes chars, Offsets offsets, Size first, Size last, bint legality,
    Bytearray verdicts,
)
cpdef object keys(
    Bytes chars, Offsets offsets, Size first, Size last,
    Bytearray verdicts, Bytearray out,
)
cpdef object pack(
    Bytes chars, Offsets offsets, Size first, Size last,
    Bytearray verdicts, Bytearray out, Size width,
)
cpdef object unpack(
    Bytes packed, Size width, Size first, Size last, Bytearray verdicts,
    Bytearray out, Integers lengths, Size room,
)
cpdef object features(
    Bytes chars, Offsets offsets, Size first, Size last,
    Bytearray verdicts, Integers out, Size rows,
)
cpdef object planes(
    Bytes chars, Offsets offsets, Size first, Size last,
    Bytearray verdicts, Bytearray out,
)
cdef bint load(Position position, Chars chars, Places places, Size row, Size limit) noexcept nogil
cdef void put_key(Position position, Out out, Size at) noexcept nogil
cdef bint put_form(Position position, Out out, Size at, Size width) noexcept nogil
cdef Size end_of_texts(Size size, Offsets offsets, Size first, Size last) except? -1
cdef int require_room(Size size, Size rows, Size width=*) except -1
