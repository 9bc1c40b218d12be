"""Columns as a text file can hold them: dictionaries as their values, bytes as hexadecimal digits.

A key in CSV is what `Game.key` gives: 32 digits. No Python object is made for a row.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_DIGITS: Final = np.frombuffer(bytes(range(256)).hex().encode(), np.uint8).reshape(256, 2)


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
    values = pc.fill_null(column.cast(pa.large_binary()), b"")
    _, starts, data = values.buffers()
    offsets = np.frombuffer(starts, np.int64)[values.offset : values.offset + len(values) + 1]
    if not len(values):
        return pa.array([], pa.large_string())
    chars = np.frombuffer(data or b"", np.uint8)[offsets[0] : offsets[-1]]
    digits = pa.LargeStringArray.from_buffers(
        len(values), pa.py_buffer(2 * (offsets - offsets[0])), pa.py_buffer(_DIGITS[chars].ravel())
    )
    return pc.if_else(pc.is_valid(column), digits, None)
