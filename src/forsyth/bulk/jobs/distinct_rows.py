"""Which rows of any number hold a position for the first time, or best: on the disk, in bounded memory.

Each row's key, number and rank are written into one of many files, chosen by the first bits of the key, so
that all rows of a position are in one file; then each file is worked on alone. The result is a file of bits,
one for each row, set where the row is kept (`Chosen`). The files take 24 bytes a row. Rows of other data,
whose positions are left out, are laid out beside them without a number.

Memory: one file of about PARTITION_ROWS rows at a time, and the pages of the bits that are being set. Limits:
at most MOST_PARTITIONS files, so that with more than a billion rows each of them grows.
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
from forsyth.bulk.engines.job import COUNT
from forsyth.bulk.errors import BulkError, explaining_errors

PARTITION_ROWS: Final = 1 << 20
MOST_PARTITIONS: Final = 512
"""Half of the files that systems let a process have open."""
_RECORD: Final = np.dtype([("high", ">u8"), ("low", ">u8"), ("row", "<u8")])
_RANKED: Final = np.dtype([*_RECORD.descr, ("worth", "<u8")])
_SIGN: Final = np.uint64(1 << 63)
_KNOWN: Final = np.uint64((1 << 64) - 1)
"""The number of a row of other data: none of its position is kept."""


class DistinctRows:
    """Rows laid out by their keys; as a context manager it closes its files."""

    def __init__(self, folder: Path, rows: int, *, ranked: bool) -> None:
        wanted = max(1, -(-rows // PARTITION_ROWS))
        self._bits = min((wanted - 1).bit_length(), MOST_PARTITIONS.bit_length() - 1)
        self._kind = _RANKED if ranked else _RECORD
        self._paths = [folder / f"keys-{number:04}" for number in range(1 << self._bits)]
        folder.mkdir(exist_ok=True)
        with explaining_errors(str(folder), "written"):
            self._files = [path.open("wb", buffering=0) for path in self._paths]

    def add(self, keys: pa.Array, first: int | None, worth: np.ndarray | None) -> None:
        """Lay out the rows of a batch, the first of which has number `first`; rows without a key nowhere.

        Without a number they are rows of other data.
        """
        there = np.flatnonzero(keys.is_valid().to_numpy(zero_copy_only=False))
        records = np.empty(len(there), self._kind)
        words = np.frombuffer(keys.buffers()[1], ">u8", 2 * len(keys), keys.offset * KEY_BYTES)
        records["high"], records["low"] = words[::2][there], words[1::2][there]
        records["row"] = _KNOWN if first is None else there.astype(np.uint64) + np.uint64(first)
        if "worth" in (self._kind.names or ()):
            records["worth"] = 0 if worth is None else worth[there]
        self._write(records)

    def _write(self, records: np.ndarray) -> None:
        shift = np.uint64(64 - self._bits) if self._bits else None
        places = (
            np.zeros(len(records), np.uint64) if shift is None else records["high"].astype(np.uint64) >> shift
        )
        order = np.argsort(places, kind="stable")
        bounds = np.searchsorted(places[order], np.arange(len(self._files) + 1, dtype=np.uint64))
        for number, file in enumerate(self._files):
            part = records[order[bounds[number] : bounds[number + 1]]]
            if len(part):
                with explaining_errors(file.name, "written"):
                    _write_all(file, part.tobytes())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in self._files:
            file.close()

    def kept(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The numbers of the rows that are kept, and how many rows hold the position of each.

        File by file, sorted in each; the files are removed.
        """
        for path in self._paths:
            records = np.fromfile(path, self._kind)
            rows, counts = _best(records)
            order = np.argsort(rows)
            yield rows[order], counts[order]
            path.unlink()


