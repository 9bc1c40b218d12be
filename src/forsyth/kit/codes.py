"""The codes of findings about games on a grid, and the property that a game needs to report each of them.

The codes that all games share are not among them.
"""

from __future__ import annotations

from typing import Final

from forsyth.diagnostics import CodeInfo, Severity

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING

CODES: Final[tuple[tuple[str, CodeInfo], ...]] = (
    ("", CodeInfo("fen.dash", _WARNING, "text", "a character that only looks like `-`")),
    ("", CodeInfo("fen.whitespace", _WARNING, "text", "fields are not separated by exactly one space")),
    (
        "short",
        CodeInfo(
            "fen.short", _WARNING, "text", "only the first fields; the others have their default values"
        ),
    ),
    ("", CodeInfo("board.char", _ERROR, "fields", "not a piece, an empty count or a slash")),
    (
        "promotion",
        CodeInfo("board.promotion", _ERROR, "fields", "a `+` that is not followed by a piece that promotes"),
    ),
    ("", CodeInfo("board.digit", _ERROR, "fields", "an empty count of 0 or with a 0 in it")),
    ("", CodeInfo("board.adjacent_digits", _ERROR, "fields", "two empty counts in a row")),
    ("", CodeInfo("board.rank_short", _ERROR, "fields", "a rank with too few squares")),
    ("", CodeInfo("board.rank_long", _ERROR, "fields", "a rank with too many squares")),
    ("", CodeInfo("board.rank_count", _ERROR, "fields", "too few or too many ranks")),
    ("", CodeInfo("side.value", _ERROR, "fields", "the side to move is not one of the two sides")),
    ("unused", CodeInfo("unused.value", _ERROR, "fields", "an unused field is not `-`")),
    ("hands", CodeInfo("hand.char", _ERROR, "fields", "not a count, nor a piece that can be in hand")),
    ("hands", CodeInfo("hand.count", _ERROR, "fields", "a count of 0, too large or without a piece")),
    ("hands", CodeInfo("hand.format", _WARNING, "fields", "pieces in hand in another order or form")),
    ("half", CodeInfo("half.value", _ERROR, "fields", "the clock is not a number of at most four digits")),
    ("half", CodeInfo("half.format", _WARNING, "fields", "a clock with leading zeros")),
    ("", CodeInfo("full.value", _ERROR, "fields", "the move number is not a number of at most four digits")),
    ("", CodeInfo("full.format", _WARNING, "fields", "a move number with leading zeros")),
    ("", CodeInfo("full.zero", _WARNING, "fields", "a move number of 0, which is read as 1")),
    ("king", CodeInfo("king.missing", _ERROR, "position", "a side has no king")),
    ("king", CodeInfo("king.many", _ERROR, "position", "a side has more than one king")),
    ("", CodeInfo("men.many", _ERROR, "position", "more pieces of a kind than the game has")),
    ("", CodeInfo("man.place", _ERROR, "position", "a piece on a square where no piece of its kind can be")),
    (
        "files",
        CodeInfo("man.file", _ERROR, "position", "more than one piece of a kind on a file that may have one"),
    ),
    ("facing", CodeInfo("kings.facing", _ERROR, "position", "the kings face each other")),
    ("king", CodeInfo("check.opposite", _ERROR, "position", "the side that is not to move is in check")),
)
"""Pairs of a property and a code. A game reports the code only if it has the property (see `Sheet.codes`).

An empty property stands for all games.
"""
