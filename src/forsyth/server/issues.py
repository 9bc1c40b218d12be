"""Convert diagnostics to the issues of the HTTP specification (spec/azul 10.2).

An issue has the fields of `Diagnostic.to_dict`, with `code` in capitals, and `component`, the name of the
field of the text. A game with words of its own (`Reporting`) adds the places it knows: `index`, `player`,
`row`, `col`. The diagnostics inside a wrapped text are converted in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from forsyth.abilities import as_reporting, find_component
from forsyth.diagnostics import Diagnostic
from forsyth.game import Game


def make_issue(diagnostic: Diagnostic, game: Game | None) -> dict[str, Any]:
    """Return an error or warning of a text as data in the form of the HTTP specification.

    The result has the fields of `Diagnostic.to_dict`, but the code in capitals, such as ``BOARD_DIGIT``, and
    in addition ``component``, the name of the field of the text. `game` is the game of the text, or None if
    it is unknown.
    """
    return add_issue_fields(diagnostic, diagnostic.to_dict(), game)


def add_issue_fields(
    diagnostic: Diagnostic, diagnostic_data: Mapping[str, Any], game: Game | None
) -> dict[str, Any]:
    """Return `diagnostic_data` with the fields of the HTTP specification, as a new dictionary.

    The code is in capitals, such as ``BOARD_DIGIT``. ``component`` is the name of the field of the text. Some
    games add the place, such as ``row`` and ``col``.

    Args:
        diagnostic: An error or warning of a text.
        diagnostic_data: The same diagnostic as JSON-ready data, from its `to_dict`.
        game: The game of the text, or None if it is unknown.
    """
    issue = {
        **diagnostic_data,
        "code": diagnostic.code_in_capitals,
        "component": find_component(game, diagnostic),
    }
    if diagnostic.inside:
        issue["inside"] = [make_issue(inner, game) for inner in diagnostic.inside]

    reporting = None if game is None else as_reporting(game)
    if reporting is not None:
        issue.update(reporting.places_of(diagnostic.square))
    return issue
