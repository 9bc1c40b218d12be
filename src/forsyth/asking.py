"""What can be asked of a position of any game: what stands where, how much of it, where it may go.

`Askable` says which methods a position has for it; those of all built-in games have them. The functions here
answer from the scene and the moves, for games that know no quicker way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from forsyth.arguments import quoted, require_text
from forsyth.scene import Scene

if TYPE_CHECKING:
    from forsyth.game import Game
    from forsyth.game_values import M, P


@runtime_checkable
class Askable(Protocol):
    """A position that says what stands on it."""

    def piece_map(self) -> Mapping[str, str]:
        """What stands on each place of the scene that is not empty, as the notation writes it."""

    def material(self) -> Mapping[str, int]:
        """How many men of each letter there are, those in hand included; none is 0."""

    def targets(self, square: str) -> Sequence[str]:
        """Where what stands on a place may go: the targets of its legal moves; `ValueError` for no place."""


@runtime_checkable
class Mirrored(Protocol):
    """A position of a game whose sides follow the same rules."""

    def mirror(self) -> Mirrored:
        """The position with the sides exchanged; `ValueError` where it has no such twin."""


def symbols_on(scene: Scene) -> dict[str, str]:
    """What stands on each cell of a scene."""
    return {
        cell.id: "".join(token.symbol * token.count for token in cell.tokens)
        for area in scene.areas
        for cell in area.cells
    }


def piece_map(scene: Scene) -> dict[str, str]:
    """What stands on each cell of a scene that is not empty."""
    return {place: symbols for place, symbols in symbols_on(scene).items() if symbols}


def material(scene: Scene) -> dict[str, int]:
    """How many tokens of each symbol a scene shows."""
    counts: Counter[str] = Counter()
    for area in scene.areas:
        for cell in area.cells:
            for token in cell.tokens:
                counts[token.symbol] += token.count
    return {symbol: count for symbol, count in counts.items() if count}


def targets(game: Game[P, M], position: P, place: str) -> tuple[str, ...]:
    """The targets of the legal moves that begin on a place, each once; `ValueError` for no place."""
    require_text("the place", place)
    facts = (game.describe_move(position, move) for move in game.moves(position))
    found = tuple(dict.fromkeys(fact.target for fact in facts if fact.origin == place and fact.target))
    if not found and place not in symbols_on(game.scene(position)):
        raise ValueError(f"{quoted(place)} is no place of {game.name}")
    return found
