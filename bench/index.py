"""Measure indexes of games: building one after its records were read, looking positions up, bytes per row.

Building is that of one thread, from plies in memory to the finished directory. The plies are made with a
fixed seed after the manner of real collections: games of 70 plies, of which the first 20 are shared with
other games, the more the earlier they are, and the others occur once. Looking up is done in an index of ten
million positions that is written directly; *cold* is a new `Book` whose files the system has been told to
forget, *warm* one that has been asked before. Times are processor time for building and medians for looking
up. Exit status 0 when every requirement is met, 1 when one is not.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Final
from unittest.mock import patch

import numpy as np
import pyarrow as pa

from bench.report import table
from forsyth import registry
from forsyth.bulk.engines.checkpoints import write_json
from forsyth.bulk.index import tasks
from forsyth.bulk.index.book import Book
from forsyth.bulk.index.build import build_index
from forsyth.bulk.index.files import BUCKETS, MANIFEST, MOVES, Manifest, MovesWriter, TableFile, games_schema
from forsyth.bulk.index.plies import Plies
from forsyth.bulk.index.tallies import PLY, Lists, Tallies
from forsyth.bulk.index.tasks import first_key
from forsyth.bulk.jobs.run_files import Way

GAMES: Final = 60_000
QUICK_GAMES: Final = 15_000
POSITIONS: Final = 10_000_000
QUICK_POSITIONS: Final = 1_000_000
PLIES: Final = 70
SHARED: Final = 20
BATCH_GAMES: Final = 800
"""As many as a block of a megabyte has."""
MOVES_KNOWN: Final = 4000
COLD: Final = 40
WARM: Final = 400


@dataclass(frozen=True, slots=True)
class Requirement:
    """A figure and its bound."""

    title: str
    figure: float
    bound: float
    unit: str
    at_least: bool = False

    @property
    def is_met(self) -> bool:
        """Whether the figure keeps the bound."""
        return self.figure >= self.bound if self.at_least else self.figure <= self.bound

    def row(self) -> tuple[str, ...]:
        """The requirement as a row of a table."""
        sign = "≥" if self.at_least else "≤"
        figure = f"{self.figure:,.0f}" if self.at_least else f"{self.figure:,.2f}"
        return (
            self.title,
            f"{figure} {self.unit}",
            f"{sign} {self.bound:,g} {self.unit}",
            "yes" if self.is_met else "no",
        )


# --- building ---------------------------------------------------------------------------------------


def batches(games: int) -> list[Plies]:
    """The plies of so many games, as reading gives them."""
    chance = np.random.default_rng(14)
    texts = pa.array(["", *(f"N{'abcdefgh'[n % 8]}{n % 97}x{n}" for n in range(1, MOVES_KNOWN))])
    return [_batch(chance, texts, min(BATCH_GAMES, games - first)) for first in range(0, games, BATCH_GAMES)]


def _batch(chance: np.random.Generator, texts: pa.Array, games: int) -> Plies:
    ply = np.tile(np.arange(PLIES, dtype=np.uint64), games)
    # The later the ply, the more positions there are that it may be.
    spread = np.minimum(3.0 ** np.minimum(ply, SHARED), 1e7)
    shared = (chance.random(len(ply)) ** 3 * spread).astype(np.uint64)
    plies = np.zeros(len(ply), PLY)
    for number, half in enumerate(("high", "low")):
        known = _mixed(ply * np.uint64(1 << 40) + shared + np.uint64(number << 60))
        fresh = chance.integers(0, 1 << 63, len(ply), dtype=np.uint64) * np.uint64(2)
        plies[half] = np.where(ply < SHARED, known, fresh)
    plies["game"] = np.repeat(np.arange(1, games + 1), PLIES)
    plies["move"] = np.where(ply < SHARED, 1 + shared % 5, chance.integers(1, len(texts), len(ply)))
    plies["move"][ply == PLIES - 1] = 0
    plies["rating"] = np.repeat(chance.integers(800, 2900, games), PLIES)
    plies["result"] = np.repeat(chance.integers(1, 4, games), PLIES)
    return Plies(plies, texts, _games(chance, games))


def _mixed(values: np.ndarray) -> np.ndarray:
    """Numbers spread over 64 bits, the same for the same."""
    with np.errstate(over="ignore"):
        mixed = (values ^ (values >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    spread: np.ndarray = mixed ^ (mixed >> np.uint64(32))
    return spread


def _games(chance: np.random.Generator, games: int) -> pa.RecordBatch:
    ratings = chance.integers(800, 2900, games)
    values: dict[str, Any] = {
        "game": np.arange(1, games + 1, dtype=np.int32),
        "White": [f"player{number}" for number in ratings],
        "Black": [f"other{number}" for number in ratings[::-1]],
        "WhiteElo": ratings.astype(str),
        "Site": [f"https://games.example/{number:08x}" for number in chance.integers(0, 1 << 32, games)],
        "Date": ["2024.01.31"] * games,
        "result": ["1-0"] * games,
        "plies": np.full(games, PLIES),
        "rating": ratings,
        "day": np.full(games, 20240131),
    }
    schema = games_schema(registry.game("chess"))
    columns = [
        pa.array(values[one.name], one.type) if one.name in values else pa.nulls(games, one.type)
        for one in schema
    ]
    return pa.record_batch(columns, schema=schema)


def build(games: int, folder: Path) -> tuple[float, float]:
    """Games a second of processor time, and bytes for each row."""
    made = batches(games)

    def given(*_: Any, **__: Any) -> Iterator[Plies]:
        # Each is handed over, as reading does.
        while made:
            yield made.pop(0)

    source = folder / "games.pgn"
    source.write_text('[White "a"]\n[Black "b"]\n\n1. e4 *\n')
    with patch.object(tasks, "plies_of_shard", given):
        begin = process_time()
        built = build_index(source, folder / "built", game="chess", way=Way(threads=1))
        seconds = process_time() - begin
    assert built.manifest.games == games
    return games / seconds, _size(folder / "built") / built.manifest.rows


def _size(index: Path) -> int:
    """What the rows take, without the table of games, which grows with the games."""
    return sum(path.stat().st_size for path in (index / MOVES).iterdir())


# --- looking up -------------------------------------------------------------------------------------


def write_large(positions: int, folder: Path) -> list[str]:
    """An index of so many positions, each with one move; the keys of some of them."""
    chance = np.random.default_rng(15)
    parts, keys = [], []
    count = 16
    (folder / MOVES).mkdir(parents=True)
    for number in range(count):
        begin = number * BUCKETS // count
        tallies = _tallies(chance, positions // count, number, count)
        part = TableFile(f"{MOVES}/part-{number:05}.parquet", len(tallies), first_key(begin))
        with (folder / part.file).open("wb") as file:
            writer = MovesWriter(file, ["", *(f"N{n}" for n in range(MOVES_KNOWN))])
            writer.write(tallies)
            writer.close()
            os.fsync(file.fileno())
        parts.append(part)
        some = chance.integers(0, len(tallies), (COLD + WARM) // count + 1)
        keys += [f"{tallies.high[place]:016x}{tallies.low[place]:016x}" for place in some]
    rows = sum(part.rows for part in parts)
    manifest = Manifest("chess", "standard", positions // 60, rows, rows, rows, tuple(parts))
    write_json(folder / MANIFEST, manifest.to_dict())
    return [keys[place] for place in chance.permutation(len(keys))]


def _tallies(chance: np.random.Generator, rows: int, part: int, parts: int) -> Tallies:
    high = np.sort(chance.integers(0, (1 << 64) // parts - 1, rows, dtype=np.uint64))
    high += np.uint64(part * ((1 << 64) // parts))
    games = np.where(chance.random(rows) < 0.9, 1, np.minimum(chance.zipf(1.5, rows), 50)).astype(np.int64)
    wins = chance.binomial(games, 0.4)
    listed = chance.integers(1, 200_000, int(games.sum())).astype(np.uint32)
    bounds = np.concatenate(([0], np.cumsum(games)))
    four = np.where(games > 4, 4, 0)
    shown = Lists(np.concatenate(([0], np.cumsum(four))), chance.integers(1, 200_000, int(four.sum())))
    return Tallies(
        high,
        chance.integers(0, 1 << 63, rows, dtype=np.uint64),
        chance.integers(1, MOVES_KNOWN, rows).astype(np.uint32),
        games,
        wins,
        np.zeros(rows, np.int64),
        games - wins,
        games,
        games * chance.integers(800, 2900, rows),
        Lists(bounds, listed),
        shown,
        shown,
    )


def forget(folder: Path) -> None:
    """Tell the system to drop what it keeps of the files in memory."""
    for path in folder.rglob("*"):
        if path.is_file():
            number = os.open(path, os.O_RDONLY)
            os.posix_fadvise(number, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(number)


def look_up(folder: Path, keys: list[str]) -> tuple[float, float]:
    """Milliseconds of a look-up, cold and warm."""
    cold = [_cold(folder, key) for key in keys[:COLD]]
    book = Book(folder)
    for key in keys:
        assert book.played(key)
    warm = [_timed(lambda key=key: book.played(key)) for key in keys[COLD : COLD + WARM]]  # type: ignore[misc]
    return statistics.median(cold), statistics.median(warm)


def _cold(folder: Path, key: str) -> float:
    forget(folder)

    def ask() -> None:
        book = Book(folder)
        assert book.played(key)
        book.close()

    return _timed(ask)


def _timed(ask: Callable[[], object]) -> float:
    begin = perf_counter()
    ask()
    return (perf_counter() - begin) * 1000


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and answer with the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer games and positions")
    options = parser.parse_args(arguments)
    games, positions = (QUICK_GAMES, QUICK_POSITIONS) if options.quick else (GAMES, POSITIONS)
    with tempfile.TemporaryDirectory(prefix="forsyth-bench-") as name:
        folder = Path(name)
        rate, built_size = build(games, folder)
        keys = write_large(positions, folder / "large")
        cold, warm = look_up(folder / "large", keys)
        large_size = _size(folder / "large") / positions
    asked = [
        Requirement(f"building, {games:,} games of {PLIES} plies, one core", rate, 20_000, "games/s", True),
        Requirement(f"look-up in {positions:,} positions, cold", cold, 20, "ms"),
        Requirement(f"look-up in {positions:,} positions, warm", warm, 3, "ms"),
        Requirement("size of what was built", built_size, 32, "bytes/row"),
        Requirement(f"size of {positions:,} positions", large_size, 32, "bytes/row"),
    ]
    print(table([("figure", "measured", "required", "met"), *(one.row() for one in asked)], {0, 3}))
    return 0 if all(one.is_met for one in asked) else 1


if __name__ == "__main__":
    sys.exit(main())
