# C types of board.py.
cimport cython
from forsyth.kit.tables cimport Masks, Numbers, Tables, i32, u64

ctypedef unsigned int u32
ctypedef unsigned char[257] Marks

cpdef enum:
    SQUARE_MASK = 511
    ORIGIN_SHIFT = 9
    PROMOTES = 262144
    DROP_SHIFT = 19
    PIECE_MASK = 255
    MOVED_SHIFT = 8

cdef enum:
    LIST_GROWTH = 512
    MOVE_BYTES = 4

@cython.final
cdef class MoveList:
    cdef u32* items
    cdef i32 count
    cdef i32 size
    cdef int add_move(self, u32 move) except -1
    cdef void keep_first(self, i32 count) noexcept
    cdef list to_list(self)

@cython.final
cdef class Board:
    cdef Tables tables
    cdef MoveList moves
    cdef i32 side
    cdef i32[257] squares
    cdef i32[62] hands
    cdef i32[2] kings
    cdef i32[257] attackers

cdef i32 require_set_up(Board board) except -1
cdef i32 find_king_square(Board board, i32 side) noexcept
cdef i32 find_attackers(Board board, Tables tables, i32 target, i32 side, i32 limit) noexcept nogil
cdef i32 mark_attack_squares(Board board, i32 king, i32 side, Marks marks) noexcept
cdef u32 make_move(Board board, u32 move) noexcept
cdef void unmake_move(Board board, u32 move, u32 undo) noexcept
