"""Conversion of record batches for the next step of a job: their column types, and where batches are cut.

Types: text files contain neither dictionaries nor bytes. `to_plain_batch` replaces a dictionary array by its
values, and bytes by two lower-case hexadecimal digits each. A key in CSV is therefore the 32 digits that
`Game.key` returns. `decode_hex` reads an even number of digits in upper or lower case; any other text becomes
null. No Python object is made for a row.

Cuts: the bytes that a sink writes depend on the batches that it gets. Therefore batches are cut where a part
ends, and small batches are joined. A resumed job reads its shard from the beginning and skips the finished
rows, so that all batches end at the same rows as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk.errors import BulkError, display_name, first_line

_HEX_PAIRS: Final = np.frombuffer(bytes(range(256)).hex().encode(), np.uint8).reshape(256, 2)
"""The two hexadecimal digits of each byte."""
_NOT_A_DIGIT: Final = 255
_DIGIT_VALUES: Final = np.full(256, _NOT_A_DIGIT, np.uint8)
"""The value of each character as a hexadecimal digit."""
for _value, _digits in enumerate(zip("0123456789abcdef", "0123456789ABCDEF", strict=True)):
    _DIGIT_VALUES[[ord(digit) for digit in _digits]] = _value


# --- types of columns -------------------------------------------------------------------------------


def to_plain_schema(schema: pa.Schema) -> pa.Schema:
    """Return the schema of the batches that `to_plain_batch` makes of batches with this schema."""
    return pa.schema([field.with_type(_to_plain_type(field.type)) for field in schema])


def to_plain_batch(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return the batch as text files need it: dictionaries replaced by their values, and bytes by hex digits.

    Two lower-case digits stand for a byte. Other columns stay unchanged.
    """
    columns = [_to_plain_column(column) for column in batch.columns]
    return pa.record_batch(columns, schema=to_plain_schema(batch.schema))


def decode_schema(schema: pa.Schema) -> pa.Schema:
    """Return the schema of the batches that `decode_batch` makes of batches with this schema."""
    return pa.schema([field.with_type(decode_type(field.type)) for field in schema], schema.metadata)


