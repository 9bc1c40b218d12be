"""The two steps of building an index: read a shard, count a range of keys.

Both write files that are whole or absent, and a note when they are done. What a killed worker was doing can
be done again, by two workers at the same time as well: both write the same.

Step one (`read_shard`): the plies of a shard become runs, its games a table. Step two (`count_part`): the
plies of a range of keys, from all runs, become one part of the index. Between them `Plan` numbers the games
and moves.

Memory: a run in step one; in step two about PART_PLIES plies, also where one position has more of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from forsyth import registry
from forsyth.atomic_write import atomic_write
from forsyth.bulk.engines.checkpoints import write_json
from forsyth.bulk.errors import explaining_errors
from forsyth.bulk.index.parts import MATERIAL, MOVES, MovesWriter, Part, games_schema
from forsyth.bulk.index.plies import Skipped
from forsyth.bulk.index.read import plies_of_shard
from forsyth.bulk.index.runs import BUCKET_BITS, BUCKETS, Run, RunWriter, Window
from forsyth.bulk.index.tallies import MOST_PLIES, Facts, Tallies, combined, tally
from forsyth.bulk.sources.shards import Shard

PART_PLIES: Final = 1 << 20
"""About how many plies become one part."""
SLICE_PLIES: Final = 1 << 17
"""About how many plies are counted at once: what the caches of a core hold."""


# --- step one: read ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShardNote:
    """What became of a shard."""

    shard: int
    games: int
    others: int
    faulty: int
    runs: dict[str, int]
    """How many runs there are of each table, and in `plies` how many plies."""
    plies: dict[str, int]


def read_shard(folder: Path, shard: Shard, game: str, variant: str, material: bool = False) -> ShardNote:
    """Write the runs and the table of games of a shard; what an earlier call finished is kept."""
    path = folder / f"{shard.number:05}.json"
    found = _note(path)
    if found is not None:
        return ShardNote(**found)
    rules = registry.game(game, variant)
    names = (MOVES, MATERIAL) if material else (MOVES,)
    runs = {name: RunWriter(made(folder / name), shard.number) for name in names}
    games, skipped = 0, Skipped()
    table = games_path(folder, shard.number)
    with (
        explaining_errors(str(table), "written"),
        atomic_write(table) as file,
        pa.ipc.new_file(file, games_schema(rules)) as writer,
    ):
        for batch in plies_of_shard(shard, rules, material=material):
            writer.write_batch(renumbered(batch.games, games))
            runs[MOVES].add(_numbered(batch.plies, games), batch.moves)
            if batch.material is not None:
                runs[MATERIAL].add(_numbered(batch.material.plies, games), batch.material.texts)
            games += batch.games.num_rows
            skipped += batch.skipped
        for one in runs.values():
            one.close()
    written = {name: one.written for name, one in runs.items()}
    plies = {name: one.plies for name, one in runs.items()}
    note = ShardNote(shard.number, games, skipped.others, skipped.faulty, written, plies)
    write_json(path, asdict(note))
    return note


def made(folder: Path) -> Path:
    """A folder that is there."""
    folder.mkdir(exist_ok=True)
    return folder


def _numbered(plies: np.ndarray, before: int) -> np.ndarray:
    plies["game"] += np.uint32(before)
    return plies


def games_path(folder: Path, shard: int) -> Path:
    """Where the table of games of a shard lies; its numbers begin with 1."""
    return folder / f"{shard:05}.games.arrow"


def renumbered(games: pa.RecordBatch, before: int) -> pa.RecordBatch:
    """Rows of the table of games with so many games before them."""
    numbers = pa.array(games.column(0).to_numpy() + np.int32(before))
    return games.set_column(0, games.schema.field(0), numbers)


# --- step two: count --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Plan:
    """What step two needs to know: all runs, the texts of all moves in order, the facts about all games."""

    runs: list[Run]
    texts: list[str]
    facts: Facts

    def save(self, folder: Path) -> None:
        """Write it into a folder, whole or not at all."""
        places = np.concatenate([np.empty(0, np.uint32), *(run.places for run in self.runs)])
        with atomic_write(folder / "places.npy") as file:
            np.save(file, places)
        save_facts(self.facts, folder)
        data = {
            "runs": [[run.path, run.games_before, len(run.places)] for run in self.runs],
            "texts": self.texts,
        }
        write_json(folder / "plan.json", data)

    @classmethod
    def load(cls, folder: Path) -> Plan:
        """The plan in a folder; the facts stay on the disk."""
        data = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
        places = np.load(folder / "places.npy", mmap_mode="r")
        ends = np.cumsum([0, *(count for _, _, count in data["runs"])])
        runs = [
            Run(path, before, places[begin : begin + count])
            for (path, before, count), begin in zip(data["runs"], ends, strict=False)
        ]
        return cls(runs, data["texts"], load_facts(folder))


def save_facts(facts: Facts, folder: Path) -> None:
    """Write the facts about all games into a folder."""
    for name, array in (("days", facts.days), ("strengths", facts.strengths)):
        with atomic_write(folder / f"{name}.npy") as file:
            np.save(file, array)


def load_facts(folder: Path) -> Facts:
    """The facts in a folder; they stay on the disk."""
    return Facts(*(np.load(folder / f"{name}.npy", mmap_mode="r") for name in ("days", "strengths")))


@dataclass(frozen=True, slots=True)
class PartNote:
    """What became of a range of keys."""

    number: int
    rows: int
    positions: int
    first: str

    def part(self, table: str) -> Part:
        """The part of a table of the index."""
        return Part(f"{table}/part-{self.number:05}.parquet", self.rows, self.first)


def count_part(folder: Path, number: int, begin: int, end: int) -> PartNote:
    """Write the part of the keys in the buckets from `begin` on and before `end`."""
    done = finished_part(folder, number)
    if done is not None:
        return done
    plan = Plan.load(folder)
    return write_part(folder, number, begin, plan.texts, _counted(plan, begin, end))


def finished_part(folder: Path, number: int) -> PartNote | None:
    """The note of a part that is there."""
    path = part_path(folder, number)
    found = _note(path.with_suffix(".json"))
    # A part is moved into its place in the end: a kill after that leaves its note behind.
    return PartNote(**found) if found is not None and path.exists() else None


def write_part(
    folder: Path, number: int, begin: int, texts: Sequence[str], tallies: Iterable[Tallies]
) -> PartNote:
    """Write the part that begins with a bucket; its tallies come in the order of keys."""
    path = part_path(folder, number)
    with explaining_errors(str(path), "written"), atomic_write(path) as file:
        writer = MovesWriter(file, texts)
        for one in tallies:
            writer.write(one)
        writer.close()
    note = PartNote(number, writer.rows, writer.positions, first_key(begin))
    write_json(path.with_suffix(".json"), asdict(note))
    return note


def first_key(bucket: int) -> str:
    """The least key of a bucket, in hexadecimal digits."""
    return f"{bucket << (128 - BUCKET_BITS):032x}"


def part_path(folder: Path, number: int) -> Path:
    """Where a part lies until the index is complete."""
    return folder / f"part-{number:05}.parquet"


def _counted(plan: Plan, begin: int, end: int) -> Iterator[Tallies]:
    """The tallies of a range of buckets, in the order of keys."""
    window = Window(plan.runs, begin, end)
    if window.count <= MOST_PLIES:
        width = _width(window.count, end - begin)
        shared_bits = BUCKET_BITS - (width.bit_length() - 1)
        for plies in window.pieces(width):
            if len(plies):
                yield tally(plies, plan.facts, shared_bits)
        return
    if end - begin > 1:
        middle = (begin + end) // 2
        yield from _counted(plan, begin, middle)
        yield from _counted(plan, middle, end)
        return
    # One position, or a few, that most games reach.
    total: Tallies | None = None
    for chunk in window.chunks():
        counted = tally(chunk, plan.facts, BUCKET_BITS)
        total = counted if total is None else combined([total, counted], plan.facts)
    if total is not None:
        yield total


def _width(plies: int, buckets: int) -> int:
    """How many of some buckets are counted at once, a power of two."""
    return max(1, buckets >> max(0, (plies // SLICE_PLIES).bit_length()))


def bucket_ranges(plies: int) -> list[tuple[int, int]]:
    """The ranges of buckets that are counted one by one."""
    wanted = max(1, -(-plies // PART_PLIES))
    parts = min(1 << (wanted - 1).bit_length(), BUCKETS)
    width = BUCKETS // parts
    return [(begin, begin + width) for begin in range(0, BUCKETS, width)]


def _note(path: Path) -> dict[str, Any] | None:
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return data
