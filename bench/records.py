"""Measure records: from the bytes of games to moves, boards and clocks, beside python-chess and a reader in
Rust.

One process, one thread each (and two for the line about two cores), the same bytes in memory. The games are
cut into blocks; candidates take turns on each block, so that load on the machine hits all of them; what a
turn made is dropped. python-chess gets a few games of each block, because it takes a hundred times as long.
The reader in Rust (`rust_pgn_reader_python_binding`) takes an Arrow array of games: cutting the bytes into
games is not counted for it. Times of one thread are times of the processor. Memory: the peak of a process of
its own that streams many games through a kernel, beside one that streams a tenth. Exit status 0 when every
requirement is met, 1 when one is not.
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

from bench.record_corpus import corpus
from forsyth.record import read_records
from forsyth.record.kernels import next_border, record_kernel
from forsyth.record_bytes.columns import RecordKernel

GAMES: Final = 200_000
QUICK_GAMES: Final = 4_000
BLOCK: Final = 2_000
"""Games that a candidate reads in a turn."""
SLOW_GAMES: Final = 10
"""Games of each block that python-chess reads."""
SINGLE_GAMES: Final = 200
"""Games of each block that are read one by one."""
WANTED: Final = ("boards", "clocks", "evals")
PEAKS: Final = (100_000, 1_000_000)
QUICK_PEAKS: Final = (4_000, 40_000)

RUST: Final = "rust_pgn_reader_python_binding"
PYTHON_CHESS: Final = "python-chess"


def kernel_of_room() -> RecordKernel:
    """A kernel with the room of a turn in which the columns stay in the processor's caches."""
    kernel = record_kernel("chess", WANTED, games=1 << 9, plies=1 << 15)
    assert kernel is not None
    return kernel


def columns(kernel: RecordKernel, data: bytes) -> int:
    """Moves, boards, clocks and evaluations of all games; how many moves there are."""
    at = plies = 0
    while (end := kernel.read(data, at)) > at:
        plies += kernel.plies
        at = end
    return plies


def single(text: str) -> int:
    """Games one by one, as records; how many moves there are."""
    return sum(len(reading.require().line) for reading in read_records(text, "chess"))


def python_chess(text: str) -> int:
    """Games one by one, as trees; how many moves there are."""
    source = io.StringIO(text)
    plies = 0
    while (game := chess.pgn.read_game(source)) is not None:
        plies += game.end().ply()
    return plies


def rust_reader() -> Callable[[pa.ChunkedArray], int] | None:
    """The reader in Rust on one thread, or None where it is not installed."""
    try:
        import rust_pgn_reader_python_binding as rust
    except ImportError:
        return None

    def read(games: pa.ChunkedArray) -> int:
        moves: int = rust.parse_games(games, num_threads=1).num_moves
        return moves

    return read


def cut(data: bytes) -> list[bytes]:
    """The games of a file."""
    games = []
    at = 0
    while (end := next_border(data, at)) > 0:
        games.append(data[at:end])
        at = end
    return [*games, data[at:]]


def measure(data: bytes) -> dict[str, float]:
    """Seconds for one game, by candidate."""
    games = cut(data)
    kernel, rust = kernel_of_room(), rust_reader()
    times: dict[str, list[float]] = {}
    for first in range(0, len(games), BLOCK):
        block = games[first : first + BLOCK]
        texts = [game.decode() for game in block]
        turns: list[tuple[str, int, Callable[[Any], int], Any]] = [
            ("columns", len(block), lambda joined: columns(kernel, joined), b"".join(block)),
            ("records", SINGLE_GAMES, single, "".join(texts[:SINGLE_GAMES])),
            (PYTHON_CHESS, SLOW_GAMES, python_chess, "".join(texts[:SLOW_GAMES])),
        ]
        if rust is not None:
            turns.append((RUST, len(block), rust, pa.chunked_array([pa.array(texts)])))
        found = {}
        for name, count, turn, given in turns:
            begin = process_time()
            found[name] = turn(given)
            times.setdefault(name, []).append((process_time() - begin) / min(count, len(block)))
        if found.get(RUST, found["columns"]) != found["columns"]:
            raise SystemExit(f"the readers count moves differently: {found}")
    return {name: median(of_blocks) for name, of_blocks in times.items()}


def cores(data: bytes, turns: int = 5) -> float:
    """How much faster two threads are than one, each with its own kernel and half of the bytes."""
    half = next_border(data, len(data) // 2)
    parts = (data[:half], data[half:])
    kernels = (kernel_of_room(), kernel_of_room())
    ratios = []
    with ThreadPoolExecutor(2) as pool:
        for _ in range(turns):
            begin = perf_counter()
            for kernel, part in zip(kernels, parts, strict=True):
                columns(kernel, part)
            one = perf_counter()
            list(pool.map(columns, kernels, parts))
            ratios.append((one - begin) / (perf_counter() - one))
    return max(ratios)


def peak(games: int) -> int:
    """Peak memory of a process that streams so many games, in kilobytes."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.records", "--peak", str(games)], capture_output=True, check=True
    )
    number: int = json.loads(done.stdout)
    return number


def stream(games: int) -> None:
    """Read games piece by piece, as they come from a file, and print the peak of this process."""
    text = corpus(min(games, QUICK_GAMES), distinct=500)
    kernel = kernel_of_room()
    held = b""
    for _ in range(max(1, games // QUICK_GAMES)):
        for start in range(0, len(text), 1 << 20):
            held += text[start : start + (1 << 20)]
            at = 0
            while (end := kernel.read(held, at, False)) > at:
                at = end
            held = held[at:]
    print(json.dumps(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))


def main(arguments: list[str] | None = None) -> int:
    """Measure and say which requirements are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer games: the ratios are rougher")
    parser.add_argument("--no-memory", action="store_true", help="do not measure memory")
    parser.add_argument("--peak", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.peak is not None:
        stream(asked.peak)
        return 0
    data = corpus(QUICK_GAMES if asked.quick else GAMES)
    times = measure(data)
    for name, seconds in sorted(times.items(), key=lambda item: item[1]):
        print(f"{name}: {1 / seconds:,.0f} games/s")
    slow = times[PYTHON_CHESS]
    kept = [
        say("columns, times python-chess", slow / times["columns"], 60),
        say("records one by one, times python-chess", slow / times["records"], 10),
        say("columns, two threads, times one", cores(data), 1.7),
    ]
    if RUST in times:
        kept.append(say(f"columns, times {RUST}", times[RUST] / times["columns"], 1))
    else:
        print(f"{RUST} is not installed")
        kept.append(False)
    if not asked.no_memory:
        few, many = map(peak, QUICK_PEAKS if asked.quick else PEAKS)
        kept.append(say("memory of ten times as many games, times", many / few, 1.2, most=True))
    return 0 if all(kept) else 1


def say(what: str, ratio: float, bound: float, *, most: bool = False) -> bool:
    """Print a line; whether what it says is kept."""
    kept = ratio <= bound if most else ratio >= bound
    print(f"{what}: {ratio:.2f}, required {'at most' if most else 'at least'} {bound:g}: {kept}")
    return kept


if __name__ == "__main__":
    sys.exit(main())
