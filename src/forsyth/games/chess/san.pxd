# C types of san.py.
from forsyth.games.chess.board cimport (
    u64, u16, i32, ONE, ENDS, lsb, KNIGHT, KING, PAWN, rook_attacks, bishop_attacks,
)
from forsyth.games.chess.position cimport Position, CRAZYHOUSE, THREE_CHECK
from forsyth.games.chess.legality cimport attackers
from forsyth.games.chess.kernel cimport is_ascii, characters, length, Chars, Size
from forsyth.games.chess.generate cimport CASTLE, DROP, MoveBuffer, ep_is_real, generate
from forsyth.games.chess.moves cimport Move, checkers_of, make, move_of

cdef enum:
    ILLEGAL = -1
    AMBIGUOUS = -2
    SHAPELESS = -3

cdef i32 find_marked(Position p, str text, i32 without)
cdef i32 find(Position p, Chars s, i32 n) noexcept
cdef i32 find_castling(Position p, i32 king_side) noexcept
cdef i32 find_pawn(Position p, i32 file, i32 rank, i32 target, i32 promotion) noexcept
cdef i32 find_king_castling(Position p, i32 origin, i32 target) noexcept
cdef str _bare(Position p, i32 number)
cdef i32 find_drop(Position p, i32 kind, i32 target) noexcept
cdef u64 reaching(Position p, i32 kind, i32 target) noexcept
cdef i32 kind_on(Position p, i32 square) noexcept
cdef bint is_safe(Position p, i32 origin, i32 target) noexcept
cdef i32 only_safe(Position p, u64 origins, i32 target) noexcept
