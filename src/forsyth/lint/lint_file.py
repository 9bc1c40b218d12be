"""Linting one file: every finding about the positions and records in it, and the fixes that are certain.

Writes, when asked to fix: the file whole or not at all, with its permissions, its line ends and every byte
that no fix is about. A fix is applied when it is certain, leaves no more errors than there were, and puts
nothing into the text that could end it.

Accepts: any bytes. What is not UTF-8 is passed through. A file with a NUL byte near its start is binary and
skipped, and so is one of more than MAX_LINT_FILE bytes; the report says so.

Limits: of one file at most MAX_LINT_FINDINGS findings are reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from forsyth import reading as readings
from forsyth.atomic_write import atomic_write
from forsyth.diagnostics import Confidence, Diagnostic, applicable, apply_fixes
from forsyth.game import Game
from forsyth.limits import MAX_LINT_FILE, MAX_LINT_FINDINGS
from forsyth.lint.findings import Finding, finding_at
from forsyth.lint.ignores import Ignores, read_ignores
from forsyth.lint.kinds import OF_POSITIONS, FileKind, kind_of
from forsyth.lint.lines import Lines
from forsyth.lint.recognise import Spot, is_foreign, is_position, may_hold_positions, spots
from forsyth.lint.settings import Settings
from forsyth.record import read_records
from forsyth.record_bytes.epd_lines import epd_text
from forsyth.resolver import Resolver

_HEAD: Final = 8192
"""Where a NUL byte makes a file binary, as for Git."""
_ROUNDS: Final = 4
"""How often fixes are looked for in one text: what one uncovers another may mend."""
_ENDS_A_TEXT: Final = re.compile(r"[\"'`\\\r\n]")


@dataclass(frozen=True, slots=True)
class FileReport:
    """What came of linting a file."""

    file: str
    findings: tuple[Finding, ...] = ()
    """What is left, after the fixes where they were asked for."""
    fixed: int = 0
    """How many findings were fixed."""
    skipped: str | None = None
    """Why the file was not looked at."""


class _Read(NamedTuple):
    """A text of a file that was read: where it begins, and what was found."""

    start: int
    text: str
    game: str | None
    diagnostics: tuple[Diagnostic, ...]
    whole: bool
    """Whether it is a record, whose text may have several lines."""


def lint_text(file: str, text: str, settings: Settings, kind: FileKind | None = None) -> tuple[Finding, ...]:
    """Every finding in a text; `file` says how it holds positions, unless `kind` does."""
    return _found(file, text, _Linter(settings, kind_of(file) if kind is None else kind))


def lint_file(file: str, settings: Settings, *, fix: bool = False) -> FileReport:
    """Lint a file, and fix it in place when asked to; raises what the operating system raises."""
    kind = kind_of(file)
    with Path(file).open("rb") as stream:
        data = stream.read(MAX_LINT_FILE + 1)
    if len(data) > MAX_LINT_FILE:
        return FileReport(file, skipped=f"larger than {MAX_LINT_FILE >> 20} MiB; see forsyth scan")
    if b"\0" in data[:_HEAD]:
        return FileReport(file, skipped="a binary file")
    if not may_hold_positions(data, kind):
        return FileReport(file)
    text = data.decode("utf-8", "surrogateescape")
    linter = _Linter(settings, kind)
    if not fix:
        return FileReport(file, _found(file, text, linter))
    mended, count = _mended(text, linter)
    if count:
        with atomic_write(file) as stream:
            stream.write(mended.encode("utf-8", "surrogateescape"))
    return FileReport(file, _found(file, mended, linter), count)


class _Linter:
    """Reads the positions and records of texts as settings say."""

    def __init__(self, settings: Settings, kind: FileKind) -> None:
        self.settings = settings
        self._kind = kind
        self._resolver: Resolver = settings.resolver()

    def read(self, text: str) -> Iterator[_Read]:
        """Everything in a text that findings can be about, in order."""
        if self._kind is FileKind.RECORDS:
            return self._records(text)
        found = (self.check(spot) for spot in spots(text, self._kind) if self._is_meant(spot))
        return (
            found
            if self._kind in OF_POSITIONS
            else (one for one in found if not is_foreign(one.text, one.diagnostics))
        )

    def check(self, spot: Spot) -> _Read:
        """A position text and what is wrong with it."""
        text = _with_clocks(spot.text) if self._kind is FileKind.EPD else spot.text
        found = self._resolver.read(readings.check, text, mode=self.settings.mode).reading
        return _Read(spot.start, spot.text, found.game, found.diagnostics, False)

    def reports(self, diagnostic: Diagnostic) -> bool:
        """Whether a finding is reported."""
        return self.settings.reports(diagnostic, self._kind)

    def again(self, read: _Read, text: str) -> _Read:
        """Another text in the place of one that was read."""
        if not read.whole:
            return self.check(Spot(read.start, text))
        records = list(read_records(text, self._game, mode=self.settings.mode))
        found = tuple(one for record in records for one in record.diagnostics)
        return read._replace(text=text, diagnostics=found)

    @property
    def _game(self) -> Game | None:
        return self._resolver.game

    def _is_meant(self, spot: Spot) -> bool:
        return self._kind in OF_POSITIONS or is_position(spot.text, self._game)

    def _records(self, text: str) -> Iterator[_Read]:
        end = 0
        for record in read_records(text, self._game, mode=self.settings.mode):
            start = max(text.find(record.text, end), end)
            end = start + len(record.text)
            yield _Read(start, record.text, record.game, record.diagnostics, True)


def _with_clocks(line: str) -> str:
    """A line of EPD that is four fields and nothing else, with the clocks that its position has."""
    text = epd_text(line)
    return text if text.startswith(line) else line


def _found(file: str, text: str, linter: _Linter) -> tuple[Finding, ...]:
    lines = ignores = None
    found: list[Finding] = []
    for read in linter.read(text):
        kept = [one for one in read.diagnostics if linter.reports(one)]
        if not kept:
            continue
        # Few files have findings, and only those are worth counting lines in.
        if lines is None or ignores is None:
            lines = Lines(text)
            ignores = read_ignores(text, lines)
        shown = None if read.whole else read.text
        for one in kept:
            finding = finding_at(file, lines, read.start, one, read.game, shown)
            if not ignores.leaves_out(finding.start.line, finding.code):
                found.append(finding)
        if len(found) >= MAX_LINT_FINDINGS:
            break
    return tuple(sorted(found[:MAX_LINT_FINDINGS], key=lambda one: one.start))


def _mended(text: str, linter: _Linter) -> tuple[str, int]:
    """A text with its certain fixes, and how many they were."""
    lines = Lines(text)
    ignores = read_ignores(text, lines)
    pieces: list[str] = []
    done = count = 0
    for read in linter.read(text):
        fixed, made = _fixed(read, linter, _certain(read, linter, lines, ignores))
        if made:
            pieces += [text[done : read.start], fixed]
            done = read.start + len(read.text)
            count += made
    return "".join(pieces) + text[done:], count


Certain = Callable[[Iterable[Diagnostic]], Sequence[Diagnostic]]


def _certain(read: _Read, linter: _Linter, lines: Lines, ignores: Ignores) -> Certain:
    """Which of the findings about a text are fixed: those that are reported and whose fix is certain."""

    def chosen(found: Iterable[Diagnostic]) -> Sequence[Diagnostic]:
        wanted = [one for one in found if linter.reports(one) and not left_out(one)]
        safe = [one for one in wanted if one.fix and not _ENDS_A_TEXT.search(one.fix.replacement)]
        return applicable(safe, Confidence.CERTAIN)

    def left_out(one: Diagnostic) -> bool:
        return ignores.leaves_out(lines.place(read.start + one.span.start).line, one.code)

    return chosen


def _fixed(read: _Read, linter: _Linter, certain: Certain) -> tuple[str, int]:
    """The text with its fixes, and how many they were; none where they would leave more errors."""
    current, count = read, 0
    for _ in range(_ROUNDS):
        chosen = certain(current.diagnostics)
        if not chosen:
            break
        after = linter.again(current, apply_fixes(current.text, chosen))
        if _errors(after) > _errors(current):
            break
        current, count = after, count + len(chosen)
    return current.text, count


def _errors(read: _Read) -> int:
    return sum(one.is_error for one in read.diagnostics)
