"""The tasks of building and merging indexes: read a shard, count a range of keys, merge a range of indexes.

A task and its answer are texts, so that every engine can send them. The local engine runs tasks on threads.
A `BulkError` in a task is returned in the answer. A task writes files that are either complete or absent,
and a note when it has finished. If a worker is killed, its task can be repeated, even by two workers at the
same time, because both write the same bytes.

To build an index, `read_shard` writes runs of the plies of a shard, and a table of its games. A
`CountingInput` has the numbers of the games and moves of all shards. `count_part` makes one part of the index
from the plies of a range of keys in all runs. To merge indexes, `merge_part` adds up the rows of a range of
keys.

Memory: one run while a shard is read; later about PART_PLIES plies, also if one position has more plies.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from importlib import import_module
from math import ceil
from pathlib import Path
from typing import Any, Final, NamedTuple

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
    COUNT_COLUMNS,
    KEY_BYTES,
    MATERIAL,
    MOVES,
    MOVES_SCHEMA,
    BucketPlies,
    Manifest,
    MovesWriter,
    Run,
    RunWriter,
    TableFile,
    make_games_schema,
)
from forsyth.bulk.index.plies import Skipped, read_shard_plies
from forsyth.bulk.index.tallies import MAX_PLIES, GameLists, GameRanks, Tallies, add_tallies, tally_plies
from forsyth.bulk.jobs.run_files import LOCAL, RunOptions
from forsyth.bulk.sources.shards import Shard
from forsyth.bulk.verbs.selection import read_key_halves
from forsyth.game import Game

_KEY_BITS: Final = 8 * KEY_BYTES
PART_PLIES: Final = 1 << 20
"""Approximate number of plies that become one part."""
SLICE_PLIES: Final = 1 << 17
"""Approximate number of plies that are counted at once, so that they fit into the cache of a core."""


# --- reading shards ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShardNote:
    """The counts of a shard, a part of the input. A task writes them to a file when it is done."""

    shard: int
    """The number of the shard."""
    games: int
    others: int
    """Number of records of other games, which were skipped."""
    faulty: int
    """Number of records with an error."""
    runs: dict[str, int]
    """Number of runs of each table."""
    plies: dict[str, int]
    """Number of plies of each table."""


def read_shard(folder: Path, shard: Shard, game: str, variant: str, material: bool = False) -> ShardNote:
    """Read all records of a shard, and write its positions and games to files in `folder`.

    The positions are written as runs: temporary files that are sorted roughly by key. If an earlier call has
    finished the shard, nothing is written.

    Args:
        folder: The folder of the temporary files.
        shard: A part of the input: a range of a file, or some files.
        game: The name of the game. Records of other games are skipped.
        variant: The name of its variant.
        material: Whether to collect the combinations of pieces on the board too.

    Returns:
        The counts of records, positions and files.
    """
    note_path = folder / f"{shard.number:05}.json"
    finished_note = _read_note(note_path)
    if finished_note is not None:
        return ShardNote(**finished_note)
    tables = (MOVES, MATERIAL) if material else (MOVES,)
    run_writers = {name: RunWriter(ensure_dir(folder / name), shard.number) for name in tables}
    game_count, skipped = _write_shard(
        folder, shard, registry.game(game, variant), run_writers, material=material
    )
    note = ShardNote(
        shard=shard.number,
        games=game_count,
        others=skipped.others,
        faulty=skipped.faulty,
        runs={name: run_writer.run_count for name, run_writer in run_writers.items()},
        plies={name: run_writer.ply_count for name, run_writer in run_writers.items()},
    )
    write_json(note_path, asdict(note))
    return note


def _write_shard(
    folder: Path, shard: Shard, game: Game, run_writers: Mapping[str, RunWriter], *, material: bool
) -> tuple[int, Skipped]:
    """Write the positions and games of a shard to files, and return the counts of its records.

    Args:
        folder: The folder of the table of games.
        shard: A part of the input: a range of a file, or some files.
        game: The game. Records of other games are skipped.
        run_writers: The writers of positions, by the name of the table: MOVES and MATERIAL.
        material: Whether to collect the combinations of pieces on the board too.

    Returns:
        The number of games, and the counts of records that were skipped.
    """
    game_count = 0
    skipped = Skipped()
    games_path = make_games_path(folder, shard.number)
    with (
        explaining_errors(str(games_path), "written"),
        atomic_write(games_path) as file,
        pa.ipc.new_file(file, make_games_schema(game)) as games_writer,
    ):
        for batch in read_shard_plies(shard, game, material=material):
            # The games of each batch are numbered from 1.
            games_writer.write_batch(renumber_games(batch.games, game_count))
            _shift_game_numbers(batch.plies, game_count)
            run_writers[MOVES].add_plies(batch.plies, batch.moves)
            if batch.material is not None:
                _shift_game_numbers(batch.material.plies, game_count)
                run_writers[MATERIAL].add_plies(batch.material.plies, batch.material.texts)
            game_count += batch.games.num_rows
            skipped += batch.skipped
        for run_writer in run_writers.values():
            run_writer.close()
    return game_count, skipped


def ensure_dir(folder: Path) -> Path:
    """Create `folder` if it does not exist, and return it."""
    folder.mkdir(exist_ok=True)
    return folder


def _shift_game_numbers(plies: np.ndarray, games_before: int) -> None:
    """Add `games_before` to the game numbers of `plies`, an array of type PLY, in place."""
    plies["game"] += np.uint32(games_before)


def make_games_path(folder: Path, shard: int) -> Path:
    """Return the path of the table of games of a shard, such as ``00003.games.arrow`` in `folder`.

    `shard` is the number of the shard, 3 in this example.
    """
    return folder / f"{shard:05}.games.arrow"


def renumber_games(games: pa.RecordBatch, games_before: int) -> pa.RecordBatch:
    """Return rows of the table of games with `games_before` added to their numbers.

    The numbers are the first column.
    """
    numbers = pa.array(games.column(0).to_numpy() + np.int32(games_before))
    return games.set_column(0, games.schema.field(0), numbers)


# --- counting ---------------------------------------------------------------------------------------


_INPUT_FILE: Final = "plan.json"
_MOVE_NUMBERS_FILE: Final = "places.npy"
"""Names of the files of a `CountingInput`: its lists, and the move numbers of all runs."""


@dataclass(frozen=True, slots=True)
class CountingInput:
    """The input of the tasks that count positions: all plies, moves and dates of the games."""

    runs: list[Run]
    """The files of plies, which are positions with the move that followed."""
    texts: list[str]
    """The texts of all moves, sorted. The number of a move in the index is the index of its text here."""
    game_ranks: GameRanks
    """The dates and strengths of all games."""

    def write_files(self, folder: Path) -> None:
        """Write the input to files in `folder`, from which `read_files` reads it.

        Each file is either complete or absent.
        """
        no_numbers = np.empty(0, np.uint32)
        move_numbers = np.concatenate([no_numbers, *(run.move_numbers for run in self.runs)])
        with atomic_write(folder / _MOVE_NUMBERS_FILE) as file:
            np.save(file, move_numbers)
        save_game_ranks(self.game_ranks, folder)
        data = {
            "runs": [[run.path, run.games_before, len(run.move_numbers)] for run in self.runs],
            "texts": self.texts,
        }
        write_json(folder / _INPUT_FILE, data)

    @classmethod
    def read_files(cls, folder: Path) -> CountingInput:
        """Return the input that `write_files` wrote to `folder`.

        Its arrays stay on the disk (memory-mapped).
        """
        data = json.loads((folder / _INPUT_FILE).read_text(encoding="utf-8"))
        # The move numbers of all runs are in one file, one run after the other.
        all_move_numbers = np.load(folder / _MOVE_NUMBERS_FILE, mmap_mode="r")
        runs = []
        begin = 0
        for path, games_before, move_count in data["runs"]:
            end = begin + move_count
            runs.append(Run(path, games_before, all_move_numbers[begin:end]))
            begin = end
        return cls(runs, data["texts"], load_game_ranks(folder))


def save_game_ranks(game_ranks: GameRanks, folder: Path) -> None:
    """Write the dates and strengths of all games to ``days.npy`` and ``strengths.npy`` in `folder`."""
    for name, array in (("days", game_ranks.days), ("strengths", game_ranks.strengths)):
        with atomic_write(folder / f"{name}.npy") as file:
            np.save(file, array)


def load_game_ranks(folder: Path) -> GameRanks:
    """Return the dates and strengths that `save_game_ranks` wrote to `folder`.

    The arrays stay on the disk (memory-mapped).
    """
    days, strengths = (np.load(folder / f"{name}.npy", mmap_mode="r") for name in ("days", "strengths"))
    return GameRanks(days=days, strengths=strengths)


@dataclass(frozen=True, slots=True)
class PartNote:
    """The counts of a finished part of an index, which are written to a file beside the part."""

    number: int
    """The index of the part."""
    rows: int
    positions: int
    first: str
    """The lowest key that the part may have, in hexadecimal digits."""

    def to_table_file(self, table: str) -> TableFile:
        """Return the entry of this part in the manifest. `table` is the name of its table."""
        return TableFile(file=f"{table}/part-{self.number:05}.parquet", rows=self.rows, first=self.first)


def count_part(folder: Path, number: int, begin: int, end: int) -> PartNote:
    """Count the positions in a range of keys, and write the counts as one part of the index.

    A part that is finished already is not written again.

    Args:
        folder: The folder of the parts, and of the input for counting, which has all positions.
        number: The index of the part.
        begin: The first bucket of the range; a bucket has all keys with the same first BUCKET_BITS bits.
        end: The bucket behind the last one of the range.

    Returns:
        The counts of the part.
    """
    finished_part = find_finished_part(folder, number)
    if finished_part is not None:
        return finished_part
    counting_input = CountingInput.read_files(folder)
    tallies = _count_range(counting_input, begin, end)
    return write_part(folder, number, begin, counting_input.texts, tallies)


def find_finished_part(folder: Path, number: int) -> PartNote | None:
    """Return the counts of part `number` of an index, or None if this part is not finished.

    `folder` is the folder of the parts.
    """
    path = make_part_path(folder, number)
    note = _read_note(path.with_suffix(".json"))
    # Publishing the index moves the parts away. If it is interrupted, the notes remain.
    if note is None or not path.exists():
        return None
    return PartNote(**note)


def write_part(
    folder: Path, number: int, begin: int, move_texts: Sequence[str], tallies: Iterable[Tallies]
) -> PartNote:
    """Write one part of an index, and a JSON file with its counts. Return the counts.

    Args:
        folder: The folder of the parts.
        number: The index of the part.
        begin: The first bucket of the part; a bucket has all keys with the same first BUCKET_BITS bits.
        move_texts: The moves, such as ``Nf3``, that the numbers in `tallies` stand for.
        tallies: The counts of positions and moves, in the order of keys.
    """
    path = make_part_path(folder, number)
    with explaining_errors(str(path), "written"), atomic_write(path) as file:
        writer = MovesWriter(file, move_texts)
        for batch in tallies:
            writer.write(batch)
        writer.close()
    note = PartNote(number, writer.rows, writer.positions, first=make_first_key(begin))
    write_json(path.with_suffix(".json"), asdict(note))
    return note


def make_first_key(bucket: int) -> str:
    """Return the lowest key in a bucket, which has all keys with the same first BUCKET_BITS bits.

    The key has 32 hexadecimal digits. Those of bucket 1, for example, are ``0001`` and 28 zeros.
    """
    return f"{bucket << (_KEY_BITS - BUCKET_BITS):032x}"


def make_part_path(folder: Path, number: int) -> Path:
    """Return the path of part `number` of an index in `folder`, such as ``part-00007.parquet``."""
    return folder / f"part-{number:05}.parquet"


def _count_range(counting_input: CountingInput, begin: int, end: int) -> Iterator[Tallies]:
    """Yield the counts of the positions and moves in a range of keys, in the order of keys.

    A range with more than MAX_PLIES plies is halved, until it can be counted at once. If it is a single
    bucket (all keys with the same first BUCKET_BITS bits), it is counted in chunks.

    Args:
        counting_input: The positions of all games.
        begin: The first bucket.
        end: The bucket behind the last one.
    """
    bucket_plies = BucketPlies(counting_input.runs, begin, end)
    bucket_count = end - begin
    if bucket_plies.count <= MAX_PLIES:
        yield from _count_slices(bucket_plies, bucket_count, counting_input.game_ranks)
    elif bucket_count > 1:
        middle = (begin + end) // 2
        yield from _count_range(counting_input, begin, middle)
        yield from _count_range(counting_input, middle, end)
    else:
        yield _count_large_bucket(bucket_plies, counting_input.game_ranks)


def _count_slices(bucket_plies: BucketPlies, bucket_count: int, game_ranks: GameRanks) -> Iterator[Tallies]:
    """Yield the counts of all plies in `bucket_count` buckets, some buckets at a time.

    There must be at most MAX_PLIES plies. `bucket_count` is a power of two.
    """
    width = _choose_slice_width(bucket_plies.count, bucket_count)
    # The width is a power of two, so all keys of a slice have the same first bits.
    differing_bits = width.bit_length() - 1
    shared_bits = BUCKET_BITS - differing_bits
    for plies in bucket_plies.iter_slices(width):
        if len(plies):
            yield tally_plies(plies, game_ranks, shared_bits)


def _count_large_bucket(bucket_plies: BucketPlies, game_ranks: GameRanks) -> Tallies:
    """Return the counts of one bucket with more than MAX_PLIES plies, added up chunk by chunk.

    Such a bucket has one or a few positions that most games reach.
    """
    chunks = bucket_plies.iter_chunks()
    total = tally_plies(next(chunks), game_ranks, BUCKET_BITS)
    for chunk in chunks:
        chunk_tallies = tally_plies(chunk, game_ranks, BUCKET_BITS)
        total = add_tallies([total, chunk_tallies], game_ranks)
    return total


def _choose_slice_width(ply_count: int, bucket_count: int) -> int:
    """Return the number of buckets to count at once, so that they have about SLICE_PLIES plies.

    Args:
        ply_count: The number of plies in all buckets.
        bucket_count: The number of all buckets, a power of two. The result is a power of two as well.
    """
    halvings = (ply_count // SLICE_PLIES).bit_length()
    return max(1, bucket_count >> halvings)


def split_buckets(ply_count: int) -> list[tuple[int, int]]:
    """Return the range of buckets of each part of an index: ``[(0, 32768), (32768, 65536)]``.

    A bucket has all keys with the same first BUCKET_BITS bits. All ranges have the same width, so that a part
    has about PART_PLIES plies. `ply_count` is the number of plies of the whole index.
    """
    part_count = max(1, ceil(ply_count / PART_PLIES))
    next_power_of_two = 1 << (part_count - 1).bit_length()
    # A power of two divides BUCKETS, unless it is larger.
    width = BUCKETS // min(next_power_of_two, BUCKETS)
    return [(begin, begin + width) for begin in range(0, BUCKETS, width)]


def _read_note(path: Path) -> dict[str, Any] | None:
    """Return the counts in the JSON file of a finished task, or None if the file does not exist."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    counts: dict[str, Any] = json.loads(text)
    return counts


