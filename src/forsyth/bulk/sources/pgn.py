"""Files of records (PGN): as blocks of text that hold whole records, and as rows, one for each position.

A file is cut into blocks only at a *border*, so that several cores can read it: a line with a tag, behind a
blank line, behind a line that begins with a letter, a digit or ``*``. There a record begins whatever stands
before it. Where no border comes for MOST_BYTES, a block ends after a line that ends with a result, or else
before a tag, or else anywhere between lines. A part of a file is given as a range of bytes: a border belongs
to the range in which the line before its blank lines begins, so that ranges that cover a file cover each
record once, wherever they are cut. A block is a row: ``text``, its bytes; ``line``, how many lines of the
range lie before it; ``lines``, how many it has.

A kernel takes the records of a block about which the record reader has nothing to say; the reader reads the
others. What becomes a row says whoever asks (`RowMaker`); here they are numbered and put into the order of
the records.

Columns of `pgn_rows`: ``fen``, canonical; ``game``, the number of the record in the file, from 1; ``ply``,
the half-moves played before; ``move``, what is played next, canonical, null at the end; ``result``;
``error``, mostly null. Of a record that cannot be read to its end the positions up to the fault are given,
and the last of their rows says what is wrong and where; a record of which no position is known is a row
without ``fen`` that says it.

Limits: those of `forsyth.record` and of lines. A file that begins with a comment that is not closed, before
any tag, may be cut where the reader of the whole file would go on.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from struct import pack
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
import pyarrow as pa

from forsyth import registry
from forsyth.bulk.sources.files import ByteStream
from forsyth.bulk.sources.lines import LineBlocks, line_ends
from forsyth.game import Game
from forsyth.limits import MAX_BULK_LINE
from forsyth.record import RecordReading, read_records
from forsyth.record.kernels import record_kernel
from forsyth.record_bytes.columns import RESULTS, TAKEN, RecordKernel, Texts
from forsyth.record_bytes.words import COMPILED

BLOCK_SCHEMA: Final = pa.schema([("text", pa.large_binary()), ("line", pa.int64()), ("lines", pa.int64())])

BLOCK_BYTES: Final = 2 << 20
"""About how much text is one block: some hundred games, enough to outweigh the handling of it."""
SMALL_BLOCK: Final = 1 << 17
"""The same where each position becomes a thousand bytes."""
MOST_BYTES: Final = 8 << 20
"""Most text without a border that is held; twice what the longest record has in bytes."""
_MOST_BLANK: Final = 1024
"""Most bytes of blank lines before a border, so that a little context tells one."""

_TAG: Final = re.compile(rb'\[[A-Za-z0-9_][A-Za-z0-9_+#=:-]*+[ \t]*+"')
_MOVES: Final = re.compile(rb"[A-Za-z0-9*]")
_BLANK: Final = b" \t\r"
_RESULT_ENDS: Final = (b"-0", b"-1", b"-1/2", b"*")
"""How a line ends that ends with a result."""


class RecordBlocks:
    """The blocks of a stream, each as a batch, or of those of its records that begin in a range of bytes.

    The stream stands at the range's `first` byte, or one before it unless that is the file's first.
    """

    def __init__(
        self, stream: ByteStream, first: int = 0, count: int | None = None, size: int | None = None
    ) -> None:
        self._first = first
        self._end = None if count is None else first + count
        self._lines = LineBlocks(stream, first, size=size or BLOCK_BYTES)

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        first = before = -1
        for text, end in self._texts():
            # All lines of the text have been counted, and what follows the block is short.
            through = self._lines.lines - line_ends(memoryview(text)[end:])
            if first < 0:
                first = before = through - line_ends(memoryview(text)[:end])
            numbers = [[before - first], [through - before]]
            yield pa.record_batch([_one_text(text, end), *numbers], schema=BLOCK_SCHEMA)
            before = through

    def _texts(self) -> Iterator[tuple[bytes, int]]:
        """Texts and how much of each is a block: what follows is in the next one too."""
        held, inside = b"", self._first == 0
        for block in self._lines:
            held += block
            base = self._lines.offset - len(held)
            if not inside:
                border = first_border(held, 0)
                cut = _before_context(held) if border is None else border.at
                if border is not None and self._is_past(base + border.line):
                    return
                held, base, inside = held[cut:], base + cut, border is not None
            if not inside:
                continue
            stop = None if self._end is None else first_border(held, max(self._end - base, 0))
            if stop is not None:
                yield held, stop.at
                return
            cut = _last_border(held) or (_forced(held) if len(held) > MOST_BYTES else 0)
            if cut:
                yield held, cut
                held = held[cut:]
        if inside and held:
            yield held, len(held)

    def _is_past(self, offset: int) -> bool:
        return self._end is not None and offset >= self._end


def block_texts(blocks: pa.RecordBatch) -> list[memoryview]:
    """The texts of some blocks, not copied."""
    texts = blocks.column("text")
    _, places, data = texts.buffers()
    offsets = memoryview(places).cast("B").cast("q")[texts.offset : texts.offset + len(texts) + 1]
    chars = memoryview(data).cast("B")
    return [chars[begin:end] for begin, end in pairwise(offsets)]


def _one_text(text: bytes, end: int) -> pa.Array:
    """The beginning of a text as an array, not copied."""
    offsets = pa.py_buffer(pack("2q", 0, end))
    return pa.Array.from_buffers(pa.large_binary(), 1, [None, offsets, pa.py_buffer(text)])


class Border(NamedTuple):
    """Where a record begins, and where the last line of the record before it does."""

    at: int
    line: int


def first_border(data: bytes, line: int) -> Border | None:
    """The first border whose line before the blank ones begins at `line` or later; `data` is whole lines."""
    at = data.find(b"\n[", line)
    while at >= 0:
        before = _line_before(data, at + 1)
        if before >= line:
            return Border(at + 1, before)
        at = data.find(b"\n[", at + 1)
    return None


def _last_border(data: bytes) -> int:
    """Where the last border is; 0 for none."""
    at = data.rfind(b"\n[")
    while at >= 0:
        if _line_before(data, at + 1) >= 0:
            return at + 1
        at = data.rfind(b"\n[", 0, at)
    return 0


def _line_before(data: bytes, at: int) -> int:
    """Where the line before the blank ones begins if a border is at `at`, else -1."""
    if _TAG.match(data, at) is None:
        return -1
    end, blank = at - 1, -1
    while at - end < _MOST_BLANK:
        begin = data.rfind(b"\n", 0, end) + 1
        if data[begin:end].strip(_BLANK):
            is_moves = blank >= 0 and _MOVES.match(data, begin) is not None
            return begin if is_moves else -1
        if begin == 0:
            return -1
        end = blank = begin - 1
    return -1


def _before_context(data: bytes) -> int:
    """How much of some lines without a border can go: what is left tells a border in the next ones."""
    return data.rfind(b"\n", 0, max(len(data) - MAX_BULK_LINE - _MOST_BLANK, 0)) + 1


def _forced(data: bytes) -> int:
    """Where to cut text that has no border."""
    end = len(data)
    while end > 0:
        begin = data.rfind(b"\n", 0, end - 1) + 1
        if data[begin:end].rstrip().endswith(_RESULT_ENDS):
            return end
        end = begin
    return data.rfind(b"\n[") + 1 or len(data)


# --- rows of a block --------------------------------------------------------------------------------


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


def tag_strings(kernel: RecordKernel, name: str) -> pa.Array:
    """The values of a tag, null where a record does not have it; not copied."""
    offsets, chars, bits, missing = kernel.tag_texts(name)
    there = pa.py_buffer(bits) if missing else None
    return pa.StringArray.from_buffers(
        kernel.games, pa.py_buffer(offsets), pa.py_buffer(chars), there, missing
    )


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


# --- rows of positions ------------------------------------------------------------------------------


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


def pgn_rows(stream: ByteStream, name: str | None) -> Iterator[pa.RecordBatch]:
    """The positions of the records of a PGN file; without a game the tags of each record say it."""
    game = None if name is None else registry.game(name)
    kernel = None if game is None or not COMPILED else record_kernel(game, ("fens",), plies=_PLIES)
    return _read_rows(stream, name) if game is None or kernel is None else _taken_rows(stream, game, kernel)


def _read_rows(stream: ByteStream, name: str | None) -> Iterator[pa.RecordBatch]:
    """What the record reader says, record by record."""
    waiting: list[_Row] = []
    for number, reading in enumerate(read_records(_Lines(LineBlocks(stream)), name), start=1):
        waiting.extend(_rows(reading, number))
        if len(waiting) >= _ROWS:
            yield _batch(waiting)
            waiting = []
    if waiting:
        yield _batch(waiting)


def _taken_rows(stream: ByteStream, game: Game, kernel: RecordKernel) -> Iterator[pa.RecordBatch]:
    """The same, block by block, where the game has a kernel."""
    games = 0
    for block in RecordBlocks(stream):
        (text,), lines = block_texts(block), block.column("line")[0].as_py()
        before = games
        for made in rows_of_text(text, game, _PositionRows(before, lines), kernel):
            yield made.rows
            games += made.games


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
