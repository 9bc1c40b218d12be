"""What can be said about a record: the codes, and the collecting of findings while one is read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from forsyth.diagnostics import CodeInfo, Diagnostic, Fix, Mode, Severity, Span
from forsyth.limits import MAX_DIAGNOSTICS

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING
_STAGE: Final = "record"

RECORD_CODES: Final[tuple[CodeInfo, ...]] = (
    CodeInfo("record.empty", _ERROR, _STAGE, "there is no record: no tag, no move, no result"),
    CodeInfo("record.long", _ERROR, _STAGE, "the record is longer than any game can be"),
    CodeInfo("record.more", _ERROR, _STAGE, "something follows the end of the record"),
    CodeInfo("record.tag", _ERROR, _STAGE, 'a tag is not of the form `[Name "value"]`'),
    CodeInfo("record.tag_quotes", _WARNING, _STAGE, "a tag holds a quote or backslash without its escape"),
    CodeInfo("record.tag_repeated", _WARNING, _STAGE, "a tag appears twice; the first counts"),
    CodeInfo("record.setup", _WARNING, _STAGE, "the tags SetUp and FEN contradict each other"),
    CodeInfo("record.variant", _ERROR, _STAGE, "the tag Variant names rules that the game does not know"),
    CodeInfo("record.variant_missing", _WARNING, _STAGE, "the start is that of rules which no tag names"),
    CodeInfo("record.move_invalid", _ERROR, _STAGE, "a word in the place of a move is not a move"),
    CodeInfo("record.move_illegal", _ERROR, _STAGE, "a move is not legal at its place"),
    CodeInfo("record.move_ambiguous", _ERROR, _STAGE, "a move text fits more than one legal move"),
    CodeInfo("record.spelling", _WARNING, _STAGE, "a move is not written in the canonical notation"),
    CodeInfo("record.pass", _WARNING, _STAGE, "a pass, such as a null move, which no rule allows"),
    CodeInfo("record.number", _WARNING, _STAGE, "a move number is not that of the move after it"),
    CodeInfo("record.nag", _WARNING, _STAGE, "an annotation glyph is unknown or follows no move"),
    CodeInfo("record.comment", _ERROR, _STAGE, "a comment is not closed, or a brace closes none"),
    CodeInfo("record.variation", _ERROR, _STAGE, "a variation is not closed, has no place or is too deep"),
    CodeInfo("record.variation_empty", _WARNING, _STAGE, "a variation without a move is left out"),
    CodeInfo("record.result", _WARNING, _STAGE, "the result contradicts the tag or the final position"),
    CodeInfo("record.result_missing", _WARNING, _STAGE, "no result ends the record"),
    CodeInfo("record.token", _ERROR, _STAGE, "characters that mean nothing in a record"),
)
"""Every code a finding about a record can carry, beside those of its game and the shared ones."""

_SEVERITY: Final = {info.code: info.severity for info in RECORD_CODES} | {
    "fen.type": _ERROR,
    "game.unknown": _ERROR,
}


class Findings:
    """The findings about one record. Warnings, which may come with every move, never crowd out an error."""

    __slots__ = ("_errors", "_warnings")

    def __init__(self) -> None:
        self._errors: list[Diagnostic] = []
        self._warnings: list[Diagnostic] = []

    @property
    def full(self) -> bool:
        """Whether there are more errors than anyone will read."""
        return len(self._errors) >= MAX_DIAGNOSTICS

    def add(
        self, code: str, message: str, span: Span, *, field: str = "moves", fix: Fix | None = None
    ) -> None:
        """One finding about the record."""
        severity = _SEVERITY[code]
        found = self._errors if severity is _ERROR else self._warnings
        if len(found) < MAX_DIAGNOSTICS:
            found.append(Diagnostic(code, message, severity, _STAGE, span, field, fix=fix))

    def place(self, diagnostic: Diagnostic) -> None:
        """A finding of the game, placed in the record."""
        found = self._errors if diagnostic.is_error else self._warnings
        if len(found) < MAX_DIAGNOSTICS:
            found.append(diagnostic)

    def weighed(self, mode: Mode) -> tuple[Diagnostic, ...]:
        """All of them in the order of the text; in strict mode a warning is an error."""
        found: Iterable[Diagnostic] = (*self._errors, *self._warnings)[:MAX_DIAGNOSTICS]
        if mode == "strict":
            found = (finding.with_severity(_ERROR) for finding in found)
        return tuple(sorted(found, key=lambda finding: finding.span))
