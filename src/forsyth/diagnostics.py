"""Diagnostics, which are findings about a text, and the reading that contains them.

A *diagnostic* is one finding: a code such as ``board.digit``, a severity, the place (field, span of
characters, square), one sentence, and possibly a fix with its confidence. A *reading* is the result of
reading one text: the position, if there is one, and all findings.

Spans are half-open pairs of character offsets into the original text, before any unwrapping. A finding about
a wrapped text (``base64_``, ``fenz_``) contains the unwrapped text and the findings about it. Their spans are
offsets into the unwrapped text.

The JSON of a diagnostic (`Diagnostic.to_dict`) and of a reading (`Reading.to_dict`) is the same in the
library, on the command line and over HTTP; `schema/reading.schema.json` describes it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import FrozenInstanceError, dataclass, replace
from enum import StrEnum
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar

from forsyth.arguments import quoted, require_choice, require_text, require_type, to_tuple
from forsyth.display import render_html
from forsyth.identity import state_id, stored_text

P = TypeVar("P")

Mode = Literal["strict", "default", "lenient"]
MODES: Final[tuple[Mode, ...]] = ("strict", "default", "lenient")
"""All reading modes."""


class Severity(StrEnum):
    """The severity of a finding. An unusual but legal text or position gets a warning."""

    ERROR = "error"
    WARNING = "warning"


class Confidence(StrEnum):
    """The confidence that a fix is right, modelled on the applicability levels of rustc."""

    CERTAIN = "certain"
    LIKELY = "likely"
    GUESS = "guess"


class Span(NamedTuple):
    """A half-open range of character offsets into the original text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Fix:
    """A correction of a text: replace the characters of `span` with `replacement`."""

    span: Span
    replacement: str
    confidence: Confidence

    def to_dict(self) -> dict[str, Any]:
        """Return the fix as JSON-ready data: ``span`` (two offsets), ``replacement`` and ``confidence``."""
        return {
            "span": list(self.span),
            "replacement": self.replacement,
            "confidence": self.confidence.value,
        }

    def describe(self, text: str) -> str:
        """Return a line that describes the fix of `text`, such as ``replace 'x' with '-'``."""
        replaced = text[self.span.start : self.span.end]
        if not replaced:
            return f"insert {make_printable(self.replacement)!r}"
        if not self.replacement:
            return f"remove {make_printable(replaced)!r}"
        return f"replace {make_printable(replaced)!r} with {make_printable(self.replacement)!r}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding about a text or a position, such as a missing field: its code, place, message and fix."""

    code: str
    message: str
    severity: Severity
    stage: str
    span: Span
    field: int | str = 0
    square: str | None = None
    fix: Fix | None = None
    family: str = ""
    """The coarser code that includes this code; equal to `code` unless the game groups codes."""
    seed_message: str = ""
    """The message that the game's source document prescribes for this case, or an empty text."""
    seed_kind: StrEnum | None = None
    """The member of the source document's error enumeration for this error, or None."""
    inside: tuple[Diagnostic, ...] = ()
    """All findings about the text inside a wrapped text. Their spans refer to `unwrapped`."""
    unwrapped: str = ""
    """The text inside a wrapped text if there are findings about it, else an empty text."""

    @property
    def is_error(self) -> bool:
        """Whether the severity is error, so that the reading fails."""
        return self.severity is Severity.ERROR

    @property
    def code_in_capitals(self) -> str:
        """The code as specifications write it: ``BOARD_DIGIT`` for ``board.digit``.

        If the family of the code is in capitals, it is the family.
        """
        if self.family.isupper():
            return self.family
        return self.code.upper().replace(".", "_")

    def with_severity(self, severity: Severity) -> Diagnostic:
        """Return a copy of the finding with another severity.

        Raise `ValueError` if `severity` is neither ``error`` nor ``warning``.
        """
        require_choice("severity", severity, Severity)
        return replace(self, severity=severity)

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as JSON-ready data with the fields of ``schema/reading.schema.json``.

        The fields `unwrapped` and `inside` are only present for an encoded text, such as ``base64_…``, with
        findings about the text inside.
        """
        data: dict[str, Any] = {
            "code": self.code,
            "family": self.family or self.code,
            "severity": self.severity.value,
            "stage": self.stage,
            "field": self.field,
            "span": list(self.span),
            "square": self.square,
            "message": self.message,
            "fix": None if self.fix is None else self.fix.to_dict(),
        }
        if self.inside:
            data["unwrapped"] = self.unwrapped
            data["inside"] = [finding.to_dict() for finding in self.inside]
        return data


class CodeInfo(NamedTuple):
    """One entry of a game's list of diagnostic codes. docs/reference/codes.md shows all of them."""

    code: str
    severity: Severity
    stage: str
    summary: str


