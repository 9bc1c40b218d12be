"""Every code that a finding about a record can carry, and the findings of a record in order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from forsyth.diagnostics import CodeInfo, Diagnostic, Mode, Severity
from forsyth.findings import CodeBook, Findings

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

BOOK: Final = CodeBook(RECORD_CODES, whole="moves")


def in_order(findings: Findings, mode: Mode) -> tuple[Diagnostic, ...]:
    """The findings about a record in the order of the text; in strict mode a warning is an error.

    Severity follows at the end, so that among too many findings real errors are kept before warnings.
    """
    found: Iterable[Diagnostic] = findings.found
    if mode == "strict":
        found = (finding.with_severity(_ERROR) for finding in found)
    return tuple(sorted(found, key=lambda finding: finding.span))
