"""Every code that a game on a grid can report beside the shared ones, and what a game must have for it."""

from __future__ import annotations

from typing import Final

from forsyth.diagnostics import CodeInfo, Severity

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING

CODES: Final[tuple[tuple[str, CodeInfo], ...]] = (
    ("", CodeInfo("fen.dash", _WARNING, "text", "a character that only looks like `-`")),
    ("", CodeInfo("fen.whitespace", _WARNING, "text", "fields are not separated by exactly one space")),
    ("short", CodeInfo("fen.short", _WARNING, "text", "only the first fields; the others are as usual")),
    ("", CodeInfo("board.char", _ERROR, "fields", "not a man, an empty count or a slash")),
    ("promotion", CodeInfo("board.promotion", _ERROR, "fields", "a `+` that promotes nothing")),
    ("", CodeInfo("board.digit", _ERROR, "fields", "an empty count of 0 or with a 0 in it")),
    ("", CodeInfo("board.adjacent_digits", _ERROR, "fields", "empty counts in a row")),
    ("", CodeInfo("board.rank_short", _ERROR, "fields", "a rank of too few squares")),
    ("", CodeInfo("board.rank_long", _ERROR, "fields", "a rank of too many squares")),
    ("", CodeInfo("board.rank_count", _ERROR, "fields", "too few or too many ranks")),
    ("", CodeInfo("side.value", _ERROR, "fields", "the side to move is none of the two")),
    ("unused", CodeInfo("unused.value", _ERROR, "fields", "a field that is not used is not `-`")),
    ("hands", CodeInfo("hand.char", _ERROR, "fields", "not a man that can be in hand, nor a count")),
    ("hands", CodeInfo("hand.count", _ERROR, "fields", "a count of 0, too large or without a man")),
    ("hands", CodeInfo("hand.format", _WARNING, "fields", "men in hand in another order or form")),
    ("half", CodeInfo("half.value", _ERROR, "fields", "the clock is not a number of at most four digits")),
    ("half", CodeInfo("half.format", _WARNING, "fields", "a clock with leading zeros")),
    ("", CodeInfo("full.value", _ERROR, "fields", "the move number is not one of at most four digits")),
    ("", CodeInfo("full.format", _WARNING, "fields", "a move number with leading zeros")),
    ("", CodeInfo("full.zero", _WARNING, "fields", "a move number of 0; it is taken as 1")),
    ("king", CodeInfo("king.missing", _ERROR, "position", "a side has no king")),
    ("king", CodeInfo("king.many", _ERROR, "position", "a side has more than one king")),
    ("", CodeInfo("men.many", _ERROR, "position", "more men of a kind than the game has")),
    ("", CodeInfo("man.place", _ERROR, "position", "a man where none of its kind can be")),
    ("files", CodeInfo("man.file", _ERROR, "position", "more men of a kind on a file than may be there")),
    ("facing", CodeInfo("kings.facing", _ERROR, "position", "the kings face each other")),
    ("king", CodeInfo("check.opposite", _ERROR, "position", "the side that is not to move is in check")),
)
"""Each with the trait that a game must have to report it; see `Sheet.codes`."""
