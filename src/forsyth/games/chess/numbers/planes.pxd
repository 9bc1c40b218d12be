# C types of planes.py.
from forsyth.games.chess.board cimport u64, i32, ONE
from forsyth.games.chess.rules.legality cimport castling_wings
from forsyth.games.chess.notation.kernel cimport Out, Size
from forsyth.games.chess.position cimport Position, CRAZYHOUSE, THREE_CHECK

cdef extern from "string.h" nogil:
    void* memcpy(void* to, const void* source, size_t size)
    void* memset(void* to, int value, size_t size)

cdef enum:
    PLANE = 64
    STANDARD_PLANES = 20

cdef unsigned char[256][8] ROWS

cdef inline void put_row(Out out, Size at, i32 squares) noexcept nogil:
    memcpy(out + at, ROWS[squares], 8)

cdef inline void fill(Out out, Size at, i32 value) noexcept nogil:
    memset(out + at, value, PLANE)

cdef i32 planes_in(i32 rules) noexcept nogil
cdef void put_planes(Position position, i32 rules, Out out, Size at) noexcept nogil
cdef void put_pocket_planes(Position position, Out out, Size at) noexcept nogil
cdef Size put_set(Out out, Size at, u64 squares) noexcept nogil
cdef Size put_filled(Out out, Size at, i32 value) noexcept nogil
