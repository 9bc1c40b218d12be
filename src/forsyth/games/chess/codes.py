"""Every code of a finding about a chess text or position (spec/chess 5, 8 and 10).

A test compares this list with the reference page in docs/, so that every code is documented. Codes that all
games share are in `forsyth.diagnostics.SHARED_CODES`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from forsyth.arguments import require_type
from forsyth.diagnostics import CodeInfo, Diagnostic, Severity
from forsyth.findings import CodeBook

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING

CODES: Final[tuple[CodeInfo, ...]] = (
    CodeInfo("fen.dash", _WARNING, "text", "a character that looks like a dash is used in place of `-`"),
    CodeInfo("fen.chars", _ERROR, "text", "a character cannot occur in a chess text"),
    CodeInfo("fen.whitespace", _WARNING, "text", "the fields are not separated by exactly one space"),
    CodeInfo(
        "fen.fields4", _WARNING, "text", "the text has only four fields; the clocks are assumed to be `0 1`"
    ),
    CodeInfo(
        "board.char",
        _ERROR,
        "fields",
        "a character of the board is not a piece letter, an empty count or a slash",
    ),
    CodeInfo("board.digit", _ERROR, "fields", "an empty count is not 1 to 8"),
    CodeInfo("board.adjacent_digits", _ERROR, "fields", "two empty counts are adjacent"),
    CodeInfo("board.rank_short", _ERROR, "fields", "a rank has fewer than 8 squares"),
    CodeInfo("board.rank_long", _ERROR, "fields", "a rank has more than 8 squares"),
    CodeInfo("board.rank_count", _ERROR, "fields", "the board does not have 8 ranks"),
    CodeInfo("board.tilde", _ERROR, "fields", "a promoted mark does not follow N, B, R or Q (Crazyhouse)"),
    CodeInfo(
        "pocket.char",
        _ERROR,
        "fields",
        "a pocket contains a character that is not a piece letter allowed there (Crazyhouse)",
    ),
    CodeInfo(
        "pocket.size", _ERROR, "fields", "a pocket is not closed or contains too many pieces (Crazyhouse)"
    ),
    CodeInfo(
        "pocket.form", _WARNING, "fields", "the pocket is written after a slash, or is missing (Crazyhouse)"
    ),
    CodeInfo(
        "variant.other", _ERROR, "fields", "the text is marked with another variant than the requested one"
    ),
    CodeInfo("side.value", _ERROR, "fields", "the side to move is not `w` or `b`"),
    CodeInfo(
        "castling.char",
        _ERROR,
        "fields",
        "a castling letter is not one of `KQkq-` (Chess960: or a file letter)",
    ),
    CodeInfo("castling.length", _ERROR, "fields", "the castling field has more than four characters"),
    CodeInfo("castling.dash_mixed", _WARNING, "fields", "the castling field contains a dash and letters"),
    CodeInfo("castling.duplicate", _WARNING, "fields", "a castling letter occurs twice"),
    CodeInfo("castling.order", _WARNING, "fields", "the castling letters are not in the order KQkq"),
    CodeInfo("ep.value", _ERROR, "fields", "the en-passant field is neither `-` nor a square"),
    CodeInfo("ep.rank", _ERROR, "fields", "the en-passant square is not on rank 3 or 6"),
    CodeInfo(
        "checks.value", _ERROR, "fields", "the remaining checks are not written like `3+3` (Three-check)"
    ),
    CodeInfo(
        "checks.form",
        _WARNING,
        "fields",
        "the field contains the checks already given (`+0+0`), not the remaining ones (Three-check)",
    ),
    CodeInfo("half.value", _ERROR, "fields", "the half-move clock is not a number"),
    CodeInfo("half.range", _ERROR, "fields", "the half-move clock has more than four digits"),
    CodeInfo("half.format", _WARNING, "fields", "the half-move clock has leading zeros"),
    CodeInfo("full.value", _ERROR, "fields", "the move number is not a number"),
    CodeInfo("full.range", _ERROR, "fields", "the move number has more than four digits"),
    CodeInfo("full.format", _WARNING, "fields", "the move number has leading zeros"),
    CodeInfo("full.zero", _WARNING, "fields", "the move number is 0 and is read as 1"),
    CodeInfo("king.missing", _ERROR, "position", "a side has no king, but the variant requires one"),
    CodeInfo("king.many", _ERROR, "position", "a side has more kings than the variant allows, usually one"),
    CodeInfo(
        "pawn.backrank",
        _ERROR,
        "position",
        "a pawn is on rank 1 or 8 (Horde: White's pawns may be on rank 1)",
    ),
    CodeInfo(
        "pawn.many",
        _ERROR,
        "position",
        "a side has too many pawns: more than 8 (Crazyhouse: 16 in all, Horde: 36, Racing Kings: 0)",
    ),
    CodeInfo(
        "pieces.many",
        _ERROR,
        "position",
        "a side has more than 16 pieces (Crazyhouse: more than 32 in all, Horde: more than 36)",
    ),
    CodeInfo("pieces.promoted", _ERROR, "position", "a side has more promoted pieces than missing pawns"),
    CodeInfo(
        "castling.no_king",
        _ERROR,
        "position",
        "a castling right exists, but the king is not on its home square",
    ),
    CodeInfo("castling.no_rook", _ERROR, "position", "a castling right exists, but its rook is missing"),
    CodeInfo(
        "castling.ambiguous",
        _ERROR,
        "position",
        "a side has two castling rights on the same side of the king (Chess960)",
    ),
    CodeInfo(
        "castling.kings_differ",
        _WARNING,
        "position",
        "the kings with castling rights are on different files (Chess960)",
    ),
    CodeInfo(
        "castling.variant",
        _ERROR,
        "position",
        "a castling right exists, but the variant has no castling (antichess, Racing Kings)",
    ),
    CodeInfo(
        "ep.side", _ERROR, "position", "the en-passant square is on the wrong rank for the side to move"
    ),
    CodeInfo("ep.no_pawn", _ERROR, "position", "no enemy pawn is in front of the en-passant square"),
    CodeInfo(
        "ep.blocked",
        _ERROR,
        "position",
        "the en-passant square or the square the pawn came from is occupied",
    ),
    CodeInfo(
        "ep.half", _WARNING, "position", "there is an en-passant square, but the half-move clock is not 0"
    ),
    CodeInfo("check.opposite", _ERROR, "position", "the side that is not to move is in check"),
    CodeInfo("kings.adjacent", _ERROR, "position", "the kings are on adjacent squares"),
    CodeInfo("check.many", _ERROR, "position", "more than two pieces give check"),
    CodeInfo(
        "check.race", _ERROR, "position", "a king is in check, but no move may give check (Racing Kings)"
    ),
    CodeInfo("check.impossible", _ERROR, "position", "no legal move can have given this check"),
    CodeInfo(
        "half.inconsistent",
        _WARNING,
        "position",
        "the half-move clock is greater than the number of half-moves played",
    ),
    CodeInfo(
        "half.seventyfive",
        _WARNING,
        "position",
        "75 moves were played without capture or pawn move, so the game is drawn",
    ),
    CodeInfo(
        "epd.is_fen", _ERROR, "epd", "the fifth field of an EPD record is a clock, so the text is a FEN"
    ),
    CodeInfo("epd.opcode", _ERROR, "epd", "an operation does not begin with an opcode"),
    CodeInfo("epd.operand", _ERROR, "epd", "an operand does not fit its opcode"),
    CodeInfo("epd.string", _ERROR, "epd", "a string is not closed"),
    CodeInfo("epd.move", _ERROR, "epd", "a move is not legal in its position"),
    CodeInfo("epd.semicolon", _WARNING, "epd", "there is no `;` after the last operation"),
    CodeInfo(
        "epd.whitespace", _WARNING, "epd", "the operations contain superfluous blanks, or blanks are missing"
    ),
    CodeInfo("epd.san", _WARNING, "epd", "a move is not written in SAN"),
    CodeInfo("epd.number", _WARNING, "epd", "a decimal number is used where an integer is expected"),
    CodeInfo("epd.duplicate", _WARNING, "epd", "an opcode occurs more than once"),
)


class SeedKind(StrEnum):
    """The error kinds that the source document defines, such as ``Part1`` for an error in the board field."""

    INCORRECT_LENGTH = "IncorrectLength"
    PART1 = "Part1"
    PART2 = "Part2"
    PART3 = "Part3"
    PART4 = "Part4"
    PART5 = "Part5"
    PART6 = "Part6"


SEED_KINDS: Final = tuple(SeedKind)
"""The error kinds of the source document, by the number of the field. Number 0 is the whole text."""

SEED_MESSAGES: Final = (
    "Error in FEN string: Must be 6 parts",
    "Error in FEN Part 1: Pieces or squares",
    "Error in FEN Part 2: Colors",
    "Error in FEN Part 3: Castling rights",
    "Error in FEN Part 4: En passant field",
    "Error in FEN Part 5: Half-move clock",
    "Error in FEN Part 6: Full-move number",
)
"""The seven messages of the source document, verbatim, by the number of the field (spec/chess 3.2)."""

BOOK: Final = CodeBook(CODES)
"""The codes of findings about a position."""

TEXT_BOOK: Final = CodeBook(CODES, seeds=dict(enumerate(zip(SEED_MESSAGES, SEED_KINDS, strict=True))))
"""The codes of findings about a text, with the source document's message and error kind for each field."""

_COMPONENTS: Final = ("fen", "board", "side", "castling", "ep", "half", "full")
"""The names of the fields, by their numbers in findings. Number 0 is the text as a whole."""

_EXTRA_COMPONENTS: Final = {"pocket": "pockets", "checks": "checks", "epd": "operations"}
"""The names of parts that are not one of the six fields, by the first word of their codes."""


def component_of(finding: Diagnostic) -> str:
    """Return the name of the field of a FEN that a finding (an error or warning) is about, such as ``ep``.

    The name is ``fen`` if the finding is about the whole text. Raise `TypeError` if `finding` is not a
    `Diagnostic`.
    """
    require_type("the finding", finding, Diagnostic, "a Diagnostic")
    code_prefix = finding.code.partition(".")[0]
    if code_prefix in _EXTRA_COMPONENTS:
        return _EXTRA_COMPONENTS[code_prefix]
    return _COMPONENTS[int(finding.field)]
