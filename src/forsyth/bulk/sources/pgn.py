"""Files of records (PGN): as blocks of text with whole records, and as rows, one for each position.

A file is cut into blocks only at a *border*, so that several cores can read it. A border is a line with a
tag, after a blank line, after a line that begins with a letter, a digit or ``*``. It is not inside of a
comment: the next brace after it does not close one. A record begins there, whatever comes before. If there is
no border for `MAX_HELD_BYTES`, a block ends after a line that ends with a result, or else before a tag, or
else between any two lines. A part of a file is given as a range of bytes. A border belongs to the range in
which the line before its blank lines begins. So ranges that cover a file cover each record once, wherever the
file is cut.

A block is a row of three columns: ``text``, its bytes; ``line``, the number of lines of the range before it;
``lines``, the number of its lines. A block is in UTF-8, apart from bytes that are wrong in the file. The
record reader reports these.

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
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from struct import pack
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
import pyarrow as pa

from forsyth import registry
from forsyth.bulk.sources.files import ByteStream
from forsyth.bulk.sources.lines import LineBlocks, count_line_ends
from forsyth.game import Game
from forsyth.limits import MAX_BULK_LINE, MAX_COMMENT_LOOKAHEAD
from forsyth.record import RecordReading, read_records
from forsyth.record.encoding import Encoding, convert_to_utf8, decode_records
from forsyth.record.kernel_errors import KernelErrors
from forsyth.record.kernels import record_kernel
from forsyth.record_bytes.columns import ASK, RESULTS, RecordKernel, Texts
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
_TAG_LINE_START: Final = b"\n["
"""The end of a line, and the first character of a tag on the next line."""
_MOVES: Final = re.compile(rb"[A-Za-z0-9*]")
_BLANK: Final = b" \t\r"
_CLOSE_BRACE: Final = ord("}")
_RESULT_ENDS: Final = (b"-0", b"-1", b"-1/2", b"*")
"""Last characters of a line that ends with a result."""


class RecordBlocks:
    """The blocks of the records that begin in a range of a stream, each as a batch of one row."""

    def __init__(
        self,
        stream: ByteStream,
        first: int = 0,
        count: int | None = None,
        size: int | None = None,
        encoding: Encoding = "utf-8",
    ) -> None:
        """Prepare reading.

        Args:
            stream: The decompressed file. It must be positioned at the byte before `first`, or at the
                beginning of the file if `first` is 0.
            first: The offset of the first byte of the range.
            count: The number of bytes of the range; None for all that follow.
            size: The approximate size of a block in bytes; None for `BLOCK_BYTES`.
            encoding: The encoding of the file. The blocks are in UTF-8.
        """
        self._encoding: Encoding = encoding
        self._range_start = first
        self._range_end = None if count is None else first + count
        self._lines = LineBlocks(stream, first, size=size or BLOCK_BYTES, accepts_any_bytes=True)
        self._min_block_bytes = (size or BLOCK_BYTES) // 2

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        """Yield the blocks as batches of one row with the columns of `BLOCK_SCHEMA`."""
        lines_before = 0
        for text, block_end in self._iter_pieces():
            line_count = count_line_ends(memoryview(text)[:block_end])
            if self._encoding != "utf-8":
                text = convert_to_utf8(text[:block_end], self._encoding)
                block_end = len(text)
            columns = [_wrap_text(text, block_end), [lines_before], [line_count]]
            yield pa.record_batch(columns, schema=BLOCK_SCHEMA)
            lines_before += line_count

    def _iter_pieces(self) -> Iterator[tuple[bytes, int]]:
        """Yield pieces of the file, each with the length of the whole records at its beginning.

        The bytes of a piece behind these records are yielded again at the beginning of the next piece.
        """
        # Bytes that have been read, but belong to no block yet.
        held = b""
        is_inside_range = self._range_start == 0
        # The last, empty piece stands for the end of the stream.
        for lines in chain(self._lines, (b"",)):
            held += lines
            is_final = not lines
            if not is_inside_range:
                # The range may begin inside a record, which belongs to the range before it.
                first_border = find_border(held, 0, is_final=is_final)
                if first_border is None:
                    held = held[_count_droppable_bytes(held) :]
                    continue
                if self._is_past_range(self._offset_of(held) + first_border.previous_line):
                    return
                held = held[first_border.start :]
                is_inside_range = True
            last_border = self._find_border_past_range(held, is_final=is_final)
            if last_border is not None:
                yield held, last_border.start
                return
            if is_final:
                break
            # Less is held until more is read, because most small files end here.
            cut = _find_cut(held) if len(held) >= self._min_block_bytes else 0
            if cut:
                yield held, cut
                held = held[cut:]
        if is_inside_range and held:
            yield held, len(held)

    def _offset_of(self, held: bytes) -> int:
        """Return the offset in the file of `held`, which are the last bytes that have been read."""
        return self._lines.offset - len(held)

    def _is_past_range(self, offset: int) -> bool:
        """Return whether a record whose previous line is at `offset` belongs to the next range."""
        return self._range_end is not None and offset >= self._range_end

    def _find_border_past_range(self, held: bytes, *, is_final: bool) -> Border | None:
        """Return the first place in `held` where a record of the next range begins, None if there is none.

        `held` are the last bytes that have been read. `is_final` is True if the file ends with them.
        """
        if self._range_end is None:
            return None
        return find_border(held, max(self._range_end - self._offset_of(held), 0), is_final=is_final)


def view_block_texts(blocks: pa.RecordBatch) -> list[memoryview]:
    """Return the column ``text`` of a batch of blocks as one view for each row, without copying the bytes."""
    texts = blocks.column("text")
    # Arrow holds the bytes of all texts in one buffer, and their offsets, of eight bytes each, in another.
    _, offset_buffer, data_buffer = texts.buffers()
    all_offsets = memoryview(offset_buffer).cast("B").cast("q")
    offsets = all_offsets[texts.offset : texts.offset + len(texts) + 1]
    chars = memoryview(data_buffer).cast("B")
    return [chars[start:end] for start, end in pairwise(offsets)]


FILE_SEPARATOR: Final = b"\n\n"
"""Text between two files that are joined. It makes a blank line even if the first has no last line end."""
_MAX_JOINED_BYTES: Final = 1 << 16
"""Upper bound on the size of a file that is joined with others; reading a longer one is not slow."""
_RESULT_ENDINGS: Final = tuple(result.encode() for result in RESULTS)


def may_be_joined(text: memoryview, next_text: memoryview) -> bool:
    """Return whether two small PGN files have the same records if the second is appended to the first.

    They do if the first ends with a result, outside of a comment, and the second begins with a tag.

    Args:
        text: The text of the first file, or its end.
        next_text: The text of the second file.
    """
    if max(len(text), len(next_text)) > _MAX_JOINED_BYTES or _TAG.match(next_text) is None:
        return False
    data = bytes(text)
    ends_with_result = data.rstrip().endswith(_RESULT_ENDINGS)
    # A comment ends at the first closing brace, wherever that is.
    is_in_comment = data.rfind(b"{") > data.rfind(b"}")
    # Some parts of reading count a single carriage return as a line end, and others do not.
    has_single_cr = b"\r" in data and data.count(b"\r") != data.count(b"\r\n")
    return ends_with_result and not is_in_comment and not has_single_cr


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


def find_border(data: bytes, min_previous_line: int, *, is_final: bool = True) -> Border | None:
    """Return the first place in PGN text where a record begins, None if there is none.

    A record begins at a tag line, such as ``[Event "?"]``, that follows a move line and a blank line and is
    not inside of a comment.

    Args:
        data: The text, which must consist of whole lines.
        min_previous_line: The offset at or after which the move line must begin.
        is_final: Whether the file ends with `data`. If not, None is also returned if more bytes are needed to
            find out whether a tag line is inside of a comment.
    """
    braces = _Braces(data, is_final)
    line_end = data.find(_TAG_LINE_START, min_previous_line)
    while line_end >= 0:
        tag_line = line_end + 1
        previous_line = _find_previous_line(data, tag_line)
        if previous_line is not None and previous_line >= min_previous_line:
            is_in_comment = braces.is_in_comment(tag_line)
            if is_in_comment is None:
                return None
            if not is_in_comment:
                return Border(tag_line, previous_line)
        line_end = data.find(_TAG_LINE_START, tag_line)
    return None


def _find_cut(data: bytes) -> int:
    """Return the offset at which to cut PGN text into a block and the rest, 0 if it cannot be cut yet.

    This is the beginning of the last record. Text without such a place is cut when it has more than
    `MAX_HELD_BYTES` bytes.
    """
    last_border = _find_last_border(data)
    if not last_border and len(data) > MAX_HELD_BYTES:
        return _find_forced_cut(data)
    return last_border


def _find_last_border(data: bytes) -> int:
    """Return the offset of the last place in PGN text where a record certainly begins, 0 if there is none.

    A record begins at a tag line that follows a move line and a blank line and is not inside of a comment.
    More text may follow `data`.
    """
    braces = _Braces(data, is_final=False)
    line_end = data.rfind(_TAG_LINE_START)
    while line_end >= 0:
        tag_line = line_end + 1
        if _find_previous_line(data, tag_line) is not None and braces.is_in_comment(tag_line) is False:
            return tag_line
        line_end = data.rfind(_TAG_LINE_START, 0, line_end)
    return 0


class _Braces:
    """The braces of a text, by which tag lines inside of comments are recognised."""

    def __init__(self, data: bytes, is_final: bool) -> None:
        """Store the text. `is_final` is True if the file ends with it."""
        self._data = data
        self._is_final = is_final
        # There is no brace from the first offset to before the second one.
        self._clear_from = self._clear_to = -1

    def is_in_comment(self, tag_line: int) -> bool | None:
        """Return whether the tag line at an offset is inside of a comment: the next brace closes it.

        Return None if more text is needed to decide.
        """
        limit = tag_line + MAX_COMMENT_LOOKAHEAD
        end = min(limit, len(self._data))
        brace = self._find_brace(tag_line, end)
        if brace < end:
            return self._data[brace] == _CLOSE_BRACE
        return False if self._is_final or limit <= len(self._data) else None

    def _find_brace(self, start: int, end: int) -> int:
        """Return the offset of the first brace from `start` to before `end`, or an offset from `end` on.

        No byte is searched twice if the calls go through the text in one direction.
        """
        if start > self._clear_to:
            self._clear_from = self._clear_to = start
        elif start < self._clear_from:
            brace = self._search(start, min(end, self._clear_from))
            if brace < self._clear_from:
                self._clear_from, self._clear_to = start, brace
                return brace
            self._clear_from = start
        if self._clear_to < end:
            self._clear_to = self._search(self._clear_to, end)
        return self._clear_to

    def _search(self, start: int, end: int) -> int:
        """Return the offset of the first brace from `start` to before `end`, or `end` without one."""
        offsets = (self._data.find(brace, start, end) for brace in (b"{", b"}"))
        return min((offset for offset in offsets if offset >= 0), default=end)


def _find_previous_line(data: bytes, tag_line: int) -> int | None:
    """Return the offset of the line of moves that ends the record before a tag line.

    Return None if no record begins at the tag line. One does, for example at ``[Event "?"]``, if a line of
    moves and at least one blank line come before it.

    Args:
        data: PGN text, which must consist of whole lines.
        tag_line: The offset of the line that may be a tag line.
    """
    if _TAG.match(data, tag_line) is None:
        return None
    line_end = tag_line - 1
    has_blank_line = False
    while tag_line - line_end < _MAX_BLANK_BYTES:
        line_start = data.rfind(b"\n", 0, line_end) + 1
        is_blank = not data[line_start:line_end].strip(_BLANK)
        if not is_blank:
            is_border = has_blank_line and _MOVES.match(data, line_start) is not None
            return line_start if is_border else None
        if line_start == 0:
            return None
        has_blank_line = True
        line_end = line_start - 1
    return None


def _count_droppable_bytes(data: bytes) -> int:
    """Return how many leading bytes of PGN text can be dropped while the next record is searched for.

    No record begins in `data`. The lines that remain are enough to recognise a record that begins at the
    bytes read next: one line of the maximum length, and the blank lines after it.
    """
    context_start = max(len(data) - MAX_BULK_LINE - _MAX_BLANK_BYTES, 0)
    return data.rfind(b"\n", 0, context_start) + 1


def _find_forced_cut(data: bytes) -> int:
    """Return the offset at which to cut PGN text that is too long and has no clear end of a record.

    This is after the last line that ends with a result, such as ``1-0``, or else before the last tag line, or
    else the end of the text.
    """
    line_end = len(data)
    while line_end > 0:
        line_start = data.rfind(b"\n", 0, line_end - 1) + 1
        line = data[line_start:line_end]
        if line.rstrip().endswith(_RESULT_ENDS):
            return line_end
        line_end = line_start
    before_tag_line = data.rfind(_TAG_LINE_START)
    return len(data) if before_tag_line < 0 else before_tag_line + 1


# --- rows of a block --------------------------------------------------------------------------------


class NumberedReading(NamedTuple):
    """The result of reading a record, with the number of the record in the block, from 1."""

    number: int
    reading: RecordReading


class BlockRows(NamedTuple):
    """The rows that are made of the records of a block, and the counts of these records."""

    rows: pa.RecordBatch
    """Rows whose column ``game`` is the number of the record in the block, from 1."""
    games: int
    """Number of records in the block."""
    read_by_fallback: int
    """Number of records that the record reader had to read."""
    errors: int
    """Number of records with an error."""


class RowMaker(Protocol):
    """An object that makes rows of records. The rows have a column ``game``, the number of the record."""

    def make_kernel_rows(
        self, kernel: RecordKernel, numbers: np.ndarray, errors: KernelErrors
    ) -> pa.RecordBatch:
        """Return the rows of the records that the last `kernel.read` parsed.

        `numbers` has the number, from 1, of each record that the kernel found, also of those that it left to
        the record reader. `errors` are the first errors of the parsed records.
        """

    def make_reading_rows(self, readings: Sequence[NumberedReading], lines_before: int) -> pa.RecordBatch:
        """Return the rows of records that the record reader has read.

        `lines_before` is the number of lines of the block before the first of them.
        """


class _FallbackReadings(NamedTuple):
    """The records of one piece of text that the kernel could not parse, read by the record reader."""

    kernel_index: int
    """Index of the piece among the records that the kernel found."""
    readings: list[RecordReading]
    """Results of reading the records in the piece; usually one."""
    lines_before: int
    """Number of lines of the block before the piece."""


def build_record_rows(
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
        readings = _number_readings(_read_text(text, game), first_number=1)
        yield BlockRows(
            rows=maker.make_reading_rows(readings, lines_before=0),
            games=len(readings),
            read_by_fallback=len(readings),
            errors=_count_errors(readings),
        )
        return
    offset = games_before = 0
    while (end := kernel.read(text, offset, True)) > offset:
        block_rows = _build_kernel_rows(text, game, maker, kernel, games_before)
        yield block_rows
        games_before += block_rows.games
        offset = end


def _number_readings(readings: Iterable[RecordReading], first_number: int) -> list[NumberedReading]:
    """Return readings with the numbers of their records, of which the first is `first_number`."""
    return [NumberedReading(number, reading) for number, reading in enumerate(readings, first_number)]


def _build_kernel_rows(
    text: memoryview, game: Game, maker: RowMaker, kernel: RecordKernel, games_before: int
) -> BlockRows:
    """Return the rows of the records that the last call of `kernel.read` found in `text`.

    Records that the kernel could not parse are read with the record reader. All rows are in the order of the
    records, the first of which has the number `games_before` + 1.
    """
    # A piece of text that the kernel could not parse may contain any number of records.
    record_counts = np.ones(kernel.games, np.int64)
    fallbacks = _read_fallbacks(text, game, kernel)
    for fallback in fallbacks:
        record_counts[fallback.kernel_index] = len(fallback.readings)
    total_records = int(record_counts.sum())
    first_numbers = games_before + 1 + np.cumsum(record_counts) - record_counts
    errors = KernelErrors(kernel, text, game)
    kernel_rows = maker.make_kernel_rows(kernel, first_numbers, errors)
    if not fallbacks:
        return BlockRows(kernel_rows, total_records, read_by_fallback=0, errors=len(errors))
    batches = [kernel_rows]
    all_readings: list[NumberedReading] = []
    for fallback in fallbacks:
        first_number = int(first_numbers[fallback.kernel_index])
        readings = _number_readings(fallback.readings, first_number)
        batches.append(maker.make_reading_rows(readings, fallback.lines_before))
        all_readings += readings
    return BlockRows(
        _sort_by_game(batches),
        total_records,
        read_by_fallback=len(all_readings),
        errors=len(errors) + _count_errors(all_readings),
    )


def _read_fallbacks(text: memoryview, game: Game, kernel: RecordKernel) -> list[_FallbackReadings]:
    """Read with the record reader what the last call of `kernel.read` could not parse in `text`.

    Return the records of each piece of text that the kernel left out.
    """
    starts, ends = kernel.column("start"), kernel.column("end")
    fallbacks = []
    for kernel_index in np.flatnonzero(~make_parsed_mask(kernel)).tolist():
        start, end = starts[kernel_index], ends[kernel_index]
        readings = list(_read_text(text[start:end], game))
        fallbacks.append(_FallbackReadings(kernel_index, readings, count_line_ends(text[:start])))
    return fallbacks


def _sort_by_game(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    """Return the rows of all batches in the order of the records. Rows of one record keep their order."""
    rows = pa.concat_batches(batches)
    row_order = np.argsort(rows.column("game").to_numpy(), kind="stable")
    return rows.take(pa.array(row_order))


def _read_text(text: memoryview, game: Game) -> Iterator[RecordReading]:
    """Yield the result of parsing each PGN record in a text in UTF-8."""
    lines = io.StringIO(decode_records(text), newline="")
    return read_records(lines, game)


def _count_errors(readings: list[NumberedReading]) -> int:
    """Return the number of readings with an error."""
    return sum(not numbered.reading.ok for numbered in readings)


# --- columns of a kernel ----------------------------------------------------------------------------


def make_parsed_mask(kernel: RecordKernel) -> np.ndarray:
    """Return an array of booleans: true for each record that the last call of `kernel.read` parsed.

    The other records that it found must be read with the record reader.
    """
    mask: np.ndarray = np.frombuffer(kernel.column("verdict"), np.uint8) != ASK
    return mask


def make_string_array(texts: Texts) -> pa.Array:
    """Return texts as an Arrow array, without copying them.

    `texts` is a pair of buffers: the offsets of the texts, and the characters of all texts one after the
    other.
    """
    offsets, chars = texts
    return pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(chars))


def make_tag_array(kernel: RecordKernel, name: str) -> pa.Array:
    """Return the value of the PGN tag `name`, such as ``White``, in each record of the last `kernel.read`.

    The value is null for a record without the tag. The texts are not copied.
    """
    offsets, chars, valid_bits, null_count = kernel.tag_texts(name)
    validity = pa.py_buffer(valid_bits) if null_count else None
    return pa.StringArray.from_buffers(
        kernel.games, pa.py_buffer(offsets), pa.py_buffer(chars), validity, null_count
    )


class MainLines:
    """The positions of all games that the last call of `kernel.read` parsed, as arrays of numbers.

    Each array has one entry per position:

    * `games`: the index of the game among the records that the kernel found
    * `ply`: the number of half-moves before the position
    * `has_next_move`: whether a move follows
    """

    def __init__(self, kernel: RecordKernel) -> None:
        """Compute the arrays for the records that the last call of `kernel.read` found."""
        first_plies = np.frombuffer(kernel.column("first_ply"), np.int32)
        ply_counts = np.diff(first_plies)
        # A game has one position more than moves. A record that the kernel did not parse has none here.
        position_counts = np.where(make_parsed_mask(kernel), ply_counts + 1, 0)
        first_positions = np.frombuffer(kernel.column("first_position"), np.int32)
        self.games: np.ndarray = np.repeat(np.arange(kernel.games, dtype=np.int32), position_counts)
        position_numbers = np.arange(len(self.games), dtype=np.int32)
        self.ply: np.ndarray = position_numbers - first_positions[self.games]
        self.has_next_move: np.ndarray = self.ply != ply_counts[self.games]

    def align_next_moves(self, moves: pa.Array) -> Any:
        """Return the next move of each position, null for the last position of a game.

        `moves` has the moves of all games, one game after the other.
        """
        move_numbers = np.cumsum(self.has_next_move, dtype=np.int32)
        move_indexes = pa.array(move_numbers - 1, mask=~self.has_next_move)
        return moves.take(move_indexes)


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
    """Yield a row for each position of the records of a PGN file, with the columns of `PGN_SCHEMA`.

    If `game_name` is None, the game of each record is detected from its tags and moves.
    """
    game = None if game_name is None else registry.game(game_name)
    if game is None or not COMPILED:
        return _read_with_record_reader(stream, game_name)
    kernel = record_kernel(game, ("fens",), plies=_KERNEL_PLIES)
    if kernel is None:
        return _read_with_record_reader(stream, game_name)
    return _read_with_kernel(stream, game, kernel)


def _read_with_record_reader(stream: ByteStream, game_name: str | None) -> Iterator[pa.RecordBatch]:
    """Yield the rows of all records of a file, which are read one by one in plain Python.

    If `game_name` is None, the game of each record is detected from its tags and moves.
    """
    pending_rows: list[_Row] = []
    readings = read_records(_TextLines(LineBlocks(stream, accepts_any_bytes=True)), game_name)
    for number, reading in enumerate(readings, start=1):
        pending_rows.extend(_make_rows(reading, number))
        if len(pending_rows) >= _ROWS_PER_BATCH:
            yield _make_batch(pending_rows)
            pending_rows = []
    if pending_rows:
        yield _make_batch(pending_rows)


def _read_with_kernel(stream: ByteStream, game: Game, kernel: RecordKernel) -> Iterator[pa.RecordBatch]:
    """Yield the rows of all records of a file, which are read in blocks of some megabytes.

    `kernel` is the compiled reader of records of the game.
    """
    games_before = 0
    for block in RecordBlocks(stream):
        (text,) = view_block_texts(block)
        lines_before = block.column("line")[0].as_py()
        maker = _PositionRowMaker(games_before, lines_before)
        for block_rows in build_record_rows(text, game, maker, kernel):
            yield block_rows.rows
            games_before += block_rows.games


class _PositionRowMaker:
    """A `RowMaker` that makes a row of `PGN_SCHEMA` for each position of the records of a block."""

    def __init__(self, games_before: int, lines_before: int) -> None:
        """Count games and lines on from the given numbers of those in the file before the block."""
        self._games_before = games_before
        self._lines_before = lines_before

    def make_kernel_rows(
        self, kernel: RecordKernel, numbers: np.ndarray, errors: KernelErrors
    ) -> pa.RecordBatch:
        """Return the rows of the records that the last `kernel.read` parsed.

        `numbers` has the number of each record in the block, from 1. `errors` are the first errors of the
        parsed records.
        """
        main_lines = MainLines(kernel)
        result_indexes = np.frombuffer(kernel.column("result"), np.int8)[main_lines.games]
        game_numbers = self._games_before + numbers[main_lines.games]
        columns = [
            make_string_array((kernel.column("fen_offsets"), kernel.column("fen_chars"))),
            pa.array(game_numbers, pa.int64()),
            pa.array(main_lines.ply),
            main_lines.align_next_moves(make_string_array(kernel.san_texts())),
            _RESULTS.take(pa.array(result_indexes)),
            self._make_error_column(main_lines, errors),
        ]
        return pa.RecordBatch.from_arrays(columns, schema=PGN_SCHEMA)

    def _make_error_column(self, main_lines: MainLines, errors: KernelErrors) -> pa.Array:
        """Return the error of each game at its last position, and null at all other positions."""
        if not len(errors):
            return pa.nulls(len(main_lines.games), pa.string())
        last_positions = np.flatnonzero(~main_lines.has_next_move)
        position_by_game = dict(
            zip(main_lines.games[last_positions].tolist(), last_positions.tolist(), strict=True)
        )
        texts: list[str | None] = [None] * len(main_lines.games)
        for error in errors:
            line = self._lines_before + error.line
            message = error.diagnostic.message
            texts[position_by_game[error.row]] = _describe_error(line, error.column, message)
        return pa.array(texts, pa.string())

    def make_reading_rows(self, readings: Sequence[NumberedReading], lines_before: int) -> pa.RecordBatch:
        """Return the rows of records that the record reader has read.

        `lines_before` is the number of lines of the block before the first of them.
        """
        file_lines_before = self._lines_before + lines_before
        rows: list[_Row] = []
        for number, reading in readings:
            rows.extend(_make_rows(reading, self._games_before + number, file_lines_before))
        return _make_batch(rows)


class _TextLines:
    """Blocks of lines as a text file, which the record reader reads line by line."""

    def __init__(self, blocks: LineBlocks) -> None:
        """Read the lines of `blocks`, one block after the other."""
        self._blocks = iter(blocks)
        self._block_text = io.StringIO()
        """The text of the current block."""

    def readline(self, size: int = -1, /) -> str:
        """Return the next line, at most `size` characters of it; an empty text at the end."""
        line = self._block_text.readline(size)
        if line:
            return line
        block = next(self._blocks, None)
        if block is None:
            return ""
        self._block_text = io.StringIO(decode_records(block), newline="")
        return self._block_text.readline(size)


def _make_rows(reading: RecordReading, number: int, lines_before: int = 0) -> Iterator[_Row]:
    """Yield a row for each position of a record, or one row with the error if no position is known.

    Args:
        reading: The result of reading the record.
        number: The number of the record in the file, from 1.
        lines_before: The number of lines of the file before the text in which the reading counts its lines.
    """
    record = reading.record
    error = _describe_first_error(reading, lines_before)
    if record is None:
        yield _Row(fen=None, game=number, ply=0, move=None, result=None, error=error)
        return
    next_moves = [*record.moves, None]
    last_ply = len(record.moves)
    for ply, position in enumerate(record.positions()):
        yield _Row(
            fen=record.game.write(position),
            game=number,
            ply=ply,
            move=next_moves[ply],
            result=record.result,
            error=error if ply == last_ply else None,
        )


def _describe_first_error(reading: RecordReading, lines_before: int) -> str | None:
    """Return the first error of a record as ``line 12, column 5: ...``, None if it has no error.

    `lines_before` is the number of lines of the file before the text in which the reading counts its lines.
    """
    if not reading.errors:
        return None
    error = reading.errors[0]
    line, column = reading.place(error)
    return _describe_error(lines_before + line, column, error.message)


def _describe_error(line: int, column: int, message: str) -> str:
    """Return an error and its place as ``line 12, column 5: ...``."""
    return f"line {line}, column {column}: {message}"


def _make_batch(rows: list[_Row]) -> pa.RecordBatch:
    """Return rows as a batch with the schema `PGN_SCHEMA`."""
    empty_columns: list[tuple[Any, ...]] = [()] * len(PGN_SCHEMA)
    columns = list(zip(*rows, strict=True)) or empty_columns
    arrays = [pa.array(values, field.type) for values, field in zip(columns, PGN_SCHEMA, strict=True)]
    return pa.record_batch(arrays, schema=PGN_SCHEMA)
