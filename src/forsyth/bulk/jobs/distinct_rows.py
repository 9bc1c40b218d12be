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
    """Keys of rows on disk, from which one row is selected for each key.

    The keys are in several partition files, so that each of them fits into memory. As a context manager, it
    closes these files.
    """

    def __init__(self, folder: Path, row_count: int, *, ranked: bool) -> None:
        """Create the partition files.

        Args:
            folder: The folder for the partition files.
            row_count: The number of rows that will be added, which determines the number of partitions.
            ranked: Whether the row with the highest rank is kept for each key, instead of the first.
        """
        # The number of partitions is a power of two, so that the first bits of a key choose one.
        self._partition_bits = _choose_partition_bits(row_count)
        partition_count = 1 << self._partition_bits
        self._dtype = _RANKED_ENTRY if ranked else _ENTRY
        self._paths = [folder / f"keys-{number:04}" for number in range(partition_count)]
        folder.mkdir(exist_ok=True)
        with explaining_errors(str(folder), "written"):
            self._files = [path.open("wb", buffering=0) for path in self._paths]

    def add_rows(self, keys: pa.Array, first_row: int | None, ranks: np.ndarray | None) -> None:
        """Add the rows of a batch to the partition files. Rows without a key are left out.

        Args:
            keys: The keys of the rows.
            first_row: The number of the first row; None if no row with one of these keys may be kept.
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
        if _has_ranks(entries):
            entries["rank"] = _MISSING_RANK if ranks is None else ranks[rows_with_key]
        self._append_entries(entries)

    def _append_entries(self, entries: np.ndarray) -> None:
        """Append each entry to one of the partition files, which the first bits of its key number."""
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
        """Return the object itself."""
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the partition files. They can still be read by `iter_kept_rows`."""
        for file in self._files:
            file.close()

    def iter_kept_rows(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the numbers of the rows that are kept, and how many rows have the key of each.

        Each pair of arrays belongs to one partition: the row numbers, in order, and the counts of rows with
        the same key. Each partition file is deleted when the next pair is requested.
        """
        for path in self._paths:
            entries = np.fromfile(path, self._dtype)
            rows, counts = _select_rows(entries)
            order = np.argsort(rows)
            yield rows[order], counts[order]
            path.unlink()


def _choose_partition_bits(row_count: int) -> int:
    """Return the number of bits of a key that choose a partition for `row_count` rows.

    n bits choose one of 2ⁿ partitions, which have about PARTITION_ROWS rows each. There are at most
    MAX_PARTITIONS partitions.
    """
    needed_partitions = max(1, ceil(row_count / PARTITION_ROWS))
    needed_bits = (needed_partitions - 1).bit_length()
    max_bits = MAX_PARTITIONS.bit_length() - 1
    return min(needed_bits, max_bits)


def _has_ranks(entries: np.ndarray) -> bool:
    """Return whether the entries of a partition file have ranks."""
    return "rank" in (entries.dtype.names or ())


def _select_rows(entries: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each key the number of the row to keep, and how many rows have the key.

    The row to keep is the one with the highest rank. If there are several of them, or no ranks, it is the
    first one. Keys with an entry that has the row number `_EXCLUDED` are left out.

    Args:
        entries: The entries of a partition file: key, row number and perhaps rank.
    """
    best_first = entries
    if _has_ranks(entries):
        # The sort is stable, so rows of the same rank keep their order.
        best_first = entries[np.argsort(~entries["rank"], kind="stable")]
    table = pa.table({name: best_first[name].astype(np.uint64) for name in ("high", "low", "row")})
    aggregates = [("row", "first"), ("row", "max"), ("row", "count")]
    groups = table.group_by(["high", "low"], use_threads=False).aggregate(aggregates)
    best_rows, max_rows, counts = (
        groups.column(name).to_numpy() for name in ("row_first", "row_max", "row_count")
    )
    # `_EXCLUDED` is higher than every row number.
    is_included = max_rows != _EXCLUDED
    return best_rows[is_included], counts[is_included]


def _write_all(file: Any, data: bytes) -> None:
    """Write all bytes to an unbuffered file, which may write only some of them at a time."""
    remaining = memoryview(data)
    while remaining:
        written_bytes = file.write(remaining)
        remaining = remaining[written_bytes:]


_BITS_PER_BYTE: Final = np.uint64(8)


class BitFile:
    """A file with a bit for each row, which can be set. No bit is set at first."""

    def __init__(self, path: Path, row_count: int) -> None:
        """Create the file at `path` with a zero bit for each of `row_count` rows."""
        # A file without bytes cannot be mapped into memory.
        byte_count = max(1, ceil(row_count / int(_BITS_PER_BYTE)))
        _allocate_file(path, byte_count)
        self._bytes = np.memmap(path, np.uint8, "r+")

    def set_bits(self, sorted_rows: np.ndarray) -> None:
        """Set the bits of the rows with the numbers `sorted_rows`.

        Rows 0 to 7 share byte 0, with row 0 in the lowest bit.
        """
        if not len(sorted_rows):
            return
        byte_indices = (sorted_rows // _BITS_PER_BYTE).astype(np.int64)
        bit_indices = (sorted_rows % _BITS_PER_BYTE).astype(np.uint8)
        bits = np.left_shift(np.uint8(1), bit_indices)
        # NumPy writes each byte once per assignment, so the bits of the same byte are joined first.
        is_new_byte = byte_indices[1:] != byte_indices[:-1]
        first_rows_of_bytes = np.flatnonzero(np.concatenate([[True], is_new_byte]))
        joined_bits = np.bitwise_or.reduceat(bits, first_rows_of_bytes)
        self._bytes[byte_indices[first_rows_of_bytes]] |= joined_bits

    def close(self) -> None:
        """Write the bits to the disk and release the file."""
        self._bytes.flush()
        del self._bytes


class CountFile:
    """A file with a number for each row: how many rows have the same position."""

    def __init__(self, path: Path, row_count: int) -> None:
        """Create the file at `path` with a zero for each of `row_count` rows."""
        _allocate_file(path, max(1, row_count) * COUNT_DTYPE.itemsize)
        self._counts = np.memmap(path, COUNT_DTYPE, "r+")

    def set_counts(self, rows: np.ndarray, counts: np.ndarray) -> None:
        """Write the counts of the rows with the numbers `rows`.

        A count that is too large for the file becomes the largest number that is not.
        """
        largest_count = np.iinfo(COUNT_DTYPE).max
        self._counts[rows.astype(np.int64)] = np.minimum(counts, largest_count)

    def close(self) -> None:
        """Write the counts to the disk and release the file."""
        self._counts.flush()
        del self._counts


def _allocate_file(path: Path, byte_count: int) -> None:
    """Create a file with `byte_count` zero bytes.

    Raise `BulkError` if there is no space on the disk.
    """
    with explaining_errors(str(path), "written"), path.open("wb") as file:
        file.truncate(byte_count)
        if hasattr(os, "posix_fallocate"):
            # If the disk filled up under a memory-mapped file, the process would end without a message.
            os.posix_fallocate(file.fileno(), 0, byte_count)


def compute_ranks(column: pa.Array, name: str) -> np.ndarray:
    """Return an unsigned integer for each value of a column that is higher for a higher value.

    Null and NaN have rank 0, the lowest. The numbers have 64 bits.

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
            same_size_type = pa.int32() if column_type.bit_width == 32 else pa.int64()
            return _rank_integers(column.cast(same_size_type).cast(pa.int64()))
        if pa.types.is_integer(column_type) or pa.types.is_boolean(column_type):
            return _rank_integers(column.cast(pa.int64()))
        return _rank_floats(column.cast(pa.float64()))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise BulkError(
            f"the column {name!r} does not hold numbers ({error}); name another with --by"
        ) from error


def _rank_integers(column: pa.Array) -> np.ndarray:
    """Return an unsigned integer for each signed one, in the same order. A null gives 0."""
    bits = column.fill_null(0).to_numpy(zero_copy_only=False).view(np.uint64)
    # Flipping the sign bit puts negative numbers below the others.
    return _rank_nulls_lowest(column, bits ^ _SIGN_BIT)


def _rank_floats(column: pa.Array) -> np.ndarray:
    """Return an unsigned integer for each float, in the same order. Null and NaN give 0."""
    numbers = pc.if_else(pc.is_nan(column), pa.scalar(None, pa.float64()), column)
    # Adding zero turns -0.0 into 0.0.
    bits = (numbers.fill_null(0).to_numpy(zero_copy_only=False) + 0.0).view(np.uint64)
    # Read as integers, positive floats are in order. Negative ones are in reverse order.
    is_negative = (bits & _SIGN_BIT) != 0
    ranks = np.where(is_negative, ~bits, bits | _SIGN_BIT)
    return _rank_nulls_lowest(numbers, ranks)


def _rank_nulls_lowest(column: pa.Array, ranks: np.ndarray) -> np.ndarray:
    """Return `ranks` with rank 0 where `column` is null, and at least rank 1 elsewhere."""
    is_valid = column.is_valid().to_numpy(zero_copy_only=False)
    return np.where(is_valid, np.maximum(ranks, _MIN_RANK), _MISSING_RANK)
