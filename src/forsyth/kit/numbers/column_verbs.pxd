# cython: boundscheck=False, wraparound=False
# C types of column_verbs.py.
from libc.string cimport memcpy, memset

from forsyth.column cimport ASK, CANONICAL, DEFAULT, NOTED, NOTES, REFUSED, SPELLED

ctypedef int i32
ctypedef Py_ssize_t Size
ctypedef const unsigned char* Chars
ctypedef unsigned char* Out
ctypedef const long long* Places
ctypedef int* Numbers
ctypedef const unsigned char[::1] Bytes
ctypedef unsigned char[::1] Bytearray
ctypedef const long long[::1] Offsets
ctypedef int[::1] Integers

cdef enum:
    KEY_BYTES = 16
    NO_TEXT = -1

# A view without elements has an address too; it is never followed.
cdef inline Chars bytes_of(Bytes view) noexcept nogil:
    return &view[0]

cdef inline Out writable(Bytearray view) noexcept nogil:
    return &view[0]

cdef inline Places places_of(Offsets view) noexcept nogil:
    return &view[0]

cdef inline Numbers numbers_of(Integers view) noexcept nogil:
    return &view[0]

cdef inline void copy(void* to, Size at, const void* source, Size start, Size size) noexcept nogil:
    memcpy(<unsigned char*>to + at, <const unsigned char*>source + start, size)

cdef inline void fill(Out to, Size at, Size size, i32 value) noexcept nogil:
    memset(to + at, value, size)

# Longer than it need be: it is written for every row, and each thread has its own.
cdef class RowKernel:
    cdef char[128] distance
    cdef Chars chars
    cdef Size limit
    cdef Size start
    cdef Size end
    cdef Size longest
    cdef Size written
    cdef Size number_count
    cdef Size plane_bytes
    cdef i32[12] note

    cdef i32 judge(self, i32 mode, bint legality) noexcept nogil
    cdef Size rewrite(self, Out out, Size at, Size room) noexcept nogil
    cdef Size put_text(self, Out out, Size at, Size room) noexcept nogil
    cdef void put_key(self, Out out, Size at) noexcept nogil
    cdef void finish_keys(self, Out out) noexcept nogil
    cdef bint put_packed(self, Out out, Size at, Size width) noexcept nogil
    cdef bint take_packed(self, Chars packed, Size at, Size width) noexcept nogil
    cdef bint put_features(self, Numbers out, Size at, Size step) noexcept nogil
    cdef void put_planes(self, Out out, Size at) noexcept nogil

cdef bint find_text(RowKernel kernel, Places places, Size row) noexcept nogil
cdef i32 verdict_on(RowKernel kernel, Places places, Size row, i32 mode, bint legality) noexcept nogil
cdef bint answers(i32 verdict) noexcept nogil

cdef class ColumnVerbs:
    cdef RowKernel row_kernel(self)
    cdef Size end_of_texts(self, Size size, Offsets offsets, Size first, Size last) except? -1
    cdef RowKernel begin(self, Bytes chars, Offsets offsets, Size first, Size last)
    cdef int require_places(self, Size size, Size first, Size last) except -1
    cdef int require_room(self, Size size, Size rows, Size width) except -1

    cpdef object scan(
        self, Bytes chars, Offsets offsets, Size first, Size last, i32 mode, bint legality,
        Bytearray verdicts, Integers notes,
    )
    cpdef object rewrite(
        self, Bytes chars, Offsets offsets, Size first, Size last,
        Bytes verdicts, Bytearray out, Integers lengths, Size width,
    )
    cpdef object keys(
        self, Bytes chars, Offsets offsets, Size first, Size last, Bytearray verdicts, Bytearray out,
    )
    cpdef object pack(
        self, Bytes chars, Offsets offsets, Size first, Size last, Bytearray verdicts, Bytearray out, Size width,
    )
    cpdef object unpack(
        self, Bytes packed, Size width, Size first, Size last, Bytearray verdicts,
        Bytearray out, Integers lengths, Size room,
    )
    cpdef object features(
        self, Bytes chars, Offsets offsets, Size first, Size last, Bytearray verdicts, Integers out, Size rows,
    )
    cpdef object planes(
        self, Bytes chars, Offsets offsets, Size first, Size last, Bytearray verdicts, Bytearray out,
    )
