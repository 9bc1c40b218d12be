# C tables of board.py.
ctypedef unsigned int u32
ctypedef unsigned long long u64
ctypedef int i32
ctypedef long long i64

cdef enum:
    SQUARE_COUNT = 132
    OFF_BOARD = -1
    DIRECTION_COUNT = 8
    FIRST_DIAGONAL = 4
    RAY_LENGTH = 12

cdef short[132][8][12] RAYS
cdef unsigned char[132] WATER
cdef unsigned char[132] LAND
cdef unsigned char[132][132] ON_ATTACK_LINE

# The board has 11 files.
cdef inline i32 get_file(i32 square) noexcept nogil:
    return square % 11

cdef inline i32 get_rank(i32 square) noexcept nogil:
    return square // 11
