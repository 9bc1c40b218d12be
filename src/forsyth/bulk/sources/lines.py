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

BLOCK_BYTES: Final = 4 << 20
"""Bytes read at once: some ten thousand lines, so that the work on a block outweighs its overhead."""
_TAIL_BYTES: Final = 1 << 16
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
            size: The number of bytes to read at once; None for `BLOCK_BYTES`.
        """
        self._stream = stream
        self._size = BLOCK_BYTES if size is None else size
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
        """Yield the blocks. Raise `BulkError` if a line is too long, contains a NUL or is not UTF-8."""
        # Bytes that have been read and not yielded.
        pending = self._skip_partial_line() if self._first else b""
        while not self._is_past_end(self._offset):
            block_length = self._measure_whole_lines(pending)
            if block_length:
                yield self._check_and_count(pending[:block_length])
                pending = pending[block_length:]
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
        """Return the number of a line in the file, from 1.

        The line is `distance` lines after those yielded so far; the distance is negative for a line of the
        last block. For a range, the lines before it are counted by reading the file from its beginning, so
        only error messages use this.
        """
        return self._count_lines_before_range() + self._line_count + distance + 1

    def _skip_partial_line(self) -> bytes:
        """Skip the rest of a line that begins before the range, and return the bytes read after its end."""
        while not self._is_past_end(self._offset) and (data := self._read(self._offset)):
            line_end = data.find(b"\n")
            if line_end >= 0:
                next_line = line_end + 1
                self._offset += next_line
                return data[next_line:]
            self._offset += len(data)
        return b""

    def _read(self, offset: int) -> bytes:
        """Read and return the next bytes of the stream, which begin at `offset` of the file.

        They end at most a little beyond the end of the range.
        """
        if self._end is None:
            return self._stream.read(self._size)
        remaining = self._end - offset
        return self._stream.read(max(_TAIL_BYTES, min(self._size, remaining)))

    def _is_past_end(self, offset: int) -> bool:
        """Return whether a line at `offset` begins after the range."""
        return self._end is not None and offset >= self._end

    def _measure_whole_lines(self, data: bytes) -> int:
        """Return how many bytes of `data` are whole lines that begin in the range, 0 if there is none."""
        if self._end is not None and self._offset + len(data) >= self._end:
            # The last line of the range may end behind the range.
            last_byte_of_range = self._end - 1 - self._offset
            line_end = data.find(b"\n", last_byte_of_range)
            if line_end >= 0:
                return line_end + 1
        return data.rfind(b"\n") + 1

    def _check_and_count(self, block: bytes) -> bytes:
        """Check and count the lines of the next block, and return it without its byte order mark.

        Raise `BulkError` if the block is not valid text.
        """
        if self._offset == 0 and block.startswith(_BYTE_ORDER_MARK):
            self._offset = len(_BYTE_ORDER_MARK)
            block = block.removeprefix(_BYTE_ORDER_MARK)
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
            is_first_block = self._offset == 0
            compression = detect_compression(block) if is_first_block else None
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
        max_bytes = MAX_BULK_LINE + 1
        start = 0
        while len(block) - start > max_bytes:
            line_end = block.rfind(b"\n", start, start + max_bytes)
            if line_end < 0:
                self._check_length(block, start, start + max_bytes)
            start = line_end + 1

    def _check_length(self, block: bytes, start: int, end: int) -> None:
        """Raise `BulkError` if the bytes from `start` to `end` of a block, of one line, are too many.

        A line has at most `MAX_BULK_LINE` bytes.
        """
        if end - start > MAX_BULK_LINE:
            raise BulkError(
                f"{self._locate(block, start)}: longer than {MAX_BULK_LINE} bytes; "
                "no position is that long: split the file into lines, or name its format"
            )

    def _locate(self, block: bytes, index: int) -> str:
        """Return the place of byte `index` of the next block, such as ``games.epd, line 12 (byte 345)``."""
        line_number = self.line_number(block.count(b"\n", 0, index))
        unit = "byte" if self._stream.compression is None else "byte of the decompressed text"
        return f"{display_name(self._stream.path)}, line {line_number} ({unit} {self._offset + index})"

    def _count_lines_before_range(self) -> int:
        """Return the number of lines before the range, by reading the file from its beginning."""
        if not self._first:
            return 0
        stream = Stream(self._stream.path)
        line_count = 0
        remaining_bytes = self._first
        ends_with_line_end = True
        try:
            while remaining_bytes and (data := stream.read(min(BLOCK_BYTES, remaining_bytes))):
                line_count += data.count(b"\n")
                ends_with_line_end = data.endswith(b"\n")
                remaining_bytes -= len(data)
        finally:
            stream.close()
        return line_count if ends_with_line_end else line_count + 1


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
    r"""Return the lines of a block as an Arrow array without line ends. Each line must end with ``\n``."""
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
    line_ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n"))
    line_count = len(line_ends)
    offsets = np.zeros(line_count + 1, np.int32)
    # One byte is removed after each line, so each line moves forward by the number of lines before it.
    lines_before = np.arange(line_count)
    np.subtract(line_ends, lines_before, out=offsets[1:], casting="unsafe")
    chars = block.translate(None, b"\n")
    return pa.StringArray.from_buffers(line_count, pa.py_buffer(offsets), pa.py_buffer(chars))


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
        skipped_rows = min(skip, batch.num_rows)
        for start in range(skipped_rows, batch.num_rows, max_rows):
            yield batch.slice(start, max_rows)
        skip -= skipped_rows


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
    separator = " "
    texts = pc.binary_join_element_wise(fields, *clocks, separator)
    return pa.record_batch([pc.coalesce(texts, lines), operations], schema=EPD_SCHEMA)


def _split_texts(block: bytes) -> pa.Array:
    """Return the lines of a block, with null for lines that are blank or begin with ``#``."""
    lines = split_lines(block)
    # The first byte of a line shows in most cases that it has a text. The byte before it is a line end.
    chars = np.frombuffer(b"\n" + block, np.uint8)
    is_first_of_line = chars[:-1] == ord("\n")
    first_chars = chars[1:][is_first_of_line]
    if not np.any((first_chars <= _SPACE) | (first_chars == ord("#"))):
        return lines
    is_comment = pc.starts_with(lines, "#")
    is_blank = pc.equal(pc.binary_length(pc.ascii_trim_whitespace(lines)), 0)
    return pc.if_else(pc.or_(is_comment, is_blank), None, lines)


