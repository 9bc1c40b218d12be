# cython: boundscheck=False, wraparound=False
# C types of column.py.
from forsyth.games.chess.board cimport i32, u64
from forsyth.games.chess.rules.legality cimport effective_rights
from forsyth.games.chess.numbers.features cimport NumberBuffer, numbers_in, put_features
from forsyth.games.chess.notation.kernel cimport Chars, Out, Size, put_rest, put_text
from forsyth.games.chess.numbers.key cimport SEED_HIGH, SEED_LOW, lane_of, state_of
from forsyth.games.chess.notation.notes cimport BOARD_FROM, BOARD_TO, LENIENT, MENDED, Notes
from forsyth.games.chess.numbers.packing cimport Form, put_packed, put_word, take_packed
from forsyth.games.chess.numbers.planes cimport PLANE, planes_in, put_planes
from forsyth.games.chess.position cimport Position, RACING_KINGS
from forsyth.games.chess.notation.scanner cimport ASK, AUTO, CANONICAL, DEFAULT, NOTED, REFUSED, SPELLED, judge
from forsyth.games.chess.notation.words cimport LONGEST_TEXT, Plain

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

cdef enum:
    NOTES = 6
    ROW = 96
    WRITTEN = 320

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

cdef class Kernels:
    cdef readonly i32 rules
    cdef readonly tuple codes
    cdef readonly tuple squares

    cpdef object scan(
        self, Bytes chars, Offsets offsets, Size first, Size last, i32 mode, bint legality,
        Bytearray verdicts, Integers notes,
    )
    cpdef object rewrite(
        self, Bytes chars, Offsets offsets, Size first, Size last,
        Bytearray verdicts, Bytearray out, Integers lengths, Size width,
    )
    cpdef object keys(
        self, Bytes chars, Offsets offsets, Size first, Size last,
        Bytearray verdicts, Bytearray out,
    )
    cpdef object pack(
        self, Bytes chars, Offsets offsets, Size first, Size last,
        Bytearray verdicts, Bytearray out, Size width,
    )
    cpdef object unpack(
        self, Bytes packed, Size width, Size first, Size last, Bytearray verdicts,
        Bytearray out, Integers lengths, Size room,
    )
    cpdef object features(
        self, Bytes chars, Offsets offsets, Size first, Size last,
        Bytearray verdicts, Integers out, Size rows,
    )
    cpdef object planes(
        self, Bytes chars, Offsets offsets, Size first, Size last,
        Bytearray verdicts, Bytearray out,
    )

cdef i32 load(
    Position position, Notes notes, Chars chars, Places places, Size row, Size limit,
    i32 rules, i32 mode, bint legality,
) noexcept nogil
cdef i32 load_long(
    Position position, Notes notes, Chars chars, Size start, Size end, i32 rules, i32 mode, bint legality,
) noexcept nogil
cdef bint answers(i32 verdict) noexcept nogil
cdef i32 put_again(Position position, Notes notes, Chars chars, Size start, Out out, Size at) noexcept nogil
cdef void put_key(Position position, Out out, Size at) noexcept nogil
cdef bint put_form(Position position, Out out, Size at, Size width) noexcept nogil
cdef Size end_of_texts(Size size, Offsets offsets, Size first, Size last) except? -1
cdef int require_room(Size size, Size rows, Size width=*) except -1
