"""A finding in a file: what is wrong, from where to where, and the change that would mend it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from forsyth.diagnostics import Confidence, Diagnostic, Severity
from forsyth.lint.lines import Lines, Place


@dataclass(frozen=True, slots=True)
class Replacement:
    """Replace what stands from `start` to `end`."""

    start: Place
    end: Place
    replacement: str
    confidence: Confidence

    def to_dict(self) -> dict[str, Any]:
        """The change as JSON-ready data."""
        return {
            **_places(self.start, self.end),
            "replacement": self.replacement,
            "confidence": self.confidence.value,
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding in a file; `end` is the place behind its last character."""

    file: str
    start: Place
    end: Place
    code: str
    severity: Severity
    message: str
    game: str | None
    text: str | None
    """The position text it was found in; None in a record of a game."""
    fix: Replacement | None

    def __str__(self) -> str:
        return f"{self.file}:{self.start.line}:{self.start.column}: {self.code}: {self.message}"

    def to_dict(self) -> dict[str, Any]:
        """The finding as JSON-ready data."""
        return {
            "file": self.file,
            **_places(self.start, self.end),
            "code": self.code,
            "severity": self.severity.value,
            "message": self.message,
            "game": self.game,
            "text": self.text,
            "fix": None if self.fix is None else self.fix.to_dict(),
        }


def finding_at(
    file: str, lines: Lines, offset: int, diagnostic: Diagnostic, game: str | None, text: str | None
) -> Finding:
    """What was found about a text that begins at an offset of a file."""
    start, end = (lines.place(offset + at) for at in diagnostic.span)
    change = None
    if diagnostic.fix is not None:
        at, to = (lines.place(offset + at) for at in diagnostic.fix.span)
        change = Replacement(at, to, diagnostic.fix.replacement, diagnostic.fix.confidence)
    severity, message = diagnostic.severity, diagnostic.message
    return Finding(file, start, end, diagnostic.code, severity, message, game, text, change)


def _places(start: Place, end: Place) -> dict[str, int]:
    return {"line": start.line, "column": start.column, "end_line": end.line, "end_column": end.column}