# --- merging ----------------------------------------------------------------------------------------


def merge_part(
    folder: Path, number: int, begin: int, end: int, indexes: Sequence[str], table: str
) -> PartNote:
    """Merge the rows of several indexes in a range of keys, and write them as a part of a new index.

    A part that is finished already is not written again.

    Args:
        folder: The folder of the parts.
        number: The index of the part.
        begin: The first bucket of the range; a bucket has all keys with the same first BUCKET_BITS bits.
        end: The bucket behind the last one of the range.
        indexes: The paths of the indexes.
        table: The name of the table, MOVES or MATERIAL.

    Returns:
        The counts of the part.
    """
    finished_part = find_finished_part(folder, number)
    if finished_part is not None:
        return finished_part
    key_range = _KeyRange.of_buckets(begin, end)
    rows_by_index: list[pa.Table] = []
    first_games: list[int] = []
    games_before = 0
    for index in map(Path, indexes):
        manifest = Manifest.read(index)
        rows_by_index.append(_read_key_range(index, manifest.get_parts(table), key_range))
        first_games.append(games_before)
        games_before += manifest.games
    move_texts = _collect_move_texts(rows_by_index)
    tallies = [
        _convert_to_tallies(rows, move_texts, games_before=first_game)
        for rows, first_game in zip(rows_by_index, first_games, strict=True)
        if rows.num_rows
    ]
    merged = [add_tallies(tallies, load_game_ranks(folder))] if tallies else []
    return write_part(folder, number, begin, move_texts, merged)


