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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.json

from forsyth.bulk.errors import BulkError, display_name, first_line
from forsyth.bulk.sources.files import SMALL_FILE_BYTES, Compression, Stream
from forsyth.bulk.sources.lines import TEXT_SCHEMA, LineBlocks, slice_batches

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

    All shards of the file have these columns, whatever lines they contain.
    """
    stream = Stream(path, compression)
    try:
        blocks = LineBlocks(stream)
        return _infer_columns(_first_nonblank_block(iter(blocks)), _LineLocator(path, blocks))
    finally:
        stream.close()


def infer_merged_schema(paths: Sequence[str], column: str) -> pa.Schema | None:
    """Return the columns of small files that all have the column `column`, inferred in one step.

    Return None if a file lacks the column or is not JSON lines. Reading the files one by one gives the error.
    """
    key = f"{json.dumps(column)}:".encode()
    contents = []
    for path in paths:
        stream = Stream(path)
        try:
            data = stream.read(SMALL_FILE_BYTES)
        finally:
            stream.close()
        if not data.lstrip().startswith(b"{") or key not in data:
            return None
        contents.append(data if data.endswith(b"\n") else data + b"\n")
    try:
        return _replace_types(_parse_block(b"".join(contents), _INFER_ALL).schema)
    except (pa.ArrowInvalid, _NotOnePerLineError):
        return None


class JsonRows:
    """The rows of the lines of a file or of a part of it."""

    def __init__(
        self,
        stream: Stream,
        blocks: LineBlocks,
        columns: JsonColumns | None = None,
        column_types: pa.Schema | None = None,
    ) -> None:
        """Determine the columns.

        Args:
            stream: The file.
            blocks: The lines of the file, or of the part to read.
            columns: The columns of the file; None infers them from the first block.
            column_types: The columns that several files have together. If the first block names all of them,
                they are used and nothing is inferred.
        """
        self._stream = stream
        self._blocks = iter(blocks)
        self._locator = _LineLocator(stream.path, blocks)
        self._head = b"" if columns is not None else _first_nonblank_block(self._blocks)
        self._columns = (
            columns
            or _match_known_columns(self._head, column_types)
            or _infer_columns(self._head, self._locator)
        )
        self.schema = self._columns.schema

    @property
    def inferred_schema(self) -> pa.Schema:
        """Columns with the types of their values; null for a column without a value."""
        return self._columns.inferred_schema

    @property
    def position(self) -> int:
        """Number of bytes of the file that have been read."""
        return self._stream.position

    def iter_batches(self, max_rows: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
        """Yield the rows after the first `skip`, at most `max_rows` in each batch."""
        # If only some columns are read, other keys of a line are not checked.
        reads_all_columns = self.schema is self._columns.schema
        unknown_keys: UnknownKeys = "error" if reads_all_columns else "ignore"
        options = _ParseOptions(self.schema, unknown_keys, self._columns.has_bare_strings)
        blocks = chain((self._head,), self._blocks)
        batches = (_parse_or_explain(block, options, self._locator) for block in blocks)
        return slice_batches(batches, max_rows, skip)

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


class _LineLocator:
    """Names the lines of the block that `blocks` yielded last, for error messages."""

    def __init__(self, path: str, blocks: LineBlocks) -> None:
        self._path = path
        self._blocks = blocks

    def locate(self, block: bytes, line: int) -> str:
        """Return the place of line `line` (from 0) of the block, such as ``games.jsonl, line 12``."""
        number = self._blocks.line_number(line - block.count(b"\n"))
        return f"{display_name(self._path)}, line {number}"


def _first_nonblank_block(blocks: Iterable[bytes]) -> bytes:
    """Return the first block with a line that is not blank, or no bytes if there is none."""
    return next((block for block in blocks if not block.isspace()), b"")


def _match_known_columns(block: bytes, column_types: pa.Schema | None) -> JsonColumns | None:
    """Return `column_types` as the columns of a file if its first block has all their names, else None."""
    if not column_types or not block.lstrip().startswith(b"{"):
        return None
    has_all = all(f"{json.dumps(name)}:".encode() in block for name in column_types.names)
    return JsonColumns(column_types, False, column_types) if has_all else None


def _infer_columns(block: bytes, locator: _LineLocator) -> JsonColumns:
    """Return the columns of a file whose first block is `block`.

    A file without lines, or with lines such as ``"8/8/... w - - 0 1"``, has the column ``fen``. Raise
    `BulkError` if a line is not JSON.
    """
    if not block:
        return JsonColumns(TEXT_SCHEMA, False, TEXT_SCHEMA)
    if block.lstrip().startswith(b'"'):
        return JsonColumns(TEXT_SCHEMA, True, TEXT_SCHEMA)
    inferred = _infer_schema(block, locator)
    schema = pa.schema([field.with_type(_readable_type(field.type)) for field in inferred])
    return JsonColumns(schema, False, _replace_types(inferred))


def _replace_types(inferred: pa.Schema) -> pa.Schema:
    """Return the inferred columns with timestamps replaced by text; a column without a value keeps null."""
    return pa.schema(
        [
            field if pa.types.is_null(field.type) else field.with_type(_readable_type(field.type))
            for field in inferred
        ]
    )


def _infer_schema(block: bytes, locator: _LineLocator) -> pa.Schema:
    """Return the keys of all lines with their types, as Arrow infers them; raise `BulkError` if it cannot."""
    try:
        return _parse_block(block, _INFER_ALL).schema
    except (pa.ArrowInvalid, _NotOnePerLineError):
        return _infer_from_first_values(block, locator)


def _infer_from_first_values(block: bytes, locator: _LineLocator) -> pa.Schema:
    """Return each key with the type of its first value, for a block with values of different types.

    Reading such a column later raises an error that names the line. Raise `BulkError` if a line is not JSON.
    """
    type_by_key: dict[str, pa.DataType] = {}
    for number, line in enumerate(block.splitlines(keepends=True)):
        if line.isspace() or _has_only_known_keys(line, type_by_key):
            continue
        try:
            parsed = _parse_block(line, _INFER_ALL)
        except (pa.ArrowInvalid, _NotOnePerLineError) as error:
            raise BulkError(
                f"{locator.locate(block, number)}: {_parse_error_reason(error)}; {_REMEDY}"
            ) from error
        for field in parsed.schema:
            if pa.types.is_null(type_by_key.get(field.name, pa.null())):
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
    # A key that has only had nulls has no type yet.
    return all(
        key in type_by_key and (value is None or not pa.types.is_null(type_by_key[key]))
        for key, value in parsed.items()
    )


def _readable_type(inferred: Any) -> Any:
    """Return the type with which a column of an inferred type is read.

    Timestamps and null become text: a guessed date would change the text, and null has no values.
    """
    if pa.types.is_timestamp(inferred) or pa.types.is_null(inferred):
        return pa.string()
    if pa.types.is_list(inferred):
        return pa.list_(_readable_type(inferred.value_type))
    if pa.types.is_struct(inferred):
        return pa.struct([field.with_type(_readable_type(field.type)) for field in inferred])
    return inferred


UnknownKeys = Literal["infer", "ignore", "error"]
"""What Arrow does with keys that are not in the schema."""


class _ParseOptions(NamedTuple):
    """The options for parsing a block."""

    schema: pa.Schema | None
    """The columns; None infers them and their types."""
    unknown_keys: UnknownKeys
    has_bare_strings: bool
    """Whether the lines are strings, not objects."""


_INFER_ALL: Final = _ParseOptions(None, "infer", False)


def _parse_or_explain(block: bytes, options: _ParseOptions, locator: _LineLocator) -> pa.RecordBatch:
    """Return the rows of a block of lines; raise `BulkError` with the first line that cannot be parsed."""
    try:
        return _parse_block(block, options)
    except (pa.ArrowInvalid, _NotOnePerLineError) as error:
        line, reason = _find_first_fault(block, lambda part: _parse_block(part, options))
        place = locator.locate(block, line)
        unknown_keys = _find_unknown_keys(block.split(b"\n", line + 1)[line], options)
        if unknown_keys:
            raise BulkError(
                f"{place}: the key {unknown_keys[0]!r} is new here, after the first megabytes of the file; "
                "put a line that has it first"
            ) from error
        raise BulkError(f"{place}: {reason}; {_REMEDY}") from error


def _find_unknown_keys(line: bytes, options: _ParseOptions) -> list[str]:
    """Return the keys of a line that are not in the schema, if `options` make such keys an error."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return []
    schema = options.schema
    rejects_unknown_keys = options.unknown_keys == "error" and not options.has_bare_strings
    if schema is None or not rejects_unknown_keys or not isinstance(value, dict):
        return []
    return [key for key in value if key not in schema.names]


