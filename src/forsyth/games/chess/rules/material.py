"""Insufficient material: the positions in which a side can no longer win, by variant.

A side cannot win if no sequence of legal moves ends in its victory, even with the help of the other side:

Standard, Chess960
    a bare king; one knight, if the other side has nothing but queens and its king; bishops, if all bishops
    of both sides are on squares of one colour and there are no pawns and knights.
Crazyhouse
    at most one knight or bishop on the board and in the pockets together, and no other pieces but kings.
    Captured pieces come back, a promoted piece comes back as a pawn, and bishops can be dropped on any
    colour.
Three-check
    a bare king.
Atomic chess
    a bare king; against a bare king one knight, bishop or rook, or two knights; bishops that cannot meet.
Antichess
    a side whose opponent has no pieces left; a side with a bishop on a colour on which the other side has
    none, if only bishops are left; of two single knights the one that can never be captured.
Horde
    White without pieces, or with one piece against a bare king. In other cases White counts as able to win,
    even where it is not. Black can always capture the horde.
King of the Hill, Racing Kings
    no side: a king alone can win.

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
    from forsyth.games.chess.board import LIGHT_SQUARES, count, i32, u64
    from forsyth.games.chess.position import CRAZYHOUSE, count_pocket
    from forsyth.games.chess.rules.attacks import TRAITS
    from forsyth.games.chess.variants import COUNTS_CHECKS, EXPLODES, HILL, MUST_CAPTURE, RACE, WHITE_HORDE

    MINOR_POCKET: Final = 0xFFFF00
    """The bytes of a pocket that hold the numbers of knights and bishops."""

    def has_light_square(squares: int) -> bool:
        """Return whether a set of squares contains a light one."""
        return squares & LIGHT_SQUARES != 0

    def has_dark_square(squares: int) -> bool:
        """Return whether a set of squares contains a dark one."""
        return squares & ~LIGHT_SQUARES != 0


def cannot_win(position: Position, is_black: i32) -> bool:
    """Return whether a side lacks the material to win, even with the help of the other side.

    `is_black` is 1 for Black and 0 for White. Each variant has its own rule.
    """
    own_pieces: u64 = position.black if is_black else position.white
    traits: i32 = TRAITS[position.rules]
    if traits & (HILL | RACE):
        return False
    if traits & COUNTS_CHECKS:
        return (own_pieces & ~position.kings) == 0
    if traits & EXPLODES:
        return cannot_win_atomic(position, own_pieces)
    if traits & MUST_CAPTURE:
        return cannot_win_antichess(position, own_pieces, is_black)
    if traits & WHITE_HORDE:
        return not is_black and (
            position.white == 0 or (count(position.white) == 1 and count(position.black) == 1)
        )
    if position.rules == CRAZYHOUSE:
        return has_at_most_one_minor(position)
    return cannot_win_standard(position, own_pieces)


def cannot_win_standard(position: Position, own_pieces: u64) -> bool:
    """Return whether a side can never checkmate the other side by the rules of standard chess.

    This is so for a bare king, for one knight against a king with nothing but queens, and for bishops if all
    bishops of both sides stand on squares of one colour and there are no pawns and knights. `own_pieces` is
    the set of the side's pieces.
    """
    if (position.pawns | position.rooks | position.queens) & own_pieces:
        return False
    if position.knights & own_pieces:
        # A knight can mate a king that its own pieces block, unless these are only queens.
        return (
            count((position.knights | position.bishops) & own_pieces) == 1
            and find_pieces_except(position, own_pieces | position.kings | position.queens) == 0
        )
    if position.bishops & own_pieces:
        return (position.pawns | position.knights) == 0 and are_on_one_colour(position.bishops)
    return True


def find_pieces_except(position: Position, excluded: u64) -> u64:
    """Return the set of squares of all pieces on the board, without the squares in `excluded`."""
    return (position.white | position.black) & ~excluded


def are_on_one_colour(bishops: u64) -> bool:
    """Return whether all `bishops`, given as a set of squares, stand on squares of one colour."""
    return not (has_light_square(bishops) and has_dark_square(bishops))


def has_at_most_one_minor(position: Position) -> bool:
    """Return whether both sides together have no piece but their kings and at most one knight or bishop.

    Pieces in hand count as well, because this is the rule of Crazyhouse.
    """
    minor_count: i32 = count(position.knights | position.bishops)
    if position.pawns | position.rooks | position.queens | position.promoted:
        return False
    if (position.white_pocket | position.black_pocket) & ~MINOR_POCKET:
        return False
    # All pieces in hand are knights and bishops.
    minor_count += count_pocket(position.white_pocket) + count_pocket(position.black_pocket)
    return minor_count <= 1


def cannot_win_atomic(position: Position, own_pieces: u64) -> bool:
    """Return whether a side can neither checkmate nor explode the enemy king in atomic chess.

    `own_pieces` is the set of the side's pieces.
    """
    # The pieces of both sides apart from kings.
    enemy_fighters: u64 = find_pieces_except(position, own_pieces | position.kings)
    own_fighters: u64 = own_pieces & ~position.kings
    own_knights: u64 = position.knights & own_pieces
    own_bishops: u64 = position.bishops & own_pieces
    enemy_bishops: u64 = position.bishops & ~own_pieces
    if (position.kings & ~own_pieces) == 0:
        return False
    if own_fighters == 0:
        return True
    if enemy_fighters:
        # Some capture next to the enemy king is possible, unless all pieces are bishops that never meet.
        if find_pieces_except(position, position.bishops | position.kings):
            return False
        return are_on_opposite_colours(own_bishops, enemy_bishops)
    if own_fighters & (position.queens | position.pawns):
        return False
    if own_fighters == own_knights:
        return count(own_knights) <= 2
    return count(own_fighters) == 1


def are_on_opposite_colours(own_bishops: u64, enemy_bishops: u64) -> bool:
    """Return whether no bishop of one side shares a square colour with a bishop of the other side.

    Both parameters are sets of squares.
    """
    if has_light_square(own_bishops) and has_light_square(enemy_bishops):
        return False
    return not (has_dark_square(own_bishops) and has_dark_square(enemy_bishops))


def cannot_win_antichess(position: Position, own_pieces: u64, is_black: i32) -> bool:
    """Return whether a side can never win antichess, which it wins by losing all its pieces.

    `own_pieces` is the set of the side's pieces, and `is_black` is 1 if the side is Black.
    """
    enemy_pieces: u64 = find_pieces_except(position, own_pieces)
    if own_pieces == 0:
        return False
    if enemy_pieces == 0:
        return True
    if find_pieces_except(position, position.bishops) == 0:
        # A bishop cannot be captured if the enemy has none on squares of its colour.
        return (has_light_square(own_pieces) and not has_light_square(enemy_pieces)) or (
            has_dark_square(own_pieces) and not has_dark_square(enemy_pieces)
        )
    if (
        find_pieces_except(position, position.knights) == 0
        and count(own_pieces) == 1
        and count(enemy_pieces) == 1
    ):
        # Each move changes the colour of a knight's square, so only one of the knights can ever capture. It
        # is never captured itself, so its side cannot win. It is the one to move, unless both knights stand
        # on squares of one colour.
        if is_black == position.black_to_move:
            return has_light_square(own_pieces) != has_light_square(enemy_pieces)
        return has_light_square(own_pieces) == has_light_square(enemy_pieces)
    return False
