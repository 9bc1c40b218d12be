"""Inspection of the input before a job: files, shards, columns, the column with the texts, and the game.

The game is the one that is named, or the one detected in most of the first `DETECTION_SAMPLE` texts. Standard
input is opened here, because it can be read only once; the batches that were read in advance are kept with
it.

A column has a type that holds the values of all files (`batches.unify_schemas`). JSON lines determine types
by their first values; a column without a value takes its type from the other files. Cells of CSV only look
like numbers or texts: if the files disagree, or another format has texts in the column, they are read as
text. A column that has no type in any file is text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Final

import pyarrow as pa

from forsyth import reading, registry
from forsyth.bulk.batches import decode_type, is_text, unify_schemas
from forsyth.bulk.errors import STANDARD, BulkError, display_name
from forsyth.bulk.sources import delimited, jsonl
from forsyth.bulk.sources.columnar import select_fields
from forsyth.bulk.sources.files import CsvDialect, Format, SourceFile, expand_patterns, is_url
from forsyth.bulk.sources.shards import (
    DELIMITERS,
    TARGET_BYTES,
    Batches,
    ReplayedBatches,
    Shard,
    merge_small_shards,
    open_shard,
    plan_shards,
)
from forsyth.bulk.verbs.text_column import find_root_column, find_text_column, get_texts
from forsyth.bulk.verbs.verb import PACKED
from forsyth.game import AUTO, Game, VariantNames

_DELIMITER_NAMES: Final = {";": ";", "|": "|", "\t": "tab", ",": ","}
"""Other characters that separate cells, each with its name as a value of ``--delimiter``."""
_MAX_HEADER_CHARS: Final = 60
"""Upper bound on the characters of a header that a message repeats."""
GROUP_BYTES: Final = 400_000
"""Upper bound on the bytes of small files whose columns are inferred together.

