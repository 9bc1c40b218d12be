"""Measure xiangqi and shogi, the games of the kit, compiled and pure, against the floors they must keep.

How is said in `bench.builds`. There is no rival: the floors are what a game made of data alone should reach.
"""

from __future__ import annotations

import gzip
import json
import statistics
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from bench.builds import ROOT, Requirement, Run, Size, Suite, pace, timed
from forsyth.games.shogi import GAME as SHOGI
from forsyth.games.xiangqi import GAME as XIANGQI
from forsyth.kit.game import GridGame

GAMES: Final = (XIANGQI, SHOGI)
NODES: Final = {"xiangqi": {3: 79_666, 4: 3_290_240}, "shogi": {3: 25_470, 4: 719_731}}
"""From the start position, by game and depth."""
COLUMNS: Final = {"xiangqi": "fen", "shogi": "sfen"}

REQUIREMENTS: Final = tuple(
    requirement
    for name in NODES
    for requirement in (
        Requirement(f"{name}: perft, start position", f"{name} perft", 250_000, 10, 1),
        Requirement(f"{name}: read + check", f"{name} check", 20_000, 1, 1),
        Requirement(f"{name}: legal moves", f"{name} moves", 1_000, 5, 1),
    )
)


def corpus(count: int) -> list[str]:
    """Names of the games: each operation takes as many texts of its game as it needs."""
    return [str(count)]


def texts_of(name: str, count: int) -> list[str]:
    """Texts of legal positions from play, evenly from the golden file."""
    path = ROOT / "tests" / "golden" / name / "legal_moves.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [row[COLUMNS[name]] for row in map(json.loads, lines) if row["src"] == "played"]
    return rows[:: max(1, len(rows) // count)][:count]


def _texts(name: str, counts: Sequence[str]) -> list[Any]:
    return texts_of(name, int(counts[0]))


def _positions(game: GridGame, counts: Sequence[str]) -> list[Any]:
    return [game.parse(text, legality=False) for text in _texts(game.name, counts)]


def _check(game: GridGame, items: Sequence[Any]) -> None:
    for text in items:
        position = game.read(text).position
        if position is None:
            raise ValueError(f"{text} is not sound")
        game.check(position, text=text)


def _moves(items: Sequence[Any]) -> None:
    for position in items:
        position.moves()


def _operations() -> dict[str, tuple[Callable[[Sequence[str]], list[Any]], Run]]:
    found: dict[str, tuple[Callable[[Sequence[str]], list[Any]], Run]] = {}
    for game in GAMES:
        found[f"{game.name} check"] = partial(_texts, game.name), partial(_check, game)
        found[f"{game.name} moves"] = partial(_positions, game), _moves
    return found


def _perft(size: Size, build: str) -> dict[str, float]:
    """Nodes per second from the start position; a wrong count is no count."""
    depth = 4 if build == "compiled" else 3
    rates = {}
    for game in GAMES:
        start, nodes = game.new_game(), NODES[game.name][depth]
        if game.perft(start, depth) != nodes:
            raise ValueError(f"perft {depth} of {game.name} is not {nodes}")
        spent = statistics.median(timed(lambda: game.perft(start, depth)) for _ in range(size.passes))  # noqa: B023
        rates[f"{game.name} perft"] = nodes / spent * pace()
    return rates


SUITE: Final = Suite("kit", "Games of the kit", "floor", REQUIREMENTS, corpus, _operations(), _perft)

if __name__ == "__main__":
    sys.exit(SUITE.main())
