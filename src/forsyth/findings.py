# cython: annotation_typing=False
"""The collector of findings about one text, which all readers use.

- A `CodeBook` gives the severity, stage and family of each diagnostic code.
- `Findings` collects the findings about one text in order of detection.
- A `Word` is a part of the text together with its place.

Severity: mode `strict` turns every warning into an error. Mode `lenient` turns an error into a warning if the
reader repairs it. Mode `default` uses the severity of the code.

A reader may work on a cleaned copy of the text. All places refer to that copy. `Findings.offsets` maps it to
the original text, and spans and fixes are converted to the original text.

Objects are created by setting their attributes one by one. The constructors of frozen dataclasses and named
tuples take five times as long, which would be most of the time for an invalid text. The module runs as it is
and compiles with Cython (`findings.pxd` gives the C types).

At most MAX_DIAGNOSTICS findings are kept. Beyond that, the first finding of a code is preferred to repeated
ones, then errors to warnings, then earlier findings to later ones. The fix of a dropped finding is merged
with the fix of the last finding with the same code if both have the same confidence.
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
    # Sets an attribute of a frozen object. findings.pxd declares it in C.
    set_attribute = object.__setattr__

P = TypeVar("P")

CERTAIN: Final = Confidence.CERTAIN
LIKELY: Final = Confidence.LIKELY
GUESS: Final = Confidence.GUESS

BROKEN: Final = "\ufffd"
"""Placeholder in a cleaned text for a character that was reported, so that it is not reported again."""

Place = tuple[int, int]
"""Start and end offset, half-open, in the text that the reader works on."""

FieldName = int | str
Seed = tuple[str, StrEnum | None]
"""The message that a source document prescribes for an error, and the member of its error enumeration."""

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING
_NO_SEED: Final[Seed] = ("", None)


class Word:
    """An immutable part of a text with its place, and in some games with a field name and a player."""

    if not cython.compiled:
        __slots__ = ("name", "player", "start", "text")

    def __init__(self, text: str, start: int, name: str = "", player: int = -1) -> None:
        self.text = text
        self.start = start
        self.name = name
        """The name of the field that the word is, or an empty text."""
        self.player = player
        """The index of the player whose field it is, or -1."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Word):
            return NotImplemented
        return self._equality_values() == other._equality_values()

    def __hash__(self) -> int:
        return hash(self._equality_values())

    def __repr__(self) -> str:
        return f"Word{self._equality_values()!r}"

    def _equality_values(self) -> tuple[str, int, str, int]:
        """Return the values that two equal words share: text, start, field name and player."""
        return self.text, self.start, self.name, self.player

    @property
    def place(self) -> Place:
        """Start and end offset of the word in the text."""
        return self.start, self.start + len(self.text)

    def char_place(self, index: int) -> Place:
        """Return the start and end offset, in the whole text, of the character at `index` of the word."""
        char_start = self.start + index
        return char_start, char_start + 1

    def slice(self, start: int, end: int) -> Word:
        """Return a part of the word, with its place in the whole text: ``text[start:end]`` as a `Word`."""
        return Word(self.text[start:end], self.start + start, self.name, self.player)

    def split(self, separator: str) -> list[Word]:
        """Return the parts of the word between separators, such as ``/``, with their places in the text.

        `separator` is one character. The parts have the field name and the player of the word.
        """
        words = []
        start = self.start
        for part_text in self.text.split(separator):
            words.append(Word(part_text, start, self.name, self.player))
            start += len(part_text) + len(separator)
        return words


def _make_span(start: int, end: int) -> Span:
    """Return `Span(start, end)`, but faster than its constructor does."""
    return tuple.__new__(Span, (start, end))


def make_fix(place: Place, replacement: str, confidence: Confidence) -> Fix:
    """Return the `Fix` that replaces the characters at `place` with `replacement`.

    `place` is a pair of a start and an end offset. This is faster than the constructor of `Fix`.
    """
    start, end = place
    fix = object.__new__(Fix)
    set_attribute(fix, "span", _make_span(start, end))
    set_attribute(fix, "replacement", replacement)
    set_attribute(fix, "confidence", confidence)
    return fix


