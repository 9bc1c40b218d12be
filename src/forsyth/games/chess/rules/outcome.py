"""Ends of chess games and claims of a draw.

A game ends by checkmate, stalemate, insufficient material, 75 moves, the fifth repetition, and by the rule
of a variant (`attacks.find_variant_winner`): the third check, an exploded king, a king on the hill, the
race, the last piece. In antichess a side without a legal move has won. After 50 moves or the third repetition
the side to move may claim a draw, unless the game has ended.

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
    THREE_OCCURRENCES: Final = 3
    FIVE_OCCURRENCES: Final = 5
    """How often a position must occur for a claim of a draw, and to end the game."""

    def select_win_code(white_code: int, winner: int) -> int:
        """Return the code of a win: `white_code` if White has won, and the code after it if Black has.

        `winner` is WHITE_WINS or BLACK_WINS.
        """
        return white_code if winner == WHITE_WINS else white_code + 1


def _make_win_outcomes(reason: str) -> tuple[Outcome, Outcome]:
    """Return the outcomes of a win for White (``1-0``) and of a win for Black (``0-1``).

    `reason` is the reason of both, such as ``checkmate``.
    """
    return Outcome("1-0", reason), Outcome("0-1", reason)


def _make_draw_outcome(reason: str) -> Outcome:
    """Return the outcome of a draw (``1/2-1/2``). `reason` is a text such as ``stalemate``."""
    return Outcome("1/2-1/2", reason)


_OUTCOMES: Final = (
    None,
    *_make_win_outcomes("three checks"),
    *_make_win_outcomes("checkmate"),
    *_make_win_outcomes("king exploded"),
    *_make_win_outcomes("no men left"),
    *_make_win_outcomes("stalemate"),
    *_make_win_outcomes("king in the center"),
    *_make_win_outcomes("race finished"),
    _make_draw_outcome("stalemate"),
    _make_draw_outcome("race finished"),
    _make_draw_outcome("insufficient material"),
    _make_draw_outcome("seventy-five moves"),
    _make_draw_outcome("fivefold repetition"),
)
"""The outcome for each result of `find_ending_code`. Draws come last."""


def find_outcome(position: Position, repetitions: int = 1) -> Outcome | None:
    """Return how the game ended in a position, such as 1-0 by checkmate, or None if it goes on.

    `repetitions` is how often the position has occurred in the game, this time included.
    """
    # The number is limited, because the compiled function takes 32 bits, and more repetitions change nothing.
    limited_repetitions = min(repetitions, FIVE_OCCURRENCES)
    return _OUTCOMES[find_ending_code(position, limited_repetitions)]


def find_ending_code(position: Position, repetitions: i32) -> i32:
    """Return how the game ended, as a code such as CHECKMATE or STALEMATE, or 0 if the game goes on.

    A win for White has the code of its reason, and the same win for Black the code after it. The code is an
    index of `_OUTCOMES`. `repetitions` is how often the position has occurred, this time included.
    """
    buffer: MoveBuffer
    own_pieces: u64 = position.black if position.black_to_move else position.white
    king_count: i32 = count(position.kings & own_pieces)
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


def list_claims(position: Position, repetitions: int = 1) -> tuple[str, ...]:
    """Return the reasons why the side to move may claim a draw: fifty moves, threefold repetition, or both.

    The tuple is empty if there is no reason or the game has ended. `repetitions` is how often the position
    has occurred in the game, this time included.
    """
    reasons = ["fifty moves"] if position.half >= FIFTY_MOVES else []
    if repetitions >= THREE_OCCURRENCES:
        reasons.append("threefold repetition")
    # `find_outcome` is slow, so it is only computed for the few positions that have a reason.
    if not reasons or find_outcome(position, repetitions) is not None:
        return ()
    return tuple(reasons)


def is_insufficient(position: Position) -> bool:
    """Return whether the game is a draw because neither side has the material to win."""
    return cannot_win(position, 0) and cannot_win(position, 1)


def find_variant_ending_code(traits: i32, winner: i32) -> i32:
    """Return the code of a game that the special rule of a variant has ended, such as HILL_REACHED.

    The code is an index of `_OUTCOMES`.

    Args:
        traits: The rules of the variant, as a sum of bits such as HILL.
        winner: WHITE_WINS, BLACK_WINS or NOBODY_WINS.
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
