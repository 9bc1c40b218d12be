"""Findings on a picture: the marks and tooltips of the squares that they are about."""

from __future__ import annotations

from collections.abc import Iterable

from forsyth.diagnostics import Diagnostic
from forsyth.scene import Mark


def make_finding_marks(diagnostics: Iterable[Diagnostic]) -> dict[str, Mark]:
    """Return a mark for each square that a diagnostic is about, such as ``{"e4": "error"}``.

    The mark is ``error`` if at least one diagnostic of the square is an error, else ``warning``. Diagnostics
    without a square are ignored.
    """
    marks: dict[str, Mark] = {}
    for diagnostic in diagnostics:
        if diagnostic.square is None:
            continue
        if diagnostic.is_error:
            marks[diagnostic.square] = "error"
        else:
            # A warning does not replace an error about the same square.
            marks.setdefault(diagnostic.square, "warning")
    return marks


def make_finding_notes(diagnostics: Iterable[Diagnostic]) -> dict[str, str]:
    """Return a tooltip for each square that a diagnostic is about.

    A tooltip has the messages of all diagnostics about the square, separated by semicolons. Diagnostics
    without a square are ignored.
    """
    messages_by_square: dict[str, list[str]] = {}
    for diagnostic in diagnostics:
        if diagnostic.square is not None:
            messages_by_square.setdefault(diagnostic.square, []).append(diagnostic.message)
    return {square: "; ".join(messages) for square, messages in messages_by_square.items()}
