"""Measure how columns scale: each verb on one thread and on all cores, for canonical and other texts.

    python -m bench.scaling [--threads N] [--rows N] [COLUMN …]

One thread and all threads take turns, and a figure is the best of a few turns. The ratio is the rate of all
threads divided by the rate of one. The part of the time for a chunk that does not depend on its length is
spent under the GIL. The share of that part limits the ratio on any number of cores; the table shows it with
the limit on 16 cores. Nothing is required, because the machine may have few cores, so the exit status is
always 0. `bench/README.md` has the figures of a machine with 16 cores.
"""

from __future__ import annotations

import argparse
import hashlib
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import perf_counter
from typing import Any, Final

import pyarrow as pa

from bench.corpus import sample_rows
from bench.report import format_table
from bench.spellings import SPELLINGS, VERBS, add_slip
from forsyth import registry
from forsyth.bulk import arrow

TURNS: Final = 2
ROWS: Final = 3_000_000
CHUNK_ROWS: Final = 1 << 16
HASHES: Final = 600
BLOCK_BYTES: Final = 1 << 20
"""Bytes of each hashed block. Shorter blocks would need the GIL every few microseconds."""
MANY_CORES: Final = 16


def build_columns(rows: int) -> dict[str, tuple[Any, Any, str]]:
    """Return the columns by name, each with its game and mode. They have `rows` rows, or a quarter of it."""
    chess = registry.game("chess")
    texts = [row.fen for row in sample_rows(10_000)]
    mixed_texts = [add_slip(text, row // 5) if row % 5 == 0 else text for row, text in enumerate(texts)]
    columns: dict[str, tuple[Any, Any, str]] = {
        "canonical": (_build_column(texts, rows), chess, "default"),
        "a fifth with findings": (_build_column(mixed_texts, rows), chess, "default"),
    }
    for spelling in SPELLINGS:
        column = _build_column([spelling.write(text) for text in texts], rows)
        columns[spelling.name] = (column, chess.with_variant(spelling.variant), spelling.mode)
    for name in ("cotulenh", "azul"):
        game = registry.game(name)
        columns[name] = (_build_column([game.start, *game.examples.values()], rows // 4), game, "default")
    return columns


def _build_column(texts: list[str], rows: int) -> Any:
    """Return a column of `rows` rows that repeats the texts, in chunks as file readers produce them."""
    part = pa.array(texts, pa.large_string())
    whole = pa.concat_arrays([part] * (rows // len(texts) + 1))
    return pa.chunked_array(
        [whole.slice(start, min(CHUNK_ROWS, rows - start)) for start in range(0, rows, CHUNK_ROWS)]
    )


def measure_rates(verb: str, column: Any, game: Any, mode: str, threads: int) -> tuple[float, float]:
    """Return the rows per second of a verb on one thread, and on `threads` threads."""
    run: Callable[..., object] = partial(getattr(arrow, verb), column, game, mode=mode)
    times: list[tuple[float, float]] = []
    for turn in range(TURNS + 1):
        begin = perf_counter()
        run()
        middle = perf_counter()
        run(threads=threads)
        if turn:
            times.append((middle - begin, perf_counter() - middle))
    one_thread_seconds, all_threads_seconds = map(min, zip(*times, strict=True))
    return len(column) / one_thread_seconds, len(column) / all_threads_seconds


def measure_locked_share(verb: str, column: Any, game: Any, mode: str) -> float:
    """Return the share of the time for a chunk that does not depend on its rows.

    It is the least time for one row divided by the least time for the whole chunk.
    """
    chunk = column.chunk(0)
    work = partial(getattr(arrow, verb), game=game, mode=mode)

    def min_seconds(rows: Any, turns: int) -> float:
        times = []
        for _ in range(turns):
            begin = perf_counter()
            work(rows)
            times.append(perf_counter() - begin)
        return min(times)

    return min_seconds(chunk.slice(0, 1), 100) / min_seconds(chunk, 5)


def max_speedup(locked_share: float, cores: int) -> float:
    """Return the upper bound of the speed-up on `cores` cores (Amdahl's law).

    `locked_share` is the share of the work that only one core can do at a time.
    """
    return 1 / (locked_share + (1 - locked_share) / cores)


def measure_hash_rates(threads: int) -> tuple[float, float]:
    """Return the hashes of blocks per second on one thread, and on `threads` threads.

    Their ratio shows the speed-up that the cores of the machine allow.
    """
    block = bytes(BLOCK_BYTES)

    def compute_hashes(count: int) -> None:
        for _ in range(count):
            hashlib.blake2b(block)

    with ThreadPoolExecutor(threads) as pool:

        def run_turn() -> tuple[float, float]:
            begin = perf_counter()
            compute_hashes(HASHES)
            middle = perf_counter()
            list(pool.map(compute_hashes, [HASHES] * threads))
            return middle - begin, perf_counter() - middle

        times = [run_turn() for _ in range(TURNS + 1)]
    one_thread_seconds, all_threads_seconds = map(min, zip(*times, strict=True))
    return HASHES / one_thread_seconds, threads * HASHES / all_threads_seconds


def main() -> int:
    """Measure the columns that the command line names, print the table, and return 0."""
    parser = argparse.ArgumentParser(prog="python -m bench.scaling", description=__doc__)
    parser.add_argument(
        "--threads", type=int, default=os.cpu_count() or 1, help="Number of threads (default: all cores)."
    )
    parser.add_argument("--rows", type=int, default=ROWS, help=f"Rows of each column (default: {ROWS:,}).")
    parser.add_argument("columns", nargs="*", help="Columns to measure (default: all).")
    options = parser.parse_args()
    titles = ("rows/s, one thread", f"{options.threads} threads", "ratio", "locked", f"{MANY_CORES} cores")
    lines = [("column", "verb", *titles)]
    one_rate, all_rate = measure_hash_rates(options.threads)
    ratio = f"{all_rate / one_rate:.1f}×"
    lines.append(("the machine itself", "hash", f"{one_rate:,.0f}", f"{all_rate:,.0f}", ratio, "", ""))
    for name, (column, game, mode) in build_columns(options.rows).items():
        if options.columns and name not in options.columns:
            continue
        for verb in VERBS:
            # A tensor has at least 1,280 bytes. With all rows the speed of the memory would be measured.
            rows = column[: len(column) // 2] if verb == "planes" else column
            one_rate, all_rate = measure_rates(verb, rows, game, mode, options.threads)
            ratio = f"{all_rate / one_rate:.1f}×"
            locked_share = measure_locked_share(verb, rows, game, mode)
            bound = f"≤ {max_speedup(locked_share, MANY_CORES):.1f}×"
            rates = (f"{one_rate:,.0f}", f"{all_rate:,.0f}")
            lines.append((name, verb, *rates, ratio, f"{locked_share:.2%}", bound))
            print(f"{name}: {verb} {ratio}", flush=True)
    print(format_table(lines, {0, 1}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
