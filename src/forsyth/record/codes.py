"""The diagnostic codes of findings about a record, and the order in which findings are reported."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from forsyth.diagnostics import CodeInfo, Diagnostic, Mode, Severity, Span
from forsyth.findings import CodeBook, Findings

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING
_STAGE: Final = "record"

RECORD_CODES: Final[tuple[CodeInfo, ...]] = (
    CodeInfo("record.empty", _ERROR, _STAGE, "the text contains no record: no tag, no move and no result"),
    CodeInfo("record.long", _ERROR, _STAGE, "the record is longer than the limit"),
    CodeInfo("text.encoding", _ERROR, _STAGE, "bytes are not UTF-8, or a character is NUL"),
    CodeInfo("record.more", _ERROR, _STAGE, "there is more text after the end of the record"),
    CodeInfo("record.tag", _ERROR, _STAGE, 'a tag is not of the form `[Name "value"]`'),
    CodeInfo("record.tag_quotes", _WARNING, _STAGE, "a quote or backslash in a tag is not escaped"),
    CodeInfo("record.tag_repeated", _WARNING, _STAGE, "a tag appears twice; the first one is used"),
    CodeInfo("record.setup", _WARNING, _STAGE, "the tags SetUp and FEN contradict each other"),
    CodeInfo("record.variant", _ERROR, _STAGE, "the tag Variant names a variant that the game does not have"),
    CodeInfo("record.variant_missing", _WARNING, _STAGE, "the start belongs to a variant that no tag names"),
    CodeInfo("record.move_invalid", _ERROR, _STAGE, "a word in the place of a move is not a move"),
    CodeInfo("record.move_illegal", _ERROR, _STAGE, "a move is not legal in its position"),
    CodeInfo("record.move_ambiguous", _ERROR, _STAGE, "a move text matches more than one legal move"),
    CodeInfo("record.spelling", _WARNING, _STAGE, "a move is not written in the canonical notation"),
    CodeInfo("record.pass", _WARNING, _STAGE, "a pass, such as a null move, which the rules do not allow"),
    CodeInfo("record.number", _WARNING, _STAGE, "a move number is wrong for the move that follows it"),
    CodeInfo("record.nag", _WARNING, _STAGE, "an annotation glyph is unknown, a symbol, or follows no move"),
    CodeInfo("record.comment", _ERROR, _STAGE, "a comment is not closed, or a closing brace has no comment"),
    CodeInfo("record.variation", _ERROR, _STAGE, "a variation is not closed, follows no move or is too deep"),
    CodeInfo("record.variation_empty", _WARNING, _STAGE, "a variation without moves is left out"),
    CodeInfo("record.result", _WARNING, _STAGE, "the result contradicts the tag or the final position"),
    CodeInfo("record.result_missing", _WARNING, _STAGE, "the record does not end with a result"),
    CodeInfo("record.token", _ERROR, _STAGE, "characters that have no meaning in a record"),
)
"""All codes of findings about a record, beside the codes of its game and the shared ones."""

CODE_BOOK: Final = CodeBook(RECORD_CODES, whole="moves")


def sort_findings(findings: Findings, mode: Mode) -> tuple[Diagnostic, ...]:
    """Return the findings about a record in the order of their places in the text.

    In strict mode every warning becomes an error.
    """
    # Only now, because a full `Findings` drops warnings and keeps what is an error in every mode.
    diagnostics: Iterable[Diagnostic] = findings.diagnostics
    if mode == "strict":
        diagnostics = (diagnostic.with_severity(_ERROR) for diagnostic in diagnostics)
    return tuple(sorted(diagnostics, key=_sort_key))


def _sort_key(diagnostic: Diagnostic) -> tuple[Span, bool]:
    """Return the key by which findings are sorted. A wrong byte comes before what follows from it."""
    return diagnostic.span, diagnostic.code != "text.encoding"
