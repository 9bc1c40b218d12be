"""Who is in check, on which places of the scene: games say whether, and this says where.

Accepts
    Legal positions of any game. One that knows no check has none.
Writes
    The places of those men of the side to move that a position should not be without: of a king that is gone
    there is a finding, of a queen there is none. They are looked for only in check; each costs one `check`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from forsyth.abilities import Checking, Editable
from forsyth.game import Game
from forsyth.scene import Scene


def checked_places(
    game: Game, position: Any, scene: Scene, before_each: Callable[[], None] = lambda: None
) -> list[str]:
    """Where the men stand that are in check; nothing where nobody is.

    `before_each` is called before each man is tried, and may raise to give up.
    """
    if not isinstance(game, Checking) or not isinstance(game, Editable) or not game.is_check(position):
        return []
    side = game.side_to_move(position).casefold()
    standing = [(cell.id, token) for area in scene.areas for cell in area.cells for token in cell.tokens]
    often = Counter(token.symbol for _, token in standing)
    own = (place for place, token in standing if often[token.symbol] == 1 and token.owner.casefold() == side)
    known = _placeless(game, position)
    found = []
    for place in own:
        before_each()
        if _is_missed(game, position, place, known):
            found.append(place)
    return found


def _is_missed(game: Any, position: Any, place: str, known: set[str]) -> bool:
    """Whether something new is found when what stands on a place is gone."""
    try:
        return not _placeless(game, game.put(position, place, None)) <= known
    except ValueError:
        return False


def _placeless(game: Any, position: Any) -> set[str]:
    """The codes of findings that no place of the board shows: what is missing has none."""
    return {finding.code for finding in game.check(position) if finding.square is None}
