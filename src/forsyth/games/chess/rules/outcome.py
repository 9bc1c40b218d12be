"""How a game of chess ends, and when a draw may be claimed.

A game ends by checkmate, stalemate, insufficient material, 75 moves, the fifth repetition, and by what a
variant adds (`attacks.decided`): the third check, an exploded king, a king on the hill, the race, the last
man. In antichess who cannot move has won. From 50 moves or the third repetition on the side to move may
claim a draw; where the game has ended there is nothing left to claim.

Material is insufficient when neither side can ever win (see `material`).

The module runs as it is and compiles with Cython (`outcome.pxd` gives the C types); `ending` needs no GIL.
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
    from forsyth.games.chess.rules.attacks import NOBODY_WINS, TRAITS, checkers_of, decided
    from forsyth.games.chess.rules.generate import MoveBuffer, generate
    from forsyth.games.chess.rules.material import cannot_win
    from forsyth.games.chess.variants import EXPLODES, HILL, MUST_CAPTURE, RACE, WHITE_HORDE

    THIRD_CHECK: Final = 1
    CHECKMATE: Final = 3
    EXPLOSION: Final = 5
    LAST_MAN: Final = 7
    NO_MOVE: Final = 9
    HILL_REACHED: Final = 11
    RACE_WON: Final = 13
    STALEMATE: Final = 15
    RACE_DRAWN: Final = 16
    INSUFFICIENT: Final = 17
    SEVENTY_FIVE: Final = 18
    FIVEFOLD: Final = 19


def _won(reason: str) -> tuple[Outcome, Outcome]:
    return Outcome("1-0", reason), Outcome("0-1", reason)


def _drawn(reason: str) -> Outcome:
    return Outcome("1/2-1/2", reason)


_OUTCOMES: Final = (
    None,
    *_won("three checks"),
    *_won("checkmate"),
    *_won("king exploded"),
    *_won("no men left"),
    *_won("stalemate"),
    *_won("king in the center"),
    *_won("race finished"),
    _drawn("stalemate"),
    _drawn("race finished"),
    _drawn("insufficient material"),
    _drawn("seventy-five moves"),
    _drawn("fivefold repetition"),
)
"""What each number of `ending` says. Where a side wins, it is one higher for Black; draws come last."""


def outcome(position: Position, repetitions: int = 1) -> Outcome | None:
    """How the game ended here, or None; `repetitions` says how often the position has occurred."""
    return _OUTCOMES[ending(position, min(repetitions, 5))]


def ending(position: Position, repetitions: i32) -> i32:
    """How the game ended here, as a place in `_OUTCOMES`; 0 where it goes on."""
    buffer: MoveBuffer
    own: u64 = position.black if position.black_to_move else position.white
    traits: i32 = TRAITS[position.rules]
    winner: i32 = decided(position) if traits else 0
    if winner:
        return ending_of(traits, winner)
    if not cython.compiled:
        buffer = [0] * 2048
    # Without a king nobody moves, unless the rules need none.
    if (
        count(position.kings & own) == 1
        or traits & MUST_CAPTURE
        or (traits & WHITE_HORDE and position.kings & own == 0)
    ) and generate(position, buffer) == 0:
        if traits & MUST_CAPTURE:
            return NO_MOVE + position.black_to_move
        if checkers_of(position) == 0:
            return STALEMATE
        return CHECKMATE if position.black_to_move else CHECKMATE + 1
    if is_insufficient(position):
        return INSUFFICIENT
    if position.half >= 150:
        return SEVENTY_FIVE
    return FIVEFOLD if repetitions >= 5 else 0


def claims(position: Position, repetitions: int = 1) -> tuple[str, ...]:
    """Why the side to move may claim a draw now; nothing where the game has ended."""
    found = ["fifty moves"] if position.half >= 100 else []
    if repetitions >= 3:
        found.append("threefold repetition")
    # Few positions have a claim: only those are asked whether the game goes on.
    return tuple(found) if found and outcome(position, repetitions) is None else ()


def is_insufficient(position: Position) -> bool:
    """Whether neither side can ever win."""
    return cannot_win(position, 0) and cannot_win(position, 1)


def ending_of(traits: i32, winner: i32) -> i32:
    """The number of the ending by the rule that a variant adds."""
    if winner == NOBODY_WINS:
        return RACE_DRAWN
    if traits & EXPLODES:
        return EXPLOSION - 1 + winner
    if traits & HILL:
        return HILL_REACHED - 1 + winner
    if traits & RACE:
        return RACE_WON - 1 + winner
    if traits & (MUST_CAPTURE | WHITE_HORDE):
        return LAST_MAN - 1 + winner
    return THIRD_CHECK - 1 + winner
