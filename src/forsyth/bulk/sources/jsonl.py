"""JSON lines as rows: objects, whose keys are the columns, or strings, which are the column ``fen``.

Accepts one value on each line; lines of blanks are skipped. The first block of the file (some megabytes)
decides about columns and types: a key that comes later, or a value of another type, is an error with its
line, but only where the column is asked for. A key that a line lacks is null. What looks like a date stays
text; ``NaN`` and ``Infinity`` are numbers. A file without rows has the column ``fen``.

Limits: numbers are integers of 64 bits, or doubles where one of the block is no such integer.
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

from forsyth.bulk.errors import BulkError, brief, shown
from forsyth.bulk.sources.files import SMALL_BYTES, Compression, Stream
from forsyth.bulk.sources.lines import TEXT_SCHEMA, LineBlocks, sliced

_BLANK: Final = re.compile(rb"^[ \t\r]*\n", re.MULTILINE)
_REMEDY: Final = (
    "every line must be one JSON object with the keys of the first ones, or every line a JSON string"
)


class JsonColumns(NamedTuple):
    """What the first block of a file says about all of it."""

    schema: pa.Schema
    bare: bool
    """Whether the lines are strings, not objects."""
    told: pa.Schema
    """The same, but null where no line has a value."""


def columns_of_file(path: str, compression: Compression | None) -> JsonColumns:
    """The columns of a file, which all its shards have, independent of their own lines."""
    stream = Stream(path, compression)
    try:
        blocks = LineBlocks(stream)
        return _columns(_first_filled(iter(blocks)), _LineNames(path, blocks))
    finally:
        stream.close()


def columns_together(paths: Sequence[str], column: str) -> pa.Schema | None:
    """The columns of small files that all have a certain one, inferred at once.

    None where that cannot be done: the files one by one say why.
    """
    key = f"{json.dumps(column)}:".encode()
    parts = []
    for path in paths:
        stream = Stream(path)
        try:
            data = stream.read(SMALL_BYTES)
        finally:
            stream.close()
        if not data.lstrip().startswith(b"{") or key not in data:
            return None
        parts.append(data if data.endswith(b"\n") else data + b"\n")
    try:
        return _told(_parsed(b"".join(parts), _ANYTHING).schema)
    except (pa.ArrowInvalid, _NotOnePerLineError):
        return None


class JsonRows:
    """The rows of blocks of lines; without `columns` the first of them decide.

    `kinds` are columns that some files have together: where the first lines name all of them, they are those
    of this one too, and nothing has to be inferred.
    """

    def __init__(
        self,
        stream: Stream,
        blocks: LineBlocks,
        columns: JsonColumns | None = None,
        kinds: pa.Schema | None = None,
    ) -> None:
        self._stream = stream
        self._rest = iter(blocks)
        self._name_of = _LineNames(stream.path, blocks)
        self._head = b"" if columns is not None else _first_filled(self._rest)
        self._columns = columns or _known(self._head, kinds) or _columns(self._head, self._name_of)
        self.schema = self._columns.schema

    @property
    def told(self) -> pa.Schema:
        """The columns with the types that their values have; null where there is no value."""
        return self._columns.told

    @property
    def position(self) -> int:
        """How many bytes of the file have been read."""
        return self._stream.position

    def batches(self, rows: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
        """The rows after the first `skip`, at most `rows` at once."""
        # Where some columns were chosen, what else is in the lines does not matter.
        others: Others = "error" if self.schema is self._columns.schema else "ignore"
        wanted = _Wanted(self.schema, others, self._columns.bare)
        blocks = chain((self._head,), self._rest)
        return sliced((_rows(block, wanted, self._name_of) for block in blocks), rows, skip)

    def close(self) -> None:
        """Gives the file back."""
        self._stream.close()


class _LineNames:
    """Names the lines of the block that was given out last."""

    def __init__(self, path: str, blocks: LineBlocks) -> None:
        self._path = path
        self._blocks = blocks

    def __call__(self, block: bytes, line: int) -> str:
        number = self._blocks.line_number(line - block.count(b"\n"))
        return f"{shown(self._path)}, line {number}"


def _first_filled(blocks: Iterable[bytes]) -> bytes:
    return next((block for block in blocks if not block.isspace()), b"")


def _known(sample: bytes, kinds: pa.Schema | None) -> JsonColumns | None:
    """The columns of all files together, where a sample of one has them all."""
    if not kinds or not sample.lstrip().startswith(b"{"):
        return None
    has_all = all(f"{json.dumps(name)}:".encode() in sample for name in kinds.names)
    return JsonColumns(kinds, False, kinds) if has_all else None


def _columns(sample: bytes, name_of: _LineNames) -> JsonColumns:
    if not sample:
        return JsonColumns(TEXT_SCHEMA, False, TEXT_SCHEMA)
    if sample.lstrip().startswith(b'"'):
        return JsonColumns(TEXT_SCHEMA, True, TEXT_SCHEMA)
    inferred = _inferred(sample, name_of)
    schema = pa.schema([field.with_type(_plain_type(field.type)) for field in inferred])
    return JsonColumns(schema, False, _told(inferred))


def _told(inferred: pa.Schema) -> pa.Schema:
    """The columns as the lines have them, null where there is no value."""
    return pa.schema(
        [
            field if pa.types.is_null(field.type) else field.with_type(_plain_type(field.type))
            for field in inferred
        ]
    )


def _inferred(sample: bytes, name_of: _LineNames) -> pa.Schema:
    try:
        return _parsed(sample, _ANYTHING).schema
    except (pa.ArrowInvalid, _NotOnePerLineError):
        return _inferred_by_key(sample, name_of)


def _inferred_by_key(sample: bytes, name_of: _LineNames) -> pa.Schema:
    """The type of each key, by its first value.

    The values of a key may differ in type; whoever asks for that column is told in which line.
    """
    kinds: dict[str, pa.DataType] = {}
    for number, line in enumerate(sample.splitlines(keepends=True)):
        if line.isspace() or _tells_nothing_new(line, kinds):
            continue
        try:
            one = _parsed(line, _ANYTHING)
        except (pa.ArrowInvalid, _NotOnePerLineError) as error:
            raise BulkError(f"{name_of(sample, number)}: {_reason(error)}; {_REMEDY}") from error
        for field in one.schema:
            if pa.types.is_null(kinds.get(field.name, pa.null())):
                kinds[field.name] = field.type
    return pa.schema(list(kinds.items()))


def _tells_nothing_new(line: bytes, kinds: Mapping[str, pa.DataType]) -> bool:
    """Whether a line is an object of keys whose types are known: most lines are, and Arrow is slow at one."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and all(
        key in kinds and (value is None or not pa.types.is_null(kinds[key])) for key, value in found.items()
    )


