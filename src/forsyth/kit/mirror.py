"""Exchange the two sides of a position by rewriting its canonical text.

The rewritten text is called the *twin*. In the twin, the board is mirrored, the case of all letters is
changed, the other side is to move, squares are mirrored, and the counts of the two sides are exchanged. The
board is mirrored in the way that maps the start position to itself with the colours exchanged: in chess and
xiangqi only the ranks are reversed, in shogi the ranks and the files. A game whose other fields change in
another way defines the change itself (`forsyth.abilities.TwinFields`).

Limits: a game has no twins if no such mirroring maps its start to itself, such as Azul or Horde chess. A
position has no twin if the rewritten text cannot be read.
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
"""The counts of the two sides, such as the checks in Three-Check: ``2+1`` or ``+2+1``."""
_RANK_TOKEN: Final = re.compile(r"[0-9]+|\+?\(.*?\)|\+?[A-Za-z]~?")
"""One part of a rank: a number of empty squares, a stack in parentheses, or a piece."""


def mirror_position(game: Game[P, M], position: P) -> P:
    """Return the position with the sides exchanged: colours, board, side to move and the other fields.

    Raise `ValueError` if the rules of the sides differ, or if the exchanged position cannot be read.
    """
    mirror_text = make_mirror(game)
    if mirror_text is None:
        raise ValueError(
            f"the sides of {game.name}, {game.variant}, cannot be exchanged, because their rules differ"
        )
    twin_text = mirror_text(str(position))
    twin = None if twin_text is None else game.read(twin_text).position
    if twin is None:
        raise ValueError(f"the position {quoted(str(position))} is not readable with its sides exchanged")
    return twin


def make_mirror(game: Game) -> Callable[[str], str | None] | None:
    """Return a function that rewrites a canonical text with the sides exchanged, or None.

    The function returns None for a text whose side to move is unknown. There is no function if the start
    position of the game does not stay the same when its board is mirrored.
    """
    side_letters = _find_side_letters(game)
    if side_letters is None:
        return None
    start_board = game.start.split(" ")[0]
    rank_count = start_board.count("/") + 1
    own_field_mirror = game.twin_field if isinstance(game, TwinFields) else None
    for reverses_files in (False, True):
        mirror = TextMirror(side_letters, reverses_files, rank_count, own_field_mirror)
        if mirror.mirror_board(start_board) == start_board:
            return mirror
    return None


def _find_side_letters(game: Game) -> tuple[str, str] | None:
    """Return the letters of both sides in texts, such as ``("w", "b")``, the side that begins first.

    The second letter is read from a position after one move. Return None if the texts of the game have no
    ranks or no side to move.
    """
    start_fields = game.start.split(" ")
    has_ranks = "/" in start_fields[0]
    if len(start_fields) < 2 or not has_ranks:
        return None
    start = game.parse(game.start)
    first_move = next(iter(game.moves(start)))
    next_fields = game.write(game.play(start, first_move)).split(" ")
    first_letter, second_letter = start_fields[1], next_fields[1]
    return None if first_letter == second_letter else (first_letter, second_letter)


@dataclass(frozen=True, slots=True)
class TextMirror:
    """A function that rewrites canonical texts with the sides exchanged. The result is called the twin."""

    side_letters: tuple[str, str]
    reverses_files: bool
    rank_count: int
    own_field_mirror: Callable[[str], str] | None = None
    """The game's own function that mirrors a field after the side to move; None for the usual rules."""

    def __call__(self, text: str) -> str | None:
        """Return the text with the sides exchanged, or None if its side to move is unknown.

        In chess, ``4k3/8/8/8/8/8/4P3/4K3 w - - 0 1`` becomes ``4k3/4p3/8/8/8/8/8/4K3 b - - 0 1``.
        """
        board, side, *other_fields = text.split(" ")
        if side not in self.side_letters:
            return None
        other_side = self.side_letters[1 - self.side_letters.index(side)]
        mirror_field = self.own_field_mirror or self._mirror_field
        return " ".join([self.mirror_board(board), other_side, *map(mirror_field, other_fields)])

    def mirror_board(self, board: str) -> str:
        """Return the board field of a text with the sides exchanged: ``4K3/8`` becomes ``8/4k3``.

        Pieces in hand, in brackets after the board, are exchanged too.
        """
        squares, bracket, pocket = board.partition("[")
        ranks = list(reversed(squares.split("/")))
        if self.reverses_files:
            ranks = ["".join(reversed(_RANK_TOKEN.findall(rank))) for rank in ranks]
        # The case of a letter is its side.
        return "/".join(ranks).swapcase() + bracket + pocket.swapcase()

    def _mirror_field(self, field: str) -> str:
        """Return a field after the side to move with the sides exchanged.

        It is a square (``e3`` becomes ``e6`` on eight ranks), the counts of both sides (``2+1`` becomes
        ``1+2``), or letters of pieces (``Kq`` becomes ``Qk``).
        """
        square_match = _SQUARE.fullmatch(field)
        if square_match is not None:
            file, rank = square_match[1], int(square_match[2])
            return f"{file}{self.rank_count + 1 - rank}"
        counts_match = _COUNTS.fullmatch(field)
        if counts_match is not None:
            # Both forms, 2+1 and +2+1, keep their form.
            leading_plus = "+" if field.startswith("+") else ""
            first_count, second_count = counts_match[1].lstrip("+"), counts_match[2].lstrip("+")
            return f"{leading_plus}{second_count}+{first_count}"
        if field.isalpha():
            # Capitals come first in canonical castling rights and hands.
            return "".join(sorted(field.swapcase()))
        return field.swapcase()
