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
from pathlib import Path, PurePath
from typing import Final, NamedTuple

from forsyth import reading as readings
from forsyth import registry
from forsyth.atomic_write import atomic_write, is_stream
from forsyth.diagnostics import Confidence, Diagnostic, Span, apply_fixes, select_fixable
from forsyth.game import Game
from forsyth.limits import MAX_LINT_FILE, MAX_LINT_FINDINGS
from forsyth.lint.findings import Finding, make_finding
from forsyth.lint.ignores import Ignores, read_ignores
from forsyth.lint.kinds import POSITION_KINDS, FileKind, detect_kind
from forsyth.lint.lines import LineIndex
from forsyth.lint.recognise import (
    count_fields,
    detect_game,
    find_spots,
    find_variants,
    is_false_alarm,
    is_position,
    may_hold_positions,
)
from forsyth.lint.running_text import list_ends
from forsyth.lint.settings import Settings
from forsyth.lint.spots import Spot
from forsyth.record import read_records
from forsyth.record_bytes.epd_lines import epd_text
from forsyth.resolver import Resolver

_BYTES_PER_MEBIBYTE: Final = 1 << 20
_BINARY_CHECK_BYTES: Final = 8192
"""A file with a NUL byte in this many first bytes is binary, as in Git."""
_MAX_FIX_ROUNDS: Final = 4
"""Maximum number of times that one text is fixed and read again. A fix can reveal another finding."""
_MAX_VARIANT_DISTANCE: Final = 4000
"""Number of characters before a text in which the name of its variant is searched: about a section."""
_RANK_COUNT_CODE: Final = "board.rank_count"
_UNDECIDED_GAME_CODE: Final = "game.unknown"
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


class _CheckedText(NamedTuple):
    """A position or a record in a file, with its diagnostics."""

    spot: Spot
    """The text and its place in the file."""
    game: str | None
    diagnostics: tuple[Diagnostic, ...]
    is_record: bool
    """Whether the text is a record, which may have several lines."""

    @property
    def has_errors(self) -> bool:
        """Whether one of the diagnostics is an error."""
        return any(diagnostic.is_error for diagnostic in self.diagnostics)


def lint_text(file: str, text: str, settings: Settings, kind: FileKind | None = None) -> tuple[Finding, ...]:
    """Check the position texts in the content of a file, and return all findings, sorted by their places.

    Args:
        file: The path of the file, which each finding repeats. The file itself is not read.
        text: The content of the file.
        settings: The settings of the linter.
        kind: The kind of the file, or None to take it from the suffix of `file`.
    """
    file_kind = detect_kind(file) if kind is None else kind
    return _find_all(file, _FileContent(text), _Linter(settings, file_kind, file)).findings


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
    linter = _Linter(settings, kind, file)
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


