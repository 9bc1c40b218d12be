"""The findings of one reading, as they are made, and the words of a text with their places.

`strict` makes every warning an error; `lenient` makes an error that it mends a warning; `default` leaves the
severity of the list of codes. Without validation an error that does not hinder reading is a warning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from forsyth.diagnostics import SHARED_CODES, Confidence, Diagnostic, Fix, Mode, Severity, Span
from forsyth.games.cotulenh.codes import CODES, FAMILIES
from forsyth.limits import MAX_DIAGNOSTICS

WORD: Final = re.compile(
    "[^ \t\n\r\x0b\x0c\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+"  # spec/cotulenh 13
)
_INFO: Final = {info.code: info for info in (*SHARED_CODES, *CODES)}

Place = tuple[int, int]


class Field(NamedTuple):
    """A field's characters and where they stand in the text."""

    text: str
    start: int

    @property
    def place(self) -> Place:
        """Start and end in the text."""
        return self.start, self.start + len(self.text)

    def part(self, start: int, end: int) -> Field:
        """Some of its characters."""
        return Field(self.text[start:end], self.start + start)


def words_of(text: str) -> list[Field]:
    """The words of a text, with white space as ECMAScript has it between them."""
    return [Field(found.group(), found.start()) for found in WORD.finditer(text)]


def diagnostic(
    code: str,
    severity: Severity,
    place: Place,
    message: str,
    *,
    field: int = 0,
    square: str | None = None,
    fix: Fix | None = None,
    seed: str = "",
) -> Diagnostic:
    """One finding; where the source documents have a wording (`seed`) the message begins with it."""
    said = f"{seed}: {message}" if seed else message
    family = FAMILIES.get(code, code)
    return Diagnostic(code, said, severity, _INFO[code].stage, Span(*place), field, square, fix, family, seed)


def fix(place: Place, replacement: str, confidence: Confidence) -> Fix:
    """A fix at a place."""
    return Fix(Span(*place), replacement, confidence)


@dataclass(slots=True)
class Notes:
    """Findings about one text, in order of detection."""

    text: str
    mode: Mode
    skip_validation: bool = False
    found: list[Diagnostic] = field(default_factory=list)
    failed: bool = False

    @property
    def lenient(self) -> bool:
        """Whether what can be mended is to be mended."""
        return self.mode == "lenient"

    def add(
        self,
        code: str,
        place: Place,
        message: str,
        *,
        field: int = 0,
        square: str | None = None,
        fix: Fix | None = None,
        seed: str = "",
        readable: bool = False,
    ) -> bool:
        """Add a finding; whether it is an error. `readable` means that a value was read all the same."""
        severity = self._severity(code, readable)
        made = diagnostic(code, severity, place, message, field=field, square=square, fix=fix, seed=seed)
        self.keep(made)
        return made.is_error

    def keep(self, made: Diagnostic) -> None:
        """Add a finding that was made elsewhere."""
        if made.is_error:
            self.failed = True
        if len(self.found) < MAX_DIAGNOSTICS:
            self.found.append(made)
        elif made.is_error:
            self._make_room(made)

    def _severity(self, code: str, readable: bool) -> Severity:
        if self.mode == "strict":
            return Severity.ERROR
        if readable and self.skip_validation:
            return Severity.WARNING
        return _INFO[code].severity

    def _make_room(self, made: Diagnostic) -> None:
        """An error is worth more than a warning where not all can be told."""
        warning = next((i for i in range(len(self.found) - 1, -1, -1) if not self.found[i].is_error), None)
        if warning is not None:
            del self.found[warning]
            self.found.append(made)