class _KeyRange(NamedTuple):
    """The keys from `first` to before `end`. If `end` is None, there is no upper bound."""

    first: bytes
    end: bytes | None

    @classmethod
    def of_buckets(cls, begin: int, end: int) -> _KeyRange:
        """Return the range of the keys in the buckets from `begin` to before `end`.

        A bucket has all keys with the same first BUCKET_BITS bits.
        """
        lowest_key = bytes.fromhex(make_first_key(begin))
        end_key = bytes.fromhex(make_first_key(end)) if end < BUCKETS else None
        return cls(lowest_key, end_key)

    def may_overlap(self, first: bytes, last: bytes | None) -> bool:
        """Return whether keys from `first` to `last` may be in this range.

        If `last` is None, there is no upper bound.
        """
        begins_before_end = self.end is None or first < self.end
        ends_after_first = last is None or last >= self.first
        return begins_before_end and ends_after_first

    def mark_contained(self, keys: pa.ChunkedArray) -> pa.ChunkedArray:
        """Return an array that is true for each of `keys` that is in this range."""
        is_contained = pc.greater_equal(keys, pa.scalar(self.first, keys.type))
        if self.end is not None:
            is_contained = pc.and_(is_contained, pc.less(keys, pa.scalar(self.end, keys.type)))
        return is_contained


