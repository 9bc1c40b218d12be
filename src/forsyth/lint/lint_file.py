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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import Final, NamedTuple

from forsyth.atomic_write import atomic_write, is_stream
from forsyth.diagnostics import Confidence, Diagnostic, Span, apply_fixes, select_fixable
from forsyth.limits import MAX_LINT_FILE, MAX_LINT_FINDINGS
from forsyth.lint.candidates import Candidate
from forsyth.lint.check_texts import CheckedText, TextChecker, count_errors
from forsyth.lint.findings import Finding, make_finding
from forsyth.lint.ignores import Ignores, read_ignores
from forsyth.lint.kinds import FileKind, detect_kind
from forsyth.lint.lines import LineIndex
from forsyth.lint.recognise import may_hold_positions
from forsyth.lint.settings import Settings

_BYTES_PER_MEBIBYTE: Final = 1 << 20
_BINARY_CHECK_BYTES: Final = 8192
"""A file with a NUL byte in this many first bytes is binary, as in Git."""
_MAX_FIX_ROUNDS: Final = 4
"""Maximum number of times that one text is fixed and read again. A fix can reveal another finding."""
_TEXT_DELIMITER: Final = re.compile(r"[\"'`\\\r\n]")
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
        """Keep the text of a file without searching it."""
        self.text = text

    @cached_property
    def lines(self) -> LineIndex:
        """The index of the lines of the file, which converts offsets to lines and columns."""
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
    checker = TextChecker(settings, file_kind, file)
    return _report_findings(file, _FileContent(text), checker).findings


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
    data = _read_regular_file(file)
    if data is None:
        return FileReport(file, skip_reason="not a regular file")
    if len(data) > MAX_LINT_FILE:
        max_mebibytes = MAX_LINT_FILE // _BYTES_PER_MEBIBYTE
        return FileReport(file, skip_reason=f"larger than {max_mebibytes} MiB; use forsyth scan")
    is_binary = b"\0" in data[:_BINARY_CHECK_BYTES]
    if is_binary:
        return FileReport(file, skip_reason="a binary file")
    if not may_hold_positions(data, kind):
        return FileReport(file)

    content = _FileContent(data.decode("utf-8", "surrogateescape"))
    checker = TextChecker(settings, kind, file)
    if not fix:
        return _report_findings(file, content, checker)

    fixed_text, fixed_count = _fix_texts(content, checker)
    if fixed_count:
        with atomic_write(file, old_content=data) as stream:
            stream.write(fixed_text.encode("utf-8", "surrogateescape"))
    remaining_findings = _report_findings(file, _FileContent(fixed_text), checker)
    return replace(remaining_findings, fixed_count=fixed_count)


def _read_regular_file(file: str) -> bytes | None:
    """Return the content of a file, or its first `MAX_LINT_FILE` + 1 bytes if it is larger.

    Return None for a device, a named pipe or a socket, whose content may never end. Raise `OSError` if the
    file cannot be read.
    """
    if is_stream(file):
        return None
    with Path(file).open("rb") as stream:
        return stream.read(MAX_LINT_FILE + 1)


def _report_findings(file: str, content: _FileContent, checker: TextChecker) -> FileReport:
    """Check all texts of a file, and return a report with the findings, sorted by their places.

    Findings that the settings exclude, or that a comment in the file suppresses, are left out. The check
    stops at `MAX_LINT_FINDINGS` findings. `file` is the path of the file.
    """
    findings: list[Finding] = []
    text_count = 0
    for checked in checker.check_all(content.text):
        text_count += 1
        findings += _make_findings(file, content, checked, checker)
        if len(findings) >= MAX_LINT_FINDINGS:
            break
    sorted_findings = sorted(findings[:MAX_LINT_FINDINGS], key=lambda finding: finding.start)
    return FileReport(file, tuple(sorted_findings), text_count)


def _make_findings(
    file: str, content: _FileContent, checked: CheckedText, checker: TextChecker
) -> Iterator[Finding]:
    """Yield the findings about one text of a file, except those that settings or comments suppress.

    Args:
        file: The path of the file.
        content: The content of the file, with its lines and comments.
        checked: The text with its diagnostics.
        checker: The checker with the settings.
    """
    # A record can be long, so its findings do not repeat it.
    repeated_text = None if checked.is_record else checked.candidate.text
    for diagnostic in checked.diagnostics:
        if not checker.is_reported(diagnostic):
            continue
        finding = make_finding(
            file, content.lines, checked.candidate, diagnostic, game=checked.game, text=repeated_text
        )
        if not content.ignores.suppresses(finding.start.line, finding.code):
            yield finding


