# C tables of board.py.
ctypedef unsigned int u32
ctypedef unsigned long long u64
ctypedef int i32
ctypedef long long i64

cdef enum:
    SQUARE_COUNT = 132
    OFF_BOARD = -1

cdef short[132][8][12] RAYS
cdef unsigned char[132] WATER
cdef unsigned char[132] LAND
cdef unsigned char[132][132] ON_ATTACK_LINE
