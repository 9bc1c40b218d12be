"""The effect of clicks on a board: the first click selects a piece, the second one plays its move.

The places are those of the scene, so that any game can be played. A click on a place from which a move is
possible selects the place. A click on the target of a move plays it; if several moves end there, such as
promotions, they are offered as choices. Any other click removes the selection. Actions without a place, such
as a deal, are offered as choices too. The picture shows the selection, its targets, the last move and check.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from forsyth import draw
from forsyth.diagnostics import MoveError
from forsyth.game_values import MoveFacts
from forsyth.match import Match
from forsyth.notebook.page import draw_board
from forsyth.scene import Mark

_SELECTION_COLOUR: Final = "blue"


@dataclass(slots=True)
class ClickableMatch:
    """A match that is played by clicks."""

    match: Match[Any, Any]
    selected: str = ""
    """The selected place, or an empty text."""
    choices: list[str] = field(default_factory=list)
    """The moves and actions that are offered as buttons."""
    message: str = ""
    """The text below the board: the side to move, the result, or an error."""

    def __post_init__(self) -> None:
        self._reset_selection()

    def click(self, place: str) -> bool:
        """Handle a click on a place of the board, such as ``e4``. Return True if a move was played.

        If a place is selected, play the move from there to `place`, or offer several such moves as choices.
        Otherwise select `place` if a move begins there, or remove the selection.
        """
        legal_moves = self._list_legal_moves()
        move_texts: list[str] = []
        if self.selected:
            matching = (move for move in legal_moves if _connects(move, self.selected, place))
            move_texts = list(dict.fromkeys(move.move for move in matching))
        if len(move_texts) == 1:
            return self.play(move_texts[0])
        can_move_from_place = any(_begins_at(move, place) for move in legal_moves)
        if move_texts:
            # Several moves end here, such as promotions to different pieces.
            self.choices = move_texts
            self.message = "Choose a move"
        elif can_move_from_place and place != self.selected:
            self._reset_selection()
            self.selected = place
        else:
            self._reset_selection()
        return False

    def play(self, text: str) -> bool:
        """Play a move text. If it is not legal, set `message` to the reason and return False."""
        try:
            self.match.play(text)
        except MoveError as error:
            self.message = str(error)
            return False
        self._reset_selection()
        return True

    def undo(self) -> bool:
        """Undo the last move. Return False if no move was played."""
        has_undone = self.match.undo() is not None
        self._reset_selection()
        return has_undone

    def draw_picture(self, size: int, *, flip: bool) -> str:
        """Return the board as SVG, `size` pixels wide, with the selection, its targets, last move and check.

        `flip` shows the board from the other side.
        """
        legal_moves = self._list_legal_moves() if self.selected else []
        targets: dict[str, Mark] = {
            move.target: "target"
            for move in legal_moves
            if move.target is not None and _begins_at(move, self.selected)
        }
        scene = draw.scene(self.match, last=True, check=True, marks=targets, flip=flip)
        places = {cell.id for area in scene.areas for cell in area.cells}
        highlights = [(self.selected, _SELECTION_COLOUR)] if self.selected in places else []
        return draw_board(draw.scene(scene, highlights=highlights), size)

    def _list_legal_moves(self) -> list[MoveFacts]:
        """Return the facts about all legal moves, or an empty list if the match has ended."""
        match = self.match
        if match.outcome is not None:
            return []
        return [match.game.describe_move(match.position, move) for move in match.moves()]

    def _reset_selection(self) -> None:
        """Select no place, offer the actions such as a deal as buttons, and set the text below the board.

        The text has the side to move, or the result if the match has ended.
        """
        self.selected = ""
        outcome = self.match.outcome
        self.choices = list(self.match.actions()) if outcome is None else []
        if outcome is None:
            self.message = f"{self.match.game.side_to_move(self.match.position)} to move"
        else:
            self.message = f"{outcome.result}, {outcome.reason}"


def _begins_at(move: MoveFacts, place: str) -> bool:
    """Return True if a move begins at the cell `place` of the board, or at the square around it."""
    return move.origin is not None and _is_part_of(place, move.origin)


def _connects(move: MoveFacts, origin: str, target: str) -> bool:
    """Return True if a move leads from the cell `origin` of the board to the cell `target`."""
    return _begins_at(move, origin) and move.target is not None and _is_part_of(target, move.target)


def _is_part_of(cell_id: str, place: str) -> bool:
    """Return True if a cell of the board is `place` or a part of it, as ``f4.2`` is a part of ``f4``."""
    return cell_id == place or cell_id.startswith(f"{place}.")
