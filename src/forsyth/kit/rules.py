"""The functions of a game on a grid that data cannot express. Each of them is optional."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from forsyth.game import Outcome
from forsyth.kit.moves import GridMove
from forsyth.kit.position import GridPosition


@dataclass(frozen=True)
class Rules:
    """Functions that extend a sheet. A game without its own move notation writes moves by squares."""

    move_pattern: str = ""
    """Regular expression for a move in the game's own notation; empty if the game has none."""
    write_move: Callable[[GridPosition, GridMove], str] | None = None
    """Function that writes a legal move in the game's own notation."""
    read_move: Callable[[GridPosition, str], Iterable[GridMove]] | None = None
    """Function that returns the legal moves that a text in that notation matches."""
    match_moves: Callable[[GridPosition, str, Iterable[GridMove]], Iterable[GridMove]] | None = None
    """Function that returns those of the given moves, legal or not, that a text in that notation matches.

    It is used to explain why a text is not a legal move.
    """
    find_outcome: Callable[[GridPosition], Outcome | None] | None = None
    """Function that returns the outcome if the game has ended although there are legal moves, else None."""
    write_style: Callable[[GridPosition, str], str] | None = None
    """Function that writes a position in one of the styles of the sheet."""
