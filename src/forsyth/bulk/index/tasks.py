"""The tasks of building and merging indexes: read a shard, count a range of keys, merge a range of indexes.

A task and its answer are texts, so that every engine can send them. The local engine runs tasks on threads.
A `BulkError` in a task is returned in the answer. A task writes files that are either complete or absent,
and a note when it has finished. If a worker is killed, its task can be repeated, even by two workers at the
same time, because both write the same bytes.

To build an index, `read_shard` writes runs of the plies of a shard, and a table of its games. `Plan` numbers
the games and moves of all shards. `count_part` makes one part of the index from the plies of a range of keys
in all runs. To merge indexes, `merge_part` adds the rows of a range of keys.

Memory: one run while a shard is read; later about PART_PLIES plies, also if one position has more plies.
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
from forsyth.bulk.index.plies import Skipped, read_shard_plies
from forsyth.bulk.index.tallies import MAX_PLIES, Facts, GameLists, Tallies, add_tallies, tally_plies
from forsyth.bulk.jobs.run_files import LOCAL, RunOptions
from forsyth.bulk.sources.shards import Shard

PART_PLIES: Final = 1 << 20
"""Approximate number of plies that become one part."""
SLICE_PLIES: Final = 1 << 17
"""Approximate number of plies that are counted at once, so that they fit into the cache of a core."""


# --- reading shards ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShardNote:
    """The counts of a shard that has been read; they are written to a JSON file when it is finished.

    `others` counts the records that were skipped, `faulty` those with an error.
    """

    shard: int
    games: int
    others: int
    faulty: int
    runs: dict[str, int]
    """Number of runs of each table."""
    plies: dict[str, int]
    """Number of plies of each table."""


def read_shard(folder: Path, shard: Shard, game: str, variant: str, material: bool = False) -> ShardNote:
    """Read all records of a shard, and write its positions and games to files in `folder`.

    The positions are written as runs: temporary files that are sorted roughly by key. Return the counts. If
    an earlier call has finished the shard, return its counts and write nothing.
    """
    note_path = folder / f"{shard.number:05}.json"
    finished = _read_note(note_path)
    if finished is not None:
        return ShardNote(**finished)
    rules = registry.game(game, variant)
    tables = (MOVES, MATERIAL) if material else (MOVES,)
    run_writers = {name: RunWriter(ensure_dir(folder / name), shard.number) for name in tables}
    games = 0
    skipped = Skipped()
    games_file = games_path(folder, shard.number)
    with (
        explaining_errors(str(games_file), "written"),
        atomic_write(games_file) as file,
        pa.ipc.new_file(file, games_schema(rules)) as games_writer,
    ):
        for batch in read_shard_plies(shard, rules, material=material):
            games_writer.write_batch(renumber_games(batch.games, games))
            run_writers[MOVES].add(_number_games(batch.plies, games), batch.moves)
            if batch.material is not None:
                run_writers[MATERIAL].add(_number_games(batch.material.plies, games), batch.material.texts)
            games += batch.games.num_rows
            skipped += batch.skipped
        for run_writer in run_writers.values():
            run_writer.close()
    written = {name: run_writer.written for name, run_writer in run_writers.items()}
    plies = {name: run_writer.plies for name, run_writer in run_writers.items()}
    note = ShardNote(shard.number, games, skipped.others, skipped.faulty, written, plies)
    write_json(note_path, asdict(note))
    return note


def ensure_dir(folder: Path) -> Path:
    """Create `folder` if it does not exist, and return it."""
    folder.mkdir(exist_ok=True)
    return folder


def _number_games(plies: np.ndarray, games_before: int) -> np.ndarray:
    """Add `games_before` to the game numbers of `plies`, in place."""
    plies["game"] += np.uint32(games_before)
    return plies


def games_path(folder: Path, shard: int) -> Path:
    """Return the path of the table of games of a shard. The games in it are numbered from 1."""
    return folder / f"{shard:05}.games.arrow"


def renumber_games(games: pa.RecordBatch, games_before: int) -> pa.RecordBatch:
    """Return rows of the table of games with `games_before` added to the game numbers, their first column."""
    numbers = pa.array(games.column(0).to_numpy() + np.int32(games_before))
    return games.set_column(0, games.schema.field(0), numbers)


# --- counting ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Plan:
    """The input for counting: all runs (files of plies), the sorted move texts, and the facts about games."""

    runs: list[Run]
    texts: list[str]
    facts: Facts

    def save(self, folder: Path) -> None:
        """Write the plan to files in `folder`, which `load` reads; each file is either complete or absent."""
        move_numbers = np.concatenate([np.empty(0, np.uint32), *(run.move_numbers for run in self.runs)])
        with atomic_write(folder / "places.npy") as file:
            np.save(file, move_numbers)
        save_facts(self.facts, folder)
        data = {
            "runs": [[run.path, run.games_before, len(run.move_numbers)] for run in self.runs],
            "texts": self.texts,
        }
        write_json(folder / "plan.json", data)

    @classmethod
    def load(cls, folder: Path) -> Plan:
        """Return the plan that `save` wrote to `folder`. The facts and move numbers are memory-mapped."""
        data = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
        move_numbers = np.load(folder / "places.npy", mmap_mode="r")
        # The move numbers of all runs are in one file, one run after the other.
        begins = np.cumsum([0, *(count for _, _, count in data["runs"])])
        runs = [
            Run(path, games_before, move_numbers[begin : begin + count])
            for (path, games_before, count), begin in zip(data["runs"], begins, strict=False)
        ]
        return cls(runs, data["texts"], load_facts(folder))


def save_facts(facts: Facts, folder: Path) -> None:
    """Write the dates and strengths of all games to ``days.npy`` and ``strengths.npy`` in `folder`."""
    for name, array in (("days", facts.days), ("strengths", facts.strengths)):
        with atomic_write(folder / f"{name}.npy") as file:
            np.save(file, array)


def load_facts(folder: Path) -> Facts:
    """Return the dates and strengths that `save_facts` wrote to `folder`, memory-mapped."""
    return Facts(*(np.load(folder / f"{name}.npy", mmap_mode="r") for name in ("days", "strengths")))


@dataclass(frozen=True, slots=True)
class PartNote:
    """The counts of a finished part of an index; they are written to a JSON file beside the part.

    `first` is the lowest key that the part may have, in hexadecimal digits.
    """

    number: int
    rows: int
    positions: int
    first: str

    def part(self, table: str) -> TableFile:
        """Return the entry of this part in the manifest, as a part of the table named `table`."""
        return TableFile(f"{table}/part-{self.number:05}.parquet", self.rows, self.first)


def count_part(folder: Path, number: int, begin: int, end: int) -> PartNote:
    """Count the positions of a range of keys in all runs, and write them as part `number` of the index.

    The range consists of the buckets from `begin` to before `end`; a bucket has all keys with the same first
    BUCKET_BITS bits. Return the counts of the part. A part that is finished already is not written again.
    """
    finished = find_finished_part(folder, number)
    if finished is not None:
        return finished
    plan = Plan.load(folder)
    return write_part(folder, number, begin, plan.texts, _count_range(plan, begin, end))


def find_finished_part(folder: Path, number: int) -> PartNote | None:
    """Return the counts of part `number` of an index, or None if that part is not finished."""
    path = part_path(folder, number)
    note = _read_note(path.with_suffix(".json"))
    # Publishing the index moves the parts away. If it is interrupted, the notes remain.
    return PartNote(**note) if note is not None and path.exists() else None


def write_part(
    folder: Path, number: int, begin: int, texts: Sequence[str], tallies: Iterable[Tallies]
) -> PartNote:
    """Write part `number` of an index, and a JSON file with its counts, which are returned.

    Args:
        folder: The folder of the parts.
        number: The index of the part.
        begin: The first bucket of the part; a bucket has all keys with the same first BUCKET_BITS bits.
        texts: The moves that the numbers in the tallies stand for.
        tallies: The counts, in the order of keys.
    """
    path = part_path(folder, number)
    with explaining_errors(str(path), "written"), atomic_write(path) as file:
        writer = MovesWriter(file, texts)
        for batch in tallies:
            writer.write(batch)
        writer.close()
    note = PartNote(number, writer.rows, writer.positions, first_key(begin))
    write_json(path.with_suffix(".json"), asdict(note))
    return note


def first_key(bucket: int) -> str:
    """Return the lowest key of a bucket as 32 hexadecimal digits: bucket 1 begins with ``00010000``.

    The bucket is the number in the first BUCKET_BITS bits of a key.
    """
    return f"{bucket << (128 - BUCKET_BITS):032x}"


def part_path(folder: Path, number: int) -> Path:
    """Return the path of a part until the index is complete, such as ``part-00007.parquet`` in `folder`."""
    return folder / f"part-{number:05}.parquet"


def _count_range(plan: Plan, begin: int, end: int) -> Iterator[Tallies]:
    """Yield the counts of the keys in the buckets from `begin` to before `end`, in the order of keys.

    A range with too many plies to be counted at once is halved until it is one bucket, which is counted in
    pieces.
    """
    window = Window(plan.runs, begin, end)
    if window.count <= MAX_PLIES:
        width = _choose_width(window.count, end - begin)
        # In each of these slices all keys have the same first bits.
        shared_bits = BUCKET_BITS - (width.bit_length() - 1)
        for plies in window.pieces(width):
            if len(plies):
                yield tally_plies(plies, plan.facts, shared_bits)
        return
    if end - begin > 1:
        middle = (begin + end) // 2
        yield from _count_range(plan, begin, middle)
        yield from _count_range(plan, middle, end)
        return
    # This bucket has one or few positions that most games reach.
    total: Tallies | None = None
    for chunk in window.chunks():
        tallies = tally_plies(chunk, plan.facts, BUCKET_BITS)
        total = tallies if total is None else add_tallies([total, tallies], plan.facts)
    if total is not None:
        yield total


def _choose_width(plies: int, buckets: int) -> int:
    """Return how many buckets to count at once, so that they have about SLICE_PLIES plies together.

    `plies` is the number of plies in all `buckets`, whose number is a power of two like the result.
    """
    halvings = (plies // SLICE_PLIES).bit_length()
    return max(1, buckets >> halvings)


def bucket_ranges(plies: int) -> list[tuple[int, int]]:
    """Return the ranges of buckets that become one part of an index each, as pairs of begin and end.

    A part has about PART_PLIES of the given number of plies. All ranges have the same width.
    """
    part_count = max(1, -(-plies // PART_PLIES))
    # The next power of two, which divides BUCKETS.
    rounded_count = min(1 << (part_count - 1).bit_length(), BUCKETS)
    width = BUCKETS // rounded_count
    return [(begin, begin + width) for begin in range(0, BUCKETS, width)]


def _read_note(path: Path) -> dict[str, Any] | None:
    """Return the content of the JSON file of a finished task, or None if the file does not exist."""
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return data


# --- merging ----------------------------------------------------------------------------------------


_COUNT_COLUMNS = ("games", "wins", "draws", "losses", "rated")


def merge_part(folder: Path, number: int, begin: int, end: int, books: Sequence[str], table: str) -> PartNote:
    """Add up the rows of a range of keys of several indexes, and write them as part `number` of a new index.

    Return the counts of the part. A part that is finished already is not written again.

    Args:
        folder: The folder of the parts.
        number: The index of the part.
        begin: The first bucket of the range; a bucket has all keys with the same first BUCKET_BITS bits.
        end: The bucket behind the last one of the range.
        books: The paths of the indexes.
        table: The name of the table, MOVES or MATERIAL.
    """
    finished = find_finished_part(folder, number)
    if finished is not None:
        return finished
    facts = load_facts(folder)
    tables: list[tuple[pa.Table, int]] = []
    games_before = 0
    for book in map(Path, books):
        manifest = Manifest.read(book)
        tables.append((_read_key_range(book, manifest.parts_of(table), begin, end), games_before))
        games_before += manifest.games
    texts = _collect_texts([rows for rows, _ in tables])
    tallies = [_read_tallies(rows, texts, games) for rows, games in tables if rows.num_rows]
    return write_part(folder, number, begin, texts, [add_tallies(tallies, facts)] if tallies else [])


def _read_key_range(book: Path, parts: Sequence[TableFile], begin: int, end: int) -> pa.Table:
    """Return the rows of the index `book` whose keys are in the buckets from `begin` to before `end`.

    A bucket has all keys with the same first BUCKET_BITS bits. `parts` are the files of the table.
    """
    low = bytes.fromhex(first_key(begin))
    high = bytes.fromhex(first_key(end)) if end < BUCKETS else None
    tables = [table for path in _find_files(book, parts, low, high) for table in _read_rows(path, low, high)]
    return pa.concat_tables([MOVES_SCHEMA.empty_table(), *tables]).combine_chunks()


def _find_files(book: Path, parts: Sequence[TableFile], low: bytes, high: bytes | None) -> Iterator[Path]:
    """Yield the files of the index `book` that may have keys from `low` to before `high`.

    `parts` are in the order of keys. If `high` is None, there is no upper bound.
    """
    firsts = [bytes.fromhex(str(part.first)) for part in parts]
    for i, part in enumerate(parts):
        next_first = firsts[i + 1] if i + 1 < len(firsts) else None
        if (next_first is None or next_first > low) and (high is None or firsts[i] < high):
            yield book / part.file


def _read_rows(path: Path, low: bytes, high: bytes | None) -> Iterator[pa.Table]:
    """Yield the rows of a file whose keys are from `low` to before `high`; None is no upper bound."""
    with explaining_errors(str(path)), pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            statistics = file.metadata.row_group(group).column(0).statistics
            is_behind = high is not None and statistics.min >= high
            if statistics.max < low or is_behind:
                continue
            table = file.read_row_group(group)
            keys = table.column(0)
            is_kept = pc.greater_equal(keys, pa.scalar(low, keys.type))
            if high is not None:
                is_kept = pc.and_(is_kept, pc.less(keys, pa.scalar(high, keys.type)))
            yield table.filter(is_kept)


def _collect_texts(tables: Sequence[pa.Table]) -> list[str]:
    """Return the moves in all tables, sorted. The first text is empty and stands for no move."""
    texts = (text for table in tables for text in pc.unique(table.column("move")).to_pylist())
    return sorted({"", *(text for text in texts if text is not None)})


def _read_tallies(table: pa.Table, texts: Sequence[str], games_before: int) -> Tallies:
    """Return the rows of an index as tallies, with `games_before` added to the numbers of games.

    The moves of the tallies are indices into `texts`.
    """
    keys = table.column("key").chunk(0)
    # Each key of 16 bytes is two words, its high and its low half.
    words = np.frombuffer(keys.buffers()[1], ">u8", 2 * len(keys), keys.offset * 16).astype(np.uint64)
    moves = pc.index_in(table.column("move").fill_null(""), pa.array(texts, pa.string()))
    sums = {name: table.column(name).to_numpy().astype(np.int64) for name in _COUNT_COLUMNS}
    rating = table.column("rating").fill_null(0.0).to_numpy()
    return Tallies(
        words[::2],
        words[1::2],
        moves.to_numpy().astype(np.uint32),
        **sums,
        # An index contains the average only. Its product with the count, rounded, is exactly the sum.
        rating_sum=np.rint(rating * sums["rated"]).astype(np.int64),
        listed=_read_lists(table.column("reached"), games_before),
        latest=_read_lists(table.column("latest"), games_before),
        strongest=_read_lists(table.column("strongest"), games_before),
    )


def _read_lists(column: pa.ChunkedArray, games_before: int) -> GameLists:
    """Return a column of lists of game numbers, with `games_before` added; null becomes an empty list."""
    sizes = pc.list_value_length(column).fill_null(0).to_numpy()
    numbers = pc.list_flatten(column).to_numpy().astype(np.uint32) + np.uint32(games_before)
    return GameLists(np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))), numbers)


# --- running tasks ----------------------------------------------------------------------------------


EngineRunner = Callable[[Callable[[str], str], Sequence[str]], Iterable[str]]
"""The function `run_tasks` of an engine for clusters: it calls a function with each task on the workers."""


def run_tasks(run_options: RunOptions, tasks: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Run tasks on the engine of `run_options`, and yield the counts of each finished task, in any order.

    Raise `BulkError` if a task fails.
    """
    texts = [json.dumps(task) for task in tasks]
    if run_options.engine == LOCAL:
        yield from map(_parse_answer, _run_on_threads(texts, run_options.thread_count()))
        return
    run_options.load_engine()
    run_on_engine: EngineRunner = import_module(f"forsyth.bulk.{run_options.engine}").run_tasks
    yield from map(_parse_answer, run_on_engine(run_task, texts))


