# cython: boundscheck=False, wraparound=False
# C types of column_verbs.py.
from libc.string cimport memcpy, memset

from forsyth.column cimport ASK, CANONICAL, DEFAULT, NOTED, NOTES, REFUSED, SPELLED

ctypedef int i32
ctypedef Py_ssize_t Size
ctypedef const unsigned char* Chars
ctypedef unsigned char* Out
ctypedef const long long* Starts
ctypedef int* Numbers
ctypedef const unsigned char[::1] Bytes
ctypedef unsigned char[::1] Bytearray
ctypedef const long long[::1] Offsets
ctypedef int[::1] Integers

cdef enum:
    KEY_BYTES = 16
    NO_TEXT = -1

# A view without elements has an address too, but it is never dereferenced.
cdef inline Chars get_chars(Bytes view) noexcept nogil:
    return &view[0]

cdef inline Out get_writable(Bytearray view) noexcept nogil:
    return &view[0]

cdef inline Starts get_starts(Offsets view) noexcept nogil:
    return &view[0]

cdef inline Numbers get_numbers(Integers view) noexcept nogil:
    return &view[0]

cdef inline void copy(
    void* target, Size target_start, const void* source, Size source_start, Size size
) noexcept nogil:
    memcpy(<unsigned char*>target + target_start, <const unsigned char*>source + source_start, size)

cdef inline void fill(Out target, Size start, Size size, i32 value) noexcept nogil:
    memset(target + start, value, size)

# The padding `distance` keeps the kernels of two threads, which are written for every row, in different
# cache lines.
cdef class RowKernel:
    cdef char[128] distance
    cdef Chars chars
    cdef Size limit
    cdef Size start
    cdef Size end
    cdef Size max_length
    cdef Size min_room
    cdef Size feature_count
    cdef Size plane_bytes
    cdef i32[12] note

    cdef i32 judge_row(self, i32 mode, bint legality) noexcept nogil
    cdef Size rewrite(self, Out output, Size offset, Size room) noexcept nogil
    cdef Size put_text(self, Out output, Size offset, Size room) noexcept nogil
    cdef void put_key(self, Out output, Size offset) noexcept nogil
    cdef void finish_keys(self, Out output) noexcept nogil
    cdef bint put_packed(self, Out output, Size offset, Size width) noexcept nogil
    cdef bint load_packed(self, Chars packed, Size start, Size width) noexcept nogil
    cdef bint put_features(self, Numbers output, Size offset, Size step) noexcept nogil
    cdef void put_planes(self, Out output, Size offset) noexcept nogil

cdef bint set_row_bounds(RowKernel kernel, Starts starts, Size row) noexcept nogil
cdef i32 judge_row_text(RowKernel kernel, Starts starts, Size row, i32 mode, bint legality) noexcept nogil
cdef bint has_position(i32 verdict) noexcept nogil

cdef class ColumnVerbs:
    cdef RowKernel make_row_kernel(self)
    cdef Size find_text_limit(self, Size size, Offsets offsets, Size first, Size last) except? -1
    cdef RowKernel start_kernel(self, Bytes chars, Offsets offsets, Size first, Size last)
    cdef int require_entries(self, Size size, Size first, Size last) except -1
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
