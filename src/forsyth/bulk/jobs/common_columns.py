"""The columns that the files of a job have together, and the types of those that say none themselves.

A column is of a type that holds the values of all files (`batches.unified`). JSON lines tell types by their
first values; a column without a value has none yet and takes that of the others. Cells of CSV only look like
numbers or texts: where they do not agree, or another format says so, they are read as text. A column of which
no file says the type is text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

import pyarrow as pa

from forsyth.bulk.batches import decoded_type, is_text, unified
from forsyth.bulk.sources.files import Format

_CELLS: Final = (Format.CSV, Format.TSV)
_UNTYPED: Final = (*_CELLS, Format.JSONL)
"""Formats that do not say of what type a column is."""


@dataclass(frozen=True, slots=True)
class FileColumns:
    """The columns of one file, as it tells them."""

    path: str
    format: Format
    schema: pa.Schema


@dataclass(frozen=True, slots=True)
class CommonColumns:
    """The columns of all files, and the types that the untyped ones among them are read with."""

    schema: pa.Schema
    kinds: pa.Schema | None


def common_columns(files: Sequence[FileColumns]) -> CommonColumns:
    """The columns that some file has, in their order; raises `BulkError` where they do not go together."""
    cells = [one.schema for one in files if one.format in _CELLS]
    others = [one.schema for one in files if one.format not in _CELLS]
    read_as = _types_of_cells(_distinct(cells), _distinct(others))
    told = [one if one.format not in _CELLS else _retyped(one, read_as) for one in files]
    untyped = [one for one in told if one.format in _UNTYPED]
    names = {field.name for one in _distinct([one.schema for one in untyped]) for field in one}
    schema = _with_texts(_together(told), names)
    kinds = _with_texts(_together(untyped), names) if untyped else None
    return CommonColumns(schema, kinds)


def _types_of_cells(cells: Iterable[pa.Schema], others: Iterable[pa.Schema]) -> dict[str, pa.DataType]:
    texts = {field.name for schema in others for field in schema if is_text(decoded_type(field.type))}
    found: dict[str, pa.DataType] = {}
    for schema in cells:
        for field in schema:
            found[field.name] = _wider(found.get(field.name, pa.null()), field.type)
    return {name: pa.string() if name in texts else kind for name, kind in found.items()}


def _wider(a: pa.DataType, b: pa.DataType) -> pa.DataType:
    """The type that cells of both can be read with."""
    if a == b or pa.types.is_null(b):
        return a
    if pa.types.is_null(a):
        return b
    return pa.string() if pa.string() in (a, b) else pa.float64()


def _retyped(file: FileColumns, kinds: dict[str, pa.DataType]) -> FileColumns:
    schema = pa.schema([(name, kinds[name]) for name in file.schema.names])
    return FileColumns(file.path, file.format, schema)


def _together(files: Sequence[FileColumns]) -> pa.Schema:
    first, *rest = [one for one, before in zip(files, [None, *files], strict=False) if _is_new(one, before)]
    return reduce(lambda schema, one: unified(schema, one.schema, one.path), rest, first.schema)


def _is_new(file: FileColumns, before: FileColumns | None) -> bool:
    """Whether a file has other columns than the one before it: of thousands of files most have the same."""
    return before is None or not file.schema.equals(before.schema)


def _distinct(schemas: Sequence[pa.Schema]) -> list[pa.Schema]:
    """The schemas without those that equal the one before them."""
    return [
        one for one, before in zip(schemas, [None, *schemas], strict=False) if before is None or one != before
    ]


def _with_texts(schema: pa.Schema, names: set[str]) -> pa.Schema:
    """The schema with text for those of some columns that no file gave a type."""
    fields = [
        one.with_type(pa.string()) if one.name in names and pa.types.is_null(one.type) else one
        for one in schema
    ]
    return pa.schema(fields, schema.metadata)
