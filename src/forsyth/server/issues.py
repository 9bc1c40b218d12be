"""Findings in the words of the HTTP specification (spec/azul 10.2): an *issue* is a diagnostic and more.

Written: the library's dictionary with `code` in capitals and `component`, the name of the field, beside it. A
game that has its own words (`Reporting`) adds the places it knows (`index player row col`). What is inside a
wrapped text is given in the same words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from forsyth.abilities import component_of, reporting
from forsyth.diagnostics import Diagnostic
from forsyth.game import Game


def issue(diagnostic: Diagnostic, game: Game | None) -> dict[str, Any]:
    """One finding in the specification's words."""
    return as_issue(diagnostic, diagnostic.to_dict(), game)


def as_issue(diagnostic: Diagnostic, data: Mapping[str, Any], game: Game | None) -> dict[str, Any]:
    """The same where the finding is at hand as data already."""
    found = {**data, "code": diagnostic.code_in_capitals, "component": component_of(game, diagnostic)}
    if diagnostic.inside:
        found["inside"] = [issue(inner, game) for inner in diagnostic.inside]
    words = None if game is None else reporting(game)
    return found if words is None else {**found, **words.places_of(diagnostic.square)}
