"""Measure reading records into moves, boards and clocks, beside python-chess and a reader in Rust.

All candidates read the same bytes in memory, in one process and on one thread (two for the line about two
threads). The games are cut into blocks, and the candidates take turns on each block, so that other load on
the machine slows all of them alike. python-chess reads a few games of each block, because it takes a hundred
times as long. The reader in Rust (`rust_pgn_reader_python_binding`) reads an Arrow array of games; the time
to cut the bytes into games is not counted. Times of one thread are processor times. Memory is the peak of a
process of its own that streams many games through a kernel, compared with one that streams a tenth.

The same is measured for a file in which one game in twenty is unusual. Each kind of unusual game is compared
with a clean one in tables of games (`forsyth.bulk.games`). The exit status is 0 if every requirement is met,
else 1.
"""

from __future__ import annotations

import argparse
import io
import json
import resource
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from time import perf_counter, process_time
from typing import Any, Final

import chess.pgn
import pyarrow as pa

from bench.record_corpus import UNUSUAL_SHAPES, make_corpus, make_mixed_corpus, split_texts
from forsyth.bulk import games as read_games_table
from forsyth.record import read_records
from forsyth.record.kernels import next_border, record_kernel
from forsyth.record_bytes.columns import RecordKernel

GAMES: Final = 200_000
QUICK_GAMES: Final = 4_000
BLOCK_GAMES: Final = 2_000
"""Games that a candidate reads in a turn."""
SLOW_GAMES: Final = 10
"""Games of each block that python-chess reads."""
SINGLE_GAMES: Final = 200
"""Games of each block that are read one by one."""
KERNEL_PARTS: Final = ("boards", "clocks", "evals")
PEAK_GAMES: Final = (100_000, 1_000_000)
QUICK_PEAK_GAMES: Final = (4_000, 40_000)

PIECE_BYTES: Final = 1 << 20

RUST: Final = "rust_pgn_reader_python_binding"
PYTHON_CHESS: Final = "python-chess"
UNUSUAL_GAMES: Final = 1_000
"""Games of each unusual kind."""
ROUNDS: Final = 5


def make_kernel() -> RecordKernel:
    """Return a kernel whose columns are small enough to stay in the processor's caches."""
    kernel = record_kernel("chess", KERNEL_PARTS, games=1 << 9, plies=1 << 15)
    assert kernel is not None
    return kernel


def read_columns(kernel: RecordKernel, data: bytes) -> int:
    """Read moves, boards, clocks and evaluations of all games as columns. Return the number of moves."""
    start = plies = 0
    while (end := kernel.read(data, start)) > start:
        plies += kernel.plies
        start = end
    return plies


def read_single(text: str) -> int:
    """Read games one by one as records. Return the number of moves."""
    return sum(len(reading.record.line) for reading in read_records(text, "chess") if reading.record)


def read_with_python_chess(text: str) -> int:
    """Read games one by one as trees with python-chess. Return the number of moves."""
    source = io.StringIO(text)
    plies = 0
    while (game := chess.pgn.read_game(source)) is not None:
        plies += game.end().ply()
    return plies


def load_rust_reader() -> Callable[[pa.ChunkedArray], int] | None:
    """Return the reader in Rust on one thread, or None if it is not installed."""
    try:
        import rust_pgn_reader_python_binding as rust
    except ImportError:
        return None

    def read(games: pa.ChunkedArray) -> int:
        moves: int = rust.parse_games(games, num_threads=1).num_moves
        return moves

    return read


def split_games(data: bytes) -> list[bytes]:
    """Return the bytes of each game of a file."""
    games = []
    start = 0
    while (end := next_border(data, start)) > 0:
        games.append(data[start:end])
        start = end
    return [*games, data[start:]]


def measure_unusual() -> dict[str, float]:
    """Return how many times as long as a clean game each kind of unusual game takes, in a table of games.

    These are medians of the processor times of some rounds, in which all kinds take turns.
    """
    clean = split_texts(make_corpus(UNUSUAL_GAMES).decode())
    files = {name: "".join(map(change, clean)).encode() for name, change in UNUSUAL_SHAPES.items()}
    files = {"clean": "".join(clean).encode(), **files}
    times: dict[str, list[float]] = {name: [] for name in files}
    for _ in range(ROUNDS):
        for name, data in files.items():
            begin = process_time()
            read_games_table(data, game="chess", threads=1).read_all()
            times[name].append(process_time() - begin)
    medians = {name: median(rounds) for name, rounds in times.items()}
    return {name: seconds / medians["clean"] for name, seconds in medians.items() if name != "clean"}


