"""Linting of one file: the findings about all positions and records in it, and the certain fixes.

Fixing writes the file as a whole or not at all, and keeps its permissions, its line ends and every byte that
no fix changes. A fix is applied if it is certain, does not increase the number of errors, and inserts no
character that could end the text, such as a quote.

A file that another program changes in the meantime is not written.

Input: any bytes. Bytes that are not UTF-8 are kept unchanged. Three kinds of files are skipped, with the
reason in the report: binary files, which have a NUL byte near their beginning, files larger than
`MAX_LINT_FILE`, and anything but a regular file, such as a named pipe or a device.

Limits: at most `MAX_LINT_FINDINGS` findings of one file are reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import Final

from forsyth.atomic_write import atomic_write, is_stream
from forsyth.diagnostics import Confidence, Diagnostic, Span, apply_fixes, select_fixable
from forsyth.limits import MAX_LINT_FILE, MAX_LINT_FINDINGS
from forsyth.lint.check_texts import CheckedText, TextChecker, count_errors
from forsyth.lint.findings import Finding, make_finding
from forsyth.lint.ignores import Ignores, read_ignores
from forsyth.lint.kinds import FileKind, detect_kind
from forsyth.lint.lines import LineIndex
from forsyth.lint.recognise import may_hold_positions
from forsyth.lint.settings import Settings
from forsyth.lint.spots import Spot

_BYTES_PER_MEBIBYTE: Final = 1 << 20
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
    text_count: int = 0
    """The number of texts that were checked: positions and records."""
    fixed_count: int = 0
    """The number of findings that were fixed."""
    skip_reason: str | None = None
    """The reason why the file was skipped, or None if it was linted."""


class _FileContent:
    """The text of a file. Its lines and its comments are searched only if they are needed."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def lines(self) -> LineIndex:
        """The lines of the file."""
        return LineIndex(self.text)

    @cached_property
    def ignores(self) -> Ignores:
        """The codes that comments such as ``forsyth: ignore`` suppress in the file."""
        return read_ignores(self.text, self.lines)


def lint_text(file: str, text: str, settings: Settings, kind: FileKind | None = None) -> tuple[Finding, ...]:
    """Check the position texts in the content of a file, and return all findings, sorted by their places.

    Args:
        file: The path of the file, which each finding repeats. The file itself is not read.
        text: The content of the file.
        settings: The settings of the linter.
        kind: The kind of the file, or None to take it from the suffix of `file`.
    """
    file_kind = detect_kind(file) if kind is None else kind
    return _find_all(file, _FileContent(text), TextChecker(settings, file_kind, file)).findings


def lint_file(file: str, settings: Settings, *, fix: bool = False) -> FileReport:
    """Check the position texts in a file, fix them on request, and return a report of the findings.

    A binary file, or one larger than `MAX_LINT_FILE` bytes, is skipped. The report then has the reason.

    Args:
        file: The path of the file.
        settings: The settings of the linter.
        fix: Whether to apply the certain fixes to the file.

    Raises:
        OSError: If the file cannot be read or written.
    """
    kind = detect_kind(file)
    data = _read_bytes(file)
    if data is None:
        return FileReport(file, skip_reason="not a regular file")
    if len(data) > MAX_LINT_FILE:
        max_mebibytes = MAX_LINT_FILE // _BYTES_PER_MEBIBYTE
        return FileReport(file, skip_reason=f"larger than {max_mebibytes} MiB; use forsyth scan")
    if b"\0" in data[:_BINARY_CHECK_BYTES]:
        return FileReport(file, skip_reason="a binary file")
    if not may_hold_positions(data, kind):
        return FileReport(file)

    content = _FileContent(data.decode("utf-8", "surrogateescape"))
    linter = TextChecker(settings, kind, file)
    if not fix:
        return _find_all(file, content, linter)

    fixed_text, fixed_count = _fix_all(content, linter)
    if fixed_count:
        with atomic_write(file, old_content=data) as stream:
            stream.write(fixed_text.encode("utf-8", "surrogateescape"))
    return replace(_find_all(file, _FileContent(fixed_text), linter), fixed_count=fixed_count)


def _read_bytes(file: str) -> bytes | None:
    """Return the content of a file, or its first `MAX_LINT_FILE` + 1 bytes if it is larger.

    Return None for a device, a named pipe or a socket, whose content may never end. Raise `OSError` if the
    file cannot be read.
    """
    if is_stream(file):
        return None
    with Path(file).open("rb") as stream:
        return stream.read(MAX_LINT_FILE + 1)


