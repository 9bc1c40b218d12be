"""Measure two threads beside one in jobs over files: JSON lines, and games as PGN.

    python -m bench.file_threads [--rows N] [--games N] [--turns N]

Each job runs in a process of its own, pinned to two cores where the system allows it. One thread and two
take turns, and a figure is the median of the turns. `cores` is the processor time divided by the time on the
clock. Even with one thread, reading and writing have threads of their own, so one thread uses more than one
core: if it uses C of two cores, two threads can be at most 2 / C times as fast. The table shows this bound.
The figures are only valid on a machine with two idle cores. The exit status is 0 if every requirement is met,
else 1.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from bench.bulk import chess_column
from bench.record_corpus import make_corpus
from bench.report import format_table

ROWS: Final = 3_000_000
GAMES: Final = 100_000
TURNS: Final = 5
CORES: Final = 2
MIN_JSON_SPEEDUP: Final = 1.6
MIN_PGN_CORES: Final = 1.8
MAX_PGN_COST: Final = 1.1
"""Maximum ratio of the processor time of two threads to that of one."""
_RUN: Final = """
import sys, time
from forsyth.bulk import RunOptions, run_files, scan_files
from forsyth.bulk.jobs.run_records import run_records
verb, source, target, threads = sys.argv[1:]
options = RunOptions(threads=int(threads))
begin, begin_cpu = time.perf_counter(), time.process_time()
if verb == "positions":
    run_records(verb, source, target, run_options=options, game="chess")
elif target == "none":
    scan_files(source, game="chess", run_options=options)
else:
    run_files(verb, source, target, game="chess", run_options=options)
print(time.perf_counter() - begin, time.process_time() - begin_cpu)
"""
"""Program that runs a job, and prints its time on the clock and its processor time."""


class Figures(NamedTuple):
    """The seconds of a job: on the clock and of the processor."""

    clock: float
    processor: float

    @property
    def cores(self) -> float:
        """Number of cores that were busy on average."""
        return self.processor / self.clock


def write_json_lines(path: Path, rows: int) -> None:
    """Write a file of positions with four more columns."""
    with path.open("w", encoding="utf-8") as file:
        for number, text in enumerate(chess_column(rows).to_pylist()):
            row: dict[str, Any] = {"id": number, "fen": text, "elo": 1200 + number % 1500}
            row |= {"source": f"file {number % 97}", "eval": (number % 400 - 200) / 100}
            file.write(json.dumps(row) + "\n")


def run_job(verb: str, source: Path, target: str, threads: int) -> Figures:
    """Run a job in a process of its own on two cores, and return its figures."""
    command = [sys.executable, "-c", _RUN, verb, str(source), target, str(threads)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return Figures(*map(float, answer.split()))


def measure_job(verb: str, source: Path, target: str, turns: int) -> tuple[Figures, Figures]:
    """Return the figures of a job with one thread and with two, each the medians of some turns."""
    figures: tuple[list[Figures], list[Figures]] = ([], [])
    for _ in range(turns):
        for threads, thread_figures in enumerate(figures, 1):
            thread_figures.append(run_job(verb, source, target, threads))
    one, two = (Figures(*map(statistics.median, zip(*each, strict=True))) for each in figures)
    return one, two


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print. Return 0 if every requirement is met, else 1."""
    parser = argparse.ArgumentParser(prog="python -m bench.file_threads", description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS, help=f"Rows of JSON lines (default: {ROWS:,}).")
    parser.add_argument("--games", type=int, default=GAMES, help=f"Games of PGN (default: {GAMES:,}).")
    parser.add_argument("--turns", type=int, default=TURNS, help=f"Number of turns (default: {TURNS}).")
    options = parser.parse_args(arguments)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    titles = ("job", "one thread", "cores", "two threads", "cores", "ratio", "bound", "processor", "verdict")
    lines: list[Sequence[str]] = [titles]
    is_all_met = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_json_lines(folder / "in.jsonl", options.rows)
        (folder / "in.pgn").write_bytes(make_corpus(options.games))
        jobs = [
            ("scan", "in.jsonl", "none"),
            ("scan", "in.jsonl", "out.parquet"),
            ("normalise", "in.jsonl", "out.jsonl"),
            ("positions", "in.pgn", "out.parquet"),
        ]
        for verb, source, target in jobs:
            target_path = target if target == "none" else str(folder / target)
            one, two = measure_job(verb, folder / source, target_path, options.turns)
            ratio, cost = one.clock / two.clock, two.processor / one.processor
            if verb == "positions":
                is_met = two.cores >= MIN_PGN_CORES and cost <= MAX_PGN_COST
            else:
                is_met = ratio >= MIN_JSON_SPEEDUP
            is_all_met = is_all_met and is_met
            clocks = (f"{one.clock:.2f} s", f"{one.cores:.2f}", f"{two.clock:.2f} s", f"{two.cores:.2f}")
            ratios = (f"{ratio:.2f}×", f"≤ {CORES / one.cores:.2f}×", f"{cost:.2f}×")
            lines.append((f"{verb} {source} → {target}", *clocks, *ratios, "kept" if is_met else "MISSED"))
    print(format_table(lines, {0, 8}))
    return 0 if is_all_met else 1


if __name__ == "__main__":
    raise SystemExit(main())
