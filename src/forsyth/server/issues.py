"""Findings in the words of the HTTP specification (spec/azul 10.2): an *issue* is a diagnostic and more.

Written: the library's dictionary with `code` in capitals and `component`, the field, beside it. A game whose
own report knows further places (`index player row col`) adds them, see `own`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from forsyth.diagnostics import Diagnostic


def code_of(diagnostic: Diagnostic) -> str:
    """The code in capitals: the family where that is in capitals, else the code with ``_`` for the dot."""
    family = diagnostic.family
    return family if family.isupper() else diagnostic.code.upper().replace(".", "_")


def issue(diagnostic: Diagnostic) -> dict[str, Any]:
    """One finding in the specification's words."""
    return as_issue(diagnostic, diagnostic.to_dict())


def as_issue(diagnostic: Diagnostic, data: Mapping[str, Any]) -> dict[str, Any]:
    """The same where the finding is at hand as data already."""
    found = {**data, "code": code_of(diagnostic), "component": str(diagnostic.field or "fen")}
    if diagnostic.inside:
        found["inside"] = [issue(inner) for inner in diagnostic.inside]
    return found
