"""Options given as one mapping, as the source documents give them: ``moves({"verbose": True})``.

Names are taken in the documents' spelling (``pieceType``) and in Python's (``piece_type``); any other is
refused, so that a misspelt option does not go unnoticed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from forsyth.arguments import quoted

_PYTHON_NAMES: Final = {"pieceType": "piece_type"}


def options_of(given: object, allowed: tuple[str, ...]) -> dict[str, Any]:
    """The options of a mapping, or `verbose` alone where that is given; raises `ValueError`."""
    options = {"verbose": given} if isinstance(given, bool) else given
    if not isinstance(options, Mapping):
        raise ValueError(f"verbose is {quoted(given)}, expected true or false, or a mapping of options")
    found: dict[str, Any] = {}
    for name, value in options.items():
        own = _PYTHON_NAMES.get(name, name)
        if own not in allowed:
            raise ValueError(f"{quoted(name)} is not an option, expected some of {', '.join(allowed)}")
        found[own] = value
    verbose = found.setdefault("verbose", False)
    if not isinstance(verbose, bool):
        raise ValueError(f"verbose is {quoted(verbose)}, expected true or false")
    return found
