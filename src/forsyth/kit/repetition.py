"""End of a match by repetition: a draw, or a loss for a side that gave check all the time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from forsyth.game import Outcome, Past

if TYPE_CHECKING:
    from forsyth.kit.game import GridGame
    from forsyth.kit.moves import GridMove
    from forsyth.kit.position import GridPosition

_FOLD_NAMES = {2: "twofold", 3: "threefold", 4: "fourfold", 5: "fivefold"}
"""The names of repetitions by the number of occurrences."""


def find_repetition_outcome(game: GridGame, past: Past[GridPosition, GridMove]) -> Outcome | None:
    """Return the outcome of a match if its last position has occurred too often, else None.

    If one side gave check with each of its moves since the first occurrence and the other side did not, the
    side that gave check loses. Otherwise the match is a draw. The sheet of the game (its data) sets the
    limit, such as 3 occurrences. `past` has the positions of the match.
    """
    limit = game.sheet.repetitions
    if past.repetitions < limit:
        return None
    key = past.position.key
    first_occurrence = next((index for index, earlier in enumerate(past.positions) if earlier.key == key), 0)
    later_positions = past.positions[first_occurrence + 1 :]
    # A side that is always in check is checked by each move of its opponent.
    first_always_checks = _is_always_in_check(game, later_positions, side=1)
    second_always_checks = _is_always_in_check(game, later_positions, side=0)
    if first_always_checks and not second_always_checks:
        return Outcome("0-1", "perpetual check")
    if second_always_checks and not first_always_checks:
        return Outcome("1-0", "perpetual check")
    fold_name = _FOLD_NAMES.get(limit, f"{limit}-fold")
    return Outcome("1/2-1/2", f"{fold_name} repetition")


def _is_always_in_check(game: GridGame, positions: tuple[GridPosition, ...], side: int) -> bool:
    """Return whether a side (0 or 1) is in check in all of `positions` in which it is to move.

    Return False if it is to move in none of them.
    """
    own_turns = [position for position in positions if position.turn == side]
    return bool(own_turns) and all(game.is_check(position) for position in own_turns)
