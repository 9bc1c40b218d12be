"""Selection of one row for each position, among any number of rows, on disk and in bounded memory.

The key, number and rank of each row are written into one of many partition files, chosen by the first bits of
the key, so that all rows of a position are in one file. Then each file is processed alone. The result is a
file of bits, one for each row, which is set if the row is kept (`RowSelection`). The partition files take 24
bytes per row, or 32 with ranks. Rows of other files, whose positions are excluded, are added without a
number.

Memory: one partition file of about `PARTITION_ROWS` rows at a time, and the pages of the bits that are being
set. Limits: at most `MAX_PARTITIONS` files, so that with more than half a billion rows each of them grows.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise
from math import ceil
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk.engines.job import COUNT_DTYPE
from forsyth.bulk.errors import BulkError, explaining_errors
from forsyth.bulk.verbs.selection import read_key_halves

PARTITION_ROWS: Final = 1 << 20
"""Approximate number of rows of a partition file."""
MAX_PARTITIONS: Final = 512
"""Upper bound on the partition files: half of the files that a process may have open on most systems."""
_ENTRY: Final = np.dtype([("high", ">u8"), ("low", ">u8"), ("row", "<u8")])
"""An entry of a partition file: both halves of the key, and the row number."""
_RANKED_ENTRY: Final = np.dtype([*_ENTRY.descr, ("rank", "<u8")])
_WORD_BITS: Final = 64
_SIGN_BIT: Final = np.uint64(1 << 63)
_EXCLUDED: Final = np.uint64((1 << 64) - 1)
"""The row number of rows of other files: no row of their positions is kept."""
_MISSING_RANK: Final = np.uint64(0)
_MIN_RANK: Final = np.uint64(1)
"""Lowest rank of a value; a row without a value has _MISSING_RANK."""


class DistinctRows:
    """Rows on disk, partitioned by key; as a context manager it closes the partition files."""

    def __init__(self, folder: Path, row_count: int, *, ranked: bool) -> None:
        """Create the partition files.

        Args:
            folder: The folder for the partition files.
            row_count: The number of rows that will be added, which determines the number of partitions.
            ranked: Whether the row with the highest rank is kept for each position, instead of the first.
        """
        min_partitions = max(1, ceil(row_count / PARTITION_ROWS))
        # The number of partitions is a power of two, so that the first bits of a key choose one.
        max_bits = MAX_PARTITIONS.bit_length() - 1
        self._partition_bits = min((min_partitions - 1).bit_length(), max_bits)
        self._dtype = _RANKED_ENTRY if ranked else _ENTRY
        self._paths = [folder / f"keys-{number:04}" for number in range(1 << self._partition_bits)]
        folder.mkdir(exist_ok=True)
        with explaining_errors(str(folder), "written"):
            self._files = [path.open("wb", buffering=0) for path in self._paths]

    def add(self, keys: pa.Array, first_row: int | None, ranks: np.ndarray | None) -> None:
        """Add the rows of a batch to the partition files. Rows without a key are left out.

        Args:
            keys: The keys of the rows.
            first_row: The number of the first row; None if the positions of these rows are excluded.
            ranks: The ranks of the rows; None for rank 0. They are ignored unless rows are `ranked`.
        """
        rows_with_key = np.flatnonzero(keys.is_valid().to_numpy(zero_copy_only=False))
        entries = np.empty(len(rows_with_key), self._dtype)
        key_halves = read_key_halves(keys)
        entries["high"] = key_halves.high[rows_with_key]
        entries["low"] = key_halves.low[rows_with_key]
        if first_row is None:
            entries["row"] = _EXCLUDED
        else:
            entries["row"] = rows_with_key.astype(np.uint64) + np.uint64(first_row)
        if "rank" in (self._dtype.names or ()):
            entries["rank"] = _MISSING_RANK if ranks is None else ranks[rows_with_key]
        self._append_entries(entries)

    def _append_entries(self, entries: np.ndarray) -> None:
        """Append entries to the partition files of their keys, chosen by the first bits of each key."""
        if self._partition_bits:
            shift = np.uint64(_WORD_BITS - self._partition_bits)
            partitions = entries["high"].astype(np.uint64) >> shift
        else:
            partitions = np.zeros(len(entries), np.uint64)
        # In this order the entries of each partition are consecutive.
        order = np.argsort(partitions, kind="stable")
        partition_numbers = np.arange(len(self._files) + 1, dtype=np.uint64)
        bounds = np.searchsorted(partitions[order], partition_numbers)
        for file, (begin, end) in zip(self._files, pairwise(bounds), strict=True):
            if begin < end:
                with explaining_errors(file.name, "written"):
                    _write_all(file, entries[order[begin:end]].tobytes())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in self._files:
            file.close()

    def iter_kept_rows(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the numbers of the rows that are kept, and how many rows hold the position of each.

        Each pair of arrays belongs to one partition: the row numbers, in order, and the number of rows that
        hold the position of each. Each partition file is deleted after its pair has been used.
        """
        for path in self._paths:
            entries = np.fromfile(path, self._dtype)
            rows, counts = _select_rows(entries)
            order = np.argsort(rows)
            yield rows[order], counts[order]
            path.unlink()


