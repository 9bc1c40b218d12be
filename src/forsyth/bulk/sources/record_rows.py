"""Rows of the records in a block of text: what a kernel takes, and what the record reader says of the rest.

A kernel takes the records about which the record reader has nothing to say; the reader reads the others. What
becomes a row says whoever asks (`RowMaker`); here they are numbered and put into the order of the records.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import pyarrow as pa

from forsyth.bulk.sources.lines import line_ends
from forsyth.game import Game
from forsyth.record import RecordReading, read_records
from forsyth.record_columns import TAKEN, RecordKernel, Texts


class Numbered(NamedTuple):
    """A reading, and the number of its record among those of the block."""

    number: int
    reading: RecordReading


class Made(NamedTuple):
    """What came of a block."""

    rows: pa.RecordBatch
    """``game`` is the number of the record in the block, from 1."""
    games: int
    """How many records the block holds."""
    asked: int
    """How many of them the record reader had to read."""
    errors: int
    """How many have an error."""


class RowMaker(Protocol):
    """Makes rows with a column ``game``, in the order of the records."""

    def of_kernel(self, kernel: RecordKernel, numbers: np.ndarray) -> pa.RecordBatch:
        """The rows of the records that a kernel took; `numbers` are those of all its rows."""

    def of_readings(self, readings: Sequence[Numbered], lines: int) -> pa.RecordBatch:
        """The rows of records that were read; `lines` of the block lie before them."""


def rows_of_text(
    text: memoryview, game: Game, maker: RowMaker, kernel: RecordKernel | None
) -> Iterator[Made]:
    """The rows of a block: all at once, unless it has more games than the kernel has room for."""
    if kernel is None:
        readings = [Numbered(number, one) for number, one in enumerate(_read(text, game), start=1)]
        yield Made(maker.of_readings(readings, 0), len(readings), len(readings), _errors(readings))
        return
    at = before = 0
    while (end := kernel.read(text, at, True)) > at:
        made = _joined(text, game, maker, kernel, before)
        before += made.games
        at = end
        yield made


def _joined(text: memoryview, game: Game, maker: RowMaker, kernel: RecordKernel, before: int) -> Made:
    """The rows of the kernel with those of the reader between them."""
    sizes = np.ones(kernel.games, np.int64)
    asked: list[tuple[int, list[RecordReading], int]] = []
    for row in np.flatnonzero(~is_taken(kernel)).tolist():
        start, end = kernel.column("start")[row], kernel.column("end")[row]
        found = list(_read(text[start:end], game))
        sizes[row] = len(found)
        asked.append((row, found, line_ends(text[:start])))
    firsts = before + 1 + np.cumsum(sizes) - sizes
    batch = maker.of_kernel(kernel, firsts)
    total = int(sizes.sum())
    if not asked:
        return Made(batch, total, 0, 0)
    batches, readings = [batch], []
    for row, found, lines in asked:
        numbers = [Numbered(int(firsts[row]) + number, one) for number, one in enumerate(found)]
        batches.append(maker.of_readings(numbers, lines))
        readings += numbers
    return Made(_in_order(batches), total, len(readings), _errors(readings))


def _in_order(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    """The rows of all batches in the order of the records; those of one record stay in their order."""
    rows = pa.concat_batches(batches)
    order = np.argsort(rows.column("game").to_numpy(), kind="stable")
    return rows.take(pa.array(order))


def _read(text: memoryview, game: Game) -> Iterator[RecordReading]:
    return read_records(io.StringIO(str(text, "utf-8", "surrogateescape"), newline=""), game)


def _errors(readings: list[Numbered]) -> int:
    return sum(not one.reading.ok for one in readings)


# --- what a kernel read -----------------------------------------------------------------------------


def is_taken(kernel: RecordKernel) -> np.ndarray:
    """Which rows of a kernel are records that it took."""
    taken: np.ndarray = np.frombuffer(kernel.column("verdict"), np.uint8) == TAKEN
    return taken


def strings(texts: Texts) -> pa.Array:
    """Texts of a kernel as an array, not copied."""
    offsets, chars = texts
    return pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(chars))


class MainLines:
    """Of each position of the main lines: the row of its game, its ply, and whether a move follows."""

    def __init__(self, kernel: RecordKernel) -> None:
        plies = np.diff(np.frombuffer(kernel.column("first_ply"), np.int32))
        # A stretch that is left to the reader has no position.
        sizes = np.where(is_taken(kernel), plies + 1, 0)
        first_position = np.frombuffer(kernel.column("first_position"), np.int32)
        self.games: np.ndarray = np.repeat(np.arange(kernel.games, dtype=np.int32), sizes)
        self.ply: np.ndarray = np.arange(len(self.games), dtype=np.int32) - first_position[self.games]
        self.before: np.ndarray = self.ply != plies[self.games]

    def spread_moves(self, moves: pa.Array) -> Any:
        """The moves in the rows of the positions before them, null where no move follows."""
        places = np.cumsum(self.before, dtype=np.int32) - 1
        return moves.take(pa.array(places, mask=~self.before))
