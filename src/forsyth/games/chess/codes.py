"""Every code a finding about a chess text or position can carry (spec/chess 5, 8 and 10).

The reference page in docs/ is compared with this list by a test, so that no code is undocumented. Codes
that all games share stand in `forsyth.diagnostics.SHARED_CODES`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from forsyth.arguments import require_kind
from forsyth.diagnostics import CodeInfo, Diagnostic, Severity
from forsyth.findings import CodeBook

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING

CODES: Final[tuple[CodeInfo, ...]] = (
    CodeInfo("fen.dash", _WARNING, "text", "a dash look-alike stands for `-` and is read as one"),
    CodeInfo("fen.chars", _ERROR, "text", "a character that no chess text has"),
    CodeInfo("fen.whitespace", _WARNING, "text", "fields are not separated by exactly one space"),
    CodeInfo("fen.fields4", _WARNING, "text", "four fields; the clocks are taken as `0 1`"),
    CodeInfo("board.char", _ERROR, "fields", "not a piece letter, an empty count or a slash"),
    CodeInfo("board.digit", _ERROR, "fields", "an empty count that is not 1 to 8"),
    CodeInfo("board.adjacent_digits", _ERROR, "fields", "two empty counts in a row"),
    CodeInfo("board.rank_short", _ERROR, "fields", "a rank of fewer than 8 squares"),
    CodeInfo("board.rank_long", _ERROR, "fields", "a rank of more than 8 squares"),
    CodeInfo("board.rank_count", _ERROR, "fields", "fewer or more than 8 ranks"),
    CodeInfo(
        "board.tilde", _ERROR, "fields", "a promoted mark that does not follow N, B, R or Q (Crazyhouse)"
    ),
    CodeInfo("pocket.char", _ERROR, "fields", "not a piece that can be in a pocket (Crazyhouse)"),
    CodeInfo(
        "pocket.size", _ERROR, "fields", "a pocket that is not closed or holds too many pieces (Crazyhouse)"
    ),
    CodeInfo("pocket.form", _WARNING, "fields", "a pocket in the slash form, or none at all (Crazyhouse)"),
    CodeInfo("variant.other", _ERROR, "fields", "a text marked with another variant than the one asked for"),
    CodeInfo("side.value", _ERROR, "fields", "the side to move is not `w` or `b`"),
    CodeInfo(
        "castling.char", _ERROR, "fields", "a castling letter outside `KQkq-` (Chess960: and file letters)"
    ),
    CodeInfo("castling.length", _ERROR, "fields", "more than four castling characters"),
    CodeInfo("castling.dash_mixed", _WARNING, "fields", "a dash among castling letters"),
    CodeInfo("castling.duplicate", _WARNING, "fields", "a castling letter twice"),
    CodeInfo("castling.order", _WARNING, "fields", "castling letters not in the order KQkq"),
    CodeInfo("ep.value", _ERROR, "fields", "the en-passant field is neither `-` nor a square"),
    CodeInfo("ep.rank", _ERROR, "fields", "an en-passant square that is not on rank 3 or 6"),
    CodeInfo("checks.value", _ERROR, "fields", "remaining checks that are not like `3+3` (Three-check)"),
    CodeInfo("checks.form", _WARNING, "fields", "checks given (`+0+0`) instead of remaining (Three-check)"),
    CodeInfo("half.value", _ERROR, "fields", "the half-move clock is not a number"),
    CodeInfo("half.range", _ERROR, "fields", "a half-move clock of more than four digits"),
    CodeInfo("half.format", _WARNING, "fields", "a half-move clock with leading zeros"),
    CodeInfo("full.value", _ERROR, "fields", "the move number is not a number"),
    CodeInfo("full.range", _ERROR, "fields", "a move number of more than four digits"),
    CodeInfo("full.format", _WARNING, "fields", "a move number with leading zeros"),
    CodeInfo("full.zero", _WARNING, "fields", "a move number of 0; it is taken as 1"),
    CodeInfo("king.missing", _ERROR, "position", "a side has no king, where the variant needs one"),
    CodeInfo("king.many", _ERROR, "position", "a side has more kings than the variant allows, which is one"),
    CodeInfo("pawn.backrank", _ERROR, "position", "a pawn on rank 1 or 8 (Horde: but for White's on rank 1)"),
    CodeInfo(
        "pawn.many",
        _ERROR,
        "position",
        "a side has more than eight pawns (Crazyhouse: 16 in all; a horde: 36; Racing Kings: none)",
    ),
    CodeInfo(
        "pieces.many",
        _ERROR,
        "position",
        "a side has more than 16 men (Crazyhouse: more than 32 in all; a horde: more than 36)",
    ),
    CodeInfo("pieces.promoted", _ERROR, "position", "more promoted men than missing pawns"),
    CodeInfo("castling.no_king", _ERROR, "position", "a castling right whose king is not at home"),
    CodeInfo("castling.no_rook", _ERROR, "position", "a castling right without its rook"),
    CodeInfo("castling.ambiguous", _ERROR, "position", "two castling rights on one wing (Chess960)"),
    CodeInfo("castling.kings_differ", _WARNING, "position", "castling kings on different files (Chess960)"),
    CodeInfo(
        "castling.variant",
        _ERROR,
        "position",
        "a castling right where nobody castles (antichess, Racing Kings)",
    ),
    CodeInfo("ep.side", _ERROR, "position", "an en-passant square on the wrong rank for the side to move"),
    CodeInfo("ep.no_pawn", _ERROR, "position", "no enemy pawn in front of the en-passant square"),
    CodeInfo("ep.blocked", _ERROR, "position", "the double step behind the en-passant square was blocked"),
    CodeInfo("ep.half", _WARNING, "position", "an en-passant square although the half-move clock is not 0"),
    CodeInfo("check.opposite", _ERROR, "position", "the side not to move is in check"),
    CodeInfo("kings.adjacent", _ERROR, "position", "the kings stand side by side"),
    CodeInfo("check.many", _ERROR, "position", "more than two men give check"),
    CodeInfo("check.race", _ERROR, "position", "a check, which no move may give (Racing Kings)"),
    CodeInfo("check.impossible", _ERROR, "position", "a check that no move can have given"),
    CodeInfo("half.inconsistent", _WARNING, "position", "the half-move clock exceeds the plies played"),
    CodeInfo(
        "half.seventyfive", _WARNING, "position", "75 moves without capture or pawn move: the game is drawn"
    ),
    CodeInfo("epd.is_fen", _ERROR, "epd", "an EPD record whose fifth field is a clock: it is a FEN"),
    CodeInfo("epd.opcode", _ERROR, "epd", "an operation that does not begin with an opcode"),
    CodeInfo("epd.operand", _ERROR, "epd", "an operand that does not fit its opcode"),
    CodeInfo("epd.string", _ERROR, "epd", "a string that is not closed"),
    CodeInfo("epd.move", _ERROR, "epd", "a move that is not legal in its position"),
    CodeInfo("epd.semicolon", _WARNING, "epd", "no `;` after the last operation"),
    CodeInfo("epd.whitespace", _WARNING, "epd", "superfluous or missing blanks in the operations"),
    CodeInfo("epd.san", _WARNING, "epd", "a move that is not written as SAN"),
    CodeInfo("epd.number", _WARNING, "epd", "a decimal number where an integer belongs"),
    CodeInfo("epd.duplicate", _WARNING, "epd", "an opcode that was there before"),
)


class SeedKind(StrEnum):
    """The error type of the source document, with its names."""

    INCORRECT_LENGTH = "IncorrectLength"
    PART1 = "Part1"
    PART2 = "Part2"
    PART3 = "Part3"
    PART4 = "Part4"
    PART5 = "Part5"
    PART6 = "Part6"


SEED_KINDS: Final = tuple(SeedKind)
"""The document's errors by field: 0 is the whole text."""

