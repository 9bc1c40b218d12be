"""Measure CoTuLenh, compiled and pure, against the figures of the public TypeScript engine.

That engine cannot run here: its figures are those of the specification, measured on this kind of machine, and
each line compares with the faster end of its range. Each build runs in a process of its own; a figure is the
median of the process time of several passes. Exit status 0 when every ratio is reached, 1 when one is not.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any, Final

import chess

import forsyth
from bench.measure import no_collector
from bench.report import table
from forsyth.games.cotulenh import GAME
from forsyth.games.cotulenh.san import write_moves

ROOT: Final = Path(__file__).parents[1]
CORPUS: Final = ROOT / "tests" / "golden" / "cotulenh" / "legal_moves.jsonl.gz"
PACE: Final = ROOT / "tests" / "golden" / "chess" / "bench_10k.tsv.gz"
PERFT: Final = "perft"
NODES: Final = {2: 13_460, 3: 1_578_799}
"""From the start position (spec/cotulenh 19)."""
SHORTEST_PASS: Final = 0.05
"""Seconds: a shorter pass goes over the corpus several times."""
BUILDS: Final = ("compiled", "pure")


@dataclass(frozen=True, slots=True)
class Requirement:
    """How many times the other engine's best figure, per second, each build must reach."""

    title: str
    operation: str
    peer: float
    compiled: float
    pure: float

    def ratio(self, build: str) -> float:
        """The ratio that a build must reach."""
        return self.compiled if build == "compiled" else self.pure


REQUIREMENTS: Final = (
    Requirement("read a text", "read", 4_000, 250, 15),
    Requirement("write a text", "write", 195_000, 5, 0.5),
    Requirement("legal moves, with SAN", "san", 130, 150, 5),
    Requirement("legal moves, bare", "moves", 157, 500, 8),
    Requirement("make + undo of one move", "play", 120, 2_000, 50),
    Requirement("perft, start position", PERFT, 5_200, 500, 5),
)


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    positions: int
    passes: int


FULL: Final = Size(400, 7)
QUICK: Final = Size(100, 3)


# --- in the process of one build --------------------------------------------------------------------


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


Prepare = Callable[[Sequence[str]], list[Any]]
Run = Callable[[Sequence[Any]], None]

OPERATIONS: Final[dict[str, tuple[Prepare, Run]]] = {
    "read": (list, _read),
    "write": (_parsed, _write),
    "san": (_parsed, _san),
    "moves": (_parsed, _moves),
    "play": (_with_moves, _play),
}


def _timed(call: Callable[[], object]) -> float:
    with no_collector():
        begin = process_time()
        call()
        return process_time() - begin


def _rate(operation: str, texts: Sequence[str], passes: int) -> float:
    """Items per second; every pass gets fresh items, and the first pass is warm-up."""
    prepare, run = OPERATIONS[operation]
    first = prepare(texts)
    spent = _timed(lambda: run(first))
    rounds = min(100, math.ceil(SHORTEST_PASS / max(spent, 1e-6)))
    rates = []
    for _ in range(passes):
        items = [item for _ in range(rounds) for item in prepare(texts)]
        rates.append(len(items) / _timed(lambda items=items: run(items)))  # type: ignore[misc]
    return statistics.median(rates)


def _perft_rate(depth: int, passes: int) -> float:
    start = GAME.parse(GAME.start)
    counted = GAME.perft(start, depth)
    if counted != NODES[depth]:
        raise ValueError(f"perft({depth}) is {counted}, not {NODES[depth]}")
    return NODES[depth] / statistics.median(_timed(lambda: GAME.perft(start, depth)) for _ in range(passes))


def measure_here(size: Size, build: str) -> dict[str, float]:
    """Every operation per second, in this process, which must run the build that is named."""
    modules = forsyth.build_info()["modules"]
    compiled = [is_compiled for name, is_compiled in modules.items() if ".cotulenh." in name]
    if not (all(compiled) if build == "compiled" else not any(compiled)):
        raise RuntimeError(f"this process does not run the {build} build")
    texts = corpus(size.positions)
    rates = {}
    for operation in OPERATIONS:
        # The machine's pace changes within a run, so it is taken beside each operation.
        before = pace()
        rates[operation] = _rate(operation, texts, size.passes) * (before + pace()) / 2
    depth, passes = (3, min(size.passes, 3)) if build == "compiled" else (2, size.passes)
    return {**rates, PERFT: _perft_rate(depth, passes) * pace()}