SHARED_CODES: Final[tuple[CodeInfo, ...]] = (
    CodeInfo("fen.type", Severity.ERROR, "text", "the input is not text"),
    CodeInfo("fen.length", Severity.ERROR, "text", "the text is longer than any position can be"),
    CodeInfo("fen.empty", Severity.ERROR, "text", "there is nothing but white space"),
    CodeInfo("fen.fields", Severity.ERROR, "text", "the text has too few or too many fields"),
    CodeInfo("game.unknown", Severity.ERROR, "text", "the game cannot be detected from the text"),
    CodeInfo("hash.format", Severity.ERROR, "form", "a state_ text is not a state identifier"),
    CodeInfo("hash.unknown", Severity.ERROR, "form", "the store does not know this state identifier"),
    CodeInfo("base64.format", Severity.ERROR, "form", "a base64_ text is not well-formed padded Base64"),
    CodeInfo("base64.payload", Severity.ERROR, "form", "a base64_ text does not hold a valid position text"),
    CodeInfo("compressed.format", Severity.ERROR, "form", "a fenz_ text is not a bounded DEFLATE stream"),
    CodeInfo(
        "compressed.payload", Severity.ERROR, "form", "a fenz_ text does not hold a valid position text"
    ),
    CodeInfo("name.unknown", Severity.ERROR, "form", "no position has this name"),
    CodeInfo("url.format", Severity.ERROR, "form", "a URL text has a broken percent escape"),
)
"""The diagnostic codes that all games share. Each game adds its own list."""


