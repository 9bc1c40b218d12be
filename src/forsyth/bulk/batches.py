"""Batches cut anew: where one ends depends on the rows alone, not on how the file happened to be read.

What a sink writes depends on the batches it is given, to the byte. A job that is gone on with reads from the
middle, where other batches come; cut anew they are the same ones. Limits: a batch holds at most as many rows as
asked for and about BATCH_BYTES of text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk.errors import BulkError, shown

BATCH_BYTES: Final = 32 << 20
"""Texts of a batch together: far above any batch of positions; a batch of long lines must not fill the memory."""


def recut(batches: Iterable[pa.RecordBatch], rows: int, roll: int) -> Iterator[pa.RecordBatch]:
    """The same rows in batches of `rows`, none across a multiple of `roll` rows."""
    held: list[pa.RecordBatch] = []
    lengths = np.zeros(0, np.int64)
    done = 0
    for batch in batches:
        held.append(batch)
        lengths = np.concatenate([lengths, _lengths(batch)])
        while cut := _cut(lengths, min(rows, roll - done % roll)):
            whole = _joined(held)
            yield whole.slice(0, cut)
            held, lengths = [whole.slice(cut)], lengths[cut:]
            done += cut
    if len(lengths):
        yield _joined(held)


def _cut(lengths: np.ndarray, rows: int) -> int:
    """How many rows make a batch; 0 while there are too few."""
    sums = np.cumsum(lengths[:rows])
    if len(sums) and sums[-1] >= BATCH_BYTES:
        return int(np.searchsorted(sums, BATCH_BYTES)) + 1
    return rows if len(sums) == rows else 0


def _joined(held: list[pa.RecordBatch]) -> pa.RecordBatch:
    if len(held) == 1:
        return held[0]
    table = pa.Table.from_batches([one for one in held if one.num_rows] or held[:1]).combine_chunks()
    return table.to_batches()[0]


def _lengths(batch: pa.RecordBatch) -> np.ndarray:
    """The bytes of each row's texts."""
    total = np.zeros(batch.num_rows, np.int64)
    for column in batch.columns:
        if _is_of_any_length(column.type):
            total += pc.binary_length(column).fill_null(0).to_numpy(zero_copy_only=False)
    return total


def _is_of_any_length(kind: pa.DataType) -> bool:
    return (
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
    )


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
