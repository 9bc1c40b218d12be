"""Batches as a job takes them: cut where a part ends, joined where they are too small to be worth handling.

What a sink writes depends on the batches it is given, to the byte. A job that is gone on with reads its shard
from the beginning again and leaves out what is done, so that every batch ends where it ended before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import pyarrow as pa

from forsyth.bulk.errors import BulkError, brief, shown
from forsyth.bulk.plain import decoded_type, is_bytes, is_text, longest_repeated

SMALL: Final = 8192
"""Batches of fewer rows are joined: handling a batch costs as much as some hundred rows."""


HEAVY: Final = 1 << 20
"""Batches of as many bytes are not joined, however few rows they have."""


def recut(batches: Iterable[pa.RecordBatch], roll: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
    """The rows behind the first `skip` in batches, none of them across a multiple of `roll` rows."""
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
    for batch in batches:
        if batch.num_rows >= SMALL or _is_heavy(batch):
            yield from _as_one(held)
            held = []
            yield batch
            continue
        held.append(batch)
        if sum(one.num_rows for one in held) >= SMALL:
            yield from _as_one(held)
            held = []
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
                "before it; run the command once for each kind of file, or write one of them anew"
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
