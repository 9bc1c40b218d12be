"""Building an index from records, in two steps of tasks (`tasks`), and merging indexes, in one step.

The index is a directory that appears when it is complete. Until then its files are in a folder beside it, as
for every bulk job (`checkpoints`). An interrupted run is resumed from its finished shards and parts.

`merge_indexes` writes the index that would be built from the records of all given indexes. The games of the
second index get the numbers after those of the first, and so on. A game that is in two indexes counts twice.

Limits: records (PGN, also compressed) from files, URLs or standard input; the index itself is a local
directory, with at most MAX_GAMES games. Standard input cannot be resumed, and needs the local engine.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import forsyth
from forsyth import registry
from forsyth.atomic_write import copy_ownership
from forsyth.bulk.engines import checkpoints
from forsyth.bulk.engines.checkpoints import write_json
from forsyth.bulk.engines.job import Progress
from forsyth.bulk.engines.records import (
    detect_game_of_bytes,
    detect_game_of_shards,
    expand_record_files,
    plan_record_shards,
)
from forsyth.bulk.engines.shard_work import with_absolute_paths
from forsyth.bulk.errors import STANDARD, BulkError, display_name, explaining_errors
from forsyth.bulk.index.files import (
    GAME_GROUP_ROWS,
    GAMES,
    MANIFEST,
    MATERIAL,
    MAX_GAMES,
    MOVES,
    Manifest,
    Run,
    TableFile,
    has_material,
    make_games_schema,
    make_run_path,
    open_games_writer,
    read_move_texts,
)
from forsyth.bulk.index.plies import rank_days
from forsyth.bulk.index.tallies import MAX_MOVES, GameRanks
from forsyth.bulk.index.tasks import (
    CountingInput,
    PartNote,
    ShardNote,
    count_parts,
    ensure_dir,
    make_games_path,
    run_tasks,
    save_game_ranks,
    split_buckets,
)
from forsyth.bulk.jobs.inspect_input import is_pipe, require_game
from forsyth.bulk.jobs.run_files import LOCAL, AnyPath, RunOptions, Sources
from forsyth.bulk.sinks import check_target
from forsyth.bulk.sources.files import SourceFile, is_url, peek_standard_input
from forsyth.bulk.sources.shards import TARGET_BYTES, Shard, merge_small_shards
from forsyth.game import Game
from forsyth.record.encoding import Encoding


@dataclass(frozen=True, slots=True)
class IndexReport:
    """The counts of an index that has been built, and of the records that were left out."""

    manifest: Manifest
    others: int
    """Number of records of another game or variant, which were skipped."""
    faulty: int
    """Number of records with an error. Their positions before the error count."""
    target: str
    """The directory of the index."""
    was_finished: bool = False
    """Whether the index was there already, so that a resumed run had nothing to do. Records that an earlier
    run left out are not counted."""

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as a dictionary that can be written as JSON."""
        manifest = self.manifest
        return {
            "target": self.target,
            "game": manifest.game,
            "variant": manifest.variant,
            "games": manifest.games,
            "plies": manifest.plies,
            "positions": manifest.positions,
            "rows": manifest.rows,
            "left_out": self.others,
            "with_an_error": self.faulty,
        }


