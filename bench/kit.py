"""Measure xiangqi and shogi, the games of the kit, compiled and pure, against minimum rates.

`bench.builds` describes the method. There is no rival. The minimum rates are those that a game which is
defined by data should reach.
"""

from __future__ import annotations

import gzip
import json
import statistics
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from bench.builds import ROOT, Requirement, Run, Size, Suite, measure_seconds, measure_slowdown
from forsyth.games.shogi import GAME as SHOGI
from forsyth.games.xiangqi import GAME as XIANGQI
from forsyth.kit.game import GridGame

GAMES: Final = (XIANGQI, SHOGI)
NODES: Final = {"xiangqi": {3: 79_666, 4: 3_290_240}, "shogi": {3: 25_470, 4: 719_731}}
"""Nodes from the start position, by game and depth."""
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
    """Return the number of texts as the only item. Each operation loads that many texts of its own game."""
    return [str(count)]


def load_texts(name: str, count: int) -> list[str]:
    """Return `count` texts of legal positions of a game, spread evenly over its golden file."""
    path = ROOT / "tests" / "golden" / name / "legal_moves.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [row[COLUMNS[name]] for row in map(json.loads, lines) if row["src"] == "played"]
    return rows[:: max(1, len(rows) // count)][:count]


def _prepare_texts(name: str, counts: Sequence[str]) -> list[Any]:
    return load_texts(name, int(counts[0]))


def _prepare_positions(game: GridGame, counts: Sequence[str]) -> list[Any]:
    return [game.parse(text, legality=False) for text in _prepare_texts(game.name, counts)]


def _check_texts(game: GridGame, items: Sequence[Any]) -> None:
    """Read and check each text. Raise ValueError if a text cannot be read."""
    for text in items:
        position = game.read(text).position
        if position is None:
            raise ValueError(f"{text!r} cannot be read; the corpus may only contain valid texts")
        game.check(position, text=text)


def _list_moves(items: Sequence[Any]) -> None:
    for position in items:
        position.moves()


def _build_operations() -> dict[str, tuple[Callable[[Sequence[str]], list[Any]], Run]]:
    """Return the operations of all games by name, each as the functions that prepare and run it."""
    operations: dict[str, tuple[Callable[[Sequence[str]], list[Any]], Run]] = {}
    for game in GAMES:
        operations[f"{game.name} check"] = partial(_prepare_texts, game.name), partial(_check_texts, game)
        operations[f"{game.name} moves"] = partial(_prepare_positions, game), _list_moves
    return operations


def _measure_perft(size: Size, build: str) -> dict[str, float]:
    """Return the nodes per second of perft, by operation. Raise ValueError if a number of nodes is wrong."""
    depth = 4 if build == "compiled" else 3
    rates = {}
    for game in GAMES:
        start, nodes = game.new_game(), NODES[game.name][depth]
        counted = game.perft(start, depth)
        if counted != nodes:
            raise ValueError(
                f"perft of {game.name} at depth {depth} counts {counted} nodes, expected {nodes}"
            )
        call = partial(game.perft, start, depth)
        seconds = statistics.median(measure_seconds(call) for _ in range(size.passes))
        rates[f"{game.name} perft"] = nodes / seconds * measure_slowdown()
    return rates


SUITE: Final = Suite(
    "kit", "Games of the kit", "floor", REQUIREMENTS, corpus, _build_operations(), _measure_perft
)

if __name__ == "__main__":
    sys.exit(SUITE.main())
