"""Making an index: of records, in two steps of tasks (`tasks`), or of other indexes, in one; on this machine
or a cluster.

The index is a directory that appears when it is complete. Until then everything is in a folder beside it, as
for every bulk job (`checkpoints`): a run that was stopped is resumed from its finished shards and parts.

`merge_indexes` makes what building an index of all their records would make. The games of the second index
get the numbers after those of the first, and so on. A game that is in two of them counts twice.

Limits: records (PGN, also compressed) from files, URLs or standard input; the index itself is a local
directory; MOST_GAMES games. Standard input cannot be resumed, and needs the local engine.
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
from forsyth.atomic_write import inherit
from forsyth.bulk.engines import checkpoints
from forsyth.bulk.engines.checkpoints import write_json
from forsyth.bulk.engines.job import Progress
from forsyth.bulk.engines.records import game_of_shards, plan_records, record_files
from forsyth.bulk.engines.shard_work import anywhere
from forsyth.bulk.errors import STANDARD, BulkError, explaining_errors
from forsyth.bulk.index.files import (
    GAME_GROUP_ROWS,
    GAMES,
    MANIFEST,
    MATERIAL,
    MOST_GAMES,
    MOVES,
    Manifest,
    Run,
    TableFile,
    games_schema,
    games_writer,
    has_material,
    moves_of,
    run_path,
)
from forsyth.bulk.index.plies import day_ranks
from forsyth.bulk.index.tallies import MOST_MOVES, Facts
from forsyth.bulk.index.tasks import (
    PartNote,
    Plan,
    ShardNote,
    bucket_ranges,
    count_parts,
    games_path,
    made,
    run_tasks,
    save_facts,
)
from forsyth.bulk.jobs.inspect_input import is_pipe, must_exist
from forsyth.bulk.jobs.run_files import LOCAL, AnyPath, Sources, Way
from forsyth.bulk.sinks import must_be_free
from forsyth.bulk.sources.files import SourceFile, is_url
from forsyth.bulk.sources.shards import TARGET_BYTES, Shard, joined_shards
from forsyth.game import Game


@dataclass(frozen=True, slots=True)
class Built:
    """What came of building an index."""

    manifest: Manifest
    others: int
    """Records of another game or variant, which were left out."""
    faulty: int
    """Records with an error, of which the positions before it count."""
    target: str

    def to_dict(self) -> dict[str, Any]:
        """The counts as JSON-ready data."""
        made = self.manifest
        return {
            "target": self.target,
            "game": made.game,
            "variant": made.variant,
            "games": made.games,
            "plies": made.plies,
            "positions": made.positions,
            "rows": made.rows,
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
    way: Way | None = None,
) -> Built:
    """Make an index of the records of files in the new directory `target`; raises `BulkError`.

    Without a `game` it is that of the first records; without a `variant` the usual one. With `material` games
    can be found by the men they had on the board.
    """
    way = way or Way()
    place = as_directory(os.fspath(target))
    must_be_free(place)
    listed = [sources] if isinstance(sources, str | os.PathLike) else sources
    files = record_files([os.fspath(one) for one in listed], format_in)
    _must_allow(files, way)
    target_bytes = way.shard_bytes or TARGET_BYTES
    shards = joined_shards(plan_records(files, target_bytes), target_bytes=target_bytes)
    name = _game(shards, game, variant)
    rules = registry.game(name, variant)
    if rules.variant not in rules.variants:
        raise BulkError(f"an index holds one variant; name one of {', '.join(rules.variants)} with --variant")
    if material and not has_material(rules):
        raise BulkError(f"{name} has no men on a board; leave --material out")
    names = (MOVES, MATERIAL) if material else (MOVES,)
    sizes = [shard.size for shard in shards]
    progress = (
        None
        if way.begin is None
        else way.begin(None if None in sizes else sum(map(int, filter(None, sizes))))
    )
    manifest = {
        "forsyth": forsyth.build_info()["version"],
        "index": [rules.name, rules.variant, *names],
        "sources": [[file.path, file.size, file.stamp] for file in files],
        "shards": [shard.to_dict() for shard in shards],
    }
    with checkpoints.opened(place, manifest, resume=way.resume) as folder:
        work = folder.absolute()
        read = _read(way, work, shards, rules, material, progress)
        _must_have_games(read, rules.name, rules.variant)
        facts = facts_of(games_path(work, note.shard) for note in read)
        tables = {name: _count(way, work / name, name, read, facts) for name in names}
        made = manifest_of(rules, tables, sum(n.games for n in read), sum(n.plies[MOVES] for n in read))
        deliver(work, place, made, [(games_path(work, note.shard), note.games) for note in read])
    finished = Manifest.read(Path(place))
    return Built(finished, sum(note.others for note in read), sum(note.faulty for note in read), place)


# --- what is to be read -----------------------------------------------------------------------------


def as_directory(target: str) -> str:
    """The target as the name of a directory; raises `BulkError` for what cannot be one."""
    if target == STANDARD or is_url(target):
        raise BulkError("an index is a directory on this machine; name one with -o")
    return target.rstrip("/") + "/"


def _must_allow(files: Sequence[SourceFile], way: Way) -> None:
    if any(is_pipe(file) for file in files):
        if way.resume:
            raise BulkError("--resume needs files to read; name them")
        if way.engine != LOCAL:
            raise BulkError(f"the engine {way.engine} reads files; name them")


def _game(shards: Sequence[Shard], game: str | None, variant: str | None) -> str:
    if game is None:
        if shards[0].path == STANDARD:
            raise BulkError("the game of standard input cannot be looked at first; name it with --game")
        game = game_of_shards(shards)
    must_exist(game, variant)
    return game


def _must_have_games(notes: Sequence[ShardNote], game: str, variant: str) -> None:
    games = sum(note.games for note in notes)
    if games > MOST_GAMES:
        raise BulkError(
            f"{games} games are too many for one index, expected at most {MOST_GAMES}; make several"
        )
    if not games:
        others = sum(note.others for note in notes)
        if not others:
            raise BulkError("there is no record in the files given; name files of PGN with games in them")
        raise BulkError(
            f"there is no record of {game} ({variant}), but {others} others; "
            "name the game with --game and its variant with --variant"
        )


# --- the steps --------------------------------------------------------------------------------------


def _read(
    way: Way,
    folder: Path,
    shards: Sequence[Shard],
    rules: Game,
    material: bool,
    progress: Progress | None,
) -> list[ShardNote]:
    """Step one: read all shards."""
    asked = {"folder": str(folder), "game": rules.name, "variant": rules.variant, "material": material}
    tasks = [{"step": "read", **asked, "shard": _anywhere(shard).to_dict()} for shard in shards]
    notes = {}
    for answer in run_tasks(way, tasks):
        note = ShardNote(**answer)
        notes[note.shard] = note
        if progress is not None:
            progress(note.games, shards[note.shard].size or 0)
    return [notes[shard.number] for shard in shards]


def _anywhere(shard: Shard) -> Shard:
    return shard if shard.path == STANDARD else anywhere(shard)


def _count(way: Way, folder: Path, table: str, notes: Sequence[ShardNote], facts: Facts) -> list[PartNote]:
    """Step two: count all ranges of keys of a table."""
    plan(folder, table, notes, facts)
    ranges = bucket_ranges(sum(note.plies[table] for note in notes))
    tasks = [
        {"step": "count", "folder": str(folder), "number": number, "begin": begin, "end": end}
        for number, (begin, end) in enumerate(ranges)
    ]
    return in_order(count_parts(way, tasks))


def plan(folder: Path, table: str, notes: Sequence[ShardNote], facts: Facts) -> None:
    """Number the games and moves of all shards, and write down what the second step needs."""
    paths: list[tuple[Path, int]] = []
    texts: set[str] = {""}
    games = 0
    for note in notes:
        for number in range(note.runs[table]):
            path = run_path(folder, note.shard, number)
            texts.update(moves_of(path))
            paths.append((path, games))
        games += note.games
    if len(texts) > MOST_MOVES:
        raise BulkError(
            f"{len(texts)} different moves are too many for one index, expected at most {MOST_MOVES}"
        )
    ordered = sorted(texts)
    place = {text: number for number, text in enumerate(ordered)}
    runs = [
        Run(str(path), before, np.array([place[text] for text in moves_of(path)], np.uint32))
        for path, before in paths
    ]
    Plan(runs, ordered, facts).save(folder)


# --- putting it in its place ------------------------------------------------------------------------


_BATCH_ROWS: Final = 1 << 16


def facts_of(tables: Iterable[Path]) -> Facts:
    """What the tables of games say about each game, by its number."""
    days, strengths = [np.zeros(1, np.uint32)], [np.zeros(1, np.uint32)]
    for path in tables:
        for batch in _rows(path, ["rating", "day"]):
            days.append(day_ranks(batch.column("day").to_numpy()))
            strengths.append(batch.column("rating").fill_null(0).to_numpy().astype(np.uint32))
    return Facts(np.concatenate(days), np.concatenate(strengths))


def in_order(notes: Iterable[dict[str, Any]]) -> list[PartNote]:
    """The notes of parts in the order of their keys."""
    return sorted((PartNote(**note) for note in notes), key=lambda part: part.number)


def manifest_of(game: Game, tables: Mapping[str, Sequence[PartNote]], games: int, plies: int) -> Manifest:
    """The manifest of an index of these parts; its table of games is not known yet."""
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


def deliver(folder: Path, target: str, made: Manifest, tables: Sequence[tuple[Path, int]]) -> None:
    """Lay out the parts in a folder, and tables of games, each with its number of games, in their place."""
    whole = folder / "whole"
    place = Path(os.path.realpath(target))
    with explaining_errors(target, "written"):
        shutil.rmtree(whole, ignore_errors=True)
        whole.mkdir()
        for name in (MOVES, GAMES, MATERIAL) if made.material else (MOVES, GAMES):
            (whole / name).mkdir()
        for part in (*made.moves, *made.material):
            (folder / part.file).replace(whole / part.file)
        listed = tuple(_tables(whole, made, tables))
        write_json(whole / MANIFEST, replace(made, tables=listed).to_dict())
        must_be_free(target)
        if place.is_dir():
            inherit(whole, place.stat())
            place.rmdir()
        whole.replace(place)


def _tables(whole: Path, made: Manifest, tables: Iterable[tuple[Path, int]]) -> Iterator[TableFile]:
    """The tables of games, with the numbers that their games have in the index; none is empty."""
    before = number = 0
    for path, games in tables:
        if not games:
            continue
        part = TableFile(f"{GAMES}/part-{number:05}.parquet", games, before + 1)
        _renumber(path, whole / part.file, games_schema(registry.game(made.game, made.variant)), before)
        yield part
        before += games
        number += 1


def _renumber(source: Path, target: Path, schema: pa.Schema, before: int) -> None:
    with target.open("wb") as out, games_writer(out, schema) as writer:
        for batch in _rows(source, schema.names):
            numbers = pa.array(np.arange(before + 1, before + 1 + len(batch), dtype=np.int32))
            rows = batch.set_column(0, schema.field(0), numbers)
            writer.write_table(pa.Table.from_batches([rows]), row_group_size=GAME_GROUP_ROWS)
            before += len(batch)


def _rows(path: Path, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """The rows of a table of games, as a shard or as an index has it."""
    with explaining_errors(str(path)):
        if path.suffix == ".parquet":
            with pq.ParquetFile(path) as file:
                yield from file.iter_batches(_BATCH_ROWS, columns=list(columns))
            return
        waiting: list[pa.RecordBatch] = []
        with pa.memory_map(str(path)) as source, pa.ipc.open_file(source) as reader:
            for number in range(reader.num_record_batches):
                waiting.append(reader.get_batch(number).select(list(columns)))
                if sum(map(len, waiting)) >= _BATCH_ROWS:
                    yield pa.concat_batches(waiting)
                    waiting = []
            if waiting:
                yield pa.concat_batches(waiting)


# --- merging ----------------------------------------------------------------------------------------


def merge_indexes(indexes: Sequence[AnyPath], target: AnyPath, *, way: Way | None = None) -> Built:
    """Make a new index in the directory `target` of several others; raises `BulkError`."""
    way = way or Way()
    place = as_directory(os.fspath(target))
    must_be_free(place)
    books = [Path(os.path.realpath(one)) for one in indexes]
    manifests = [Manifest.read(book) for book in books]
    _must_go_together(books, manifests)
    job = {
        "forsyth": forsyth.build_info()["version"],
        "merge": [[str(book), (book / MANIFEST).stat().st_mtime_ns] for book in books],
    }
    names = (MOVES, MATERIAL) if manifests[0].material else (MOVES,)
    plies = sum(one.plies for one in manifests)
    with checkpoints.opened(place, job, resume=way.resume) as folder:
        work = folder.absolute()
        tables = [
            (book / part.file, part.rows)
            for book, one in zip(books, manifests, strict=True)
            for part in one.tables
        ]
        facts = facts_of(path for path, _ in tables)
        merged = {name: _merge(way, made(work / name), name, books, plies, facts) for name in names}
        rules = registry.game(manifests[0].game, manifests[0].variant)
        whole = manifest_of(rules, merged, sum(one.games for one in manifests), plies)
        deliver(work, place, whole, tables)
    return Built(Manifest.read(Path(place)), 0, 0, place)


def _merge(
    way: Way, folder: Path, table: str, books: Sequence[Path], plies: int, facts: Facts
) -> list[PartNote]:
    """Add up all ranges of keys of a table."""
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
    return in_order(count_parts(way, tasks))


def _must_go_together(books: Sequence[Path], manifests: Sequence[Manifest]) -> None:
    if len(books) < 2:
        raise BulkError("a merge needs at least two indexes; name them")
    first = manifests[0]
    for book, one in zip(books, manifests, strict=True):
        if (one.game, one.variant) != (first.game, first.variant):
            raise BulkError(
                f"{book} is an index of {one.game} ({one.variant}), and {books[0]} of {first.game} "
                f"({first.variant}); an index holds one game and variant"
            )
        if bool(one.material) is not bool(first.material):
            raise BulkError(
                f"one of {book} and {books[0]} is an index of material too, and the other is not; "
                "make both with --material or without"
            )
    games = sum(one.games for one in manifests)
    if games > MOST_GAMES:
        raise BulkError(f"{games} games are too many for one index, expected at most {MOST_GAMES}")
