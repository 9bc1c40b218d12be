"""Positions that occur again: a draw, unless one side gave check all the time, which loses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from forsyth.game import Outcome, Past

if TYPE_CHECKING:
    from forsyth.kit.game import GridGame
    from forsyth.kit.moves import GridMove
    from forsyth.kit.position import GridPosition

_TIMES = {2: "twofold", 3: "threefold", 4: "fourfold", 5: "fivefold"}


def repeated(game: GridGame, past: Past[GridPosition, GridMove]) -> Outcome | None:
    """How a match ended by repetition, or None.

    A side loses that gave check with every one of its moves since the position occurred first, where the
    other side did not.
    """
    most = game.sheet.repetitions
    if past.repetitions < most:
        return None
    last = past.position
    first = next((at for at, before in enumerate(past.positions) if before.key == last.key), 0)
    since = past.positions[first + 1 :]
    always = [_all_checked(game, since, 1 - side) for side in (0, 1)]
    if always[0] != always[1]:
        return Outcome("0-1" if always[0] else "1-0", "perpetual check")
    return Outcome("1/2-1/2", f"{_TIMES.get(most, f'{most}-fold')} repetition")


def _all_checked(game: GridGame, positions: tuple[GridPosition, ...], side: int) -> bool:
    """Whether a side was in check whenever it was to move."""
    own = [position for position in positions if position.turn == side]
    return bool(own) and all(game.is_check(position) for position in own)
