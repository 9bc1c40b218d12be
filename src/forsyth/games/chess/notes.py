# cython: annotation_typing=False
"""The findings of one reading, as they are made: what a code's severity is in which mode.

`strict` makes every warning an error; `lenient` makes an error that it mends a warning; `default` leaves
the severity of the list of codes (spec/chess 4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from forsyth.diagnostics import SHARED_CODES, Confidence, Diagnostic, Fix, Mode, Severity, Span
from forsyth.games.chess.codes import CODES, SEED_KINDS, SEED_MESSAGES
from forsyth.limits import MAX_DIAGNOSTICS

BROKEN: Final = "\ufffd"
"""Stands for a character already reported by `fen.chars`; no field reports it again."""

_INFO: Final = {info.code: info for info in (*SHARED_CODES, *CODES)}


class Field(NamedTuple):
    """A field's characters and where they stand in the cleaned text."""

    text: str
    start: int

    @property
    def place(self) -> tuple[int, int]:
        """Start and end in the cleaned text."""
        return self.start, self.start + len(self.text)

    def at(self, index: int) -> tuple[int, int]:
        """Start and end of one character in the cleaned text."""
        return self.start + index, self.start + index + 1


@dataclass(slots=True)
class Notes:
    """Findings about one text, in order of detection."""

    text: str
    mode: Mode
    offsets: Sequence[int]
    """Where each character of the cleaned text, and its end, stands in the text as given."""
    found: list[Diagnostic] = field(default_factory=list)
    failed: bool = False

    @property
    def lenient(self) -> bool:
        """Whether what can be mended is to be mended."""
        return self.mode == "lenient"

    def span(self, start: int, end: int) -> Span:
        """The place in the text as given of a place in the cleaned text."""
        if end > start:
            return Span(self.offsets[start], self.offsets[end - 1] + 1)
        return Span(self.offsets[start], self.offsets[start])

    def fix(self, start: int, end: int, replacement: str, confidence: Confidence) -> Fix:
        """A fix at a place in the cleaned text."""
        return Fix(self.span(start, end), replacement, confidence)

    def add(
        self,
        code: str,
        place: tuple[int, int],
        message: str,
        *,
        field: int = 0,
        fix: Fix | None = None,
        square: str | None = None,
        mended: bool = False,
    ) -> None:
        """One finding; `mended` says that lenient mode repairs it."""
        severity = severity_in(self.mode, code, mended=mended)
        if severity is Severity.ERROR:
            self.failed = True
        if fix is not None and BROKEN in fix.replacement and BROKEN not in self.text:
            # What stands for an unreadable character must not get into anyone's text.
            fix = None
        if len(self.found) >= MAX_DIAGNOSTICS:
            # What made the reading fail must be among what is told.
            if severity is Severity.WARNING or any(finding.is_error for finding in self.found):
                return
            self.found.pop()
        self.found.append(
            Diagnostic(
                code,
                message,
                severity,
                _INFO[code].stage,
                self.span(*place),
                field,
                square,
                fix,
                code,
                SEED_MESSAGES[field],
                SEED_KINDS[field],
            )
        )


def severity_in(mode: Mode, code: str, *, mended: bool = False) -> Severity:
    """What a code weighs in a mode; `mended` says that lenient mode repairs it."""
    if mode == "strict":
        return Severity.ERROR
    if mode == "lenient" and mended:
        return Severity.WARNING
    return _INFO[code].severity