class _NotOnePerLineError(ValueError):
    """The number of values differs from the number of lines."""


def _parse_block(block: bytes, options: _ParseOptions) -> pa.RecordBatch:
    """Return the rows of the lines of a block that are not blank.

    Raise `pa.ArrowInvalid` if a line is not JSON or does not fit the schema, and `_NotOnePerLineError` if a
    line does not have exactly one value.
    """
    lines = _remove_blank_lines(block)
    if not lines:
        empty = TEXT_SCHEMA if options.schema is None else options.schema
        return pa.RecordBatch.from_pylist([], schema=empty)
    # Arrow reads objects only, so each bare string becomes the value of the key "fen".
    text = (
        b'{"fen":' + lines[:-1].replace(b"\n", b'}\n{"fen":') + b"}\n" if options.has_bare_strings else lines
    )
    table = pyarrow.json.read_json(
        pa.BufferReader(text),
        read_options=pyarrow.json.ReadOptions(use_threads=False, block_size=len(text) + 1),
        parse_options=pyarrow.json.ParseOptions(
            explicit_schema=options.schema, unexpected_field_behavior=options.unknown_keys
        ),
    )
    if table.num_rows != lines.count(b"\n"):
        # An object over several lines would be torn where a file is cut into shards.
        raise _NotOnePerLineError("not one JSON value on each line")
    return table.combine_chunks().to_batches()[0]


