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

_DIGITS_PER_BYTE: Final = 2
_HEX_PAIRS: Final = np.frombuffer(bytes(range(256)).hex().encode(), np.uint8).reshape(256, 2)
"""The two hexadecimal digits of each byte."""
_NOT_A_DIGIT: Final = 255
_DIGIT_VALUES: Final = np.full(256, _NOT_A_DIGIT, np.uint8)
"""The value of each character as a hexadecimal digit."""
for _value, _digits in enumerate(zip("0123456789abcdef", "0123456789ABCDEF", strict=True)):
    _DIGIT_VALUES[[ord(digit) for digit in _digits]] = _value


# --- types of columns -------------------------------------------------------------------------------


def to_plain_schema(schema: pa.Schema) -> pa.Schema:
    """Return the schema that a batch with `schema` has after `to_plain_batch`.

    Dictionary types become the types of their values, and types of bytes become strings.
    """
    return pa.schema([field.with_type(_to_plain_type(field.type)) for field in schema])


def to_plain_batch(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Convert the columns of a batch to types that text files can hold.

    Dictionaries are replaced by their values, and bytes by hexadecimal digits, such as ``00ff``. Other
    columns stay unchanged.
    """
    columns = [_to_plain_column(column) for column in batch.columns]
    return pa.record_batch(columns, schema=to_plain_schema(batch.schema))


def decode_schema(schema: pa.Schema) -> pa.Schema:
    """Return the schema that a batch with `schema` has after `decode_batch`.

    Dictionary types become the types of their values.
    """
    return pa.schema([field.with_type(decode_type(field.type)) for field in schema], schema.metadata)


def decode_batch(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return the batch with dictionaries replaced by their values."""
    columns = [_decode_column(column) for column in batch.columns]
    return pa.record_batch(columns, schema=decode_schema(batch.schema))


def decode_type(data_type: Any) -> Any:
    """Return the type of the values of a dictionary type, or any other type unchanged."""
    return data_type.value_type if pa.types.is_dictionary(data_type) else data_type


def _decode_column(column: Any) -> Any:
    """Return a dictionary column as a column of its values, and any other column unchanged."""
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def _to_plain_type(data_type: Any) -> Any:
    """Return the type that a column of type `data_type` has after `_to_plain_column`."""
    value_type = decode_type(data_type)
    return pa.large_string() if is_bytes(value_type) else value_type


def _to_plain_column(column: Any) -> Any:
    """Return a column with a dictionary replaced by its values, and bytes by hexadecimal digits."""
    values = _decode_column(column)
    return _encode_hex(values) if is_bytes(values.type) else values


def is_text(data_type: Any) -> bool:
    """Return whether the values of an Arrow type are strings, in any memory layout."""
    types = pa.types
    return bool(
        types.is_string(data_type) or types.is_large_string(data_type) or types.is_string_view(data_type)
    )


def is_bytes(data_type: Any) -> bool:
    """Return whether the values of an Arrow type are bytes, in any memory layout."""
    types = pa.types
    return bool(
        types.is_binary(data_type)
        or types.is_large_binary(data_type)
        or types.is_fixed_size_binary(data_type)
        or types.is_binary_view(data_type)
    )


# --- hexadecimal digits -----------------------------------------------------------------------------


def decode_hex(column: Any) -> Any:
    """Convert a column of hexadecimal digits, such as ``00ff``, to bytes.

    A column of bytes is returned unchanged. A text that is not an even number of digits becomes null. If all
    valid texts have the same length, the result has a type of fixed size, which compiled code needs.
    """
    values = _decode_column(column)
    if not is_text(values.type):
        return values
    texts = values.cast(pa.large_string())
    is_valid = _is_hex(texts)
    distinct_lengths = pc.unique(pc.binary_length(texts.filter(is_valid)))
    common_length = distinct_lengths[0].as_py() if len(distinct_lengths) == 1 else 0
    # Zeros replace invalid texts until their bytes are set to null.
    valid_texts = pc.if_else(is_valid, texts, "0" * common_length)

    chars, offsets = _split_buffers(valid_texts)
    digit_pairs = _DIGIT_VALUES[chars].reshape(-1, _DIGITS_PER_BYTE)
    high_digits, low_digits = digit_pairs.T
    decoded_bytes = high_digits * 16 + low_digits
    buffers = [None, pa.py_buffer(offsets // _DIGITS_PER_BYTE), pa.py_buffer(decoded_bytes)]
    decoded = pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(texts), buffers)
    decoded = pc.if_else(is_valid, decoded, None)
    return decoded.cast(pa.binary(common_length // _DIGITS_PER_BYTE)) if common_length else decoded


def _encode_hex(column: Any) -> Any:
    """Convert a column of bytes to texts of hexadecimal digits, such as ``00ff``. A null stays null."""
    data, offsets = _split_buffers(pc.fill_null(column.cast(pa.large_binary()), b""))
    digits = _HEX_PAIRS[data].ravel()
    digit_offsets = offsets * _DIGITS_PER_BYTE
    texts = pa.LargeStringArray.from_buffers(len(column), pa.py_buffer(digit_offsets), pa.py_buffer(digits))
    return pc.if_else(pc.is_valid(column), texts, None)


def _is_hex(texts: Any) -> Any:
    """Return an array that is true where a text is an even number of hexadecimal digits."""
    chars, offsets = _split_buffers(pc.fill_null(texts, ""))
    starts = offsets[:-1]
    ends = offsets[1:]
    is_wrong = _DIGIT_VALUES[chars] == _NOT_A_DIGIT
    # The number of wrong characters before each character; it stays equal within a valid text.
    wrong_before = np.concatenate([[0], np.cumsum(is_wrong)])
    has_digits_only = wrong_before[ends] == wrong_before[starts]
    has_even_length = (ends - starts) % 2 == 0
    return pc.and_(pa.array(has_digits_only & has_even_length), pc.is_valid(texts))


def _split_buffers(values: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the bytes of all values, one after the other, and the offset of each value in them.

    The values ``ab`` and ``c`` give the bytes ``abc`` and the offsets 0, 2, 3: the last one is the end.
    `values` is an array of large strings or large binaries without nulls.
    """
    if not len(values):
        return np.zeros(0, np.uint8), np.zeros(1, np.int64)
    _, offset_buffer, data_buffer = values.buffers()
    end_row = values.offset + len(values)
    offsets = np.frombuffer(offset_buffer, np.int64)[values.offset : end_row + 1]
    first_byte = offsets[0]
    end_byte = offsets[-1]
    chars = np.frombuffer(data_buffer or b"", np.uint8)[first_byte:end_byte]
    return chars, offsets - first_byte


# --- properties of values ---------------------------------------------------------------------------


def measure_shared_values(batch: pa.RecordBatch) -> int:
    """Return an upper bound on the bytes that a row shares with other rows.

    Rows share values in dictionary columns, and in string and binary views. The result is the sum of the
    longest shared values of all columns.
    """
    return sum(_measure_longest_shared(column) for column in batch.columns)


def _measure_longest_shared(column: Any) -> int:
    """Return the size in bytes of the longest value that rows of a column may share, such as a label.

    Return 0 if the type of the column has no shared values.
    """
    data_type = column.type
    if pa.types.is_dictionary(data_type):
        shared_values = column.dictionary
    elif pa.types.is_string_view(data_type) or pa.types.is_binary_view(data_type):
        shared_values = column
    else:
        return 0
    if not (is_text(shared_values.type) or is_bytes(shared_values.type)):
        return 0
    lengths = pc.binary_length(shared_values.cast(pa.large_binary()))
    return int(pc.max(lengths).as_py() or 0)


def find_non_finite(column: Any) -> int | None:
    """Return the index of the first row of a column with NaN or infinity, or None if there is none.

    The values inside lists and structs are searched too.
    """
    values = _decode_column(column)
    data_type = values.type
    types = pa.types
    if types.is_floating(data_type):
        is_finite = pc.is_finite(values.cast(pa.float64()))
        row = pc.index(is_finite, False).as_py()
        return None if row < 0 else int(row)
    if types.is_struct(data_type):
        rows_by_field = [find_non_finite(field) for field in values.flatten()]
        return min((row for row in rows_by_field if row is not None), default=None)
    is_list = types.is_list(data_type) or types.is_large_list(data_type)
    if is_list or types.is_fixed_size_list(data_type):
        item_index = find_non_finite(values.flatten())
        if item_index is not None:
            return int(pc.list_parent_indices(values)[item_index].as_py())
    return None


# --- sizes of batches -------------------------------------------------------------------------------


SMALL_BATCH_ROWS: Final = 8192
"""Batches with fewer rows are joined, because the overhead of a batch equals some hundred rows."""


LARGE_BATCH_BYTES: Final = 1 << 20
"""Batches of this size are not joined, even if they have few rows."""


def rebatch(batches: Iterable[pa.RecordBatch], part_rows: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
    """Yield the same rows in other batches: small ones are joined, and each ends where a part ends.

    Args:
        batches: The batches.
        part_rows: The number of rows of a part, which is a file of the output.
        skip: The number of rows at the beginning that are not yielded, because an earlier run has written
            them.
    """
    rows_done = 0
    for joined_batch in _join_small_batches(batches):
        remaining = joined_batch
        while remaining.num_rows:
            rows_left_in_part = part_rows - rows_done % part_rows
            rows_of_part = remaining.slice(0, rows_left_in_part)
            remaining = remaining.slice(rows_of_part.num_rows)
            if rows_done >= skip:
                yield rows_of_part
            rows_done += rows_of_part.num_rows


def _join_small_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the batches, with consecutive small ones joined up to `SMALL_BATCH_ROWS` rows."""
    waiting: list[pa.RecordBatch] = []
    waiting_rows = 0
    waiting_bytes = 0
    for batch in batches:
        is_small = batch.num_rows < SMALL_BATCH_ROWS and not _is_large(batch)
        if is_small:
            waiting.append(batch)
            waiting_rows += batch.num_rows
            waiting_bytes += batch.nbytes
        if not is_small or waiting_rows >= SMALL_BATCH_ROWS or waiting_bytes >= LARGE_BATCH_BYTES:
            yield from _join_batches(waiting)
            waiting = []
            waiting_rows = 0
            waiting_bytes = 0
        if not is_small:
            yield batch
    yield from _join_batches(waiting)


def _is_large(batch: pa.RecordBatch) -> bool:
    """Return whether a batch has at least LARGE_BATCH_BYTES bytes.

    If rows share values, such as labels, they may be counted as if every row had its own copy.
    """
    if batch.nbytes >= LARGE_BATCH_BYTES:
        return True
    if batch.num_rows == 1:
        return False
    expanded_bytes: int = batch.num_rows * measure_shared_values(batch)
    return expanded_bytes >= LARGE_BATCH_BYTES


def _join_batches(batches: list[pa.RecordBatch]) -> list[pa.RecordBatch]:
    """Return a list of one batch with the rows of all batches, or an empty list if there are none."""
    if len(batches) < 2:
        return batches
    joined: list[pa.RecordBatch] = pa.Table.from_batches(batches).combine_chunks().to_batches()
    return joined


# --- one schema for all files -----------------------------------------------------------------------


_ONE_RUN_PER_KIND: Final = "run the command once for each kind of file"
"""The remedy for files whose columns differ."""


def cast_to_schema(batch: pa.RecordBatch, schema: pa.Schema, path: str) -> pa.RecordBatch:
    """Convert a batch of one file to the columns and types that all files have in common.

    Args:
        batch: The batch. A column that it does not have becomes null.
        schema: The schema of all files.
        path: The path of the file, for the message.

    Raises:
        BulkError: If a value cannot be converted.
    """
    if batch.schema.equals(schema):
        return batch
    columns = [_cast_column(batch, field, path) for field in schema]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _cast_column(batch: pa.RecordBatch, field: pa.Field, path: str) -> pa.Array:
    """Return the column `field.name` of a batch, converted to `field.type`.

    A missing column gives nulls. Raise `BulkError` if a value cannot be converted. `path` names the file in
    the message.
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
    """Raise `BulkError` if a file has columns that the output would lose.

    Args:
        file_schema: The columns of the file.
        schema: The columns that all files together have.
        path: The path of the file, for the message.
    """
    lost_names = [name for name in file_schema.names if name not in schema.names]
    if lost_names:
        raise BulkError(
            f"{display_name(path)} has the columns {', '.join(map(repr, lost_names))}, which the files "
            f"before it do not have; name this file first, or {_ONE_RUN_PER_KIND}"
        )


def unify_schemas(schema: pa.Schema, file_schema: pa.Schema, path: str) -> pa.Schema:
    """Merge the schema of the files so far with that of the next file.

    A column gets a type that holds the values of all files: integers and floats, for example, become floats.
    Numbers are not converted to texts, nor texts to numbers.

    Args:
        schema: The columns of the files so far.
        file_schema: The columns of the next file.
        path: The path of the next file, for the message.

    Raises:
        BulkError: If no type holds the values of a column in all files.
    """
    merged_schema = schema
    for field in file_schema:
        merged_schema = _merge_field(merged_schema, field, path)
    merged_fields = []
    for field in merged_schema:
        # A column that the next file lacks will be null there.
        is_complete = field.name in file_schema.names
        merged_fields.append(field if is_complete else field.with_nullable(True))
    return pa.schema(merged_fields, merged_schema.metadata)


def _merge_field(schema: pa.Schema, field: pa.Field, path: str) -> pa.Schema:
    """Add a column of the next file to the schema of the files so far, and return the new schema.

    A new column is nullable. A known column gets a type that holds the values of both. Raise `BulkError` if
    there is no such type. `path` names the next file in the message.
    """
    index = schema.get_field_index(field.name)
    if index < 0:
        return schema.append(field.with_nullable(True))
    known_field = schema.field(index)
    common_type = _find_common_type(known_field.type, field.type)
    if common_type is None:
        raise BulkError(
            f"the column {field.name!r} is of {field.type} in {display_name(path)} and of "
            f"{known_field.type} in the files before it; {_ONE_RUN_PER_KIND}, or convert one of the files"
        )
    return schema.set(index, known_field.with_type(common_type))


def _find_common_type(known_type: pa.DataType, new_type: pa.DataType) -> pa.DataType | None:
    """Return a type that holds the values of both types, or None if there is none.

    The common type of integers and floats, for example, is float. Texts and numbers have no common type.
    """
    if known_type == new_type:
        return known_type
    types = [decode_type(known_type), decode_type(new_type)]
    if any(map(is_text, types)):
        # Bytes could hold texts too, but text formats would write the digits of the bytes.
        other_types = [data_type for data_type in types if not is_text(data_type)]
        return pa.large_string() if all(map(pa.types.is_null, other_types)) else None
    if all(map(is_bytes, types)):
        return pa.large_binary()
    one_column_schemas = [pa.schema([("column", data_type)]) for data_type in types]
    try:
        return pa.unify_schemas(one_column_schemas, promote_options="permissive").field("column").type
    except pa.ArrowException:
        return None
