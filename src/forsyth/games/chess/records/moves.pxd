# C types of record_moves.py.
from forsyth.games.chess.rules.attacks cimport UNDECIDED, decided
from forsyth.games.chess.board cimport i32, u64
from forsyth.games.chess.notation.kernel cimport Chars, Out, Size
from forsyth.games.chess.rules.moves cimport advance
from forsyth.games.chess.rules.outcome cimport ending, STALEMATE
from forsyth.games.chess.position cimport Position
from forsyth.games.chess.notation.san cimport Written, find, put_bare, sign_of

cdef struct Snapshot:
    u64 men[12]
    i32 black_to_move, ep_square, half, full, rules, remaining

ctypedef Snapshot* Snapshots

cdef inline void keep(Position p, Snapshots to, Size at) noexcept nogil:
    to += at
    to.men[0], to.men[1], to.men[2], to.men[3] = p.pawns, p.knights, p.bishops, p.rooks
    to.men[4], to.men[5], to.men[6], to.men[7] = p.queens, p.kings, p.white, p.black
    to.men[8], to.men[9], to.men[10], to.men[11] = p.rights, p.promoted, p.white_pocket, p.black_pocket
    to.black_to_move, to.ep_square, to.half, to.full = p.black_to_move, p.ep_square, p.half, p.full
    to.rules, to.remaining = p.rules, p.remaining

cdef inline void restore(Position p, Snapshots kept, Size at) noexcept nogil:
    kept += at
    p.pawns, p.knights, p.bishops, p.rooks = kept.men[0], kept.men[1], kept.men[2], kept.men[3]
    p.queens, p.kings, p.white, p.black = kept.men[4], kept.men[5], kept.men[6], kept.men[7]
    p.rights, p.promoted, p.white_pocket, p.black_pocket = kept.men[8], kept.men[9], kept.men[10], kept.men[11]
    p.black_to_move, p.ep_square, p.half, p.full = kept.black_to_move, kept.ep_square, kept.half, kept.full
    p.rules, p.remaining = kept.rules, kept.remaining

cdef inline u64 changed(Position p, Snapshots kept, Size at) noexcept nogil:
    kept += at
    return (p.white ^ kept.men[6]) | (p.black ^ kept.men[7]) | (p.kings ^ kept.men[5])

cdef inline Chars part(Chars s, Size at, Size end) noexcept nogil:
    return s + at

cdef i32 take_move(Position p, Chars s, Size at, Size end) noexcept nogil
cdef i32 result_of_position(Position p, i32 repetitions) noexcept nogil