def make_reading(
    text: str,
    game: str,
    position: P | None,
    diagnostics: tuple[Diagnostic, ...] = (),
    variant: str | None = None,
) -> Reading[P]:
    """Return the `Reading` of a plain text, but faster than its constructor does.

    Args:
        text: The text that was read.
        game: The name of the game.
        position: The position, or None if the text cannot be read.
        diagnostics: The findings.
        variant: The name of the variant. None means that of the position.
    """
    reading: Reading[P] = object.__new__(Reading)
    set_attribute(reading, "text", text)
    set_attribute(reading, "game", game)
    set_attribute(reading, "position", position)
    set_attribute(reading, "form", "plain")
    set_attribute(reading, "_variant", variant)
    set_attribute(reading, "_diagnostics", diagnostics)
    set_attribute(reading, "_explain", None)
    return reading


def _make_finding(
    code: str,
    message: str,
    severity: Severity,
    stage: str,
    span: Span,
    field: FieldName,
    square: str | None,
    fix: Fix | None,
    family: str,
    seed_message: str,
    seed_kind: StrEnum | None,
) -> Diagnostic:
    """Return a `Diagnostic` with these attributes, but faster than its constructor does."""
    finding = object.__new__(Diagnostic)
    set_attribute(finding, "code", code)
    set_attribute(finding, "message", message)
    set_attribute(finding, "severity", severity)
    set_attribute(finding, "stage", stage)
    set_attribute(finding, "span", span)
    set_attribute(finding, "field", field)
    set_attribute(finding, "square", square)
    set_attribute(finding, "fix", fix)
    set_attribute(finding, "family", family)
    set_attribute(finding, "seed_message", seed_message)
    set_attribute(finding, "seed_kind", seed_kind)
    set_attribute(finding, "inside", ())
    set_attribute(finding, "unwrapped", "")
    return finding


def make_rewrite(text: str, new_text: str, offset: int, confidence: Confidence) -> Fix:
    """Return the shortest fix that turns `text` into `new_text`.

    To turn ``KQxq`` into ``KQkq``, it replaces ``x`` with ``k``.

    Args:
        text: A part of the text that is read.
        new_text: The correct content of this part.
        offset: The offset at which the part begins in the text that is read.
        confidence: The confidence that the fix is right.
    """
    # The characters at the beginning and at the end that are equal in both texts stay.
    shorter_length = min(len(text), len(new_text))
    prefix_length = 0
    while prefix_length < shorter_length and text[prefix_length] == new_text[prefix_length]:
        prefix_length += 1
    suffix_length = 0
    max_suffix_length = shorter_length - prefix_length
    while suffix_length < max_suffix_length and text[-1 - suffix_length] == new_text[-1 - suffix_length]:
        suffix_length += 1

    replaced_place = (offset + prefix_length, offset + len(text) - suffix_length)
    replacement = new_text[prefix_length : len(new_text) - suffix_length]
    return make_fix(replaced_place, replacement, confidence)


class CodeBook:
    """The diagnostic codes that a reader can report: `codes` and the codes that all games share.

    Args:
        codes: The codes of the game or file format.
        families: The coarser code (family) to which a code belongs. A code that is not listed is its own
            family.
        seeds: The message and error kind that the game's source document prescribes for each field.
        whole: The field number or name of a finding about the text as a whole.
    """

    __slots__ = ("families", "infos", "seeds", "whole_field")

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
        """The message and error kind that the source document prescribes for any error in a field."""
        self.whole_field = whole
        """The field of a finding about the text as a whole."""

    def make_diagnostic(
        self,
        code: str,
        place: Place,
        message: str,
        *,
        field: FieldName | None = None,
        square: str | None = None,
        fix: Fix | None = None,
    ) -> Diagnostic:
        """Return one finding (an error or warning) with the severity that its code has in default mode.

        Unlike `Findings.add`, this neither adds the finding to a list nor considers the reading mode.

        Args:
            code: A code of this book.
            place: Start and end offset in the original text.
            message: One sentence.
            field: The number or name of the field. None means the text as a whole.
            square: The name of a square, if the finding is about one.
            fix: A proposed fix.
        """
        info = self.infos[code]
        start, end = place
        seed_message, seed_kind = _NO_SEED
        return _make_finding(
            code,
            message,
            info.severity,
            info.stage,
            _make_span(start, end),
            self.whole_field if field is None else field,
            square,
            fix,
            self.families[code],
            seed_message,
            seed_kind,
        )