def build_index(
    sources: Sources,
    target: AnyPath,
    *,
    game: str | None = None,
    variant: str | None = None,
    format_in: str | None = None,
    encoding: Encoding = "utf-8",
    material: bool = False,
    run_options: RunOptions | None = None,
) -> IndexReport:
    """Build an index of all positions of the games in some files.

    Args:
        sources: A path, a pattern or a URL, or several of them.
        target: The directory of the index, which must be new or empty.
        game: The name of the game, or None to detect it from the first records.
        variant: The variant, or None for the usual one.
        format_in: The format of the files, or None to detect it.
        encoding: The encoding of the files: ``utf-8``, ``latin-1``, or ``auto``, which reads a line that is
            not UTF-8 as Latin-1.
        material: Whether games can also be found by the pieces on the board.
        run_options: How the job is run. The index does not depend on it.

    Raises:
        BulkError: If the sources cannot be read, have no games of this game and variant, or the index cannot
            be written.
    """
    options = run_options or RunOptions()
    directory = normalise_target(os.fspath(target))
    source_list = [sources] if isinstance(sources, str | os.PathLike) else sources
    files = expand_record_files([os.fspath(source) for source in source_list], format_in)
    _check_pipes(files, options)
    if options.resume:
        stamps = [file.stamp for file in files]
        finished_index = _read_finished_index(directory, stamps, game, variant, material)
        if finished_index is not None:
            return finished_index
    check_target(directory)
    target_bytes = options.shard_bytes or TARGET_BYTES
    planned_shards = plan_record_shards(files, target_bytes, encoding=encoding)
    shards = merge_small_shards(planned_shards, target_bytes=target_bytes)
    index_game = _load_index_game(shards, game, variant, material)
    table_names = (MOVES, MATERIAL) if material else (MOVES,)
    # An interrupted job can only be resumed if this description has not changed.
    job_description = {
        "forsyth": forsyth.build_info()["version"],
        "index": [index_game.name, index_game.variant, *table_names],
        "sources": [[file.path, file.size, file.stamp] for file in files],
        "shards": [shard.to_dict() for shard in shards],
    }
    progress = _start_progress(options, shards)
    with checkpoints.open_parts_folder(directory, job_description, resume=options.resume) as parts_folder:
        folder = parts_folder.absolute()
        shard_notes = _read_shards(options, folder, shards, index_game, material, progress)
        _check_game_count(shard_notes, index_game.name, index_game.variant)
        game_ranks = read_game_ranks(make_games_path(folder, note.shard) for note in shard_notes)
        parts_by_table = {
            table: _count_table(options, folder / table, table, shard_notes, game_ranks)
            for table in table_names
        }
        game_count = sum(note.games for note in shard_notes)
        ply_count = sum(note.plies[MOVES] for note in shard_notes)
        manifest = make_manifest(index_game, parts_by_table, game_count, ply_count)
        game_tables = [(make_games_path(folder, note.shard), note.games) for note in shard_notes]
        publish_index(folder, directory, manifest, game_tables)
    return IndexReport(
        manifest=Manifest.read(Path(directory)),
        others=sum(note.others for note in shard_notes),
        faulty=sum(note.faulty for note in shard_notes),
        target=directory,
    )


def _start_progress(run_options: RunOptions, shards: Sequence[Shard]) -> Progress | None:
    """Start the progress bar of a job, and return the function that advances it.

    The job reads all `shards`, which are parts of the input. Return None if the job has no progress bar.
    """
    if run_options.start_progress is None:
        return None
    return run_options.start_progress(_sum_sizes(shards))


def _load_index_game(shards: Sequence[Shard], game: str | None, variant: str | None, material: bool) -> Game:
    """Return the game of an index in its variant.

    Args:
        shards: The parts of the input, in which the game is detected if it is not named.
        game: The name of the game; None to detect it.
        variant: The name of the variant; None for the usual one.
        material: Whether games can also be found by the pieces on the board.

    Raises:
        BulkError: If the game cannot be detected, or an index of it cannot be built with these options.
    """
    game_name = _choose_game(shards, game, variant)
    index_game = registry.game(game_name, variant)
    if index_game.variant not in index_game.variants:
        raise BulkError(
            f"an index contains one variant, not {index_game.variant!r}; "
            f"name one of {', '.join(index_game.variants)} with --variant"
        )
    if material and not has_material(index_game):
        raise BulkError(f"{game_name} has no pieces on a board; omit --material")
    return index_game


def _sum_sizes(shards: Sequence[Shard]) -> int | None:
    """Return the number of bytes of all shards (parts of the input), or None if a size is unknown."""
    known_sizes = [shard.size for shard in shards if shard.size is not None]
    if len(known_sizes) < len(shards):
        return None
    return sum(known_sizes)


def _read_finished_index(
    directory: str, stamps: Sequence[str], game: str | None, variant: str | None, material: bool
) -> IndexReport | None:
    """Return the report of the index in `directory` if an earlier run has finished it, else None.

    The index must be of the same kind and newer than all sources.

    Args:
        directory: The directory of the index.
        stamps: The times of the last changes of the sources, in nanoseconds.
        game: The name of the game; None for any.
        variant: The variant; None for any.
        material: Whether the index must have material.
    """
    path = Path(directory)
    if not (path / MANIFEST).is_file():
        return None
    manifest = Manifest.read(path)
    is_same_kind = game in (None, manifest.game) and variant in (None, manifest.variant)
    if not is_same_kind or bool(manifest.material) is not material:
        return None
    built_ns = (path / MANIFEST).stat().st_mtime_ns
    is_newer = all(stamp.isdecimal() and int(stamp) < built_ns for stamp in stamps)
    return (
        IndexReport(manifest, others=0, faulty=0, target=directory, was_finished=True) if is_newer else None
    )


