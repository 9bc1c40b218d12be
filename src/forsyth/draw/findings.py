"""Findings on a picture: which squares to mark, and what to say about them."""

from __future__ import annotations

from collections.abc import Iterable

from forsyth.diagnostics import Diagnostic
from forsyth.scene import Mark


def marks(diagnostics: Iterable[Diagnostic]) -> dict[str, Mark]:
    """Which squares to mark on a board: those with a finding, an error before a warning."""
    found: dict[str, Mark] = {}
    for diagnostic in diagnostics:
        if diagnostic.square is None:
            continue
        if diagnostic.is_error or diagnostic.square not in found:
            found[diagnostic.square] = "error" if diagnostic.is_error else "warning"
    return found


def notes(diagnostics: Iterable[Diagnostic]) -> dict[str, str]:
    """What to say about the squares of a picture: the sentences of their findings."""
    found: dict[str, str] = {}
    for diagnostic in diagnostics:
        if diagnostic.square is not None:
            before = found.get(diagnostic.square)
            found[diagnostic.square] = f"{before}; {diagnostic.message}" if before else diagnostic.message
    return found
