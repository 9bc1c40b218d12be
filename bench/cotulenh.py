"""Measure CoTuLenh, compiled and pure, against the figures of the public TypeScript engine.

How is said in `bench.builds`. Each line compares with the faster end of the engine's range.
"""

from __future__ import annotations

import gzip
import json
import statistics
import sys
from collections.abc import Sequence
from typing import Any, Final

from bench.builds import ROOT, Requirement, Size, Suite, pace, timed
from forsyth.cotulenh import GAME
from forsyth.games.cotulenh.notation.san import write_moves

CORPUS: Final = ROOT / "tests" / "golden" / "cotulenh" / "legal_moves.jsonl.gz"
PERFT: Final = "perft"
NODES: Final = {2: 13_460, 3: 1_578_799}
"""From the start position (spec/cotulenh 19)."""

REQUIREMENTS: Final = (
    Requirement("read a text", "read", 4_000, 250, 15),
    Requirement("write a text", "write", 195_000, 5, 0.5),
    Requirement("legal moves, with SAN", "san", 130, 150, 5),
    Requirement("legal moves, bare", "moves", 157, 500, 8),
    Requirement("make + undo of one move", "play", 120, 2_000, 50),
    Requirement("perft, start position", PERFT, 5_200, 500, 5),
)


def corpus(count: int) -> list[str]:
    """Texts of positions from play, evenly from the golden file, none amid a deployment."""
    with gzip.open(CORPUS, "rt", encoding="utf-8") as lines:
        # Positions of real games: scattered men check and threaten each other as no game does.
        rows = [row["fen"] for row in map(json.loads, lines) if row["src"] == "play"]
    return rows[:: max(1, len(rows) // count)][:count]


def _parsed(texts: Sequence[str]) -> list[Any]:
    return [GAME.parse(text, legality=False) for text in texts]


def _with_moves(texts: Sequence[str]) -> list[Any]:
    """Positions with one of their moves, from the middle of the list; undo is keeping the position."""
    pairs = ((position, GAME.moves(position)) for position in _parsed(texts))
    return [(position, moves[len(moves) // 2]) for position, moves in pairs if moves]


def _read(items: Sequence[Any]) -> None:
    read = GAME.parse
    for text in items:
        read(text, legality=False)


def _write(items: Sequence[Any]) -> None:
    write = GAME.write
    for position in items:
        write(position)


def _san(items: Sequence[Any]) -> None:
    rules = GAME.rules
    for position in items:
        for _ in write_moves(position, rules):
            pass


def _moves(items: Sequence[Any]) -> None:
    moves = GAME.moves
    for position in items:
        moves(position)


def _play(items: Sequence[Any]) -> None:
    play = GAME.play
    for position, move in items:
        play(position, move)


def _perft(size: Size, build: str) -> dict[str, float]:
    depth, passes = (3, min(size.passes, 3)) if build == "compiled" else (2, size.passes)
    start = GAME.parse(GAME.start)
    counted = GAME.perft(start, depth)
    if counted != NODES[depth]:
        raise ValueError(f"perft({depth}) is {counted}, not {NODES[depth]}")
    spent = statistics.median(timed(lambda: GAME.perft(start, depth)) for _ in range(passes))
    return {PERFT: NODES[depth] / spent * pace()}


SUITE: Final = Suite(
    "cotulenh",
    "CoTuLenh",
    "TypeScript",
    REQUIREMENTS,
    corpus,
    {
        "read": (list, _read),
        "write": (_parsed, _write),
        "san": (_parsed, _san),
        "moves": (_parsed, _moves),
        "play": (_with_moves, _play),
    },
    _perft,
)

if __name__ == "__main__":
    sys.exit(SUITE.main())
