"""What no sheet can say about a game on a grid: a few functions, each of which may be left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from forsyth.game import Outcome
from forsyth.kit.moves import GridMove
from forsyth.kit.position import GridPosition


@dataclass(frozen=True)
class Rules:
    """What no sheet can say; without a notation of its own a game writes moves as squares."""

    move_pattern: str = ""
    """A regular expression for a move in the notation of the game."""
    write_move: Callable[[GridPosition, GridMove], str] | None = None
    """A legal move in that notation."""
    read_move: Callable[[GridPosition, str], Iterable[GridMove]] | None = None
    """The legal moves that a text of that notation may mean."""
    meant: Callable[[GridPosition, str, Iterable[GridMove]], Iterable[GridMove]] | None = None
    """Those of any moves, legal or not, that a text of that notation may mean: to say why it names none."""
    ended: Callable[[GridPosition], Outcome | None] | None = None
    """How a game ends although there are legal moves."""
    write: Callable[[GridPosition, str], str] | None = None
    """A position in one of the styles of the sheet."""
