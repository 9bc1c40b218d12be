# C types of write.py.
from forsyth.games.cotulenh.board cimport u32, i32, i64
from forsyth.games.cotulenh.rules.attacks cimport Units
from forsyth.games.cotulenh.position cimport Position
from forsyth.games.cotulenh.stacks cimport CARRIERS, TYPES, HEROIC_SHIFT, BLUE_BIT

cdef extern from "Python.h":
    str text_of "PyUnicode_FromStringAndSize" (const char* characters, Py_ssize_t size)

ctypedef char[1400] Buffer

cdef unsigned char[11] KINDS
cdef char[11] CHARS
cdef i32 put_unit(Buffer out, i32 at, u32 unit) noexcept nogil
cdef i32 put_board(Buffer out, Units units) noexcept nogil
cdef i32 put_ranks(Buffer out, i32 at, Units units, i32 first) noexcept nogil
cdef i32 put_empty(Buffer out, i32 at, i32 empty) noexcept nogil
cdef i32 put_number(Buffer out, i32 at, i64 number) noexcept nogil
cdef i32 put_text(Buffer out, Units units, i32 blue, i64 half, i64 full) noexcept nogil
cdef i32 put_rest(Buffer out, i32 at, i32 blue, i64 half, i64 full) noexcept nogil
cdef str placement(Position position)
cdef str written_board(Position position)
cpdef str encode(Position position)
