"""Measure one game, compiled and pure, against the figures of a program that cannot run here.

Its figures are those of the specification, measured on this kind of machine; rates are scaled to that
machine's pace, told by python-chess. Each build runs in a process of its own; a figure is the median of the
process time of several passes. Exit status 0 when every ratio is reached, 1 when one is not.
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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any, Final

import chess

import forsyth
from bench.measure import no_collector
from bench.report import table

ROOT: Final = Path(__file__).parents[1]
PACE: Final = ROOT / "tests" / "golden" / "chess" / "bench_10k.tsv.gz"
SHORTEST_PASS: Final = 0.05
"""Seconds: a shorter pass goes over the corpus several times."""
BUILDS: Final = ("compiled", "pure")

Prepare = Callable[[Sequence[str]], list[Any]]
Run = Callable[[Sequence[Any]], None]


@dataclass(frozen=True, slots=True)
class Requirement:
    """How many times the other program's figure, per second, each build must reach; 0 where it need not."""

    title: str
    operation: str
    peer: float
    compiled: float
    pure: float

    def ratio(self, build: str) -> float:
        """The ratio that a build must reach."""
        return self.compiled if build == "compiled" else self.pure


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    positions: int
    passes: int


FULL: Final = Size(400, 7)
QUICK: Final = Size(100, 3)


def timed(call: Callable[[], object]) -> float:
    """Seconds of process time that a call takes."""
    with no_collector():
        begin = process_time()
        call()
        return process_time() - begin


def pace() -> float:
    """How much slower than in the specification this machine is: python-chess reads a text in 49 µs there.

    The other program cannot be run here; its figures were taken beside that one, so ours are scaled to it.
    """
    with gzip.open(PACE, "rt", encoding="utf-8") as lines:
        texts = [line.split("\t")[0] for _, line in zip(range(150), lines, strict=False)]
    return (
        statistics.median(timed(lambda: [chess.Board(text) for text in texts]) for _ in range(5))
        / 150
        / 49e-6
    )


# --- one game ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Suite:
    """What is measured of one game, and against whom."""

    game: str
    title: str
    peer: str
    requirements: tuple[Requirement, ...]
    corpus: Callable[[int], list[str]]
    operations: Mapping[str, tuple[Prepare, Run]]
    more: Callable[[Size, str], dict[str, float]] = lambda size, build: {}
    """Rates that are measured in another way, by operation."""

    def measure_here(self, size: Size, build: str) -> dict[str, float]:
        """Every operation per second, in this process, which must run the build that is named."""
        modules = forsyth.build_info()["modules"]
        compiled = [is_compiled for name, is_compiled in modules.items() if f".{self.game}." in name]
        if not (all(compiled) if build == "compiled" else not any(compiled)):
            raise RuntimeError(f"this process does not run the {build} build")
        texts = self.corpus(size.positions)
        rates = {}
        for operation in self.operations:
            # The machine's pace changes within a run, so it is taken beside each operation.
            before = pace()
            rates[operation] = self._rate(operation, texts, size.passes) * (before + pace()) / 2
        return {**rates, **self.more(size, build)}

    def _rate(self, operation: str, texts: Sequence[str], passes: int) -> float:
        """Items per second; every pass gets fresh items, and the first pass is warm-up."""
        prepare, run = self.operations[operation]
        first = prepare(texts)
        spent = timed(lambda: run(first))
        rounds = min(100, math.ceil(SHORTEST_PASS / max(spent, 1e-6)))
        rates = []
        for _ in range(passes):
            items = [item for _ in range(rounds) for item in prepare(texts)]
            rates.append(len(items) / timed(lambda items=items: run(items)))  # type: ignore[misc]
        return statistics.median(rates)

    def measure_build(self, build: str, *, quick: bool) -> dict[str, float]:
        """Every operation per second in a process of its own; nothing when that process fails."""
        environment = {name: value for name, value in os.environ.items() if name != "FORSYTH_PURE"}
        if build == "pure":
            environment["FORSYTH_PURE"] = "1"
        command = [
            sys.executable,
            "-m",
            f"bench.{self.game}",
            "--build",
            build,
            *(["--quick"] if quick else []),
        ]
        done = subprocess.run(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, encoding="utf-8", check=False
        )
        rates: dict[str, float] = json.loads(done.stdout) if done.returncode == 0 else {}
        return rates

    def judge(self, *, quick: bool) -> list[Verdict]:
        """Every requirement on each build."""
        measured = {build: self.measure_build(build, quick=quick) for build in BUILDS}
        return [
            Verdict(requirement, build, measured[build].get(requirement.operation))
            for build in BUILDS
            for requirement in self.requirements
            if requirement.ratio(build)
        ]

    def ratio_table(self, verdicts: Sequence[Verdict]) -> str:
        """Every requirement on a line of its own: ratio first, figures per second after it."""
        heads = (self.title, "build", "ratio", "required", "Forsyth /s", f"{self.peer} /s", "verdict")
        return table([heads, *map(_row, verdicts)], left={0, 1, 6})

    def main(self, arguments: list[str] | None = None) -> int:
        """Run, print, and answer with the exit status."""
        parser = argparse.ArgumentParser(prog=f"python -m bench.{self.game}", description=__doc__)
        parser.add_argument("--quick", action="store_true", help="fewer positions, few passes")
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
        parser.add_argument(
            "--build", choices=BUILDS, help="measure one build in this process; prints figures"
        )
        options = parser.parse_args(arguments)
        if options.build is not None:
            print(json.dumps(self.measure_here(QUICK if options.quick else FULL, options.build)))
            return 0
        verdicts = self.judge(quick=options.quick)
        print(json.dumps(as_data(verdicts), indent=2) if options.json else self.ratio_table(verdicts))
        return 0 if all(verdict.met for verdict in verdicts) else 1


# --- verdicts ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Verdict:
    """One requirement on one build, and what was measured: nothing where the build could not run."""

    requirement: Requirement
    build: str
    rate: float | None

    @property
    def ratio(self) -> float | None:
        """Times the other program's figure."""
        return None if self.rate is None else self.rate / self.requirement.peer

    @property
    def met(self) -> bool:
        """Whether the ratio is reached; what could not be measured is not."""
        return self.ratio is not None and self.ratio >= self.requirement.ratio(self.build)


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