class _Linter:
    """A reader of the positions and records in files of one kind."""

    def __init__(self, settings: Settings, kind: FileKind, file: str) -> None:
        """Create a reader. Raise `SettingsError` if the game or variant of the settings does not exist.

        Args:
            settings: The settings of the linter.
            kind: The kind of the file.
            file: The path of the file, whose name can name a variant.
        """
        self.settings = settings
        self._file_name = PurePath(file).name
        self._kind = kind
        self._resolver: Resolver = settings.make_resolver()

    def check_all(self, text: str) -> Iterator[_CheckedText]:
        """Yield all positions in the text of a file with their diagnostics. In a PGN file, yield all records.

        In source code and documents, a text is left out if it is probably not meant as a position.
        """
        if self._kind is FileKind.RECORDS:
            yield from self._check_records(text)
            return
        for spots in find_spots(text, self._kind):
            if self._kind in POSITION_KINDS:
                yield self._check_line(spots[0])
                continue
            checked = self._check_alternatives(text, spots)
            if checked is not None:
                yield checked

    def _check_line(self, spot: Spot) -> _CheckedText:
        """Check a line of a FEN or EPD file, if need be by the rules of the variant in the name of the file.

        The variant decides only if the text has errors by the usual rules, and fewer errors by its own.
        """
        checked = self.check_spot(spot)
        if checked.game is None or self.settings.variant is not None or not checked.has_errors:
            return checked
        variants = find_variants(self._file_name, registry.game(checked.game))
        return min([checked, *(self._read_variant(spot, variant) for variant in variants)], key=_count_errors)

    def _check_alternatives(self, text: str, spots: Iterable[Spot]) -> _CheckedText | None:
        """Return the first of several texts that has no errors, or else the one with the fewest errors.

        The texts are all that one place of the file may contain. Return None if none is meant as a position.
        `text` is the content of the file.
        """
        best: _CheckedText | None = None
        for spot in spots:
            for candidate in self._list_candidates(spot):
                if not is_position(candidate.text, self._game):
                    continue
                checked = self.check_spot(candidate)
                if not checked.has_errors:
                    return checked
                if is_false_alarm(candidate.text, checked.diagnostics):
                    continue
                if best is None or _rate_alternative(checked) < _rate_alternative(best):
                    best = checked
        if best is not None and self._belongs_to_named_variant(text, best):
            return None
        return best

    def _list_candidates(self, spot: Spot) -> list[Spot]:
        """Return the texts that a spot may be. A spot in running text can end at several of its words."""
        if spot.is_exact:
            return [spot]
        game = self._game or detect_game(spot.text)
        if game is None:
            return []
        usual_count = count_fields(game.start)
        ends = list_ends(spot.text, usual_count)
        candidates = [spot.cut(0, end) for end in ends]
        return [
            candidate
            for candidate in candidates
            if candidate.text == spot.text or len(candidate.text.split()) >= usual_count
        ]

    def _belongs_to_named_variant(self, text: str, checked: _CheckedText) -> bool:
        """Return True if the file names a variant, before a text, in which the text has no errors.

        The rules of the usual variant do not apply to ``Antichess: 8/8/8/8/8/8/8/K7 w - - 0 1``. `text` is
        the content of the file.
        """
        if checked.game is None or self.settings.variant is not None:
            return False
        start = checked.spot.start
        nearby_text = f"{self._file_name} {text[max(start - _MAX_VARIANT_DISTANCE, 0) : start]}"
        return any(
            not self._read_variant(checked.spot, variant).has_errors
            for variant in find_variants(nearby_text, registry.game(checked.game))
        )

    def _read_variant(self, spot: Spot, variant: Game) -> _CheckedText:
        """Check a position text by the rules of a game in a variant, and return it with its diagnostics."""
        reading = readings.check(self._complete(spot.text), variant, mode=self.settings.mode)
        return _CheckedText(spot, reading.game, reading.diagnostics, is_record=False)

    def _complete(self, text: str) -> str:
        """Return a text with the clocks that EPD lines lack.

        Clocks are added at the end, so they do not change the offsets of diagnostics.
        """
        return _add_clocks(text) if self._kind is FileKind.EPD else text

    def check_spot(self, spot: Spot) -> _CheckedText:
        """Check a position text and return it with its diagnostics.

        `spot` has the text and the number of characters before it in the file.
        """
        text = self._complete(spot.text)
        reading = self._resolver.read(readings.check, text, mode=self.settings.mode).reading
        diagnostics = reading.diagnostics
        if reading.game is None and _resembles_any_game(text):
            diagnostics = _without_undecided_game(diagnostics)
        return _CheckedText(spot, reading.game, diagnostics, is_record=False)

    def is_reported(self, diagnostic: Diagnostic) -> bool:
        """Return True if the settings report a diagnostic in this kind of file."""
        return self.settings.reports(diagnostic, self._kind)

    def check_again(self, checked: _CheckedText, new_text: str) -> _CheckedText:
        """Check `new_text`, which replaces the text of a position or record, and return it with diagnostics.

        `checked` is the position or record before the change.
        """
        if not checked.is_record:
            return self.check_spot(Spot(checked.spot.start, new_text))
        records = list(read_records(new_text, self._game, mode=self.settings.mode))
        diagnostics = tuple(diagnostic for record in records for diagnostic in record.diagnostics)
        return checked._replace(spot=Spot(checked.spot.start, new_text), diagnostics=diagnostics)

    @property
    def _game(self) -> Game | None:
        """The game of the settings, or None if each text determines it."""
        return self._resolver.game

    def _check_records(self, text: str) -> Iterator[_CheckedText]:
        """Yield all game records in the text of a file, in order, with their diagnostics."""
        previous_end = 0
        for record in read_records(text, self._game, mode=self.settings.mode):
            # Equal records can follow each other, so the search begins at the end of the previous record.
            start = max(text.find(record.text, previous_end), previous_end)
            previous_end = start + len(record.text)
            diagnostics = _without_undecided_game(record.diagnostics)
            yield _CheckedText(Spot(start, record.text), record.game, diagnostics, is_record=True)


def _without_undecided_game(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics without the error that the game of a text is not detected.

    Several games can share a correct text, and a correct record can lack the tags that name its game.
    """
    return tuple(diagnostic for diagnostic in diagnostics if diagnostic.code != _UNDECIDED_GAME_CODE)


def _resembles_any_game(text: str) -> bool:
    """Return True if a text looks at least a little like a position of some installed game."""
    return any(registry.game(name).likelihood(text) > 0 for name in registry.games())


def _add_clocks(line: str) -> str:
    """Return an EPD line of four fields with the two clocks of a FEN at its end.

    Return any other line unchanged, such as a line with operations (``bm e4;``).
    """
    text_with_clocks = epd_text(line)
    has_only_fields = text_with_clocks.startswith(line)
    return text_with_clocks if has_only_fields else line


def _find_all(file: str, content: _FileContent, linter: _Linter) -> FileReport:
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


def _fix_all(content: _FileContent, linter: _Linter) -> tuple[str, int]:
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


def _make_fix_selector(checked: _CheckedText, linter: _Linter, content: _FileContent) -> FixSelector:
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


def _fix_text(checked: _CheckedText, linter: _Linter, select_fixes: FixSelector) -> tuple[str, int]:
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
        if _count_errors(fixed) > _count_errors(current):
            break
        current = fixed
        fixed_count += len(fixable)
    return current.spot.text, fixed_count


def _has_safe_fix(diagnostic: Diagnostic) -> bool:
    """Return True if a diagnostic has a fix that inserts no quote or line end, which could end the text."""
    return diagnostic.fix is not None and not _TEXT_END.search(diagnostic.fix.replacement)


def _rate_alternative(checked: _CheckedText) -> tuple[bool, int]:
    """Return a rating of one of several texts with errors at one place. The lowest rating is the best.

    A part of a path before a position, as in ``analysis/8/8/...``, looks like a rank too many.
    """
    has_other_ranks = any(diagnostic.code == _RANK_COUNT_CODE for diagnostic in checked.diagnostics)
    return has_other_ranks, _count_errors(checked)


def _count_errors(checked: _CheckedText) -> int:
    """Return the number of diagnostics of a text that are errors."""
    return sum(diagnostic.is_error for diagnostic in checked.diagnostics)