def _split_epd(lines: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Return the first four fields and the operations of each line; both are null if it is not EPD.

    In ``8/8/8/8/8/8/8/K1k5 w - - id "1";`` the operations are ``id "1";``.
    """
    fields, operations, is_simple = _cut_at_fourth_space(lines)
    if is_simple.all():
        return fields, operations
    # The regular expression is slow, so only the other lines are parsed with it.
    use_cut = pa.array(is_simple)
    other_lines = pc.utf8_rtrim(pc.if_else(use_cut, None, lines), " ")
    matches = pc.extract_regex(other_lines, LINE)
    return (
        pc.if_else(use_cut, fields, pc.struct_field(matches, "fields")),
        pc.if_else(use_cut, operations, pc.struct_field(matches, "operations")),
    )


def _cut_at_fourth_space(lines: pa.Array) -> tuple[pa.Array, pa.Array, np.ndarray]:
    """Return the texts before and after the fourth space of each line, and whether the cut is valid EPD.

    All lines are cut at once. The cut is valid if single spaces separate the fields.
    """
    _, offset_buffer, char_buffer = lines.buffers()
    offsets = np.frombuffer(offset_buffer, np.int32, len(lines) + 1).astype(np.int64)
    # One more character after the last line, for a line that ends there.
    chars = np.append(np.frombuffer(char_buffer, np.uint8, offsets[-1]), np.uint8(0))
    starts, ends = offsets[:-1], offsets[1:]
    # Offsets of all spaces in all lines, and four more after the last character, for lines with fewer.
    spaces = np.append(np.flatnonzero(chars == _SPACE), np.full(4, len(chars)))
    first_space = np.searchsorted(spaces, starts)
    # The ends of the four fields of each line.
    end_1, end_2, end_3, end_4 = (np.minimum(spaces[first_space + number], ends) for number in range(4))
    operations_start = np.where(end_4 < ends, end_4 + 1, end_4)

    has_four_fields = (end_1 > starts) & (end_2 > end_1 + 1) & (end_3 > end_2 + 1) & (end_4 > end_3 + 1)
    first_letter = chars[operations_start] | _LOWER_CASE_BIT
    has_operations = (first_letter >= ord("a")) & (first_letter <= ord("z"))
    has_no_operations = operations_start == ends
    ends_with_space = chars[ends - 1] == _SPACE
    is_simple = has_four_fields & (has_no_operations | has_operations) & ~ends_with_space

    # Cut each line into three pieces: the fields, the space after them, and the operations.
    piece_offsets = np.column_stack((starts, end_4, operations_start)).ravel()
    piece_offsets = np.append(piece_offsets, offsets[-1]).astype(np.int32)
    pieces = pa.StringArray.from_buffers(3 * len(lines), pa.py_buffer(piece_offsets), char_buffer)
    fields = pieces.take(_every_third(0, len(lines)))
    operations = pieces.take(_every_third(2, len(lines)))
    return fields, operations, is_simple


def _every_third(first: int, count: int) -> pa.Array:
    """Return an array of `count` indexes: `first`, `first` + 3, and so on. `first` is less than 3."""
    return pa.array(np.arange(first, 3 * count, 3))


def _extract_clock(operations: pa.Array, opcode: str, default: str) -> pa.Array | pa.Scalar:
    """Return the number after an opcode, such as ``hmvc``, in the EPD operations of each line.

    The number is `default` where the opcode is missing. If no line has it, one value stands for all lines.
    """
    # Few files have clocks, and searching for a word is ten times as fast as the pattern.
    has_opcode = pc.match_substring(operations, opcode)
    if not pc.any(has_opcode).as_py():
        return pa.scalar(default)
    matches = pc.extract_regex(operations, CLOCK.format(opcode=opcode))
    return pc.fill_null(pc.struct_field(matches, "clock"), default)
