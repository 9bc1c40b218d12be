"""How much a text looks like one of a game on a grid: ranks, their width, letters, side and fields."""

from __future__ import annotations

import re
from typing import Final

from forsyth.kit.sheet import Sheet

_BEST: Final = 0.9
_PER_RANK: Final = 0.3
"""What a rank too many or too few costs."""
_SIDE: Final = 0.05
_FIELDS: Final = 0.05
_FOREIGN: Final = 0.1
"""What a field costs that has content, but that the game does not use or does not have."""
_NEARLY: Final = 0.9
"""What a rank counts that is one square too wide or too narrow."""
_MOSTLY: Final = 0.5
"""Boards of which fewer ranks than this are as wide as the game's are those of another game."""
_WIDTHS: Final = bytes(code - 48 if 48 <= code < 58 else code != ord("+") for code in range(256))
"""How many squares a character stands for."""
_WIDE: Final = 10
_COUNT: Final = re.compile(b"[1-9][0-9]")
_NO_LETTERS: Final = b"+0123456789/"


def likelihood(sheet: Sheet, text: str) -> float:
    """A number of 0 to 1, from the structure of a text alone."""
    wanted, width = len(sheet.ranks), len(sheet.files)
    # Most texts are of other games, and this is asked about every one of them.
    slashes = text.count("/") + text.count("%2F")
    if abs(slashes + 1 - wanted) > 1:
        return 0.0
    words = text.replace("%2F", "/").replace("%2B", "+").replace("%20", " ").replace("_", " ").split()
    board = max(words, key=lambda word: word.count("/")).strip("\"'{}").rstrip("/").encode("ascii", "replace")
    # Counts of two digits are those of boards so wide.
    single = board if width < _WIDE else _COUNT.sub(_dots, board)
    widths = [sum(rank.translate(_WIDTHS)) for rank in single.split(b"/")]
    missing = abs(len(widths) - wanted)
    if missing > 1 or widths.count(width) < _MOSTLY * len(widths):
        return 0.0
    near = widths.count(width - 1) + widths.count(width + 1)
    fitting = (widths.count(width) + _NEARLY * near) / len(widths)
    sides = {side.letter for side in sheet.sides} | set(sheet.side_aliases)
    side = _SIDE if words[1:] and words[1] in sides else 0.0
    fields = _FIELDS if len(words) == len(sheet.fields) else 0.0
    foreign = _FOREIGN * _count_foreign_fields(sheet, words)
    shape = (_BEST - _PER_RANK * missing) * fitting
    # Squared: a foreign letter says more than a known one, which several games may share.
    return round(max(0.0, shape * _known(sheet, board) ** 2 + side + fields - foreign), 3)


def _count_foreign_fields(sheet: Sheet, words: list[str]) -> int:
    """Return the number of fields with content for which the game has no field.

    These are words in unused fields, such as castling rights, and words behind the last field.
    """
    pairs = zip(words, sheet.fields, strict=False)
    filled = sum(field == "unused" and word != "-" for word, field in pairs)
    return filled + max(0, len(words) - len(sheet.fields))


def _dots(count: re.Match[bytes]) -> bytes:
    return b"." * int(count[0])


def _known(sheet: Sheet, board: bytes) -> float:
    """The share of men of the game among the letters of a board."""
    letters = board.translate(None, _NO_LETTERS)
    known = f"{sheet.unpromoted_letters}{''.join(sheet.letter_aliases)}".encode()
    return 1 - len(letters.translate(None, known)) / len(letters) if letters else 1.0
