"""Fuzz the reader of UCI `position` lines: a line is followed whole or refused with one of two errors."""

from __future__ import annotations

from tests.fuzz.harness import fuzz, require, require_findings, text_of

from forsyth.diagnostics import FenError
from forsyth.games.chess import read_position_line
from forsyth.games.chess.notation.uci import PositionLineError, write_position_line
from forsyth.games.chess.rules.moves import play


def check(data: bytes) -> None:
    """Follow a line, as standard chess and as Chess960."""
    line = text_of(data)
    for chess960 in (False, True):
        try:
            found = read_position_line(line, chess960=chess960)
        except FenError as error:
            require(error.text == line, line)
            require_findings(line, error.diagnostics)
            continue
        except PositionLineError as error:
            require(error.index is None or 0 <= error.index < len(line.split()), error.index)
            continue
        position = found.start
        for move in found.moves:
            position = play(position, move)
        require(position == found.position, line)
        written = write_position_line(found.start, found.moves)
        require(read_position_line(written, chess960=chess960) == found, line, written)


if __name__ == "__main__":
    fuzz(check)
