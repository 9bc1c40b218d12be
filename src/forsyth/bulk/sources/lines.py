r"""Lines: blocks of whole lines of a stream, as Arrow columns, and the rows of plain text and EPD.

A line ends with ``\n`` or ``\r\n``, the last line also with ``\r`` or nothing. A UTF-8 byte order mark at
the beginning is skipped. Empty lines are lines. No Python object is made for a line.

A part of a file is given as a range of bytes. A line belongs to the range in which it begins, so that ranges
that cover a file cover each line once, wherever the file is cut.

Text: one column ``fen`` and a row for each line, so that row and line have the same number. A line that is
empty, contains only blanks or begins with ``#`` is a row with null.

EPD: ``fen`` is the text of the position as `forsyth.record_bytes.epd_lines` makes it, the four fields and the
clocks; ``operations`` is the text after the fields. A line that is not EPD is left unchanged in ``fen``,
without operations, and reading it with the rules of the game gives the error.

Limits: a line has at most `MAX_BULK_LINE` bytes; a longer line is detected without being held in memory. A
NUL, or bytes that are not UTF-8, end the reading with an error that names the line and the byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk.errors import BulkError, display_name
from forsyth.bulk.sources.files import ByteStream, Stream, detect_compression
from forsyth.limits import MAX_BULK_LINE
from forsyth.record_bytes.epd_lines import CLOCK, CLOCKS, LINE

BLOCK: Final = 4 << 20
"""Bytes read at once: some ten thousand lines, so that the work on a block outweighs its overhead."""
_TAIL: Final = 1 << 16
"""Bytes read at once to find the end of the last line of a range."""
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


class LineBlocks:
    r"""The lines that begin in a range of a stream, as blocks of bytes that each end with ``\n``.

    Iterating raises `BulkError` if a line is too long, contains a NUL or is not UTF-8.
    """

    def __init__(
        self, stream: ByteStream, first: int = 0, count: int | None = None, size: int | None = None
    ) -> None:
        """Prepare reading.

        Args:
            stream: The decompressed file. It must be positioned at the byte before `first`, or at the
                beginning of the file if `first` is 0.
            first: The offset of the first byte of the range.
            count: The number of bytes of the range; None for all that follow.
            size: The number of bytes to read at once; None for `BLOCK`.
        """
        self._stream = stream
        self._size = BLOCK if size is None else size
        self._first = first
        self._end = None if count is None else first + count
        self._offset = max(first - 1, 0)
        self._line_count = 0

    @property
    def offset(self) -> int:
        """Offset in the decompressed file of the first byte that has not been yielded."""
        return self._offset

    @property
    def lines(self) -> int:
        """Number of lines of the range that have been yielded."""
        return self._line_count

    def __iter__(self) -> Iterator[bytes]:
        # Bytes that have been read and not yielded.
        pending = self._skip_partial_line() if self._first else b""
        while not self._is_past_end(self._offset):
            cut = self._find_cut(pending)
            if cut:
                yield self._check_and_count(pending[:cut])
                pending = pending[cut:]
                continue
            self._check_length(pending, 0, len(pending))
            data = self._read(self._offset + len(pending))
            if not data:
                # The last line of the file may have no line end.
                if pending not in (b"", _BYTE_ORDER_MARK):
                    yield self._check_and_count(pending + b"\n")
                return
            pending += data

    def line_number(self, distance: int = 0) -> int:
        """Return the number in the file, from 1, of the line `distance` lines after those yielded so far.

        The distance is negative for a line of the last block. For a range, the lines before it are counted by
        reading the file from its beginning, so only error messages use this.
        """
        return self._count_lines_before_range() + self._line_count + distance + 1

    def _skip_partial_line(self) -> bytes:
        """Skip the rest of a line that begins before the range, and return the bytes read after its end."""
        while not self._is_past_end(self._offset) and (data := self._read(self._offset)):
            line_length = data.find(b"\n") + 1
            self._offset += line_length or len(data)
            if line_length:
                return data[line_length:]
        return b""

    def _read(self, offset: int) -> bytes:
        """Read the next bytes, at most a little beyond the end of the range; they begin at `offset`."""
        if self._end is None:
            return self._stream.read(self._size)
        return self._stream.read(max(_TAIL, min(self._size, self._end - offset)))

    def _is_past_end(self, offset: int) -> bool:
        return self._end is not None and offset >= self._end

    def _find_cut(self, data: bytes) -> int:
        """Return how many bytes of `data` are whole lines that begin in the range, 0 if there is none."""
        if self._end is not None and self._offset + len(data) >= self._end:
            # The last line of the range may end behind the range.
            return data.find(b"\n", self._end - 1 - self._offset) + 1 or data.rfind(b"\n") + 1
        return data.rfind(b"\n") + 1

    def _check_and_count(self, block: bytes) -> bytes:
        """Return a block of whole lines without its byte order mark, after checking and counting the lines.

        Raise `BulkError` if the block is not valid text.
        """
        if self._offset == 0 and block.startswith(_BYTE_ORDER_MARK):
            self._offset = len(_BYTE_ORDER_MARK)
            block = block[len(_BYTE_ORDER_MARK) :]
        self._check(block)
        self._offset += len(block)
        self._line_count += count_line_ends(block)
        return block

    # --- checks -------------------------------------------------------------------------------------

    def _check(self, block: bytes) -> None:
        """Raise `BulkError` if a block is not UTF-8, contains a NUL or has a line that is too long."""
        # UTF-8 is checked before NUL, because a text in UTF-16 is full of NULs.
        if not block.isascii():
            self._check_utf8(block)
        nul_index = block.find(b"\0")
        if nul_index >= 0:
            raise BulkError(
                f"{self._locate(block, nul_index)}: a NUL byte, which no text contains; "
                "remove it, for example with: tr -d '\\000'"
            )
        self._check_line_lengths(block)

    def _check_utf8(self, block: bytes) -> None:
        """Raise `BulkError` with the first wrong byte if a block is not UTF-8."""
        if _is_utf8(block):
            return
        try:
            block.decode()
        except UnicodeDecodeError as error:
            compression = detect_compression(block) if self._offset == 0 else None
            if compression is not None:
                name = display_name(self._stream.path)
                raise BulkError(
                    f"{name} is compressed; name its format with --in, such as csv.{compression}"
                ) from None
            raise BulkError(
                f"{self._locate(block, error.start)}: the byte 0x{block[error.start]:02x} is not UTF-8; "
                "convert the file, for example with: iconv -f WINDOWS-1252 -t UTF-8"
            ) from error

    def _check_line_lengths(self, block: bytes) -> None:
        """Raise `BulkError` if a line of a block is longer than `MAX_BULK_LINE` bytes."""
        # Bytes up to the maximum cannot contain a longer line: go on after the last line end in them.
        start = 0
        while len(block) - start > MAX_BULK_LINE + 1:
            end = block.rfind(b"\n", start, start + MAX_BULK_LINE + 1)
            if end < 0:
                self._check_length(block, start, start + MAX_BULK_LINE + 1)
            start = end + 1

    def _check_length(self, block: bytes, start: int, end: int) -> None:
        """Raise `BulkError` if the line from `start` to `end` has more than `MAX_BULK_LINE` bytes."""
        if end - start > MAX_BULK_LINE:
            raise BulkError(
                f"{self._locate(block, start)}: longer than {MAX_BULK_LINE} bytes; "
                "no position is that long: split the file into lines, or name its format"
            )

    def _locate(self, block: bytes, index: int) -> str:
        """Return where byte `index` of the next block is, such as ``games.epd, line 12 (byte 345)``."""
        number = self.line_number(block.count(b"\n", 0, index))
        unit = "byte" if self._stream.compression is None else "byte of the decompressed text"
        return f"{display_name(self._stream.path)}, line {number} ({unit} {self._offset + index})"

    def _count_lines_before_range(self) -> int:
        """Return the number of lines before the range, by reading the file from its beginning."""
        if not self._first:
            return 0
        stream = Stream(self._stream.path)
        line_ends = 0
        remaining = self._first
        ends_with_line_end = True
        try:
            while remaining and (data := stream.read(min(BLOCK, remaining))):
                line_ends += data.count(b"\n")
                ends_with_line_end = data.endswith(b"\n")
                remaining -= len(data)
        finally:
            stream.close()
        return line_ends if ends_with_line_end else line_ends + 1


def count_line_ends(text: bytes | memoryview) -> int:
    r"""Return the number of ``\n`` in a text."""
    return int(np.count_nonzero(np.frombuffer(text, np.uint8) == ord("\n")))


def _is_utf8(block: bytes) -> bool:
    """Return whether bytes are valid UTF-8, without making a Python text of them."""
    offsets = pa.py_buffer(np.array([0, len(block)], np.int64))
    text = pa.Array.from_buffers(pa.large_string(), 1, [None, offsets, pa.py_buffer(block)])
    try:
        text.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def split_lines(block: bytes) -> pa.Array:
    r"""Return the lines of a block, each of which ends with ``\n``, as an Arrow array without line ends."""
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
    ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n"))
    offsets = np.zeros(len(ends) + 1, np.int32)
    # One byte is removed after each line, so each line moves forward by the number of lines before it.
    np.subtract(ends, np.arange(len(ends)), out=offsets[1:], casting="unsafe")
    chars = block.translate(None, b"\n")
    return pa.StringArray.from_buffers(len(ends), pa.py_buffer(offsets), pa.py_buffer(chars))


TEXT_SCHEMA: Final = pa.schema([("fen", pa.string())])
EPD_SCHEMA: Final = pa.schema([("fen", pa.string()), ("operations", pa.string())])

_SPACE: Final = ord(" ")
_LOWER_CASE_BIT: Final = 0x20
"""The bit that makes an ASCII letter lower case."""


class StreamRows:
    """The rows of a file, from batches that are made one after the other."""

    def __init__(self, stream: ByteStream, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
        """Take over `stream`, which `close` closes, and the `batches` that are read from it."""
        self._stream = stream
        self._batches = batches
        self.schema = schema

    @property
    def position(self) -> int:
        """Number of bytes of the file that have been read."""
        return self._stream.position

    def iter_batches(self, max_rows: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
        """Yield the rows after the first `skip`, at most `max_rows` in each batch."""
        return slice_batches(self._batches, max_rows, skip)

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def slice_batches(batches: Iterable[pa.RecordBatch], max_rows: int, skip: int) -> Iterator[pa.RecordBatch]:
    """Yield the rows of all batches after the first `skip`, at most `max_rows` in each batch."""
    for batch in batches:
        for start in range(min(skip, batch.num_rows), batch.num_rows, max_rows):
            yield batch.slice(start, max_rows)
        skip -= min(skip, batch.num_rows)


def parse_text_rows(block: bytes) -> pa.RecordBatch:
    """Return a row for each line of a block; blank lines and comments (``# ...``) are rows with null."""
    return pa.record_batch([_split_texts(block)], schema=TEXT_SCHEMA)


def parse_epd_rows(block: bytes) -> pa.RecordBatch:
    """Return a row for each line of a block of EPD, with the columns ``fen`` and ``operations``.

    ``fen`` is the position with the clocks of the operations ``hmvc`` and ``fmvn``, or their defaults. A line
    that is not EPD is left whole in ``fen``.
    """
    lines = _split_texts(block)
    if lines.null_count == len(lines):
        return pa.record_batch([lines, lines], schema=EPD_SCHEMA)
    fields, operations = _split_epd(lines)
    clocks = [_extract_clock(operations, opcode, default) for opcode, default in CLOCKS]
    texts = pc.binary_join_element_wise(fields, *clocks, " ")
    return pa.record_batch([pc.coalesce(texts, lines), operations], schema=EPD_SCHEMA)


def _split_texts(block: bytes) -> pa.Array:
    """Return the lines of a block, with null for lines that are blank or begin with ``#``."""
    lines = split_lines(block)
    # The first byte of a line shows in most cases that it has a text.
    chars = np.frombuffer(b"\n" + block, np.uint8)
    first_chars = chars[1:][chars[:-1] == ord("\n")]
    if not np.any((first_chars <= _SPACE) | (first_chars == ord("#"))):
        return lines
    is_comment = pc.starts_with(lines, "#")
    is_blank = pc.equal(pc.binary_length(pc.ascii_trim_whitespace(lines)), 0)
    return pc.if_else(pc.or_(is_comment, is_blank), None, lines)


def _split_epd(lines: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Return the first four fields and the operations of each line; both are null if it is not EPD.

    In ``8/8/8/8/8/8/8/K1k5 w - - id "1";`` the operations are ``id "1";``. Lines with single spaces
    are cut at the fourth space, all at once. The others are parsed with a regular expression, which is slow.
    """
    offsets = np.frombuffer(lines.buffers()[1], np.int32, len(lines) + 1).astype(np.int64)
    chars = np.append(np.frombuffer(lines.buffers()[2], np.uint8, offsets[-1]), np.uint8(0))
    starts, ends = offsets[:-1], offsets[1:]
    # Offsets of all spaces in all lines, and four more after the last character, for lines with fewer.
    spaces = np.append(np.flatnonzero(chars == _SPACE), np.full(4, len(chars)))
    space_index = np.searchsorted(spaces, starts)
    # The ends of the four fields of each line.
    first, second, third, fourth = (np.minimum(spaces[space_index + number], ends) for number in range(4))
    operations_start = fourth + (fourth < ends)
    letter = chars[operations_start] | _LOWER_CASE_BIT
    has_four_fields = (first > starts) & (second > first + 1) & (third > second + 1) & (fourth > third + 1)
    has_operations = (letter >= ord("a")) & (letter <= ord("z"))
    is_simple = has_four_fields & ((operations_start == ends) | has_operations)
    is_simple &= chars[ends - 1] != _SPACE
    # Cut each line into three pieces: the fields, the space after them, and the operations.
    piece_offsets = np.column_stack((starts, fourth, operations_start)).ravel()
    piece_offsets = np.append(piece_offsets, offsets[-1]).astype(np.int32)
    pieces = pa.StringArray.from_buffers(3 * len(lines), pa.py_buffer(piece_offsets), lines.buffers()[2])
    fields, operations = pieces.take(_every_third(0, len(lines))), pieces.take(_every_third(2, len(lines)))
    if is_simple.all():
        return fields, operations
    use_cut = pa.array(is_simple)
    matches = pc.extract_regex(pc.utf8_rtrim(pc.if_else(use_cut, None, lines), " "), LINE)
    return (
        pc.if_else(use_cut, fields, pc.struct_field(matches, "fields")),
        pc.if_else(use_cut, operations, pc.struct_field(matches, "operations")),
    )


def _every_third(first: int, count: int) -> pa.Array:
    """Return `count` indexes: `first`, `first` + 3, and so on."""
    return pa.array(np.arange(first, 3 * count, 3))


def _extract_clock(operations: pa.Array, opcode: str, default: str) -> pa.Array | pa.Scalar:
    """Return the number after `opcode` in the operations of each line, or `default` where it is missing.

    If no line has the opcode, such as ``hmvc``, one value stands for all lines.
    """
    # Few files have clocks, and searching for a word is ten times as fast as the pattern.
    if not pc.any(pc.match_substring(operations, opcode)).as_py():
        return pa.scalar(default)
    matches = pc.extract_regex(operations, CLOCK.format(opcode=opcode))
    return pc.fill_null(pc.struct_field(matches, "clock"), default)
