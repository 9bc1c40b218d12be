"""Moves on a grid, and their notation by squares: ``h3e3``, ``8h2b+`` with promotion, ``P*5e`` for a drop.

Reading also accepts a hyphen between the squares, and a lower-case letter for the piece of a drop. Writing
uses no hyphen and a capital.

Limits: a text has at most `forsyth.limits.MAX_MOVE_TEXT` characters.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final, NamedTuple

from forsyth.kit.board import DROP_SHIFT, ORIGIN_SHIFT, PROMOTES, SQUARE_MASK
from forsyth.kit.sheet import Sheet

NO_ORIGIN: Final = -1
"""The origin of a drop."""


class GridMove(NamedTuple):
    """A move of a piece from one square to another, or the drop of a piece on a square."""

    origin: int
    """The number of the square that the piece leaves; `NO_ORIGIN` (−1) for a drop."""
    target: int
    """The number of the square that the piece moves to."""
    promotes: bool = False
    drops: str = ""
    """The capital letter of the dropped piece; empty if the move is not a drop."""


class Coordinates:
    """Reader and writer of moves by squares, such as ``h3e3``, for the grid of one game."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet

    @cached_property
    def pattern(self) -> str:
        """The source of a regular expression for a move such as ``h3e3``, ``8h2b+`` or ``P*5e``."""
        square = self._square_source
        plus = r"\+?" if self._sheet.promotion else ""
        board_move = f"{square}-?{square}{plus}"
        capitals = "".join(self._sheet.kinds[kind].letter for kind in self._sheet.hand_kinds)
        if not capitals:
            return board_move
        drop = rf"[{capitals}{capitals.lower()}]\*{square}"
        return f"{board_move}|{drop}"

    @cached_property
    def _square_source(self) -> str:
        """The source of a regular expression that matches the name of a square, such as ``a10``."""
        # Longer names first, so that rank 10 is not matched as rank 1.
        ranks = "|".join(sorted(self._sheet.ranks, key=len, reverse=True))
        return f"[{self._sheet.files}](?:{ranks})"

    @cached_property
    def _square_pattern(self) -> re.Pattern[str]:
        """The compiled pattern of a square."""
        return re.compile(self._square_source)

    def read_move(self, text: str) -> GridMove | None:
        """Return the move that a text such as ``h3e3``, ``h3-e3``, ``8h2b+`` or ``P*5e`` names, legal or not.

        Return None if `text` is not a move in this notation.
        """
        if re.fullmatch(self.pattern, text) is None:
            return None
        squares = [self._sheet.square_number[name] for name in self._square_pattern.findall(text)]
        is_drop = len(squares) == 1
        if is_drop:
            return GridMove(NO_ORIGIN, squares[0], drops=text[0].upper())
        origin, target = squares
        return GridMove(origin, target, promotes=text.endswith("+"))

    def write_move(self, move: GridMove) -> str:
        """Return a move as text: ``h3e3``, ``8h2b+`` with promotion, or ``P*5e`` for a drop."""
        square_names = self._sheet.squares
        target = square_names[move.target]
        if move.drops:
            return f"{move.drops}*{target}"
        promotion = "+" if move.promotes else ""
        return f"{square_names[move.origin]}{target}{promotion}"

    def decode_move(self, move_number: int) -> GridMove:
        """Return the move for a number of the search, which is how `forsyth.kit.search` represents moves.

        The bits of the number are the target, the origin, a flag for promotion and the kind of a dropped
        piece. The module `forsyth.kit.board` describes them.
        """
        target = move_number & SQUARE_MASK
        origin = (move_number >> ORIGIN_SHIFT) & SQUARE_MASK
        # The origin of a drop is the square after the last one of the board.
        is_drop = origin == self._sheet.grid.size
        if is_drop:
            dropped_kind = self._sheet.kinds[move_number >> DROP_SHIFT]
            return GridMove(NO_ORIGIN, target, drops=dropped_kind.letter)
        return GridMove(origin, target, promotes=bool(move_number & PROMOTES))
