"""JSON lines as rows: objects whose keys are the columns, or strings, which form the column ``fen``.

Each line has one value; lines of blanks are skipped. The first block of the file (some megabytes) determines
the columns and their types. A key that first appears later, or a value of another type, is an error that
names the line, but only if the column is read. A key that a line lacks is null. A text that looks like a date
stays text; ``NaN`` and ``Infinity`` are numbers. A file without rows has the column ``fen``.

Limits: numbers are integers of 64 bits, or doubles if a number in the first block is not such an integer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.json

from forsyth.bulk.errors import BulkError, display_name, first_line
from forsyth.bulk.sources.files import SMALL_FILE_BYTES, Compression, Stream
from forsyth.bulk.sources.lines import TEXT_SCHEMA, LineBlocks, find_first_chars, slice_batches
from forsyth.bulk.sources.parse_pool import ParsePool, parse_blocks

_BLANK_LINE: Final = re.compile(rb"^[ \t\r]*\n", re.MULTILINE)
_REMEDY: Final = (
    "every line must be one JSON object with the keys of the first ones, or every line a JSON string"
)


class JsonColumns(NamedTuple):
    """The columns of a file, as its first block determines them."""

    schema: pa.Schema
    """The columns with the types that they are read with."""
    has_bare_strings: bool
    """Whether the lines are strings, not objects."""
    inferred_schema: pa.Schema
    """The columns with the types of their values; null for a column without a value."""


def infer_file_columns(path: str, compression: Compression | None) -> JsonColumns:
    """Return the columns of a file, inferred from its first block.

    All parts of the file are read with these columns, whatever keys their own lines have.
    """
    stream = Stream(path, compression)
    try:
        blocks = LineBlocks(stream)
        first_block = _find_first_nonblank_block(_number_blocks(blocks))
        return _infer_columns(first_block, _LineLocator(path, blocks))
    finally:
        stream.close()


def infer_merged_schema(paths: Sequence[str], column: str) -> pa.Schema | None:
    """Return the columns of small files that all have the column `column`, inferred in one step.

    Return None if a file lacks the column or is not JSON lines. Reading the files one by one gives the error.
    """
    key_text = _format_key(column)
    contents = []
    for path in paths:
        data = _read_small_file(path)
        is_usable = data.lstrip().startswith(b"{") and key_text in data
        if not is_usable:
            return None
        contents.append(data if data.endswith(b"\n") else data + b"\n")
    try:
        return _replace_timestamps(_parse_block(b"".join(contents), _INFER_ALL).schema)
    except (pa.ArrowInvalid, _NotOnePerLineError):
        return None


def _read_small_file(path: str) -> bytes:
    """Return the first `SMALL_FILE_BYTES` bytes of a file, which are all bytes of a small file."""
    stream = Stream(path)
    try:
        return stream.read(SMALL_FILE_BYTES)
    finally:
        stream.close()


class JsonRows:
    """The rows of the lines of a file or of a part of it."""

    def __init__(
        self,
        stream: Stream,
        blocks: LineBlocks,
        columns: JsonColumns | None = None,
        column_types: pa.Schema | None = None,
        parse_pool: ParsePool | None = None,
    ) -> None:
        """Determine the columns.

        Args:
            stream: The file.
            blocks: The lines of the file, or of the part to read.
            columns: The columns of the file; None infers them from the first block.
            column_types: The columns that several files have together. If the first block names all of them,
                they are used and nothing is inferred.
            parse_pool: The threads that parse the blocks; None to parse them in the calling thread.
        """
        self._stream = stream
        self._blocks = _number_blocks(blocks)
        self._parse_pool = parse_pool
        self._locator = _LineLocator(stream.path, blocks)
        self._first_block = _NO_BLOCK if columns is not None else _find_first_nonblank_block(self._blocks)
        self._columns = (
            columns
            or _match_known_columns(self._first_block.lines, column_types)
            or _infer_columns(self._first_block, self._locator)
        )
        self.schema = self._columns.schema

    @property
    def inferred_schema(self) -> pa.Schema:
        """Columns with the types of their values; null for a column without a value."""
        return self._columns.inferred_schema

    @property
    def bytes_read(self) -> int:
        """Number of bytes of the file that have been read."""
        return self._stream.bytes_read

    def iter_batches(self, max_rows: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
        """Yield the rows after the first `skip`, at most `max_rows` in each batch."""
        # If only some columns are read, other keys of a line are not checked.
        reads_all_columns = self.schema is self._columns.schema
        unknown_keys: UnknownKeys = "error" if reads_all_columns else "ignore"
        options = _ParseOptions(self.schema, unknown_keys, self._columns.has_bare_strings)
        blocks = chain((self._first_block,), self._blocks)
        parse = partial(_parse_or_explain, options=options, locator=self._locator)
        batches = parse_blocks(parse, blocks, self._parse_pool)
        return slice_batches(batches, max_rows, skip)

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


class _Block(NamedTuple):
    """A block of lines, and its place."""

    lines: bytes
    end_line_count: int
    """Number of lines up to the end of the block, as `LineBlocks.line_count` has counted them."""


_NO_BLOCK: Final = _Block(b"", 0)


def _number_blocks(blocks: LineBlocks) -> Iterator[_Block]:
    """Yield the blocks, each with the number of lines up to its end."""
    for lines in blocks:
        yield _Block(lines, blocks.line_count)


class _LineLocator:
    """A file with the blocks that are read from it, to describe the place of a line in error messages."""

    def __init__(self, path: str, blocks: LineBlocks) -> None:
        """Store the path of the file, and the blocks of lines that are read from it."""
        self._path = path
        self._blocks = blocks

    def describe_location(self, block: _Block, line_index: int) -> str:
        """Return the place of a line in the file, such as ``games.jsonl, line 12``.

        Args:
            block: The block that contains the line.
            line_index: The number of lines of the block before the line.
        """
        distance_to_block_end = block.lines.count(b"\n") - line_index
        line_number = self._blocks.line_number(-distance_to_block_end, block.end_line_count)
        return f"{display_name(self._path)}, line {line_number}"


def _format_key(name: str) -> bytes:
    """Return the key `name` as most JSON files have it, with a colon: ``"fen":``."""
    return f"{json.dumps(name)}:".encode()


def _find_first_nonblank_block(blocks: Iterable[_Block]) -> _Block:
    """Return the first block with a line that is not blank, or an empty block if there is none."""
    return next((block for block in blocks if not block.lines.isspace()), _NO_BLOCK)


def _match_known_columns(block: bytes, column_types: pa.Schema | None) -> JsonColumns | None:
    """Return `column_types` as the columns of a file if its first block has all their names.

    Return None if the columns have to be inferred. `block` is the first block of the file.
    """
    if not column_types or not block.lstrip().startswith(b"{"):
        return None
    has_all_keys = all(_format_key(name) in block for name in column_types.names)
    if not has_all_keys:
        return None
    return JsonColumns(column_types, has_bare_strings=False, inferred_schema=column_types)


def _infer_columns(block: _Block, locator: _LineLocator) -> JsonColumns:
    """Return the columns of a file whose first block is `block`.

    A file without lines, or with lines such as ``"8/8/... w - - 0 1"``, has the column ``fen``. Raise
    `BulkError` if a line is not JSON. `locator` describes the place of that line.
    """
    has_bare_strings = block.lines.lstrip().startswith(b'"')
    if not block.lines or has_bare_strings:
        return JsonColumns(TEXT_SCHEMA, has_bare_strings, inferred_schema=TEXT_SCHEMA)
    inferred = _infer_schema(block, locator)
    schema = pa.schema([field.with_type(_choose_read_type(field.type)) for field in inferred])
    return JsonColumns(schema, has_bare_strings, inferred_schema=_replace_timestamps(inferred))


def _replace_timestamps(inferred_schema: pa.Schema) -> pa.Schema:
    """Return an inferred schema with strings instead of timestamps.

    A column without a value keeps the type null.
    """
    fields = []
    for field in inferred_schema:
        is_without_value = pa.types.is_null(field.type)
        fields.append(field if is_without_value else field.with_type(_choose_read_type(field.type)))
    return pa.schema(fields)


def _infer_schema(block: _Block, locator: _LineLocator) -> pa.Schema:
    """Return the keys of all lines of a block as columns, with the types that Arrow infers.

    Raise `BulkError` if a line is not JSON. `locator` describes the place of that line.
    """
    try:
        return _parse_block(block.lines, _INFER_ALL).schema
    except (pa.ArrowInvalid, _NotOnePerLineError):
        return _infer_from_first_values(block, locator)


def _infer_from_first_values(block: _Block, locator: _LineLocator) -> pa.Schema:
    """Return each key with the type of its first value, for a block with values of different types.

    Reading such a column later raises an error that names the line. Raise `BulkError` if a line is not JSON.
    """
    type_by_key: dict[str, pa.DataType] = {}
    for line_index, line in enumerate(block.lines.splitlines(keepends=True)):
        if line.isspace() or _has_only_known_keys(line, type_by_key):
            continue
        try:
            parsed = _parse_block(line, _INFER_ALL)
        except (pa.ArrowInvalid, _NotOnePerLineError) as error:
            location = locator.describe_location(block, line_index)
            raise BulkError(f"{location}: {_format_parse_error(error)}; {_REMEDY}") from error
        for field in parsed.schema:
            is_type_known = field.name in type_by_key and not pa.types.is_null(type_by_key[field.name])
            if not is_type_known:
                type_by_key[field.name] = field.type
    return pa.schema(list(type_by_key.items()))


def _has_only_known_keys(line: bytes, type_by_key: Mapping[str, pa.DataType]) -> bool:
    """Return whether a line is a JSON object that adds no key and no type to `type_by_key`.

    Most lines add none, and Arrow, which would infer the types, is slow at parsing a single line.
    """
    try:
        parsed = json.loads(line)
    except (ValueError, RecursionError):
        return False
    if not isinstance(parsed, dict):
        return False
    for key, value in parsed.items():
        if key not in type_by_key:
            return False
        # A key that has only had nulls has no type yet.
        if value is not None and pa.types.is_null(type_by_key[key]):
            return False
    return True


def _choose_read_type(inferred_type: Any) -> Any:
    """Return the type with which a column is read for which Arrow has inferred `inferred_type`.

    Timestamps are read as text, because a text that only looks like a date must not change. A column without
    a value (null) is read as text, too.
    """
    if pa.types.is_timestamp(inferred_type) or pa.types.is_null(inferred_type):
        return pa.string()
    if pa.types.is_list(inferred_type):
        return pa.list_(_choose_read_type(inferred_type.value_type))
    if pa.types.is_struct(inferred_type):
        return pa.struct([field.with_type(_choose_read_type(field.type)) for field in inferred_type])
    return inferred_type


UnknownKeys = Literal["infer", "ignore", "error"]
"""Treatment of keys that are not in the schema: they become columns, are left out, or are an error."""


class _ParseOptions(NamedTuple):
    """The options for parsing a block."""

    schema: pa.Schema | None
    """The columns; None infers them and their types."""
    unknown_keys: UnknownKeys
    has_bare_strings: bool
    """Whether the lines are strings, not objects."""


_INFER_ALL: Final = _ParseOptions(schema=None, unknown_keys="infer", has_bare_strings=False)


def _parse_or_explain(block: _Block, options: _ParseOptions, locator: _LineLocator) -> pa.RecordBatch:
    """Return the rows of a block of lines. Raise `BulkError` with the first line that cannot be parsed.

    `locator` describes the place of that line.
    """
    try:
        return _parse_block(block.lines, options)
    except (pa.ArrowInvalid, _NotOnePerLineError) as error:
        line_index, reason = _find_first_fault(block.lines, options)
        location = locator.describe_location(block, line_index)
        faulty_line = block.lines.split(b"\n")[line_index]
        unknown_keys = _find_unknown_keys(faulty_line, options)
        if unknown_keys:
            raise BulkError(
                f"{location}: the key {unknown_keys[0]!r} is new here, after the first megabytes of the "
                "file; put a line that has it first"
            ) from error
        raise BulkError(f"{location}: {reason}; {_REMEDY}") from error


def _find_unknown_keys(line: bytes, options: _ParseOptions) -> list[str]:
    """Return the keys of a line that are not in the schema, if `options` make such keys an error.

    Return no keys if unknown keys are allowed, or if the line is not a JSON object.
    """
    schema = options.schema
    rejects_unknown_keys = options.unknown_keys == "error" and not options.has_bare_strings
    if schema is None or not rejects_unknown_keys:
        return []
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return []
    return [key for key in value if key not in schema.names] if isinstance(value, dict) else []


class _NotOnePerLineError(ValueError):
    """The number of values differs from the number of lines."""


def _parse_block(block: bytes, options: _ParseOptions) -> pa.RecordBatch:
    """Return the rows of the lines of a block that are not blank.

    Raise `pa.ArrowInvalid` if a line is not JSON or does not fit the schema, and `_NotOnePerLineError` if a
    line does not have exactly one value.
    """
    lines = _remove_blank_lines(block)
    if not lines:
        empty_schema = TEXT_SCHEMA if options.schema is None else options.schema
        return pa.RecordBatch.from_pylist([], schema=empty_schema)
    json_text = _wrap_bare_strings(lines) if options.has_bare_strings else lines
    table = pyarrow.json.read_json(
        pa.BufferReader(json_text),
        read_options=pyarrow.json.ReadOptions(use_threads=False, block_size=len(json_text) + 1),
        parse_options=pyarrow.json.ParseOptions(
            explicit_schema=options.schema, unexpected_field_behavior=options.unknown_keys
        ),
    )
    if table.num_rows != lines.count(b"\n"):
        # An object over several lines would be torn where a file is cut into shards.
        raise _NotOnePerLineError("not one JSON value on each line")
    return table.combine_chunks().to_batches()[0]


def _wrap_bare_strings(lines: bytes) -> bytes:
    """Return lines of JSON strings as objects, which Arrow needs: ``"x"`` becomes ``{"fen":"x"}``."""
    all_but_last_line_end = lines[:-1]
    return b'{"fen":' + all_but_last_line_end.replace(b"\n", b'}\n{"fen":') + b"}\n"


def _remove_blank_lines(block: bytes) -> bytes:
    """Return a block without its lines that are empty or contain only blanks."""
    # A blank line begins with a blank or with its own end, no byte of which is greater than a space.
    may_have_blank_lines = np.any(find_first_chars(block) <= ord(" "))
    return _BLANK_LINE.sub(b"", block) if may_have_blank_lines else block


def _find_first_fault(block: bytes, options: _ParseOptions) -> tuple[int, str]:
    """Return the index of the first line of a block that cannot be parsed, and the reason.

    At least one line of the block cannot be parsed with these `options`. The line is found by binary search,
    because Arrow does not name it.
    """
    line_ends = [match.end() for match in re.finditer(rb"\n", block)]
    low, high = 0, len(line_ends) - 1
    reason = ""
    while low <= high:
        middle = (low + high) // 2
        first_lines = block[: line_ends[middle]]
        try:
            _parse_block(first_lines, options)
            low = middle + 1
        except (pa.ArrowInvalid, _NotOnePerLineError) as error:
            reason = _format_parse_error(error)
            high = middle - 1
    return low, reason


def _format_parse_error(error: Exception) -> str:
    """Return the first line of the message of an error, without ``JSON parse error:`` and ``in row 7``.

    Arrow counts the rows of a block, which are not those of the file.
    """
    return re.sub(r"^JSON parse error: | in row \d+$", "", first_line(error))
