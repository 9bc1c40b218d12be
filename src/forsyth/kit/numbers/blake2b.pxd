# C types of blake2b.py.
ctypedef unsigned long long u64
ctypedef const unsigned char* Chars
ctypedef unsigned char* Out
ctypedef Py_ssize_t Size
ctypedef int Count
ctypedef u64[16] Words
ctypedef u64[8] State

cdef enum:
    BLOCK = 128
    ROUNDS = 12

cdef extern from *:
    u64 ALL "0xFFFFFFFFFFFFFFFFULL"

cdef u64[8] START
cdef unsigned char[12][16] SIGMA

cpdef bytes digest(bytes data)
cdef void digest_16(Chars s, Size at, Size end, Out out, Size to) noexcept nogil
cdef void _load(Chars s, Size at, Size end, Words words) noexcept nogil
cdef void _compress(State state, Words words, u64 length, bint last) noexcept nogil
cdef void _mix(Words v, Count a, Count b, Count c, Count d, u64 x, u64 y) noexcept nogil
cdef u64 _word(Chars s, Size at) noexcept nogil
cdef u64 _wide(u64 byte) noexcept nogil
cdef u64 _turned(u64 word, Count bits) noexcept nogil
