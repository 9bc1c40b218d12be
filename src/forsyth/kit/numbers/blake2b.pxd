# C types of blake2b.py.
ctypedef unsigned long long u64
ctypedef const unsigned char* Chars
ctypedef unsigned char* Out
ctypedef Py_ssize_t Size
ctypedef int Count
ctypedef u64[16] Words
ctypedef u64[8] State

cdef enum:
    BLOCK_BYTES = 128
    BLOCK_WORDS = 16
    WORD_BYTES = 8
    DIGEST_BYTES = 16
    ROUNDS = 12
    STATE_WORDS = 8
    LENGTH_WORD = 12
    LAST_BLOCK_WORD = 14
    BYTE_BITS = 8
    BYTE_MASK = 255
    PARAMETERS = 0x01010010

cdef extern from *:
    u64 WORD_MASK "0xFFFFFFFFFFFFFFFFULL"

cdef u64[8] INITIAL_WORDS
cdef unsigned char[12][16] SIGMA

cpdef bytes compute_digest(bytes data)
cdef void write_digest(Chars data, Size start, Size end, Out output, Size output_offset) noexcept nogil
cdef void _load_block(Chars data, Size start, Size end, Words block) noexcept nogil
cdef void _compress(State state, Words block, u64 length, bint is_last) noexcept nogil
cdef void _mix(Words vector, Count a, Count b, Count c, Count d, u64 x, u64 y) noexcept nogil
cdef u64 _load_word(Chars data, Size start) noexcept nogil
cdef u64 _widen(u64 byte) noexcept nogil
cdef u64 _rotate_right(u64 word, Count bits) noexcept nogil
