"""Record batches in the shape that the next step wants: their types, and where they are cut and joined.

Types: a text file holds no dictionaries and no bytes. `plain_batch` writes dictionaries as their values, and
bytes as two lower-case hexadecimal digits each with nothing between them: a key in CSV is what `Game.key`
gives, 32 digits. `bytes_of` reads digits of either case, an even number of them; anything else is null. No
Python object is made for a row.

Cuts: what a sink writes depends on the batches it is given, to the byte. So batches are cut where a part ends
and joined where they are too small to be worth handling. A job that is resumed reads its shard from the
beginning and skips what is done, so that every batch ends where it ended before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk.errors import BulkError, brief, shown

_DIGITS: Final = np.frombuffer(bytes(range(256)).hex().encode(), np.uint8).reshape(256, 2)
_NONE: Final = 255
_VALUES: Final = np.full(256, _NONE, np.uint8)
"""What each character is worth as a digit."""
for _place, _digits in enumerate(zip("0123456789abcdef", "0123456789ABCDEF", strict=True)):
    _VALUES[[ord(digit) for digit in _digits]] = _place


def plain_schema(schema: pa.Schema) -> pa.Schema:
    """The types of the columns that `plain_batch` gives."""
    return pa.schema([field.with_type(_plain_type(field.type)) for field in schema])


def plain_batch(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The batch without dictionaries and bytes."""
    columns = [_plain(column) for column in batch.columns]
    return pa.record_batch(columns, schema=plain_schema(batch.schema))


def decoded_schema(schema: pa.Schema) -> pa.Schema:
    """The types of the columns that `decoded_batch` gives."""
    return pa.schema([field.with_type(decoded_type(field.type)) for field in schema], schema.metadata)