SHARED: Final = CodeBook((), families={info.code: "" for info in SHARED_CODES})
"""The codes that all games share, for errors before the game is known. They have no family."""


class Findings:
    """The collector of the findings about one text, in order of detection.

    Args:
        text: The original text, or an empty text if it is not known yet.
        mode: The reading mode.
        book: The codes that can be reported.
        tolerates_repairs: Whether a repaired error becomes a warning. None means: in lenient mode only.
    """

    if not cython.compiled:
        __slots__ = (
            "_book",
            "_counts",
            "diagnostics",
            "errors",
            "lenient",
            "mode",
            "offsets",
            "text",
            "tolerates_repairs",
        )

    def __init__(
        self, text: str, mode: Mode, book: CodeBook, *, tolerates_repairs: bool | None = None
    ) -> None:
        self.text = text
        """The original text; empty if it is not known yet."""
        self.mode = mode
        self.lenient = mode == "lenient"
        """Whether the reader should repair errors."""
        self.tolerates_repairs = self.lenient if tolerates_repairs is None else tolerates_repairs
        """Whether a repaired error becomes a warning."""
        self.offsets: Sequence[int] | None = None
        """The offset in the original text of each character of the cleaned text, and of its end.

        None means that the reader works on the original text.
        """
        self.diagnostics: list[Diagnostic] = []
        self.errors = 0
        """Number of errors, including dropped ones."""
        self._book = book
        self._counts: Counter[str] | None = None

    @property
    def has_errors(self) -> bool:
        """Whether one of the findings, including those dropped from a full list, is an error."""
        return self.errors > 0

    @property
    def is_full(self) -> bool:
        """Whether there are `MAX_DIAGNOSTICS` errors, so that the reader may stop."""
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
        repaired: bool = False,
        seed: str = "",
        seed_field: FieldName | None = None,
    ) -> bool:
        """Add one finding to `diagnostics`, and return True if it is an error.

        In strict mode every finding is an error. A repaired error becomes a warning in lenient mode.

        Args:
            code: A code of the code book, such as ``board.digit``.
            place: Start and end offset in the text that the reader works on.
            message: One sentence.
            field: The number or name of the field. None means the text as a whole.
            square: The name of the square, or None.
            fix: A fix of the text that the reader works on.
            repaired: Whether the reader repaired the error.
            seed: The message of the game's source document. If empty, its message for the field.
            seed_field: The field for that message and its error kind. None means `field`.
        """
        book = self._book
        info = book.infos[code]
        severity = info.severity
        if self.mode == "strict":
            severity = _ERROR
        elif repaired and self.tolerates_repairs:
            severity = _WARNING
        if field is None:
            field = book.whole_field
        if seed_field is None:
            seed_field = field
        field_message, seed_kind = book.seeds.get(seed_field, _NO_SEED)
        source_fix = None if fix is None else self._to_source_fix(fix)
        finding = _make_finding(
            code,
            message,
            severity,
            info.stage,
            self._to_source_span(place),
            field,
            square,
            source_fix,
            book.families[code],
            seed or field_message,
            seed_kind,
        )
        self._append(finding)
        return severity is _ERROR

    def add_diagnostic(self, finding: Diagnostic) -> None:
        """Add a finding whose span refers to the original text. In strict mode, it is an error."""
        becomes_error = self.mode == "strict" and not finding.is_error
        self._append(finding.with_severity(_ERROR) if becomes_error else finding)

    def _to_source_span(self, place: Place) -> Span:
        """Convert a place in the cleaned copy of the text to a span of the original text.

        `place` is a pair of a start and an end offset.
        """
        offsets = self.offsets
        start, end = place
        if offsets is None:
            # The reader works on the original text.
            return _make_span(start, end)
        source_start = offsets[start]
        is_empty = end <= start
        # After the last character, not before the next one: characters in between may have been removed.
        source_end = source_start if is_empty else offsets[end - 1] + 1
        return _make_span(source_start, source_end)

    def _to_source_fix(self, fix: Fix) -> Fix | None:
        """Convert a fix of the cleaned copy of the text to a fix of the original text.

        The result is None if the replacement contains `BROKEN`, the character that the cleaned copy has in
        place of an invalid one.
        """
        contains_placeholder = BROKEN in fix.replacement and BROKEN not in self.text
        if contains_placeholder:
            return None
        if self.offsets is None:
            return fix
        return make_fix(self._to_source_span(fix.span), fix.replacement, fix.confidence)

    def _append(self, finding: Diagnostic) -> None:
        """Append a finding to `diagnostics`, and count it if it is an error.

        If there are `MAX_DIAGNOSTICS` findings already, this one or a less important one is dropped.
        """
        if finding.severity is _ERROR:
            self.errors += 1
        if len(self.diagnostics) < MAX_DIAGNOSTICS:
            self.diagnostics.append(finding)
        else:
            self._replace_less_important(finding)

    def _replace_less_important(self, finding: Diagnostic) -> None:
        """Drop the least important finding from the full list, and append `finding` to the list.

        If all others are as important, `finding` itself is dropped. Its fix is then merged into the fix of
        another finding if possible.
        """
        if self._counts is None:
            self._counts = Counter(kept.code for kept in self.diagnostics)
        counts = self._counts
        dropped_index = self._find_less_important(finding, counts)
        if dropped_index is None:
            self._merge_fix(finding)
            return
        dropped = self.diagnostics.pop(dropped_index)
        counts[dropped.code] -= 1
        counts[finding.code] += 1
        self.diagnostics.append(finding)

    def _find_less_important(self, finding: Diagnostic, counts: Counter[str]) -> int | None:
        """Return the index of the finding to drop from the full list in favour of `finding`.

        Return None if there is none. Only a finding whose code occurs several times is dropped: the last
        warning of this kind, or, if the code of `finding` is new, the last error of this kind. `counts` maps
        each code to the number of its findings in the list.
        """
        is_new_code = counts[finding.code] == 0
        is_repeated_warning = not is_new_code and not finding.is_error
        if is_repeated_warning:
            return None
        repeated_indices = [index for index, kept in enumerate(self.diagnostics) if counts[kept.code] > 1]
        warning_indices = [index for index in repeated_indices if not self.diagnostics[index].is_error]
        if warning_indices:
            return warning_indices[-1]
        if is_new_code and repeated_indices:
            return repeated_indices[-1]
        return None

    def _merge_fix(self, dropped: Diagnostic) -> None:
        """Merge the fix of a dropped finding into the last fix in the list with the same code.

        The merged fix corrects both mistakes. Nothing changes if the fixes cannot be merged.
        """
        for index in reversed(range(len(self.diagnostics))):
            kept = self.diagnostics[index]
            if kept.code != dropped.code:
                continue
            merged_fix = _merge_fixes(self.text, kept.fix, dropped.fix)
            if merged_fix is not None:
                self.diagnostics[index] = replace(kept, fix=merged_fix)
            return


def _merge_fixes(text: str, earlier: Fix | None, later: Fix | None) -> Fix | None:
    """Return one fix of `text` with the effect of both. The text between them stays.

    Return None if one of them is None, if they differ in confidence, if they overlap, or if `later` begins
    before `earlier` or reaches beyond the text.
    """
    if earlier is None or later is None:
        return None
    if earlier.confidence is not later.confidence:
        return None
    is_in_order = earlier.span.end <= later.span.start
    is_inside_text = later.span.end <= len(text)
    if not is_in_order or not is_inside_text:
        return None
    text_between = text[earlier.span.end : later.span.start]
    span = Span(earlier.span.start, later.span.end)
    return Fix(span, earlier.replacement + text_between + later.replacement, earlier.confidence)
