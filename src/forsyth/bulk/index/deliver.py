"""Putting a finished index in its place: parts and tables of games under their names, and the manifest."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from forsyth import registry
from forsyth.atomic_write import inherit
from forsyth.bulk.engines.checkpoints import write_json
from forsyth.bulk.errors import explaining_errors
from forsyth.bulk.index.parts import (
    GAME_GROUP_ROWS,
    GAMES,
    MANIFEST,
    MATERIAL,
    MOVES,
    Manifest,
    Part,
    games_schema,
    games_writer,
)
from forsyth.bulk.index.plies import day_ranks
from forsyth.bulk.index.tallies import Facts
from forsyth.bulk.index.work import PartNote
from forsyth.bulk.sinks.target import must_be_free
from forsyth.game import Game

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


def _tables(whole: Path, made: Manifest, tables: Iterable[tuple[Path, int]]) -> Iterator[Part]:
    """The tables of games, with the numbers that their games have in the index; none is empty."""
    before = number = 0
    for path, games in tables:
        if not games:
            continue
        part = Part(f"{GAMES}/part-{number:05}.parquet", games, before + 1)
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