def decode_batch(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return the batch with dictionaries replaced by their values."""
    columns = [_decode_column(column) for column in batch.columns]
    return pa.record_batch(columns, schema=decode_schema(batch.schema))


def decode_type(kind: Any) -> Any:
    """Return the type of the values if `kind` is a dictionary type, else `kind` itself."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _decode_column(column: Any) -> Any:
    """Return a column with a dictionary replaced by its values."""
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def _to_plain_type(kind: Any) -> Any:
    """Return the type of a column that `_to_plain_column` makes of a column of this type."""
    kind = decode_type(kind)
    return pa.large_string() if is_bytes(kind) else kind


def _to_plain_column(column: Any) -> Any:
    """Return a column with a dictionary replaced by its values, and bytes by hexadecimal digits."""
    column = _decode_column(column)
    return _encode_hex(column) if is_bytes(column.type) else column


def is_text(kind: Any) -> bool:
    """Return whether the values of a type are strings, in any layout of Arrow."""
    types = pa.types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def is_bytes(kind: Any) -> bool:
    """Return whether the values of a type are bytes, in any layout of Arrow."""
    types = pa.types
    return bool(
        types.is_binary(kind)
        or types.is_large_binary(kind)
        or types.is_fixed_size_binary(kind)
        or types.is_binary_view(kind)
    )


# --- hexadecimal digits -----------------------------------------------------------------------------


def decode_hex(column: Any) -> Any:
    """Return a column of hexadecimal digits, such as ``00ff``, as bytes. Columns of bytes stay unchanged.

    A text that is not an even number of digits becomes null. If all valid texts have the same length, the
    result has the type of fixed size that the kernels need.
    """
    column = _decode_column(column)
    if not is_text(column.type):
        return column
    texts = column.cast(pa.large_string())
    is_valid = _is_hex(texts)
    lengths = pc.unique(pc.binary_length(texts.filter(is_valid)))
    width = lengths[0].as_py() if len(lengths) == 1 else 0
    texts = pc.if_else(is_valid, texts, "0" * width)
    chars, offsets = _split_buffers(texts)
    digit_pairs = _DIGIT_VALUES[chars].reshape(-1, 2)
    decoded = digit_pairs[:, 0] << 4 | digit_pairs[:, 1]
    buffers = [None, pa.py_buffer(offsets // 2), pa.py_buffer(decoded)]
    values = pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(texts), buffers)
    values = pc.if_else(is_valid, values, None)
    return values.cast(pa.binary(width // 2)) if width else values


def _encode_hex(column: Any) -> Any:
    """Return a column of bytes as texts of hexadecimal digits, such as ``00ff``. A null stays null."""
    data, offsets = _split_buffers(pc.fill_null(column.cast(pa.large_binary()), b""))
    texts = pa.LargeStringArray.from_buffers(
        len(column), pa.py_buffer(2 * offsets), pa.py_buffer(_HEX_PAIRS[data].ravel())
    )
    return pc.if_else(pc.is_valid(column), texts, None)


def _is_hex(texts: Any) -> Any:
    """Return an array that is true where a text is an even number of hexadecimal digits."""
    chars, offsets = _split_buffers(pc.fill_null(texts, ""))
    # The number of characters before each one that are not digits; it stays equal within a valid text.
    wrong_before = np.concatenate([[0], np.cumsum(_DIGIT_VALUES[chars] == _NOT_A_DIGIT)])
    has_digits_only = wrong_before[offsets[1:]] == wrong_before[offsets[:-1]]
    has_even_length = np.diff(offsets) % 2 == 0
    return pc.and_(pa.array(has_digits_only & has_even_length), pc.is_valid(texts))


def _split_buffers(values: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the bytes of all values one after the other, and the offset of each value and of the end.

    `values` is an array of large strings or large binaries without nulls.
    """
    if not len(values):
        return np.zeros(0, np.uint8), np.zeros(1, np.int64)
    _, offset_buffer, data_buffer = values.buffers()
    offsets = np.frombuffer(offset_buffer, np.int64)[values.offset : values.offset + len(values) + 1]
    chars = np.frombuffer(data_buffer or b"", np.uint8)[offsets[0] : offsets[-1]]
    return chars, offsets - offsets[0]


# --- properties of values ---------------------------------------------------------------------------


def measure_shared_values(batch: pa.RecordBatch) -> int:
    """Return the sum over all columns of the size in bytes of the longest value that rows can share.

    Rows share values in dictionaries and in string and binary views. A copy of the value for each row could
    need much more memory than the batch has.
    """
    return sum(_measure_longest_shared(column) for column in batch.columns)


def _measure_longest_shared(column: Any) -> int:
    """Return the bytes of the longest value that rows of a column may share, or 0 if they share none."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column, kind = column.dictionary, kind.value_type
    elif not (pa.types.is_string_view(kind) or pa.types.is_binary_view(kind)):
        return 0
    if not (is_text(kind) or is_bytes(kind)):
        return 0
    return int(pc.max(pc.binary_length(column.cast(pa.large_binary()))).as_py() or 0)


def find_non_finite(column: Any) -> int | None:
    """Return the first row of a column with NaN or infinity, also inside lists and structs, or None."""
    column = _decode_column(column)
    kind = column.type
    if pa.types.is_floating(kind):
        row = pc.index(pc.is_finite(column.cast(pa.float64())), False).as_py()
        return None if row < 0 else int(row)
    if pa.types.is_struct(kind):
        rows = [row for field in column.flatten() if (row := find_non_finite(field)) is not None]
        return min(rows, default=None)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        value_index = find_non_finite(column.flatten())
        return None if value_index is None else int(pc.list_parent_indices(column)[value_index].as_py())
    return None


# --- sizes of batches -------------------------------------------------------------------------------


SMALL_BATCH_ROWS: Final = 8192
"""Batches with fewer rows are joined, because the overhead of a batch equals some hundred rows."""


LARGE_BATCH_BYTES: Final = 1 << 20
"""Batches of this size are not joined, even if they have few rows."""


def rebatch(batches: Iterable[pa.RecordBatch], part_rows: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
    """Yield the same rows in batches of which none belongs to two parts of the output.

    Args:
        batches: The batches. Small ones are joined.
        part_rows: The number of rows of a part.
        skip: The number of rows at the beginning that are not yielded, because an earlier run wrote them.
    """
    rows_done = 0
    for batch in _join_small_batches(batches):
        while batch.num_rows:
            rows_left_in_part = part_rows - rows_done % part_rows
            piece = batch.slice(0, rows_left_in_part)
            batch = batch.slice(piece.num_rows)
            if rows_done >= skip:
                yield piece
            rows_done += piece.num_rows


def _join_small_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the batches, with consecutive small ones joined up to `SMALL_BATCH_ROWS`."""
    waiting: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        if batch.num_rows >= SMALL_BATCH_ROWS or _is_large(batch):
            yield from _join_batches(waiting)
            waiting, rows, size = [], 0, 0
            yield batch
            continue
        waiting.append(batch)
        rows += batch.num_rows
        size += batch.nbytes
        if rows >= SMALL_BATCH_ROWS or size >= LARGE_BATCH_BYTES:
            yield from _join_batches(waiting)
            waiting, rows, size = [], 0, 0
    yield from _join_batches(waiting)


def _is_large(batch: pa.RecordBatch) -> bool:
    """Return whether a batch has many bytes, or would have if every row had a copy of shared values."""
    return bool(
        batch.nbytes >= LARGE_BATCH_BYTES
        or batch.num_rows * measure_shared_values(batch) >= LARGE_BATCH_BYTES
    )


def _join_batches(batches: list[pa.RecordBatch]) -> list[pa.RecordBatch]:
    """Return the batches joined to one, in a list, or an empty list if there are none."""
    if len(batches) < 2:
        return batches
    joined: list[pa.RecordBatch] = pa.Table.from_batches(batches).combine_chunks().to_batches()
    return joined


# --- one schema for all files -----------------------------------------------------------------------


_ONE_RUN_PER_KIND: Final = "run the command once for each kind of file"
"""The remedy for files whose columns differ."""


def cast_to_schema(batch: pa.RecordBatch, schema: pa.Schema, path: str) -> pa.RecordBatch:
    """Return the batch with the columns and types of `schema`, which is common to all files.

    A column that the batch does not have is null. Raise `BulkError` if a value cannot be converted. `path`
    names the file in the message.
    """
    if batch.schema.equals(schema):
        return batch
    return pa.RecordBatch.from_arrays([_cast_column(batch, field, path) for field in schema], schema=schema)


def _cast_column(batch: pa.RecordBatch, field: pa.Field, path: str) -> pa.Array:
    """Return the column `field.name` of a batch, converted to `field.type`, or nulls if it is missing.

    Raise `BulkError` if a value cannot be converted. `path` names the file in the message.
    """
    index = batch.schema.get_field_index(field.name)
    if index < 0:
        return pa.nulls(batch.num_rows, field.type)
    try:
        return batch.column(index).cast(field.type)
    except pa.ArrowException as error:
        raise BulkError(
            f"the column {field.name!r} of {display_name(path)} is not of {field.type} as in the other files "
            f"({first_line(error)}); {_ONE_RUN_PER_KIND}"
        ) from error


def check_no_lost_columns(file_schema: pa.Schema, schema: pa.Schema, path: str) -> None:
    """Raise `BulkError` if a file has columns that are not in `schema`, and would therefore be lost."""
    lost_names = [name for name in file_schema.names if name not in schema.names]
    if lost_names:
        raise BulkError(
            f"{display_name(path)} has the columns {', '.join(map(repr, lost_names))}, which the files "
            f"before it do not have; name this file first, or {_ONE_RUN_PER_KIND}"
        )


def unify_schemas(schema: pa.Schema, file_schema: pa.Schema, path: str) -> pa.Schema:
    """Return one schema for all files so far and one more file, with types that hold the values of both.

    Numbers are not converted to texts, nor texts to numbers.

    Args:
        schema: The columns of the files so far.
        file_schema: The columns of the next file.
        path: The path of the next file, for the message.

    Raises:
        BulkError: If no type holds the values of a column in all files.
    """
    for field in file_schema:
        index = schema.get_field_index(field.name)
        if index < 0:
            schema = schema.append(field.with_nullable(True))
            continue
        known_field = schema.field(index)
        kind = _find_common_type(known_field.type, field.type)
        if kind is None:
            raise BulkError(
                f"the column {field.name!r} is of {field.type} in {display_name(path)} and of "
                f"{known_field.type} in the files before it; {_ONE_RUN_PER_KIND}, or convert one of the files"
            )
        schema = schema.set(index, known_field.with_type(kind))
    missing_fields = [
        (index, field)
        for index, field in enumerate(schema)
        if field.name not in file_schema.names and not field.nullable
    ]
    for index, field in missing_fields:
        schema = schema.set(index, field.with_nullable(True))
    return schema


def _find_common_type(first: pa.DataType, second: pa.DataType) -> pa.DataType | None:
    """Return a type that holds the values of both types, or None if there is none."""
    if first == second:
        return first
    first, second = decode_type(first), decode_type(second)
    if is_text(first) or is_text(second):
        # Bytes could hold texts too, but text formats would write the digits of the bytes.
        other_types = [kind for kind in (first, second) if not is_text(kind)]
        return pa.large_string() if all(map(pa.types.is_null, other_types)) else None
    if is_bytes(first) and is_bytes(second):
        return pa.large_binary()
    schemas = [pa.schema([("x", kind)]) for kind in (first, second)]
    try:
        return pa.unify_schemas(schemas, promote_options="permissive").field("x").type
    except pa.ArrowException:
        return None