SEED_MESSAGES: Final = (
    "Error in FEN string: Must be 6 parts",
    "Error in FEN Part 1: Pieces or squares",
    "Error in FEN Part 2: Colors",
    "Error in FEN Part 3: Castling rights",
    "Error in FEN Part 4: En passant field",
    "Error in FEN Part 5: Half-move clock",
    "Error in FEN Part 6: Full-move number",
)
"""The seven messages of the source document, verbatim, by field (spec/chess 3.2)."""

BOOK: Final = CodeBook(CODES)
"""The codes for findings about a position."""

TEXT_BOOK: Final = CodeBook(CODES, seeds=dict(enumerate(zip(SEED_MESSAGES, SEED_KINDS, strict=True))))
"""The codes for findings about a text, with what the source document says about an error in each field."""

_COMPONENTS: Final = ("fen", "board", "side", "castling", "ep", "half", "full")
"""The names of the fields, by the number that findings carry; 0 is the text as a whole."""

_OWN_COMPONENTS: Final = {"pocket": "pockets", "checks": "checks", "epd": "operations"}
"""What stands in or between the six fields, by the subject of its codes."""


def component_of(finding: Diagnostic) -> str:
    """The name of the field that a finding is about."""
    require_kind("the finding", finding, Diagnostic, "a Diagnostic")
    subject = finding.code.partition(".")[0]
    return _OWN_COMPONENTS.get(subject) or _COMPONENTS[int(finding.field)]
