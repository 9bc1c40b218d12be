"""Measure CoTuLenh, compiled and pure, against the figures of the public TypeScript engine.

`bench.builds` describes the method. Each line compares with the faster end of the engine's range.
"""

from __future__ import annotations

import gzip
import json
import statistics
import sys
from collections.abc import Sequence
from typing import Any, Final

from bench.builds import ROOT, Requirement, Size, Suite, measure_seconds, measure_slowdown
from forsyth.cotulenh import GAME
from forsyth.games.cotulenh.notation.san import write_moves

CORPUS: Final = ROOT / "tests" / "golden" / "cotulenh" / "legal_moves.jsonl.gz"
PERFT: Final = "perft"
NODES: Final = {2: 13_460, 3: 1_578_799}
"""Nodes from the start position, by depth (spec/cotulenh 19)."""

REQUIREMENTS: Final = (
    Requirement("read a text", "read", 4_000, 250, 15),
    Requirement("write a text", "write", 195_000, 5, 0.5),
    Requirement("legal moves, with SAN", "san", 130, 150, 5),
    Requirement("legal moves, bare", "moves", 157, 500, 8),
    Requirement("make + undo of one move", "play", 120, 2_000, 50),
    Requirement("perft, start position", PERFT, 5_200, 500, 5),
)


def corpus(count: int) -> list[str]:
    """Return `count` texts of positions from games, spread evenly over the golden file.

    No position is in the middle of a deployment.
    """
    with gzip.open(CORPUS, "rt", encoding="utf-8") as lines:
        # In the other rows pieces are placed at random, and give more checks and threats than in any game.
        rows = [row["fen"] for row in map(json.loads, lines) if row["src"] == "play"]
    return rows[:: max(1, len(rows) // count)][:count]


def _parse_positions(texts: Sequence[str]) -> list[Any]:
    return [GAME.parse(text, legality=False) for text in texts]


def _positions_with_move(texts: Sequence[str]) -> list[Any]:
    """Return pairs of a position and the move in the middle of its list of moves.

    Playing a move returns a new position, so undo is keeping the old one.
    """
    pairs = ((position, GAME.moves(position)) for position in _parse_positions(texts))
    return [(position, moves[len(moves) // 2]) for position, moves in pairs if moves]


def _read_texts(items: Sequence[Any]) -> None:
    read = GAME.parse
    for text in items:
        read(text, legality=False)


def _write_positions(items: Sequence[Any]) -> None:
    write = GAME.write
    for position in items:
        write(position)


def _write_moves(items: Sequence[Any]) -> None:
    rules = GAME.rules
    for position in items:
        for _ in write_moves(position, rules):
            pass


def _list_moves(items: Sequence[Any]) -> None:
    moves = GAME.moves
    for position in items:
        moves(position)


def _play_moves(items: Sequence[Any]) -> None:
    play = GAME.play
    for position, move in items:
        play(position, move)


def _measure_perft(size: Size, build: str) -> dict[str, float]:
    """Return the nodes per second of perft. Raise ValueError if the number of nodes is wrong."""
    depth, passes = (3, min(size.passes, 3)) if build == "compiled" else (2, size.passes)
    start = GAME.parse(GAME.start)
    counted = GAME.perft(start, depth)
    if counted != NODES[depth]:
        raise ValueError(f"perft at depth {depth} counts {counted} nodes, expected {NODES[depth]}")
    seconds = statistics.median(measure_seconds(lambda: GAME.perft(start, depth)) for _ in range(passes))
    return {PERFT: NODES[depth] / seconds * measure_slowdown()}


SUITE: Final = Suite(
    "cotulenh",
    "CoTuLenh",
    "TypeScript",
    REQUIREMENTS,
    corpus,
    {
        "read": (list, _read_texts),
        "write": (_parse_positions, _write_positions),
        "san": (_parse_positions, _write_moves),
        "moves": (_parse_positions, _list_moves),
        "play": (_positions_with_move, _play_moves),
    },
    _measure_perft,
)

if __name__ == "__main__":
    sys.exit(SUITE.main())
