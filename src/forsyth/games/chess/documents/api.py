"""The board class of the source document, as a thin face.

A set-up reads a text as Forsyth does, or with ``profile="seed"`` as the document does, to the letter (see
`source_document`). Writing: canonical text. Limits: as many moves as a match.
"""

from __future__ import annotations

from typing import Final

from forsyth.arguments import quoted
from forsyth.diagnostics import MoveError
from forsyth.display import html_of
from forsyth.games.chess.documents.source_document import START, read_seed
from forsyth.games.chess.notation.fen import read_fen
from forsyth.games.chess.notation.san import read_san, write_san
from forsyth.games.chess.position import Position
from forsyth.games.chess.rules.moves import Move, legal_moves, play
from forsyth.limits import MAX_MOVES


class Board:
    """The document's board: set up from a text, or not changed at all.

    It holds any position that can be written, legal or not (`forsyth.game("chess").check` tells); moves
    are legal ones only.
    """

    __slots__ = ("_past", "_position")

    def __init__(self) -> None:
        self._past: list[Position] = []
        self._position = _START

    @property
    def position(self) -> Position:
        """The position now."""
        return self._position

    @property
    def fen(self) -> str:
        """The position now, as canonical text."""
        return str(self._position)

    @property
    def history(self) -> tuple[Position, ...]:
        """The positions since the set-up, oldest first, without the one now."""
        return tuple(self._past)

    def fen_setup(self, text: str | None = None, *, profile: str | None = None) -> None:
        """Set up the position of a text, or the start position if there is none.

        `profile` is None for Forsyth's own reader or ``seed`` for the document's, to the letter. Raises
        `FenError`, whose `seed_message` is the document's sentence; the board is then as it was.
        """
        if profile not in (None, "seed"):
            raise ValueError(f"there is no profile {quoted(profile)}, expected None or 'seed'")
        if profile == "seed":
            position = read_seed(text).require()
        else:
            position = read_fen(START if text is None else text).require()
        self._position = position
        self._past.clear()

    def moves(self) -> list[str]:
        """The legal moves, in SAN."""
        return [write_san(self._position, move) for move in legal_moves(self._position)]

    def play(self, text: str) -> Move:
        """Play a move given as text; raises `MoveError`, and the board is then as it was."""
        if len(self._past) >= MAX_MOVES:
            raise MoveError("illegal", text, f"a board holds at most {MAX_MOVES} moves")
        move = read_san(self._position, text)
        after = play(self._position, move)
        self._past.append(self._position)
        self._position = after
        return move

    def undo(self) -> bool:
        """Take the last move back; False if there is none."""
        if not self._past:
            return False
        self._position = self._past.pop()
        return True

    def __str__(self) -> str:
        return self.fen

    def __repr__(self) -> str:
        return f"<Board {self.fen!r}>"

    def _repr_html_(self) -> str:
        return html_of(self)


_START: Final = read_seed(None).require()
