"""Inspecting the input before the work: its files and shards, its columns, which of them holds the texts,
which game they belong to.

The game is the one named, or the one detected in most of the first DETECTED_BY texts. Standard input is
opened here, because it can be read only once; the batches that were read are returned again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

import pyarrow as pa

from forsyth import reading, registry
from forsyth.bulk.batches import unified
from forsyth.bulk.errors import STANDARD, BulkError, shown
from forsyth.bulk.sources.columnar import chosen
from forsyth.bulk.sources.files import SourceFile, expand, is_url
from forsyth.bulk.sources.shards import PeekedBatches, Shard, open_shard, plan_shards
from forsyth.bulk.verbs.verb import PACKED, texts_column

DETECTED_BY: Final = 100
"""How many texts are looked at to detect the game."""


@dataclass(frozen=True, slots=True)
class Input:
    """What there is to read."""

    files: list[SourceFile]
    shards: list[Shard]
    schema: pa.Schema
    """The columns of all files together, or of the first where only the texts are asked for."""
    column: str
    """The one with the texts, or with the packed forms."""
    game: str
    detected: bool
    """Whether the game was detected."""
    opened: PeekedBatches | None
    """The first file, when it can be read only once."""

    @property
    def is_once(self) -> bool:
        """Whether some of it can be read only once."""
        return any(is_pipe(file) for file in self.files)

    @property
    def total(self) -> int | None:
        """How many bytes there are to read, where that is known."""
        sizes = [shard.size for shard in self.shards]
        return None if None in sizes else sum(size for size in sizes if size is not None)


def look(
    sources: Sequence[str],
    *,
    given: str | None = None,
    game: str | None = None,
    variant: str | None = None,
    column: str | None = None,
    packed: bool = False,
    whole: bool = True,
    shard_bytes: int | None = None,
) -> Input:
    """What the sources hold; raises `BulkError` where they hold nothing that can be worked on.

    `whole` says whether all columns are carried; otherwise only that of the texts is looked at.
    """
    if game is not None:
        must_exist(game, variant)
    files = expand(list(sources) or [STANDARD], given)
    shards = plan_shards(files) if shard_bytes is None else plan_shards(files, target_bytes=shard_bytes)
    first = open_shard(shards[0], game=game)
    try:
        wanted = PACKED if packed and column is None else column
        name = texts_column(first.schema, wanted)
        schema = _all_columns(first.schema, files, shards, name, game) if whole else first.schema
        if not (whole and is_pipe(files[0])):
            first.narrow([name])
        rest = iter(first)
        seen = list(islice(rest, 1))
        found = detect_game(seen, name, packed, shown(shards[0].path)) if game is None else game
        must_exist(found, variant)
        opened = PeekedBatches(first, seen, rest) if is_pipe(files[0]) else None
        return Input(files, shards, schema, name, found, game is None, opened)
    finally:
        if not is_pipe(files[0]):
            first.close()


def _all_columns(
    schema: pa.Schema, files: list[SourceFile], shards: list[Shard], column: str, game: str | None
) -> pa.Schema:
    """The columns that some file has; raises `BulkError` where the files do not go together.

    What can be read only once is not looked at here: it is checked when it is read.
    """
    firsts = {shard.path: shard for shard in reversed(shards)}
    for file in files[1:]:
        if is_pipe(file):
            continue
        with open_shard(firsts[file.path], game=game) as opened:
            texts_column(chosen(opened.schema, [column], file.path), column)
            schema = unified(schema, opened.schema, file.path)
    return schema


def is_pipe(file: SourceFile) -> bool:
    """Whether a file can be read only once."""
    return file.path == STANDARD or (file.size is None and not is_url(file.path))


def detect_game(batches: list[pa.RecordBatch], column: str, packed: bool, source: str) -> str:
    """The game of most of the first texts; raises `BulkError` where none is detected."""
    if packed:
        raise BulkError("the game of packed forms cannot be detected; name it with --game")
    texts = [
        text
        for batch in batches
        for text in batch.column(column).drop_null().slice(0, DETECTED_BY).to_pylist()
    ]
    if not any(texts):
        raise BulkError(f"{source} begins with no text to detect the game from; name it with --game")
    votes = Counter(name for text in texts if (name := _game_of(text)) is not None)
    if not votes:
        names = ", ".join(registry.games())
        raise BulkError(
            f"the game of the first texts of {source} (column {column!r}) cannot be detected; "
            f"name it with --game, one of {names}, or another column with --column"
        )
    return votes.most_common(1)[0][0]


def _game_of(text: str | bytes) -> str | None:
    words = text if isinstance(text, str) else text.decode("utf-8", "surrogateescape")
    found = registry.detect(words).game
    return reading.read(words).game if found is None else found


def must_exist(game: str, variant: str | None) -> None:
    """Raises `BulkError` for a game or a variant that there is not."""
    try:
        registry.game(game, variant)
    except registry.UnknownGameError as error:
        raise BulkError(f"{error}; name one of them with --game") from error
    except ValueError as error:
        variants = ", ".join(registry.game(game).variants)
        raise BulkError(f"{game} has no variant {variant!r}; it has {variants}") from error
