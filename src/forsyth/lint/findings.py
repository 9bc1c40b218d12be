"""A finding in a file: the mistake, its place, and the change that would fix it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from forsyth.arguments import escape_controls
from forsyth.diagnostics import Confidence, Diagnostic, Severity, Span
from forsyth.lint.lines import LineIndex, Place
from forsyth.lint.spots import Spot


@dataclass(frozen=True, slots=True)
class Replacement:
    """A change of a file: the characters from `start` to before `end` become `replacement`."""

    start: Place
    end: Place
    replacement: str
    confidence: Confidence

    def to_dict(self) -> dict[str, Any]:
        """Return the change as a dictionary for JSON: the place, the replacement and the confidence."""
        return {
            **_places_to_dict(self.start, self.end),
            "replacement": self.replacement,
            "confidence": self.confidence.value,
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding in a file. `end` is the place after its last character."""

    file: str
    start: Place
    end: Place
    code: str
    severity: Severity
    message: str
    game: str | None
    """The name of the game of the text, or None if it was not detected."""
    text: str | None
    """The position text with the mistake, or None in the record of a game."""
    fix: Replacement | None
    """The change that would fix the mistake, or None if there is none."""

    def __str__(self) -> str:
        place = f"{escape_controls(self.file)}:{self.start.line}:{self.start.column}"
        return f"{place}: {self.code}: {self.message}"

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as a dictionary for JSON: its place, code, severity, message, text and fix."""
        return {
            "file": self.file,
            **_places_to_dict(self.start, self.end),
            "code": self.code,
            "severity": self.severity.value,
            "message": self.message,
            "game": self.game,
            "text": self.text,
            "fix": None if self.fix is None else self.fix.to_dict(),
        }


def make_finding(
    file: str, lines: LineIndex, spot: Spot, diagnostic: Diagnostic, game: str | None, text: str | None
) -> Finding:
    """Return a finding: a diagnostic of a position text, with its lines and columns in the file.

    Args:
        file: The path of the file that contains the text.
        lines: The lines of the file.
        spot: The text and its place in the file.
        diagnostic: The error or warning. Its spans are offsets in the text.
        game: The name of the game, or None if it was not detected.
        text: The text to repeat in the finding, or None to leave it out.
    """

    def locate_span(span: Span) -> tuple[Place, Place]:
        """Return the two places in the file at which a span of the text begins and ends."""
        located_span = spot.locate(span)
        return lines.locate(located_span.start), lines.locate(located_span.end)

    replacement = None
    if diagnostic.fix is not None and spot.is_unbroken(diagnostic.fix.span):
        fix = diagnostic.fix
        fix_start, fix_end = locate_span(fix.span)
        replacement = Replacement(fix_start, fix_end, fix.replacement, fix.confidence)
    start, end = locate_span(diagnostic.span)
    return Finding(
        file=file,
        start=start,
        end=end,
        code=diagnostic.code,
        severity=diagnostic.severity,
        message=diagnostic.message,
        game=game,
        text=text,
        fix=replacement,
    )


def _places_to_dict(start: Place, end: Place) -> dict[str, int]:
    """Return the JSON fields ``line``, ``column``, ``end_line`` and ``end_column`` for two places."""
    return {"line": start.line, "column": start.column, "end_line": end.line, "end_column": end.column}
