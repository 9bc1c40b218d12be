"""How much a text looks like one of a game on a grid: ranks, their length, letters, side."""

from __future__ import annotations

from typing import Final

from forsyth.kit.sheet import Sheet

_BEST: Final = 0.9
_PER_RANK: Final = 0.3
_SIDE: Final = 0.1


def likelihood(sheet: Sheet, text: str) -> float:
    """A number of 0 to 1, from the structure of a text alone."""
    wanted, width = len(sheet.ranks), len(sheet.files)
    # Most texts are of other games, and this is asked for every one of them.
    if abs(text.count("/") + 1 - wanted) > 2:
        return 0.0
    words = text.replace("_", " ").replace("%20", " ").replace("%2F", "/").split()
    board = max(words, key=lambda word: word.count("/"), default="")
    ranks = board.split("/")
    missing = abs(len(ranks) - wanted)
    if missing > 2:
        return 0.0
    known = {*sheet.plain_letters, *sheet.letters_meant, *("+" if sheet.promotion else "")}
    fitting = sum(_fits(rank, known, width) for rank in ranks) / len(ranks)
    sides = {side.letter for side in sheet.sides} | set(sheet.sides_meant)
    side = _SIDE if words[1:] and words[1] in sides else 0.0
    return round(max(0.0, _BEST - _PER_RANK * missing) * fitting + side, 3)


def _fits(rank: str, known: set[str], width: int) -> float:
    """1 for a rank of the right letters and length, less where one of them is wrong."""
    if not rank:
        return 0.0
    letters = sum(ch in known or "0" <= ch <= "9" for ch in rank) / len(rank)
    length = sum(int(ch) if "0" <= ch <= "9" else ch != "+" for ch in rank)
    return letters if length == width else letters / 2
