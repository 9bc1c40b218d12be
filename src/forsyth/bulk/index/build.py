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
from forsyth.bulk.engines.records import detect_game_of_shards, expand_record_files, plan_record_shards
from forsyth.bulk.engines.shard_work import with_absolute_paths
from forsyth.bulk.errors import STANDARD, BulkError, explaining_errors
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
    games_schema,
    has_material,
    open_games_writer,
    read_move_texts,
    run_path,
)
from forsyth.bulk.index.plies import rank_days
from forsyth.bulk.index.tallies import MAX_MOVES, Facts
from forsyth.bulk.index.tasks import (
    PartNote,
    Plan,
    ShardNote,
    bucket_ranges,
    count_parts,
    ensure_dir,
    games_path,
    run_tasks,
    save_facts,
)
from forsyth.bulk.jobs.inspect_input import is_pipe, require_game
from forsyth.bulk.jobs.run_files import LOCAL, AnyPath, RunOptions, Sources
from forsyth.bulk.sinks import check_target
from forsyth.bulk.sources.files import SourceFile, is_url
from forsyth.bulk.sources.shards import TARGET_BYTES, Shard, merge_small_shards
from forsyth.game import Game


@dataclass(frozen=True, slots=True)
class Built:
    """The result of building an index."""

    manifest: Manifest
    others: int
    """Number of records of another game or variant, which were skipped."""
    faulty: int
    """Number of records with an error. Their positions before the error count."""
    target: str

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as JSON-ready data."""
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
    material: bool = False,
    run_options: RunOptions | None = None,
) -> Built:
    """Build an index of the records of files in the new directory `target`.

    Args:
        sources: A path, a pattern or a URL, or several of them.
        target: The directory of the index, which must not exist or be empty.
        game: The name of the game, or None to detect it from the first records.
        variant: The variant, or None for the usual one.
        format_in: The format of the files, or None to detect it.
        material: Whether games can also be found by the pieces on the board.
        run_options: How to run the job; it does not change the index.

    Raises:
        BulkError: If the options exclude each other, the sources cannot be read or have no games of this game
            and variant, or the index cannot be written.
    """
    run_options = run_options or RunOptions()
    directory = normalise_target(os.fspath(target))
    check_target(directory)
    source_list = [sources] if isinstance(sources, str | os.PathLike) else sources
    files = expand_record_files([os.fspath(source) for source in source_list], format_in)
    _check_pipes(files, run_options)
    target_bytes = run_options.shard_bytes or TARGET_BYTES
    shards = merge_small_shards(plan_record_shards(files, target_bytes), target_bytes=target_bytes)
    game_name = _choose_game(shards, game, variant)
    rules = registry.game(game_name, variant)
    if rules.variant not in rules.variants:
        raise BulkError(
            f"an index contains one variant, not {rules.variant!r}; "
            f"name one of {', '.join(rules.variants)} with --variant"
        )
    if material and not has_material(rules):
        raise BulkError(f"{game_name} has no pieces on a board; omit --material")
    table_names = (MOVES, MATERIAL) if material else (MOVES,)
    start_progress = run_options.start_progress
    progress = None if start_progress is None else start_progress(_sum_sizes(shards))
    job = {
        "forsyth": forsyth.build_info()["version"],
        "index": [rules.name, rules.variant, *table_names],
        "sources": [[file.path, file.size, file.stamp] for file in files],
        "shards": [shard.to_dict() for shard in shards],
    }
    with checkpoints.open_parts_folder(directory, job, resume=run_options.resume) as folder:
        work = folder.absolute()
        shard_notes = _read_shards(run_options, work, shards, rules, material, progress)
        _check_game_count(shard_notes, rules.name, rules.variant)
        facts = read_facts(games_path(work, note.shard) for note in shard_notes)
        tables = {
            table: _count_table(run_options, work / table, table, shard_notes, facts) for table in table_names
        }
        game_count = sum(note.games for note in shard_notes)
        ply_count = sum(note.plies[MOVES] for note in shard_notes)
        manifest = make_manifest(rules, tables, game_count, ply_count)
        game_tables = [(games_path(work, note.shard), note.games) for note in shard_notes]
        publish_index(work, directory, manifest, game_tables)
    finished = Manifest.read(Path(directory))
    return Built(
        finished,
        sum(note.others for note in shard_notes),
        sum(note.faulty for note in shard_notes),
        directory,
    )


def _sum_sizes(shards: Sequence[Shard]) -> int | None:
    """Return the number of bytes of all shards, or None if the size of one is not known."""
    sizes = [shard.size for shard in shards if shard.size is not None]
    return sum(sizes) if len(sizes) == len(shards) else None


# --- checks -----------------------------------------------------------------------------------------


def normalise_target(target: str) -> str:
    """Return `target` as the path of a directory, which ends with one ``/``.

    Raise `BulkError` if it is standard output (``-``) or a URL.
    """
    if target == STANDARD or is_url(target):
        raise BulkError("an index is a directory on this machine; name a directory with -o")
    return target.rstrip("/") + "/"


def _check_pipes(files: Sequence[SourceFile], run_options: RunOptions) -> None:
    """Raise `BulkError` if a source is a pipe, and the job is resumed or runs on a cluster."""
    if any(is_pipe(file) for file in files):
        if run_options.resume:
            raise BulkError("--resume cannot be used with standard input or a pipe; name files to read")
        if run_options.engine != LOCAL:
            raise BulkError(
                f"the engine {run_options.engine} cannot read standard input or a pipe; name files to read"
            )


def _choose_game(shards: Sequence[Shard], game: str | None, variant: str | None) -> str:
    """Return `game`, or the game of most of the first records if `game` is None.

    Raise `BulkError` if the game is not known, does not have the variant, or cannot be detected.
    """
    if game is None:
        if shards[0].path == STANDARD:
            raise BulkError("the game of standard input cannot be detected; name it with --game")
        game = detect_game_of_shards(shards)
    require_game(game, variant)
    return game


def _check_game_count(notes: Sequence[ShardNote], game: str, variant: str) -> None:
    """Raise `BulkError` if the files have no record of this game and variant, or more than MAX_GAMES.

    `notes` has the counts of each shard.
    """
    games = sum(note.games for note in notes)
    if games > MAX_GAMES:
        raise BulkError(
            f"the records have {games} games, expected at most {MAX_GAMES} in one index; "
            "build several indexes"
        )
    if not games:
        others = sum(note.others for note in notes)
        if not others:
            raise BulkError("the files contain no record; name PGN files that contain games")
        raise BulkError(
            f"the files contain no record of {game} ({variant}), but {others} other records; "
            "name the game with --game and its variant with --variant"
        )


# --- the steps --------------------------------------------------------------------------------------


def _read_shards(
    run_options: RunOptions,
    folder: Path,
    shards: Sequence[Shard],
    rules: Game,
    material: bool,
    progress: Progress | None,
) -> list[ShardNote]:
    """Read the records of all shards into files in `folder`, and return the counts of each shard, in order.

    Args:
        run_options: How the job is run; its engine reads several shards at the same time.
        folder: The folder of the temporary files.
        shards: The shards of the input.
        rules: The game.
        material: Whether to collect the pieces on the board too.
        progress: Advances the progress bar by games and bytes; None shows none.
    """
    arguments = {"folder": str(folder), "game": rules.name, "variant": rules.variant, "material": material}
    tasks = [{"step": "read", **arguments, "shard": _make_absolute(shard).to_dict()} for shard in shards]
    notes = {}
    for note_data in run_tasks(run_options, tasks):
        note = ShardNote(**note_data)
        notes[note.shard] = note
        if progress is not None:
            progress(note.games, shards[note.shard].size or 0)
    return [notes[shard.number] for shard in shards]


def _make_absolute(shard: Shard) -> Shard:
    """Return a shard with absolute paths, so that any worker can read it; standard input stays as it is."""
    return shard if shard.path == STANDARD else with_absolute_paths(shard)


def _count_table(
    run_options: RunOptions, folder: Path, table: str, notes: Sequence[ShardNote], facts: Facts
) -> list[PartNote]:
    """Count all positions for a table, and return the counts of its parts, in order.

    The plies that were read from the shards are in `folder`, and the parts are written there. Each part has a
    range of keys.

    Args:
        run_options: How the job is run; its engine counts several parts at the same time.
        folder: The folder of the table.
        table: The name of the table, MOVES or MATERIAL.
        notes: The counts of each shard.
        facts: The dates and strengths of all games.
    """
    save_plan(folder, table, notes, facts)
    ranges = bucket_ranges(sum(note.plies[table] for note in notes))
    tasks = [
        {"step": "count", "folder": str(folder), "number": number, "begin": begin, "end": end}
        for number, (begin, end) in enumerate(ranges)
    ]
    return sort_parts(count_parts(run_options, tasks))


def save_plan(folder: Path, table: str, notes: Sequence[ShardNote], facts: Facts) -> None:
    """Assign numbers to the games and moves of all shards, and write these numbers to `folder`.

    `notes` has the counts of each shard, whose plies are in files in `folder`. Raise `BulkError` if there are
    more than MAX_MOVES different moves.
    """
    # Each file of plies, with the number of games before its shard.
    paths: list[tuple[Path, int]] = []
    texts: set[str] = {""}
    games = 0
    for note in notes:
        for number in range(note.runs[table]):
            path = run_path(folder, note.shard, number)
            texts.update(read_move_texts(path))
            paths.append((path, games))
        games += note.games
    if len(texts) > MAX_MOVES:
        raise BulkError(
            f"the records have {len(texts)} different moves, expected at most {MAX_MOVES} in one index; "
            "build several indexes"
        )
    sorted_texts = sorted(texts)
    number_by_text = {text: number for number, text in enumerate(sorted_texts)}
    runs = [
        Run(
            str(path),
            games_before,
            np.array([number_by_text[text] for text in read_move_texts(path)], np.uint32),
        )
        for path, games_before in paths
    ]
    Plan(runs, sorted_texts, facts).save(folder)


# --- publishing -------------------------------------------------------------------------------------


_BATCH_ROWS: Final = 1 << 16
"""Approximate number of rows of the table of games that are read at once."""


def read_facts(tables: Iterable[Path]) -> Facts:
    """Return the date and strength of each game in the tables of games, by its number.

    `tables` has the paths of the tables, in the order of the numbers.
    """
    # Games are numbered from 1, so entry 0 is not used.
    days, strengths = [np.zeros(1, np.uint32)], [np.zeros(1, np.uint32)]
    for path in tables:
        for batch in _read_rows(path, ["rating", "day"]):
            days.append(rank_days(batch.column("day").to_numpy()))
            strengths.append(batch.column("rating").fill_null(0).to_numpy().astype(np.uint32))
    return Facts(np.concatenate(days), np.concatenate(strengths))


def sort_parts(notes: Iterable[dict[str, Any]]) -> list[PartNote]:
    """Return the counts of finished parts, which are given as JSON data, in the order of their keys."""
    return sorted((PartNote(**note) for note in notes), key=lambda part: part.number)


def make_manifest(game: Game, tables: Mapping[str, Sequence[PartNote]], games: int, plies: int) -> Manifest:
    """Return the manifest of an index: its counts and files, except for the table of games.

    Args:
        game: The game of the index.
        tables: The parts of the tables MOVES and MATERIAL, by their names.
        games: The number of games.
        plies: The number of positions of all games together.
    """
    moves = tables[MOVES]
    return Manifest(
        game.name,
        game.variant,
        games,
        sum(part.positions for part in moves),
        sum(part.rows for part in moves),
        plies,
        tuple(part.part(MOVES) for part in moves),
        material=tuple(part.part(MATERIAL) for part in tables.get(MATERIAL, ())),
    )


def publish_index(folder: Path, target: str, manifest: Manifest, tables: Sequence[tuple[Path, int]]) -> None:
    """Move the finished parts in `folder` to the directory `target`, and write the manifest and games.

    The directory appears under its name only when it is complete.

    Args:
        folder: The folder of the temporary files.
        target: The directory of the index, which must not exist or be empty.
        manifest: The manifest, without the table of games.
        tables: The files with the games, each with its number of games.
    """
    staging = folder / "whole"
    directory = Path(os.path.realpath(target))
    with explaining_errors(target, "written"):
        shutil.rmtree(staging, ignore_errors=True)
        staging.mkdir()
        for name in (MOVES, GAMES, MATERIAL) if manifest.material else (MOVES, GAMES):
            (staging / name).mkdir()
        for part in (*manifest.moves, *manifest.material):
            (folder / part.file).replace(staging / part.file)
        game_parts = tuple(_write_game_tables(staging, manifest, tables))
        write_json(staging / MANIFEST, replace(manifest, tables=game_parts).to_dict())
        check_target(target)
        if directory.is_dir():
            copy_ownership(staging, directory.stat())
            directory.rmdir()
        staging.replace(directory)


def _write_game_tables(
    staging: Path, manifest: Manifest, tables: Iterable[tuple[Path, int]]
) -> Iterator[TableFile]:
    """Write the table of games to the folder `staging`, and yield each of its parts.

    `tables` has the files with the games, each with its number of games. The games are numbered throughout
    from 1. A file without games gives no part.
    """
    games_before = number = 0
    for path, games in tables:
        if not games:
            continue
        part = TableFile(f"{GAMES}/part-{number:05}.parquet", games, games_before + 1)
        _write_games(
            path,
            staging / part.file,
            games_schema(registry.game(manifest.game, manifest.variant)),
            games_before,
        )
        yield part
        games_before += games
        number += 1


def _write_games(source: Path, target: Path, schema: pa.Schema, games_before: int) -> None:
    """Copy a table of games from `source` to `target`, with its games numbered from `games_before` + 1 on."""
    with target.open("wb") as out, open_games_writer(out, schema) as writer:
        for batch in _read_rows(source, schema.names):
            numbers = pa.array(np.arange(games_before + 1, games_before + 1 + len(batch), dtype=np.int32))
            rows = batch.set_column(0, schema.field(0), numbers)
            writer.write_table(pa.Table.from_batches([rows]), row_group_size=GAME_GROUP_ROWS)
            games_before += len(batch)


def _read_rows(path: Path, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Yield the `columns` of a table of games, about _BATCH_ROWS rows at once.

    The table is a Parquet file of an index, or an Arrow file that was written while a shard was read.
    """
    with explaining_errors(str(path)):
        if path.suffix == ".parquet":
            with pq.ParquetFile(path) as file:
                yield from file.iter_batches(_BATCH_ROWS, columns=list(columns))
            return
        batches: list[pa.RecordBatch] = []
        with pa.memory_map(str(path)) as source, pa.ipc.open_file(source) as reader:
            for number in range(reader.num_record_batches):
                batches.append(reader.get_batch(number).select(list(columns)))
                if sum(map(len, batches)) >= _BATCH_ROWS:
                    yield pa.concat_batches(batches)
                    batches = []
            if batches:
                yield pa.concat_batches(batches)


