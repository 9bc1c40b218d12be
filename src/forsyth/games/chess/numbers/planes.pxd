# C types of planes.py.
from forsyth.games.chess.board cimport u64, i32, ONE
from forsyth.games.chess.rules.attacks cimport BLACK_CHECKS_SHIFT, WHITE_CHECKS_MASK
from forsyth.games.chess.rules.legality cimport WING_BITS, encode_castling_wings
from forsyth.games.chess.notation.kernel cimport Out, Size
from forsyth.games.chess.position cimport Position, CRAZYHOUSE, POCKET_KINDS, RANK_MASK, THREE_CHECK, count_in_pocket

cdef extern from "string.h" nogil:
    void* memcpy(void* to, const void* source, size_t size)
    void* memset(void* to, int value, size_t size)

cdef enum:
    PLANE_SIZE = 64
    ROW_SIZE = 8
    MAX_BYTE = 255
    STANDARD_PLANES = 20
    CRAZYHOUSE_PLANES = 11
    THREE_CHECK_PLANES = 2

cdef unsigned char[256][8] ROW_BYTES

cdef inline void write_plane_row(Out out, Size start, i32 squares) noexcept nogil:
    memcpy(out + start, ROW_BYTES[squares], 8)

cdef inline void fill_plane(Out out, Size start, i32 value) noexcept nogil:
    memset(out + start, value, PLANE_SIZE)

cdef i32 count_planes(i32 rules) noexcept nogil
cdef void put_planes(Position position, i32 rules, Out out, Size start) noexcept nogil
cdef void write_pocket_planes(Position position, Out out, Size start) noexcept nogil
cdef Size write_square_plane(Out out, Size start, u64 squares) noexcept nogil
cdef Size write_constant_plane(Out out, Size start, i32 value) noexcept nogil
