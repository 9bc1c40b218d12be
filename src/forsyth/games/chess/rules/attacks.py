"""Attacks, checks and the winners that the rules of a variant add.

`variants.VARIANT_TABLE` describes the variants. This module copies their traits and limits into arrays of
numbers, because the rules run without the GIL. `find_checkers` and `find_variant_winner` handle every
variant. The module runs as it is and compiles with Cython (`attacks.pxd` gives the C types and repeats the
numbers of the traits).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.position import Position
from forsyth.games.chess.variants import VARIANT_TABLE

if not cython.compiled:
    from forsyth.games.chess.board import (
        KING_ATTACKS,
        KNIGHT_ATTACKS,
        ONE,
        PAWN_ATTACKS,
        RANK_8,
        find_bishop_attacks,
        find_rook_attacks,
        i32,
        lsb,
        u64,
    )
    from forsyth.games.chess.position import find_double_step_target
    from forsyth.games.chess.variants import (
        COUNTS_CHECKS,
        EXPLODES,
        HILL,
        MUST_CAPTURE,
        NO_CASTLING,  # noqa: F401 (attacks.pxd declares it, so other modules can import it from here)
        RACE,
        WHITE_HORDE,
    )

    CENTRE: Final = 0x0000001818000000
    """The squares d4, e4, d5 and e5, which a king reaches to win King of the Hill."""
    WHITE_CHECKS_MASK: Final = 15
    BLACK_CHECKS_SHIFT: Final = 4
    """Layout of `Position.remaining`: White's checks in the low four bits, Black's above them."""
    UNDECIDED: Final = 0
    WHITE_WINS: Final = 1
    BLACK_WINS: Final = 2
    NOBODY_WINS: Final = 3
    """Results of `find_variant_winner`. NOBODY_WINS means that the variant ends the game as a draw."""
    TRAITS = [0] * 16
    """The trait bits of each variant, by the number of its rules."""
    MIN_KINGS = [[0] * 16 for _ in range(2)]
    MAX_KINGS = [[0] * 16 for _ in range(2)]
    MAX_PAWNS = [[0] * 16 for _ in range(2)]
    MAX_PIECES = [[0] * 16 for _ in range(2)]
    """Limits on the pieces of a side, by colour (0 White, 1 Black) and by the number of the rules."""

    def select_winner(has_white_won: bool, has_black_won: bool) -> int:
        """Return WHITE_WINS if White has won, else BLACK_WINS if Black has won, else UNDECIDED."""
        if has_white_won:
            return WHITE_WINS
        return BLACK_WINS if has_black_won else UNDECIDED


def _fill_tables() -> None:
    """Fill TRAITS, MIN_KINGS, MAX_KINGS, MAX_PAWNS and MAX_PIECES from `VARIANT_TABLE`.

    Compiled code without the GIL can read these arrays, but not the Python objects of the table.
    """
    for rules, variant in enumerate(VARIANT_TABLE):
        TRAITS[rules] = variant.traits
        for colour in range(2):
            MIN_KINGS[colour][rules], MAX_KINGS[colour][rules] = variant.king_limits[colour]
            MAX_PAWNS[colour][rules] = variant.max_pawns[colour]
            MAX_PIECES[colour][rules] = variant.max_pieces[colour]


_fill_tables()


def collect_attackers(position: Position, square: i32, occupied: u64, by_black: i32) -> u64:
    """Return the set of squares of one side's pieces that attack a square.

    A set of squares has one bit for each square.

    Args:
        position: The position.
        square: The attacked square, 0 for a1 to 63 for h8.
        occupied: The set of squares that block rooks, bishops and queens. It may differ from the board, to
            find the attackers after a move.
        by_black: 1 for Black's pieces, 0 for White's.
    """
    own_pieces: u64 = position.black if by_black else position.white
    # A piece attacks the square if a piece of the same kind on the square would attack it. For a pawn, that
    # is a pawn of the other colour.
    return own_pieces & (
        (PAWN_ATTACKS[1 - by_black][square] & position.pawns)
        | (KNIGHT_ATTACKS[square] & position.knights)
        | (KING_ATTACKS[square] & position.kings)
        | (find_rook_attacks(square, occupied) & (position.rooks | position.queens))
        | (find_bishop_attacks(square, occupied) & (position.bishops | position.queens))
    )


def find_attackers(position: Position, square: int, by_black: bool) -> int:
    """Return the set of squares of the pieces of one side that attack a square.

    The pieces are Black's if `by_black` is True. A set of squares has one bit for each square. Raise
    `ValueError` if `square` is not a number from 0 (a1) to 63 (h8).
    """
    if not 0 <= square < 64:
        raise ValueError(f"square number {square} is out of range, expected 0 to 63 (a1 to h8)")
    return collect_attackers(position, square, position.white | position.black, 1 if by_black else 0)


def find_checkers(position: Position) -> u64:
    """Return the set of squares of the pieces that give check to the side to move.

    The set has one bit for each square. It is empty if this side has no king, if kings are ordinary pieces
    (antichess), or if the kings are adjacent in atomic chess.
    """
    own_pieces: u64 = position.black if position.black_to_move else position.white
    kings: u64 = position.kings & own_pieces
    traits: i32 = TRAITS[position.rules]
    if kings == 0 or traits & MUST_CAPTURE:
        return 0
    if (traits & EXPLODES) and are_kings_adjacent(position):
        return 0
    return collect_attackers(
        position, lsb(kings), position.white | position.black, 1 - position.black_to_move
    )


def are_kings_adjacent(position: Position) -> bool:
    """Return whether the two kings stand on adjacent squares.

    In atomic chess neither king can be captured then, because the capture would explode both.
    """
    white_king: u64 = position.kings & position.white
    black_king: u64 = position.kings & position.black
    return white_king != 0 and black_king != 0 and KING_ATTACKS[lsb(white_king)] & black_king != 0


def is_en_passant_safe(position: Position, origin: i32, king_square: i32) -> bool:
    """Return whether an en-passant capture does not leave the mover's king in check.

    The test of pins is not enough, because the capture removes two pawns from one rank. `origin` is the
    square of the capturing pawn, and `king_square` that of the mover's king, or −1 if there is no king to
    protect.
    """
    captured_pawn: u64 = ONE << find_double_step_target(position.ep_square)
    occupied_after: u64
    attackers_after: u64
    if king_square < 0:
        return True
    occupied_after = (position.white | position.black) ^ captured_pawn ^ (ONE << origin)
    occupied_after |= ONE << position.ep_square
    attackers_after = (
        collect_attackers(position, king_square, occupied_after, 1 - position.black_to_move) & ~captured_pawn
    )
    return attackers_after == 0


# --- atomic chess -----------------------------------------------------------------------------------


def find_blast_squares(position: Position, target: i32) -> u64:
    """Return the set of squares that a capture on the square `target` empties in atomic chess.

    They are the target itself and the squares around it that have a piece other than a pawn.
    """
    occupied: u64 = position.white | position.black
    return (ONE << target) | (KING_ATTACKS[target] & occupied & ~position.pawns)


def is_atomic_legal(position: Position, origin: i32, target: i32, captured: u64) -> bool:
    """Return whether a move in atomic chess neither explodes nor exposes the mover's own king.

    The move must be legal apart from checks and explosions. It may leave its own king in check if it explodes
    the enemy king, or if the kings are adjacent afterwards.

    Args:
        position: The position before the move.
        origin: The square on which the move starts.
        target: The square on which it ends.
        captured: The set with the square of the captured piece, empty for a move without capture.
    """
    own_pieces: u64 = position.black if position.black_to_move else position.white
    own_king: u64 = position.kings & own_pieces
    enemy_king: u64 = position.kings & ~own_pieces
    exploded: u64 = 0
    # The squares that are occupied after the move.
    occupied: u64 = ((position.white | position.black) & ~(ONE << origin)) | (ONE << target)

    if captured:
        exploded = find_blast_squares(position, target) | captured | (ONE << origin)
        if own_king & exploded:
            return False
        if enemy_king & exploded:
            return True
        occupied &= ~exploded
    elif own_king & (ONE << origin):
        own_king = ONE << target

    if KING_ATTACKS[lsb(own_king)] & enemy_king:
        return True
    return collect_attackers(position, lsb(own_king), occupied, 1 - position.black_to_move) & ~exploded == 0


# --- winners by the rules of a variant --------------------------------------------------------------


def find_variant_winner(position: Position) -> i32:
    """Return the winner by the special rule of the position's variant, such as the third check.

    The result is WHITE_WINS, BLACK_WINS, NOBODY_WINS for a draw, or UNDECIDED if the game goes on. Checkmate
    and stalemate are not examined.
    """
    traits: i32 = TRAITS[position.rules]
    white_kings: u64 = position.kings & position.white
    black_kings: u64 = position.kings & position.black
    if traits & COUNTS_CHECKS:
        return select_winner(
            (position.remaining & WHITE_CHECKS_MASK) == 0, (position.remaining >> BLACK_CHECKS_SHIFT) == 0
        )
    if traits & EXPLODES:
        return select_winner(white_kings != 0 and black_kings == 0, black_kings != 0 and white_kings == 0)
    if traits & MUST_CAPTURE:
        return select_winner(position.white == 0, position.black == 0)
    if traits & WHITE_HORDE:
        return select_winner(False, position.white == 0 and position.black != 0)
    if traits & HILL:
        return select_winner((white_kings & CENTRE) != 0, (black_kings & CENTRE) != 0)
    return find_race_winner(position) if traits & RACE else UNDECIDED


def find_race_winner(position: Position) -> i32:
    """Return the winner of Racing Kings: the side whose king is the first on rank 8.

    The result is WHITE_WINS, BLACK_WINS, NOBODY_WINS for a draw, or UNDECIDED if the game goes on. Black
    moves second: after White's king has reached rank 8, Black's king may follow with the next move, which
    makes a draw.
    """
    white_finished: u64 = position.kings & position.white & RANK_8
    black_finished: u64 = position.kings & position.black & RANK_8
    if black_finished:
        return NOBODY_WINS if white_finished else BLACK_WINS
    if not white_finished:
        return UNDECIDED
    return UNDECIDED if position.black_to_move and can_black_finish_race(position) else WHITE_WINS


def can_black_finish_race(position: Position) -> bool:
    """Return whether Black's king can move to a square of rank 8 that White does not attack."""
    black_king: u64 = position.kings & position.black
    targets: u64
    if not black_king:
        return False
    targets = KING_ATTACKS[lsb(black_king)] & RANK_8 & ~position.black
    while targets:
        if collect_attackers(position, lsb(targets), position.white | position.black, 0) == 0:
            return True
        targets &= targets - 1  # Remove the lowest square.
    return False