class Reading(Generic[P]):
    """The immutable result of reading one text: the position, if there is one, and all findings.

    Args:
        text: The text that was read.
        game: The name of the game, or None if it is unknown.
        position: The position, or None if the text cannot be read.
        diagnostics: The findings.
        form: The form of the text, such as ``plain`` or ``base64``.
        variant: The name of the variant. None means that of the position, if there is one.
        explain: Computes the findings when they are first accessed, instead of `diagnostics`. It must only
            return warnings, because `ok` is true without calling it.
    """

    __slots__ = ("_diagnostics", "_explain", "_variant", "form", "game", "position", "text")

    text: str
    game: str | None
    position: P | None
    form: str
    _variant: str | None
    _diagnostics: tuple[Diagnostic, ...]
    _explain: Callable[[], tuple[Diagnostic, ...]] | None

    def __init__(
        self,
        text: str,
        game: str | None,
        position: P | None,
        diagnostics: tuple[Diagnostic, ...] = (),
        form: str = "plain",
        variant: str | None = None,
        *,
        explain: Callable[[], tuple[Diagnostic, ...]] | None = None,
    ) -> None:
        # `Reading.__setattr__` rejects all changes, so attributes are set with the method of `object`.
        set_attribute = object.__setattr__
        set_attribute(self, "text", text)
        set_attribute(self, "game", game)
        set_attribute(self, "position", position)
        set_attribute(self, "form", form)
        set_attribute(self, "_variant", variant)
        set_attribute(self, "_diagnostics", diagnostics)
        set_attribute(self, "_explain", explain)

    @property
    def variant(self) -> str | None:
        """The name of the variant in which the text was read, such as ``standard``, or None if unknown."""
        if self._variant is not None or self.position is None:
            return self._variant
        game = getattr(self.position, "game", None)
        position_variant: str | None = getattr(game, "variant", None)
        return position_variant

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All findings (errors and warnings), in order of detection."""
        # Findings are computed on first access, because most callers only ask for the position.
        if self._explain is not None:
            object.__setattr__(self, "_diagnostics", self._explain())
            object.__setattr__(self, "_explain", None)
        return self._diagnostics

    @property
    def ok(self) -> bool:
        """Whether the text was read without an error. Warnings do not count."""
        # Findings that are not computed yet are only warnings.
        has_only_warnings = self._explain is not None
        return has_only_warnings or not any(finding.is_error for finding in self._diagnostics)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The findings with the severity error, in order of detection."""
        return tuple(finding for finding in self.diagnostics if finding.is_error)

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """The findings with the severity warning, in order of detection."""
        return tuple(finding for finding in self.diagnostics if not finding.is_error)

    def require(self) -> P:
        """Return the position of a text that was read without an error.

        Raise `FenError` with all findings if there is no position, or if a finding is an error.
        """
        if self.position is None or not self.ok:
            raise FenError(self.text, self.diagnostics)
        return self.position

    def with_findings(self, findings: Iterable[Diagnostic]) -> Reading[P]:
        """Return a copy of the reading with `findings` appended, such as those about legality."""
        new_findings = _to_findings(findings)
        if not new_findings:
            return self
        return self.replace(diagnostics=(*self.diagnostics, *new_findings))

    def as_strict(self) -> Reading[P]:
        """Return a copy of the reading in which every finding is an error."""
        errors = tuple(finding.with_severity(Severity.ERROR) for finding in self.diagnostics)
        return self.replace(diagnostics=errors)

    def replace(
        self,
        *,
        text: str | None = None,
        position: P | None = None,
        form: str | None = None,
        variant: str | None = None,
        diagnostics: tuple[Diagnostic, ...] | None = None,
    ) -> Reading[P]:
        """Return a copy of the reading with the given values. An argument that is None changes nothing."""
        return Reading(
            text=self.text if text is None else text,
            game=self.game,
            position=self.position if position is None else position,
            diagnostics=self.diagnostics if diagnostics is None else diagnostics,
            form=self.form if form is None else form,
            variant=self._variant if variant is None else variant,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the reading as JSON-ready data with the fields of `forsyth check --json`."""
        canonical = None if self.position is None else str(self.position)
        return {
            "text": self.text,
            "game": self.game,
            "variant": self.variant,
            "form": self.form,
            "ok": self.ok,
            "canonical": canonical,
            "state_id": None if canonical is None else state_id(stored_text(self.position)),
            "key": getattr(self.position, "key", None),
            "diagnostics": [finding.to_dict() for finding in self.diagnostics],
        }

    def __str__(self) -> str:
        return render_findings(self.text, self.diagnostics)

    def _repr_html_(self) -> str:
        return render_html(self)

    def __repr__(self) -> str:
        rules = ", ".join(name for name in (self.game, self.variant) if name) or "unknown game"
        return f"<Reading {rules}, {count_findings(self.diagnostics)}, {quoted(self.text)}>"

    def _equality_values(self) -> tuple[Any, ...]:
        """Return the values that two equal readings share, as the arguments of the constructor."""
        return (self.text, self.game, self.position, self.diagnostics, self.form, self.variant)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Reading):
            return NotImplemented
        return self._equality_values() == other._equality_values()

    def __hash__(self) -> int:
        return hash(self._equality_values())

    def __reduce__(self) -> tuple[Any, ...]:
        return Reading, self._equality_values()

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(
            f"the attribute {name!r} cannot be set: a Reading is immutable, use its method replace"
        )

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"the attribute {name!r} cannot be deleted: a Reading is immutable")


class FenError(ValueError):
    """Error with all findings for a text that cannot be read, or a position that is not legal.

    `text` is the text, `diagnostics` are the findings, and `first` is the first error among them, or the
    first finding if none is an error.
    """

    def __init__(self, text: str, diagnostics: Iterable[Diagnostic]) -> None:
        self.text = text
        self.diagnostics = _to_findings(diagnostics)
        if not self.diagnostics:
            raise ValueError("the FenError has no findings, expected at least one")
        errors = [finding for finding in self.diagnostics if finding.is_error]
        self.first = errors[0] if errors else self.diagnostics[0]
        super().__init__(self.first.message)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text, self.diagnostics)

    @property
    def code(self) -> str:
        """The code of the first error."""
        return self.first.code

    @property
    def span(self) -> Span:
        """The span of the first error."""
        return self.first.span

    @property
    def field(self) -> int | str:
        """The field of the first error."""
        return self.first.field

    @property
    def seed_message(self) -> str:
        """The message for the first error in the game's source document, or an empty text."""
        return self.first.seed_message

    @property
    def seed_kind(self) -> StrEnum | None:
        """The kind of the first error in the enumeration of the game's source document, or None."""
        return self.first.seed_kind

    def render(self, *, colour: bool = False) -> str:
        """Return all findings as lines for a terminal: code, message, the text with carets, and the fix.

        `colour` adds ANSI colour codes.
        """
        return render_findings(self.text, self.diagnostics, colour=colour)


class MoveError(ValueError):
    """Error for a move text that does not name exactly one legal move.

    `kind` is ``invalid`` if the text does not have the shape of a move, ``illegal`` if it names no legal
    move, and ``ambiguous`` if it fits several. `candidates` are the moves that may be meant, in canonical
    notation.
    """

    def __init__(
        self,
        kind: Literal["invalid", "illegal", "ambiguous"],
        text: str,
        message: str,
        candidates: Iterable[str] = (),
    ) -> None:
        self.kind = kind
        self.text = text
        self.candidates = tuple(candidates)
        super().__init__(message)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.kind, self.text, str(self), self.candidates)


