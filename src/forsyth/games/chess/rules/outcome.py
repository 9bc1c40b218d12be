"""Ends of chess games and claims of a draw.

A game ends by checkmate, stalemate, insufficient material, 75 moves, the fifth repetition, and by the rule
of a variant (`attacks.find_variant_winner`): the third check, an exploded king, a king on the hill, the race,
the last piece. In antichess a side without a legal move has won. After 50 moves or the third repetition the side
to move may claim a draw, unless the game has ended.

Material is insufficient if neither side can ever win (see `material`).

The module runs as it is and compiles with Cython (`outcome.pxd` gives the C types). `find_ending_code` needs
no GIL.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.game import Outcome
from forsyth.games.chess.position import Position

if not cython.compiled:
    from forsyth.games.chess.board import count, i32, u64
    from forsyth.games.chess.rules.attacks import (
        NOBODY_WINS,
        TRAITS,
        WHITE_WINS,
        find_checkers,
        find_variant_winner,
    )
    from forsyth.games.chess.rules.generate import MOVE_BUFFER_SIZE, MoveBuffer, generate_moves
    from forsyth.games.chess.rules.material import cannot_win
    from forsyth.games.chess.variants import EXPLODES, HILL, MUST_CAPTURE, RACE, WHITE_HORDE

    NO_ENDING: Final = 0
    THIRD_CHECK: Final = 1
    CHECKMATE: Final = 3
    EXPLOSION: Final = 5
    NO_PIECES_LEFT: Final = 7
    NO_MOVE: Final = 9
    HILL_REACHED: Final = 11
    RACE_WON: Final = 13
    STALEMATE: Final = 15
    RACE_DRAWN: Final = 16
    INSUFFICIENT: Final = 17
    SEVENTY_FIVE: Final = 18
    FIVEFOLD: Final = 19
    """Results of `find_ending_code`, as indexes of `_OUTCOMES`.

    A win for Black is one more than the same win for White.
    """
    SEVENTY_FIVE_MOVES: Final = 150
    FIFTY_MOVES: Final = 100
    """Values of the half-move clock."""
    FIVE_OCCURRENCES: Final = 5
    """How often a position must occur to end the game."""

    def select_win_code(white_code: int, winner: int) -> int:
        """Return the code of a win: `white_code` for White, and the code after it for Black.

        `winner` is WHITE_WINS or BLACK_WINS.
        """
        return white_code if winner == WHITE_WINS else white_code + 1


def _wins(reason: str) -> tuple[Outcome, Outcome]:
    """Return the outcomes of a win for White (``1-0``) and for Black (``0-1``), for `reason`."""
    return Outcome("1-0", reason), Outcome("0-1", reason)


def _draw(reason: str) -> Outcome:
    """Return the outcome of a draw (``1/2-1/2``), for `reason`."""
    return Outcome("1/2-1/2", reason)


_OUTCOMES: Final = (
    None,
    *_wins("three checks"),
    *_wins("checkmate"),
    *_wins("king exploded"),
    *_wins("no men left"),
    *_wins("stalemate"),
    *_wins("king in the center"),
    *_wins("race finished"),
    _draw("stalemate"),
    _draw("race finished"),
    _draw("insufficient material"),
    _draw("seventy-five moves"),
    _draw("fivefold repetition"),
)
"""The outcome for each result of `find_ending_code`. Draws come last."""


def outcome(position: Position, repetitions: int = 1) -> Outcome | None:
    """Return how the game ended, such as 1-0 by checkmate, or None if it goes on.

    Args:
        position: The position to judge.
        repetitions: How often the position has occurred in the game, this time included.
    """
    # A limit, because the compiled function takes a number of 32 bits.
    return _OUTCOMES[find_ending_code(position, min(repetitions, FIVE_OCCURRENCES))]


def find_ending_code(position: Position, repetitions: i32) -> i32:
    """Return how the game ended, as a code such as CHECKMATE or STALEMATE, or 0 if the game goes on.

    The code is an index of `_OUTCOMES`. A win for White has the code of its reason, and the same win for
    Black the code after it. `repetitions` is how often the position has occurred, this time included.
    """
    buffer: MoveBuffer
    own: u64 = position.black if position.black_to_move else position.white
    king_count: i32 = count(position.kings & own)
    traits: i32 = TRAITS[position.rules]
    winner: i32 = find_variant_winner(position) if traits else 0
    has_needed_king: i32
    if winner:
        return find_variant_ending_code(traits, winner)

    if not cython.compiled:
        buffer = [0] * MOVE_BUFFER_SIZE
    # A side without its one king has no moves, which is not a stalemate, unless the variant needs no king.
    has_needed_king = (
        king_count == 1 or (traits & MUST_CAPTURE) != 0 or ((traits & WHITE_HORDE) != 0 and king_count == 0)
    )
    if has_needed_king and generate_moves(position, buffer) == 0:
        if traits & MUST_CAPTURE:
            # The side without a move has won.
            return NO_MOVE + position.black_to_move
        if find_checkers(position) == 0:
            return STALEMATE
        return CHECKMATE if position.black_to_move else CHECKMATE + 1

    if is_insufficient(position):
        return INSUFFICIENT
    if position.half >= SEVENTY_FIVE_MOVES:
        return SEVENTY_FIVE
    return FIVEFOLD if repetitions >= FIVE_OCCURRENCES else NO_ENDING


def claims(position: Position, repetitions: int = 1) -> tuple[str, ...]:
    """Return the reasons why the side to move may claim a draw: fifty moves, threefold repetition, or both.

    The tuple is empty if there is no reason or the game has ended. `repetitions` is how often the position
    has occurred in the game, this time included.
    """
    reasons = ["fifty moves"] if position.half >= FIFTY_MOVES else []
    if repetitions >= 3:
        reasons.append("threefold repetition")
    # `outcome` is slow, so it is only computed for the few positions that have a reason.
    if not reasons or outcome(position, repetitions) is not None:
        return ()
    return tuple(reasons)


def is_insufficient(position: Position) -> bool:
    """Return whether the game is a draw because neither side has the material to win."""
    return cannot_win(position, 0) and cannot_win(position, 1)


def find_variant_ending_code(traits: i32, winner: i32) -> i32:
    """Return the code of a game that the extra rule of a variant has ended, such as HILL_REACHED.

    The code is an index of `_OUTCOMES`. `traits` are the rules of the variant as a sum of bits such as HILL.
    `winner` is WHITE_WINS, BLACK_WINS or NOBODY_WINS.
    """
    if winner == NOBODY_WINS:
        return RACE_DRAWN
    if traits & EXPLODES:
        return select_win_code(EXPLOSION, winner)
    if traits & HILL:
        return select_win_code(HILL_REACHED, winner)
    if traits & RACE:
        return select_win_code(RACE_WON, winner)
    if traits & (MUST_CAPTURE | WHITE_HORDE):
        return select_win_code(NO_PIECES_LEFT, winner)
    return select_win_code(THIRD_CHECK, winner)