def _remove_blank_lines(block: bytes) -> bytes:
    """Return a block without its lines that are empty or contain only blanks."""
    # A blank line begins with a blank or with its own end, so the first byte of each line decides.
    chars = np.frombuffer(b"\n" + block, np.uint8)
    first_chars = chars[1:][chars[:-1] == ord("\n")]
    return _BLANK_LINE.sub(b"", block) if np.any(first_chars <= ord(" ")) else block


def _find_first_fault(block: bytes, parse: Callable[[bytes], object]) -> tuple[int, str]:
    """Return the index of the first faulty line of a block and the reason, by binary search.

    Args:
        block: Lines, at least one of which is faulty.
        parse: Raises an error if one of the lines that it is given is faulty.
    """
    line_ends = [match.end() for match in re.finditer(rb"\n", block)]
    low, high = 0, len(line_ends) - 1
    reason = ""
    while low <= high:
        middle = (low + high) // 2
        try:
            parse(block[: line_ends[middle]])
            low = middle + 1
        except (pa.ArrowInvalid, _NotOnePerLineError) as error:
            reason = _parse_error_reason(error)
            high = middle - 1
    return low, reason


def _parse_error_reason(error: Exception) -> str:
    """Return the message of an error of Arrow without ``JSON parse error:`` and ``in row 7``."""
    return re.sub(r"^JSON parse error: | in row \d+$", "", first_line(error))
