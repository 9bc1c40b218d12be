# cython: annotation_typing=False
"""Collecting what is wrong with one text: the one collector of findings, for every reader.

A `CodeBook` says what follows from a code: its severity, its stage, the family it belongs to. `Findings`
holds the findings about one text in order of detection, a `Word` some characters of it with their place.

Severity: `strict` makes every warning an error; `lenient` makes an error that it mends a warning; `default`
leaves the severity of the list of codes.

Places are those of the text that a reader works on. Where that is a cleaned copy, `Findings.offsets` says
where each of its characters stands in the text as given; spans and fixes are moved there.

Values are made by filling their places one by one: the constructors of frozen dataclasses and named tuples
take five times as long, and most of the time of a broken text went there. The module runs as it is and
compiles with Cython (`findings.pxd` gives the C types).

Limits: MAX_DIAGNOSTICS findings. Where there are more, every code is kept before a code is kept twice, errors
are kept before warnings, and earlier findings before later ones. The fix of a finding that is left out joins
the fix of the last one with the same code, where both are equally sure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final, TypeVar

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.diagnostics import (
    SHARED_CODES,
    CodeInfo,
    Confidence,
    Diagnostic,
    Fix,
    Mode,
    Reading,
    Severity,
    Span,
)
from forsyth.limits import MAX_DIAGNOSTICS

if not cython.compiled:
    fill = object.__setattr__

P = TypeVar("P")

CERTAIN: Final = Confidence.CERTAIN
LIKELY: Final = Confidence.LIKELY
GUESS: Final = Confidence.GUESS

BROKEN: Final = "\ufffd"
"""Stands in a cleaned text for a character that has been reported; nothing reports it again."""

Place = tuple[int, int]
"""Start and end, half-open, in the text that a reader works on."""

FieldName = int | str
Seed = tuple[str, StrEnum | None]
"""A source document's sentence about an error and its name for it."""

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING
_NO_SEED: Final[Seed] = ("", None)


class Word:
    """Some characters of a text and where they stand in it; in some games with a name and a player.

    A value: it never changes.
    """

    if not cython.compiled:
        __slots__ = ("name", "player", "start", "text")

    def __init__(self, text: str, start: int, name: str = "", player: int = -1) -> None:
        self.text = text
        self.start = start
        self.name = name
        """Which field of the text it is."""
        self.player = player
        """Whose field it is, or −1."""

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if isinstance(other, Word) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        return f"Word{self._values()!r}"

    def _values(self) -> tuple[str, int, str, int]:
        return self.text, self.start, self.name, self.player

    @property
    def place(self) -> Place:
        """Start and end in the text."""
        return self.start, self.start + len(self.text)

    def at(self, index: int) -> Place:
        """Start and end of one character in the text."""
        return self.start + index, self.start + index + 1

    def part(self, start: int, end: int) -> Word:
        """Some of its characters."""
        return Word(self.text[start:end], self.start + start, self.name, self.player)

    def parts(self, separator: str) -> list[Word]:
        """What stands between separators."""
        made = []
        start = self.start
        for text in self.text.split(separator):
            made.append(Word(text, start, self.name, self.player))
            start += len(text) + 1
        return made


def _span_of(start: int, end: int) -> Span:
    return tuple.__new__(Span, (start, end))


def fix_at(place: Place, replacement: str, confidence: Confidence) -> Fix:
    """Replace what stands at a place."""
    start, end = place
    fix = object.__new__(Fix)
    fill(fix, "span", _span_of(start, end))
    fill(fix, "replacement", replacement)
    fill(fix, "confidence", confidence)
    return fix


def reading_of(text: str, game: str, position: P | None, found: tuple[Diagnostic, ...] = ()) -> Reading[P]:
    """The reading of a plain text with all its findings."""
    reading: Reading[P] = object.__new__(Reading)
    fill(reading, "text", text)
    fill(reading, "game", game)
    fill(reading, "position", position)
    fill(reading, "form", "plain")
    fill(reading, "_found", found)
    fill(reading, "_explain", None)
    return reading


