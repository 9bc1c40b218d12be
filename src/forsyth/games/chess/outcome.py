"""How a game of chess ends, and when a draw may be claimed.

A game ends by checkmate, stalemate, insufficient material, 75 moves, the fifth repetition, and in Three-check
by the third check. From 50 moves or the third repetition on the side to move may claim a draw; where the game
has ended there is nothing left to claim.

Material is insufficient when no sequence of legal moves ends in mate (in Three-check: in a win): bare kings,
one minor piece, or bishops all on squares of one colour. In Crazyhouse men never leave the game, so the
pockets count, a promoted piece is a pawn to come, and two bishops can be dropped on both colours.
"""

from __future__ import annotations

from typing import Final

from forsyth.game import Outcome
from forsyth.games.chess.moves import is_check, move_count
from forsyth.games.chess.position import CRAZYHOUSE, THREE_CHECK, Position

_LIGHT: Final = 0x55AA55AA55AA55AA
_MINOR_POCKET: Final = 0xFFFF00
"""The bytes of a pocket that count knights and bishops."""


def outcome(position: Position, repetitions: int = 1) -> Outcome | None:
    """How the game ended here, or None; `repetitions` says how often the position has occurred."""
    loses = "1-0" if position.black_to_move else "0-1"
    if position.rules == THREE_CHECK and 0 in position.checks:
        return Outcome("1-0" if position.checks[0] == 0 else "0-1", "three checks")
    own = position.black if position.black_to_move else position.white
    if (position.kings & own).bit_count() == 1 and move_count(position) == 0:
        if is_check(position):
            return Outcome(loses, "checkmate")
        return Outcome("1/2-1/2", "stalemate")
    if is_insufficient(position):
        return Outcome("1/2-1/2", "insufficient material")
    if position.half >= 150:
        return Outcome("1/2-1/2", "seventy-five moves")
    if repetitions >= 5:
        return Outcome("1/2-1/2", "fivefold repetition")
    return None


def claims(position: Position, repetitions: int = 1) -> tuple[str, ...]:
    """Why the side to move may claim a draw now; nothing where the game has ended."""
    found = ["fifty moves"] if position.half >= 100 else []
    if repetitions >= 3:
        found.append("threefold repetition")
    # Few positions have a claim: only those are asked whether the game goes on.
    return tuple(found) if found and outcome(position, repetitions) is None else ()


def is_insufficient(position: Position) -> bool:
    """Whether neither side can ever win."""
    if position.pawns or position.rooks or position.queens:
        return False
    if position.rules == THREE_CHECK:
        return not position.knights and not position.bishops
    minors = position.knights.bit_count() + position.bishops.bit_count()
    if position.rules == CRAZYHOUSE:
        return not position.promoted and _is_one_minor(position, minors)
    if minors <= 1:
        return True
    return not position.knights and (not position.bishops & _LIGHT or not position.bishops & ~_LIGHT)


def _is_one_minor(position: Position, on_board: int) -> bool:
    """Crazyhouse: at most one knight or bishop, pockets included, and nothing else in hand."""
    pockets = (position.white_pocket, position.black_pocket)
    if any(pocket & ~_MINOR_POCKET for pocket in pockets):
        return False
    in_hand = sum((pocket >> 8 & 255) + (pocket >> 16 & 255) for pocket in pockets)
    return on_board + in_hand <= 1
