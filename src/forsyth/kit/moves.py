"""Moves on a grid, and their notation by squares: ``h3e3``, ``8h2b+`` with promotion, ``P*5e`` for a drop.

Reading also accepts a hyphen between the squares, and a lower-case letter for the piece of a drop. Writing
uses no hyphen and a capital.

Limits: a text has at most `forsyth.limits.MAX_MOVE_TEXT` characters.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import NamedTuple

from forsyth.kit.board import DROP_SHIFT, ORIGIN_SHIFT, PROMOTES, SQUARE_MASK
from forsyth.kit.sheet import Sheet


class GridMove(NamedTuple):
    """A move of a piece from one square to another, or the drop of a piece on a square."""

    origin: int
    """The number of the square that the piece leaves; −1 for a drop."""
    target: int
    """The number of the square that the piece moves to."""
    promotes: bool = False
    drops: str = ""
    """The capital letter of the dropped piece; empty if the move is not a drop."""


class Coordinates:
    """Reader and writer of moves by squares, for the grid of one game."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet

    @cached_property
    def pattern(self) -> str:
        """The source of a regular expression for a move such as ``h3e3``, ``8h2b+`` or ``P*5e``."""
        square = self._square_source
        plus = r"\+?" if self._sheet.promotion else ""
        moves = f"{square}-?{square}{plus}"
        hand_letters = "".join(self._sheet.kinds[kind].letter for kind in self._sheet.hand_kinds)
        if not hand_letters:
            return moves
        return rf"{moves}|[{hand_letters}{hand_letters.lower()}]\*{square}"

    @cached_property
    def _square_source(self) -> str:
        """The source of a regular expression that matches the name of a square."""
        # Longer names first, so that rank 10 is not matched as rank 1.
        ranks = "|".join(sorted(self._sheet.ranks, key=len, reverse=True))
        return f"[{self._sheet.files}](?:{ranks})"

    @cached_property
    def _square_pattern(self) -> re.Pattern[str]:
        """The compiled pattern of a square."""
        return re.compile(self._square_source)

    def read(self, text: str) -> GridMove | None:
        """Parse a move by squares such as ``h3e3``, ``h3-e3``, ``8h2b+`` or ``P*5e``, legal or not.

        Return None if `text` is not a move in this notation.
        """
        if re.fullmatch(self.pattern, text) is None:
            return None
        squares = [self._sheet.square_number[name] for name in self._square_pattern.findall(text)]
        is_drop = len(squares) == 1
        if is_drop:
            return GridMove(-1, squares[0], drops=text[0].upper())
        origin, target = squares
        return GridMove(origin, target, text.endswith("+"))

    def write(self, move: GridMove) -> str:
        """Write a move by its squares, such as ``h3e3``, ``8h2b+`` with promotion, or ``P*5e`` for a drop."""
        squares = self._sheet.squares
        if move.drops:
            return f"{move.drops}*{squares[move.target]}"
        return f"{squares[move.origin]}{squares[move.target]}{'+' * move.promotes}"

    def decode(self, number: int) -> GridMove:
        """Return the move that the search represents by `number`.

        The number contains the target, the origin, a flag for promotion and the kind of a dropped piece (see
        `forsyth.kit.board`).
        """
        origin = number >> ORIGIN_SHIFT & SQUARE_MASK
        target = number & SQUARE_MASK
        # The origin of a drop is the square after the last one of the board.
        is_drop = origin == self._sheet.grid.size
        if is_drop:
            return GridMove(-1, target, drops=self._sheet.kinds[number >> DROP_SHIFT].letter)
        return GridMove(origin, target, bool(number & PROMOTES))