def count_parts(run_options: RunOptions, tasks: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Run tasks that each write one part of an index, and yield the counts of each part, in any order.

    The progress bar of `run_options` advances by one for each part. Raise `BulkError` if a task fails.
    """
    start_progress = run_options.start_count_progress
    progress = None if start_progress is None else start_progress(len(tasks))
    for note in run_tasks(run_options, tasks):
        if progress is not None:
            progress(note["positions"], 1)
        yield note


def _run_on_threads(tasks: Sequence[str], thread_count: int) -> Iterator[str]:
    """Run tasks on threads of this process, and yield their answers in order."""
    pool = ThreadPoolExecutor(thread_count, "forsyth-index")
    try:
        yield from pool.map(run_task, tasks)
    finally:
        pool.shutdown(cancel_futures=True)


def run_task(task: str) -> str:
    """Run a task on any worker, and return its counts. Both are JSON objects, written as text.

    A task is for example ``{"step": "count", "folder": ..., "number": 0, "begin": 0, "end": 65536}``. If it
    raises `BulkError`, ``{"error": "..."}`` is returned.
    """
    data = json.loads(task)
    try:
        return json.dumps(asdict(_execute(data.pop("step"), Path(data.pop("folder")), data)))
    except BulkError as error:
        return json.dumps({"error": str(error)})


def _execute(step: str, folder: Path, data: dict[str, Any]) -> ShardNote | PartNote:
    """Run a task and return its counts.

    `step` is ``read``, ``count`` or ``merge``; `data` has the other arguments of the function for this step.
    """
    if step == "read":
        return read_shard(folder, Shard.from_dict(data.pop("shard")), **data)
    if step == "merge":
        return merge_part(folder, **data)
    return count_part(folder, **data)


def _parse_answer(answer: str) -> dict[str, Any]:
    """Return the counts in the answer of `run_task`. Raise `BulkError` if the answer has an error."""
    data: dict[str, Any] = json.loads(answer)
    if "error" in data:
        raise BulkError(data["error"])
    return data
