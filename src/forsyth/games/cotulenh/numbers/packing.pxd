# C types of packing.py.
from forsyth.games.cotulenh.board cimport u32, i32, i64, SQUARE_COUNT
from forsyth.games.cotulenh.rules.attacks cimport Units
from forsyth.games.cotulenh.position cimport Position, draft_position, seal_position
from forsyth.games.cotulenh.notation.write cimport KINDS
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, HEROIC_SHIFT, TYPES

ctypedef unsigned char[320] Packed
ctypedef i64[3] State
ctypedef unsigned char[136] OccupiedSquares

cdef enum:
    PACKED_VERSION = 1
    MAX_PACKED_BYTES = 320
    MAX_CLOCK_32 = 2147483647
    FORM_COUNT = 34
    NO_FORM = 34
    BITMAP_END = 18
    FORM_MASK = 63
    BLUE_SHIFT = 6
    HEROIC_FLAG = 128
    GROUP_MASK = 127
    GROUP_BITS = 7
    MORE_FLAG = 128
    SIDE_TO_MOVE = 0
    HALF_CLOCK = 1
    FULL_CLOCK = 2
    STATE_SIZE = 3
    BITMAP_START = 1
    TYPE_COUNT = 11
    BYTE_SHIFT = 3
    BIT_MASK = 7
    MAX_LEB128_BYTES = 5

cdef unsigned char[2048] FORM_NUMBERS
cdef unsigned short[35] FORM_TYPES
cdef i32 find_occupied(Units units, OccupiedSquares occupied) noexcept nogil
cdef i32 write_board(Packed packed, Units units) noexcept nogil
cpdef bytes pack_board(Position position)
cpdef bytes pack_plain(Position position)
cpdef Position unpack_plain(bytes data)
cdef i32 write_packed(Packed packed, Units units, State state) noexcept nogil
cdef u32 pack_heroic_marks(u32 types, u32 heroic) noexcept nogil
cdef i32 write_leb128(Packed packed, i32 offset, i64 number) noexcept nogil
cdef i32 read_packed(Packed packed, Units units, State state) noexcept nogil
cdef i32 read_occupied(Packed packed, OccupiedSquares occupied) noexcept nogil
cdef u32 unpack_heroic_types(u32 types, u32 marks) noexcept nogil
cdef i32 read_leb128(Packed packed, i32 offset, State state, i32 index) noexcept nogil
