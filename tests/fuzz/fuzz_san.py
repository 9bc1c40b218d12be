"""Fuzz the reader of moves: a first line with a position, if there is one, then the text of a move."""

from __future__ import annotations

from tests.fuzz.harness import fuzz, require, text_of
from tests.golden_data import CHESS

from forsyth.diagnostics import MoveError
from forsyth.games.chess import Position, read_uci_move

START = CHESS.parse(CHESS.start)


def check(data: bytes) -> None:
    """Read a move as SAN, strictly and not, and as UCI."""
    first, _, rest = text_of(data).partition("\n")
    position = CHESS.read(first, variant="auto").position
    if position is None:
        position, rest = START, text_of(data)
    _require_move(position, rest)


def _require_move(position: Position, text: str) -> None:
    legal = CHESS.moves(position)
    for strict in (False, True):
        try:
            move = CHESS.read_move(position, text, strict=strict)
        except MoveError as error:
            require(error.kind in ("invalid", "illegal", "ambiguous"), error.kind)
            require(error.text == text, text)
            require(len(str(error)) < 4000, len(str(error)))
            continue
        require(move in legal, str(position), text, move)
        written = CHESS.write_move(position, move)
        require(CHESS.read_move(position, written, strict=True) is move, str(position), written)
        require(written == text or not strict, text, written)
        after = CHESS.play(position, move)
        require(CHESS.unpack(after.packed) == after, str(position), text)
    try:
        require(read_uci_move(position, text) in legal, str(position), text)
    except MoveError as error:
        require(error.kind in ("invalid", "illegal"), error.kind)


if __name__ == "__main__":
    fuzz(check)
