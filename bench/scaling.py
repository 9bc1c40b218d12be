"""Measure how columns scale: each verb on one thread and on all cores, on clean texts and on others.

    python -m bench.scaling [--threads N] [--rows N] [COLUMN …]

A figure is the best of a few turns, in which one thread and all of them take turns; the ratio is how many
times the rate of one thread all of them reach together. What a chunk costs whatever its length is done under
the lock of the interpreter; its share of the time bounds the ratio on any number of cores, and is shown with
the bound on 16. There is nothing to require on a machine with few cores, so the exit status is 0;
`bench/README.md` has the figures of a machine with 16.
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

from bench.corpus import some_rows
from bench.report import table
from bench.spellings import SPELLINGS, VERBS, slips
from forsyth import registry
from forsyth.bulk import arrow

TURNS: Final = 2
ROWS: Final = 3_000_000
CHUNK: Final = 1 << 16
HASHES: Final = 600
BLOCK: Final = 1 << 20
"""Bytes of a hash. One of a few kilobytes would ask for the interpreter every few microseconds."""
MANY_CORES: Final = 16


def columns(rows: int) -> dict[str, tuple[Any, Any, str]]:
    """The columns by name, each with its game and mode."""
    chess = registry.game("chess")
    texts = [row.fen for row in some_rows(10_000)]
    some = [slips(text, row // 5) if row % 5 == 0 else text for row, text in enumerate(texts)]
    found: dict[str, tuple[Any, Any, str]] = {
        "canonical": (_column(texts, rows), chess, "default"),
        "a fifth with findings": (_column(some, rows), chess, "default"),
    }
    for spelling in SPELLINGS:
        column = _column([spelling.write(text) for text in texts], rows)
        found[spelling.name] = (column, chess.with_variant(spelling.variant), spelling.mode)
    for name in ("cotulenh", "azul"):
        game = registry.game(name)
        found[name] = (_column([game.start, *game.examples.values()], rows // 4), game, "default")
    return found


def _column(texts: list[str], rows: int) -> Any:
    part = pa.array(texts, pa.large_string())
    whole = pa.concat_arrays([part] * (rows // len(texts) + 1))
    # Cut as readers of files cut it.
    return pa.chunked_array([whole.slice(at, min(CHUNK, rows - at)) for at in range(0, rows, CHUNK)])


def rates(verb: str, column: Any, game: Any, mode: str, threads: int) -> tuple[float, float]:
    """Rows per second on one thread and on all of them."""
    one: Callable[[], object] = partial(getattr(arrow, verb), column, game, mode=mode)
    times: list[tuple[float, float]] = []
    for turn in range(TURNS + 1):
        begun = perf_counter()
        one()
        between = perf_counter()
        one(threads=threads)  # type: ignore[call-arg]
        if turn:
            times.append((between - begun, perf_counter() - between))
    return len(column) / min(first for first, _ in times), len(column) / min(last for _, last in times)


def locked_share(verb: str, column: Any, game: Any, mode: str) -> float:
    """How much of the time of a chunk does not depend on its rows: the least times of one row and of all."""
    chunk = column.chunk(0)
    work = partial(getattr(arrow, verb), game=game, mode=mode)

    def least(rows: Any, turns: int) -> float:
        times = []
        for _ in range(turns):
            begun = perf_counter()
            work(rows)
            times.append(perf_counter() - begun)
        return min(times)

    return least(chunk.slice(0, 1), 100) / least(chunk, 5)


def bound(share: float, cores: int) -> float:
    """At most how many times one thread so many cores are where one at a time does a share of the work."""
    return 1 / (share + (1 - share) / cores)


def machine(threads: int) -> tuple[float, float]:
    """Hashes of blocks per second, on one thread and on all: what the cores themselves can do."""
    block = bytes(BLOCK)

    def hashes(count: int) -> None:
        for _ in range(count):
            hashlib.blake2b(block)

    with ThreadPoolExecutor(threads) as pool:

        def turn() -> tuple[float, float]:
            begun = perf_counter()
            hashes(HASHES)
            between = perf_counter()
            list(pool.map(hashes, [HASHES] * threads))
            return between - begun, perf_counter() - between

        times = [turn() for _ in range(TURNS + 1)]
    return HASHES / min(first for first, _ in times), threads * HASHES / min(last for _, last in times)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.scaling", description=__doc__)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("columns", nargs="*", help="the columns to measure, all where none is named")
    options = parser.parse_args()
    titles = ("rows/s, one thread", f"{options.threads} threads", "ratio", "locked", f"{MANY_CORES} cores")
    lines = [("column", "verb", *titles)]
    one, all_of_them = machine(options.threads)
    ratio = f"{all_of_them / one:.1f}×"
    lines.append(("the machine itself", "hash", f"{one:,.0f}", f"{all_of_them:,.0f}", ratio, "", ""))
    for name, (column, game, mode) in columns(options.rows).items():
        if options.columns and name not in options.columns:
            continue
        for verb in VERBS:
            # A tensor has 1,280 bytes and more: fewer rows, or memory is what is measured.
            rows = column[: len(column) // 2] if verb == "planes" else column
            one, all_of_them = rates(verb, rows, game, mode, options.threads)
            ratio, share = f"{all_of_them / one:.1f}×", locked_share(verb, rows, game, mode)
            least = f"≤ {bound(share, MANY_CORES):.1f}×"
            lines.append((name, verb, f"{one:,.0f}", f"{all_of_them:,.0f}", ratio, f"{share:.2%}", least))
            print(f"{name}: {verb} {ratio}", flush=True)
    print(table(lines, {0, 1}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
