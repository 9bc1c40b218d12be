"""The board class of the source document.

`Board.fen_setup` reads a text with Forsyth's own reader or, with ``profile="seed"``, exactly as the document
does (see `source_document`). Texts are written in canonical form. A board holds as many moves as a match.
"""

from __future__ import annotations

from typing import Final

from forsyth.arguments import quoted
from forsyth.diagnostics import MoveError
from forsyth.display import render_html
from forsyth.games.chess.documents.source_document import START, read_seed
from forsyth.games.chess.notation.fen import read_fen
from forsyth.games.chess.notation.san import read_san, write_san
from forsyth.games.chess.position import Position
from forsyth.games.chess.rules.moves import Move, legal_moves, play
from forsyth.limits import MAX_MOVES


class Board:
    """A chess board that is set up from a text and on which moves can be played and taken back.

    The position may be illegal (`forsyth.game("chess").check` reports that), but only legal moves can be
    played. A method that raises an error does not change the board.
    """

    __slots__ = ("_earlier_positions", "_position")

    def __init__(self) -> None:
        self._earlier_positions: list[Position] = []
        self._position = _START

    @property
    def position(self) -> Position:
        """The current position."""
        return self._position

    @property
    def fen(self) -> str:
        """The canonical text of the current position."""
        return str(self._position)

    @property
    def history(self) -> tuple[Position, ...]:
        """The positions since the set-up, the oldest first. The current position is not included."""
        return tuple(self._earlier_positions)

    def fen_setup(self, text: str | None = None, *, profile: str | None = None) -> None:
        """Set up the position of a text, and forget the moves played before.

        Args:
            text: The text of the position. None sets up the start position.
            profile: ``seed`` to read the text exactly as the source document does, or None for Forsyth's own
                reader.

        Raises:
            FenError: If the text cannot be read. Its `seed_message` is the message of the source document.
            ValueError: If `profile` is neither ``seed`` nor None.
        """
        if profile not in (None, "seed"):
            raise ValueError(f"there is no profile {quoted(profile)}, expected None or 'seed'")
        if profile == "seed":
            position = read_seed(text).require()
        else:
            position = read_fen(START if text is None else text).require()
        self._position = position
        self._earlier_positions.clear()

    def moves(self) -> list[str]:
        """Return the legal moves of the current position in SAN, such as ``Nf3``."""
        return [write_san(self._position, move) for move in legal_moves(self._position)]

    def play(self, text: str) -> Move:
        """Play the move that a text names, such as ``Nf3`` or ``g1f3``, and return it.

        Raise `MoveError` if the text does not name a legal move, or if MAX_MOVES moves were played already.
        """
        if len(self._earlier_positions) >= MAX_MOVES:
            raise MoveError(
                kind="illegal",
                text=text,
                message=f"the board already holds the maximum of {MAX_MOVES} moves; set up a new position",
            )
        move = read_san(self._position, text)
        next_position = play(self._position, move)
        self._earlier_positions.append(self._position)
        self._position = next_position
        return move

    def undo(self) -> bool:
        """Take back the last move. Return False if no move was played since the set-up."""
        if not self._earlier_positions:
            return False
        self._position = self._earlier_positions.pop()
        return True

    def __str__(self) -> str:
        return self.fen

    def __repr__(self) -> str:
        return f"<Board {self.fen!r}>"

    def _repr_html_(self) -> str:
        return render_html(self)


_START: Final = read_seed(None).require()
