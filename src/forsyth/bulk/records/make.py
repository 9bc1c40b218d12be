"""The rows of a table in a block of text: a kernel reads it, or where there is none the record reader.

The reader reads all records of games without a kernel, and everything where nothing is compiled.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa

from forsyth.bulk.records.from_kernel import KernelRows, wanted
from forsyth.bulk.records.from_readings import Place, rows_of_readings
from forsyth.bulk.records.table import RecordTable
from forsyth.bulk.sources.record_rows import Made, Numbered, rows_of_text
from forsyth.record.kernels import record_kernel
from forsyth.record_columns import RecordKernel
from forsyth.record_words import COMPILED

_GAMES: Final = 1 << 12
_PLIES: Final = 1 << 16
"""The room of one call: a block with clocks has fewer of both, and memory that is not touched is cheap."""

_kernels = threading.local()


def rows_of_block(table: RecordTable, text: memoryview, place: Place) -> Made:
    """The rows of the records in a block of text."""
    kernel = _kernel(table) if COMPILED else None
    made = list(rows_of_text(text, table.the_game(), TableRows(table, place), kernel))
    if len(made) == 1:
        return made[0]
    if not made:
        return Made(rows_of_readings(table, [], place), 0, 0, 0)
    rows = pa.concat_batches([one.rows for one in made])
    return Made(rows, *(sum(counts) for counts in zip(*(one[1:] for one in made), strict=True)))


class TableRows:
    """The rows of a table, of a block that stands somewhere."""

    def __init__(self, table: RecordTable, place: Place) -> None:
        self._table = table
        self._place = place

    def of_kernel(self, kernel: RecordKernel, numbers: np.ndarray) -> pa.RecordBatch:
        """The rows of the records that a kernel took."""
        return KernelRows(self._table, kernel).rows(numbers)

    def of_readings(self, readings: Sequence[Numbered], lines: int) -> pa.RecordBatch:
        """The rows of records that were read."""
        file, before = self._place
        return rows_of_readings(self._table, readings, Place(file, before + lines))


def _kernel(table: RecordTable) -> RecordKernel | None:
    """The kernel of this thread for a table."""
    kept: dict[Any, Any] = _kernels.__dict__.setdefault("kept", {})
    asked = (table.game, table.variant, wanted(table))
    if asked not in kept:
        kept.clear()
        kept[asked] = record_kernel(table.the_game(), wanted(table), games=_GAMES, plies=_PLIES)
    found: RecordKernel | None = kept[asked]
    return found
