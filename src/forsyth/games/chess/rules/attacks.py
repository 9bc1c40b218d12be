"""Who attacks what, and what follows from it by the rules of a position's variant.

A variant adds to the rules what `variants.TABLE` says; its traits and bounds are here as numbers, for rules
that run without the GIL. `checkers_of` and `decided` answer for every variant. The module runs as it is and
compiles with Cython (`attacks.pxd` gives the C types and repeats the numbers of the traits).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.position import Position
from forsyth.games.chess.variants import TABLE

if not cython.compiled:
    from forsyth.games.chess.board import (
        KING,
        KNIGHT,
        ONE,
        PAWN,
        RANK_8,
        bishop_attacks,
        i32,
        lsb,
        rook_attacks,
        u64,
    )
    from forsyth.games.chess.variants import (
        COUNTS_CHECKS,
        EXPLODES,
        HILL,
        MUST_CAPTURE,
        NO_CASTLING,  # noqa: F401 (the C types name it, for others)
        RACE,
        WHITE_HORDE,
    )

    CENTRE: Final = 0x0000001818000000
    UNDECIDED: Final = 0
    WHITE_WINS: Final = 1
    BLACK_WINS: Final = 2
    NOBODY_WINS: Final = 3
    TRAITS = [0] * 16
    LEAST_KINGS = [[0] * 16 for _ in range(2)]
    MOST_KINGS = [[0] * 16 for _ in range(2)]
    MOST_PAWNS = [[0] * 16 for _ in range(2)]
    MOST_MEN = [[0] * 16 for _ in range(2)]


def _fill_tables() -> None:
    for rules, variant in enumerate(TABLE):
        TRAITS[rules] = variant.traits
        for colour in range(2):
            LEAST_KINGS[colour][rules], MOST_KINGS[colour][rules] = variant.kings[colour]
            MOST_PAWNS[colour][rules] = variant.pawns[colour]
            MOST_MEN[colour][rules] = variant.men[colour]


_fill_tables()


def attackers(position: Position, square: i32, occupied: u64, by_black: i32) -> u64:
    """The men of one side that attack a square."""
    side: u64 = position.black if by_black else position.white
    return side & (
        (PAWN[1 - by_black][square] & position.pawns)
        | (KNIGHT[square] & position.knights)
        | (KING[square] & position.kings)
        | (rook_attacks(square, occupied) & (position.rooks | position.queens))
        | (bishop_attacks(square, occupied) & (position.bishops | position.queens))
    )


def attackers_on(position: Position, square: int, by_black: bool) -> int:
    """The men of one side that attack a square, on the board as it stands; `ValueError` for no square."""
    if not 0 <= square < 64:
        raise ValueError(f"{square} is not the number of a square")
    return attackers(position, square, position.white | position.black, 1 if by_black else 0)


def checkers_of(p: Position) -> u64:
    """The men that give check to the side to move; none where its king is no royal man."""
    own: u64 = p.black if p.black_to_move else p.white
    kings: u64 = p.kings & own
    traits: i32 = TRAITS[p.rules]
    if kings == 0 or traits & MUST_CAPTURE:
        return 0
    if traits & EXPLODES and kings_touch(p):
        return 0
    return attackers(p, lsb(kings), p.white | p.black, 1 - p.black_to_move)


def kings_touch(p: Position) -> bool:
    """Whether the kings stand side by side, where in atomic chess neither can be captured."""
    ours: u64 = p.kings & p.white
    theirs: u64 = p.kings & p.black
    return ours != 0 and theirs != 0 and KING[lsb(ours)] & theirs != 0


# --- atomic chess -----------------------------------------------------------------------------------


def blast(p: Position, target: i32) -> u64:
    """The squares that a capture on a square empties, that square among them."""
    return (ONE << target) | (KING[target] & ~p.pawns & (p.white | p.black))


def survives(p: Position, origin: i32, target: i32, taken: u64) -> bool:
    """Whether a move that is possible but for its own king is legal; `taken` is what it captures."""
    own: u64 = p.black if p.black_to_move else p.white
    kings: u64 = p.kings & own
    theirs: u64 = p.kings & ~own
    gone: u64 = 0
    after: u64 = (p.white | p.black) & ~(ONE << origin) | (ONE << target)
    if taken:
        gone = blast(p, target) | taken | (ONE << origin)
        if kings & gone:
            return False
        if theirs & gone:
            return True
        after &= ~gone
    elif kings >> origin & 1:
        kings = ONE << target
    if KING[lsb(kings)] & theirs:
        return True
    return attackers(p, lsb(kings), after, 1 - p.black_to_move) & ~gone == 0


# --- what ends a game beside mate -------------------------------------------------------------------


def decided(p: Position) -> i32:
    """Who has won by the rule that a variant adds: UNDECIDED, WHITE_WINS, BLACK_WINS or NOBODY_WINS."""
    traits: i32 = TRAITS[p.rules]
    ours: u64 = p.kings & p.white
    theirs: u64 = p.kings & p.black
    if traits & COUNTS_CHECKS:
        if p.remaining & 15 == 0:
            return WHITE_WINS
        return BLACK_WINS if p.remaining >> 4 == 0 else UNDECIDED
    if traits & EXPLODES:
        if ours and not theirs:
            return WHITE_WINS
        return BLACK_WINS if theirs and not ours else UNDECIDED
    if traits & MUST_CAPTURE:
        if p.white == 0:
            return WHITE_WINS
        return BLACK_WINS if p.black == 0 else UNDECIDED
    if traits & WHITE_HORDE:
        return BLACK_WINS if p.white == 0 and p.black else UNDECIDED
    if traits & HILL:
        if ours & CENTRE:
            return WHITE_WINS
        return BLACK_WINS if theirs & CENTRE else UNDECIDED
    return race_decided(p) if traits & RACE else UNDECIDED


def race_decided(p: Position) -> i32:
    """Who has won the race to rank 8; Black may still draw level with its next move."""
    ours: u64 = p.kings & p.white & RANK_8
    theirs: u64 = p.kings & p.black & RANK_8
    targets: u64
    if theirs:
        return NOBODY_WINS if ours else BLACK_WINS
    if not ours:
        return UNDECIDED
    if p.black_to_move and p.kings & p.black:
        targets = KING[lsb(p.kings & p.black)] & RANK_8 & ~p.black
        while targets:
            if attackers(p, lsb(targets), p.white | p.black, 0) == 0:
                return UNDECIDED
            targets &= targets - 1
    return WHITE_WINS
