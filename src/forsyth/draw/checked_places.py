"""The places of the pieces in check, such as the square of a checked king.

A game reports only whether the side to move is in check. To find the place, each piece of that side whose
symbol occurs once is removed on trial: if the game then reports a new finding without a square, such as a
missing king, the piece is in check. No game reports a missing queen. The places are searched only if there
is a check, and each trial costs one `Game.check`. A game without checks has no such places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from forsyth.abilities import Checking, Editable
from forsyth.game import Game
from forsyth.scene import Scene


def find_checked_places(
    game: Game, position: Any, scene: Scene, before_each: Callable[[], None] = lambda: None
) -> list[str]:
    """Return the places of the pieces in check, such as ``["e8"]``, or an empty list if there is no check.

    A game reports only that there is a check. Therefore each piece of the side to move that has no second of
    its kind is removed on trial: if the position then lacks a required piece, that piece is in check.

    Args:
        game: The game of the position.
        position: A legal position.
        scene: The scene of the position.
        before_each: Is called before each piece is tried. It may raise an exception to stop the search.
    """
    # Only a game that can be edited allows a piece to be removed.
    if not isinstance(game, Checking) or not isinstance(game, Editable):
        return []
    if not game.is_check(position):
        return []
    known_codes = _collect_codes_without_square(game, position)
    checked_places = []
    for place in _list_unique_pieces(scene, game.side_to_move(position)):
        before_each()
        if _is_required_piece(game, position, place, known_codes):
            checked_places.append(place)
    return checked_places


def _list_unique_pieces(scene: Scene, side: str) -> list[str]:
    """Return the places of the pieces of a side, such as ``White``, that have no second of their kind.

    A king is such a piece, and so is a queen if the side has only one.
    """
    placed_tokens = [(cell.id, token) for area in scene.areas for cell in area.cells for token in cell.tokens]
    symbol_counts = Counter(token.symbol for _, token in placed_tokens)
    tokens_of_side = [
        (place, token) for place, token in placed_tokens if token.owner.casefold() == side.casefold()
    ]
    return [place for place, token in tokens_of_side if symbol_counts[token.symbol] == 1]


def _is_required_piece(game: Any, position: Any, place: str, known_codes: set[str]) -> bool:
    """Return True if the position without the piece at `place` has a new error, such as a missing king.

    Return False if the game does not allow the removal.

    Args:
        game: The game of the position.
        position: A legal position.
        place: The place of the piece, such as ``e8``.
        known_codes: The codes that `_collect_codes_without_square` returns for the complete position.
    """
    try:
        position_without_piece = game.put(position, place, None)
        codes = _collect_codes_without_square(game, position_without_piece)
    except ValueError:
        return False
    return not codes <= known_codes


def _collect_codes_without_square(game: Any, position: Any) -> set[str]:
    """Return the codes of the errors and warnings of a position that name no square.

    That of a missing king is one of them.
    """
    return {finding.code for finding in game.check(position) if finding.square is None}
