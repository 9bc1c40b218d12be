# C types of board.py, and the bit operations that C has and Python has not.
ctypedef unsigned long long u64
ctypedef unsigned short u16
ctypedef int i32

cdef extern from *:
    """
    #ifndef FORSYTH_BITS
    #define FORSYTH_BITS
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __inline int forsyth_lsb(unsigned long long x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
    static __inline int forsyth_msb(unsigned long long x) { unsigned long i; _BitScanReverse64(&i, x); return (int)i; }
    static __inline int forsyth_count(unsigned long long x) { return (int)__popcnt64(x); }
    #else
    #define forsyth_lsb(x) __builtin_ctzll(x)
    #define forsyth_msb(x) (63 - __builtin_clzll(x))
    #define forsyth_count(x) __builtin_popcountll(x)
    #endif
    #endif
    """
    u64 ALL "0xFFFFFFFFFFFFFFFFULL"
    u64 NOT_FILE_A "0xFEFEFEFEFEFEFEFEULL"
    u64 NOT_FILE_H "0x7F7F7F7F7F7F7F7FULL"
    u64 LIGHT_SQUARES "0x55AA55AA55AA55AAULL"
    u64 END_RANKS "0xFF000000000000FFULL"
    u64 RANK_1 "0x00000000000000FFULL"
    u64 RANK_2 "0x000000000000FF00ULL"
    u64 RANK_3 "0x0000000000FF0000ULL"
    u64 RANK_6 "0x0000FF0000000000ULL"
    u64 RANK_8 "0xFF00000000000000ULL"
    u64 ONE "1ULL"
    u64 A1_BIT "1ULL"
    u64 H8_BIT "0x8000000000000000ULL"
    i32 lsb "forsyth_lsb" (u64 squares) noexcept nogil
    i32 msb "forsyth_msb" (u64 squares) noexcept nogil
    i32 count "forsyth_count" (u64 squares) noexcept nogil

cpdef enum:
    FLIP_RANK = 56

cdef enum:
    NORTH = 0
    NORTH_EAST = 1
    EAST = 2
    NORTH_WEST = 3
    SOUTH = 4
    SOUTH_WEST = 5
    WEST = 6
    SOUTH_EAST = 7
    C_FILE = 2
    D_FILE = 3
    E_FILE = 4
    F_FILE = 5
    G_FILE = 6
    H_FILE = 7
    BLACK_CORNER = 56

cdef u64[8][64] RAYS
cdef u64[64] KNIGHT_ATTACKS
cdef u64[64] KING_ATTACKS
cdef u64[2][64] PAWN_ATTACKS
cdef u64[64][64] BETWEEN
cdef u64[64][64] LINE

cdef inline i32 file_index(i32 square) noexcept nogil:
    return square & 7

cdef inline i32 rank_index(i32 square) noexcept nogil:
    return square >> 3

cdef inline bint has_several(u64 squares) noexcept nogil:
    return (squares & (squares - 1)) != 0

cdef u64 find_rook_attacks(i32 square, u64 occupied) noexcept nogil
cdef u64 find_bishop_attacks(i32 square, u64 occupied) noexcept nogil
