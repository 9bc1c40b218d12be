"""What Forsyth says about a text: findings, each with its place, and the reading that carries them.

A *diagnostic* is one finding: a code such as ``board.digit``, a severity, the place (field, span of
characters, square), one sentence, and where there is one a fix with its confidence. A *reading* is the
result of reading one text: the position or none, and every finding at once.

Spans are half-open pairs of character offsets into the text as it was given, before any unwrapping. A finding
about a wrapped text (``base64_``, ``fenz_``) carries those about what is inside: their spans count in the
unwrapped text, which it carries as well.

The JSON of a diagnostic (`Diagnostic.to_dict`) and of a reading (`Reading.to_dict`) is the same in the
library, on the command line and over HTTP; `schema/reading.schema.json` describes it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import FrozenInstanceError, dataclass, replace
from enum import StrEnum
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar

from forsyth.arguments import require_choice, require_kind, require_text, several
from forsyth.display import html_of
from forsyth.identity import kept_text, state_id

P = TypeVar("P")

Mode = Literal["strict", "default", "lenient"]
MODES: Final[tuple[Mode, ...]] = ("strict", "default", "lenient")


class Severity(StrEnum):
    """How bad a finding is. Unusual but legal is a warning."""

    ERROR = "error"
    WARNING = "warning"


class Confidence(StrEnum):
    """How sure a fix is, after rustc's applicability."""

    CERTAIN = "certain"
    LIKELY = "likely"
    GUESS = "guess"


class Span(NamedTuple):
    """A half-open pair of character offsets into the text as given."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Fix:
    """Replace the characters of `span` with `replacement`."""

    span: Span
    replacement: str
    confidence: Confidence

    def to_dict(self) -> dict[str, Any]:
        """The fix as JSON-ready data."""
        return {
            "span": list(self.span),
            "replacement": self.replacement,
            "confidence": self.confidence.value,
        }

    def describe(self, text: str) -> str:
        """One line for a person: what to put in place of what."""
        found = text[self.span.start : self.span.end]
        if not found:
            return f"insert {printable(self.replacement)!r}"
        if not self.replacement:
            return f"remove {printable(found)!r}"
        return f"replace {printable(found)!r} with {printable(self.replacement)!r}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding about a text or a position."""

    code: str
    message: str
    severity: Severity
    stage: str
    span: Span
    field: int | str = 0
    square: str | None = None
    fix: Fix | None = None
    family: str = ""
    """The coarser code this one belongs to; the code itself unless a game says otherwise."""
    seed_message: str = ""
    """What the game's source document says in this case, verbatim, where it says anything."""
    seed_kind: StrEnum | None = None
    """The document's own name of this error, of its enumeration, where it has one."""
    inside: tuple[Diagnostic, ...] = ()
    """What is wrong with the text inside a wrapped one, all of it; the spans are those of `unwrapped`."""
    unwrapped: str = ""
    """The text inside a wrapped one, where there are findings about it."""

    @property
    def is_error(self) -> bool:
        """Whether this finding makes the reading fail."""
        return self.severity is Severity.ERROR

    @property
    def code_in_capitals(self) -> str:
        """The code as specifications spell it: the family where that is one, else with ``_`` for the dot."""
        return self.family if self.family.isupper() else self.code.upper().replace(".", "_")

    def with_severity(self, severity: Severity) -> Diagnostic:
        """The same finding, weighed differently."""
        require_choice("severity", severity, Severity)
        return replace(self, severity=severity)

    def to_dict(self) -> dict[str, Any]:
        """The diagnostic as JSON-ready data, with the fields of the contract for programs.

        `unwrapped` and `inside` are there where something is inside.
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
            data["inside"] = [d.to_dict() for d in self.inside]
        return data


class CodeInfo(NamedTuple):
    """One entry of a game's typed list of codes; the reference page in docs/ shows them all."""

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
"""Codes every game shares; each game adds its own list."""


