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
from forsyth.bulk.where import field_path

TEXT_NAMES: Final = ("fen", "text", "position", "epd", "line")
"""Names of columns that are taken for the texts if none is named, the most likely first."""


def find_text_column(schema: pa.Schema, name: str | None = None) -> str:
    """Return the name of the column with the texts: `name`, or the detected one if `name` is None.

    Raise `BulkError` if the column is missing, cannot be detected, or has neither texts nor bytes.
    """
    column = _detect_column(schema) if name is None else name
    kind = _find_type(schema, column)
    if not _holds_texts(kind):
        raise BulkError(
            f"the column {column!r} is of type {kind}, expected strings or bytes; name another with "
            f"--column: the columns are {quote_names(schema.names)}"
        )
    return column


def get_texts(batch: pa.RecordBatch, name: str) -> pa.Array:
    """Return the texts of a batch: the column `name`, or a field inside a column, such as ``pos.fen``."""
    column_index, *field_indices = _find_path(batch.schema, name)
    column = batch.column(column_index)
    return pc.struct_field(column, field_indices) if field_indices else column


def root_column(schema: pa.Schema, name: str) -> pa.Field:
    """Return the column that contains the texts: ``fen`` for the name ``fen``, ``pos`` for ``pos.fen``."""
    column_index, *_ = _find_path(schema, name)
    return schema.field(column_index)


def _find_type(schema: pa.Schema, name: str) -> pa.DataType:
    """Return the type of the column or field `name`."""
    column_index, *field_indices = _find_path(schema, name)
    kind = schema.field(column_index).type
    for index in field_indices:
        kind = kind.field(index).type
    return kind


def _find_path(schema: pa.Schema, name: str) -> list[int]:
    """Return the index of a column, followed by those of the fields inside it that `name` leads to.

    Raise `BulkError` with a hint to ``--column`` if there is no such column or field.
    """
    try:
        return field_path(schema, name)
    except BulkError as error:
        reason = str(error).partition(";")[0]
        raise BulkError(
            f"{reason}; name another with --column: the columns are {quote_names(schema.names)}"
        ) from None


def _holds_texts(kind: pa.DataType) -> bool:
    """Return whether a column of this type has texts or bytes, or only nulls."""
    values = decode_type(kind)
    return is_text(values) or is_bytes(values) or bool(pa.types.is_null(values))


def _detect_column(schema: pa.Schema) -> str:
    """Return the name of the column or field that probably has the texts, such as ``fen`` or ``pos.fen``.

    Raise `BulkError` if no name is known, or several are, and there is not exactly one column of strings.
    """
    names: list[str] = schema.names
    # Only the last part of the name of a field is compared; the name of a column may have dots in it.
    columns = {name: name for name in names}
    fields = {name: name.rpartition(".")[2] for name in _list_fields(schema)}
    # A name in the usual case is preferred to the same name in other letters.
    for candidates in (columns, fields):
        for text_name in TEXT_NAMES:
            matches = [name for name, last in candidates.items() if last == text_name]
            matches = matches or [name for name, last in candidates.items() if last.lower() == text_name]
            if len(matches) == 1:
                return matches[0]
    strings = [field.name for field in schema if is_text(decode_type(field.type))]
    if len(strings) == 1:
        return str(strings[0])
    raise BulkError(
        f"the column with the texts cannot be detected; name one of {quote_names(names)} with --column"
    )


def _list_fields(schema: pa.Schema) -> Iterator[str]:
    """Yield the names of the fields of strings inside columns, such as ``pos.fen``."""
    # Structs that are still to be searched, with the name that leads to each.
    waiting = [(column.name, column.type) for column in schema if pa.types.is_struct(column.type)]
    while waiting:
        name, kind = waiting.pop(0)
        for field in kind:
            field_name = f"{name}.{field.name}"
            if pa.types.is_struct(field.type):
                waiting.append((field_name, field.type))
            elif is_text(decode_type(field.type)):
                yield field_name


def quote_names(names: list[str]) -> str:
    """Return names in quotes, separated by commas; at most 20 of them."""
    return ", ".join(repr(name) for name in names[:20]) or "none"
