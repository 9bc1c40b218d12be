"""Fuzz the readers of moves of every game: a first line with a position, if there is one, then a move."""

from __future__ import annotations

from typing import Any

from tests.fuzz.harness import fuzz, require, text_of

import forsyth
from forsyth.diagnostics import MoveError
from forsyth.game import Game

LONGEST_MESSAGE = 4000
STARTS = {name: forsyth.game(name).parse(forsyth.game(name).start) for name in ("chess", "cotulenh", "azul")}


def check(data: bytes) -> None:
    """Read a move in every game, from the start and from the position of the first line."""
    text = text_of(data)
    first, _, rest = text.partition("\n")
    for name, start in STARTS.items():
        game = forsyth.game(name)
        _require_move(game, start, text)
        position = game.read(first).position
        if position is not None:
            _require_move(game, position, rest)


def _require_move(game: Game, position: Any, text: str) -> None:
    try:
        move = game.read_move(position, text)
    except MoveError as error:
        require(error.kind in ("invalid", "illegal", "ambiguous"), error.kind)
        require(error.text == text, text)
        require(len(str(error)) < LONGEST_MESSAGE, len(str(error)))
        return
    after = game.play(position, move)
    written = game.write_move(position, move)
    require(str(game.play(position, game.read_move(position, written))) == str(after), text, written)
    require(game.unpack(game.pack(after)) == after, str(position), text)


if __name__ == "__main__":
    fuzz(check)