# --- checks -----------------------------------------------------------------------------------------


def normalise_target(target: str) -> str:
    """Return the path of the directory of an index with one ``/`` at its end, such as ``book/``.

    Raise `BulkError` if `target` is standard output (``-``) or a URL.
    """
    if target == STANDARD or is_url(target):
        raise BulkError(f"an index is a directory on this machine, not {target!r}; name a directory with -o")
    return target.rstrip("/") + "/"


def _check_pipes(files: Sequence[SourceFile], run_options: RunOptions) -> None:
    """Raise `BulkError` if a job that reads a pipe or standard input cannot do so.

    It cannot if it is resumed, or runs on a cluster. A pipe can be read only once, and only on this machine.
    """
    if not any(is_pipe(file) for file in files):
        return
    if run_options.resume:
        raise BulkError("--resume cannot be used with standard input or a pipe; name files to read")
    if run_options.engine != LOCAL:
        raise BulkError(
            f"the engine {run_options.engine} cannot read standard input or a pipe; name files to read"
        )


def _choose_game(shards: Sequence[Shard], game: str | None, variant: str | None) -> str:
    """Return the name of the game of the records: `game`, or the detected one if it is None.

    The detected game is that of most of the first records in `shards`. Raise `BulkError` if the game is not
    known, does not have the variant, or cannot be detected.
    """
    game_name = _detect_game(shards) if game is None else game
    require_game(game_name, variant)
    return game_name


def _detect_game(shards: Sequence[Shard]) -> str:
    """Return the name of the game that most of the first records in `shards` belong to.

    Raise `BulkError` if it cannot be detected.
    """
    if shards[0].path == STANDARD:
        # Standard input can be read only once. Its first bytes stay in its buffer.
        return detect_game_of_bytes(peek_standard_input(), display_name(STANDARD))
    return detect_game_of_shards(shards)


def _check_game_count(shard_notes: Sequence[ShardNote], game: str, variant: str) -> None:
    """Raise `BulkError` if the files have no record of a game and variant, or more than MAX_GAMES.

    `shard_notes` has the counts of each shard, which is a part of the input.
    """
    game_count = sum(note.games for note in shard_notes)
    if game_count > MAX_GAMES:
        raise BulkError(
            f"the records have {game_count} games, expected at most {MAX_GAMES} in one index; "
            "build several indexes"
        )
    if game_count:
        return
    other_count = sum(note.others for note in shard_notes)
    if not other_count:
        raise BulkError("the files contain no record; name PGN files that contain games")
    raise BulkError(
        f"the files contain no record of {game} ({variant}), but {other_count} other records; "
        "name the game with --game and its variant with --variant"
    )


# --- the steps --------------------------------------------------------------------------------------


def _read_shards(
    run_options: RunOptions,
    folder: Path,
    shards: Sequence[Shard],
    game: Game,
    material: bool,
    progress: Progress | None,
) -> list[ShardNote]:
    """Read the records of all shards, write their positions to files, and return the counts.

    Args:
        run_options: How the job is run. Its engine reads several shards at the same time.
        folder: The folder of the files, which are temporary.
        shards: The parts of the input. Each is a range of a file, or some small files.
        game: The game in its variant.
        material: Whether to collect the combinations of pieces on the board too.
        progress: Advances the progress bar by games and bytes; None shows none.

    Returns:
        The counts of each shard, in order.
    """
    arguments = {"folder": str(folder), "game": game.name, "variant": game.variant, "material": material}
    tasks = [{"step": "read", **arguments, "shard": _make_absolute(shard).to_dict()} for shard in shards]
    note_by_shard: dict[int, ShardNote] = {}
    for note_data in run_tasks(run_options, tasks):
        note = ShardNote(**note_data)
        note_by_shard[note.shard] = note
        if progress is not None:
            progress(note.games, shards[note.shard].size or 0)
    return [note_by_shard[shard.number] for shard in shards]


def _make_absolute(shard: Shard) -> Shard:
    """Return a shard with absolute paths, which mean the same in the folder of any worker.

    A shard of standard input (``-``) is returned unchanged.
    """
    return shard if shard.path == STANDARD else with_absolute_paths(shard)


