"""Fuzz every installed game through the protocol: texts in every mode, packed bytes, moves and drawings."""

from __future__ import annotations

from typing import Any

from tests.fuzz.harness import fuzz, require, require_findings, require_reading, require_shown, text_of

import forsyth
from forsyth.diagnostics import MODES, FenError
from forsyth.game import Game

MOST_PLAYED = 3


def check(data: bytes) -> None:
    """Give the same bytes to every game, as text and as a packed position."""
    text = text_of(data)
    for name in forsyth.games():
        game = forsyth.game(name)
        _require_text(game, text)
        try:
            position = game.unpack(data)
        except ValueError:
            continue
        require(game.pack(position) == data, name, data.hex())


def _require_text(game: Game, text: str) -> None:
    for mode in MODES:
        reading = game.read(text, mode=mode)
        require_reading(reading)
        if reading.position is not None:
            _require_position(game, reading.position, text)
    require_shown(text, game.read(text).diagnostics)
    try:
        position = game.parse(text)
    except FenError as error:
        require_findings(text, error.diagnostics)
    else:
        _require_playable(game, position)


def _require_position(game: Game, position: Any, text: str) -> None:
    require_findings(text, game.check(position, text=text))
    require_findings(str(position), game.check(position))
    again = game.read(str(position)).position
    require(again is not None and str(again) == str(position), str(position))
    require(game.unpack(game.pack(position)) == position, str(position))
    require(len(game.key(position)) == 32, str(position))
    require(forsyth.draw.svg(game.scene(position)).startswith("<svg"), str(position))


def _require_playable(game: Game, position: Any) -> None:
    for move in game.moves(position)[:MOST_PLAYED]:
        written = game.write_move(position, move)
        require(game.read_move(position, written) == move, str(position), written)
        after = game.play(position, move)
        require(str(game.parse(str(after), legality=False)) == str(after), str(position), written)


if __name__ == "__main__":
    fuzz(check)