class Reading(Generic[P]):
    """The result of reading one text: the position or none, and every finding. A value: it never changes.

    Where a text was accepted with warnings, the findings are made when they are first looked at: `explain`
    makes them, and must give warnings only.
    """

    __slots__ = ("_explain", "_found", "form", "game", "position", "text")

    text: str
    game: str | None
    position: P | None
    form: str
    _found: tuple[Diagnostic, ...]
    _explain: Callable[[], tuple[Diagnostic, ...]] | None

    def __init__(
        self,
        text: str,
        game: str | None,
        position: P | None,
        diagnostics: tuple[Diagnostic, ...] = (),
        form: str = "plain",
        *,
        explain: Callable[[], tuple[Diagnostic, ...]] | None = None,
    ) -> None:
        put = object.__setattr__
        put(self, "text", text)
        put(self, "game", game)
        put(self, "position", position)
        put(self, "form", form)
        put(self, "_found", diagnostics)
        put(self, "_explain", explain)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Every finding, in order of detection."""
        if self._explain is not None:
            object.__setattr__(self, "_found", self._explain())
            object.__setattr__(self, "_explain", None)
        return self._found

    @property
    def ok(self) -> bool:
        """No finding of severity error."""
        return self._explain is not None or not any(d.is_error for d in self._found)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The findings of severity error, in order of detection."""
        return tuple(d for d in self.diagnostics if d.is_error)

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """The findings of severity warning, in order of detection."""
        return tuple(d for d in self.diagnostics if not d.is_error)

    def require(self) -> P:
        """The position; raises `FenError` with all findings when one of them is an error."""
        if self.position is None or not self.ok:
            raise FenError(self.text, self.diagnostics)
        return self.position

    def with_findings(self, more: Iterable[Diagnostic]) -> Reading[P]:
        """The same reading with further findings behind its own."""
        found = _findings(more)
        return self.changed(diagnostics=(*self.diagnostics, *found)) if found else self

    def strictly(self) -> Reading[P]:
        """The same reading with every finding as an error."""
        return self.changed(diagnostics=tuple(d.with_severity(Severity.ERROR) for d in self.diagnostics))

    def changed(
        self,
        *,
        text: str | None = None,
        position: P | None = None,
        form: str | None = None,
        diagnostics: tuple[Diagnostic, ...] | None = None,
    ) -> Reading[P]:
        """The same reading with another text, position, form or findings."""
        return Reading(
            self.text if text is None else text,
            self.game,
            self.position if position is None else position,
            self.diagnostics if diagnostics is None else diagnostics,
            self.form if form is None else form,
        )

    def to_dict(self) -> dict[str, Any]:
        """The reading as JSON-ready data, with the fields of `forsyth check --json`."""
        canonical = None if self.position is None else str(self.position)
        return {
            "text": self.text,
            "game": self.game,
            "form": self.form,
            "ok": self.ok,
            "canonical": canonical,
            "state_id": None if canonical is None else state_id(kept_text(self.position)),
            "key": getattr(self.position, "key", None),
            "diagnostics": [d.to_dict() for d in self.diagnostics],
        }

    def __str__(self) -> str:
        return render(self.text, self.diagnostics)

    def _repr_html_(self) -> str:
        return html_of(self)

    def __repr__(self) -> str:
        return (
            f"Reading(text={self.text!r}, game={self.game!r}, position={self.position!r}, "
            f"diagnostics={self.diagnostics!r}, form={self.form!r})"
        )

    def _values(self) -> tuple[Any, ...]:
        return (self.text, self.game, self.position, self.diagnostics, self.form)

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if isinstance(other, Reading) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values())

    def __reduce__(self) -> tuple[Any, ...]:
        return Reading, self._values()

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"a reading does not change; {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"a reading does not change; {name} cannot be deleted")


class FenError(ValueError):
    """A text that could not be read, or a position that is not legal. Carries every finding."""

    def __init__(self, text: str, diagnostics: Iterable[Diagnostic]) -> None:
        self.text = text
        self.diagnostics = _findings(diagnostics)
        if not self.diagnostics:
            raise ValueError("an error of a text has at least one finding")
        errors = [d for d in self.diagnostics if d.is_error]
        self.first = (errors or list(self.diagnostics))[0]
        super().__init__(self.first.message)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text, self.diagnostics)

    @property
    def code(self) -> str:
        """The code of the first error."""
        return self.first.code

    @property
    def span(self) -> Span:
        """The place of the first error."""
        return self.first.span

    @property
    def field(self) -> int | str:
        """The field of the first error."""
        return self.first.field

    @property
    def seed_message(self) -> str:
        """The source document's own sentence for the first error; empty where it says nothing."""
        return self.first.seed_message

    @property
    def seed_kind(self) -> StrEnum | None:
        """The source document's own name of the first error, of its enumeration, or None."""
        return self.first.seed_kind

    def render(self, *, colour: bool = False) -> str:
        """Every finding with its line and caret, for a person."""
        return render(self.text, self.diagnostics, colour=colour)