# --- merging ----------------------------------------------------------------------------------------


def merge_indexes(
    indexes: Sequence[AnyPath], target: AnyPath, *, run_options: RunOptions | None = None
) -> Built:
    """Merge several indexes into a new one in the directory `target`.

    Args:
        indexes: The directories of at least two indexes of one game and variant.
        target: The directory of the new index.
        run_options: How to run the job; it does not change the index.

    Raises:
        BulkError: If the indexes cannot be merged, or the new one cannot be written.
    """
    run_options = run_options or RunOptions()
    directory = normalise_target(os.fspath(target))
    check_target(directory)
    books = [Path(os.path.realpath(index)) for index in indexes]
    manifests = [Manifest.read(book) for book in books]
    _check_mergeable(books, manifests)
    job = {
        "forsyth": forsyth.build_info()["version"],
        "merge": [[str(book), (book / MANIFEST).stat().st_mtime_ns] for book in books],
    }
    table_names = (MOVES, MATERIAL) if manifests[0].material else (MOVES,)
    plies = sum(index.plies for index in manifests)
    with checkpoints.open_parts_folder(directory, job, resume=run_options.resume) as folder:
        work = folder.absolute()
        tables = [
            (book / part.file, part.rows)
            for book, index in zip(books, manifests, strict=True)
            for part in index.tables
        ]
        facts = read_facts(path for path, _ in tables)
        merged = {
            name: _merge_table(run_options, ensure_dir(work / name), name, books, plies, facts)
            for name in table_names
        }
        rules = registry.game(manifests[0].game, manifests[0].variant)
        manifest = make_manifest(rules, merged, sum(index.games for index in manifests), plies)
        publish_index(work, directory, manifest, tables)
    return Built(Manifest.read(Path(directory)), 0, 0, directory)


