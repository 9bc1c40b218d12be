"""A game that is a sheet alone: it keeps the contract of every game and has another engine's moves."""

from __future__ import annotations

import re
from pathlib import Path

import examples.minishogi
import pyffish
from examples.minishogi import GAME
from tests.games.grid import random_positions

from forsyth import draw
from forsyth.kit.position import GridPosition
from forsyth.testing import conform

_SQUARE = re.compile("[a-e][1-5]")


def fairy_text(position: GridPosition) -> str:
    """The text of a position as Fairy-Stockfish writes it: hands behind the board, w for the first side."""
    board, side, hands, number = str(position).split()
    held = re.sub("([0-9]+)(.)", lambda found: found[2] * int(found[1]), hands).replace("-", "")
    return f"{board}[{held}] {'wb'[side == 'w']} 0 {number}"


def usi_of(move: str) -> str:
    """A move of Fairy-Stockfish, whose files are letters and whose ranks count from below."""

    def square(found: re.Match[str]) -> str:
        file, rank = found[0][0], int(found[0][1])
        return f"{5 - 'abcde'.index(file)}{'edcba'[rank - 1]}"

    return _SQUARE.sub(square, move).replace("@", "*")


def fairy_moves(text: str) -> list[str]:
    """Fairy-Stockfish's legal moves; it judges a pawn that is dropped to give mate when it is played."""
    moves = pyffish.legal_moves("minishogi", text, [])
    return [
        move
        for move in moves
        if not move.startswith("P@")
        or not pyffish.gives_check("minishogi", text, [move])
        or pyffish.legal_moves("minishogi", text, [move])
    ]


def test_moves_are_those_of_another_engine() -> None:
    for position in random_positions(GAME, 400, 4):
        found = sorted(map(GAME.coordinates.write_move, position.moves()))
        assert found == sorted(map(usi_of, fairy_moves(fairy_text(position)))), str(position)


def test_it_keeps_the_contract() -> None:
    conform(GAME, [str(position) for position in random_positions(GAME, 400, 4)[::80]])


def test_it_is_short() -> None:
    assert len(Path(examples.minishogi.__file__).read_text(encoding="utf-8").splitlines()) < 50


def test_it_is_drawn() -> None:
    position = random_positions(GAME, 400, 4)[40]
    assert draw.svg(GAME.scene(position)).startswith("<svg")
    assert "Black to move" in draw.text(GAME.new_game())