def decoded_batch(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The batch without dictionaries."""
    columns = [_decoded(column) for column in batch.columns]
    return pa.record_batch(columns, schema=decoded_schema(batch.schema))


def bytes_of(column: Any) -> Any:
    """A column of bytes unchanged; one of texts as the bytes of their digits, null where they are none.

    Where all texts are of one length the bytes are of fixed size, as the kernels like them.
    """
    column = _decoded(column)
    kind = column.type
    if not is_text(kind):
        return column
    texts = column.cast(pa.large_string())
    there = _told_by_digits(texts)
    lengths = pc.unique(pc.binary_length(texts.filter(there)))
    width = lengths[0].as_py() if len(lengths) == 1 else 0
    texts = pc.if_else(there, texts, "0" * width)
    data, offsets = _characters(texts)
    digits = _VALUES[data]
    halves = digits.reshape(-1, 2)
    buffers = [None, pa.py_buffer(offsets // 2), pa.py_buffer(halves[:, 0] << 4 | halves[:, 1])]
    found = pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(texts), buffers)
    found = pc.if_else(there, found, None)
    return found.cast(pa.binary(width // 2)) if width else found


def is_text(kind: Any) -> bool:
    """Whether the values of a type are strings of any layout."""
    types = pa.types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def is_bytes(kind: Any) -> bool:
    """Whether the values of a type are bytes of any layout."""
    types = pa.types
    return bool(
        types.is_binary(kind)
        or types.is_large_binary(kind)
        or types.is_fixed_size_binary(kind)
        or types.is_binary_view(kind)
    )


def longest_repeated(batch: pa.RecordBatch) -> int:
    """Bytes of the longest values that rows share, of all columns together: of dictionaries and views."""
    return sum(_longest_repeated(column) for column in batch.columns)


def _longest_repeated(column: Any) -> int:
    kind = column.type
    if pa.types.is_dictionary(kind):
        column, kind = column.dictionary, kind.value_type
    elif not (pa.types.is_string_view(kind) or pa.types.is_binary_view(kind)):
        return 0
    if not (is_text(kind) or is_bytes(kind)):
        return 0
    return int(pc.max(pc.binary_length(column.cast(pa.large_binary()))).as_py() or 0)


def first_not_finite(column: Any) -> int | None:
    """The first row of a column that holds NaN or infinity, also inside lists and structs."""
    column = _decoded(column)
    kind = column.type
    if pa.types.is_floating(kind):
        at = pc.index(pc.is_finite(column.cast(pa.float64())), False).as_py()
        return None if at < 0 else int(at)
    if pa.types.is_struct(kind):
        found = [row for one in column.flatten() if (row := first_not_finite(one)) is not None]
        return min(found, default=None)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        value = first_not_finite(column.flatten())
        return None if value is None else int(pc.list_parent_indices(column)[value].as_py())
    return None


def decoded_type(kind: Any) -> Any:
    """The type of the values of a column: those of a dictionary where it is one."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _decoded(column: Any) -> Any:
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def _plain_type(kind: Any) -> Any:
    kind = decoded_type(kind)
    return pa.large_string() if is_bytes(kind) else kind


def _plain(column: Any) -> Any:
    column = _decoded(column)
    return _hexadecimal(column) if is_bytes(column.type) else column


def _hexadecimal(column: Any) -> Any:
    chars, offsets = _characters(pc.fill_null(column.cast(pa.large_binary()), b""))
    digits = pa.LargeStringArray.from_buffers(
        len(column), pa.py_buffer(2 * offsets), pa.py_buffer(_DIGITS[chars].ravel())
    )
    return pc.if_else(pc.is_valid(column), digits, None)


def _told_by_digits(texts: Any) -> Any:
    """Which texts are an even number of digits."""
    chars, offsets = _characters(pc.fill_null(texts, ""))
    wrong = np.concatenate([[0], np.cumsum(_VALUES[chars] == _NONE)])
    whole = (wrong[offsets[1:]] == wrong[offsets[:-1]]) & (np.diff(offsets) % 2 == 0)
    return pc.and_(pa.array(whole), pc.is_valid(texts))


def _characters(values: Any) -> tuple[np.ndarray, np.ndarray]:
    """The bytes of all values without nulls in a row, and where each of them begins and ends."""
    if not len(values):
        return np.zeros(0, np.uint8), np.zeros(1, np.int64)
    _, starts, data = values.buffers()
    offsets = np.frombuffer(starts, np.int64)[values.offset : values.offset + len(values) + 1]
    chars = np.frombuffer(data or b"", np.uint8)[offsets[0] : offsets[-1]]
    return chars, offsets - offsets[0]


SMALL: Final = 8192
"""Batches of fewer rows are joined: handling a batch costs as much as some hundred rows."""


HEAVY: Final = 1 << 20
"""Batches of as many bytes are not joined, however few rows they have."""


def recut(batches: Iterable[pa.RecordBatch], roll: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
    """The rows after the first `skip` in batches, none of them across a multiple of `roll` rows."""
    done = 0
    for batch in _joined(batches):
        while batch.num_rows:
            piece = batch.slice(0, roll - done % roll)
            batch = batch.slice(piece.num_rows)
            if done >= skip:
                yield piece
            done += piece.num_rows


def _joined(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    held: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        if batch.num_rows >= SMALL or _is_heavy(batch):
            yield from _as_one(held)
            held, rows, size = [], 0, 0
            yield batch
            continue
        held.append(batch)
        rows += batch.num_rows
        size += batch.nbytes
        if rows >= SMALL or size >= HEAVY:
            yield from _as_one(held)
            held, rows, size = [], 0, 0
    yield from _as_one(held)


def _is_heavy(batch: pa.RecordBatch) -> bool:
    """Whether a batch of few rows is large, once every row has its own value."""
    return bool(batch.nbytes >= HEAVY or batch.num_rows * longest_repeated(batch) >= HEAVY)


def _as_one(held: list[pa.RecordBatch]) -> list[pa.RecordBatch]:
    if len(held) < 2:
        return held
    found: list[pa.RecordBatch] = pa.Table.from_batches(held).combine_chunks().to_batches()
    return found


def fitted(batch: pa.RecordBatch, schema: pa.Schema, path: str) -> pa.RecordBatch:
    """The batch with the columns and types of all files together; raises `BulkError` where a value has no
    place in them."""
    if batch.schema.equals(schema):
        return batch
    return pa.RecordBatch.from_arrays([_fitted(batch, one, path) for one in schema], schema=schema)


def _fitted(batch: pa.RecordBatch, wanted: pa.Field, path: str) -> pa.Array:
    at = batch.schema.get_field_index(wanted.name)
    if at < 0:
        return pa.nulls(batch.num_rows, wanted.type)
    try:
        return batch.column(at).cast(wanted.type)
    except pa.ArrowException as error:
        there = f"the column {wanted.name!r} of {shown(path)} is not of {wanted.type} as in the other files"
        raise BulkError(f"{there} ({brief(error)}); run the command once for each kind of file") from error


def must_match(found: pa.Schema, schema: pa.Schema, path: str) -> None:
    """Raises `BulkError` where a file has columns that would be lost."""
    more = [name for name in found.names if name not in schema.names]
    if more:
        raise BulkError(
            f"{shown(path)} has the columns {', '.join(map(repr, more))}, which the files before it do not "
            "have; name it first, or run the command once for each kind of file"
        )


def unified(schema: pa.Schema, found: pa.Schema, path: str) -> pa.Schema:
    """The columns of the files so far and of one more, each of a type that holds the values of both.

    Raises `BulkError` where there is no such type: numbers are not made texts, nor texts numbers.
    """
    for one in found:
        at = schema.get_field_index(one.name)
        if at < 0:
            schema = schema.append(one.with_nullable(True))
            continue
        held = schema.field(at)
        kind = _common_type(held.type, one.type)
        if kind is None:
            raise BulkError(
                f"the column {one.name!r} is of {one.type} in {shown(path)} and of {held.type} in the files "
                "before it; run the command once for each kind of file, or write one of them again"
            )
        schema = schema.set(at, held.with_type(kind))
    missing = [at for at, one in enumerate(schema) if one.name not in found.names and not one.nullable]
    for at in missing:
        schema = schema.set(at, schema.field(at).with_nullable(True))
    return schema


def _common_type(a: pa.DataType, b: pa.DataType) -> pa.DataType | None:
    if a == b:
        return a
    a, b = decoded_type(a), decoded_type(b)
    if is_text(a) or is_text(b):
        # Bytes would hold texts too, but formats of text write the digits of bytes.
        others = [kind for kind in (a, b) if not is_text(kind)]
        return pa.large_string() if all(map(pa.types.is_null, others)) else None
    if is_bytes(a) and is_bytes(b):
        return pa.large_binary()
    fields = [pa.schema([("x", kind)]) for kind in (a, b)]
    try:
        return pa.unify_schemas(fields, promote_options="permissive").field("x").type
    except pa.ArrowException:
        return None
