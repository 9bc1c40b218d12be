"""The contract that every game must keep, as one call: `conform(game, texts)`.

Accepts a game and texts of its positions, good and broken; its own start, names and examples are added.
Raises `AssertionError` with one sentence for the first thing that is not as `forsyth.Game`, or an ability
that the game has, promises. Needs no test framework.

Limits: some broken texts are made of each text, and some moves and edits are tried on each position, always
the same ones. What a game's specification says is for the game's own tests.
"""

from __future__ import annotations

from collections.abc import Iterable

from forsyth.abilities import Columnar, Editable
from forsyth.game import Game, M, P
from forsyth.testing.columns import require_columns
from forsyth.testing.editing import require_editing
from forsyth.testing.facts import require_facts
from forsyth.testing.playing import require_match, require_rules
from forsyth.testing.positions import require_answers, require_identity, require_mirror, require_views
from forsyth.testing.texts import positions_of, require_reading, texts_of

__all__ = ["conform"]


def conform(game: Game[P, M], texts: Iterable[str] = ()) -> None:
    """Raise `AssertionError` with a sentence unless a game keeps its contract on these texts and its own."""
    try:
        _require_contract(game, texts)
    except AssertionError:
        raise
    except Exception as error:
        raise AssertionError(f"{game.name}: {type(error).__name__} is raised: {error}") from error


def _require_contract(game: Game[P, M], texts: Iterable[str]) -> None:
    require_facts(game)
    known = texts_of(game, texts)
    require_reading(game, known)
    positions = positions_of(game, known)
    for position in positions:
        require_identity(game, position)
        require_views(game, position)
        require_answers(game, position)
        if isinstance(game, Editable):
            require_editing(game, position)
        if not any(finding.is_error for finding in game.check(position)):
            require_rules(game, position)
            require_mirror(game, position)
    require_match(game)
    if isinstance(game, Columnar):
        require_columns(game, known)
