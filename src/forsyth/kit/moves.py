"""A move on a grid as a value, and as two squares: ``h3e3``, ``8h2b+`` with promotion, ``P*5e`` for a drop.

Reading takes a hyphen between the squares, and a small letter for the man of a drop. Writing: no hyphen, a
capital. Limits: forsyth.limits.MAX_MOVE_TEXT characters.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import NamedTuple

from forsyth.kit.board import PROMOTES
from forsyth.kit.sheet import Sheet


class GridMove(NamedTuple):
    """A man goes from one square to another, or is put on one."""

    origin: int
    """The number of the square it leaves; −1 for a drop."""
    target: int
    """The number of the square it gets to."""
    promotes: bool = False
    drops: str = ""
    """The capital of the man that is dropped."""


class Coordinates:
    """The notation of moves by squares, on the grid of one game."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet

    @cached_property
    def pattern(self) -> str:
        """A regular expression for a move."""
        ranks = "|".join(sorted(self._sheet.ranks, key=len, reverse=True))
        square = f"[{self._sheet.files}](?:{ranks})"
        plus = r"\+?" if self._sheet.promotion else ""
        moves = f"{square}-?{square}{plus}"
        held = "".join(self._sheet.kinds[kind].letter for kind in self._sheet.held)
        return rf"{moves}|[{held}{held.lower()}]\*{square}" if held else moves

    @cached_property
    def _parts(self) -> re.Pattern[str]:
        ranks = "|".join(sorted(self._sheet.ranks, key=len, reverse=True))
        return re.compile(f"[{self._sheet.files}](?:{ranks})")

    def read(self, text: str) -> GridMove | None:
        """The move that a text names, legal or not; None where it is none of this notation."""
        if re.fullmatch(self.pattern, text) is None:
            return None
        numbers = [self._sheet.square_number[name] for name in self._parts.findall(text)]
        if len(numbers) == 1:
            return GridMove(-1, numbers[0], drops=text[0].upper())
        origin, target = numbers
        return GridMove(origin, target, text.endswith("+"))

    def write(self, move: GridMove) -> str:
        """A move as its squares."""
        squares = self._sheet.squares
        if move.drops:
            return f"{move.drops}*{squares[move.target]}"
        return f"{squares[move.origin]}{squares[move.target]}{'+' * move.promotes}"

    def move(self, number: int) -> GridMove:
        """The move of a number of the search."""
        origin, target = number >> 9 & 511, number & 511
        if origin == self._sheet.grid.size:
            return GridMove(-1, target, drops=self._sheet.kinds[number >> 19].letter)
        return GridMove(origin, target, bool(number & PROMOTES))
