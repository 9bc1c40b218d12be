"""Inspecting the input before the work: its files and shards, its columns, which of them holds the texts,
which game they belong to.

The game is the one named, or the one detected in most of the first DETECTED_BY texts. Standard input is
opened here, because it can be read only once; the batches that were read are returned again.

A column is of a type that holds the values of all files (`batches.unified`). JSON lines tell types by their
first values; a column without a value has none yet and takes that of the others. Cells of CSV only look like
numbers or texts: where they do not agree, or another format says so, they are read as text. A column of which
no file says the type is text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from typing import Final

import pyarrow as pa

from forsyth import reading, registry
from forsyth.bulk.batches import decoded_type, is_text, unified
from forsyth.bulk.errors import STANDARD, BulkError, shown
from forsyth.bulk.sources import delimited, jsonl
from forsyth.bulk.sources.columnar import chosen
from forsyth.bulk.sources.files import Cells, Format, SourceFile, expand, is_url
from forsyth.bulk.sources.shards import (
    DELIMITERS,
    TARGET_BYTES,
    Batches,
    PeekedBatches,
    Shard,
    joined_shards,
    open_shard,
    plan_shards,
)
from forsyth.bulk.verbs.text_column import column_with, texts_column, texts_of
from forsyth.bulk.verbs.verb import PACKED

LOOKED_AT_TOGETHER: Final = 400_000
"""Bytes of small files whose columns are looked at together: a call costs as much as some hundred rows."""

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
    kinds: pa.Schema | None = None
    """The types of the columns of files of text, as all of them together have them."""

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
    cells: Cells | None = None,
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
    files = expand(list(sources) or [STANDARD], given, cells)
    target = TARGET_BYTES if shard_bytes is None else shard_bytes
    shards = plan_shards(files, target_bytes=target)
    first = open_shard(shards[0], game=game)
    try:
        wanted = PACKED if packed and column is None else column
        name = texts_column(first.schema, wanted)
        if whole:
            columns = _all_columns(first, files, shards, name, game)
        else:
            columns = CommonColumns(first.schema, pa.schema([column_with(first.schema, name)]))
        if not (whole and is_pipe(files[0])):
            first.narrow([column_with(first.schema, name).name])
        rest = iter(first)
        seen = list(islice(rest, 1))
        found = detect_game(seen, name, packed, shown(shards[0].path)) if game is None else game
        must_exist(found, variant)
        opened = PeekedBatches(first, seen, rest) if is_pipe(files[0]) else None
        joined = joined_shards(shards, target_bytes=target)
        return Input(files, joined, columns.schema, name, found, game is None, opened, columns.kinds)
    finally:
        if not is_pipe(files[0]):
            first.close()


def _all_columns(
    first: Batches, files: list[SourceFile], shards: list[Shard], column: str, game: str | None
) -> CommonColumns:
    """The columns that some file has; raises `BulkError` where the files do not go together.

    What can be read only once is not looked at here: it is checked when it is read.
    """
    firsts = {shard.path: shard for shard in reversed(shards)}
    # What is opened already is read with the types that it has now.
    told = [_columns_of(first, first.schema if is_pipe(files[0]) else first.told)]
    outer = column_with(first.schema, column).name
    for run in _runs([file for file in files[1:] if not is_pipe(file)]):
        together = _looked_at_together(run, outer) if len(run) > 1 else None
        if together is not None:
            texts_column(together, column)
            told.append(FileColumns(run[0].path, run[0].format, together))
            continue
        for file in run:
            with open_shard(firsts[file.path], game=game) as opened:
                chosen(opened.schema, [outer], file.path)
                texts_column(opened.schema, column)
                told.append(_columns_of(opened, opened.told))
    return common_columns(told)


def _runs(files: list[SourceFile]) -> Iterator[list[SourceFile]]:
    """Small files of one untyped format that follow one another, some at a time, and others alone."""
    run: list[SourceFile] = []
    size = 0
    for file in files:
        of_file = file.size or 0
        joins = run and _is_small_text(file) and (file.format, file.cells) == (run[0].format, run[0].cells)
        if run and not (joins and _is_small_text(run[0]) and size + of_file < LOOKED_AT_TOGETHER):
            yield run
            run, size = [], 0
        run.append(file)
        size += of_file
    if run:
        yield run


def _is_small_text(file: SourceFile) -> bool:
    """Whether a file may be looked at together with others."""
    untyped = file.format in (Format.CSV, Format.TSV, Format.JSONL) and file.compression is None
    return untyped and file.size is not None and file.size < LOOKED_AT_TOGETHER


def _looked_at_together(files: list[SourceFile], column: str) -> pa.Schema | None:
    """The columns of several small files; None where they have to be looked at one by one."""
    paths = [file.path for file in files]
    if files[0].format is Format.JSONL:
        return jsonl.columns_together(paths, column)
    found = delimited.columns_together(paths, DELIMITERS[files[0].format], files[0].cells)
    return found if found is not None and column in found.names else None


def _columns_of(opened: Batches, schema: pa.Schema) -> FileColumns:
    return FileColumns(opened.shard.path, opened.shard.format, schema)


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
        for text in texts_of(batch, column).drop_null().slice(0, DETECTED_BY).to_pylist()
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


# --- columns that files have together ---------------------------------------------------------------


_CELLS: Final = (Format.CSV, Format.TSV)
_UNTYPED: Final = (*_CELLS, Format.JSONL)
"""Formats that do not say of what type a column is."""


@dataclass(frozen=True, slots=True)
class FileColumns:
    """The columns of one file, as it tells them."""

    path: str
    format: Format
    schema: pa.Schema


@dataclass(frozen=True, slots=True)
class CommonColumns:
    """The columns of all files, and the types that the untyped ones among them are read with."""

    schema: pa.Schema
    kinds: pa.Schema | None


def common_columns(files: Sequence[FileColumns]) -> CommonColumns:
    """The columns that some file has, in their order; raises `BulkError` where they do not go together."""
    cells = [one.schema for one in files if one.format in _CELLS]
    others = [one.schema for one in files if one.format not in _CELLS]
    read_as = _types_of_cells(_distinct(cells), _distinct(others))
    told = [one if one.format not in _CELLS else _retyped(one, read_as) for one in files]
    untyped = [one for one in told if one.format in _UNTYPED]
    names = {field.name for one in _distinct([one.schema for one in untyped]) for field in one}
    schema = _with_texts(_together(told), names)
    kinds = _with_texts(_together(untyped), names) if untyped else None
    return CommonColumns(schema, kinds)


def _types_of_cells(cells: Iterable[pa.Schema], others: Iterable[pa.Schema]) -> dict[str, pa.DataType]:
    texts = {field.name for schema in others for field in schema if is_text(decoded_type(field.type))}
    found: dict[str, pa.DataType] = {}
    for schema in cells:
        for field in schema:
            found[field.name] = _wider(found.get(field.name, pa.null()), field.type)
    return {name: pa.string() if name in texts else kind for name, kind in found.items()}


def _wider(a: pa.DataType, b: pa.DataType) -> pa.DataType:
    """The type that cells of both can be read with."""
    if a == b or pa.types.is_null(b):
        return a
    if pa.types.is_null(a):
        return b
    return pa.string() if pa.string() in (a, b) else pa.float64()


def _retyped(file: FileColumns, kinds: dict[str, pa.DataType]) -> FileColumns:
    schema = pa.schema([(name, kinds[name]) for name in file.schema.names])
    return FileColumns(file.path, file.format, schema)


def _together(files: Sequence[FileColumns]) -> pa.Schema:
    first, *rest = [one for one, before in zip(files, [None, *files], strict=False) if _is_new(one, before)]
    return reduce(lambda schema, one: unified(schema, one.schema, one.path), rest, first.schema)


def _is_new(file: FileColumns, before: FileColumns | None) -> bool:
    """Whether a file has other columns than the one before it: of thousands of files most have the same."""
    return before is None or not file.schema.equals(before.schema)


def _distinct(schemas: Sequence[pa.Schema]) -> list[pa.Schema]:
    """The schemas without those that equal the one before them."""
    return [
        one for one, before in zip(schemas, [None, *schemas], strict=False) if before is None or one != before
    ]


def _with_texts(schema: pa.Schema, names: set[str]) -> pa.Schema:
    """The schema with text for those of some columns that no file gave a type."""
    fields = [
        one.with_type(pa.string()) if one.name in names and pa.types.is_null(one.type) else one
        for one in schema
    ]
    return pa.schema(fields, schema.metadata)