def measure(data: bytes, *, is_clean: bool = True) -> dict[str, float]:
    """Return the median processor seconds for one game, by candidate.

    Exit with an error if the candidates count different numbers of moves. Of unusual games (`is_clean` is
    False) they may read different parts.
    """
    games = split_games(data)
    kernel, rust = make_kernel(), load_rust_reader()
    times: dict[str, list[float]] = {}
    for first in range(0, len(games), BLOCK_GAMES):
        block = games[first : first + BLOCK_GAMES]
        texts = [game.decode() for game in block]
        turns: list[tuple[str, int, Callable[[Any], int], Any]] = [
            ("columns", len(block), lambda joined: read_columns(kernel, joined), b"".join(block)),
            ("records", SINGLE_GAMES, read_single, "".join(texts[:SINGLE_GAMES])),
            (PYTHON_CHESS, SLOW_GAMES, read_with_python_chess, "".join(texts[:SLOW_GAMES])),
        ]
        if rust is not None:
            turns.append((RUST, len(block), rust, pa.chunked_array([pa.array(texts)])))
        move_counts = {}
        for name, count, read_games, argument in turns:
            begin = process_time()
            move_counts[name] = read_games(argument)
            times.setdefault(name, []).append((process_time() - begin) / min(count, len(block)))
        if is_clean and move_counts.get(RUST, move_counts["columns"]) != move_counts["columns"]:
            raise SystemExit(f"the readers count different numbers of moves in one block: {move_counts}")
    return {name: median(block_times) for name, block_times in times.items()}


def measure_speedup(data: bytes, turns: int = 5) -> float:
    """Return how many times faster two threads are than one: the best of `turns` turns.

    Each thread has its own kernel and half of the bytes.
    """
    half = next_border(data, len(data) // 2)
    parts = (data[:half], data[half:])
    kernels = (make_kernel(), make_kernel())
    ratios = []
    with ThreadPoolExecutor(2) as pool:
        for _ in range(turns):
            begin = perf_counter()
            for kernel, part in zip(kernels, parts, strict=True):
                read_columns(kernel, part)
            middle = perf_counter()
            list(pool.map(read_columns, kernels, parts))
            ratios.append((middle - begin) / (perf_counter() - middle))
    return max(ratios)


def peak_memory(games: int) -> int:
    """Return the peak memory of a new process that streams `games` games, in kilobytes."""
    process = subprocess.run(
        [sys.executable, "-m", "bench.records", "--peak", str(games)], capture_output=True, check=True
    )
    kilobytes: int = json.loads(process.stdout)
    return kilobytes


def stream_and_print(games: int) -> None:
    """Read `games` games in pieces, as from a file, and print the peak memory in kilobytes."""
    text = make_corpus(min(games, QUICK_GAMES), distinct=500)
    kernel = make_kernel()
    pending = b""
    for _ in range(max(1, games // QUICK_GAMES)):
        for piece_start in range(0, len(text), PIECE_BYTES):
            pending += text[piece_start : piece_start + PIECE_BYTES]
            start = 0
            while (end := kernel.read(pending, start, False)) > start:
                start = end
            pending = pending[start:]
    print(json.dumps(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))


def main(arguments: list[str] | None = None) -> int:
    """Measure and print. Return 0 if every requirement is met, else 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="Measure fewer games. The ratios are less exact."
    )
    parser.add_argument("--no-memory", action="store_true", help="Do not measure memory.")
    parser.add_argument("--peak", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.peak is not None:
        stream_and_print(options.peak)
        return 0
    game_count = QUICK_GAMES if options.quick else GAMES
    data = make_corpus(game_count)
    times = measure(data)
    mixed_times = measure(make_mixed_corpus(game_count), is_clean=False)
    for name, seconds in sorted(times.items(), key=lambda item: item[1]):
        print(f"{name}: {1 / seconds:,.0f} games/s")
    python_chess_seconds = times[PYTHON_CHESS]
    verdicts = [
        report_ratio("columns, times python-chess", python_chess_seconds / times["columns"], 60),
        report_ratio("records one by one, times python-chess", python_chess_seconds / times["records"], 10),
        report_ratio("columns, two threads, times one", measure_speedup(data), 1.7),
    ]
    mixed = "columns of a file with one unusual game in twenty"
    verdicts.append(
        report_ratio(f"{mixed}, times python-chess", mixed_times[PYTHON_CHESS] / mixed_times["columns"], 50)
    )
    for name, ratio in measure_unusual().items():
        verdicts.append(report_ratio(f"table of games with {name}, times clean", ratio, 3, at_most=True))
    if RUST in times:
        verdicts.append(
            report_ratio(f"{mixed}, times {RUST}", mixed_times[RUST] / mixed_times["columns"], 0.8)
        )
        verdicts.append(report_ratio(f"columns, times {RUST}", times[RUST] / times["columns"], 1))
    else:
        print(f"{RUST} is not installed")
        verdicts.append(False)
    if not options.no_memory:
        few, many = map(peak_memory, QUICK_PEAK_GAMES if options.quick else PEAK_GAMES)
        verdicts.append(
            report_ratio("memory of ten times as many games, times", many / few, 1.2, at_most=True)
        )
    return 0 if all(verdicts) else 1


def report_ratio(title: str, ratio: float, bound: float, *, at_most: bool = False) -> bool:
    """Print a ratio with its bound, and return True if the bound is kept.

    `at_most` is True if `bound` is an upper bound.
    """
    is_kept = ratio <= bound if at_most else ratio >= bound
    print(f"{title}: {ratio:.2f}, required {'at most' if at_most else 'at least'} {bound:g}: {is_kept}")
    return is_kept


if __name__ == "__main__":
    sys.exit(main())