def _count_table(
    run_options: RunOptions, folder: Path, table: str, shard_notes: Sequence[ShardNote], game_ranks: GameRanks
) -> list[PartNote]:
    """Count the positions of all games, and write one table of the index, in parts by key.

    Args:
        run_options: How the job is run. Its engine counts several parts at the same time.
        folder: The folder of the table. It has the files of positions, and receives the parts.
        table: The name of the table, MOVES or MATERIAL.
        shard_notes: The counts of each shard, which is a part of the input.
        game_ranks: The dates and strengths of all games.

    Returns:
        The counts of the parts, in the order of keys.
    """
    write_counting_input(folder, table, shard_notes, game_ranks)
    ply_count = sum(note.plies[table] for note in shard_notes)
    tasks = [
        {"step": "count", "folder": str(folder), "number": number, "begin": begin, "end": end}
        for number, (begin, end) in enumerate(split_buckets(ply_count))
    ]
    return sort_parts(count_parts(run_options, tasks))


def write_counting_input(
    folder: Path, table: str, shard_notes: Sequence[ShardNote], game_ranks: GameRanks
) -> None:
    """Assign numbers to the games and moves of all shards, and write a `CountingInput` to `folder`.

    In its shard, a game or move has a number of its own. Here it gets the number in the whole index.

    Args:
        folder: The folder with the runs, which are the files of positions of all shards.
        table: The name of the table to count, MOVES or MATERIAL.
        shard_notes: The counts of each shard, in order.
        game_ranks: The dates and strengths of all games.

    Raises:
        BulkError: If there are more than MAX_MOVES different moves.
    """
    run_paths: list[Path] = []
    games_before_runs: list[int] = []
    # The empty text stands for no move.
    distinct_moves: set[str] = {""}
    games_before = 0
    for note in shard_notes:
        for number in range(note.runs[table]):
            path = make_run_path(folder, note.shard, number)
            distinct_moves.update(read_move_texts(path))
            run_paths.append(path)
            games_before_runs.append(games_before)
        games_before += note.games
    if len(distinct_moves) > MAX_MOVES:
        raise BulkError(
            f"the records have {len(distinct_moves)} different moves, "
            f"expected at most {MAX_MOVES} in one index; build several indexes"
        )
    sorted_moves = sorted(distinct_moves)
    number_by_move = {move: number for number, move in enumerate(sorted_moves)}
    runs = []
    for path, games_before_run in zip(run_paths, games_before_runs, strict=True):
        move_numbers = [number_by_move[move] for move in read_move_texts(path)]
        runs.append(Run(str(path), games_before_run, np.array(move_numbers, np.uint32)))
    CountingInput(runs, sorted_moves, game_ranks).write_files(folder)


# --- publishing -------------------------------------------------------------------------------------


_BATCH_ROWS: Final = 1 << 16
"""Approximate number of rows of the table of games that are read at once."""


_STAGING_NAME: Final = "whole"
"""Name of the folder in which the files of an index are collected until it is complete."""


def read_game_ranks(paths: Iterable[Path]) -> GameRanks:
    """Return the date and strength (average rating) of each game, by the number of the game.

    `paths` are the files with the tables of games. The games are numbered in the order of the files.
    """
    # Games are numbered from 1, so entry 0 is not used.
    days = [np.zeros(1, np.uint32)]
    strengths = [np.zeros(1, np.uint32)]
    for path in paths:
        for batch in _read_rows(path, ["rating", "day"]):
            days.append(rank_days(batch.column("day").to_numpy()))
            strengths.append(batch.column("rating").fill_null(0).to_numpy().astype(np.uint32))
    return GameRanks(np.concatenate(days), np.concatenate(strengths))


def sort_parts(notes: Iterable[dict[str, Any]]) -> list[PartNote]:
    """Return the counts of finished parts in the order of their keys.

    `notes` has the counts of each part as a dictionary, in any order.
    """
    parts = [PartNote(**note) for note in notes]
    return sorted(parts, key=lambda part: part.number)


def make_manifest(
    game: Game, parts_by_table: Mapping[str, Sequence[PartNote]], game_count: int, ply_count: int
) -> Manifest:
    """Return the manifest of an index with its counts and files, but without the table of games.

    Args:
        game: The game of the index.
        parts_by_table: The parts of the tables MOVES and MATERIAL, by the name of the table.
        game_count: The number of games.
        ply_count: The number of positions of all games together.
    """
    moves_parts = parts_by_table[MOVES]
    material_parts = parts_by_table.get(MATERIAL, ())
    return Manifest(
        game=game.name,
        variant=game.variant,
        games=game_count,
        positions=sum(part.positions for part in moves_parts),
        rows=sum(part.rows for part in moves_parts),
        plies=ply_count,
        moves=tuple(part.to_table_file(MOVES) for part in moves_parts),
        material=tuple(part.to_table_file(MATERIAL) for part in material_parts),
    )


