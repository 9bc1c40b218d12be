# C types of generate.py.
from forsyth.games.chess.board cimport (
    u64, u16, i32, ALL, ONE, NOT_FILE_A, NOT_FILE_H, ENDS, RANK_1, RANK_2, RANK_3, RANK_6, lsb,
    KNIGHT, KING, PAWN, BETWEEN, LINE, rook_attacks, bishop_attacks,
)
from forsyth.games.chess.position cimport Position, CHESS960, CRAZYHOUSE
from forsyth.games.chess.rules.attacks cimport (
    EXPLODES, MUST_CAPTURE, NO_CASTLING, RACE, TRAITS, WHITE_HORDE, attackers, decided, survives,
)

ctypedef u16* Moves
ctypedef u16[2048] MoveBuffer

cpdef enum:
    CASTLE = 1
    PROMOTE = 1
    DROP = 8

cdef i32 put(Moves out, i32 n, i32 origin, u64 targets) noexcept nogil
cdef i32 put_pawns(Moves out, i32 n, u64 targets, i32 step, i32 kinds) noexcept nogil
cdef u64 attacked_by(Position p, u64 side, u64 occupied, i32 black) noexcept nogil
cdef i32 generate(Position p, Moves out) noexcept nogil
cdef i32 generate_men(Position p, Moves out, i32 n, u64 pinned, u64 mask, i32 king) noexcept nogil
cdef i32 generate_captures_first(Position p, Moves out) noexcept nogil
cdef i32 generate_kings(Position p, Moves out, i32 n, u64 mask) noexcept nogil
cdef i32 generate_atomic(Position p, Moves out) noexcept nogil
cdef i32 surviving(Position p, Moves out, i32 n) noexcept nogil
cdef i32 without_checks(Position p, Moves out, i32 n) noexcept nogil
cdef bint gives_check(Position p, i32 move, i32 king) noexcept nogil
cdef i32 generate_pawns(Position p, Moves out, i32 n, u64 pinned, u64 mask, i32 king) noexcept nogil
cdef i32 generate_castling(Position p, Moves out, i32 n, i32 king, u64 danger) noexcept nogil
cdef i32 generate_drops(Position p, Moves out, i32 n, u64 targets) noexcept nogil
cdef bint en_passant_safe(Position p, i32 origin, i32 king) noexcept nogil
cdef bint ep_is_real(Position p) noexcept nogil
