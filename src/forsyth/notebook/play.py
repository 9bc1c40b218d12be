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
        """Set the choices and the message for the first position."""
        self._reset_selection()

    def click(self, place: str) -> bool:
        """Handle a click on a place of the board, such as the square ``e4``. Return True if it played a move.

        If a move leads from the selected place to `place`, play it. If there are several such moves, offer
        them as choices. Otherwise select `place` if a move begins there, or else remove the selection.
        """
        legal_moves = self._list_legal_moves()
        move_texts = _list_move_texts(legal_moves, self.selected, place) if self.selected else []
        if len(move_texts) == 1:
            return self.play(move_texts[0])
        if move_texts:
            # Several moves end here, such as promotions to different pieces.
            self.choices = move_texts
            self.message = "Choose a move"
            return False

        # A second click on the selected place removes the selection.
        is_second_click = place == self.selected
        can_move_from_place = any(_begins_at(move, place) for move in legal_moves)
        self._reset_selection()
        if can_move_from_place and not is_second_click:
            self.selected = place
        return False

    def play(self, text: str) -> bool:
        """Play a move, such as ``e4``, and return True.

        If the move is not legal, set `message` to the reason and return False.
        """
        try:
            self.match.play(text)
        except MoveError as error:
            self.message = str(error)
            return False
        self._reset_selection()
        return True

    def undo(self) -> bool:
        """Undo the last move and remove the selection. Return False if there was no move to undo."""
        undone_ply = self.match.undo()
        self._reset_selection()
        return undone_ply is not None

    def draw_picture(self, size: int, *, flip: bool) -> str:
        """Draw the board as an SVG picture, `size` pixels wide.

        The picture shows the selected place and the targets of its moves, the last move, and a check. `flip`
        shows the board from the other side.
        """
        marks = self._mark_targets()
        scene = draw.scene(self.match, last=True, check=True, marks=marks, flip=flip)
        cell_ids = {cell.id for area in scene.areas for cell in area.cells}
        # The page can send the name of a place that the picture does not have.
        is_selection_visible = self.selected in cell_ids
        highlights = [(self.selected, _SELECTION_COLOUR)] if is_selection_visible else []
        return draw_board(draw.scene(scene, highlights=highlights), size)

    def _mark_targets(self) -> dict[str, Mark]:
        """Return a mark for each square to which a move leads from the selected place, by the square's name.

        Without a selected place, return an empty dictionary.
        """
        if not self.selected:
            return {}
        selected_moves = [move for move in self._list_legal_moves() if _begins_at(move, self.selected)]
        return {move.target: "target" for move in selected_moves if move.target is not None}

    def _list_legal_moves(self) -> list[MoveFacts]:
        """Return the text, origin and target of each legal move. If the match has ended, return no moves."""
        match = self.match
        if match.outcome is not None:
            return []
        return [match.game.describe_move(match.position, move) for move in match.moves()]

    def _reset_selection(self) -> None:
        """Remove the selection, and set the choices and the message for the present position.

        The choices are the actions without a place, such as a deal. The message is ``White to move``, or the
        result if the match has ended. There are no choices then.
        """
        match = self.match
        self.selected = ""
        outcome = match.outcome
        if outcome is None:
            self.choices = list(match.actions())
            self.message = f"{match.game.side_to_move(match.position)} to move"
        else:
            self.choices = []
            self.message = f"{outcome.result}, {outcome.reason}"


def _list_move_texts(moves: list[MoveFacts], origin: str, target: str) -> list[str]:
    """Return the texts of the moves from the place `origin` to the place `target`, each text once."""
    matching_moves = [move for move in moves if _begins_at(move, origin) and _ends_at(move, target)]
    # `fromkeys` removes repeated texts and, unlike a set, keeps their order.
    return list(dict.fromkeys(move.move for move in matching_moves))


def _begins_at(move: MoveFacts, place: str) -> bool:
    """Return True if a move begins at `place`, or at the square that contains it."""
    return move.origin is not None and _is_in_square(place, move.origin)


def _ends_at(move: MoveFacts, place: str) -> bool:
    """Return True if a move ends at `place`, or at the square that contains it."""
    return move.target is not None and _is_in_square(place, move.target)


def _is_in_square(place: str, square: str) -> bool:
    """Return True if a place of the board is `square`, or a part of it: ``f4.2`` is a part of ``f4``."""
    return place == square or place.startswith(f"{square}.")
