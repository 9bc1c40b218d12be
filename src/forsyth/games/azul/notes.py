# cython: annotation_typing=False
"""The findings of one reading, as they are made, and the components of a text with their places.

`strict` makes every warning an error; `lenient` makes an error that it mends a warning; `default` leaves the
severity of the list of codes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from forsyth.diagnostics import SHARED_CODES, Confidence, Diagnostic, Fix, Mode, Severity, Span, printable
from forsyth.games.azul.codes import CODES, FAMILIES
from forsyth.limits import MAX_DIAGNOSTICS

CERTAIN: Final = Confidence.CERTAIN
LIKELY: Final = Confidence.LIKELY
GUESS: Final = Confidence.GUESS

WHOLE: Final = "fen"
"""The field of a finding that is about the text as a whole (spec/azul 8.1)."""

_INFO: Final = {info.code: info for info in (*SHARED_CODES, *CODES)}
_SHOWN: Final = 60
"""How many characters of a component a message quotes: no sound one that is quoted is longer."""

Place = tuple[int, int]
Mend = tuple[Place, str, Confidence]


class Field(NamedTuple):
    """A component's characters, where they stand in the text, its name and whose it is (or −1)."""

    text: str
    start: int
    name: str
    player: int = -1

    @property
    def place(self) -> Place:
        """Start and end in the text."""
        return self.start, self.start + len(self.text)

    def at(self, index: int) -> Place:
        """Start and end of one character in the text."""
        return self.start + index, self.start + index + 1

    def parts(self, separator: str) -> list[Field]:
        """What stands between separators."""
        made = []
        start = self.start
        for text in self.text.split(separator):
            made.append(Field(text, start, self.name, self.player))
            start += len(text) + 1
        return made


@dataclass(slots=True)
class Notes:
    """Findings about one text, in order of detection."""

    text: str
    mode: Mode
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
        field: str = WHOLE,
        square: str | None = None,
        mend: Mend | None = None,
        mended: bool = False,
    ) -> None:
        """One finding; `mended` says that lenient mode repairs it."""
        info = _INFO[code]
        severity = info.severity
        if self.mode == "strict":
            severity = Severity.ERROR
        elif mended and self.lenient:
            severity = Severity.WARNING
        if severity is Severity.ERROR:
            self.failed = True
        fix = None if mend is None else Fix(Span(*mend[0]), mend[1], mend[2])
        made = Diagnostic(
            code, message, severity, info.stage, Span(*place), field, square, fix, FAMILIES[code], ""
        )
        if len(self.found) < MAX_DIAGNOSTICS:
            self.found.append(made)
        else:
            self._squeeze(made)

    def _squeeze(self, made: Diagnostic) -> None:
        """Where not all can be told: every code is, and the fix of what is left out joins another's."""
        codes = [finding.code for finding in self.found]
        if made.code not in codes:
            twice = next(i for i in range(len(codes) - 1, -1, -1) if codes.count(codes[i]) > 1)
            del self.found[twice]
            self.found.append(made)
            return
        last = max(index for index, code in enumerate(codes) if code == made.code)
        joined = _joined(self.text, self.found[last].fix, made.fix)
        if joined is not None:
            self.found[last] = replace(self.found[last], fix=joined)


def _joined(text: str, first: Fix | None, second: Fix | None) -> Fix | None:
    """One fix that does the work of two."""
    if first is None or second is None or first.confidence is not second.confidence:
        return None
    if first.span.end > second.span.start:
        return None
    between = text[first.span.end : second.span.start]
    span = Span(first.span.start, second.span.end)
    return Fix(span, first.replacement + between + second.replacement, first.confidence)


def shown(text: str) -> str:
    """A component as a message quotes it: on one line, and not endless."""
    return printable(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")


def rewriting(text: str, wanted: str, offset: int, confidence: Confidence) -> Mend:
    """What to put where to make one text of another: nothing that they begin or end with alike is touched."""
    shorter = min(len(text), len(wanted))
    head = 0
    while head < shorter and text[head] == wanted[head]:
        head += 1
    tail = 0
    while tail < shorter - head and text[-1 - tail] == wanted[-1 - tail]:
        tail += 1
    return (offset + head, offset + len(text) - tail), wanted[head : len(wanted) - tail], confidence
