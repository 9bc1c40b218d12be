# C types of packing.py.
from forsyth.games.cotulenh.board cimport u32, i32, i64, SQUARE_COUNT
from forsyth.games.cotulenh.rules.attacks cimport Units
from forsyth.games.cotulenh.position cimport Position, blank, seal
from forsyth.games.cotulenh.notation.write cimport KINDS
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, HEROIC_SHIFT, TYPES

ctypedef unsigned char[320] Packed
ctypedef i64[3] State
ctypedef unsigned char[136] Squares

cdef enum:
    PACKED_VERSION = 1
    LONGEST = 320
    MAX_NUMBER = 2147483647
    FORM_COUNT = 34
    NO_FORM = 34

cdef unsigned char[2048] FORM_OF
cdef unsigned short[35] TYPES_OF
cdef i32 find_units(Units units, Squares found) noexcept nogil
cdef i32 put_board(Packed out, Units units) noexcept nogil
cpdef bytes board_form(Position position)
cpdef bytes plain_form(Position position)
cpdef Position from_plain_form(bytes data)
cdef i32 put_packed(Packed out, Units units, State state) noexcept nogil
cdef u32 marks_of(u32 types, u32 heroic) noexcept nogil
cdef i32 put_leb(Packed out, i32 at, i64 number) noexcept nogil
cdef i32 take_packed(Packed data, Units units, State state) noexcept nogil
cdef u32 heroic_of(u32 types, u32 marks) noexcept nogil
cdef i32 take_leb(Packed data, i32 at, State state, i32 place) noexcept nogil
