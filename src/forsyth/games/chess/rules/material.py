"""Whether a side has the material to win, by the rules of each variant.

A side cannot win when no sequence of legal moves, however the other side helps, ends in its victory:

Standard, Chess960
    a bare king; one knight against nothing but queens; bishops where all bishops are on squares of one
    colour and there are no pawns and knights.
Crazyhouse
    men never leave the game, so the pockets count, a promoted piece is a pawn to come, and two bishops can
    be dropped on both colours: at most one knight or bishop in all.
Three-check
    a bare king.
Atomic chess
    a bare king; against a bare king one knight, bishop or rook, or two knights; bishops that cannot meet.
Antichess
    a side that captured everything; a bishop where only bishops are left and the other side has none on its
    squares; of two knights alone the one that can never be captured.
Horde
    White with no man, or with one against a bare king. Other cases are not decided here: White may lack the
    material all the same. Black can always capture the horde.
King of the Hill, Racing Kings
    a king alone can win.

The module runs as it is and compiles with Cython (`material.pxd` gives the C types).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.position import Position

if not cython.compiled:
    from forsyth.games.chess.board import LIGHT, count, i32, u64
    from forsyth.games.chess.position import CRAZYHOUSE
    from forsyth.games.chess.rules.attacks import TRAITS
    from forsyth.games.chess.variants import COUNTS_CHECKS, EXPLODES, HILL, MUST_CAPTURE, RACE, WHITE_HORDE

    MINOR_POCKET: Final = 0xFFFF00
    """The bytes of a pocket that count knights and bishops."""


def cannot_win(p: Position, black: i32) -> bool:
    """Whether a side lacks the material to win."""
    own: u64 = p.black if black else p.white
    traits: i32 = TRAITS[p.rules]
    if traits & (HILL | RACE):
        return False
    if traits & COUNTS_CHECKS:
        return own & ~p.kings == 0
    if traits & EXPLODES:
        return cannot_explode(p, own)
    if traits & MUST_CAPTURE:
        return cannot_lose_all(p, own, black)
    if traits & WHITE_HORDE:
        return not black and (p.white == 0 or (count(p.white) == 1 and count(p.black) == 1))
    if p.rules == CRAZYHOUSE:
        return is_one_minor(p)
    if (p.pawns | p.rooks | p.queens) & own:
        return False
    if p.knights & own:
        return count((p.knights | p.bishops) & own) == 1 and ~own & men_but(p, p.kings | p.queens) == 0
    if p.bishops & own:
        return p.pawns | p.knights == 0 and is_one_coloured(p.bishops)
    return True


def men_but(p: Position, others: u64) -> u64:
    """All men but some."""
    return (p.white | p.black) & ~others


def is_one_coloured(bishops: u64) -> bool:
    """Whether all stand on squares of one colour."""
    return bishops & LIGHT == 0 or bishops & ~LIGHT == 0


def is_one_minor(p: Position) -> bool:
    """Crazyhouse: at most one knight or bishop, pockets included, and nothing else but kings."""
    minors: i32 = count(p.knights | p.bishops)
    if p.pawns | p.rooks | p.queens | p.promoted:
        return False
    if (p.white_pocket | p.black_pocket) & ~MINOR_POCKET:
        return False
    minors += (p.white_pocket >> 8 & 255) + (p.white_pocket >> 16 & 255)
    minors += (p.black_pocket >> 8 & 255) + (p.black_pocket >> 16 & 255)
    return minors <= 1


def cannot_explode(p: Position, own: u64) -> bool:
    """Atomic chess: whether a side can neither mate nor explode the other king."""
    others: u64 = men_but(p, own | p.kings)
    mine: u64 = own & ~p.kings
    if p.kings & ~own == 0:
        return False
    if mine == 0:
        return True
    if others:
        # Somebody will capture something next to the king, unless no two men ever meet.
        return men_but(p, p.bishops | p.kings) == 0 and are_apart(p.bishops & own, p.bishops & ~own)
    if mine & (p.queens | p.pawns):
        return False
    return count(mine) == 1 or (mine == p.knights & own and count(mine) == 2)


def are_apart(ours: u64, theirs: u64) -> bool:
    """Whether two sides have bishops on squares of different colours only."""
    return (ours & LIGHT == 0 or theirs & LIGHT == 0) and (ours & ~LIGHT == 0 or theirs & ~LIGHT == 0)


def cannot_lose_all(p: Position, own: u64, black: i32) -> bool:
    """Antichess: whether a side can never get rid of all its men."""
    others: u64 = men_but(p, own)
    if own == 0:
        return False
    if others == 0:
        return True
    if men_but(p, p.bishops) == 0:
        return (own & LIGHT != 0 and others & LIGHT == 0) or (own & ~LIGHT != 0 and others & ~LIGHT == 0)
    if men_but(p, p.knights) == 0 and count(own) == 1 and count(others) == 1:
        # Each move changes the colour of a knight's square: only one of them ever attacks when it is to move.
        return ((own & LIGHT != 0) != (others & LIGHT != 0)) == (black == p.black_to_move)
    return False
