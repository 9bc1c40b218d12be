"""The tasks of building and merging indexes: read a shard, count a range of keys, add up a range of several
indexes.

A task and its answer are texts, so that every engine can send them; done here, they are done by threads. What
is wrong with the data comes back in the answer, as one sentence. Tasks write files that are whole or absent,
and a note when they are done. What a killed worker was doing can be done again, by two workers at the same
time as well: both write the same.

To build an index, `read_shard` makes runs of the plies of a shard and a table of its games; `Plan` numbers
the games and moves; `count_part` makes one part of the index of the plies of a range of keys, from all runs.
To merge indexes, `merge_part` adds up the rows of a range.

Memory: a run while a shard is read; then about PART_PLIES plies, also where one position has more of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from forsyth import registry
from forsyth.atomic_write import atomic_write
from forsyth.bulk.engines.checkpoints import write_json
from forsyth.bulk.errors import BulkError, explaining_errors
from forsyth.bulk.index.files import (
    BUCKET_BITS,
    BUCKETS,
    MATERIAL,
    MOVES,
    MOVES_SCHEMA,
    Manifest,
    MovesWriter,
    Run,
    RunWriter,
    TableFile,
    Window,
    games_schema,
)
from forsyth.bulk.index.plies import Skipped, plies_of_shard
from forsyth.bulk.index.tallies import MOST_PLIES, Facts, Lists, Tallies, combined, tally
from forsyth.bulk.jobs.run_files import LOCAL, Way
from forsyth.bulk.sources.shards import Shard

PART_PLIES: Final = 1 << 20
"""About how many plies become one part."""
SLICE_PLIES: Final = 1 << 17
"""About how many plies are counted at once: what the caches of a core hold."""


# --- read -----------------------------------------------------------------------------------------


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


# --- count ------------------------------------------------------------------------------------------


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

    def part(self, table: str) -> TableFile:
        """The part of a table of the index."""
        return TableFile(f"{table}/part-{self.number:05}.parquet", self.rows, self.first)


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


# --- merge ------------------------------------------------------------------------------------------


_SUMS = ("games", "wins", "draws", "losses", "rated")


def merge_part(folder: Path, number: int, begin: int, end: int, books: Sequence[str], table: str) -> PartNote:
    """Write the part of the keys in the buckets from `begin` on and before `end`, of all indexes together."""
    done = finished_part(folder, number)
    if done is not None:
        return done
    facts = load_facts(folder)
    tables, before = [], 0
    for name in books:
        book = Path(name)
        manifest = Manifest.read(book)
        tables.append((_between(book, manifest.parts_of(table), begin, end), before))
        before += manifest.games
    texts = _texts([rows for rows, _ in tables])
    parts = [_tallies(rows, texts, games) for rows, games in tables if rows.num_rows]
    return write_part(folder, number, begin, texts, [combined(parts, facts)] if parts else [])


def _between(book: Path, parts: Sequence[TableFile], begin: int, end: int) -> pa.Table:
    """The rows of an index whose keys are in a range of buckets."""
    least = bytes.fromhex(first_key(begin))
    most = bytes.fromhex(first_key(end)) if end < BUCKETS else None
    tables = [table for path in _files(book, parts, least, most) for table in _rows(path, least, most)]
    return pa.concat_tables([MOVES_SCHEMA.empty_table(), *tables]).combine_chunks()


def _files(book: Path, parts: Sequence[TableFile], least: bytes, most: bytes | None) -> Iterator[Path]:
    firsts = [bytes.fromhex(str(part.first)) for part in parts]
    for place, part in enumerate(parts):
        follows = firsts[place + 1] if place + 1 < len(firsts) else None
        if (follows is None or follows > least) and (most is None or firsts[place] < most):
            yield book / part.file


def _rows(path: Path, least: bytes, most: bytes | None) -> Iterator[pa.Table]:
    with explaining_errors(str(path)), pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            found = file.metadata.row_group(group).column(0).statistics
            if found.max < least or (most is not None and found.min >= most):
                continue
            table = file.read_row_group(group)
            keys = table.column(0)
            kept = pc.greater_equal(keys, pa.scalar(least, keys.type))
            if most is not None:
                kept = pc.and_(kept, pc.less(keys, pa.scalar(most, keys.type)))
            yield table.filter(kept)


def _texts(tables: Sequence[pa.Table]) -> list[str]:
    """The move texts of all tables in order; the first is empty and means that none was played."""
    found = (text for table in tables for text in pc.unique(table.column("move")).to_pylist())
    return sorted({"", *(text for text in found if text is not None)})


def _tallies(table: pa.Table, texts: Sequence[str], games: int) -> Tallies:
    """Rows of an index that has so many games before its own."""
    keys = table.column("key").chunk(0)
    words = np.frombuffer(keys.buffers()[1], ">u8", 2 * len(keys), keys.offset * 16).astype(np.uint64)
    moves = pc.index_in(table.column("move").fill_null(""), pa.array(texts, pa.string()))
    sums = {name: table.column(name).to_numpy().astype(np.int64) for name in _SUMS}
    rating = table.column("rating").fill_null(0.0).to_numpy()
    return Tallies(
        words[::2],
        words[1::2],
        moves.to_numpy().astype(np.uint32),
        **sums,
        # A quotient of whole numbers of this size gives them back.
        rating_sum=np.rint(rating * sums["rated"]).astype(np.int64),
        listed=_lists(table.column("reached"), games),
        latest=_lists(table.column("latest"), games),
        strongest=_lists(table.column("strongest"), games),
    )


def _lists(column: pa.ChunkedArray, games: int) -> Lists:
    sizes = pc.list_value_length(column).fill_null(0).to_numpy()
    numbers = pc.list_flatten(column).to_numpy().astype(np.uint32) + np.uint32(games)
    return Lists(np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))), numbers)


# --- texts for engines ------------------------------------------------------------------------------


RunTexts = Callable[[Callable[[str], str], Sequence[str]], Iterable[str]]


def run_tasks(way: Way, tasks: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The notes of tasks, in any order."""
    texts = [json.dumps(task) for task in tasks]
    if way.engine == LOCAL:
        yield from map(_note_in, _run_here(texts, way.the_threads()))
        return
    way.the_engine()
    run_texts: RunTexts = import_module(f"forsyth.bulk.{way.engine}").run_texts
    yield from map(_note_in, run_texts(run_task, texts))


def count_parts(way: Way, tasks: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The notes of tasks each of which counts one part, in any order; `way` hears of each."""
    step = None if way.begin_counting is None else way.begin_counting(len(tasks))
    for note in run_tasks(way, tasks):
        if step is not None:
            step(note["positions"], 1)
        yield note


def _run_here(tasks: Sequence[str], threads: int) -> Iterator[str]:
    pool = ThreadPoolExecutor(threads, "forsyth-index")
    try:
        yield from pool.map(run_task, tasks)
    finally:
        pool.shutdown(cancel_futures=True)


def run_task(task: str) -> str:
    """Do a task, on a worker; the answer."""
    data = json.loads(task)
    try:
        return json.dumps(asdict(_done(data.pop("step"), Path(data.pop("folder")), data)))
    except BulkError as error:
        return json.dumps({"error": str(error)})


def _done(step: str, folder: Path, data: dict[str, Any]) -> ShardNote | PartNote:
    if step == "read":
        return read_shard(folder, Shard.from_dict(data.pop("shard")), **data)
    return (merge_part if step == "merge" else count_part)(folder, **data)


def _note_in(answer: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(answer)
    if "error" in data:
        raise BulkError(data["error"])
    return data