def _finding_of(
    code: str,
    message: str,
    severity: Severity,
    stage: str,
    span: Span,
    field: FieldName,
    square: str | None,
    fix: Fix | None,
    family: str,
    seed: str,
    kind: StrEnum | None,
) -> Diagnostic:
    finding = object.__new__(Diagnostic)
    fill(finding, "code", code)
    fill(finding, "message", message)
    fill(finding, "severity", severity)
    fill(finding, "stage", stage)
    fill(finding, "span", span)
    fill(finding, "field", field)
    fill(finding, "square", square)
    fill(finding, "fix", fix)
    fill(finding, "family", family)
    fill(finding, "seed_message", seed)
    fill(finding, "seed_kind", kind)
    fill(finding, "inside", ())
    fill(finding, "unwrapped", "")
    return finding


def rewriting(text: str, wanted: str, offset: int, confidence: Confidence) -> Fix:
    """The fix that makes one text of another, without touching what both begin and end with.

    `offset` is where the text begins in the text that is read.
    """
    shorter = min(len(text), len(wanted))
    head = 0
    while head < shorter and text[head] == wanted[head]:
        head += 1
    tail = 0
    while tail < shorter - head and text[-1 - tail] == wanted[-1 - tail]:
        tail += 1
    place = offset + head, offset + len(text) - tail
    return fix_at(place, wanted[head : len(wanted) - tail], confidence)


class CodeBook:
    """The codes that readers of one kind of text can report: the given list and the codes that all share."""

    __slots__ = ("families", "infos", "seeds", "whole")

    def __init__(
        self,
        codes: Iterable[CodeInfo],
        *,
        families: Mapping[str, str] | None = None,
        seeds: Mapping[FieldName, Seed] | None = None,
        whole: FieldName = 0,
    ) -> None:
        self.infos = {info.code: info for info in (*SHARED_CODES, *codes)}
        self.families = {code: code for code in self.infos} | dict(families or {})
        self.seeds = dict(seeds or {})
        """What a source document says about any error in a field."""
        self.whole = whole
        """The field of a finding about the text as a whole."""

    def finding(
        self,
        code: str,
        place: Place,
        message: str,
        *,
        field: FieldName | None = None,
        square: str | None = None,
        fix: Fix | None = None,
    ) -> Diagnostic:
        """One finding with the severity of the list, for whoever collects none."""
        info = self.infos[code]
        start, end = place
        return _finding_of(
            code,
            message,
            info.severity,
            info.stage,
            _span_of(start, end),
            self.whole if field is None else field,
            square,
            fix,
            self.families[code],
            "",
            None,
        )


SHARED: Final = CodeBook((), families={info.code: "" for info in SHARED_CODES})
"""The codes that all games share, for what is wrong before a game reads the text: their family is open."""