def _merge_table(
    run_options: RunOptions, folder: Path, table: str, books: Sequence[Path], plies: int, facts: Facts
) -> list[PartNote]:
    """Merge one table of all indexes, and return the counts of its parts, in order.

    Args:
        run_options: How the job is run; its engine merges several ranges of keys at the same time.
        folder: The folder to which the parts are written.
        table: The name of the table, MOVES or MATERIAL.
        books: The paths of the indexes.
        plies: The number of plies of all indexes, which determines the number of parts.
        facts: The dates and strengths of all games.
    """
    save_facts(facts, folder)
    tasks = [
        {
            "step": "merge",
            "folder": str(folder),
            "number": number,
            "begin": begin,
            "end": end,
            "books": [str(book) for book in books],
            "table": table,
        }
        for number, (begin, end) in enumerate(bucket_ranges(plies))
    ]
    return sort_parts(count_parts(run_options, tasks))


def _check_mergeable(books: Sequence[Path], manifests: Sequence[Manifest]) -> None:
    """Raise `BulkError` if these indexes cannot be merged.

    They must be at least two, of one game and variant, all with material or all without it, and have at most
    MAX_GAMES games together. `manifests` has the manifest of each index.
    """
    if len(books) < 2:
        raise BulkError(f"there are {len(books)} indexes to merge, expected at least two; name them")
    first = manifests[0]
    for book, manifest in zip(books, manifests, strict=True):
        if (manifest.game, manifest.variant) != (first.game, first.variant):
            raise BulkError(
                f"{book} is an index of {manifest.game} ({manifest.variant}), and {books[0]} of {first.game} "
                f"({first.variant}); only indexes of one game and variant can be merged"
            )
        if bool(manifest.material) is not bool(first.material):
            raise BulkError(
                f"only one of {book} and {books[0]} has material; "
                "build both indexes with --material, or both without it"
            )
    games = sum(manifest.games for manifest in manifests)
    if games > MAX_GAMES:
        raise BulkError(
            f"the indexes have {games} games, expected at most {MAX_GAMES} in one index; merge fewer of them"
        )
