"""Every code of a finding about a CoTuLenh text or position (spec/cotulenh 13, 14 and 18).

The codes of the specification are coarser than these. Each code here belongs to a code of the specification,
its family. A test compares this list with the reference page in docs/, so that every code is documented.
Codes that all games share are in `forsyth.diagnostics.SHARED_CODES`.
"""

from __future__ import annotations

from typing import Final

from forsyth.diagnostics import CodeInfo, Severity
from forsyth.findings import CodeBook

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING

INVALID_FORMAT: Final = "fen.invalid_format"
INVALID_RANK_COUNT: Final = "fen.invalid_rank_count"
INVALID_FILE_COUNT: Final = "fen.invalid_file_count"
MISMATCHED_PARENTHESES: Final = "fen.mismatch_parentheses"
INVALID_PIECE: Final = "fen.invalid_piece"
FAILED_COMBINATION: Final = "combination.failed"
INVALID_TERRAIN: Final = "board.invalid_terrain"
TOO_MANY_COMMANDERS: Final = "commander.limit_exceeded"

CODES: Final[tuple[CodeInfo, ...]] = (
    CodeInfo("fen.whitespace", _WARNING, "text", "the fields are not separated by exactly one space"),
    CodeInfo(
        "missing.fields", _WARNING, "text", "lenient: missing fields at the end were taken from `r - - 0 1`"
    ),
    CodeInfo("extra.fields", _WARNING, "text", "lenient: unknown fields after the sixth were removed"),
    CodeInfo("turn.value", _ERROR, "fields", "the side to move is not `r` or `b`"),
    CodeInfo("castling.value", _ERROR, "fields", "the castling field is not `-`"),
    CodeInfo("ep.value", _ERROR, "fields", "the en-passant field is not `-`"),
    CodeInfo("half.value", _ERROR, "fields", "the half-move clock is not a number"),
    CodeInfo("half.range", _ERROR, "fields", "the half-move clock is too large"),
    CodeInfo("half.format", _WARNING, "fields", "the half-move clock has leading zeros"),
    CodeInfo("full.value", _ERROR, "fields", "the move number is not a number"),
    CodeInfo("full.range", _ERROR, "fields", "the move number is too large"),
    CodeInfo("full.format", _ERROR, "fields", "the move number has leading zeros"),
    CodeInfo("full.zero", _ERROR, "fields", "the move number is 0"),
    CodeInfo("board.rank_count", _ERROR, "fields", "the board has fewer or more than 12 ranks"),
    CodeInfo("board.count", _ERROR, "fields", "an empty count is not 1 to 11"),
    CodeInfo(
        "board.adjacent_digits",
        _WARNING,
        "fields",
        "two empty counts follow each other, such as `56` for `11`",
    ),
    CodeInfo("board.rank_short", _ERROR, "fields", "a rank has fewer than 11 squares"),
    CodeInfo("board.rank_long", _ERROR, "fields", "a rank has more than 11 squares"),
    CodeInfo("short.rank", _WARNING, "fields", "lenient: a short rank was filled up on the k side"),
    CodeInfo("piece.letter", _ERROR, "fields", "a letter is not one of CITMEAGSFNH"),
    CodeInfo("alias.b", _WARNING, "fields", "lenient: `B` was read as anti-air, `G`"),
    CodeInfo("plus.double", _ERROR, "fields", "two `+` follow each other"),
    CodeInfo("plus.alone", _ERROR, "fields", "a `+` does not stand directly before a piece"),
    CodeInfo("plus.before_stack", _WARNING, "fields", "lenient: `+(NI)` was read as `(+NI)`"),
    CodeInfo("paren.nested", _ERROR, "fields", "a `(` is inside parentheses"),
    CodeInfo("paren.close", _ERROR, "fields", "a `)` has no `(`"),
    CodeInfo("paren.open", _ERROR, "fields", "a `(` is not closed"),
    CodeInfo("stack.digit", _ERROR, "fields", "parentheses contain a number"),
    CodeInfo("stack.blank", _ERROR, "fields", "a stack contains a blank"),
    CodeInfo("stack.empty", _ERROR, "fields", "parentheses contain no piece"),
    CodeInfo("pipe.in_stack", _WARNING, "fields", "lenient: `(T|I)` was read as `(TI)`"),
    CodeInfo("stack.single", _WARNING, "fields", "parentheses contain only one piece"),
    CodeInfo(
        "stack.order", _WARNING, "fields", "the members of a stack are not in canonical order, carrier first"
    ),
    CodeInfo("stack.colours", _ERROR, "fields", "a stack has pieces of both colours"),
    CodeInfo("stack.duplicate", _ERROR, "fields", "a stack has two pieces of one type"),
    CodeInfo("stack.members", _ERROR, "fields", "the pieces do not make a legal stack"),
    CodeInfo("deploy.format", _ERROR, "deploy", "the deploy suffix has none of the four spellings"),
    CodeInfo("deploy.square", _ERROR, "deploy", "the origin of a deploy session is not a square"),
    CodeInfo(
        "deploy.remaining",
        _ERROR,
        "deploy",
        "the remaining pieces in the deploy suffix do not fit the stack and the steps",
    ),
    CodeInfo(
        "deploy.count", _ERROR, "deploy", "the number of moved pieces in the deploy suffix does not fit"
    ),
    CodeInfo("deploy.step", _ERROR, "deploy", "a deploy step cannot have been played"),
    CodeInfo("deploy.spelling", _WARNING, "deploy", "the deploy suffix is not in canonical spelling"),
    CodeInfo("terrain.water", _ERROR, "position", "a unit without a navy stands on water"),
    CodeInfo("terrain.land", _ERROR, "position", "a navy stands on land"),
    CodeInfo("commander.many", _ERROR, "position", "a side has more than one commander"),
    CodeInfo("commander.missing", _ERROR, "position", "a side has no commander"),
    CodeInfo(
        "half.inconsistent", _WARNING, "position", "the half-move clock exceeds the number of turns played"
    ),
    CodeInfo("deploy.no_undo", _WARNING, "position", "the open deploy session cannot be undone or cancelled"),
    CodeInfo(
        "deploy.dead_end", _WARNING, "position", "the open deploy session can be neither ended nor cancelled"
    ),
    CodeInfo("no.commander", _WARNING, "position", "lenient: a side has no commander"),
)

