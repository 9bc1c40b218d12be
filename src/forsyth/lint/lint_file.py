"""Linting of one file: the findings about all positions and records in it, and the certain fixes.

Fixing writes the file as a whole or not at all, and keeps its permissions, its line ends and every byte that
no fix changes. A fix is applied if it is certain, does not increase the number of errors, and inserts no
character that could end the text, such as a quote.

Input: any bytes. Bytes that are not UTF-8 are kept unchanged. Two kinds of files are skipped, with the reason
in the report: binary files, which have a NUL byte near their beginning, and files larger than
`MAX_LINT_FILE`.

Limits: at most `MAX_LINT_FINDINGS` findings of one file are reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from forsyth import reading as readings
from forsyth.atomic_write import atomic_write
from forsyth.diagnostics import Confidence, Diagnostic, apply_fixes, select_fixable
from forsyth.game import Game
from forsyth.limits import MAX_LINT_FILE, MAX_LINT_FINDINGS
from forsyth.lint.findings import Finding, make_finding
from forsyth.lint.ignores import Ignores, read_ignores
from forsyth.lint.kinds import POSITION_KINDS, FileKind, detect_kind
from forsyth.lint.lines import LineIndex
from forsyth.lint.recognise import Spot, find_spots, is_false_alarm, is_position, may_hold_positions
from forsyth.lint.settings import Settings
from forsyth.record import read_records
from forsyth.record_bytes.epd_lines import epd_text
from forsyth.resolver import Resolver

_BINARY_CHECK_BYTES: Final = 8192
"""A file with a NUL byte in this many first bytes is binary, as in Git."""
_MAX_FIX_ROUNDS: Final = 4
"""Maximum number of times that one text is fixed and read again. A fix can reveal another finding."""
_TEXT_END: Final = re.compile(r"[\"'`\\\r\n]")
"""A character that could end a text in a file."""


@dataclass(frozen=True, slots=True)
class FileReport:
    """The result of linting a file."""

    file: str
    findings: tuple[Finding, ...] = ()
    """The findings in the file, after fixing if that was requested."""
    fixed_count: int = 0
    """The number of findings that were fixed."""
    skip_reason: str | None = None
    """The reason why the file was skipped, or None if it was linted."""


class _CheckedText(NamedTuple):
    """A position or a record in a file, with its diagnostics."""

    start: int
    """The number of characters before the text in the file."""
    text: str
    game: str | None
    diagnostics: tuple[Diagnostic, ...]
    is_record: bool
    """Whether the text is a record, which may have several lines."""


def lint_text(file: str, text: str, settings: Settings, kind: FileKind | None = None) -> tuple[Finding, ...]:
    """Return all findings in the text of a file, sorted by their places.

    Args:
        file: The path of the file, for the findings. The file is not read.
        text: The content of the file.
        settings: The settings of the linter.
        kind: The kind of the file, or None to take it from the suffix of `file`.
    """
    return _find_all(file, text, _Linter(settings, detect_kind(file) if kind is None else kind))


def lint_file(file: str, settings: Settings, *, fix: bool = False) -> FileReport:
    """Check the position texts in a file, and return a report of its findings.

    A binary file, or one larger than `MAX_LINT_FILE` bytes, is skipped. The report then has the reason.

    Args:
        file: The path of the file.
        settings: The settings of the linter.
        fix: Whether to apply the certain fixes to the file.

    Raises:
        OSError: If the file cannot be read or written.
    """
    kind = detect_kind(file)
    with Path(file).open("rb") as stream:
        data = stream.read(MAX_LINT_FILE + 1)
    if len(data) > MAX_LINT_FILE:
        return FileReport(file, skip_reason=f"larger than {MAX_LINT_FILE >> 20} MiB; use forsyth scan")
    if b"\0" in data[:_BINARY_CHECK_BYTES]:
        return FileReport(file, skip_reason="a binary file")
    if not may_hold_positions(data, kind):
        return FileReport(file)
    text = data.decode("utf-8", "surrogateescape")
    linter = _Linter(settings, kind)
    if not fix:
        return FileReport(file, _find_all(file, text, linter))
    fixed_text, fixed_count = _fix_all(text, linter)
    if fixed_count:
        with atomic_write(file) as stream:
            stream.write(fixed_text.encode("utf-8", "surrogateescape"))
    return FileReport(file, _find_all(file, fixed_text, linter), fixed_count)


class _Linter:
    """A reader of the positions and records in files of one kind."""

    def __init__(self, settings: Settings, kind: FileKind) -> None:
        """Create a reader. Raise `SettingsError` if the game or variant of the settings does not exist."""
        self.settings = settings
        self._kind = kind
        self._resolver: Resolver = settings.make_resolver()

    def check_all(self, text: str) -> Iterator[_CheckedText]:
        """Yield all positions, or game records in a PGN file, in the text of a file, with their diagnostics.

        In source code and documents, a text is left out if it is probably something else than a position.
        """
        if self._kind is FileKind.RECORDS:
            yield from self._check_records(text)
            return
        for spot in find_spots(text, self._kind):
            if self._kind in POSITION_KINDS:
                yield self.check_spot(spot)
            elif is_position(spot.text, self._game):
                checked = self.check_spot(spot)
                if not is_false_alarm(checked.text, checked.diagnostics):
                    yield checked

    def check_spot(self, spot: Spot) -> _CheckedText:
        """Return a position text with its diagnostics. `spot` has the text and its offset in the file."""
        # Clocks are added at the end, so the offsets of diagnostics are also those in the file.
        text = _add_clocks(spot.text) if self._kind is FileKind.EPD else spot.text
        reading = self._resolver.read(readings.check, text, mode=self.settings.mode).reading
        return _CheckedText(spot.start, spot.text, reading.game, reading.diagnostics, False)

    def is_reported(self, diagnostic: Diagnostic) -> bool:
        """Return True if the settings report a diagnostic in this kind of file."""
        return self.settings.reports(diagnostic, self._kind)

    def check_again(self, checked: _CheckedText, new_text: str) -> _CheckedText:
        """Return the position or record `checked` with a new text in its place, and the diagnostics of it."""
        if not checked.is_record:
            return self.check_spot(Spot(checked.start, new_text))
        records = list(read_records(new_text, self._game, mode=self.settings.mode))
        diagnostics = tuple(diagnostic for record in records for diagnostic in record.diagnostics)
        return checked._replace(text=new_text, diagnostics=diagnostics)

    @property
    def _game(self) -> Game | None:
        """The game of the settings, or None if each text determines it."""
        return self._resolver.game

    def _check_records(self, text: str) -> Iterator[_CheckedText]:
        """Yield all game records in a text, in order, each with its diagnostics and its offset."""
        end = 0
        for record in read_records(text, self._game, mode=self.settings.mode):
            # Equal records can follow each other, so the search begins at the end of the last one.
            start = max(text.find(record.text, end), end)
            end = start + len(record.text)
            yield _CheckedText(start, record.text, record.game, record.diagnostics, True)


def _add_clocks(line: str) -> str:
    """Return an EPD line of four fields with the clocks of a FEN added at its end.

    Any other line is returned unchanged, such as a line with operations.
    """
    text = epd_text(line)
    return text if text.startswith(line) else line


def _find_all(file: str, text: str, linter: _Linter) -> tuple[Finding, ...]:
    """Return all findings in the text of a file, sorted by their places, at most `MAX_LINT_FINDINGS`.

    Findings that the settings exclude, or that a comment in the file suppresses, are left out.
    """
    lines = ignores = None
    findings: list[Finding] = []
    for checked in linter.check_all(text):
        reported = [diagnostic for diagnostic in checked.diagnostics if linter.is_reported(diagnostic)]
        if not reported:
            continue
        # The lines are only counted if there is a finding, because most files have none.
        if lines is None or ignores is None:
            lines = LineIndex(text)
            ignores = read_ignores(text, lines)
        position_text = None if checked.is_record else checked.text
        for diagnostic in reported:
            finding = make_finding(file, lines, checked.start, diagnostic, checked.game, position_text)
            if not ignores.suppresses(finding.start.line, finding.code):
                findings.append(finding)
        if len(findings) >= MAX_LINT_FINDINGS:
            break
    return tuple(sorted(findings[:MAX_LINT_FINDINGS], key=lambda finding: finding.start))


def _fix_all(text: str, linter: _Linter) -> tuple[str, int]:
    """Return the text of a file with all certain fixes applied, and the number of fixed findings."""
    lines = LineIndex(text)
    ignores = read_ignores(text, lines)
    # The new text in pieces: the unchanged parts of the file, and the fixed texts between them.
    pieces: list[str] = []
    copied_until = 0
    total = 0
    for checked in linter.check_all(text):
        fixed_text, count = _fix_text(checked, linter, _make_fix_selector(checked, linter, lines, ignores))
        if count:
            pieces += [text[copied_until : checked.start], fixed_text]
            copied_until = checked.start + len(checked.text)
            total += count
    return "".join(pieces) + text[copied_until:], total


FixSelector = Callable[[Iterable[Diagnostic]], Sequence[Diagnostic]]
"""A function that returns those of the diagnostics whose fixes are applied."""


def _make_fix_selector(
    checked: _CheckedText, linter: _Linter, lines: LineIndex, ignores: Ignores
) -> FixSelector:
    """Return the function that selects the diagnostics of a text whose fixes are applied.

    It selects diagnostics with a certain fix that the settings report and that no comment suppresses. A fix
    that would insert a quote or a line end is left out, because it could end the text in the file.

    Args:
        checked: The text, with its offset in the file.
        linter: Has the settings that decide what is reported.
        lines: The lines of the file.
        ignores: The codes that the comments of the file suppress.
    """

    def select_fixes(diagnostics: Iterable[Diagnostic]) -> Sequence[Diagnostic]:
        """Return those of `diagnostics` whose fixes can be applied together."""
        reported = [
            diagnostic
            for diagnostic in diagnostics
            if linter.is_reported(diagnostic) and not is_suppressed(diagnostic)
        ]
        safe = [
            diagnostic
            for diagnostic in reported
            if diagnostic.fix and not _TEXT_END.search(diagnostic.fix.replacement)
        ]
        return select_fixable(safe, Confidence.CERTAIN)

    def is_suppressed(diagnostic: Diagnostic) -> bool:
        """Return True if a comment such as ``forsyth: ignore`` suppresses the diagnostic."""
        line = lines.locate(checked.start + diagnostic.span.start).line
        return ignores.suppresses(line, diagnostic.code)

    return select_fixes


def _fix_text(checked: _CheckedText, linter: _Linter, select_fixes: FixSelector) -> tuple[str, int]:
    """Return a text with its fixes applied, and the number of fixed diagnostics.

    One fix can reveal another mistake, so the text is fixed and read again up to `_MAX_FIX_ROUNDS` times.
    Fixes that would increase the number of errors are not applied.

    Args:
        checked: The text with its diagnostics.
        linter: Reads the fixed text again.
        select_fixes: Returns those of some diagnostics whose fixes are applied.
    """
    current = checked
    count = 0
    for _ in range(_MAX_FIX_ROUNDS):
        fixable = select_fixes(current.diagnostics)
        if not fixable:
            break
        fixed = linter.check_again(current, apply_fixes(current.text, fixable))
        if _count_errors(fixed) > _count_errors(current):
            break
        current = fixed
        count += len(fixable)
    return current.text, count


def _count_errors(checked: _CheckedText) -> int:
    """Return the number of diagnostics of a text that are errors."""
    return sum(diagnostic.is_error for diagnostic in checked.diagnostics)