def _best(records: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each key the row of the highest worth, of several the first, and how many rows there are.

    Keys that other data has are left out.
    """
    if "worth" in (records.dtype.names or ()):
        # Stable: rows of one worth stay in their order.
        records = records[np.argsort(~records["worth"], kind="stable")]
    table = pa.table({name: records[name].astype(np.uint64) for name in ("high", "low", "row")})
    asked = [("row", "first"), ("row", "max"), ("row", "count")]
    found = table.group_by(["high", "low"], use_threads=False).aggregate(asked)
    first, last, counts = (found.column(name).to_numpy() for name in ("row_first", "row_max", "row_count"))
    new = last != _KNOWN
    return first[new], counts[new]


def _write_all(file: Any, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]


class Bits:
    """A file of bits, one for each row, none of them set at first."""

    def __init__(self, path: Path, rows: int) -> None:
        size = max(1, (rows + 7) // 8)
        with explaining_errors(str(path), "written"), path.open("wb") as file:
            file.truncate(size)
            if hasattr(os, "posix_fallocate"):
                # A disk that fills up under a file in memory ends the process without a word.
                os.posix_fallocate(file.fileno(), 0, size)
        self._bytes = np.memmap(path, np.uint8, "r+")

    def set(self, rows: np.ndarray) -> None:
        """Set the bits of these rows, which are sorted."""
        if not len(rows):
            return
        places = (rows >> np.uint64(3)).astype(np.int64)
        bits = np.left_shift(np.uint8(1), (rows & np.uint64(7)).astype(np.uint8))
        starts = np.flatnonzero(np.concatenate([[True], places[1:] != places[:-1]]))
        self._bytes[places[starts]] |= np.bitwise_or.reduceat(bits, starts)

    def close(self) -> None:
        """Bring the bits to the disk."""
        self._bytes.flush()
        del self._bytes


class Counts:
    """A file of numbers, one for each row: how many rows hold its position."""

    def __init__(self, path: Path, rows: int) -> None:
        with explaining_errors(str(path), "written"), path.open("wb") as file:
            file.truncate(max(1, rows) * COUNT.itemsize)
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, max(1, rows) * COUNT.itemsize)
        self._numbers = np.memmap(path, COUNT, "r+")

    def set(self, rows: np.ndarray, counts: np.ndarray) -> None:
        """Note the counts of these rows."""
        self._numbers[rows.astype(np.int64)] = np.minimum(counts, np.iinfo(COUNT).max)

    def close(self) -> None:
        """Bring the numbers to the disk."""
        self._numbers.flush()
        del self._numbers


def worth_of(column: pa.Array, name: str) -> np.ndarray:
    """A column as numbers of 64 bits in the same order; null and NaN are below all others.

    Accepts numbers, times, booleans, and texts of numbers, as CSV has them; raises `BulkError` for others.
    """
    kind = column.type
    if pa.types.is_dictionary(kind):
        return worth_of(column.cast(kind.value_type), name)
    try:
        if pa.types.is_temporal(kind):
            size = pa.int32() if kind.bit_width == 32 else pa.int64()
            return _of_integers(column.cast(size).cast(pa.int64()))
        if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
            return _of_integers(column.cast(pa.int64()))
        return _of_floats(column.cast(pa.float64()))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise BulkError(
            f"the column {name!r} does not hold numbers ({error}); name another with --by"
        ) from error


def _of_integers(column: pa.Array) -> np.ndarray:
    numbers = column.fill_null(0).to_numpy(zero_copy_only=False).view(np.uint64) ^ _SIGN
    return np.where(_there(column), np.maximum(numbers, np.uint64(1)), np.uint64(0))


def _of_floats(column: pa.Array) -> np.ndarray:
    column = pc.if_else(pc.is_nan(column), pa.scalar(None, pa.float64()), column)
    # Adding zero makes one of the two zeros.
    numbers = (column.fill_null(0).to_numpy(zero_copy_only=False) + 0.0).view(np.uint64)
    # As integers floats are in order, the negative ones in the reverse order and below.
    ordered = np.where(numbers & _SIGN, ~numbers, numbers | _SIGN)
    return np.where(_there(column), np.maximum(ordered, np.uint64(1)), np.uint64(0))


def _there(column: pa.Array) -> np.ndarray:
    valid: np.ndarray = column.is_valid().to_numpy(zero_copy_only=False)
    return valid
