"""The column of a batch that has the texts; it may be a field inside a column of structs.

If no column is named, it is detected: the first one named in TEXT_NAMES, in upper or lower case (`FEN`), else
a field of such a name inside a column (`pos.fen`), else the only column of strings. A name with dots is a
column of that name or, if there is none, a field inside a column.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk.batches import decode_type, is_bytes, is_text
from forsyth.bulk.errors import BulkError
from forsyth.bulk.where import find_field_path

TEXT_NAMES: Final = ("fen", "text", "position", "epd", "line")
"""Names of columns that are taken for the texts if none is named, the most likely first."""
_MAX_QUOTED_NAMES: Final = 20
"""Maximum number of names in a message."""


def find_text_column(schema: pa.Schema, name: str | None = None) -> str:
    """Return the name of the column with the texts, such as ``fen``, or detect it if `name` is None.

    If `name` is given, it is only checked. Raise `BulkError` if the column is missing, cannot be detected, or
    has neither texts nor bytes.
    """
    column = _detect_column(schema) if name is None else name
    column_type = _find_type(schema, column)
    if not _holds_texts(column_type):
        raise BulkError(
            f"the column {column!r} is of type {column_type}, expected strings or bytes; name another with "
            f"--column: the columns are {quote_names(schema.names)}"
        )
    return column


def get_texts(batch: pa.RecordBatch, name: str) -> pa.Array:
    """Return a column of a batch, such as ``fen``, or a field inside a column, such as ``pos.fen``.

    Raise `BulkError` if the batch has no such column or field.
    """
    column_index, *field_indices = _find_path(batch.schema, name)
    column = batch.column(column_index)
    return pc.struct_field(column, field_indices) if field_indices else column


def find_root_column(schema: pa.Schema, name: str) -> pa.Field:
    """Return the column that contains a field: ``pos`` for ``pos.fen``.

    If `name` is a column itself, return this column. Raise `BulkError` if there is no such column or field.
    """
    column_index, *_ = _find_path(schema, name)
    return schema.field(column_index)


def _find_type(schema: pa.Schema, name: str) -> pa.DataType:
    """Return the Arrow type of a column, or of a field inside a column, such as ``pos.fen``.

    Raise `BulkError` if there is no such column or field.
    """
    column_index, *field_indices = _find_path(schema, name)
    data_type = schema.field(column_index).type
    for index in field_indices:
        data_type = data_type.field(index).type
    return data_type


def _find_path(schema: pa.Schema, name: str) -> list[int]:
    """Return the indices that lead to a column, or to a field inside a column.

    For ``pos.fen`` they are the index of the column ``pos``, and the index of the field ``fen`` in it. Raise
    `BulkError` with a hint to ``--column`` if there is no such column or field.
    """
    try:
        return find_field_path(schema, name)
    except BulkError as error:
        reason, _, _ = str(error).partition(";")
        raise BulkError(
            f"{reason}; name another with --column: the columns are {quote_names(schema.names)}"
        ) from None


def _holds_texts(column_type: pa.DataType) -> bool:
    """Return whether a column of one type can have texts: it has strings, bytes or only nulls."""
    value_type = decode_type(column_type)
    return is_text(value_type) or is_bytes(value_type) or bool(pa.types.is_null(value_type))


def _detect_column(schema: pa.Schema) -> str:
    """Return the name of the column or field that probably has the texts, such as ``fen``.

    It is the one with a usual name (TEXT_NAMES), or else the only column of strings. Raise `BulkError` if
    there is no such column, or more than one.
    """
    names: list[str] = schema.names
    # Of a field, such as ``pos.fen``, only the last word is compared. Names of columns are compared whole.
    columns = {name: name for name in names}
    fields = {name: name.split(".")[-1] for name in _iter_string_fields(schema)}
    for last_word_by_name in (columns, fields):
        for text_name in TEXT_NAMES:
            matches = _match_names(last_word_by_name, text_name)
            if len(matches) == 1:
                return matches[0]
    text_columns = [field.name for field in schema if is_text(decode_type(field.type))]
    if len(text_columns) == 1:
        return str(text_columns[0])
    raise BulkError(
        f"the column with the texts cannot be detected; name one of {quote_names(names)} with --column"
    )


def _match_names(last_word_by_name: dict[str, str], text_name: str) -> list[str]:
    """Return the names whose last word is `text_name`: ``pos.fen`` matches ``fen``.

    Only if there are none, upper and lower case do not matter, so ``FEN`` matches ``fen`` too.
    """
    exact_matches = [name for name, last_word in last_word_by_name.items() if last_word == text_name]
    if exact_matches:
        return exact_matches
    return [name for name, last_word in last_word_by_name.items() if last_word.lower() == text_name]


def _iter_string_fields(schema: pa.Schema) -> Iterator[str]:
    """Yield the names of all fields with strings inside columns, such as ``pos.fen``."""
    # Structs that are still to be searched, with the name that leads to each.
    unsearched = [(column.name, column.type) for column in schema if pa.types.is_struct(column.type)]
    while unsearched:
        struct_name, struct_type = unsearched.pop(0)
        for field in struct_type:
            field_name = f"{struct_name}.{field.name}"
            if pa.types.is_struct(field.type):
                unsearched.append((field_name, field.type))
            elif is_text(decode_type(field.type)):
                yield field_name


def quote_names(names: list[str]) -> str:
    """Return names in quotes for a message, such as ``'id', 'fen'``, or ``none`` if there are none.

    At most _MAX_QUOTED_NAMES names are quoted.
    """
    return ", ".join(repr(name) for name in names[:_MAX_QUOTED_NAMES]) or "none"