FAMILIES: Final[dict[str, str]] = {
    **dict.fromkeys(("fen.type", "fen.length", "fen.empty", "fen.fields"), INVALID_FORMAT),
    **dict.fromkeys(("turn.value", "castling.value", "ep.value", "half.value", "half.range"), INVALID_FORMAT),
    **dict.fromkeys(("full.value", "full.range", "full.format", "full.zero"), INVALID_FORMAT),
    **dict.fromkeys(("plus.double", "plus.alone", "paren.nested", "stack.empty"), INVALID_FORMAT),
    **dict.fromkeys(("deploy.format", "deploy.square", "deploy.remaining"), INVALID_FORMAT),
    **dict.fromkeys(("deploy.count", "deploy.step", "commander.missing"), INVALID_FORMAT),
    # The engine of the specification ends the board at a blank, and then reports missing ranks.
    **dict.fromkeys(("board.rank_count", "stack.blank"), INVALID_RANK_COUNT),
    **dict.fromkeys(
        ("board.count", "board.rank_short", "board.rank_long", "stack.digit"), INVALID_FILE_COUNT
    ),
    **dict.fromkeys(("paren.close", "paren.open"), MISMATCHED_PARENTHESES),
    "piece.letter": INVALID_PIECE,
    **dict.fromkeys(("stack.colours", "stack.duplicate", "stack.members"), FAILED_COMBINATION),
    **dict.fromkeys(("terrain.water", "terrain.land"), INVALID_TERRAIN),
    "commander.many": TOO_MANY_COMMANDERS,
}
"""For each code, the code of the specification that it belongs to. Unlisted codes are their own family."""

BOOK: Final = CodeBook(CODES, families=FAMILIES)

COMPONENTS: Final = ("fen", "board", "side", "castling", "ep", "half", "full", "deploy")
"""The names of the fields. The index is the field number of a finding, 0 for the text as a whole."""
