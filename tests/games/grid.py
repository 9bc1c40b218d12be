"""What the tests of the games of the kit share: their golden rows, and positions found by chance."""

from __future__ import annotations

import gzip
import json
import random
from functools import cache
from pathlib import Path
from typing import Any

from forsyth.games.shogi import GAME as SHOGI
from forsyth.games.xiangqi import GAME as XIANGQI
from forsyth.kit.game import GridGame
from forsyth.kit.position import GridPosition

GOLDEN = Path(__file__).parents[1] / "golden"
GAMES: tuple[GridGame, ...] = (XIANGQI, SHOGI)
Row = dict[str, Any]


@cache
def golden(game: GridGame, name: str) -> tuple[Row, ...]:
    """The rows of one golden file of a game."""
    path = GOLDEN / game.name / name
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text("utf-8")
    return tuple(json.loads(line) for line in text.splitlines())


def text_of(row: Row) -> str:
    """The position text of a row."""
    return str(row["fen"] if "fen" in row else row["sfen"])


@cache
def random_positions(game: GridGame, count: int, seed: int) -> tuple[GridPosition, ...]:
    """Positions of games in which every move is chosen by chance, drops less often than others."""
    rng = random.Random(seed)
    found: list[GridPosition] = []
    position = game.new_game()
    while len(found) < count:
        moves = position.moves()
        if not moves or position.full > 200:
            position = game.new_game()
            continue
        moved = [move for move in moves if not move.drops]
        position = position.play(rng.choice(moved if moved and rng.random() < 0.7 else moves))
        found.append(position)
    return tuple(found)


def turned(position: GridPosition) -> GridPosition:
    """The board turned by half with the sides exchanged."""
    game = position.game
    kinds = len(game.sheet.kinds)
    board = bytes(man and (man + kinds if man <= kinds else man - kinds) for man in position.board[::-1])
    hands = position.hands[kinds:] + position.hands[:kinds]
    return game.position(board, hands, 1 - position.turn, position.half, position.full)