def _read_key_range(index: Path, parts: Sequence[TableFile], key_range: _KeyRange) -> pa.Table:
    """Return the rows of one table of an index whose keys are in `key_range`.

    `index` is the folder of the index, and `parts` are the files of the table, in the order of keys.
    """
    tables = [MOVES_SCHEMA.empty_table()]
    for path in _find_files(index, parts, key_range):
        tables += _read_rows(path, key_range)
    return pa.concat_tables(tables).combine_chunks()


def _find_files(index: Path, parts: Sequence[TableFile], key_range: _KeyRange) -> Iterator[Path]:
    """Yield the paths of the files of a table that may have keys in `key_range`.

    `index` is the folder of the index, and `parts` are the files of the table, in the order of keys.
    """
    first_keys = [bytes.fromhex(str(part.first)) for part in parts]
    next_keys = [*first_keys[1:], None]
    for part, first, next_first in zip(parts, first_keys, next_keys, strict=False):
        # All keys of this part are below the first key of the next one.
        is_below_range = next_first is not None and next_first <= key_range.first
        if not is_below_range and key_range.may_overlap(first, None):
            yield index / part.file


def _read_rows(path: Path, key_range: _KeyRange) -> Iterator[pa.Table]:
    """Yield the rows of one file of an index whose keys are in `key_range`.

    Each table has the rows of one row group of the file.
    """
    with explaining_errors(str(path)), pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            statistics = file.metadata.row_group(group).column(0).statistics
            if key_range.may_overlap(statistics.min, statistics.max):
                table = file.read_row_group(group)
                yield table.filter(key_range.mark_contained(table.column(0)))