class MoveError(ValueError):
    """A move text that does not name one legal move.

    `kind` is ``invalid`` (not the shape of a move), ``illegal`` (no legal move) or ``ambiguous`` (several);
    `candidates` are the moves it might have meant, in canonical notation.
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


def apply_fixes(
    text: str,
    diagnostics: Iterable[Diagnostic],
    least: Confidence = Confidence.CERTAIN,
) -> str:
    """The text with every fix of at least this confidence applied; of two that overlap, the earlier one."""
    require_text("the text", text)
    require_choice("confidence", least, Confidence)
    if isinstance(diagnostics, Reading):
        raise TypeError("a reading was given, expected its findings: reading.diagnostics")
    pieces: list[str] = []
    done = 0
    for fix in [d.fix for d in applicable(_findings(diagnostics), least) if d.fix is not None]:
        pieces += [text[done : fix.span.start], fix.replacement]
        done = fix.span.end
    return "".join(pieces) + text[done:]


def _findings(given: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    found = several("the findings", given, "values of Diagnostic")
    for one in found:
        require_kind("a finding", one, Diagnostic, "a Diagnostic")
    return found


def applicable(diagnostics: Iterable[Diagnostic], least: Confidence) -> tuple[Diagnostic, ...]:
    """The findings whose fixes `apply_fixes` applies together, in the order of the text."""
    ranks = list(Confidence)
    wanted = [
        (d.fix.span, d)
        for d in diagnostics
        if d.fix is not None and ranks.index(d.fix.confidence) <= ranks.index(least)
    ]
    chosen: list[Diagnostic] = []
    last: Span | None = None
    for span, diagnostic in sorted(wanted, key=lambda pair: pair[0]):
        if last is None or (span.start >= last.end and span != last):
            chosen.append(diagnostic)
            last = span
    return tuple(chosen)


# --- rendering ------------------------------------------------------------------------------------

_WINDOW: Final = 76
"""How many columns of the text are shown around a finding: one terminal line with its margin."""

_ANSI: Final[Mapping[str, str]] = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "fix": "\x1b[32m",
    "off": "\x1b[0m",
}


def printable(text: str) -> str:
    """The text with every control, format and surrogate character replaced by a one-column stand-in."""
    return "".join(_stand_in(ch) for ch in text)


def _stand_in(ch: str) -> str:
    if " " <= ch <= "~":
        return ch
    if ch in "\t\n\r\x0b\x0c":
        return "␠"
    if unicodedata.category(ch)[0] in "CZ":
        return "·"
    if unicodedata.combining(ch):
        return "·"
    return ch


def _width(ch: str) -> int:
    return 2 if unicodedata.east_asian_width(ch) in "WF" else 1


def _columns(text: str) -> int:
    return sum(_width(ch) for ch in text)


def _window(text: str, span: Span) -> tuple[str, int, int]:
    """The part of the text to show, the column of the caret and how many carets."""
    start = min(span.start, len(text))
    end = max(start, min(span.end, len(text)))
    first, last = 0, len(text)
    if last > _WINDOW:
        first = max(0, min(start - _WINDOW // 2, last - _WINDOW))
        last = first + _WINDOW
    head = "…" if first > 0 else ""
    tail = "…" if last < len(text) else ""
    before = printable(text[first:start])
    marked = printable(text[start : min(end, last)])
    after = printable(text[min(end, last) : last])
    line = head + before + marked + after + tail
    return line, len(head) + _columns(before), max(1, _columns(marked))


def render(text: str, diagnostics: Iterable[Diagnostic], *, colour: bool = False) -> str:
    """Every finding as a person reads it: sentence, the line of text with a caret, the fix."""
    return "\n".join(line for d in diagnostics for line in _render_one(text, d, colour))


def _render_one(text: str, diagnostic: Diagnostic, colour: bool) -> Iterator[str]:
    severity = diagnostic.severity.value
    paint, off = (_ANSI[severity], _ANSI["off"]) if colour else ("", "")
    yield f"{paint}{severity}[{diagnostic.code}]{off}: {diagnostic.message}"
    if text:
        line, column, length = _window(text, diagnostic.span)
        yield f"  {line}"
        yield f"  {' ' * column}{paint}{'^' * length}{off}"
    if diagnostic.fix is not None:
        paint = _ANSI["fix"] if colour else ""
        words = diagnostic.fix.describe(text)
        yield f"  {paint}fix ({diagnostic.fix.confidence.value}): {words}{off}"
    for inner in diagnostic.inside:
        first, *rest = _render_one(diagnostic.unwrapped, inner, colour)
        yield f"  inside: {first}"
        yield from [f"  {line}" for line in rest]
