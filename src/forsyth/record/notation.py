"""The notations in which the moves of a record can be written.

``canonical`` is the game's own (SAN in chess) and the one that reading expects. ``lan`` names the squares
that a move leaves and reaches, as `MoveFacts.lan` does. ``uci`` is what engines exchange, for games that have
it (`forsyth.abilities.PackedMoves`).

Reading a record takes all of them, with a warning for each move that is not canonical.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from forsyth.arguments import require_choice
from forsyth.game import Game, PackedMoves

Notation: TypeAlias = Literal["canonical", "lan", "uci"]
NOTATIONS: Final[tuple[Notation, ...]] = ("canonical", "lan", "uci")


def require_notation(game: Game, notation: Notation) -> None:
    """Raise `ValueError` unless a game has a notation."""
    require_choice("notation", notation, NOTATIONS)
    if notation == "uci" and not isinstance(game, PackedMoves):
        raise ValueError(f"{game.name} has no UCI notation; choose canonical or lan")


def write_in(game: Game, position: Any, move: Any, notation: Notation) -> str:
    """A legal move in a notation that the game has."""
    if notation == "canonical":
        return game.write_move(position, move)
    if notation == "uci" and isinstance(game, PackedMoves):
        return game.uci_move(move)
    return game.describe_move(position, move).lan