One call for all of them is faster, because a call takes as long as some hundred rows.
"""

DETECTION_SAMPLE: Final = 100
"""Number of texts in which the game is detected."""


@dataclass(frozen=True, slots=True)
class Input:
    """The input of a job: its files, their columns, and the game of the texts."""

    files: list[SourceFile]
    shards: list[Shard]
    """The parts of the input that are processed one by one, such as ranges of files."""
    schema: pa.Schema
    """Columns of all files together. If the job reads only the texts, those of the first file."""
    column: str
    """Name of the column with the texts or the packed forms."""
    game: str
    variant: str | None
    """Name of the variant: the named one, or the one of the first texts; None for the default of the game."""
    is_game_detected: bool
    """Whether the game was detected, not named."""
    opened_batches: ReplayedBatches | None
    """Batches of the first file if it can be read only once, else None."""
    column_types: pa.Schema | None = None
    """Types with which columns are read from formats that have no types; None if there is no such file."""

    @property
    def has_pipe(self) -> bool:
        """Whether one of the files can be read only once."""
        return any(is_pipe(file) for file in self.files)

    @property
    def total_bytes(self) -> int | None:
        """Number of bytes to read, None if it is not known."""
        sizes = [shard.size for shard in self.shards]
        return None if None in sizes else sum(size for size in sizes if size is not None)


def inspect_input(
    sources: Sequence[str],
    *,
    format_name: str | None = None,
    dialect: CsvDialect | None = None,
    game: str | None = None,
    variant: str | None = None,
    column: str | None = None,
    packed: bool = False,
    all_columns: bool = True,
    shard_bytes: int | None = None,
) -> Input:
    """Find the files of a job, their columns, and the game of the texts.

    Args:
        sources: Patterns of the files; if there are none, standard input is read.
        format_name: The format of all files; None to detect it from each name.
        dialect: The layout of CSV and TSV files; None for the default.
        game: The name of the game; None to detect it.
        variant: The variant of the game. None is the default of a named game, and is detected otherwise.
        column: The name of the column with the texts; None to detect it.
        packed: Whether the column has packed forms instead of texts.
        all_columns: Whether all columns are read; otherwise only the column of the texts.
        shard_bytes: The approximate size of a shard, a part of the input; None for `TARGET_BYTES`.

    Raises:
        BulkError: If a file, the column or the game is missing, or the columns of the files do not fit.
    """
    if game is not None:
        require_game(game, variant)
    files = expand_patterns(list(sources) or [STANDARD], format_name, dialect)
    target_bytes = TARGET_BYTES if shard_bytes is None else shard_bytes
    shards = plan_shards(files, target_bytes=target_bytes)
    is_first_pipe = is_pipe(files[0])
    first_file = open_shard(shards[0], game=game)
    try:
        _require_separate_cells(first_file)
        named_column = PACKED if packed and column is None else column
        text_column = find_text_column(first_file.schema, named_column)
        outer_column = find_root_column(first_file.schema, text_column)
        if all_columns:
            columns = _infer_all_columns(first_file, files, shards, text_column, game)
        else:
            columns = CommonColumns(first_file.schema, pa.schema([outer_column]))
        # The texts are enough to detect the game. But a pipe cannot be read again with all columns.
        needs_all_columns_now = all_columns and is_first_pipe
        if not needs_all_columns_now:
            first_file.select_columns([outer_column.name])
        remaining_batches = iter(first_file)
        sample = list(islice(remaining_batches, 1))
        if game is None:
            source_name = display_name(shards[0].path)
            game_name, detected_variant = detect_game(sample, text_column, packed, source_name)
        else:
            game_name, detected_variant = game, None
        game_variant = detected_variant if variant is None else variant
        require_game(game_name, game_variant)
        # A pipe stays open, and its first batch is read again from memory.
        opened_batches = ReplayedBatches(first_file, sample, remaining_batches) if is_first_pipe else None
        return Input(
            files=files,
            shards=merge_small_shards(shards, target_bytes=target_bytes),
            schema=columns.schema,
            column=text_column,
            game=game_name,
            variant=game_variant,
            is_game_detected=game is None,
            opened_batches=opened_batches,
            column_types=columns.column_types,
        )
    finally:
        if not is_first_pipe:
            first_file.close()


def _require_separate_cells(batches: Batches) -> None:
    """Raise `BulkError` if the header of a CSV or TSV file is one cell that contains another delimiter."""
    dialect = batches.shard.cells
    is_default = batches.shard.format in DELIMITERS and dialect.delimiter is None and dialect.header
    if not is_default or len(batches.schema.names) != 1:
        return
    header = batches.schema.names[0]
    delimiter = next((delimiter for delimiter in _DELIMITER_NAMES if delimiter in header), None)
    if delimiter is not None:
        raise BulkError(
            f"{display_name(batches.shard.path)} has one column {header[:_MAX_HEADER_CHARS]!r}, whose name "
            f"contains {delimiter!r}; if this separates the cells, add "
            f"--delimiter '{_DELIMITER_NAMES[delimiter]}'"
        )


def _infer_all_columns(
    first_file: Batches, files: list[SourceFile], shards: list[Shard], text_column: str, game: str | None
) -> CommonColumns:
    """Return the columns of all files together, each with a type that holds all its values.

    A file that can be read only once is not inspected here but when it is read, except for the first file.

    Args:
        first_file: The first file, which is open.
        files: All files.
        shards: The shards of all files: the parts that are processed one by one.
        text_column: The column with the texts, which every file must have.
        game: The name of the game; None if it is not known yet.

    Raises:
        BulkError: If a file does not have the texts, or the columns of two files do not fit together.
    """
    # Of several shards of a file the last one in this order stays: the first one.
    first_shard_by_path = {shard.path: shard for shard in reversed(shards)}
    # A pipe is open already and is read with the types that it has now.
    first_schema = first_file.schema if is_pipe(files[0]) else first_file.inferred_schema
    file_columns = [_describe_columns(first_file, first_schema)]
    outer_name = find_root_column(first_file.schema, text_column).name
    other_files = [file for file in files[1:] if not is_pipe(file)]
    for group in _group_small_files(other_files):
        group_schema = _infer_group_schema(group, outer_name) if len(group) > 1 else None
        if group_schema is not None:
            find_text_column(group_schema, text_column)
            file_columns.append(FileColumns(group[0].path, group[0].format, group_schema))
            continue
        for file in group:
            with open_shard(first_shard_by_path[file.path], game=game) as batches:
                select_fields(batches.schema, [outer_name], file.path)
                find_text_column(batches.schema, text_column)
                file_columns.append(_describe_columns(batches, batches.inferred_schema))
    return merge_columns(file_columns)


def _group_small_files(files: list[SourceFile]) -> Iterator[list[SourceFile]]:
    """Yield groups of consecutive files whose columns are inferred together, to save time.

    A group has small CSV or JSON files of one layout, up to `GROUP_BYTES` bytes together, or one other file.
    """
    group: list[SourceFile] = []
    group_size = 0
    for file in files:
        file_size = file.size or 0
        fits_into_group = group_size + file_size < GROUP_BYTES
        if group and not (fits_into_group and _can_share_group(group[0], file)):
            yield group
            group = []
            group_size = 0
        group.append(file)
        group_size += file_size
    if group:
        yield group


def _can_share_group(file: SourceFile, other: SourceFile) -> bool:
    """Return whether the columns of two files can be inferred together.

    Both must be small files of one layout, in a format that does not give the types of columns.
    """
    has_same_layout = (file.format, file.cells) == (other.format, other.cells)
    return has_same_layout and _is_small_untyped(file) and _is_small_untyped(other)


def _is_small_untyped(file: SourceFile) -> bool:
    """Return whether a file is CSV or JSON, not compressed, and has fewer than `GROUP_BYTES` bytes."""
    is_untyped = file.format in (Format.CSV, Format.TSV, Format.JSONL) and file.compression is None
    return is_untyped and file.size is not None and file.size < GROUP_BYTES


def _infer_group_schema(files: list[SourceFile], column: str) -> pa.Schema | None:
    """Return the columns of several small CSV or JSON files of the same format and layout.

    Return None if the files must be inspected one by one. `column` is the name of a column that all of them
    must have.
    """
    paths = [file.path for file in files]
    first_file = files[0]
    if first_file.format is Format.JSONL:
        return jsonl.infer_merged_schema(paths, column)
    schema = delimited.infer_merged_schema(paths, DELIMITERS[first_file.format], first_file.cells)
    if schema is None or column not in schema.names:
        return None
    return schema


def _describe_columns(batches: Batches, schema: pa.Schema) -> FileColumns:
    """Return the columns `schema` with the path and the format of the open file `batches`."""
    return FileColumns(batches.shard.path, batches.shard.format, schema)


def is_pipe(file: SourceFile) -> bool:
    """Return whether a file can be read only once, such as standard input.

    A local file without a known size is taken for a pipe.
    """
    has_unknown_size = file.size is None and not is_url(file.path)
    return file.path == STANDARD or has_unknown_size


def detect_game(
    batches: list[pa.RecordBatch], column: str, packed: bool, source: str
) -> tuple[str, str | None]:
    """Return the names of the game and variant that most of the first texts belong to.

    They are, for example, ``("chess", "crazyhouse")``. The variant is None if all texts of the game are of
    its usual variant. It is ``auto`` if they are of several variants, which is then detected in each text.

    Args:
        batches: The first batches of the input.
        column: The name of the column with the texts.
        packed: Whether the column has packed forms, whose game cannot be detected.
        source: The name of the input for error messages.

    Raises:
        BulkError: If no game is detected.
    """
    if packed:
        raise BulkError("the game of packed forms cannot be detected; name it with --game")
    texts: list[str | bytes] = []
    for batch in batches:
        first_texts = get_texts(batch, column).drop_null().slice(0, DETECTION_SAMPLE)
        texts += first_texts.to_pylist()
    if not any(texts):
        raise BulkError(f"{source} begins with no text to detect the game from; name it with --game")
    detections = [_detect_game_of_text(text) for text in texts]
    votes = Counter(game for game, _ in detections if game is not None)
    if not votes:
        names = ", ".join(registry.games())
        raise BulkError(
            f"the game of the first texts of {source} (column {column!r}) cannot be detected; "
            f"name it with --game, one of {names}, or another column with --column"
        )
    ((game_name, _),) = votes.most_common(1)
    variants = {variant for game, variant in detections if game == game_name and variant is not None}
    return game_name, _merge_variants(registry.game(game_name), variants)


def _merge_variants(game: Game, variants: set[str]) -> str | None:
    """Return the variant to read texts with that were detected to be of the variants `variants`.

    None is the usual variant of the game, and ``auto`` detects the variant of each text.
    """
    if not isinstance(game, VariantNames) or variants <= {game.variant}:
        # The texts of the game contain no variant, or all of them are of the usual one.
        return None
    return min(variants) if len(variants) == 1 else AUTO


def _detect_game_of_text(text: str | bytes) -> tuple[str | None, str | None]:
    """Return the names of the game and variant of a text, such as ``("chess", "atomic")``.

    Both are None if no game is detected.
    """
    decoded = text if isinstance(text, str) else text.decode("utf-8", "surrogateescape")
    detection = registry.detect(decoded)
    if detection.game is not None:
        return detection.game, detection.variant
    # Reading also unwraps a text, such as one in Base64, and detects the game inside.
    result = reading.read(decoded)
    return result.game, result.variant


def require_game(game: str, variant: str | None) -> None:
    """Raise `BulkError` if there is no game of this name, or it has no such variant."""
    try:
        registry.game(game, variant)
    except registry.UnknownGameError as error:
        raise BulkError(f"{error}; name one of them with --game") from error
    except ValueError as error:
        variants = ", ".join(registry.game(game).variants)
        raise BulkError(f"{game} has no variant {variant!r}; choose one of {variants}") from error


# --- columns of all files ---------------------------------------------------------------------------


_CSV_FORMATS: Final = (Format.CSV, Format.TSV)
_UNTYPED_FORMATS: Final = (*_CSV_FORMATS, Format.JSONL)
"""Formats that do not give the types of columns."""


@dataclass(frozen=True, slots=True)
class FileColumns:
    """The names and types of the columns of one file, or of several files of the same columns."""

    path: str
    format: Format
    schema: pa.Schema


@dataclass(frozen=True, slots=True)
class CommonColumns:
    """The names and types of the columns that all files have together."""

    schema: pa.Schema
    column_types: pa.Schema | None
    """Types with which columns are read from formats that have no types; None if there is no such file."""


def merge_columns(files: Sequence[FileColumns]) -> CommonColumns:
    """Merge the columns of all files, each with one type, in the order in which they first occur.

    Raise `BulkError` if two files give a column types that cannot be combined.
    """
    csv_schemas = [file.schema for file in files if file.format in _CSV_FORMATS]
    other_schemas = [file.schema for file in files if file.format not in _CSV_FORMATS]
    csv_types = _merge_csv_types(_drop_repeated(csv_schemas), _drop_repeated(other_schemas))
    typed_files = [_replace_types(file, csv_types) if file.format in _CSV_FORMATS else file for file in files]

    # Columns of formats without types, which are read as text if no file gives them a type.
    untyped_files = [file for file in typed_files if file.format in _UNTYPED_FORMATS]
    untyped_names: set[str] = set()
    for file_schema in _drop_repeated([file.schema for file in untyped_files]):
        untyped_names.update(file_schema.names)
    schema = _replace_null_types(_unify_files(typed_files), untyped_names)
    column_types = None
    if untyped_files:
        column_types = _replace_null_types(_unify_files(untyped_files), untyped_names)
    return CommonColumns(schema, column_types)


def _merge_csv_types(
    csv_schemas: Iterable[pa.Schema], other_schemas: Iterable[pa.Schema]
) -> dict[str, pa.DataType]:
    """Return the type with which each column of the CSV files is read, by the name of the column.

    The type holds the cells of all CSV files. It is text if the column is text in a file of another format.
    """
    type_by_name: dict[str, pa.DataType] = {}
    for schema in csv_schemas:
        for field in schema:
            known_type = type_by_name.get(field.name, pa.null())
            type_by_name[field.name] = _merge_cell_types(known_type, field.type)
    for schema in other_schemas:
        for field in schema:
            if field.name in type_by_name and is_text(decode_type(field.type)):
                type_by_name[field.name] = pa.string()
    return type_by_name


def _merge_cell_types(known_type: pa.DataType, new_type: pa.DataType) -> pa.DataType:
    """Return the type with which CSV cells of both types can be read.

    Integers and floats, for example, are read as floats. If one type is text, both are read as text. If one
    of them is null, because its cells are empty, the result is the other one.
    """
    if known_type == new_type or pa.types.is_null(new_type):
        return known_type
    if pa.types.is_null(known_type):
        return new_type
    is_text_needed = pa.string() in (known_type, new_type)
    return pa.string() if is_text_needed else pa.float64()


def _replace_types(file: FileColumns, types: dict[str, pa.DataType]) -> FileColumns:
    """Return the columns of a file with other types. `types` has the new type of each by its name."""
    schema = pa.schema([(name, types[name]) for name in file.schema.names])
    return FileColumns(file.path, file.format, schema)


def _unify_files(files: Sequence[FileColumns]) -> pa.Schema:
    """Return the columns of all files, each with a type that holds all its values.

    Raise `BulkError` if a column has no such type.
    """
    schema = files[0].schema
    for previous_file, file in pairwise(files):
        # Of thousands of files, most have the same columns as the one before.
        if not file.schema.equals(previous_file.schema):
            schema = unify_schemas(schema, file.schema, file.path)
    return schema


def _drop_repeated(schemas: Sequence[pa.Schema]) -> list[pa.Schema]:
    """Return the schemas without those that equal the one before them: A, A, B, A gives A, B, A."""
    kept_schemas: list[pa.Schema] = []
    for schema in schemas:
        if not kept_schemas or schema != kept_schemas[-1]:
            kept_schemas.append(schema)
    return kept_schemas


def _replace_null_types(schema: pa.Schema, names: set[str]) -> pa.Schema:
    """Return a schema in which the columns `names` have the type text instead of null."""
    fields = []
    for field in schema:
        has_no_type = field.name in names and pa.types.is_null(field.type)
        fields.append(field.with_type(pa.string()) if has_no_type else field)
    return pa.schema(fields, schema.metadata)
