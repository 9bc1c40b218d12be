"""JSON lines as rows: objects, whose keys are the columns, or strings, which are the column ``fen``.

Accepts one value on each line; lines of blanks are passed over. The first block of the file (some megabytes)
decides about columns and types: a key that comes later, or a value of another type, is an error with its
line. A key that a line lacks is null. What looks like a date stays text. A file without rows has the column
``fen``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.json

from forsyth.bulk.errors import BulkError, brief, shown
from forsyth.bulk.lines import LineBlocks
from forsyth.bulk.shards import Shard
from forsyth.bulk.streams import Stream
from forsyth.bulk.textfiles import TEXT_SCHEMA, LineRows

_BLANK: Final = re.compile(rb"^[ \t\r]*\n", re.MULTILINE)
_REMEDY: Final = (
    "every line must be one JSON object with the keys of the first ones, or every line a JSON string"
)


class JsonColumns(NamedTuple):
    """What the first block of a file says about all of it."""

    schema: pa.Schema
    bare: bool
    """Whether the lines are strings, not objects."""


def columns_of_file(shard: Shard) -> JsonColumns:
    """The columns of the file of a shard, which all its shards must have, whatever their own lines say."""
    stream = Stream(shard.path, shard.compression)
    try:
        blocks = LineBlocks(stream)
        return _columns(_first_filled(iter(blocks)), _Places(shard.path, blocks))
    finally:
        stream.close()


def open_json(stream: Stream, blocks: LineBlocks, columns: JsonColumns | None) -> LineRows:
    """The rows of blocks of lines; without `columns` the first of them tell them."""
    rest = iter(blocks)
    places = _Places(stream.path, blocks)
    head = b"" if columns is not None else _first_filled(rest)
    schema, bare = columns or _columns(head, places)
    return LineRows(stream, chain((head,), rest), schema, lambda block: _rows(block, schema, bare, places))


class _Places:
    """Names the lines of the block that was given out last."""

    def __init__(self, path: str, blocks: LineBlocks) -> None:
        self._path = path
        self._blocks = blocks

    def __call__(self, block: bytes, line: int) -> str:
        number = self._blocks.line_number(line - block.count(b"\n"))
        return f"{shown(self._path)}, line {number}"


def _first_filled(blocks: Iterable[bytes]) -> bytes:
    return next((block for block in blocks if not block.isspace()), b"")


def _columns(sample: bytes, places: _Places) -> JsonColumns:
    if not sample:
        return JsonColumns(TEXT_SCHEMA, False)
    if sample.lstrip().startswith(b'"'):
        return JsonColumns(TEXT_SCHEMA, True)
    inferred = _rows(sample, None, False, places).schema
    return JsonColumns(pa.schema([field.with_type(_plain_type(field.type)) for field in inferred]), False)


def _plain_type(kind: Any) -> Any:
    """A type that holds what a line says: a guess at a date would change the text, a null says nothing."""
    if pa.types.is_timestamp(kind) or pa.types.is_null(kind):
        return pa.string()
    if pa.types.is_list(kind):
        return pa.list_(_plain_type(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_plain_type(field.type)) for field in kind])
    return kind


def _rows(block: bytes, schema: pa.Schema | None, bare: bool, places: _Places) -> pa.RecordBatch:
    """The rows of a block; without a schema their types are inferred."""
    try:
        return _parsed(block, schema, bare)
    except (pa.ArrowInvalid, _NotOnePerLineError) as error:
        line, reason = _first_fault(block, lambda part: _parsed(part, schema, bare))
        raise BulkError(f"{places(block, line)}: {reason}; {_REMEDY}") from error


class _NotOnePerLineError(ValueError):
    """There are not as many values as lines."""


def _parsed(block: bytes, schema: pa.Schema | None, bare: bool) -> pa.RecordBatch:
    filled = _without_blank_lines(block)
    if not filled:
        empty = TEXT_SCHEMA if schema is None else schema
        return pa.RecordBatch.from_pylist([], schema=empty)
    text = b'{"fen":' + filled[:-1].replace(b"\n", b'}\n{"fen":') + b"}\n" if bare else filled
    table = pyarrow.json.read_json(
        pa.BufferReader(text),
        read_options=pyarrow.json.ReadOptions(use_threads=False, block_size=len(text) + 1),
        parse_options=pyarrow.json.ParseOptions(
            explicit_schema=schema, unexpected_field_behavior="infer" if schema is None else "error"
        ),
    )
    if table.num_rows != filled.count(b"\n"):
        # An object that goes over several lines would fall apart where a file is cut.
        raise _NotOnePerLineError("not one JSON value on each line")
    return table.combine_chunks().to_batches()[0]


def _without_blank_lines(block: bytes) -> bytes:
    # A blank line begins with a blank or its end: the first byte of each line is all there is to look at.
    chars = np.frombuffer(b"\n" + block, np.uint8)
    firsts = chars[1:][chars[:-1] == ord("\n")]
    return _BLANK.sub(b"", block) if np.any(firsts <= ord(" ")) else block


def _first_fault(block: bytes, parse: Callable[[bytes], object]) -> tuple[int, str]:
    """The first line with which the lines up to it cannot be parsed, and why: found by halving."""
    ends = [found.end() for found in re.finditer(rb"\n", block)]
    low, high = 0, len(ends) - 1
    reason = ""
    while low <= high:
        middle = (low + high) // 2
        try:
            parse(block[: ends[middle]])
            low = middle + 1
        except (pa.ArrowInvalid, _NotOnePerLineError) as error:
            reason = re.sub(r"^JSON parse error: | in row \d+$", "", brief(error))
            high = middle - 1
    return low, reason
