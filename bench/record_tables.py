"""Measure tables of records: positions with keys into Parquet, beside a loop over python-chess.

One process, one thread each (and two for the line about two cores), the same bytes in memory; the candidates
take turns, a figure is the median of the turns. The loop gets fewer games, because it takes a hundred times
as long. Memory: the peak of a process of its own that streams many games to a file, beside one that streams a
tenth. Exit status 0 when every requirement is met, 1 when one is not.
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

from bench.record_corpus import corpus
from forsyth.bulk import positions, run_records
from forsyth.bulk.jobs.run_files import Way
from forsyth.bulk.sinks import open_sink

GAMES: Final = 200_000
QUICK_GAMES: Final = 4_000
SLOW_GAMES: Final = 300
TIMES_PYTHON_CHESS: Final = 100
TIMES_ONE_CORE: Final = 1.7
TIMES_MEMORY: Final = 1.2


def ours(data: bytes, target: Path, threads: int = 1) -> None:
    """Positions with keys, moves, clocks, evaluations and results into Parquet."""
    rows = positions(data, forms=("key",), threads=threads)
    with open_sink(str(target), rows.schema) as sink:
        for batch in rows:
            sink.write_batch(batch)


def python_chess(data: bytes, target: Path) -> None:
    """The same columns by a loop over games and moves."""
    columns: dict[str, list[Any]] = {
        name: [] for name in ("game", "ply", "key", "move", "clock", "eval", "result")
    }
    source = io.StringIO(data.decode())
    number = 0
    while (game := chess.pgn.read_game(source)) is not None:
        number += 1
        _add(columns, game, number)
    table = pa.table({**columns, "key": pa.array(columns["key"], pa.uint64())})
    pq.write_table(table, target, compression="zstd")


def _add(columns: dict[str, list[Any]], game: chess.pgn.Game, number: int) -> None:
    board, node, ply = game.board(), game, 0
    while True:
        after = node.next()
        said = node.eval()
        row = (
            number,
            ply,
            chess.polyglot.zobrist_hash(board),
            None if after is None else after.move.uci(),
            None if after is None else after.clock(),
            None if said is None else said.white().score(mate_score=1_000_000),
            game.headers["Result"],
        )
        for column, value in zip(columns.values(), row, strict=True):
            column.append(value)
        if after is None:
            return
        board.push(after.move)
        node, ply = after, ply + 1


def seconds(turn: Callable[[], None]) -> float:
    """How long one turn takes."""
    begin = perf_counter()
    turn()
    return perf_counter() - begin


def peak(games: int) -> int:
    """Peak memory of a process that streams so many games from a file to a file, in kilobytes."""
    found = subprocess.run(
        [sys.executable, "-m", "bench.record_tables", "--peak", str(games)], capture_output=True, check=True
    )
    number: int = json.loads(found.stdout)
    return number


def stream(games: int) -> None:
    """Stream games and print the peak of this process."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "games.pgn")
        text = corpus(QUICK_GAMES)
        with source.open("wb") as file:
            for _ in range(max(1, games // QUICK_GAMES)):
                file.write(text)
        run_records("positions", source, Path(folder, "out.parquet"), forms=("key",), way=Way(threads=1))
    print(json.dumps(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))


def main(arguments: list[str] | None = None) -> int:
    """Measure and say which requirements are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer games: the ratios are rougher")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument(
        "--memory", type=int, metavar="GAMES", help="measure memory too, at GAMES and a tenth"
    )
    parser.add_argument("--peak", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.peak is not None:
        stream(asked.peak)
        return 0
    games = QUICK_GAMES if asked.quick else GAMES
    data, few = corpus(games), corpus(SLOW_GAMES)
    rates: dict[str, list[float]] = {"one thread": [], "two threads": [], "python-chess": []}
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "out.parquet")
        for _ in range(asked.turns):
            rates["one thread"].append(games / seconds(lambda: ours(data, target)))
            rates["two threads"].append(games / seconds(lambda: ours(data, target, 2)))
            rates["python-chess"].append(SLOW_GAMES / seconds(lambda: python_chess(few, target)))
    found = {name: statistics.median(of_turns) for name, of_turns in rates.items()}
    for name, rate in found.items():
        print(f"positions with keys to Parquet, {name}: {rate:,.0f} games/s")
    kept = [
        _say("times python-chess", found["one thread"] / found["python-chess"], TIMES_PYTHON_CHESS),
        _say("two threads, times one", found["two threads"] / found["one thread"], TIMES_ONE_CORE),
    ]
    if asked.memory is not None:
        ratio = peak(asked.memory) / peak(asked.memory // 10)
        kept.append(_say(f"memory at {asked.memory:,} games, times a tenth", ratio, TIMES_MEMORY, most=True))
    return 0 if all(kept) else 1


def _say(what: str, ratio: float, bound: float, *, most: bool = False) -> bool:
    kept = ratio <= bound if most else ratio >= bound
    bounded = f"{'at most' if most else 'at least'} {bound}"
    print(f"{what}: {ratio:.2f}, promised {bounded}: {'kept' if kept else 'MISSED'}")
    return kept


if __name__ == "__main__":
    sys.exit(main())
