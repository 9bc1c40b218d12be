"""PGN as rows: one for each position of the main line of every record, read record by record.

Columns: ``fen``, canonical; ``game``, the number of the record in the file, from 1; ``ply``, the half-moves
played before; ``move``, what is played next, canonical, null at the end; ``result``; ``error``, mostly null.
Of a record that cannot be read to its end the positions up to the fault are given, and the last of their rows
says what is wrong and where; a record of which no position is known is a row without ``fen`` that says it.

Limits: those of `forsyth.record`, and of lines.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Final, NamedTuple

import pyarrow as pa

from forsyth.bulk.sources.files import Stream
from forsyth.bulk.sources.lines import LineBlocks, sliced
from forsyth.record import RecordReading, read_records

PGN_SCHEMA: Final = pa.schema(
    [
        ("fen", pa.string()),
        ("game", pa.int64()),
        ("ply", pa.int32()),
        ("move", pa.string()),
        ("result", pa.string()),
        ("error", pa.string()),
    ]
)
_ROWS: Final = 8192
"""Rows made at once: a record has about a hundred."""


class _Row(NamedTuple):
    fen: str | None
    game: int
    ply: int
    move: str | None
    result: str | None
    error: str | None


class PgnRows:
    """The positions of the records of a PGN file; without a `game` the tags of each record say it."""

    def __init__(self, stream: Stream, game: str | None) -> None:
        self.schema = PGN_SCHEMA
        self._stream = stream
        self._game = game

    @property
    def position(self) -> int:
        """How many bytes of the file have been read."""
        return self._stream.position

    def batches(self, rows: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
        """The rows after the first `skip`, at most `rows` at once."""
        return sliced(self._found(), rows, skip)

    def _found(self) -> Iterator[pa.RecordBatch]:
        waiting: list[_Row] = []
        readings = read_records(_Lines(LineBlocks(self._stream)), self._game)
        for number, reading in enumerate(readings, start=1):
            waiting.extend(_rows(reading, number))
            if len(waiting) >= _ROWS:
                yield _batch(waiting)
                waiting = []
        if waiting:
            yield _batch(waiting)

    def close(self) -> None:
        """Gives the file back."""
        self._stream.close()


class _Lines:
    """Blocks of lines as the text that the reader of records takes line by line."""

    def __init__(self, blocks: LineBlocks) -> None:
        self._blocks = iter(blocks)
        self._block = io.StringIO()

    def readline(self, size: int = -1, /) -> str:
        line = self._block.readline(size)
        if not line:
            block = next(self._blocks, None)
            if block is None:
                return ""
            self._block = io.StringIO(block.decode(), newline="")
            line = self._block.readline(size)
        return line


def _rows(reading: RecordReading, number: int) -> Iterator[_Row]:
    record = reading.record
    error = _fault(reading)
    if record is None:
        yield _Row(None, number, 0, None, None, error)
        return
    moves = [*record.moves, None]
    for ply, position in enumerate(record.positions()):
        last = ply == len(moves) - 1
        yield _Row(
            record.game.write(position), number, ply, moves[ply], record.result, error if last else None
        )


def _fault(reading: RecordReading) -> str | None:
    if not reading.errors:
        return None
    first = reading.errors[0]
    line, column = reading.place(first)
    return f"line {line}, column {column}: {first.message}"


def _batch(rows: list[_Row]) -> pa.RecordBatch:
    columns = zip(*rows, strict=True)
    return pa.record_batch(
        [pa.array(values, field.type) for values, field in zip(columns, PGN_SCHEMA, strict=True)],
        schema=PGN_SCHEMA,
    )
