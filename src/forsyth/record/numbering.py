"""The number, player and label of a move in a list of moves, by the rules of its game.

The number and the player come from `Game.move_number`. A *label* is written before a move: ``34.`` if the
first player moves, ``34…`` if another player does. An *action* is a move that is one of the `actions` of the
game, such as a deal, without its arguments. A *step* continues the turn that the previous move began.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from forsyth.game import Game


class MovePlace(NamedTuple):
    """The place of a move in its game: its number, its player, and whether it is an action or a step."""

    number: int
    player: int
    """The index of the player in the `players` of the game."""
    action: str | None = None
    """The name of an action, such as ``deal``; None for a move of a piece."""
    step: bool = False
    """Whether the move continues the turn that the previous move began."""

    @property
    def label(self) -> str:
        """The text before the move: ``34.`` if the first player moves, ``34…`` if another player does."""
        return f"{self.number}{'…' if self.player else '.'}"


def locate_move(game: Game, position: Any, text: str, previous: MovePlace | None = None) -> MovePlace:
    """Return the number and the player of a move, and whether it is an action or continues a turn.

    Args:
        game: The game.
        position: The position before the move.
        text: The move in canonical notation.
        previous: The place of the move before it; None for the first move.
    """
    number, player = game.move_number(position)
    action = _action_name(game, position, text)
    return MovePlace(number, player, action, step=_continues_turn(previous, number, player))


def _continues_turn(previous: MovePlace | None, number: int, player: int) -> bool:
    """Return whether a move with this number and player continues the turn of the move before it.

    `previous` is the place of the move before it; None for the first move.
    """
    if previous is None:
        return False
    # An action that begins a turn, such as a deal, is a turn of its own.
    if previous.action is not None:
        return False
    return (previous.number, previous.player) == (number, player)


def _action_name(game: Game, position: Any, text: str) -> str | None:
    """Return the name of the action in a move, such as ``deal`` for ``deal:abc``, or None for other moves.

    An action is a move by no piece. Each game lists the names of its actions.
    """
    for name in game.actions(position):
        if text == name or text.startswith(f"{name}:"):
            return name
    return None
