"""A conformance test for games: `conform(game, texts)`.

It checks a game against the contract of `forsyth.Game` and of the abilities that the game has. It needs no
test framework.

Limits: for each text some invalid texts are derived, and on each position some moves and edits are tried,
always the same ones. Rules of the particular game need tests of their own.
"""

from __future__ import annotations

from collections.abc import Iterable

from forsyth.abilities import Columnar, Editable
from forsyth.game import Game, M, P
from forsyth.testing.bulk_columns import require_bulk_columns
from forsyth.testing.columns import require_columns
from forsyth.testing.editing import require_editing
from forsyth.testing.facts import require_facts
from forsyth.testing.playing import require_match, require_rules
from forsyth.testing.positions import require_answers, require_identity, require_mirror, require_views
from forsyth.testing.texts import collect_texts, read_positions, require_reading

__all__ = ["conform"]


def conform(game: Game[P, M], texts: Iterable[str] = ()) -> None:
    """Check that a game keeps the contract of `forsyth.Game` and of its abilities.

    Args:
        game: The game to check.
        texts: Valid and invalid position texts. The start, names and examples of the game are added.

    Raises:
        AssertionError: If a check fails, with one sentence about the first failure.
    """
    try:
        _require_contract(game, texts)
    except AssertionError:
        raise
    except Exception as error:
        raise AssertionError(
            f"{game.name}: a check raised an unexpected {type(error).__name__}: {error}"
        ) from error


def _require_contract(game: Game[P, M], texts: Iterable[str]) -> None:
    """Run all checks of `conform` on a game, its start position and the positions of `texts`.

    Raise `AssertionError` if a check fails. Other errors that the game raises are passed on.
    """
    require_facts(game)
    all_texts = collect_texts(game, texts)
    require_reading(game, all_texts)
    positions = read_positions(game, all_texts)
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
        require_columns(game, all_texts)
    require_bulk_columns(game, all_texts)
