"""Every code a finding about a CoTuLenh text or position can carry (spec/cotulenh 13, 14 and 18).

The codes of the specification are coarser than these; each of ours belongs to one of them, its family. The
reference page in docs/ is compared with this list by a test, so that no code is undocumented. Codes that all
games share stand in `forsyth.diagnostics.SHARED_CODES`.
"""

from __future__ import annotations

from typing import Final

from forsyth.diagnostics import CodeInfo, Severity
from forsyth.findings import CodeBook

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING

FORMAT: Final = "fen.invalid_format"
RANK_COUNT: Final = "fen.invalid_rank_count"
FILE_COUNT: Final = "fen.invalid_file_count"
PARENTHESES: Final = "fen.mismatch_parentheses"
PIECE: Final = "fen.invalid_piece"
COMBINATION: Final = "combination.failed"
TERRAIN: Final = "board.invalid_terrain"
COMMANDER: Final = "commander.limit_exceeded"

CODES: Final[tuple[CodeInfo, ...]] = (
    CodeInfo("fen.whitespace", _WARNING, "text", "fields are not separated by exactly one space"),
    CodeInfo("missing.fields", _WARNING, "text", "lenient: absent last fields are taken from `r - - 0 1`"),
    CodeInfo("extra.fields", _WARNING, "text", "lenient: unknown fields after the sixth are dropped"),
    CodeInfo("turn.value", _ERROR, "fields", "the side to move is not `r` or `b`"),
    CodeInfo("castling.value", _ERROR, "fields", "the castling field is not `-`"),
    CodeInfo("ep.value", _ERROR, "fields", "the en-passant field is not `-`"),
    CodeInfo("half.value", _ERROR, "fields", "the half-move clock is not a number"),
    CodeInfo("half.range", _ERROR, "fields", "a half-move clock that is too large to be held"),
    CodeInfo("half.format", _WARNING, "fields", "a half-move clock with leading zeros"),
    CodeInfo("full.value", _ERROR, "fields", "the move number is not a number"),
    CodeInfo("full.range", _ERROR, "fields", "a move number that is too large to be held"),
    CodeInfo("full.format", _ERROR, "fields", "a move number with leading zeros"),
    CodeInfo("full.zero", _ERROR, "fields", "a move number of 0"),
    CodeInfo("board.rank_count", _ERROR, "fields", "fewer or more than 12 ranks"),
    CodeInfo("board.count", _ERROR, "fields", "an empty count that is not 1 to 11"),
    CodeInfo("board.adjacent_digits", _WARNING, "fields", "two empty counts in a row, such as `56` for `11`"),
    CodeInfo("board.rank_short", _ERROR, "fields", "a rank of fewer than 11 squares"),
    CodeInfo("board.rank_long", _ERROR, "fields", "a rank of more than 11 squares"),
    CodeInfo("short.rank", _WARNING, "fields", "lenient: a short rank is filled up on the k side"),
    CodeInfo("piece.letter", _ERROR, "fields", "not one of the letters CITMEAGSFNH"),
    CodeInfo("alias.b", _WARNING, "fields", "lenient: `B` is read as anti-air, `G`"),
    CodeInfo("plus.double", _ERROR, "fields", "`++`"),
    CodeInfo("plus.alone", _ERROR, "fields", "a `+` that does not stand directly before a piece"),
    CodeInfo("plus.before_stack", _WARNING, "fields", "lenient: `+(NI)` is read as `(+NI)`"),
    CodeInfo("paren.nested", _ERROR, "fields", "a `(` inside parentheses"),
    CodeInfo("paren.close", _ERROR, "fields", "a `)` without its `(`"),
    CodeInfo("paren.open", _ERROR, "fields", "a `(` that is not closed"),
    CodeInfo("stack.digit", _ERROR, "fields", "a number inside parentheses"),
    CodeInfo("stack.blank", _ERROR, "fields", "a blank between the pieces of a stack"),
    CodeInfo("stack.empty", _ERROR, "fields", "parentheses without a piece"),
    CodeInfo("pipe.in_stack", _WARNING, "fields", "lenient: `(T|I)` is read as `(TI)`"),
    CodeInfo("stack.single", _WARNING, "fields", "parentheses around one piece"),
    CodeInfo("stack.order", _WARNING, "fields", "members of a stack not in canonical order, carrier first"),
    CodeInfo("stack.colours", _ERROR, "fields", "a stack of both colours"),
    CodeInfo("stack.duplicate", _ERROR, "fields", "a type twice in one stack"),
    CodeInfo("stack.members", _ERROR, "fields", "pieces that make no stack"),
    CodeInfo("deploy.format", _ERROR, "deploy", "a deploy suffix in none of the four spellings"),
    CodeInfo("deploy.square", _ERROR, "deploy", "the origin of a deploy session is not a square"),
    CodeInfo("deploy.remaining", _ERROR, "deploy", "the pieces said to remain are not those that do"),
    CodeInfo("deploy.count", _ERROR, "deploy", "the number of moved pieces does not fit"),
    CodeInfo("deploy.step", _ERROR, "deploy", "a deploy step that cannot have been played"),
    CodeInfo("deploy.spelling", _WARNING, "deploy", "a deploy suffix that is not in canonical spelling"),
    CodeInfo("terrain.water", _ERROR, "position", "a unit on water that only a navy may stand on"),
    CodeInfo("terrain.land", _ERROR, "position", "a navy on land"),
    CodeInfo("commander.many", _ERROR, "position", "a second commander of one colour"),
    CodeInfo("commander.missing", _ERROR, "position", "a side has no commander"),
    CodeInfo("half.inconsistent", _WARNING, "position", "the half-move clock exceeds the turns played"),
    CodeInfo("no.commander", _WARNING, "position", "lenient: a side has no commander"),
)

FAMILIES: Final[dict[str, str]] = {
    **dict.fromkeys(("fen.type", "fen.length", "fen.empty", "fen.fields"), FORMAT),
    **dict.fromkeys(("turn.value", "castling.value", "ep.value", "half.value", "half.range"), FORMAT),
    **dict.fromkeys(("full.value", "full.range", "full.format", "full.zero"), FORMAT),
    **dict.fromkeys(("plus.double", "plus.alone", "paren.nested", "stack.empty"), FORMAT),
    **dict.fromkeys(("deploy.format", "deploy.square", "deploy.remaining"), FORMAT),
    **dict.fromkeys(("deploy.count", "deploy.step", "commander.missing"), FORMAT),
    # A blank ends the board for the specification's engine, which then misses ranks.
    **dict.fromkeys(("board.rank_count", "stack.blank"), RANK_COUNT),
    **dict.fromkeys(("board.count", "board.rank_short", "board.rank_long", "stack.digit"), FILE_COUNT),
    **dict.fromkeys(("paren.close", "paren.open"), PARENTHESES),
    "piece.letter": PIECE,
    **dict.fromkeys(("stack.colours", "stack.duplicate", "stack.members"), COMBINATION),
    **dict.fromkeys(("terrain.water", "terrain.land"), TERRAIN),
    "commander.many": COMMANDER,
}
"""The coarse code of the specification that each of ours belongs to; a code not named here is its own."""

BOOK: Final = CodeBook(CODES, families=FAMILIES)

COMPONENTS: Final = ("fen", "board", "side", "castling", "ep", "half", "full", "deploy")
"""The names of the fields, by the number that findings carry; 0 is the text as a whole."""
