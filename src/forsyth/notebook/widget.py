"""A board for notebooks on which moves are played by clicks (a widget of anywidget).

Input: the name of a game or a match, and optionally a position to start from. The traits `fen` and `moves`
are synchronised with the page and can be set: a text starts a new match from that position, and a list of
moves is played from the start. `position` and `match` are Python values. If a text cannot be read or a move
is not legal, an error is raised and the board stays unchanged.

The extra ``notebook`` is required.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from forsyth.arguments import require_integer
from forsyth.draw.svg import MAX_SIZE, MIN_SIZE
from forsyth.game import Game
from forsyth.match import Match, Ply
from forsyth.notebook.play import ClickableMatch

try:
    import anywidget
    import traitlets
except ModuleNotFoundError as error:
    message = (
        "the notebook board needs the package anywidget; install it with: pip install 'forsyth[notebook]'"
    )
    raise ModuleNotFoundError(message, name=error.name) from error

_FOLDER: Final = Path(__file__).parent
_DEFAULT_SIZE: Final = 400
"""Default width of the board in pixels."""


class Board(anywidget.AnyWidget):  # type: ignore[misc]
    """A board on which clicks play legal moves."""

    _esm = _FOLDER / "board.js"
    _css = _FOLDER / "board.css"
    fen = traitlets.Unicode().tag(sync=True)
    moves = traitlets.List(traitlets.Unicode()).tag(sync=True)
    svg = traitlets.Unicode().tag(sync=True)
    choices = traitlets.List(traitlets.Unicode()).tag(sync=True)
    message = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        game: Game | str | Match[Any, Any] = "chess",
        position: Any = None,
        *,
        size: int = _DEFAULT_SIZE,
        flip: bool = False,
        **widget_options: Any,
    ) -> None:
        """Create a board on which moves can be played.

        Args:
            game: A game, its name, or a match to continue. The match is copied.
            position: The position to start from, or None for the start of the game. It is ignored if `game`
                is a match.
            size: Width of the board in pixels.
            flip: Whether to show the board from the other side.
            **widget_options: Passed to `anywidget.AnyWidget`.
        """
        self._size = require_integer("the size", size, MIN_SIZE, MAX_SIZE)
        self._flip = flip
        match: Match[Any, Any] = game.copy() if isinstance(game, Match) else Match(game, position)
        self._clickable_match = ClickableMatch(match)
        self._callbacks: list[Callable[[Ply[Any, Any]], object]] = []
        self._is_updating = False
        super().__init__(**widget_options)
        self._update_traits()
        self.observe(self._handle_fen_change, "fen")
        self.observe(self._handle_moves_change, "moves")
        self.on_msg(self._handle_page_message)

    @property
    def match(self) -> Match[Any, Any]:
        """A copy of the match on the board."""
        return self._clickable_match.match.copy()

    @property
    def position(self) -> Any:
        """The current position. Setting it starts a new match."""
        return self._clickable_match.match.position

    @position.setter
    def position(self, position: Any) -> None:
        self._start_match(Match(self._clickable_match.match.game, position))

    def on_move(self, callback: Callable[[Ply[Any, Any]], object]) -> None:
        """Register a function that is called after each move played on the page, with its `Ply`.

        A `Ply` has the text of the move and the positions before and after it.
        """
        self._callbacks.append(callback)

    def play(self, move: str) -> None:
        """Play a move, such as ``e4``. Raise `MoveError` if it is not legal."""
        # The match on the board stays unchanged if the move is not legal.
        match_copy = self.match
        match_copy.play(move)
        self._start_match(match_copy)

    def undo(self) -> None:
        """Undo the last move. Do nothing if no move was played."""
        self._clickable_match.undo()
        self._update_traits()

    def _handle_fen_change(self, change: Any) -> None:
        """Start a new match from the position text that was assigned to the trait `fen`.

        `change` is the event of traitlets, with the text in ``change["new"]``. Changes by the board itself
        are ignored.
        """
        new_text = change["new"]
        if self._is_updating or new_text == str(self.position):
            return
        game = self._clickable_match.match.game
        self._replace_match(lambda: Match(game, new_text))

    def _handle_moves_change(self, change: Any) -> None:
        """Start a new match with the moves that were assigned to the trait `moves`.

        `change` is the event of traitlets, with the texts of the moves in ``change["new"]``. Changes by the
        board itself are ignored.
        """
        if self._is_updating:
            return
        new_moves = change["new"]
        self._replace_match(lambda: self._replay_moves(new_moves))

    def _replay_moves(self, moves: list[str]) -> Match[Any, Any]:
        """Return a new match with the given moves, such as ``["e4", "e5"]``.

        The new match has the game and the start of the present match. Raise `MoveError` if a move is not
        legal.
        """
        present_match = self._clickable_match.match
        new_match = Match(present_match.game, present_match.start)
        for move in moves:
            new_match.play(move)
        return new_match

    def _replace_match(self, make_match: Callable[[], Match[Any, Any]]) -> None:
        """Show the match that `make_match` returns on the board.

        If `make_match` raises `ValueError`, for example because a move is not legal, set the traits back to
        the present match and raise the error again.
        """
        try:
            match = make_match()
        except ValueError:
            self._update_traits()
            raise
        self._start_match(match)

    def _start_match(self, match: Match[Any, Any]) -> None:
        """Show `match` on the board in place of the present match, with no piece selected."""
        self._clickable_match = ClickableMatch(match)
        self._update_traits()

    def _handle_page_message(self, _widget: Any, page_message: Any, _buffers: Any) -> None:
        """Handle a message of the page, such as ``{"click": "e4"}``. Ignore a message that is not valid.

        If a move was played, call the functions that `on_move` registered. The page sees the changed traits.
        """
        if not isinstance(page_message, dict):
            return
        ply_count_before = len(self._clickable_match.match)
        self._apply_page_message(page_message)
        self._update_traits()
        match = self._clickable_match.match
        has_played = len(match) > ply_count_before
        if has_played:
            played_ply = match.history[-1]
            # A copy, because a callback may register further callbacks.
            for callback in tuple(self._callbacks):
                callback(played_ply)

    def _apply_page_message(self, page_message: dict[str, Any]) -> None:
        """Do what a message of the page requests: click a place, play an offered move, or undo a move.

        The message is ``{"click": "e4"}``, ``{"play": "e8=Q"}`` or ``{"undo": True}``. Any other message is
        ignored.
        """
        clickable_match = self._clickable_match
        clicked_place = page_message.get("click")
        move_text = page_message.get("play")
        if isinstance(clicked_place, str):
            clickable_match.click(clicked_place)
        elif isinstance(move_text, str) and move_text in clickable_match.choices:
            clickable_match.play(move_text)
        elif page_message.get("undo") is True:
            clickable_match.undo()

    def _update_traits(self) -> None:
        """Copy the position, moves, picture, choices and message of the match to the traits.

        The page shows the traits. While they are set, `_is_updating` is true, so that the board ignores the
        events of its own changes.
        """
        clickable_match = self._clickable_match
        match = clickable_match.match
        self._is_updating = True
        try:
            with self.hold_sync():
                self.fen = str(match.position)
                self.moves = [ply.text for ply in match]
                self.svg = clickable_match.draw_picture(self._size, flip=self._flip)
                self.choices = list(clickable_match.choices)
                self.message = clickable_match.message
        finally:
            self._is_updating = False
