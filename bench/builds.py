"""Measure one game, compiled and pure, against the figures of a program that cannot run here.

The figures of that program are those of the specification. Measured rates are scaled to the speed of the
machine on which these figures were taken; python-chess shows the difference in speed. Each build runs in a
process of its own. A figure is the median process time of several passes. The exit status is 0 if every ratio
is reached, else 1.
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
from bench.measure import without_gc
from bench.report import format_table

ROOT: Final = Path(__file__).parents[1]
SPEED_CORPUS: Final = ROOT / "tests" / "golden" / "chess" / "bench_10k.tsv.gz"
MIN_PASS_SECONDS: Final = 0.05
"""A pass that is shorter goes over the corpus several times."""
SCALE_TEXTS: Final = 150
"""Texts that python-chess reads to measure the speed of this machine."""
SPEC_SECONDS_PER_TEXT: Final = 49e-6
"""Time in which python-chess read one text on the machine of the specification."""
BUILDS: Final = ("compiled", "pure")

Prepare = Callable[[Sequence[str]], list[Any]]
Run = Callable[[Sequence[Any]], None]


@dataclass(frozen=True, slots=True)
class Requirement:
    """Required rate of an operation, as a ratio to the rate of the other program.

    `peer` is the rate of that program per second, `compiled` and `pure` are the ratios that the builds must
    reach. A ratio of 0 means that nothing is required of that build.
    """

    title: str
    operation: str
    peer: float
    compiled: float
    pure: float

    def ratio(self, build: str) -> float:
        """Return the ratio that a build must reach."""
        return self.compiled if build == "compiled" else self.pure


@dataclass(frozen=True, slots=True)
class Size:
    """Amount of work: number of positions, and number of passes over them."""

    positions: int
    passes: int


FULL: Final = Size(400, 7)
QUICK: Final = Size(100, 3)


def measure_seconds(call: Callable[[], object]) -> float:
    """Return the seconds of process time that a call takes."""
    with without_gc():
        begin = process_time()
        call()
        return process_time() - begin


def measure_slowdown() -> float:
    """Return how many times slower this machine is than the one on which the specification was measured.

    python-chess reads texts on both machines, so measured rates can be scaled to the machine of the
    specification.
    """
    with gzip.open(SPEED_CORPUS, "rt", encoding="utf-8") as lines:
        texts = [line.split("\t")[0] for _, line in zip(range(SCALE_TEXTS), lines, strict=False)]
    seconds = [measure_seconds(lambda: [chess.Board(text) for text in texts]) for _ in range(5)]
    return statistics.median(seconds) / SCALE_TEXTS / SPEC_SECONDS_PER_TEXT


# --- one game ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Suite:
    """Measurements of one game and their requirements.

    `peer` names the program to compare with. `corpus` returns a number of texts. `operations` maps the name
    of an operation to a function that prepares its items from texts and a function that runs over these
    items.
    """

    game: str
    title: str
    peer: str
    requirements: tuple[Requirement, ...]
    corpus: Callable[[int], list[str]]
    operations: Mapping[str, tuple[Prepare, Run]]
    measure_other: Callable[[Size, str], dict[str, float]] = lambda size, build: {}
    """Measures the rates of operations that need another method, and returns them by operation."""

    def measure_here(self, size: Size, build: str) -> dict[str, float]:
        """Measure every operation in this process, and return the rates per second by operation.

        Raise RuntimeError if this process does not run `build`.
        """
        modules = forsyth.build_info()["modules"]
        compiled = [is_compiled for name, is_compiled in modules.items() if f".{self.game}." in name]
        if not (all(compiled) if build == "compiled" else not any(compiled)):
            raise RuntimeError(
                f"expected the {build} build of {self.game}, but this process runs another one"
            )
        texts = self.corpus(size.positions)
        rates = {}
        for operation in self.operations:
            # The speed of the machine changes within a run, so it is measured around each operation.
            slowdown_before = measure_slowdown()
            rate = self._measure_rate(operation, texts, size.passes)
            rates[operation] = rate * (slowdown_before + measure_slowdown()) / 2
        return {**rates, **self.measure_other(size, build)}

    def _measure_rate(self, operation: str, texts: Sequence[str], passes: int) -> float:
        """Return the items per second of an operation. Every pass gets new items; a first pass is warm-up."""
        prepare, run = self.operations[operation]
        warm_up_items = prepare(texts)
        warm_up_seconds = measure_seconds(lambda: run(warm_up_items))
        rounds = min(100, math.ceil(MIN_PASS_SECONDS / max(warm_up_seconds, 1e-6)))
        rates = []
        for _ in range(passes):
            items = [item for _ in range(rounds) for item in prepare(texts)]
            seconds = measure_seconds(lambda items=items: run(items))  # type: ignore[misc]
            rates.append(len(items) / seconds)
        return statistics.median(rates)

    def measure_build(self, build: str, *, quick: bool) -> dict[str, float]:
        """Measure every operation in a process of its own. Return no rates if that process fails."""
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
        process = subprocess.run(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, encoding="utf-8", check=False
        )
        rates: dict[str, float] = json.loads(process.stdout) if process.returncode == 0 else {}
        return rates

    def judge(self, *, quick: bool) -> list[Verdict]:
        """Measure both builds and return the verdict on every requirement."""
        rates = {build: self.measure_build(build, quick=quick) for build in BUILDS}
        return [
            Verdict(requirement, build, rates[build].get(requirement.operation))
            for build in BUILDS
            for requirement in self.requirements
            if requirement.ratio(build)
        ]

    def format_ratios(self, verdicts: Sequence[Verdict]) -> str:
        """Return a table with one line per requirement: first the ratio, then the rates per second."""
        heads = (self.title, "build", "ratio", "required", "Forsyth /s", f"{self.peer} /s", "verdict")
        return format_table([heads, *map(_verdict_row, verdicts)], left={0, 1, 6})

    def main(self, arguments: list[str] | None = None) -> int:
        """Measure and print. Return 0 if every requirement is met, else 1."""
        parser = argparse.ArgumentParser(prog=f"python -m bench.{self.game}", description=__doc__)
        parser.add_argument("--quick", action="store_true", help="Measure fewer positions in fewer passes.")
        parser.add_argument("--json", action="store_true", help="Print JSON instead of a table.")
        parser.add_argument(
            "--build", choices=BUILDS, help="Measure this build in this process, and print its rates as JSON."
        )
        options = parser.parse_args(arguments)
        if options.build is not None:
            print(json.dumps(self.measure_here(QUICK if options.quick else FULL, options.build)))
            return 0
        verdicts = self.judge(quick=options.quick)
        print(json.dumps(to_json_data(verdicts), indent=2) if options.json else self.format_ratios(verdicts))
        return 0 if all(verdict.is_met for verdict in verdicts) else 1


# --- verdicts ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Verdict:
    """Verdict on one requirement for one build. `rate` is None if the build could not run."""

    requirement: Requirement
    build: str
    rate: float | None

    @property
    def ratio(self) -> float | None:
        """The measured rate divided by the rate of the other program, or None if nothing was measured."""
        return None if self.rate is None else self.rate / self.requirement.peer

    @property
    def is_met(self) -> bool:
        """True if the ratio was measured and is reached."""
        return self.ratio is not None and self.ratio >= self.requirement.ratio(self.build)


def _verdict_row(verdict: Verdict) -> tuple[str, ...]:
    """Return the cells of one verdict in the table."""
    requirement = verdict.requirement
    ratio = "–" if verdict.ratio is None else f"{verdict.ratio:,.{0 if verdict.ratio >= 100 else 2}f}×"
    rate = "–" if verdict.rate is None else f"{verdict.rate:,.0f}"
    required = f"≥ {requirement.ratio(verdict.build):,g}×"
    outcome = "not measured" if verdict.rate is None else "met" if verdict.is_met else "NOT MET"
    return requirement.title, verdict.build, ratio, required, rate, f"{requirement.peer:,.0f}", outcome


def to_json_data(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Return the verdicts as data for JSON."""
    return [
        {
            "operation": verdict.requirement.title,
            "build": verdict.build,
            "ratio": verdict.ratio,
            "required": verdict.requirement.ratio(verdict.build),
            "forsyth_per_second": verdict.rate,
            "peer_per_second": verdict.requirement.peer,
            "met": verdict.is_met,
        }
        for verdict in verdicts
    ]
