# C types of kernel.py.
from forsyth.games.chess.board cimport u64, i32, ONE, lsb, msb
from forsyth.games.chess.position cimport Position, new_draft, seal_position, choose_xfen_letter, CHESS960, CRAZYHOUSE, THREE_CHECK

cdef extern from "Python.h":
    """
    static inline PyObject *forsyth_text(const unsigned char *characters, Py_ssize_t size) {
        PyObject *text = PyUnicode_New(size, 127);
        if (text) memcpy(PyUnicode_1BYTE_DATA(text), characters, (size_t)size);
        return text;
    }
    """
    bint is_ascii "PyUnicode_IS_COMPACT_ASCII" (object text)
    const unsigned char* characters "PyUnicode_1BYTE_DATA" (object text)
    Py_ssize_t length "PyUnicode_GET_LENGTH" (object text)
    str text_of "forsyth_text" (const unsigned char* characters, Py_ssize_t size)

cdef extern from *:
    u64 SLASHES "0x0001010101010101ULL"

ctypedef const unsigned char* Chars
ctypedef unsigned char* Out
ctypedef Py_ssize_t Size
ctypedef u64[16] Planes
ctypedef unsigned char[320] Buffer

cdef enum:
    SHORTEST = 24
    LONGEST = 91
    LONGEST_BOARD = 71
    END = 0
    EMPTY = 12
    SLASH = 13
    DIGIT = 1 << 24
    WHOLE_BOARD = 64 | 7 << 12
    COUNTED = 0xFFFFF

cdef i32[256] CLASS
cdef u64[256] SPREAD
cdef i32[256] WIDTHS
cdef unsigned char[2048] PLACES
cdef unsigned char[2048] COUNTS
cdef i32[5] POCKET
cdef bint scan(Position position, Chars s, Size n) noexcept nogil
cdef bint scan_rest(Position position, Chars s, Size n, Size at) noexcept nogil
cdef Size scan_board(Position position, Chars s, Size start) noexcept nogil
cdef void put_men(Position position, Planes planes) noexcept nogil
cdef i32 clock(Chars s, Size at) noexcept nogil
cdef Size put_text(Position position, Out out, Size at) noexcept nogil
cdef Size put_rest(Position position, Out out, Size at) noexcept nogil
cdef Size put_board(Position position, Out out, Size at) noexcept nogil
cdef Size put_marked_rank(u64 men, i32 marked, Out out, Size at) noexcept nogil
cdef Size put_side(Position position, Out out, Size at) noexcept nogil
cdef Size put_pockets(Position position, Out out, Size at) noexcept nogil
cdef Size put_castling_960(Position position, Out out, Size at) noexcept nogil
cdef Size put_castling(Position position, Out out, Size at) noexcept nogil
cdef Size put_last_fields(Position position, Out out, Size at) noexcept nogil
cdef Size put_number(Out out, Size at, i32 number) noexcept nogil
cpdef str encode(Position position)
