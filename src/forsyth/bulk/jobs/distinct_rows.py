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
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk.arrow import KEY_BYTES
from forsyth.bulk.engines.job import COUNT_DTYPE
from forsyth.bulk.errors import BulkError, explaining_errors

PARTITION_ROWS: Final = 1 << 20
"""Approximate number of rows of a partition file."""
MAX_PARTITIONS: Final = 512
"""Upper bound on the partition files: half of the files that a process may have open on most systems."""
_ENTRY: Final = np.dtype([("high", ">u8"), ("low", ">u8"), ("row", "<u8")])
"""An entry of a partition file: both halves of the key, and the row number."""
_RANKED_ENTRY: Final = np.dtype([*_ENTRY.descr, ("rank", "<u8")])
_SIGN_BIT: Final = np.uint64(1 << 63)
_EXCLUDED: Final = np.uint64((1 << 64) - 1)
"""The row number of rows of other files: no row of their positions is kept."""


class DistinctRows:
    """Rows on disk, partitioned by key; as a context manager it closes the partition files."""

    def __init__(self, folder: Path, row_count: int, *, ranked: bool) -> None:
        """Create the partition files.

        Args:
            folder: The folder for the partition files.
            row_count: The number of rows that will be added, which determines the number of partitions.
            ranked: Whether the row with the highest rank is kept for each position, instead of the first.
        """
        partitions = max(1, -(-row_count // PARTITION_ROWS))
        self._partition_bits = min((partitions - 1).bit_length(), MAX_PARTITIONS.bit_length() - 1)
        self._dtype = _RANKED_ENTRY if ranked else _ENTRY
        self._paths = [folder / f"keys-{number:04}" for number in range(1 << self._partition_bits)]
        folder.mkdir(exist_ok=True)
        with explaining_errors(str(folder), "written"):
            self._files = [path.open("wb", buffering=0) for path in self._paths]

    def add(self, keys: pa.Array, first_row: int | None, ranks: np.ndarray | None) -> None:
        """Add the rows of a batch; rows without a key are left out.

        Args:
            keys: The keys of the rows.
            first_row: The number of the first row; None if the positions of these rows are excluded.
            ranks: The ranks of the rows; None for rank 0. They are ignored unless rows are `ranked`.
        """
        with_key = np.flatnonzero(keys.is_valid().to_numpy(zero_copy_only=False))
        entries = np.empty(len(with_key), self._dtype)
        key_halves = np.frombuffer(keys.buffers()[1], ">u8", 2 * len(keys), keys.offset * KEY_BYTES)
        entries["high"], entries["low"] = key_halves[::2][with_key], key_halves[1::2][with_key]
        entries["row"] = _EXCLUDED if first_row is None else with_key.astype(np.uint64) + np.uint64(first_row)
        if "rank" in (self._dtype.names or ()):
            entries["rank"] = 0 if ranks is None else ranks[with_key]
        self._write(entries)

    def _write(self, entries: np.ndarray) -> None:
        """Append entries to the partition files of their keys, chosen by the first bits of each key."""
        if self._partition_bits:
            shift = np.uint64(64 - self._partition_bits)
            partitions = entries["high"].astype(np.uint64) >> shift
        else:
            partitions = np.zeros(len(entries), np.uint64)
        # In this order the entries of each partition are consecutive.
        order = np.argsort(partitions, kind="stable")
        bounds = np.searchsorted(partitions[order], np.arange(len(self._files) + 1, dtype=np.uint64))
        for number, file in enumerate(self._files):
            partition = entries[order[bounds[number] : bounds[number + 1]]]
            if len(partition):
                with explaining_errors(file.name, "written"):
                    _write_all(file, partition.tobytes())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in self._files:
            file.close()

    def iter_kept_rows(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the numbers of the rows that are kept, and how many rows hold the position of each.

        There is one pair of arrays for each partition, sorted by row number. Each partition file is deleted
        after its pair.
        """
        for path in self._paths:
            entries = np.fromfile(path, self._dtype)
            rows, counts = _select_rows(entries)
            order = np.argsort(rows)
            yield rows[order], counts[order]
            path.unlink()


def _select_rows(entries: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each key the number of the row to keep, and how many rows have the key.

    That is the row of the highest rank, or the first one if there are several or no ranks. Keys with an entry
    that has the row number `_EXCLUDED` are left out.
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


class BitFile:
    """A file with a bit for each row; no bit is set at first."""

    def __init__(self, path: Path, row_count: int) -> None:
        """Create the file at `path` with a zero bit for each of `row_count` rows."""
        byte_count = max(1, (row_count + 7) // 8)
        _allocate_file(path, byte_count)
        self._bytes = np.memmap(path, np.uint8, "r+")

    def set(self, rows: np.ndarray) -> None:
        """Set the bits of the given row numbers, which must be sorted; the lowest bit of a byte is first."""
        if not len(rows):
            return
        # The lowest three bits of a row number select the bit in a byte.
        byte_indexes = (rows >> np.uint64(3)).astype(np.int64)
        bits = np.left_shift(np.uint8(1), (rows & np.uint64(7)).astype(np.uint8))
        # Combine the bits of each byte, because one assignment sets each byte only once.
        starts = np.flatnonzero(np.concatenate([[True], byte_indexes[1:] != byte_indexes[:-1]]))
        self._bytes[byte_indexes[starts]] |= np.bitwise_or.reduceat(bits, starts)

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

    def set(self, rows: np.ndarray, counts: np.ndarray) -> None:
        """Set the counts of the given row numbers; a count above the maximum becomes the maximum."""
        self._counts[rows.astype(np.int64)] = np.minimum(counts, np.iinfo(COUNT_DTYPE).max)

    def close(self) -> None:
        """Write the counts to the disk and release the file."""
        self._counts.flush()
        del self._counts


def _allocate_file(path: Path, byte_count: int) -> None:
    """Create a file of zeros; raise `BulkError` if the disk has no space for it."""
    with explaining_errors(str(path), "written"), path.open("wb") as file:
        file.truncate(byte_count)
        if hasattr(os, "posix_fallocate"):
            # If the disk filled up under a memory-mapped file, the process would end without a message.
            os.posix_fallocate(file.fileno(), 0, byte_count)


def compute_ranks(column: pa.Array, name: str) -> np.ndarray:
    """Return a column as unsigned integers of 64 bits that are in the same order as its values.

    Null and NaN become 0, the lowest. Numbers, times, booleans and texts of numbers (as in CSV) are accepted.
    Raise `BulkError` for other values; `name` is the name of the column in the message.
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
    # Flipping the sign bit puts negative numbers below the others. Rank 0 is only for null.
    ranks = column.fill_null(0).to_numpy(zero_copy_only=False).view(np.uint64) ^ _SIGN_BIT
    return np.where(_valid_mask(column), np.maximum(ranks, np.uint64(1)), np.uint64(0))


def _rank_floats(column: pa.Array) -> np.ndarray:
    """Return floats as unsigned integers in the same order; null and NaN become 0."""
    column = pc.if_else(pc.is_nan(column), pa.scalar(None, pa.float64()), column)
    # Adding zero turns -0.0 into 0.0.
    bits = (column.fill_null(0).to_numpy(zero_copy_only=False) + 0.0).view(np.uint64)
    # As integers, positive floats are in order; negative ones are in reverse order and belong below them.
    ranks = np.where(bits & _SIGN_BIT, ~bits, bits | _SIGN_BIT)
    # Rank 0 is only for null.
    return np.where(_valid_mask(column), np.maximum(ranks, np.uint64(1)), np.uint64(0))


def _valid_mask(column: pa.Array) -> np.ndarray:
    """Return an array that is true where the value is not null."""
    mask: np.ndarray = column.is_valid().to_numpy(zero_copy_only=False)
    return mask
