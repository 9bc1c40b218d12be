"""Findings in the words of the HTTP specification (spec/azul 10.2): an *issue* is a diagnostic and more.

Written: the library's dictionary with `code` in capitals and `component`, the name of the field, beside it. A
game whose own report knows further places (`index player row col`) adds them, see `own`. What is inside a
wrapped text is given in the same words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from forsyth.diagnostics import Diagnostic
from forsyth.game import Game
from forsyth.game_data import component_of
from forsyth.server.own import own


def issue(diagnostic: Diagnostic, game: Game | None) -> dict[str, Any]:
    """One finding in the specification's words."""
    return as_issue(diagnostic, diagnostic.to_dict(), game)


def as_issue(diagnostic: Diagnostic, data: Mapping[str, Any], game: Game | None) -> dict[str, Any]:
    """The same where the finding is at hand as data already."""
    found = {**data, "code": diagnostic.code_in_capitals, "component": component_of(game, diagnostic)}
    if diagnostic.inside:
        found["inside"] = [issue(inner, game) for inner in diagnostic.inside]
    places_of = None if game is None else own(game, "report", "places_of")
    return found if places_of is None else {**found, **places_of(diagnostic.square)}