def _plain_type(kind: Any) -> Any:
    """A type that holds what a line says: a guess at a date would change the text, a null says nothing."""
    if pa.types.is_timestamp(kind) or pa.types.is_null(kind):
        return pa.string()
    if pa.types.is_list(kind):
        return pa.list_(_plain_type(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_plain_type(field.type)) for field in kind])
    return kind


Others = Literal["infer", "ignore", "error"]
"""What Arrow does with keys that were not asked for."""


class _Wanted(NamedTuple):
    """What is wanted of each line."""

    schema: pa.Schema | None
    """The columns; None where their types are inferred."""
    others: Others
    bare: bool


_ANYTHING: Final = _Wanted(None, "infer", False)


def _rows(block: bytes, wanted: _Wanted, name_of: _LineNames) -> pa.RecordBatch:
    """The rows of a block."""
    try:
        return _parsed(block, wanted)
    except (pa.ArrowInvalid, _NotOnePerLineError) as error:
        line, reason = _first_fault(block, lambda part: _parsed(part, wanted))
        new = _new_keys(block.split(b"\n", line + 1)[line], wanted)
        if new:
            told = f"the key {new[0]!r} is new here, after the first megabytes of the file"
            raise BulkError(f"{name_of(block, line)}: {told}; put a line that has it first") from error
        raise BulkError(f"{name_of(block, line)}: {reason}; {_REMEDY}") from error


def _new_keys(line: bytes, wanted: _Wanted) -> list[str]:
    """The keys of an object that are not among the columns, where they have to be."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return []
    if wanted.schema is None or wanted.others != "error" or wanted.bare or not isinstance(found, dict):
        return []
    return [key for key in found if key not in wanted.schema.names]


class _NotOnePerLineError(ValueError):
    """There are not as many values as lines."""


def _parsed(block: bytes, wanted: _Wanted) -> pa.RecordBatch:
    filled = _without_blank_lines(block)
    if not filled:
        empty = TEXT_SCHEMA if wanted.schema is None else wanted.schema
        return pa.RecordBatch.from_pylist([], schema=empty)
    text = b'{"fen":' + filled[:-1].replace(b"\n", b'}\n{"fen":') + b"}\n" if wanted.bare else filled
    table = pyarrow.json.read_json(
        pa.BufferReader(text),
        read_options=pyarrow.json.ReadOptions(use_threads=False, block_size=len(text) + 1),
        parse_options=pyarrow.json.ParseOptions(
            explicit_schema=wanted.schema, unexpected_field_behavior=wanted.others
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
            reason = _reason(error)
            high = middle - 1
    return low, reason


def _reason(error: Exception) -> str:
    return re.sub(r"^JSON parse error: | in row \d+$", "", brief(error))