def count_findings(diagnostics: Iterable[Diagnostic]) -> str:
    """Return the number of errors and warnings in words: ``ok, 1 warning``, or ``2 errors``."""
    findings = tuple(diagnostics)
    error_count = sum(finding.is_error for finding in findings)
    warning_count = len(findings) - error_count
    parts = [format_count(error_count, "error") if error_count else "ok"]
    if warning_count:
        parts.append(format_count(warning_count, "warning"))
    return ", ".join(parts)


def format_count(count: int, noun: str) -> str:
    """Return a number with its noun in the singular or plural: ``1 error``, ``2 errors``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def apply_fixes(
    text: str,
    diagnostics: Iterable[Diagnostic],
    min_confidence: Confidence = Confidence.CERTAIN,
) -> str:
    """Return `text` after applying the fixes of its findings.

    If two fixes overlap, only the one that begins earlier in the text is applied.

    Args:
        text: The text that the findings are about.
        diagnostics: The findings, such as `Reading.diagnostics`.
        min_confidence: Fixes with a lower confidence are not applied.
    """
    require_text("the text", text)
    require_choice("confidence", min_confidence, Confidence)
    if isinstance(diagnostics, Reading):
        raise TypeError("the diagnostics are of type Reading, expected its findings: reading.diagnostics")
    fixable_findings = select_fixable(_to_findings(diagnostics), min_confidence)
    fixes = [finding.fix for finding in fixable_findings if finding.fix is not None]
    parts: list[str] = []
    copied_end = 0
    for fix in fixes:
        unchanged_text = text[copied_end : fix.span.start]
        parts += [unchanged_text, fix.replacement]
        copied_end = fix.span.end
    remaining_text = text[copied_end:]
    return "".join([*parts, remaining_text])


def _to_findings(values: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return `values` as a tuple. Raise `TypeError` if one of them is not a `Diagnostic`."""
    findings = to_tuple("the findings", values, "values of Diagnostic")
    for finding in findings:
        require_type("a finding", finding, Diagnostic, "a Diagnostic")
    return findings


def select_fixable(diagnostics: Iterable[Diagnostic], min_confidence: Confidence) -> tuple[Diagnostic, ...]:
    """Return the findings whose fixes can be applied together, sorted by the place of the fix.

    A finding is left out if it has no fix, if the confidence of its fix is below `min_confidence`, or if the
    fix overlaps one that begins earlier. Of two insertions at one place, only the first is returned.
    """
    # The enumeration begins with the highest confidence.
    confidences = list(Confidence)
    accepted_confidences = confidences[: confidences.index(min_confidence) + 1]
    spans_and_findings = [
        (finding.fix.span, finding)
        for finding in diagnostics
        if finding.fix is not None and finding.fix.confidence in accepted_confidences
    ]
    # By the span only: findings cannot be compared, and those with equal spans keep their order.
    spans_and_findings.sort(key=lambda span_and_finding: span_and_finding[0])

    selected: list[Diagnostic] = []
    last_span: Span | None = None
    for span, finding in spans_and_findings:
        # Two insertions at one place have equal, empty spans. Their order would be unclear.
        is_separate = last_span is None or (span.start >= last_span.end and span != last_span)
        if is_separate:
            selected.append(finding)
            last_span = span
    return tuple(selected)


# --- rendering ------------------------------------------------------------------------------------

_WINDOW: Final = 76
"""Characters of the text that are shown around a finding, so that they fit on a terminal line."""

_ASCII_WHITE_SPACE: Final = "\t\n\r\x0b\x0c"
"""The white space of ASCII besides the space."""
_WIDE_CLASSES: Final = ("W", "F")
"""East Asian width classes of Unicode: wide and full-width characters."""
_INVISIBLE_CATEGORIES: Final = "CZ"
"""Unicode categories: C are control, format, surrogate and unassigned characters, Z are separators."""