def _collect_move_texts(tables: Sequence[pa.Table]) -> list[str]:
    """Return the texts of the moves in all tables, sorted.

    The first text is empty and stands for no move.
    """
    move_texts = {""}
    for table in tables:
        distinct_moves = pc.unique(table.column("move")).to_pylist()
        move_texts.update(move for move in distinct_moves if move is not None)
    return sorted(move_texts)


def _convert_to_tallies(table: pa.Table, move_texts: Sequence[str], games_before: int) -> Tallies:
    """Convert rows of an index to `Tallies`, which can be added up.

    Args:
        table: The rows, at least one.
        move_texts: The texts of all moves. In the tallies a move is an index into these texts.
        games_before: The number to add to the numbers of games.
    """
    keys = read_key_halves(table.column("key").chunk(0))
    moves = pc.index_in(table.column("move").fill_null(""), pa.array(move_texts, pa.string()))
    counts = {name: table.column(name).to_numpy().astype(np.int64) for name in COUNT_COLUMNS}
    average_ratings = table.column("rating").fill_null(0.0).to_numpy()
    # An index contains only the average. Its product with the count, rounded, is exactly the sum.
    rating_sums = np.rint(average_ratings * counts["rated"]).astype(np.int64)
    return Tallies(
        keys.high.astype(np.uint64),
        keys.low.astype(np.uint64),
        moves.to_numpy().astype(np.uint32),
        **counts,
        rating_sum=rating_sums,
        listed=_convert_lists(table.column("reached"), games_before),
        latest=_convert_lists(table.column("latest"), games_before),
        strongest=_convert_lists(table.column("strongest"), games_before),
    )


