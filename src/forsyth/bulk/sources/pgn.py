"""PGN as rows: one for each position of the main line of every record, in the order of the file.

Columns: ``fen``, canonical; ``game``, the number of the record in the file, from 1; ``ply``, the half-moves
played before; ``move``, what is played next, canonical, null at the end; ``result``; ``error``, mostly null.
Of a record that cannot be read to its end the positions up to the fault are given, and the last of their rows
says what is wrong and where; a record of which no position is known is a row without ``fen`` that says it.

Where the game is known and has a kernel for records, that reads what it takes and the record reader the rest.

Limits: those of `forsyth.record`, of lines, and of blocks of records.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa

from forsyth import registry
from forsyth.bulk.sources.files import Stream
from forsyth.bulk.sources.lines import LineBlocks, sliced
from forsyth.bulk.sources.record_blocks import RecordBlocks, texts_of
from forsyth.bulk.sources.record_rows import MainLines, Numbered, rows_of_text, strings
from forsyth.game import Game
from forsyth.record import RecordReading, read_records
from forsyth.record.kernels import record_kernel
from forsyth.record_columns import RESULTS, RecordKernel
from forsyth.record_words import COMPILED

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
_RESULTS: Final = pa.array(RESULTS)
_PLIES: Final = 1 << 16
"""The room of one call of a kernel: a block with clocks has fewer."""
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
        game = None if self._game is None else registry.game(self._game)
        kernel = None if game is None or not COMPILED else record_kernel(game, ("fens",), plies=_PLIES)
        return self._read() if game is None or kernel is None else self._taken(game, kernel)

    def _read(self) -> Iterator[pa.RecordBatch]:
        """What the record reader says, record by record."""
        waiting: list[_Row] = []
        readings = read_records(_Lines(LineBlocks(self._stream)), self._game)
        for number, reading in enumerate(readings, start=1):
            waiting.extend(_rows(reading, number))
            if len(waiting) >= _ROWS:
                yield _batch(waiting)
                waiting = []
        if waiting:
            yield _batch(waiting)

    def _taken(self, game: Game, kernel: RecordKernel) -> Iterator[pa.RecordBatch]:
        """The same, block by block."""
        games = 0
        for block in RecordBlocks(self._stream).batches(1):
            (text,), lines = texts_of(block), block.column("line")[0].as_py()
            before = games
            for made in rows_of_text(text, game, _PositionRows(before, lines), kernel):
                yield made.rows
                games += made.games

    def close(self) -> None:
        """Gives the file back."""
        self._stream.close()


class _PositionRows:
    """Makes the rows of a block that has some games and lines before it."""

    def __init__(self, games: int, lines: int) -> None:
        self._games = games
        self._lines = lines

    def of_kernel(self, kernel: RecordKernel, numbers: np.ndarray) -> pa.RecordBatch:
        """The rows of the records that a kernel took, about which there is nothing to say."""
        main = MainLines(kernel)
        results = np.frombuffer(kernel.column("result"), np.int8)[main.games]
        columns = [
            strings((kernel.column("fen_offsets"), kernel.column("fen_chars"))),
            pa.array(self._games + numbers[main.games], pa.int64()),
            pa.array(main.ply),
            main.spread_moves(strings(kernel.san_texts())),
            _RESULTS.take(pa.array(results)),
            pa.nulls(len(main.games), pa.string()),
        ]
        return pa.RecordBatch.from_arrays(columns, schema=PGN_SCHEMA)

    def of_readings(self, readings: Sequence[Numbered], lines: int) -> pa.RecordBatch:
        """The rows of records that were read."""
        before = self._lines + lines
        return _batch([row for number, one in readings for row in _rows(one, self._games + number, before)])


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


def _rows(reading: RecordReading, number: int, lines: int = 0) -> Iterator[_Row]:
    """The rows of one record; `lines` lie before the text that its lines are counted in."""
    record = reading.record
    error = _fault(reading, lines)
    if record is None:
        yield _Row(None, number, 0, None, None, error)
        return
    moves = [*record.moves, None]
    for ply, position in enumerate(record.positions()):
        last = ply == len(moves) - 1
        yield _Row(
            record.game.write(position), number, ply, moves[ply], record.result, error if last else None
        )


def _fault(reading: RecordReading, lines: int) -> str | None:
    if not reading.errors:
        return None
    first = reading.errors[0]
    line, column = reading.place(first)
    return f"line {lines + line}, column {column}: {first.message}"


def _batch(rows: list[_Row]) -> pa.RecordBatch:
    columns = list(zip(*rows, strict=True)) or [()] * len(PGN_SCHEMA)
    return pa.record_batch(
        [pa.array(values, field.type) for values, field in zip(columns, PGN_SCHEMA, strict=True)],
        schema=PGN_SCHEMA,
    )