def _fix_texts(content: _FileContent, checker: TextChecker) -> tuple[str, int]:
    """Apply all certain fixes to the content of a file in memory.

    Return the new content, and the number of findings that were fixed. Suppressed findings are not fixed.
    """
    old_content = content.text
    # The new content: unchanged parts of the file, and the fixed texts between them.
    parts: list[str] = []
    copied_until = 0
    total_fixed = 0
    for checked in checker.check_all(old_content):
        select_fixes = _make_fix_selector(checked, checker, content)
        fixed_text, fixed_count = _fix_text(checked, checker, select_fixes)
        change = _find_smallest_change(checked.candidate, fixed_text)
        if fixed_count and change is not None:
            parts += [old_content[copied_until : change.span.start], change.replacement]
            copied_until = change.span.end
            total_fixed += fixed_count
    parts.append(old_content[copied_until:])
    return "".join(parts), total_fixed


class _Change(NamedTuple):
    """A change of a file: the characters of `span` become `replacement`."""

    span: Span
    replacement: str


def _find_smallest_change(candidate: Candidate, new_text: str) -> _Change | None:
    """Return the smallest change of the file that replaces the text of `candidate` by `new_text`.

    Equal characters at the beginning and the end of both texts stay. Return None if the characters to change
    do not stand in the file as they are, for example because quotes are between them.
    """
    old_text = candidate.text
    prefix_length = _count_equal_characters(old_text, new_text)
    old_rest, new_rest = old_text[prefix_length:], new_text[prefix_length:]
    suffix_length = _count_equal_characters(reversed(old_rest), reversed(new_rest))
    changed_span = Span(prefix_length, len(old_text) - suffix_length)
    if not candidate.is_verbatim(changed_span):
        return None
    replacement = new_text[prefix_length : len(new_text) - suffix_length]
    return _Change(candidate.locate_span(changed_span), replacement)


def _count_equal_characters(first_text: Iterable[str], second_text: Iterable[str]) -> int:
    """Return the number of characters before the first one in which two texts differ."""
    pairs = zip(first_text, second_text, strict=False)
    equal_pairs = takewhile(lambda pair: pair[0] == pair[1], pairs)
    return sum(1 for _ in equal_pairs)


FixSelector = Callable[[Iterable[Diagnostic]], Sequence[Diagnostic]]
"""A function that returns those of the diagnostics whose fixes are applied."""


def _make_fix_selector(checked: CheckedText, checker: TextChecker, content: _FileContent) -> FixSelector:
    """Return a function that selects the diagnostics of a text whose fixes are applied.

    It selects diagnostics with a certain fix that the settings report and that no comment suppresses. A fix
    that would insert a quote or a line end is left out, because it could end the text in the file.

    Args:
        checked: The text, with its place in the file.
        checker: The checker with the settings that exclude diagnostics.
        content: The content of the file, with the comments that suppress diagnostics.
    """

    def select_fixes(diagnostics: Iterable[Diagnostic]) -> Sequence[Diagnostic]:
        """Return those of `diagnostics` whose fixes can be applied together."""
        candidates = [
            diagnostic
            for diagnostic in diagnostics
            if checker.is_reported(diagnostic) and not is_suppressed(diagnostic) and _has_safe_fix(diagnostic)
        ]
        return select_fixable(candidates, Confidence.CERTAIN)

    def is_suppressed(diagnostic: Diagnostic) -> bool:
        """Return True if a comment such as ``forsyth: ignore`` suppresses the diagnostic."""
        file_span = checked.candidate.locate_span(diagnostic.span)
        line = content.lines.find_place(file_span.start).line
        return content.ignores.suppresses(line, diagnostic.code)

    return select_fixes


def _fix_text(checked: CheckedText, checker: TextChecker, select_fixes: FixSelector) -> tuple[str, int]:
    """Apply the fixes of a text. Return the new text and the number of fixed diagnostics.

    One fix can reveal another mistake, so the text is fixed and checked again up to `_MAX_FIX_ROUNDS` times.
    Fixes that would increase the number of errors are not applied.

    Args:
        checked: The text with its diagnostics.
        checker: The checker that checks the text again.
        select_fixes: A function that returns those of the diagnostics whose fixes are applied.
    """
    current = checked
    fixed_count = 0
    for _ in range(_MAX_FIX_ROUNDS):
        fixable = select_fixes(current.diagnostics)
        if not fixable:
            break
        fixed = checker.check_again(current, apply_fixes(current.candidate.text, fixable))
        if count_errors(fixed) > count_errors(current):
            break
        current = fixed
        fixed_count += len(fixable)
    return current.candidate.text, fixed_count


def _has_safe_fix(diagnostic: Diagnostic) -> bool:
    """Return True if a diagnostic has a fix, and the fix inserts no quote or line end.

    A quote or line end could end the text in the file.
    """
    return diagnostic.fix is not None and not _TEXT_DELIMITER.search(diagnostic.fix.replacement)