def publish_index(
    folder: Path, target: str, manifest: Manifest, game_tables: Sequence[tuple[Path, int]]
) -> None:
    """Move the finished parts of an index to its directory, and write the games and the manifest.

    The directory appears at its path only when it is complete.

    Args:
        folder: The folder of the parts and of other temporary files.
        target: The directory of the index, which must be new or empty.
        manifest: The manifest, without the table of games.
        game_tables: The files with the games, each with its number of games.
    """
    staging = folder / _STAGING_NAME
    directory = Path(os.path.realpath(target))
    table_names = (MOVES, GAMES, MATERIAL) if manifest.material else (MOVES, GAMES)
    with explaining_errors(target, "written"):
        # An interrupted run may have left files there.
        shutil.rmtree(staging, ignore_errors=True)
        staging.mkdir()
        for name in table_names:
            (staging / name).mkdir()
        for part in (*manifest.moves, *manifest.material):
            (folder / part.file).replace(staging / part.file)
        game_parts = tuple(_write_game_tables(staging, manifest, game_tables))
        write_json(staging / MANIFEST, replace(manifest, tables=game_parts).to_dict())
        check_target(target)
        # Replace an existing directory, which is empty, and keep its owner and permissions.
        if directory.is_dir():
            copy_ownership(staging, directory.stat())
            directory.rmdir()
        staging.replace(directory)


def _write_game_tables(
    staging: Path, manifest: Manifest, game_tables: Iterable[tuple[Path, int]]
) -> Iterator[TableFile]:
    """Write the table of games to the folder `staging`, and yield its parts for the manifest.

    `game_tables` has the files with the games, each with its number of games. The games are numbered from 1
    across all files. A file without games gives no part.
    """
    schema = make_games_schema(registry.game(manifest.game, manifest.variant))
    games_before = 0
    part_number = 0
    for path, game_count in game_tables:
        if not game_count:
            continue
        file_name = f"{GAMES}/part-{part_number:05}.parquet"
        _copy_games(path, staging / file_name, schema, games_before)
        yield TableFile(file_name, rows=game_count, first=games_before + 1)
        games_before += game_count
        part_number += 1


def _copy_games(source: Path, target: Path, schema: pa.Schema, games_before: int) -> None:
    """Copy a table of games from the file `source` to the file `target`, and renumber its games.

    Their numbers begin with `games_before` + 1.
    """
    next_number = games_before + 1
    with target.open("wb") as file, open_games_writer(file, schema) as writer:
        for batch in _read_rows(source, schema.names):
            numbers = np.arange(next_number, next_number + len(batch), dtype=np.int32)
            numbered_rows = batch.set_column(0, schema.field(0), pa.array(numbers))
            writer.write_table(pa.Table.from_batches([numbered_rows]), row_group_size=GAME_GROUP_ROWS)
            next_number += len(batch)


