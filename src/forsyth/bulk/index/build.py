"""Building an index of records: read every shard, then count every range of keys, on this machine or a
cluster.

The index is a directory that appears when it is complete. Until then everything is in a folder beside it, as
for every bulk job (`work_folder`): a run that was stopped is resumed from its finished shards and parts.

Limits: records (PGN, also compressed) from files, URLs or standard input; the index itself is a local
directory; MOST_GAMES games. Standard input cannot be resumed, and needs the local engine.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import forsyth
from forsyth import registry
from forsyth.bulk.engines.plan import Progress
from forsyth.bulk.engines.remote import anywhere
from forsyth.bulk.errors import STANDARD, BulkError
from forsyth.bulk.index.deliver import deliver, facts_of, in_order, manifest_of
from forsyth.bulk.index.material import has_material
from forsyth.bulk.index.parts import (
    MATERIAL,
    MOST_GAMES,
    MOVES,
    Manifest,
)
from forsyth.bulk.index.runs import Run, moves_of, run_path
from forsyth.bulk.index.tallies import MOST_MOVES, Facts
from forsyth.bulk.index.tasks import count_parts, run_tasks
from forsyth.bulk.index.work import (
    PartNote,
    Plan,
    ShardNote,
    bucket_ranges,
    games_path,
)
from forsyth.bulk.jobs import work_folder
from forsyth.bulk.jobs.inspect_input import is_pipe, must_exist
from forsyth.bulk.jobs.run_files import LOCAL, AnyPath, Sources, Way
from forsyth.bulk.sinks.target import must_be_free
from forsyth.bulk.sources.files import SourceFile, is_url
from forsyth.bulk.sources.record_files import game_of_shards, plan_records, record_files
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
    with work_folder.opened(place, manifest, resume=way.resume) as folder:
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
