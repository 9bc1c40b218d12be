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
        """Return the symbol of the piece on each occupied square, such as ``{"e1": "K", "e8": "k"}``.

        If several pieces share a square, their symbols follow one another.
        """

    def material(self) -> Mapping[str, int]:
        """Return the number of pieces with each symbol, on the board and in hand, such as ``{"P": 8}``.

        Symbols that no piece has are left out.
        """

    def targets(self, square: str) -> Sequence[str]:
        """Return the squares to which the piece on `square` may legally move.

        Raise `ValueError` if there is no such square.
        """


@runtime_checkable
class Mirrorable(Protocol):
    """A position of a game in which both sides follow the same rules."""

    def mirror(self) -> Mirrorable:
        """Return the position with the two sides exchanged: their pieces, their places and the turn.

        Raise `ValueError` if the text of the position cannot express the result.
        """


def map_cell_symbols(scene: Scene) -> dict[str, str]:
    """Return the symbols of the pieces on each cell of a drawing: ``{"e1": "K", "e2": ""}``.

    The keys are the ids of the cells. A cell with three equal tiles has their symbol three times.
    """
    symbols_by_cell: dict[str, str] = {}
    for area in scene.areas:
        for cell in area.cells:
            symbols_by_cell[cell.id] = "".join(token.symbol * token.count for token in cell.tokens)
    return symbols_by_cell


def map_pieces(scene: Scene) -> dict[str, str]:
    """Return the symbols of the pieces on each occupied cell of a drawing, such as ``{"e1": "K"}``."""
    return {cell_id: symbols for cell_id, symbols in map_cell_symbols(scene).items() if symbols}


def count_pieces(scene: Scene) -> dict[str, int]:
    """Return the number of pieces with each symbol in a drawing, such as ``{"P": 8, "K": 1}``."""
    counts: Counter[str] = Counter()
    for area in scene.areas:
        for cell in area.cells:
            for token in cell.tokens:
                counts[token.symbol] += token.count
    return {symbol: count for symbol, count in counts.items() if count}


def list_targets(game: Game[P, M], position: P, origin: str) -> tuple[str, ...]:
    """Return the squares on which the legal moves from the square `origin` end, each once.

    Raise `ValueError` if there is no square with this name.
    """
    require_text("the place", origin)
    all_moves = (game.describe_move(position, move) for move in game.moves(position))
    moves_from_origin = (facts for facts in all_moves if facts.origin == origin)
    # The keys of a dict keep their order, and each target is in it once.
    target_squares = tuple(dict.fromkeys(facts.target for facts in moves_from_origin if facts.target))
    if not target_squares:
        # Checked only now, because drawing the position takes longer.
        _require_square(game, position, origin)
    return target_squares


def _require_square(game: Game[P, M], position: P, square: str) -> None:
    """Raise `ValueError` if the board of a position has no square with the name `square`."""
    squares = map_cell_symbols(game.scene(position))
    if square in squares:
        return
    example = next(iter(squares), "a1")
    raise ValueError(f"{game.name} has no square {quoted(square)}, expected a square such as {example}")
