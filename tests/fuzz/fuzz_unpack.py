"""Fuzz the reader of packed positions: bytes are one position's only form, or refused with ValueError."""

from __future__ import annotations

from tests.fuzz.harness import fuzz, require, require_findings
from tests.golden_data import CHESS

from forsyth.games.chess import Position, read_binary, write_binary


def check(data: bytes) -> None:
    """Unpack bytes with and without the byte of the version."""
    try:
        position = CHESS.unpack(data)
    except ValueError:
        pass
    else:
        require(position.packed == data, data.hex(), str(position))
        _require_position(position)
    try:
        position = read_binary(data)
    except ValueError:
        return
    require(read_binary(write_binary(position)) == position, data.hex())
    _require_position(position)


def _require_position(position: Position) -> None:
    text = str(position)
    require_findings(text, CHESS.check(position))
    require(len(position.key) == 32, position.key)
    for move in CHESS.moves(position):
        # Not every packed position has a text that reads back: rights and squares may be anything.
        require(CHESS.play(position, move).packed[0] in (1, 2), text, move)


if __name__ == "__main__":
    fuzz(check)