def _convert_lists(column: pa.ChunkedArray, games_before: int) -> GameLists:
    """Convert a column of lists of game numbers to `GameLists`.

    `games_before` is added to the numbers. A null becomes an empty list.
    """
    sizes = pc.list_value_length(column).fill_null(0).to_numpy()
    numbers = pc.list_flatten(column).to_numpy().astype(np.uint32) + np.uint32(games_before)
    return GameLists(np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))), numbers)


# --- running tasks ----------------------------------------------------------------------------------


EngineRunner = Callable[[Callable[[str], str], Sequence[str]], Iterable[str]]
"""The function `run_tasks` of an engine for clusters.

It takes a function and some tasks, calls the function with each task on the workers, and yields the answers.
"""


def run_tasks(run_options: RunOptions, tasks: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Run tasks on the engine of `run_options`, and yield the counts of each task that is finished.

    A task has the name of a step and the arguments of its function, such as ``{"step": "count", ...}`` (see
    `run_task`). The tasks finish in any order. Raise `BulkError` if one of them fails.
    """
    texts = [json.dumps(task) for task in tasks]
    if run_options.engine == LOCAL:
        answers: Iterable[str] = _run_on_threads(texts, run_options.thread_count())
    else:
        # This raises an error with a remedy if the engine is not installed.
        run_options.load_engine()
        run_on_engine: EngineRunner = import_module(f"forsyth.bulk.{run_options.engine}").run_tasks
        answers = run_on_engine(run_task, texts)
    yield from map(_parse_answer, answers)


def count_parts(run_options: RunOptions, tasks: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Run tasks that each write one part of an index, and yield the counts of each finished part.

    The parts are finished in any order. The progress bar of `run_options` advances by one for each. Raise
    `BulkError` if a task fails.
    """
    start_progress = run_options.start_count_progress
    progress = None if start_progress is None else start_progress(len(tasks))
    for note in run_tasks(run_options, tasks):
        if progress is not None:
            progress(note["positions"], 1)
        yield note


def _run_on_threads(tasks: Sequence[str], thread_count: int) -> Iterator[str]:
    """Run tasks (JSON texts) on threads of this process, and yield their answers in order.

    If a task fails, the tasks that have not been started are cancelled.
    """
    pool = ThreadPoolExecutor(thread_count, "forsyth-index")
    try:
        yield from pool.map(run_task, tasks)
    finally:
        pool.shutdown(cancel_futures=True)


def run_task(task: str) -> str:
    """Run a task on any worker, and return its counts. Both are JSON objects in a text.

    A task is, for example, ``{"step": "count", "folder": ..., "number": 0, "begin": 0, "end": 65536}``. If it
    raises `BulkError`, ``{"error": "..."}`` is returned.
    """
    arguments = json.loads(task)
    step = arguments.pop("step")
    folder = Path(arguments.pop("folder"))
    try:
        note = _run_step(step, folder, arguments)
    except BulkError as error:
        return json.dumps({"error": str(error)})
    return json.dumps(asdict(note))


def _run_step(step: str, folder: Path, arguments: dict[str, Any]) -> ShardNote | PartNote:
    """Call the function for one step of building or merging an index, and return its counts.

    Args:
        step: ``read`` to read a shard, ``count`` or ``merge`` to write a part of the index.
        folder: The folder of the temporary files.
        arguments: The other arguments of the function for this step.
    """
    if step == "read":
        shard = Shard.from_dict(arguments.pop("shard"))
        return read_shard(folder, shard, **arguments)
    if step == "merge":
        return merge_part(folder, **arguments)
    return count_part(folder, **arguments)


def _parse_answer(answer: str) -> dict[str, Any]:
    """Return the counts in the JSON text that `run_task` returned.

    Raise `BulkError` if the text contains an error instead of counts.
    """
    data: dict[str, Any] = json.loads(answer)
    if "error" in data:
        raise BulkError(data["error"])
    return data
