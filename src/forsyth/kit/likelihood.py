"""How much a text looks like one of a game on a grid: ranks, their length, letters, side."""

from __future__ import annotations

from typing import Final

from forsyth.kit.sheet import Sheet

_BEST: Final = 0.9
_PER_RANK: Final = 0.3
"""What a rank too many or too few costs; two of them are a board of another game."""
_SIDE: Final = 0.1
_MOSTLY: Final = 0.5
"""Boards of which fewer ranks than this are as wide as the game's are those of another game."""


def likelihood(sheet: Sheet, text: str) -> float:
    """A number of 0 to 1, from the structure of a text alone."""
    wanted, width = len(sheet.ranks), len(sheet.files)
    # Most texts are of other games, and this is asked about every one of them.
    slashes = text.count("/") + text.count("%2F")
    if abs(slashes + 1 - wanted) > 1:
        return 0.0
    words = text.replace("%2F", "/").replace("%20", " ").replace("_", " ").split()
    board = max(words, key=lambda word: word.count("/"))
    ranks = board.strip("\"'{}").split("/")
    known = {*sheet.plain_letters, *sheet.letters_meant, *("+" if sheet.promotion else "")}
    fitting = sum(_fits(rank, known, width) for rank in ranks) / len(ranks)
    if fitting < _MOSTLY:
        return 0.0
    sides = {side.letter for side in sheet.sides} | set(sheet.sides_meant)
    side = _SIDE if words[1:] and words[1] in sides else 0.0
    return round((_BEST - _PER_RANK * abs(len(ranks) - wanted)) * fitting + side, 3)


def _fits(rank: str, known: set[str], width: int) -> float:
    """The share of known characters in a rank as wide as the board, 0 for any other."""
    length = sum(int(ch) if "0" <= ch <= "9" else ch != "+" for ch in rank)
    if length != width:
        return 0.0
    return sum(ch in known or "0" <= ch <= "9" for ch in rank) / len(rank)
