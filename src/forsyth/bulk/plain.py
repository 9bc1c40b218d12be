"""Columns as a text file can hold them: dictionaries as their values, bytes as hexadecimal digits.

Writing: two lower-case digits for each byte, nothing before or between them. A key in CSV is what `Game.key`
gives: 32 digits. Reading (`bytes_of`): digits of either case, an even number of them; what is anything else
is null. No Python object is made for a row.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

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
    """A column of bytes as it is; one of texts as the bytes that their digits tell, null where they are none.

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
