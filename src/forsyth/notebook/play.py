"""What clicks on a board mean: a place is chosen, then the place where the move ends.

Accepts places of the scene, in any game. A click on a place where something can move chooses it; one on a
place where it can go plays the move, or offers the moves that go there where there are several, such as
promotions. Any other click takes the choice back. Actions that no click names, such as a deal, are offered
too. Writes the picture with the choice, its targets, the last move and check.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from forsyth import draw
from forsyth.diagnostics import MoveError
from forsyth.game_values import MoveFacts
from forsyth.match import Match
from forsyth.notebook.page import board
from forsyth.scene import Mark

_CHOSEN = "blue"


@dataclass(slots=True)
class Clicks:
    """A match that is played by clicking: what is chosen, and what is offered."""

    match: Match[Any, Any]
    selected: str = ""
    choices: list[str] = field(default_factory=list)
    message: str = ""

    def __post_init__(self) -> None:
        self._settle()

    def click(self, square: str) -> bool:
        """Choose a place, or play to one; whether a move was played."""
        there = [one for one in self._legal() if self.selected and self._ends(one, square)]
        texts = list(dict.fromkeys(one.move for one in there))
        if len(texts) == 1:
            return self.play(texts[0])
        begins = any(self._begins(one, square) for one in self._legal())
        if texts:
            self.choices, self.message = texts, "Choose a move"
        elif begins and square != self.selected:
            self._settle()
            self.selected = square
        else:
            self._settle()
        return False

    def play(self, text: str) -> bool:
        """Play a move as text; where it is not legal, nothing happens but the message."""
        try:
            self.match.play(text)
        except MoveError as error:
            self.message = str(error)
            return False
        self._settle()
        return True

    def undo(self) -> bool:
        """Take the last move back; whether there was one."""
        undone = self.match.undo() is not None
        self._settle()
        return undone

    def picture(self, size: int, *, flip: bool) -> str:
        """The board with what is chosen, where it can go, the last move and check."""
        chosen = [one for one in self._legal() if self.selected and self._begins(one, self.selected)]
        targets: dict[str, Mark] = {one.target: "target" for one in chosen if one.target is not None}
        scene = draw.scene(self.match, last=True, check=True, marks=targets, flip=flip)
        places = {cell.id for area in scene.areas for cell in area.cells}
        tinted = [(self.selected, _CHOSEN)] if self.selected in places else []
        return board(draw.scene(scene, highlights=tinted), size)

    def _legal(self) -> list[MoveFacts]:
        match = self.match
        if match.outcome is not None:
            return []
        return [match.game.describe_move(match.position, move) for move in match.moves()]

    def _begins(self, one: MoveFacts, square: str) -> bool:
        return one.origin is not None and _is_at(square, one.origin)

    def _ends(self, one: MoveFacts, square: str) -> bool:
        begun = self._begins(one, self.selected)
        return begun and one.target is not None and _is_at(square, one.target)

    def _settle(self) -> None:
        self.selected = ""
        outcome = self.match.outcome
        self.choices = list(self.match.actions()) if outcome is None else []
        if outcome is None:
            self.message = f"{self.match.game.side_to_move(self.match.position)} to move"
        else:
            self.message = f"{outcome.result}, {outcome.reason}"


def _is_at(square: str, place: str) -> bool:
    """Whether a cell is a place, or a part of one, as ``f4.2`` is of the factory ``f4``."""
    return square == place or square.startswith(f"{place}.")
