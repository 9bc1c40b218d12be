"""Merging indexes of one game and variant into a new one: what building one of all their records would make.

The games of the second index get the numbers after those of the first, and so on. A game that is in two of
them counts twice. A merge that was stopped is resumed from its finished parts.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import forsyth
from forsyth import registry
from forsyth.bulk.errors import BulkError
from forsyth.bulk.index.build import Built, as_directory
from forsyth.bulk.index.deliver import deliver, facts_of, in_order, manifest_of
from forsyth.bulk.index.parts import MANIFEST, MATERIAL, MOST_GAMES, MOVES, Manifest
from forsyth.bulk.index.tallies import Facts
from forsyth.bulk.index.tasks import count_parts
from forsyth.bulk.index.work import PartNote, bucket_ranges, made, save_facts
from forsyth.bulk.jobs import work_folder
from forsyth.bulk.jobs.run_files import AnyPath, Way
from forsyth.bulk.sinks.target import must_be_free


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
    with work_folder.opened(place, job, resume=way.resume) as folder:
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