def _find_all(file: str, content: _FileContent, linter: TextChecker) -> FileReport:
    """Return a report of all findings in a file, sorted by their places, at most `MAX_LINT_FINDINGS`.

    Findings that the settings exclude, or that a comment in the file suppresses, are left out. `file` is the
    path of the file.
    """
    findings: list[Finding] = []
    text_count = 0
    for checked in linter.check_all(content.text):
        text_count += 1
        position_text = None if checked.is_record else checked.spot.text
        for diagnostic in checked.diagnostics:
            if not linter.is_reported(diagnostic):
                continue
            finding = make_finding(file, content.lines, checked.spot, diagnostic, checked.game, position_text)
            if not content.ignores.suppresses(finding.start.line, finding.code):
                findings.append(finding)
        if len(findings) >= MAX_LINT_FINDINGS:
            break
    sorted_findings = sorted(findings[:MAX_LINT_FINDINGS], key=lambda finding: finding.start)
    return FileReport(file, tuple(sorted_findings), text_count)


def _fix_all(content: _FileContent, linter: TextChecker) -> tuple[str, int]:
    """Return the text of a file with all certain fixes applied, and the number of fixed findings."""
    text = content.text
    # The new text in pieces: the unchanged parts of the file, and the fixed texts between them.
    pieces: list[str] = []
    copied_until = 0
    total_count = 0
    for checked in linter.check_all(text):
        select_fixes = _make_fix_selector(checked, linter, content)
        fixed_text, fixed_count = _fix_text(checked, linter, select_fixes)
        change = _find_change(checked.spot, fixed_text)
        if fixed_count and change is not None:
            span, replacement = change
            pieces += [text[copied_until : span.start], replacement]
            copied_until = span.end
            total_count += fixed_count
    pieces.append(text[copied_until:])
    return "".join(pieces), total_count


def _find_change(spot: Spot, new_text: str) -> tuple[Span, str] | None:
    """Return the smallest span of the file and its replacement that change the text of a spot to `new_text`.

    Return None if the text does not stand in the file as it is at this place, such as the parts of a text in
    several quoted texts.
    """
    old_text = spot.text
    start = _count_equal(old_text, new_text)
    same_at_end = _count_equal(old_text[start:][::-1], new_text[start:][::-1])
    changed_span = Span(start, len(old_text) - same_at_end)
    if not spot.is_unbroken(changed_span):
        return None
    return spot.locate(changed_span), new_text[start : len(new_text) - same_at_end]


def _count_equal(first: str, second: str) -> int:
    """Return the number of characters at the beginning that two texts share."""
    pairs = zip(first, second, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


FixSelector = Callable[[Iterable[Diagnostic]], Sequence[Diagnostic]]
"""A function that returns those of the diagnostics whose fixes are applied."""


def _make_fix_selector(checked: CheckedText, linter: TextChecker, content: _FileContent) -> FixSelector:
    """Return the function that selects the diagnostics of a text whose fixes are applied.

    It selects diagnostics with a certain fix that the settings report and that no comment suppresses. A fix
    that would insert a quote or a line end is left out, because it could end the text in the file.

    Args:
        checked: The text, with its offset in the file.
        linter: The linter with the settings that exclude diagnostics.
        content: The content of the file, with the comments that suppress diagnostics.
    """

    def select_fixes(diagnostics: Iterable[Diagnostic]) -> Sequence[Diagnostic]:
        """Return those of `diagnostics` whose fixes can be applied together."""
        candidates = [
            diagnostic
            for diagnostic in diagnostics
            if linter.is_reported(diagnostic) and not is_suppressed(diagnostic) and _has_safe_fix(diagnostic)
        ]
        return select_fixable(candidates, Confidence.CERTAIN)

    def is_suppressed(diagnostic: Diagnostic) -> bool:
        """Return True if a comment such as ``forsyth: ignore`` suppresses the diagnostic."""
        line = content.lines.locate(checked.spot.locate(diagnostic.span).start).line
        return content.ignores.suppresses(line, diagnostic.code)

    return select_fixes


def _fix_text(checked: CheckedText, linter: TextChecker, select_fixes: FixSelector) -> tuple[str, int]:
    """Return a text with its fixes applied, and the number of fixed diagnostics.

    One fix can reveal another mistake, so the text is fixed and checked again up to `_MAX_FIX_ROUNDS` times.
    Fixes that would increase the number of errors are not applied.

    Args:
        checked: The text with its diagnostics.
        linter: The linter that checks the text again.
        select_fixes: A function that returns those of the diagnostics whose fixes are applied.
    """
    current = checked
    fixed_count = 0
    for _ in range(_MAX_FIX_ROUNDS):
        fixable = select_fixes(current.diagnostics)
        if not fixable:
            break
        fixed = linter.check_again(current, apply_fixes(current.spot.text, fixable))
        if count_errors(fixed) > count_errors(current):
            break
        current = fixed
        fixed_count += len(fixable)
    return current.spot.text, fixed_count


def _has_safe_fix(diagnostic: Diagnostic) -> bool:
    """Return True if a diagnostic has a fix that inserts no quote or line end, which could end the text."""
    return diagnostic.fix is not None and not _TEXT_END.search(diagnostic.fix.replacement)
