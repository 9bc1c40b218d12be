"""How a move is numbered and called in a list of moves, by the rule of its game.

The number and the player are the game's (`Game.move_number`). A *label* is what stands before a move: ``34.``
where the first player moves, ``34…`` where another does. An *action* is a move that is one of the game's
`actions`, such as a deal, by its bare name. A *step* goes on with the turn of the move before it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from forsyth.game import Game


class MovePlace(NamedTuple):
    """Where a move stands in its game."""

    number: int
    player: int
    """The index in the game's `players` of who moves."""
    action: str | None = None
    """The bare name of an action, such as ``deal``; None for a move of a piece."""
    step: bool = False
    """Whether it is a further step of the turn that the move before it began."""

    @property
    def label(self) -> str:
        """The number with a dot, or with an ellipsis where a player other than the first moves."""
        return f"{self.number}{'…' if self.player else '.'}"


def place_of(game: Game, position: Any, text: str, before: MovePlace | None = None) -> MovePlace:
    """The place of a move played in a position; `before` is that of the move that led to it."""
    number, player = game.move_number(position)
    # An action that begins a turn, such as a deal, is a turn of its own.
    step = before is not None and before.action is None and (before.number, before.player) == (number, player)
    return MovePlace(number, player, _action(game, position, text), step)


def _action(game: Game, position: Any, text: str) -> str | None:
    names = game.actions(position)
    return next((name for name in names if text == name or text.startswith(f"{name}:")), None)