def pace() -> float:
    """How much slower than in the specification this machine is: python-chess reads a text in 49 µs there.

    The other engine cannot be run here; its figures were taken beside that one, so ours are scaled to it.
    """
    with gzip.open(PACE, "rt", encoding="utf-8") as lines:
        texts = [line.split("\t")[0] for _, line in zip(range(150), lines, strict=False)]
    return (
        statistics.median(_timed(lambda: [chess.Board(text) for text in texts]) for _ in range(5))
        / 150
        / 49e-6
    )


# --- both builds ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Verdict:
    """One requirement on one build, and what was measured: nothing where the build could not run."""

    requirement: Requirement
    build: str
    rate: float | None

    @property
    def ratio(self) -> float | None:
        """Times the other engine's best figure."""
        return None if self.rate is None else self.rate / self.requirement.peer

    @property
    def met(self) -> bool:
        """Whether the ratio is reached; what could not be measured is not."""
        return self.ratio is not None and self.ratio >= self.requirement.ratio(self.build)


def measure_build(build: str, *, quick: bool) -> dict[str, float]:
    """Every operation per second in a process of its own; nothing when that process fails."""
    environment = {name: value for name, value in os.environ.items() if name != "FORSYTH_PURE"}
    if build == "pure":
        environment["FORSYTH_PURE"] = "1"
    command = [sys.executable, "-m", "bench.cotulenh", "--build", build, *(["--quick"] if quick else [])]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, encoding="utf-8", check=False
    )
    rates: dict[str, float] = json.loads(done.stdout) if done.returncode == 0 else {}
    return rates


def judge(*, quick: bool) -> list[Verdict]:
    """Every requirement on each build."""
    measured = {build: measure_build(build, quick=quick) for build in BUILDS}
    return [
        Verdict(requirement, build, measured[build].get(requirement.operation))
        for build in BUILDS
        for requirement in REQUIREMENTS
    ]


def ratio_table(verdicts: Sequence[Verdict]) -> str:
    """Every requirement on a line of its own: ratio first, figures per second after it."""
    heads = ("CoTuLenh", "build", "ratio", "required", "Forsyth /s", "TypeScript /s", "verdict")
    return table([heads, *map(_row, verdicts)], left={0, 1, 6})


def _row(verdict: Verdict) -> tuple[str, ...]:
    wanted = verdict.requirement
    ratio = "–" if verdict.ratio is None else f"{verdict.ratio:,.{0 if verdict.ratio >= 100 else 2}f}×"
    rate = "–" if verdict.rate is None else f"{verdict.rate:,.0f}"
    required = f"≥ {wanted.ratio(verdict.build):,g}×"
    met = "not measured" if verdict.rate is None else "met" if verdict.met else "NOT MET"
    return wanted.title, verdict.build, ratio, required, rate, f"{wanted.peer:,.0f}", met


def as_data(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """The verdicts, ready for JSON."""
    return [
        {
            "operation": verdict.requirement.title,
            "build": verdict.build,
            "ratio": verdict.ratio,
            "required": verdict.requirement.ratio(verdict.build),
            "forsyth_per_second": verdict.rate,
            "peer_per_second": verdict.requirement.peer,
            "met": verdict.met,
        }
        for verdict in verdicts
    ]


def main(arguments: list[str] | None = None) -> int:
    """Run, print, and answer with the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.cotulenh", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer positions, few passes")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--build", choices=BUILDS, help="measure one build in this process; prints figures")
    options = parser.parse_args(arguments)
    if options.build is not None:
        print(json.dumps(measure_here(QUICK if options.quick else FULL, options.build)))
        return 0
    verdicts = judge(quick=options.quick)
    print(json.dumps(as_data(verdicts), indent=2) if options.json else ratio_table(verdicts))
    return 0 if all(verdict.met for verdict in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
