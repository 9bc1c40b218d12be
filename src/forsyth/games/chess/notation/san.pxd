# C types of san.py.
from forsyth.games.chess.board cimport (
    u64, u16, i32, ONE, END_RANKS, RANK_1, lsb, KNIGHT_ATTACKS, KING_ATTACKS, PAWN_ATTACKS, find_rook_attacks, find_bishop_attacks,
)
from forsyth.games.chess.position cimport Position, CRAZYHOUSE
from forsyth.games.chess.rules.attacks cimport (
    BLACK_WINS, COUNTS_CHECKS, MUST_CAPTURE, TRAITS, UNDECIDED, WHITE_WINS, collect_attackers, find_checkers, find_variant_winner,
)
from forsyth.games.chess.notation.kernel cimport is_ascii, characters, length, text_of, Chars, Out, Size
from forsyth.games.chess.rules.generate cimport CASTLE, DROP, MoveBuffer, is_ep_square_valid, generate_moves
from forsyth.games.chess.rules.moves cimport Move, make_move, intern_move

cdef extern from *:
    """
    static const unsigned char forsyth_letters[] = "PNBRQK";
    """
    Chars LETTERS "forsyth_letters"
    u64 FILE_A "0x0101010101010101ULL"

ctypedef unsigned char[16] Written

cdef enum:
    ILLEGAL = -1
    AMBIGUOUS = -2
    SHAPELESS = -3
    LETTER_O = 79
    PLUS = 43
    HASH = 35

cdef i32 find_marked(Position p, str text, i32 without)
cdef i32 find(Position p, Chars s, i32 n) noexcept nogil
cdef i32 find_castling(Position p, i32 king_side) noexcept nogil
cdef i32 find_pawn(Position p, i32 file, i32 rank, i32 target, i32 promotion) noexcept nogil
cdef i32 find_king_castling(Position p, i32 origin, i32 target) noexcept nogil
cdef i32 put_bare(Position p, i32 number, Out out) noexcept nogil
cdef u64 alike(Position p, i32 kind, i32 origin, i32 target) noexcept nogil
cdef i32 put_square(Out out, i32 at, i32 square) noexcept nogil
cdef i32 find_listed(Position p, i32 kind, i32 file, i32 rank, i32 ending) noexcept nogil
cdef i32 sign_of(Position after) noexcept nogil
cdef u64 listed_origins(Position p, i32 target) noexcept nogil
cdef i32 find_drop(Position p, i32 kind, i32 target) noexcept nogil
cdef u64 reaching(Position p, i32 kind, i32 target) noexcept nogil
cdef i32 kind_on(Position p, i32 square) noexcept nogil
cdef bint is_safe(Position p, i32 origin, i32 target) noexcept nogil
cdef i32 only_safe(Position p, u64 origins, i32 target) noexcept nogil
