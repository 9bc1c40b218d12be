# C types of features.py.
from forsyth.games.chess.board cimport u64, i32, LIGHT, NOT_FILE_A, NOT_FILE_H, count, lsb
from forsyth.games.chess.rules.attacks cimport checkers_of
from forsyth.games.chess.rules.legality cimport castling_wings
from forsyth.games.chess.position cimport Position, CRAZYHOUSE, THREE_CHECK

cdef extern from *:
    u64 ALL "0xFFFFFFFFFFFFFFFFULL"
    u64 FILE_A "0x0101010101010101ULL"

cdef enum:
    NUMBERS = 41
    MOST_NUMBERS = 52
    FIRST_OF_WHITE = 11
    FIRST_OF_BLACK = 26

ctypedef i32* Numbers
ctypedef i32[MOST_NUMBERS] NumberBuffer

cdef i32 numbers_in(i32 rules) noexcept nogil
cdef void put_features(Position position, i32 rules, Numbers out) noexcept nogil
cdef void put_pocket_features(Position position, Numbers out) noexcept nogil
cdef i32 put_side(Position position, i32 black, Numbers out, i32 at) noexcept nogil
cdef i32 stage_of(i32 pieces) noexcept nogil
cdef bint opposite_bishops(Position position) noexcept nogil
cdef i32 isolated(u64 pawns) noexcept nogil
cdef i32 files_of(u64 pawns) noexcept nogil
cdef i32 passed(u64 own, u64 enemy, i32 black) noexcept nogil