_ANSI: Final[Mapping[str, str]] = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "fix": "\x1b[32m",
    "off": "\x1b[0m",
}
"""The ANSI escape sequences that set and reset colours."""


def make_printable(text: str) -> str:
    """Replace each character that is unsafe or invisible on a terminal by ``␠`` or ``·``.

    Tabs, line ends and form feeds become ``␠``. Control, format, surrogate and combining characters and
    unusual spaces become ``·``. The length does not change.
    """
    return "".join(map(_make_char_printable, text))


def _make_char_printable(char: str) -> str:
    """Return `char` if it is safe on a terminal, else ``␠`` for white space or ``·``."""
    is_printable_ascii = " " <= char <= "~"
    if is_printable_ascii:
        return char
    if char in _ASCII_WHITE_SPACE:
        return "␠"
    main_category = unicodedata.category(char)[0]
    is_invisible = main_category in _INVISIBLE_CATEGORIES
    if is_invisible or unicodedata.combining(char):
        return "·"
    return char


def _count_terminal_columns(text: str) -> int:
    """Return the number of terminal columns that a text takes. Wide East Asian characters take two."""
    wide_count = sum(unicodedata.east_asian_width(char) in _WIDE_CLASSES for char in text)
    return len(text) + wide_count


class _MarkedLine(NamedTuple):
    """A line of text for a terminal, and the carets (``^^^``) to write below it."""

    line: str
    column: int
    """The number of terminal columns before the first caret."""
    caret_count: int


def _select_window(offset: int, text_length: int) -> Span:
    """Return the part of a text to show on one line: at most `_WINDOW` characters around `offset`.

    `offset` is in the middle of the part, unless the part would reach beyond the text.
    """
    if text_length <= _WINDOW:
        return Span(0, text_length)
    last_start = text_length - _WINDOW
    start = max(0, min(offset - _WINDOW // 2, last_start))
    return Span(start, start + _WINDOW)


def _mark_span(text: str, span: Span) -> _MarkedLine:
    """Return a line of the text around a span, and where carets (``^^^``) mark the span.

    The line has at most `_WINDOW` characters of the text, and ``…`` where the text is cut.
    """
    start = min(span.start, len(text))
    end = max(start, min(span.end, len(text)))
    window = _select_window(start, len(text))
    marked_end = min(end, window.end)

    left_ellipsis = "…" if window.start > 0 else ""
    right_ellipsis = "…" if window.end < len(text) else ""
    before = left_ellipsis + make_printable(text[window.start : start])
    marked = make_printable(text[start:marked_end])
    after = make_printable(text[marked_end : window.end]) + right_ellipsis
    # An empty span, at which something is missing, gets one caret.
    caret_count = max(1, _count_terminal_columns(marked))
    return _MarkedLine(before + marked + after, _count_terminal_columns(before), caret_count)


def render_findings(text: str, diagnostics: Iterable[Diagnostic], *, colour: bool = False) -> str:
    """Return all findings about `text` as lines for a terminal.

    Each finding has a line with its code and message, the text with carets (``^``) below the mistake, and the
    proposed fix. `colour` adds ANSI colour codes.
    """
    lines: list[str] = []
    for finding in diagnostics:
        lines += _render_finding(text, finding, colour)
    return "\n".join(lines)


def _render_finding(text: str, finding: Diagnostic, colour: bool) -> Iterator[str]:
    """Yield the lines that show one finding: its message, the text with carets, and the fix.

    If the text is encoded, such as ``base64_…``, the findings about the text inside follow with indentation.
    """
    severity = finding.severity.value
    severity_colour = _ANSI[severity] if colour else ""
    fix_colour = _ANSI["fix"] if colour else ""
    reset = _ANSI["off"] if colour else ""
    yield f"{severity_colour}{severity}[{finding.code}]{reset}: {finding.message}"
    if text:
        marked_line = _mark_span(text, finding.span)
        indentation = " " * marked_line.column
        carets = "^" * marked_line.caret_count
        yield f"  {marked_line.line}"
        yield f"  {indentation}{severity_colour}{carets}{reset}"
    if finding.fix is not None:
        description = finding.fix.describe(text)
        yield f"  {fix_colour}fix ({finding.fix.confidence.value}): {description}{reset}"
    for inner in finding.inside:
        first_line, *further_lines = _render_finding(finding.unwrapped, inner, colour)
        yield f"  inside: {first_line}"
        yield from [f"  {line}" for line in further_lines]
