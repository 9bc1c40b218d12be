# C types of moves.py.
from forsyth.games.chess.rules.attacks cimport UNDECIDED, find_checkers, find_variant_winner
from forsyth.games.chess.board cimport i32, u64
from forsyth.games.chess.notation.kernel cimport Chars, Out, Size
from forsyth.games.chess.rules.moves cimport MAX_CLOCK, apply_move
from forsyth.games.chess.rules.outcome cimport find_ending_code, STALEMATE
from forsyth.games.chess.position cimport Position
from forsyth.record_bytes.words cimport DIGIT_0, DIGIT_9, FULL_STOP, HASH, MINUS, PLUS, SPACE
from forsyth.games.chess.notation.san cimport Written, find, put_bare, sign_of

cdef extern from *:
    """
    static const unsigned char forsyth_piece_letters[] = "KQRBNPKQRBNP";
    """
    Chars PIECE_LETTERS "forsyth_piece_letters"

cdef struct Snapshot:
    u64 boards[12]
    i32 black_to_move, ep_square, half, full, rules, remaining

ctypedef Snapshot* Snapshots

cdef enum:
    MIN_SAN_SIZE = 2
    MAX_SAN_SIZE = 8
    INVALID_MOVE = -1
    NULL_MOVE = 0
    MAX_WORD_SIZE = 15
    AT_SIGN = 64
    LETTER_P = 80
    LETTER_Z = 90
    SMALL_P = 112
    TILDE = 126
    PIECE_SYMBOL_COUNT = 12
    UNKNOWN_RESULT = 0
    WHITE_WON = 1
    BLACK_WON = 2
    DRAWN = 3

cdef inline void save_position(Position position, Snapshots snapshots, Size index) noexcept nogil:
    cdef Snapshots to = snapshots + index
    to.boards[0], to.boards[1], to.boards[2] = position.pawns, position.knights, position.bishops
    to.boards[3], to.boards[4], to.boards[5] = position.rooks, position.queens, position.kings
    to.boards[6], to.boards[7] = position.white, position.black
    to.boards[8], to.boards[9] = position.rights, position.promoted
    to.boards[10], to.boards[11] = position.white_pocket, position.black_pocket
    to.black_to_move, to.ep_square = position.black_to_move, position.ep_square
    to.half, to.full = position.half, position.full
    to.rules, to.remaining = position.rules, position.remaining

cdef inline void restore_position(Position position, Snapshots snapshots, Size index) noexcept nogil:
    cdef Snapshots source = snapshots + index
    position.pawns, position.knights, position.bishops = source.boards[0], source.boards[1], source.boards[2]
    position.rooks, position.queens, position.kings = source.boards[3], source.boards[4], source.boards[5]
    position.white, position.black = source.boards[6], source.boards[7]
    position.rights, position.promoted = source.boards[8], source.boards[9]
    position.white_pocket, position.black_pocket = source.boards[10], source.boards[11]
    position.black_to_move, position.ep_square = source.black_to_move, source.ep_square
    position.half, position.full = source.half, source.full
    position.rules, position.remaining = source.rules, source.remaining

cdef inline u64 changed_squares(Position position, Snapshots snapshots, Size index) noexcept nogil:
    cdef Snapshots source = snapshots + index
    return (
        (position.white ^ source.boards[6]) | (position.black ^ source.boards[7])
        | (position.kings ^ source.boards[5])
    )

cdef inline bint equals_written(Chars chars, Size start, Out written, Size size) noexcept nogil:
    cdef Size i
    for i in range(size):
        if written[i] != chars[start + i]:
            return False
    return True

cdef inline Chars slice_chars(Chars chars, Size start, Size end) noexcept nogil:
    return chars + start

cdef i32 play_written_move(Position position, Chars chars, Size start, Size end) noexcept nogil
cdef i32 result_of_position(Position position, i32 repetitions) noexcept nogil
cdef i32 spell_in_ascii(Chars chars, Size start, Size end, Out out) noexcept nogil
cdef bint is_ascii_letter(i32 byte) noexcept nogil
cdef bint is_dash(Chars chars, Size start) noexcept nogil
cdef i32 play_respelled_move(Position position, Out word, i32 size, Out out) noexcept nogil
cdef bint is_named_pawn_drop(Out word, i32 size) noexcept nogil
cdef bint is_null_move(Out word, i32 size) noexcept nogil
cdef bint can_pass_turn(Position position) noexcept nogil
cdef void play_recorded_move(Position position, i32 move) noexcept nogil