def _select_rows(entries: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each key the number of the row to keep, and how many rows have the key.

    The row to keep is the one with the highest rank, or the first one if there are several or no ranks. Keys
    with an entry that has the row number `_EXCLUDED` are left out.

    Args:
        entries: The entries of a partition file: key, row number and perhaps rank.
    """
    if "rank" in (entries.dtype.names or ()):
        # The sort is stable, so rows of the same rank keep their order.
        entries = entries[np.argsort(~entries["rank"], kind="stable")]
    table = pa.table({name: entries[name].astype(np.uint64) for name in ("high", "low", "row")})
    aggregates = [("row", "first"), ("row", "max"), ("row", "count")]
    groups = table.group_by(["high", "low"], use_threads=False).aggregate(aggregates)
    first_row, max_row, counts = (
        groups.column(name).to_numpy() for name in ("row_first", "row_max", "row_count")
    )
    # Excluded rows have the highest row number.
    is_included = max_row != _EXCLUDED
    return first_row[is_included], counts[is_included]


def _write_all(file: Any, data: bytes) -> None:
    """Write all bytes to an unbuffered file, which may write only some of them at a time."""
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]


_BITS_PER_BYTE: Final = np.uint64(8)
_BIT_INDEX_MASK: Final = np.uint64(7)
"""The bits of a row number that select a bit in a byte."""


class BitFile:
    """A file with a bit for each row; no bit is set at first."""

    def __init__(self, path: Path, row_count: int) -> None:
        """Create the file at `path` with a zero bit for each of `row_count` rows."""
        byte_count = max(1, (row_count + 7) // 8)
        _allocate_file(path, byte_count)
        self._bytes = np.memmap(path, np.uint8, "r+")

    def set_bits(self, sorted_rows: np.ndarray) -> None:
        """Set the bit of each row number in `sorted_rows`.

        Rows 0 to 7 share byte 0, with row 0 in the lowest bit.
        """
        if not len(sorted_rows):
            return
        byte_indexes = (sorted_rows // _BITS_PER_BYTE).astype(np.int64)
        bit_indexes = (sorted_rows & _BIT_INDEX_MASK).astype(np.uint8)
        bits = np.left_shift(np.uint8(1), bit_indexes)
        # NumPy writes each byte once per assignment, so the bits of the same byte are joined first.
        is_new_byte = byte_indexes[1:] != byte_indexes[:-1]
        first_rows_of_bytes = np.flatnonzero(np.concatenate([[True], is_new_byte]))
        joined_bits = np.bitwise_or.reduceat(bits, first_rows_of_bytes)
        self._bytes[byte_indexes[first_rows_of_bytes]] |= joined_bits

    def close(self) -> None:
        """Write the bits to the disk and release the file."""
        self._bytes.flush()
        del self._bytes


class CountFile:
    """A file with a number for each row: how many rows hold its position."""

    def __init__(self, path: Path, row_count: int) -> None:
        """Create the file at `path` with a zero for each of `row_count` rows."""
        _allocate_file(path, max(1, row_count) * COUNT_DTYPE.itemsize)
        self._counts = np.memmap(path, COUNT_DTYPE, "r+")

    def set_counts(self, rows: np.ndarray, counts: np.ndarray) -> None:
        """Write the count of each row number. A count that does not fit becomes the largest that does."""
        largest_count = np.iinfo(COUNT_DTYPE).max
        self._counts[rows.astype(np.int64)] = np.minimum(counts, largest_count)

    def close(self) -> None:
        """Write the counts to the disk and release the file."""
        self._counts.flush()
        del self._counts


def _allocate_file(path: Path, byte_count: int) -> None:
    """Create a file with `byte_count` zero bytes. Raise `BulkError` if the disk has no space for it."""
    with explaining_errors(str(path), "written"), path.open("wb") as file:
        file.truncate(byte_count)
        if hasattr(os, "posix_fallocate"):
            # If the disk filled up under a memory-mapped file, the process would end without a message.
            os.posix_fallocate(file.fileno(), 0, byte_count)


def compute_ranks(column: pa.Array, name: str) -> np.ndarray:
    """Return a rank for each value: an unsigned integer of 64 bits that is higher for a higher value.

    Null and NaN have rank 0, the lowest.

    Args:
        column: Numbers, times, booleans, or texts of numbers, as in CSV.
        name: The name of the column for the message.

    Raises:
        BulkError: If the column has other values.
    """
    column_type = column.type
    if pa.types.is_dictionary(column_type):
        return compute_ranks(column.cast(column_type.value_type), name)
    try:
        if pa.types.is_temporal(column_type):
            integer_type = pa.int32() if column_type.bit_width == 32 else pa.int64()
            return _rank_integers(column.cast(integer_type).cast(pa.int64()))
        if pa.types.is_integer(column_type) or pa.types.is_boolean(column_type):
            return _rank_integers(column.cast(pa.int64()))
        return _rank_floats(column.cast(pa.float64()))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise BulkError(
            f"the column {name!r} does not hold numbers ({error}); name another with --by"
        ) from error


def _rank_integers(column: pa.Array) -> np.ndarray:
    """Return signed integers as unsigned ones in the same order; null becomes 0."""
    bits = column.fill_null(0).to_numpy(zero_copy_only=False).view(np.uint64)
    # Flipping the sign bit puts negative numbers below the others.
    return _rank_nulls_lowest(column, bits ^ _SIGN_BIT)


def _rank_floats(column: pa.Array) -> np.ndarray:
    """Return floats as unsigned integers in the same order; null and NaN become 0."""
    column = pc.if_else(pc.is_nan(column), pa.scalar(None, pa.float64()), column)
    # Adding zero turns -0.0 into 0.0.
    bits = (column.fill_null(0).to_numpy(zero_copy_only=False) + 0.0).view(np.uint64)
    # As integers, positive floats are in order; negative ones are in reverse order and belong below them.
    is_negative = (bits & _SIGN_BIT) != 0
    return _rank_nulls_lowest(column, np.where(is_negative, ~bits, bits | _SIGN_BIT))


def _rank_nulls_lowest(column: pa.Array, ranks: np.ndarray) -> np.ndarray:
    """Return the ranks of the values of a column, with rank 0 for null and at least rank 1 for others."""
    is_valid = column.is_valid().to_numpy(zero_copy_only=False)
    return np.where(is_valid, np.maximum(ranks, _MIN_RANK), _MISSING_RANK)
