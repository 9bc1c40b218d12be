"""A position with its sides exchanged, by its canonical text: the twin in which the other side does the same.

The twin of a canonical text has the board turned round as the game's start is, the case of all letters
changed, the other side to move, squares on the other side of the board, and counts of the two sides
exchanged. Whether the board is turned upside down or right round is what maps the start to itself with the
colours exchanged: the first in chess and xiangqi, the second in shogi. A game whose other fields change in
another way says how (`forsyth.abilities.TwinFields`).

Limits: a game whose start has no such twin (Azul, or a horde against a king) has none, and neither has a
position whose twin cannot be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from forsyth.abilities import TwinFields
from forsyth.arguments import quoted
from forsyth.game import Game, M, P

_SQUARE: Final = re.compile(r"([a-z])([0-9]{1,2})")
_COUNTS: Final = re.compile(r"(\+?[0-9])(\+[0-9])")
_RUN: Final = re.compile(r"[0-9]+|\+?\(.*?\)|\+?[A-Za-z]~?")


def mirrored(game: Game[P, M], position: P) -> P:
    """The position with the sides exchanged; raises `ValueError` where it has no such twin."""
    flip = twin_of(game)
    if flip is None:
        raise ValueError(
            f"the sides of {game.name}, {game.variant}, cannot be exchanged: its rules are not alike"
        )
    text = flip(str(position))
    twin = None if text is None else game.read(text).position
    if twin is None:
        raise ValueError(f"{quoted(str(position))} has no twin with the sides exchanged")
    return twin


def twin_of(game: Game) -> Callable[[str], str | None] | None:
    """What gives the twin of a canonical text; None where a game has no twins."""
    letters = _letters_of_sides(game)
    if letters is None:
        return None
    board = game.start.split(" ")[0]
    own = game.twin_field if isinstance(game, TwinFields) else None
    for right_round in (False, True):
        flip = Flip(letters, right_round, board.count("/") + 1, own)
        if flip.board(board) == board:
            return flip
    return None


def _letters_of_sides(game: Game) -> tuple[str, str] | None:
    """How a text says who moves: at the start, and after the first move."""
    fields = game.start.split(" ")
    if len(fields) < 2 or "/" not in fields[0]:
        return None
    start = game.parse(game.start)
    after = game.write(game.play(start, next(iter(game.moves(start))))).split(" ")
    return (fields[1], after[1]) if fields[1] != after[1] else None


@dataclass(frozen=True, slots=True)
class Flip:
    """Exchanges the sides of canonical texts."""

    letters: tuple[str, str]
    right_round: bool
    ranks: int
    own: Callable[[str], str] | None = None
    """What changes a field behind the side to move, where the game says it itself."""

    def __call__(self, text: str) -> str | None:
        """The twin of a text; None where a field is none that has one."""
        board, side, *rest = text.split(" ")
        if side not in self.letters:
            return None
        other = self.letters[1 - self.letters.index(side)]
        return " ".join([self.board(board), other, *map(self.own or self._field, rest)])

    def board(self, board: str) -> str:
        """The board with the sides exchanged; what is in a pocket behind it too."""
        squares, bracket, pocket = board.partition("[")
        ranks = squares.split("/")[::-1]
        if self.right_round:
            ranks = ["".join(_RUN.findall(rank)[::-1]) for rank in ranks]
        return "/".join(ranks).swapcase() + bracket + pocket.swapcase()

    def _field(self, field: str) -> str:
        square = _SQUARE.fullmatch(field)
        if square is not None:
            return square[1] + str(self.ranks + 1 - int(square[2]))
        counts = _COUNTS.fullmatch(field)
        if counts is not None:
            first, second = (count.lstrip("+") for count in counts.groups())
            plus = "+" if counts[1].startswith("+") else ""
            return f"{plus}{second}+{first}"
        # Capitals first, as rights and hands are written.
        return "".join(sorted(field.swapcase())) if field.isalpha() else field.swapcase()
