"""A board to click in a notebook, as a widget: what is clicked is played, and Python hears of it.

Accepts a game by name or a match, and a position to begin with. `fen` and `moves` are the same on both sides
and may be set: a text begins anew, a list of moves is played from the start. `position` and `match` are for
Python. What cannot be read or played raises an error and leaves the board as it was.
Needs the extra ``notebook``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from forsyth.arguments import whole_number
from forsyth.draw.svg import LARGEST, SMALLEST
from forsyth.game import Game
from forsyth.match import Match, Ply
from forsyth.notebook.play import Clicks

try:
    import anywidget
    import traitlets
except ModuleNotFoundError as missing:
    sentence = "a board to click needs anywidget: pip install 'forsyth[notebook]'"
    raise ModuleNotFoundError(sentence, name=missing.name) from missing

_HERE = Path(__file__).parent
_SIZE = 400


class Board(anywidget.AnyWidget):  # type: ignore[misc]
    """A board on which clicking plays legal moves."""

    _esm = _HERE / "board.js"
    _css = _HERE / "board.css"
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
        size: int = _SIZE,
        flip: bool = False,
        **more: Any,
    ) -> None:
        self._size = whole_number("the size", size, SMALLEST, LARGEST)
        self._flip = flip
        match: Match[Any, Any] = game.copy() if isinstance(game, Match) else Match(game, position)
        self._clicks = Clicks(match)
        self._callbacks: list[Callable[[Ply[Any, Any]], object]] = []
        self._showing = False
        super().__init__(**more)
        self._show()
        self.observe(self._fen_set, "fen")
        self.observe(self._moves_set, "moves")
        self.on_msg(self._heard)

    @property
    def match(self) -> Match[Any, Any]:
        """What was played so far, as a match of its own."""
        return self._clicks.match.copy()

    @property
    def position(self) -> Any:
        """The position now."""
        return self._clicks.match.position

    @position.setter
    def position(self, position: Any) -> None:
        self._begin(Match(self._clicks.match.game, position))

    def on_move(self, callback: Callable[[Ply[Any, Any]], object]) -> None:
        """Call something with each `Ply` that is played on the board, from now on."""
        self._callbacks.append(callback)

    def play(self, move: str) -> None:
        """Play a move; raises `MoveError`."""
        match = self.match
        match.play(move)
        self._begin(match)

    def undo(self) -> None:
        """Take the last move back, where there is one."""
        self._clicks.undo()
        self._show()

    def _fen_set(self, change: Any) -> None:
        if not self._showing and change["new"] != str(self.position):
            self._restore(lambda: Match(self._clicks.match.game, change["new"]))

    def _moves_set(self, change: Any) -> None:
        if not self._showing:
            self._restore(lambda: self._replayed(change["new"]))

    def _replayed(self, moves: list[str]) -> Match[Any, Any]:
        match = Match(self._clicks.match.game, self._clicks.match.start)
        for move in moves:
            match.play(move)
        return match

    def _restore(self, make: Callable[[], Match[Any, Any]]) -> None:
        """Begin with another match; where there is none, what is shown is what was before."""
        try:
            match = make()
        except ValueError:
            self._show()
            raise
        self._begin(match)

    def _begin(self, match: Match[Any, Any]) -> None:
        self._clicks = Clicks(match)
        self._show()

    def _heard(self, _: Any, message: Any, __: Any) -> None:
        """What the page says: a place that was clicked, a move that was chosen, or that one is taken back."""
        if not isinstance(message, dict):
            return
        before = len(self._clicks.match)
        if isinstance(square := message.get("click"), str):
            self._clicks.click(square)
        elif isinstance(text := message.get("play"), str) and text in self._clicks.choices:
            self._clicks.play(text)
        elif message.get("undo") is True:
            self._clicks.undo()
        self._show()
        if len(self._clicks.match) > before:
            ply = self._clicks.match.history[-1]
            for callback in tuple(self._callbacks):
                callback(ply)

    def _show(self) -> None:
        clicks = self._clicks
        self._showing = True
        try:
            with self.hold_sync():
                self.fen = str(clicks.match.position)
                self.moves = [ply.text for ply in clicks.match]
                self.svg = clicks.picture(self._size, flip=self._flip)
                self.choices = list(clicks.choices)
                self.message = clicks.message
        finally:
            self._showing = False
