"""Files of records (PGN): as blocks of text with whole records, and as rows, one for each position.

A file is cut into blocks only at a *border*, so that several cores can read it. A border is a line with a
tag, after a blank line, after a line that begins with a letter, a digit or ``*``. A record begins there,
whatever comes before. If there is no border for `MAX_HELD_BYTES`, a block ends after a line that ends with a
result, or else before a tag, or else between any two lines. A part of a file is given as a range of bytes. A
border belongs to the range in which the line before its blank lines begins, so that ranges that cover a file
cover each record once, wherever the file is cut. A block is a row of three columns: ``text``, its bytes;
``line``, the number of lines of the range before it; ``lines``, the number of its lines.

A kernel reads the records of a block that have no findings; the record reader reads the others. A `RowMaker`
makes rows of both. This module numbers the records and puts their rows in order.

Columns of `read_pgn_rows`: ``fen``, canonical; ``game``, the number of the record in the file, from 1;
``ply``, the number of half-moves played before; ``move``, the next move, canonical, null at the end;
``result``; ``error``, mostly null. If a record cannot be read to its end, the positions up to the fault are
rows, and the last of them gives the error and its place. A record without any known position is one row
without ``fen``, with the error.

Limits: those of `forsyth.record` and of lines. A file that begins with a comment that is not closed, before
any tag, may be cut at a place where reading the whole file would continue.
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
from forsyth.bulk.sources.lines import LineBlocks, count_line_ends
from forsyth.game import Game
from forsyth.limits import MAX_BULK_LINE
from forsyth.record import RecordReading, read_records
from forsyth.record.kernels import record_kernel
from forsyth.record_bytes.columns import RESULTS, TAKEN, RecordKernel, Texts
from forsyth.record_bytes.words import COMPILED

BLOCK_SCHEMA: Final = pa.schema([("text", pa.large_binary()), ("line", pa.int64()), ("lines", pa.int64())])

BLOCK_BYTES: Final = 2 << 20
"""Approximate size of a block: some hundred games, enough to outweigh the overhead per block."""
SMALL_BLOCK_BYTES: Final = 1 << 17
"""Approximate size of a block if each position becomes a thousand bytes."""
MAX_HELD_BYTES: Final = 8 << 20
"""Upper bound on text without a border that is held; twice the size of the longest record."""
_MAX_BLANK_BYTES: Final = 1024
"""Upper bound on the blank lines before a border, so that a little context is enough to recognise it."""

_TAG: Final = re.compile(rb'\[[A-Za-z0-9_][A-Za-z0-9_+#=:-]*+[ \t]*+"')
_MOVES: Final = re.compile(rb"[A-Za-z0-9*]")
_BLANK: Final = b" \t\r"
_RESULT_ENDS: Final = (b"-0", b"-1", b"-1/2", b"*")
"""Last characters of a line that ends with a result."""


class RecordBlocks:
    """The blocks of the records that begin in a range of a stream, each as a batch of one row."""

    def __init__(
        self, stream: ByteStream, first: int = 0, count: int | None = None, size: int | None = None
    ) -> None:
        """Prepare reading.

        Args:
            stream: The decompressed file. It must be positioned at the byte before `first`, or at the
                beginning of the file if `first` is 0.
            first: The offset of the first byte of the range.
            count: The number of bytes of the range; None for all that follow.
            size: The approximate size of a block in bytes; None for `BLOCK_BYTES`.
        """
        self._first = first
        self._end = None if count is None else first + count
        self._lines = LineBlocks(stream, first, size=size or BLOCK_BYTES)

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        # Lines are numbered from where the reading of the stream began; -1 until the first block is found.
        first_line = block_line = -1
        for text, end in self._iter_texts():
            # All lines of the text have been counted, and what follows the block in it is short.
            next_line = self._lines.lines - count_line_ends(memoryview(text)[end:])
            if first_line < 0:
                first_line = block_line = next_line - count_line_ends(memoryview(text)[:end])
            lines_before, line_count = block_line - first_line, next_line - block_line
            columns = [_wrap_text(text, end), [lines_before], [line_count]]
            yield pa.record_batch(columns, schema=BLOCK_SCHEMA)
            block_line = next_line

    def _iter_texts(self) -> Iterator[tuple[bytes, int]]:
        """Yield pieces of the file, each with the length of the whole records at its beginning.

        The bytes behind these records are the beginning of the next piece.
        """
        # Bytes that have been read, but belong to no block yet.
        held = b""
        has_first_record = self._first == 0
        for lines in self._lines:
            held += lines
            held_offset = self._lines.offset - len(held)
            if not has_first_record:
                # The range may begin inside a record, which belongs to the range before it.
                border = find_border(held, 0)
                if border is None:
                    held = held[_find_context(held) :]
                    continue
                if self._is_past_end(held_offset + border.previous_line):
                    return
                held = held[border.start :]
                held_offset += border.start
                has_first_record = True
            last_border = None if self._end is None else find_border(held, max(self._end - held_offset, 0))
            if last_border is not None:
                yield held, last_border.start
                return
            cut = _find_last_border(held)
            if not cut and len(held) > MAX_HELD_BYTES:
                cut = _find_forced_cut(held)
            if cut:
                yield held, cut
                held = held[cut:]
        if has_first_record and held:
            yield held, len(held)

    def _is_past_end(self, offset: int) -> bool:
        return self._end is not None and offset >= self._end


def block_texts(blocks: pa.RecordBatch) -> list[memoryview]:
    """Return the column ``text`` of a batch as one view for each row, without copying the bytes."""
    texts = blocks.column("text")
    _, offset_buffer, data_buffer = texts.buffers()
    offsets = memoryview(offset_buffer).cast("B").cast("q")[texts.offset : texts.offset + len(texts) + 1]
    chars = memoryview(data_buffer).cast("B")
    return [chars[start:end] for start, end in pairwise(offsets)]


def _wrap_text(text: bytes, end: int) -> pa.Array:
    """Return the first `end` bytes of a text as an array of one value, without copying them."""
    offsets = pa.py_buffer(pack("2q", 0, end))
    return pa.Array.from_buffers(pa.large_binary(), 1, [None, offsets, pa.py_buffer(text)])


class Border(NamedTuple):
    """A place where a record begins, with a move line and a blank line before it."""

    start: int
    """Offset of the first line of the record, such as ``[Event "?"]``."""
    previous_line: int
    """Offset of the last line before it that is not blank."""


def find_border(data: bytes, min_previous_line: int) -> Border | None:
    """Return the first place in PGN text where a record begins, None if there is none.

    A record begins at a tag line, such as ``[Event "?"]``, that follows a move line and a blank line.

    Args:
        data: The text, which must consist of whole lines.
        min_previous_line: The offset at or after which the move line must begin.
    """
    line_end = data.find(b"\n[", min_previous_line)
    while line_end >= 0:
        previous_line = _find_previous_line(data, line_end + 1)
        if previous_line >= min_previous_line:
            return Border(line_end + 1, previous_line)
        line_end = data.find(b"\n[", line_end + 1)
    return None


def _find_last_border(data: bytes) -> int:
    """Return the offset of the last place in PGN text where a record begins, 0 if there is none.

    A record begins at a tag line that follows a move line and a blank line.
    """
    line_end = data.rfind(b"\n[")
    while line_end >= 0:
        if _find_previous_line(data, line_end + 1) >= 0:
            return line_end + 1
        line_end = data.rfind(b"\n[", 0, line_end)
    return 0


def _find_previous_line(data: bytes, start: int) -> int:
    """Return the offset of the last line before `start` that is not blank; -1 if no record begins at `start`.

    A record begins at a tag line, such as ``[Event "?"]``, that follows a move line and a blank line.
    """
    if _TAG.match(data, start) is None:
        return -1
    line_end, first_blank_line = start - 1, -1
    while start - line_end < _MAX_BLANK_BYTES:
        line_start = data.rfind(b"\n", 0, line_end) + 1
        if data[line_start:line_end].strip(_BLANK):
            is_border = first_blank_line >= 0 and _MOVES.match(data, line_start) is not None
            return line_start if is_border else -1
        if line_start == 0:
            return -1
        line_end = first_blank_line = line_start - 1
    return -1


def _find_context(data: bytes) -> int:
    """Return how many leading bytes of PGN text can be dropped while the next record is searched for.

    No record begins in `data`. The lines that remain are enough to recognise a record that begins at the
    bytes read next: one line of the maximum length, and the blank lines after it.
    """
    return data.rfind(b"\n", 0, max(len(data) - MAX_BULK_LINE - _MAX_BLANK_BYTES, 0)) + 1


def _find_forced_cut(data: bytes) -> int:
    """Return the offset at which to cut PGN text that is too long and has no clear end of a record.

    This is after the last line that ends with a result, such as ``1-0``, or else before the last tag line, or
    else the end of the text.
    """
    line_end = len(data)
    while line_end > 0:
        line_start = data.rfind(b"\n", 0, line_end - 1) + 1
        if data[line_start:line_end].rstrip().endswith(_RESULT_ENDS):
            return line_end
        line_end = line_start
    return data.rfind(b"\n[") + 1 or len(data)


# --- rows of a block --------------------------------------------------------------------------------


class NumberedReading(NamedTuple):
    """A record reading with the number of its record in the block, from 1."""

    number: int
    reading: RecordReading


class BlockRows(NamedTuple):
    """The rows of a block, and the counts of its records."""

    rows: pa.RecordBatch
    """Rows whose column ``game`` is the number of the record in the block, from 1."""
    games: int
    """Number of records in the block."""
    read_by_fallback: int
    """Number of records that the record reader had to read."""
    errors: int
    """Number of records with an error."""


class RowMaker(Protocol):
    """An object that makes rows with a column ``game``, in the order of the records."""

    def make_kernel_rows(self, kernel: RecordKernel, numbers: np.ndarray) -> pa.RecordBatch:
        """Return the rows of the records that the last `kernel.read` parsed.

        `numbers` has the number, from 1, of each record that the kernel found, also of those that it left to
        the record reader.
        """

    def make_reading_rows(self, readings: Sequence[NumberedReading], lines_before: int) -> pa.RecordBatch:
        """Return the rows of record readings; `lines_before` counts the lines of the block before them."""


class _FallbackReadings(NamedTuple):
    """The readings of one piece of text that the kernel left to the record reader."""

    row: int
    """Index of the piece among the records that the kernel found."""
    readings: list[RecordReading]
    """Readings of the records in the piece; usually one."""
    lines_before: int
    """Number of lines of the block before the piece."""


def build_rows(
    text: memoryview, game: Game, maker: RowMaker, kernel: RecordKernel | None
) -> Iterator[BlockRows]:
    """Yield the rows of a block: once, or several times if the block has more games than the kernel can hold.

    Args:
        text: The text of the block, which consists of whole records.
        game: The game of the records.
        maker: Makes the rows.
        kernel: The compiled reader of records; None reads all of them with the slower record reader.
    """
    if kernel is None:
        readings = [
            NumberedReading(number, reading) for number, reading in enumerate(_read_text(text, game), start=1)
        ]
        rows = maker.make_reading_rows(readings, 0)
        yield BlockRows(rows, len(readings), len(readings), _count_errors(readings))
        return
    offset = games_before = 0
    while (end := kernel.read(text, offset, True)) > offset:
        block_rows = _combine_rows(text, game, maker, kernel, games_before)
        games_before += block_rows.games
        offset = end
        yield block_rows


def _combine_rows(
    text: memoryview, game: Game, maker: RowMaker, kernel: RecordKernel, games_before: int
) -> BlockRows:
    """Return the rows of the records that the last `kernel.read` found in `text`.

    Records that the kernel could not parse are read with the record reader. All rows are in the order of the
    records, whose numbers continue after `games_before`.
    """
    # A piece of text that the kernel could not parse may contain any number of records.
    record_counts = np.ones(kernel.games, np.int64)
    fallbacks: list[_FallbackReadings] = []
    for row in np.flatnonzero(~taken_mask(kernel)).tolist():
        start, end = kernel.column("start")[row], kernel.column("end")[row]
        readings = list(_read_text(text[start:end], game))
        record_counts[row] = len(readings)
        fallbacks.append(_FallbackReadings(row, readings, count_line_ends(text[:start])))
    first_numbers = games_before + 1 + np.cumsum(record_counts) - record_counts
    kernel_rows = maker.make_kernel_rows(kernel, first_numbers)
    total = int(record_counts.sum())
    if not fallbacks:
        return BlockRows(kernel_rows, total, 0, 0)
    batches = [kernel_rows]
    all_readings: list[NumberedReading] = []
    for fallback in fallbacks:
        first_number = int(first_numbers[fallback.row])
        numbered = [
            NumberedReading(number, reading)
            for number, reading in enumerate(fallback.readings, start=first_number)
        ]
        batches.append(maker.make_reading_rows(numbered, fallback.lines_before))
        all_readings += numbered
    return BlockRows(_sort_by_game(batches), total, len(all_readings), _count_errors(all_readings))


def _sort_by_game(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    """Return the rows of all batches in the order of the records; rows of one record keep their order."""
    rows = pa.concat_batches(batches)
    order = np.argsort(rows.column("game").to_numpy(), kind="stable")
    return rows.take(pa.array(order))


def _read_text(text: memoryview, game: Game) -> Iterator[RecordReading]:
    """Yield the result of parsing each PGN record in a text."""
    return read_records(io.StringIO(str(text, "utf-8", "surrogateescape"), newline=""), game)


def _count_errors(readings: list[NumberedReading]) -> int:
    return sum(not numbered.reading.ok for numbered in readings)


# --- what a kernel read -----------------------------------------------------------------------------


def taken_mask(kernel: RecordKernel) -> np.ndarray:
    """Return an array that is true for each record of the last `kernel.read` that the kernel parsed.

    The others must be read with the record reader.
    """
    mask: np.ndarray = np.frombuffer(kernel.column("verdict"), np.uint8) == TAKEN
    return mask


def string_array(texts: Texts) -> pa.Array:
    """Return texts, given as a pair of offsets and characters, as an Arrow array without copying them."""
    offsets, chars = texts
    return pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(chars))


def tag_array(kernel: RecordKernel, name: str) -> pa.Array:
    """Return the values of the PGN tag `name`, such as ``White``, in all records of the last `kernel.read`.

    The values are not copied. A record without the tag has null.
    """
    offsets, chars, valid_bits, null_count = kernel.tag_texts(name)
    validity = pa.py_buffer(valid_bits) if null_count else None
    return pa.StringArray.from_buffers(
        kernel.games, pa.py_buffer(offsets), pa.py_buffer(chars), validity, null_count
    )


class MainLines:
    """The positions of all games that the last `kernel.read` parsed, as arrays with one entry per position.

    * `games`: the index of the game among the records that the kernel found
    * `ply`: the number of half-moves before the position
    * `has_next_move`: whether a move follows
    """

    def __init__(self, kernel: RecordKernel) -> None:
        plies = np.diff(np.frombuffer(kernel.column("first_ply"), np.int32))
        # A record that is left to the record reader has no positions here.
        position_counts = np.where(taken_mask(kernel), plies + 1, 0)
        first_position = np.frombuffer(kernel.column("first_position"), np.int32)
        self.games: np.ndarray = np.repeat(np.arange(kernel.games, dtype=np.int32), position_counts)
        self.ply: np.ndarray = np.arange(len(self.games), dtype=np.int32) - first_position[self.games]
        self.has_next_move: np.ndarray = self.ply != plies[self.games]

    def spread_moves(self, moves: pa.Array) -> Any:
        """Return for each position the next move, null at the end of a game.

        `moves` has the moves of all games, one game after the other.
        """
        move_indexes = np.cumsum(self.has_next_move, dtype=np.int32) - 1
        return moves.take(pa.array(move_indexes, mask=~self.has_next_move))


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
_KERNEL_PLIES: Final = 1 << 16
"""Number of moves that one call of a kernel can take; a block with clocks has fewer."""
_ROWS_PER_BATCH: Final = 8192
"""Number of rows that are made at once; a record has about a hundred."""


class _Row(NamedTuple):
    """A row of `PGN_SCHEMA`."""

    fen: str | None
    game: int
    ply: int
    move: str | None
    result: str | None
    error: str | None


def read_pgn_rows(stream: ByteStream, game_name: str | None) -> Iterator[pa.RecordBatch]:
    """Yield a row for each position of the records of a PGN file.

    If `game_name` is None, the tags of each record name its game.
    """
    game = None if game_name is None else registry.game(game_name)
    kernel = None if game is None or not COMPILED else record_kernel(game, ("fens",), plies=_KERNEL_PLIES)
    if game is None or kernel is None:
        return _read_with_record_reader(stream, game_name)
    return _read_with_kernel(stream, game, kernel)


def _read_with_record_reader(stream: ByteStream, game_name: str | None) -> Iterator[pa.RecordBatch]:
    """Yield the rows of all records of a file, read one by one; `game_name` as for `read_pgn_rows`."""
    pending: list[_Row] = []
    readings = read_records(_TextLines(LineBlocks(stream)), game_name)
    for number, reading in enumerate(readings, start=1):
        pending.extend(_make_rows(reading, number))
        if len(pending) >= _ROWS_PER_BATCH:
            yield _make_batch(pending)
            pending = []
    if pending:
        yield _make_batch(pending)


def _read_with_kernel(stream: ByteStream, game: Game, kernel: RecordKernel) -> Iterator[pa.RecordBatch]:
    """Yield the rows of all records of a file, a block of some megabytes at a time."""
    games = 0
    for block in RecordBlocks(stream):
        (text,) = block_texts(block)
        lines_before = block.column("line")[0].as_py()
        maker = _PositionRows(games, lines_before)
        for block_rows in build_rows(text, game, maker, kernel):
            yield block_rows.rows
            games += block_rows.games


class _PositionRows:
    """Makes a row for each position of the records of a block.

    The games and lines of the file before the block are added to the numbers of games and lines in the rows.
    """

    def __init__(self, games_before: int, lines_before: int) -> None:
        self._games_before = games_before
        self._lines_before = lines_before

    def make_kernel_rows(self, kernel: RecordKernel, numbers: np.ndarray) -> pa.RecordBatch:
        """Return the rows of the records that the last `kernel.read` parsed; none of them has an error."""
        main_lines = MainLines(kernel)
        results = np.frombuffer(kernel.column("result"), np.int8)[main_lines.games]
        columns = [
            string_array((kernel.column("fen_offsets"), kernel.column("fen_chars"))),
            pa.array(self._games_before + numbers[main_lines.games], pa.int64()),
            pa.array(main_lines.ply),
            main_lines.spread_moves(string_array(kernel.san_texts())),
            _RESULTS.take(pa.array(results)),
            pa.nulls(len(main_lines.games), pa.string()),
        ]
        return pa.RecordBatch.from_arrays(columns, schema=PGN_SCHEMA)

    def make_reading_rows(self, readings: Sequence[NumberedReading], lines_before: int) -> pa.RecordBatch:
        """Return the rows of record readings; `lines_before` counts the lines of the block before them."""
        file_lines_before = self._lines_before + lines_before
        rows: list[_Row] = []
        for number, reading in readings:
            rows.extend(_make_rows(reading, self._games_before + number, file_lines_before))
        return _make_batch(rows)


class _TextLines:
    """Blocks of lines as a text file that the record reader reads line by line."""

    def __init__(self, blocks: LineBlocks) -> None:
        self._blocks = iter(blocks)
        self._block = io.StringIO()

    def readline(self, size: int = -1, /) -> str:
        """Return the next line, at most `size` characters of it; an empty text at the end."""
        line = self._block.readline(size)
        if not line:
            block = next(self._blocks, None)
            if block is None:
                return ""
            self._block = io.StringIO(block.decode(), newline="")
            line = self._block.readline(size)
        return line


def _make_rows(reading: RecordReading, number: int, lines_before: int = 0) -> Iterator[_Row]:
    """Yield a row for each position of a record, or one row with the error if no position is known.

    Args:
        reading: The reading of the record.
        number: The number of the record in the file, from 1.
        lines_before: The number of lines of the file before the text in which the reading counts its lines.
    """
    record = reading.record
    error = _describe_first_error(reading, lines_before)
    if record is None:
        yield _Row(None, number, 0, None, None, error)
        return
    moves = [*record.moves, None]
    for ply, position in enumerate(record.positions()):
        is_last = ply == len(moves) - 1
        row_error = error if is_last else None
        yield _Row(record.game.write(position), number, ply, moves[ply], record.result, row_error)


def _describe_first_error(reading: RecordReading, lines_before: int) -> str | None:
    """Return the first error of a record as ``line 12, column 5: ...``, None if it has no error.

    `lines_before` is the number of lines of the file before the text in which the reading counts its lines.
    """
    if not reading.errors:
        return None
    error = reading.errors[0]
    line, column = reading.place(error)
    return f"line {lines_before + line}, column {column}: {error.message}"


def _make_batch(rows: list[_Row]) -> pa.RecordBatch:
    """Return rows as a batch with the schema `PGN_SCHEMA`."""
    no_columns: list[tuple[Any, ...]] = [()] * len(PGN_SCHEMA)
    columns = list(zip(*rows, strict=True)) or no_columns
    return pa.record_batch(
        [pa.array(values, field.type) for values, field in zip(columns, PGN_SCHEMA, strict=True)],
        schema=PGN_SCHEMA,
    )
