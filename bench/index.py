"""Measure indexes of games: building, looking up positions, and bytes per row.

Building runs on one thread, from plies in memory to the finished folder, and is measured in processor time.
The plies are random with a fixed seed and resemble real collections. Each game has 70 plies. Other games
share positions of the first 20, most often the earliest; every later position occurs once.

Looking up uses an index of ten million positions that is written directly, and is measured as a median.
*Cold* is a look-up in a new `Book` whose files are not in the page cache, *warm* a look-up in a `Book` that
has read the position before. The exit status is 0 if every requirement is met, else 1.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Final
from unittest.mock import patch

import numpy as np
import pyarrow as pa

from bench.report import format_table
from forsyth import registry
from forsyth.bulk.engines.checkpoints import write_json
from forsyth.bulk.index import tasks
from forsyth.bulk.index.book import Book
from forsyth.bulk.index.build import build_index
from forsyth.bulk.index.files import (
    BUCKETS,
    MANIFEST,
    MOVES,
    Manifest,
    MovesWriter,
    TableFile,
    make_games_schema,
)
from forsyth.bulk.index.plies import Plies
from forsyth.bulk.index.tallies import PLY, GameLists, Tallies
from forsyth.bulk.index.tasks import make_first_key
from forsyth.bulk.jobs.run_files import RunOptions

GAMES: Final = 60_000
QUICK_GAMES: Final = 15_000
POSITIONS: Final = 10_000_000
QUICK_POSITIONS: Final = 1_000_000
PLIES: Final = 70
SHARED_PLIES: Final = 20
BATCH_GAMES: Final = 800
"""Games of a batch, as many as a block of a megabyte has."""
DISTINCT_MOVES: Final = 4000
COLD_LOOKUPS: Final = 40
WARM_LOOKUPS: Final = 400


@dataclass(frozen=True, slots=True)
class Requirement:
    """Measured figure and its bound, which is an upper bound unless `at_least` is True."""

    title: str
    figure: float
    bound: float
    unit: str
    at_least: bool = False

    @property
    def is_met(self) -> bool:
        """True if the figure keeps the bound."""
        return self.figure >= self.bound if self.at_least else self.figure <= self.bound

    def row(self) -> tuple[str, ...]:
        """Return the requirement as a row of the table."""
        sign = "≥" if self.at_least else "≤"
        figure = f"{self.figure:,.0f}" if self.at_least else f"{self.figure:,.2f}"
        return (
            self.title,
            f"{figure} {self.unit}",
            f"{sign} {self.bound:,g} {self.unit}",
            "yes" if self.is_met else "no",
        )


# --- building ---------------------------------------------------------------------------------------


def make_batches(games: int) -> list[Plies]:
    """Return the plies of `games` random games in batches, as reading a file yields them."""
    rng = np.random.default_rng(14)
    texts = pa.array(["", *(f"N{'abcdefgh'[n % 8]}{n % 97}x{n}" for n in range(1, DISTINCT_MOVES))])
    return [
        _make_batch(rng, texts, min(BATCH_GAMES, games - first)) for first in range(0, games, BATCH_GAMES)
    ]


def _make_batch(rng: np.random.Generator, texts: pa.Array, games: int) -> Plies:
    """Return the plies of `games` random games. `texts` are the texts of the moves."""
    ply = np.tile(np.arange(PLIES, dtype=np.uint64), games)
    # The later the ply, the more different positions it can have.
    position_count = np.minimum(3.0 ** np.minimum(ply, SHARED_PLIES), 1e7)
    shared = (rng.random(len(ply)) ** 3 * position_count).astype(np.uint64)
    plies = np.zeros(len(ply), PLY)
    for number, half in enumerate(("high", "low")):
        shared_keys = _mix_bits(ply * np.uint64(1 << 40) + shared + np.uint64(number << 60))
        unique_keys = rng.integers(0, 1 << 63, len(ply), dtype=np.uint64) * np.uint64(2)
        plies[half] = np.where(ply < SHARED_PLIES, shared_keys, unique_keys)
    plies["game"] = np.repeat(np.arange(1, games + 1), PLIES)
    plies["move"] = np.where(ply < SHARED_PLIES, 1 + shared % 5, rng.integers(1, len(texts), len(ply)))
    plies["move"][ply == PLIES - 1] = 0
    plies["rating"] = np.repeat(rng.integers(800, 2900, games), PLIES)
    plies["result"] = np.repeat(rng.integers(1, 4, games), PLIES)
    return Plies(plies, texts, _make_games(rng, games))


def _mix_bits(values: np.ndarray) -> np.ndarray:
    """Return a 64-bit hash of each value. Equal values have equal hashes."""
    with np.errstate(over="ignore"):
        mixed = (values ^ (values >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    hashes: np.ndarray = mixed ^ (mixed >> np.uint64(32))
    return hashes


def _make_games(rng: np.random.Generator, games: int) -> pa.RecordBatch:
    """Return the rows of `games` random games for the table of games."""
    ratings = rng.integers(800, 2900, games)
    values: dict[str, Any] = {
        "game": np.arange(1, games + 1, dtype=np.int32),
        "White": [f"player{number}" for number in ratings],
        "Black": [f"other{number}" for number in ratings[::-1]],
        "WhiteElo": ratings.astype(str),
        "Site": [f"https://games.example/{number:08x}" for number in rng.integers(0, 1 << 32, games)],
        "Date": ["2024.01.31"] * games,
        "result": ["1-0"] * games,
        "plies": np.full(games, PLIES),
        "rating": ratings,
        "day": np.full(games, 20240131),
    }
    schema = make_games_schema(registry.game("chess"))
    columns = [
        pa.array(values[field.name], field.type) if field.name in values else pa.nulls(games, field.type)
        for field in schema
    ]
    return pa.record_batch(columns, schema=schema)


def measure_building(games: int, folder: Path) -> tuple[float, float]:
    """Build an index of `games` games below `folder`.

    Return the games per second of processor time, and the bytes per row.
    """
    batches = make_batches(games)

    def yield_batches(*_: Any, **__: Any) -> Iterator[Plies]:
        # Batches are removed from the list, so that memory is freed as after reading a file.
        while batches:
            yield batches.pop(0)

    source = folder / "games.pgn"
    source.write_text('[White "a"]\n[Black "b"]\n\n1. e4 *\n')
    with patch.object(tasks, "read_shard_plies", yield_batches):
        begin = process_time()
        built = build_index(source, folder / "built", game="chess", run_options=RunOptions(threads=1))
        seconds = process_time() - begin
    assert built.manifest.games == games
    return games / seconds, _rows_size(folder / "built") / built.manifest.rows


def _rows_size(index: Path) -> int:
    """Return the bytes of the rows of an index, without its table of games."""
    return sum(path.stat().st_size for path in (index / MOVES).iterdir())


# --- looking up -------------------------------------------------------------------------------------


def write_large(positions: int, folder: Path) -> list[str]:
    """Write an index of `positions` random positions with one move each. Return the keys of some of them."""
    rng = np.random.default_rng(15)
    parts, keys = [], []
    part_count = 16
    (folder / MOVES).mkdir(parents=True)
    for number in range(part_count):
        begin = number * BUCKETS // part_count
        tallies = _make_tallies(rng, positions // part_count, number, part_count)
        part = TableFile(f"{MOVES}/part-{number:05}.parquet", len(tallies), make_first_key(begin))
        with (folder / part.file).open("wb") as file:
            writer = MovesWriter(file, ["", *(f"N{n}" for n in range(DISTINCT_MOVES))])
            writer.write(tallies)
            writer.close()
            os.fsync(file.fileno())
        parts.append(part)
        rows = rng.integers(0, len(tallies), (COLD_LOOKUPS + WARM_LOOKUPS) // part_count + 1)
        keys += [f"{tallies.high[row]:016x}{tallies.low[row]:016x}" for row in rows]
    row_count = sum(part.rows for part in parts)
    counts = (positions // 60, row_count, row_count, row_count)
    manifest = Manifest("chess", "standard", *counts, tuple(parts))
    write_json(folder / MANIFEST, manifest.to_dict())
    return [keys[index] for index in rng.permutation(len(keys))]


def _make_tallies(rng: np.random.Generator, rows: int, part: int, parts: int) -> Tallies:
    """Return random rows for part number `part` of an index with `parts` parts.

    Their keys are sorted and lie in the range of that part.
    """
    high = np.sort(rng.integers(0, (1 << 64) // parts - 1, rows, dtype=np.uint64))
    high += np.uint64(part * ((1 << 64) // parts))
    games = np.where(rng.random(rows) < 0.9, 1, np.minimum(rng.zipf(1.5, rows), 50)).astype(np.int64)
    wins = rng.binomial(games, 0.4)
    listed_games = rng.integers(1, 200_000, int(games.sum())).astype(np.uint32)
    bounds = np.concatenate(([0], np.cumsum(games)))
    shown_counts = np.where(games > 4, 4, 0)
    shown_bounds = np.concatenate(([0], np.cumsum(shown_counts)))
    shown_games = GameLists(shown_bounds, rng.integers(1, 200_000, int(shown_counts.sum())))
    return Tallies(
        high,
        rng.integers(0, 1 << 63, rows, dtype=np.uint64),
        rng.integers(1, DISTINCT_MOVES, rows).astype(np.uint32),
        games,
        wins,
        np.zeros(rows, np.int64),
        games - wins,
        games,
        games * rng.integers(800, 2900, rows),
        GameLists(bounds, listed_games),
        shown_games,
        shown_games,
    )


def drop_page_cache(folder: Path) -> None:
    """Ask the operating system to drop all files of a folder from its page cache."""
    for path in folder.rglob("*"):
        if path.is_file():
            descriptor = os.open(path, os.O_RDONLY)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)


def measure_lookups(folder: Path, keys: list[str]) -> tuple[float, float]:
    """Return the median milliseconds of a look-up, cold and warm."""
    cold = [_time_cold_lookup(folder, key) for key in keys[:COLD_LOOKUPS]]
    book = Book(folder)
    for key in keys:
        assert book.played_moves(key)
    warm_keys = keys[COLD_LOOKUPS : COLD_LOOKUPS + WARM_LOOKUPS]
    warm = [_measure_milliseconds(partial(book.played_moves, key)) for key in warm_keys]
    return statistics.median(cold), statistics.median(warm)


def _time_cold_lookup(folder: Path, key: str) -> float:
    """Return the milliseconds to open an index and to look up a key, without files in the page cache."""
    drop_page_cache(folder)

    def look_up() -> None:
        book = Book(folder)
        assert book.played_moves(key)
        book.close()

    return _measure_milliseconds(look_up)


def _measure_milliseconds(call: Callable[[], object]) -> float:
    begin = perf_counter()
    call()
    return (perf_counter() - begin) * 1000


def main(arguments: list[str] | None = None) -> int:
    """Measure and print. Return 0 if every requirement is met, else 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="Measure fewer games and positions.")
    options = parser.parse_args(arguments)
    games, positions = (QUICK_GAMES, QUICK_POSITIONS) if options.quick else (GAMES, POSITIONS)
    with tempfile.TemporaryDirectory(prefix="forsyth-bench-") as name:
        folder = Path(name)
        rate, built_size = measure_building(games, folder)
        keys = write_large(positions, folder / "large")
        cold, warm = measure_lookups(folder / "large", keys)
        large_size = _rows_size(folder / "large") / positions
    requirements = [
        Requirement(f"building, {games:,} games of {PLIES} plies, one core", rate, 20_000, "games/s", True),
        Requirement(f"look-up in {positions:,} positions, cold", cold, 20, "ms"),
        Requirement(f"look-up in {positions:,} positions, warm", warm, 3, "ms"),
        Requirement("size of what was built", built_size, 32, "bytes/row"),
        Requirement(f"size of {positions:,} positions", large_size, 32, "bytes/row"),
    ]
    print(
        format_table(
            [("figure", "measured", "required", "met"), *(requirement.row() for requirement in requirements)],
            {0, 3},
        )
    )
    return 0 if all(requirement.is_met for requirement in requirements) else 1


if __name__ == "__main__":
    sys.exit(main())
