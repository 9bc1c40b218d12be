"""Which column of a batch holds the texts, and its values; it may be a field inside a column of structs.

Found without being told: the first of TEXT_NAMES, also in another case (`FEN`), then a field of such a name
inside a column (`pos.fen`), then the only column of strings. A name with dots means the column of that name
or, where there is none, the field inside the column.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk.batches import decoded_type, is_bytes, is_text
from forsyth.bulk.errors import BulkError
from forsyth.bulk.where import field_path

TEXT_NAMES: Final = ("fen", "text", "position", "epd", "line")
"""The columns that are taken for the texts where none is named, the likeliest first."""


def texts_column(schema: pa.Schema, wanted: str | None = None) -> str:
    """The column that holds the texts: the one wanted, or the one that is found.

    Raises `BulkError` where it is not clear, not there, or of a type that holds neither texts nor bytes.
    """
    name = _found(schema) if wanted is None else wanted
    kind = _type_of(schema, name)
    if not _holds_texts(kind):
        raise BulkError(
            f"the column {name!r} is of {kind}, which holds no texts; name one of strings or bytes with "
            f"--column: there are {listed(schema.names)}"
        )
    return name


def texts_of(batch: pa.RecordBatch, name: str) -> pa.Array:
    """The texts of a batch."""
    path = _path(batch.schema, name)
    column = batch.column(path[0])
    return pc.struct_field(column, path[1:]) if path[1:] else column


def column_with(schema: pa.Schema, name: str) -> pa.Field:
    """The column that holds the texts, or the field with them."""
    return schema.field(_path(schema, name)[0])


def _type_of(schema: pa.Schema, name: str) -> pa.DataType:
    path = _path(schema, name)
    kind = schema.field(path[0]).type
    for place in path[1:]:
        kind = kind.field(place).type
    return kind


def _path(schema: pa.Schema, name: str) -> list[int]:
    try:
        return field_path(schema, name)
    except BulkError as error:
        there = str(error).partition(";")[0]
        raise BulkError(f"{there}; name another with --column: there are {listed(schema.names)}") from None


def _holds_texts(kind: pa.DataType) -> bool:
    values = decoded_type(kind)
    return is_text(values) or is_bytes(values) or bool(pa.types.is_null(values))


def _found(schema: pa.Schema) -> str:
    names: list[str] = schema.names
    # The last part of each name is what is looked at; a column of its own may have dots in it.
    outside = {name: name for name in names}
    inside = {name: name.rpartition(".")[2] for name in _inner(schema)}
    for candidates in (outside, inside):
        for wanted in TEXT_NAMES:
            found = [name for name, last in candidates.items() if last == wanted]
            found = found or [name for name, last in candidates.items() if last.lower() == wanted]
            if len(found) == 1:
                return found[0]
    strings = [one.name for one in schema if is_text(decoded_type(one.type))]
    if len(strings) == 1:
        return str(strings[0])
    raise BulkError(f"the column with the texts is not clear; name one of {listed(names)} with --column")


def _inner(schema: pa.Schema) -> Iterator[str]:
    """The fields of strings inside columns, with their names after those of the columns."""
    waiting = [(one.name, one.type) for one in schema if pa.types.is_struct(one.type)]
    while waiting:
        name, kind = waiting.pop(0)
        for field in kind:
            inner = f"{name}.{field.name}"
            if pa.types.is_struct(field.type):
                waiting.append((inner, field.type))
            elif is_text(decoded_type(field.type)):
                yield inner


def listed(names: list[str]) -> str:
    """Names as a sentence lists them."""
    return ", ".join(repr(name) for name in names[:20]) or "none"
