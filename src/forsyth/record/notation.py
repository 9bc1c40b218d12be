"""The notations in which the moves of a record can be written.

- ``canonical`` is the notation of the game, SAN in chess. Reading expects it.
- ``lan`` names the squares that a move leaves and reaches, as `MoveFacts.lan` does.
- ``uci`` is the notation of engines, for games that have it (`forsyth.abilities.PackedMoves`).

Records are read in all of them, with a warning for each move that is not canonical.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from forsyth.arguments import require_choice
from forsyth.game import Game, PackedMoves

Notation: TypeAlias = Literal["canonical", "lan", "uci"]
"""The name of a notation."""
NOTATIONS: Final[tuple[Notation, ...]] = ("canonical", "lan", "uci")
"""All notations."""


def require_notation(game: Game, notation: Notation) -> None:
    """Raise `ValueError` if `notation` is unknown, or is ``uci`` and the game has no UCI notation."""
    require_choice("notation", notation, NOTATIONS)
    if notation == "uci" and not isinstance(game, PackedMoves):
        raise ValueError(f"{game.name} has no UCI notation; choose canonical or lan")


def write_move(game: Game, position: Any, move: Any, notation: Notation) -> str:
    """Return a legal move as text in a notation: ``Nf3`` if canonical, ``g1f3`` for ``uci``.

    `position` is the position before the move.
    """
    if notation == "canonical":
        return game.write_move(position, move)
    if notation == "uci" and isinstance(game, PackedMoves):
        return game.uci_move(move)
    return game.describe_move(position, move).lan
