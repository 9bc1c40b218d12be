"""Queries about a position of any game: its pieces, their number, and where they may move.

`Queryable` lists the methods that positions have for them; the positions of all built-in games have these.
The functions here compute the answers from the scene and the legal moves, for games without a faster way.
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
class Queryable(Protocol):
    """A position that can list its pieces and their targets."""

    def piece_map(self) -> Mapping[str, str]:
        """Return the symbols of the pieces on each occupied square, such as ``{"e1": "K", "e8": "k"}``."""

    def material(self) -> Mapping[str, int]:
        """Return how many pieces of each symbol exist, on the board and in hand, such as ``{"P": 8}``.

        A symbol without pieces is left out.
        """

    def targets(self, square: str) -> Sequence[str]:
        """Return the squares to which the piece on `square` may legally move.

        Raise `ValueError` if there is no such square.
        """


@runtime_checkable
class Mirrorable(Protocol):
    """A position of a game in which both sides follow the same rules."""

    def mirror(self) -> Mirrorable:
        """Return the position with the two sides exchanged: their pieces, their board sides and the turn.

        Raise `ValueError` if this is not possible.
        """


def map_cell_symbols(scene: Scene) -> dict[str, str]:
    """Return the symbols of the pieces on each cell of a drawing, such as ``{"e1": "K", "e2": ""}``.

    The keys are the ids of the cells. An empty cell has an empty text, and a cell with three equal tiles has
    their symbol three times.
    """
    return {
        cell.id: "".join(token.symbol * token.count for token in cell.tokens)
        for area in scene.areas
        for cell in area.cells
    }


def map_pieces(scene: Scene) -> dict[str, str]:
    """Return the symbols of the pieces on each occupied cell of a drawing, such as ``{"e1": "K"}``."""
    return {place: symbols for place, symbols in map_cell_symbols(scene).items() if symbols}


def count_pieces(scene: Scene) -> dict[str, int]:
    """Return how many pieces or tiles of each symbol a drawing shows, such as ``{"P": 8, "K": 1}``."""
    counts: Counter[str] = Counter()
    for area in scene.areas:
        for cell in area.cells:
            for token in cell.tokens:
                counts[token.symbol] += token.count
    return {symbol: count for symbol, count in counts.items() if count}


def list_targets(game: Game[P, M], position: P, place: str) -> tuple[str, ...]:
    """Return the squares on which the legal moves from the square `place` end, each once.

    Raise `ValueError` if the scene of the position has no such square.
    """
    require_text("the place", place)
    move_facts = (game.describe_move(position, move) for move in game.moves(position))
    moves_from_place = (facts for facts in move_facts if facts.origin == place)
    # The keys of a dict keep their order, and each target is in it once.
    target_squares = tuple(dict.fromkeys(facts.target for facts in moves_from_place if facts.target))
    if not target_squares:
        _require_square(game, position, place)
    return target_squares


def _require_square(game: Game[P, M], position: P, place: str) -> None:
    """Raise `ValueError` if the drawing of a position has no square `place`."""
    squares = map_cell_symbols(game.scene(position))
    if place in squares:
        return
    example = next(iter(squares), "a1")
    raise ValueError(f"{game.name} has no square {quoted(place)}, expected a square such as {example}")
