"""A finding in a file: the mistake, its place, and the change that would fix it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from forsyth.arguments import escape_controls
from forsyth.diagnostics import Confidence, Diagnostic, Severity, Span
from forsyth.lint.candidates import Candidate
from forsyth.lint.lines import LineIndex, Place


@dataclass(frozen=True, slots=True)
class Replacement:
    """A change of a file: the characters from `start` to before `end` become `replacement`."""

    start: Place
    end: Place
    replacement: str
    confidence: Confidence

    def to_dict(self) -> dict[str, Any]:
        """Return the change as a dictionary for JSON: its place, the new text and the confidence."""
        return {
            **_describe_places(self.start, self.end),
            "replacement": self.replacement,
            "confidence": self.confidence.value,
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """An error or warning in a file, from the place `start` to before the place `end`."""

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
        """Return the finding as one line: ``file:line:column: code: message``."""
        place = f"{escape_controls(self.file)}:{self.start.line}:{self.start.column}"
        return f"{place}: {self.code}: {self.message}"

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as a dictionary for JSON: its place, code, severity, message, text and fix."""
        return {
            "file": self.file,
            **_describe_places(self.start, self.end),
            "code": self.code,
            "severity": self.severity.value,
            "message": self.message,
            "game": self.game,
            "text": self.text,
            "fix": None if self.fix is None else self.fix.to_dict(),
        }


def make_finding(
    file: str,
    lines: LineIndex,
    candidate: Candidate,
    diagnostic: Diagnostic,
    *,
    game: str | None,
    text: str | None,
) -> Finding:
    """Convert a diagnostic, whose spans are offsets in a text, to a finding with lines and columns of a file.

    Args:
        file: The path of the file that contains the text.
        lines: The lines of the file.
        candidate: The text and its place in the file.
        diagnostic: The error or warning about the text.
        game: The name of the game, or None if it was not detected.
        text: The text to repeat in the finding, or None to leave it out.
    """

    def find_places(span: Span) -> tuple[Place, Place]:
        """Return the line and column at which a span of the text begins, and those at which it ends."""
        file_span = candidate.locate_span(span)
        return lines.find_place(file_span.start), lines.find_place(file_span.end)

    replacement = None
    fix = diagnostic.fix
    # Characters that are escaped in the file, such as %20, cannot be replaced by those of the fix.
    if fix is not None and candidate.is_verbatim(fix.span):
        fix_start, fix_end = find_places(fix.span)
        replacement = Replacement(fix_start, fix_end, fix.replacement, fix.confidence)
    start, end = find_places(diagnostic.span)
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


def _describe_places(start: Place, end: Place) -> dict[str, int]:
    """Return the JSON fields ``line``, ``column``, ``end_line`` and ``end_column`` for a part of a file."""
    return {"line": start.line, "column": start.column, "end_line": end.line, "end_column": end.column}
