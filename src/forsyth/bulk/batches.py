"""Batches as a job takes them: cut where a part ends, joined where they are too small to be worth handling.

What a sink writes depends on the batches it is given, to the byte. A job that is gone on with reads its shard from
the beginning again and leaves out what is done, so that every batch ends where it ended before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import pyarrow as pa

from forsyth.bulk.errors import BulkError, shown

SMALL: Final = 8192
"""Batches of fewer rows are joined: handling a batch costs as much as some hundred rows."""


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
        if batch.num_rows >= SMALL:
            yield from _as_one(held)
            held = []
            yield batch
            continue
        held.append(batch)
        if sum(one.num_rows for one in held) >= SMALL:
            yield from _as_one(held)
            held = []
    yield from _as_one(held)


def _as_one(held: list[pa.RecordBatch]) -> list[pa.RecordBatch]:
    if len(held) < 2:
        return held
    found: list[pa.RecordBatch] = pa.Table.from_batches(held).combine_chunks().to_batches()
    return found


def fitted(batch: pa.RecordBatch, schema: pa.Schema, path: str) -> pa.RecordBatch:
    """The batch with the columns and types of the first file; raises `BulkError` where they differ."""
    if batch.schema.equals(schema):
        return batch
    try:
        return pa.RecordBatch.from_arrays(
            [batch.column(one.name).cast(one.type) for one in schema], schema=schema
        )
    except pa.ArrowInvalid as error:
        there = f"a column of {shown(path)} does not have the type it has in the first file"
        raise BulkError(f"{there} ({error}); run the command once for each of them") from error


def must_match(found: pa.Schema, schema: pa.Schema, path: str) -> None:
    """Raises `BulkError` where a file has other columns than the first one."""
    if sorted(found.names) != sorted(schema.names):
        there, wanted = ", ".join(found.names), ", ".join(schema.names)
        raise BulkError(
            f"{shown(path)} has the columns {there}, but the first file has {wanted}; "
            "run the command once for each kind of file"
        )
