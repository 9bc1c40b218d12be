# C types of search.py.
from forsyth.kit.board cimport (
    PROMOTES, Board, Marks, MoveList, find_attackers, find_marks, make, require_set_up, u32, unmake,
)
from forsyth.kit.tables cimport (
    FACE, HOP_MOVE, HOP_TAKE, HOPS, MAX_SQUARES, MOVE, TAKE, Numbers, Tables, i32, u64,
)

cdef i32 add_promoting(Board board, MoveList out, i32 man, i32 origin, i32 target) except -1
cdef i32 generate_lines(Board board, MoveList out, i32 man, i32 origin) except -1
cdef i32 generate_drops(Board board, MoveList out) except -1
cdef i32 generate(Board board, MoveList out) except -1
cdef i32 generate_legal(Board board, MoveList out) except -1
cdef i32 is_safe(Board board, u32 move) except -1
cdef i32 is_drop_mate(Board board, u32 move) except -1
cdef u64 count_lines(Board board, i32 depth) except? 0
