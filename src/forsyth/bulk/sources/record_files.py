"""Files of records as sources: which files, how they are cut into shards, and which game they are of.

Standard input is PGN unless a format is given. A file that is not compressed can be cut into ranges of bytes.
The game is the one that most of the first DETECTED_BY records name.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

import pyarrow as pa

from forsyth import registry
from forsyth.bulk.errors import STANDARD, BulkError, shown
from forsyth.bulk.sources.files import Format, SourceFile, expand
from forsyth.bulk.sources.shards import Shard, open_shard
from forsyth.record import read_records

DETECTED_BY: Final = 20


def record_files(sources: Sequence[str], given: str | None) -> list[SourceFile]:
    """The files of records; raises `BulkError` for one that holds something else."""
    files = []
    for source in list(sources) or [STANDARD]:
        files += expand([source], "pgn" if given is None and source == STANDARD else given)
    for file in files:
        if file.format is not Format.PGN:
            raise BulkError(
                f"{shown(file.path)} is {file.format}, which holds no records of games; name files of PGN, "
                "or say that it is with --in pgn"
            )
    return files


def plan_records(
    files: Sequence[SourceFile], target: int | None, block_bytes: int | None = None
) -> list[Shard]:
    """A shard for each file; with a `target` in bytes, for each range of a file that can be cut."""
    shards = (shard for file in files for shard in _cut(file, target))
    return [replace(shard, number=number, block_bytes=block_bytes) for number, shard in enumerate(shards)]


def _cut(file: SourceFile, target: int | None) -> list[Shard]:
    whole = Shard(file.path, file.format, file.compression, "records", size=file.size)
    if target is None or file.compression is not None or file.size is None or file.size <= target:
        return [whole]
    return [
        replace(whole, first=first, count=min(target, file.size - first), size=min(target, file.size - first))
        for first in range(0, file.size, target)
    ]


def game_of_shards(shards: Iterable[Shard]) -> str:
    """The game of the first records that files have, empty ones passed over; raises `BulkError`."""
    sources = ""
    for file in (file for shard in shards for file in shard.files):
        sources = sources or shown(file.path)
        with open_shard(file) as blocks:
            first = next(iter(blocks), None)
        if first is not None and has_records(first):
            return game_of_records([first], shown(file.path))
    return game_of_records([], sources)


def has_records(batch: pa.RecordBatch) -> bool:
    """Whether there is anything but blanks in the first block of a batch."""
    text: bytes = batch.column("text")[0].as_py() if batch.num_rows else b""
    return bool(text) and not text.isspace()


def game_of_records(batches: list[pa.RecordBatch], source: str) -> str:
    """The game of most of the first records; raises `BulkError` where none says it."""
    text = "".join(batch.column("text")[0].as_py().decode("utf-8", "surrogateescape") for batch in batches)
    readings = islice(read_records(io.StringIO(text, newline="")), DETECTED_BY)
    votes = Counter(reading.game for reading in readings if reading.game is not None)
    if not votes:
        names = ", ".join(registry.games())
        raise BulkError(
            f"the first records of {source} do not say which game they are of; name it with --game, one of "
            f"{names}"
        )
    return votes.most_common(1)[0][0]