class Findings:
    """Findings about one text, in order of detection."""

    if not cython.compiled:
        __slots__ = ("_book", "_counts", "errors", "found", "lenient", "mending", "mode", "offsets", "text")

    def __init__(self, text: str, mode: Mode, book: CodeBook, *, mending: bool | None = None) -> None:
        self.text = text
        """The text as given; empty where it is not known yet."""
        self.mode = mode
        self.lenient = mode == "lenient"
        """Whether what can be mended is to be mended."""
        self.mending = self.lenient if mending is None else mending
        """Whether a mended error is a warning."""
        self.offsets: Sequence[int] | None = None
        """Where each character of the cleaned text, and its end, stands in the text as given."""
        self.found: list[Diagnostic] = []
        self.errors = 0
        """How many errors there were, kept or left out."""
        self._book = book
        self._counts: Counter[str] | None = None

    @property
    def failed(self) -> bool:
        """Whether one of the findings, kept or left out, is an error."""
        return self.errors > 0

    @property
    def full(self) -> bool:
        """Whether there were more errors than anyone will read."""
        return self.errors >= MAX_DIAGNOSTICS

    def add(
        self,
        code: str,
        place: Place,
        message: str,
        *,
        field: FieldName | None = None,
        square: str | None = None,
        fix: Fix | None = None,
        mended: bool = False,
        seed: str = "",
    ) -> bool:
        """Add one finding; whether it is an error.

        `mended` says that a value was read all the same, `seed` what a source document says in this case.
        """
        book = self._book
        info = book.infos[code]
        severity = info.severity
        if self.mode == "strict":
            severity = _ERROR
        elif mended and self.mending:
            severity = _WARNING
        if field is None:
            field = book.whole
        sentence, kind = book.seeds.get(field, _NO_SEED)
        self._keep(
            _finding_of(
                code,
                message,
                severity,
                info.stage,
                self._span(place),
                field,
                square,
                None if fix is None else self._fix(fix),
                book.families[code],
                seed or sentence,
                kind,
            )
        )
        return severity is _ERROR

    def keep(self, finding: Diagnostic) -> None:
        """Add a finding that was made elsewhere, placed in the text as given."""
        strict = self.mode == "strict" and not finding.is_error
        self._keep(finding.with_severity(_ERROR) if strict else finding)

    def _span(self, place: Place) -> Span:
        """The place in the text as given."""
        offsets = self.offsets
        start, end = place
        if offsets is None:
            return _span_of(start, end)
        return _span_of(offsets[start], offsets[end - 1] + 1 if end > start else offsets[start])

    def _fix(self, fix: Fix) -> Fix | None:
        if BROKEN in fix.replacement and BROKEN not in self.text:
            # What stands for an unreadable character must not get into anyone's text.
            return None
        if self.offsets is None:
            return fix
        return fix_at(self._span(fix.span), fix.replacement, fix.confidence)

    def _keep(self, finding: Diagnostic) -> None:
        if finding.severity is _ERROR:
            self.errors += 1
        if len(self.found) < MAX_DIAGNOSTICS:
            self.found.append(finding)
        else:
            self._make_room(finding)

    def _make_room(self, finding: Diagnostic) -> None:
        if self._counts is None:
            self._counts = Counter(kept.code for kept in self.found)
        counts = self._counts
        leaving = self._leaving(finding, counts)
        if leaving < 0:
            self._join_fix(finding)
            return
        counts[self.found[leaving].code] -= 1
        counts[finding.code] += 1
        del self.found[leaving]
        self.found.append(finding)

    def _leaving(self, finding: Diagnostic, counts: Counter[str]) -> int:
        """The index of the finding to leave out in favour of a further one, or −1."""
        new = not counts[finding.code]
        if not new and not finding.is_error:
            return -1
        repeated = [index for index, kept in enumerate(self.found) if counts[kept.code] > 1]
        warnings = [index for index in repeated if not self.found[index].is_error]
        if warnings:
            return warnings[-1]
        return repeated[-1] if new and repeated else -1

    def _join_fix(self, finding: Diagnostic) -> None:
        """The fix of a finding that is left out joins that of the last one with its code."""
        for index in range(len(self.found) - 1, -1, -1):
            kept = self.found[index]
            if kept.code == finding.code:
                joined = _joined(self.text, kept.fix, finding.fix)
                if joined is not None:
                    self.found[index] = replace(kept, fix=joined)
                return


def _joined(text: str, first: Fix | None, second: Fix | None) -> Fix | None:
    """One fix that does the work of two."""
    if first is None or second is None or first.confidence is not second.confidence:
        return None
    if first.span.end > second.span.start or second.span.end > len(text):
        return None
    between = text[first.span.end : second.span.start]
    span = Span(first.span.start, second.span.end)
    return Fix(span, first.replacement + between + second.replacement, first.confidence)