def _read_rows(path: Path, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Yield the columns `columns` of a table of games, about _BATCH_ROWS rows at once.

    The file is a Parquet file of an index, or an Arrow file that was written while a shard was read.
    """
    with explaining_errors(str(path)):
        if path.suffix == ".parquet":
            with pq.ParquetFile(path) as file:
                yield from file.iter_batches(_BATCH_ROWS, columns=list(columns))
        else:
            yield from _read_arrow_rows(path, columns)


def _read_arrow_rows(path: Path, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Yield the columns `columns` of an Arrow file, about _BATCH_ROWS rows at once."""
    pending: list[pa.RecordBatch] = []
    with pa.memory_map(str(path)) as source, pa.ipc.open_file(source) as reader:
        for index in range(reader.num_record_batches):
            pending.append(reader.get_batch(index).select(list(columns)))
            # The batches of the file are small.
            if sum(map(len, pending)) >= _BATCH_ROWS:
                yield pa.concat_batches(pending)
                pending = []
        if pending:
            yield pa.concat_batches(pending)


# --- merging ----------------------------------------------------------------------------------------


def merge_indexes(
    indexes: Sequence[AnyPath], target: AnyPath, *, run_options: RunOptions | None = None
) -> IndexReport:
    """Merge several indexes to a new one.

    Args:
        indexes: The directories of at least two indexes of one game and variant.
        target: The directory of the new index, which must be new or empty.
        run_options: How the job is run. The new index does not depend on it.

    Raises:
        BulkError: If the indexes cannot be merged, or the new one cannot be written.
    """
    options = run_options or RunOptions()
    directory = normalise_target(os.fspath(target))
    index_folders = [Path(os.path.realpath(index)) for index in indexes]
    manifests = [Manifest.read(index_folder) for index_folder in index_folders]
    _check_mergeable(index_folders, manifests)
    if options.resume:
        stamps = [str((path / MANIFEST).stat().st_mtime_ns) for path in index_folders]
        first = manifests[0]
        finished_index = _read_finished_index(
            directory, stamps, first.game, first.variant, bool(first.material)
        )
        if finished_index is not None:
            return finished_index
    check_target(directory)
    # An interrupted job can only be resumed if this description has not changed.
    job_description = {
        "forsyth": forsyth.build_info()["version"],
        "merge": [[str(path), (path / MANIFEST).stat().st_mtime_ns] for path in index_folders],
    }
    table_names = (MOVES, MATERIAL) if manifests[0].material else (MOVES,)
    game_count = sum(manifest.games for manifest in manifests)
    ply_count = sum(manifest.plies for manifest in manifests)
    game_tables = [
        (index_folder / part.file, part.rows)
        for index_folder, manifest in zip(index_folders, manifests, strict=True)
        for part in manifest.tables
    ]
    with checkpoints.open_parts_folder(directory, job_description, resume=options.resume) as parts_folder:
        folder = parts_folder.absolute()
        game_ranks = read_game_ranks(path for path, _ in game_tables)
        parts_by_table = {
            name: _merge_table(options, ensure_dir(folder / name), name, index_folders, ply_count, game_ranks)
            for name in table_names
        }
        game = registry.game(manifests[0].game, manifests[0].variant)
        merged_manifest = make_manifest(game, parts_by_table, game_count, ply_count)
        publish_index(folder, directory, merged_manifest, game_tables)
    return IndexReport(Manifest.read(Path(directory)), others=0, faulty=0, target=directory)


def _merge_table(
    run_options: RunOptions,
    folder: Path,
    table: str,
    indexes: Sequence[Path],
    ply_count: int,
    game_ranks: GameRanks,
) -> list[PartNote]:
    """Merge one table of all indexes, and write the new table, in parts by key.

    Args:
        run_options: How the job is run. Its engine merges several ranges of keys at the same time.
        folder: The folder to which the parts are written.
        table: The name of the table, MOVES or MATERIAL.
        indexes: The paths of the indexes.
        ply_count: The number of plies of all indexes, which determines the number of parts.
        game_ranks: The dates and strengths of all games.

    Returns:
        The counts of the parts, in the order of keys.
    """
    save_game_ranks(game_ranks, folder)
    index_paths = [str(path) for path in indexes]
    tasks = [
        {
            "step": "merge",
            "folder": str(folder),
            "number": number,
            "begin": begin,
            "end": end,
            "indexes": index_paths,
            "table": table,
        }
        for number, (begin, end) in enumerate(split_buckets(ply_count))
    ]
    return sort_parts(count_parts(run_options, tasks))


def _check_mergeable(indexes: Sequence[Path], manifests: Sequence[Manifest]) -> None:
    """Raise `BulkError` if some indexes cannot be merged.

    There must be at least two, of one game and variant, all with material or all without it. Together they
    may have at most MAX_GAMES games. `manifests` has the manifest of each index.
    """
    if len(indexes) < 2:
        raise BulkError(f"there are {len(indexes)} indexes to merge, expected at least two; name them")
    first_path = indexes[0]
    first = manifests[0]
    for path, manifest in zip(indexes, manifests, strict=True):
        if (manifest.game, manifest.variant) != (first.game, first.variant):
            raise BulkError(
                f"{path} is an index of {manifest.game} ({manifest.variant}), and {first_path} of "
                f"{first.game} ({first.variant}); only indexes of one game and variant can be merged"
            )
        if bool(manifest.material) is not bool(first.material):
            raise BulkError(
                f"only one of {path} and {first_path} has material; "
                "build both indexes with --material, or both without it"
            )
    game_count = sum(manifest.games for manifest in manifests)
    if game_count > MAX_GAMES:
        raise BulkError(
            f"the indexes have {game_count} games, expected at most {MAX_GAMES} in one index; "
            "merge fewer of them"
        )
