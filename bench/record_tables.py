"""Measure tables of records: positions with keys into Parquet, beside a loop over python-chess.

The candidates read bytes in memory, in one process and on one thread (two for the line about two threads).
They take turns, and a figure is the median of the turns. The loop gets fewer games, because it takes a
hundred times as long. Memory is the peak of a process of its own that streams many games to a file, compared
with one that streams a tenth. The exit status is 0 if every requirement is met, else 1.
"""

from __future__ import annotations

import argparse
import io
import json
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import chess.pgn
import chess.polyglot
import pyarrow as pa
import pyarrow.parquet as pq

from bench.record_corpus import make_corpus
from forsyth.bulk import positions, run_records
from forsyth.bulk.jobs.run_files import RunOptions
from forsyth.bulk.sinks import open_sink

GAMES: Final = 200_000
QUICK_GAMES: Final = 4_000
SLOW_GAMES: Final = 300
MIN_SPEEDUP_PYTHON_CHESS: Final = 100
MIN_SPEEDUP_TWO_THREADS: Final = 1.7
MAX_MEMORY_GROWTH: Final = 1.2


def write_with_forsyth(data: bytes, target: Path, threads: int = 1) -> None:
    """Write positions with keys, moves, clocks, evaluations and results to a Parquet file."""
    rows = positions(data, forms=("key",), threads=threads)
    with open_sink(str(target), rows.schema) as sink:
        for batch in rows:
            sink.write_batch(batch)


def write_with_python_chess(data: bytes, target: Path) -> None:
    """Write the same columns with a loop over the games and moves of python-chess."""
    columns: dict[str, list[Any]] = {
        name: [] for name in ("game", "ply", "key", "move", "clock", "eval", "result")
    }
    source = io.StringIO(data.decode())
    number = 0
    while (game := chess.pgn.read_game(source)) is not None:
        number += 1
        _add_positions(columns, game, number)
    table = pa.table({**columns, "key": pa.array(columns["key"], pa.uint64())})
    pq.write_table(table, target, compression="zstd")


def _add_positions(columns: dict[str, list[Any]], game: chess.pgn.Game, number: int) -> None:
    """Append one row per position of a game to the columns. `number` is the number of the game."""
    board, node, ply = game.board(), game, 0
    while True:
        next_node = node.next()
        evaluation = node.eval()
        row = (
            number,
            ply,
            chess.polyglot.zobrist_hash(board),
            None if next_node is None else next_node.move.uci(),
            None if next_node is None else next_node.clock(),
            None if evaluation is None else evaluation.white().score(mate_score=1_000_000),
            game.headers["Result"],
        )
        for column, value in zip(columns.values(), row, strict=True):
            column.append(value)
        if next_node is None:
            return
        board.push(next_node.move)
        node, ply = next_node, ply + 1


def measure_seconds(call: Callable[[], None]) -> float:
    """Return the seconds that a call takes."""
    begin = perf_counter()
    call()
    return perf_counter() - begin


def peak_memory(games: int) -> int:
    """Return the peak memory of a new process that streams `games` games to a file, in kilobytes."""
    process = subprocess.run(
        [sys.executable, "-m", "bench.record_tables", "--peak", str(games)], capture_output=True, check=True
    )
    kilobytes: int = json.loads(process.stdout)
    return kilobytes


def stream_and_print(games: int) -> None:
    """Stream `games` games from file to file, and print the peak memory of this process in kilobytes."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "games.pgn")
        text = make_corpus(QUICK_GAMES)
        with source.open("wb") as file:
            for _ in range(max(1, games // QUICK_GAMES)):
                file.write(text)
        run_records(
            "positions",
            source,
            Path(folder, "out.parquet"),
            forms=("key",),
            run_options=RunOptions(threads=1),
        )
    print(json.dumps(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))


def main(arguments: list[str] | None = None) -> int:
    """Measure and print. Return 0 if every requirement is met, else 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="Measure fewer games. The ratios are less exact."
    )
    parser.add_argument("--turns", type=int, default=3, help="Number of turns (default: 3).")
    parser.add_argument(
        "--memory",
        type=int,
        metavar="GAMES",
        help="Also measure memory, with GAMES games and with a tenth of them.",
    )
    parser.add_argument("--peak", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.peak is not None:
        stream_and_print(options.peak)
        return 0
    games = QUICK_GAMES if options.quick else GAMES
    data, few_data = make_corpus(games), make_corpus(SLOW_GAMES)
    rates: dict[str, list[float]] = {"one thread": [], "two threads": [], "python-chess": []}
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "out.parquet")
        for _ in range(options.turns):
            rates["one thread"].append(games / measure_seconds(lambda: write_with_forsyth(data, target)))
            rates["two threads"].append(games / measure_seconds(lambda: write_with_forsyth(data, target, 2)))
            rates["python-chess"].append(
                SLOW_GAMES / measure_seconds(lambda: write_with_python_chess(few_data, target))
            )
    medians = {name: statistics.median(turn_rates) for name, turn_rates in rates.items()}
    for name, rate in medians.items():
        print(f"positions with keys to Parquet, {name}: {rate:,.0f} games/s")
    one_thread = medians["one thread"]
    verdicts = [
        _report_ratio("times python-chess", one_thread / medians["python-chess"], MIN_SPEEDUP_PYTHON_CHESS),
        _report_ratio("two threads, times one", medians["two threads"] / one_thread, MIN_SPEEDUP_TWO_THREADS),
    ]
    if options.memory is not None:
        ratio = peak_memory(options.memory) / peak_memory(options.memory // 10)
        title = f"memory at {options.memory:,} games, times a tenth"
        verdicts.append(_report_ratio(title, ratio, MAX_MEMORY_GROWTH, at_most=True))
    return 0 if all(verdicts) else 1


def _report_ratio(title: str, ratio: float, bound: float, *, at_most: bool = False) -> bool:
    """Print a ratio with its bound, and return True if the bound is kept."""
    is_kept = ratio <= bound if at_most else ratio >= bound
    required = f"{'at most' if at_most else 'at least'} {bound}"
    print(f"{title}: {ratio:.2f}, required {required}: {'kept' if is_kept else 'MISSED'}")
    return is_kept


if __name__ == "__main__":
    sys.exit(main())
