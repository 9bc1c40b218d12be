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
_UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
"""The beginnings of texts in UTF-16."""
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


class LineBlocks:
    r"""The lines that begin in a range of a stream, as blocks of bytes that each end with ``\n``.

    Iterating raises `BulkError` if a line is too long, contains a NUL or is not UTF-8.
    """

    def __init__(
        self,
        stream: ByteStream,
        first: int = 0,
        count: int | None = None,
        size: int | None = None,
        *,
        accepts_any_bytes: bool = False,
    ) -> None:
        """Prepare reading.

        Args:
            stream: The decompressed file. It must be positioned at the byte before `first`, or at the
                beginning of the file if `first` is 0.
            first: The offset of the first byte of the range.
            count: The number of bytes of the range; None for all that follow.
            size: The number of bytes to read at once; None for `BLOCK_BYTES`.
            accepts_any_bytes: Whether lines may contain NULs and bytes that are not UTF-8, because the caller
                reports them. A compressed file and one in UTF-16 are errors nevertheless.
        """
        self._accepts_any_bytes = accepts_any_bytes
        self._stream = stream
        self._read_size = BLOCK_BYTES if size is None else size
        self._range_start = first
        self._range_end = None if count is None else first + count
        self._offset = max(first - 1, 0)
        self._line_count = 0

    @property
    def offset(self) -> int:
        """Offset in the decompressed file of the first byte that has not been yielded."""
        return self._offset

    @property
    def line_count(self) -> int:
        """Number of lines of the range that have been yielded."""
        return self._line_count

    def __iter__(self) -> Iterator[bytes]:
        """Yield the blocks. Raise `BulkError` if a line is too long, contains a NUL or is not UTF-8."""
        # Bytes that have been read and not yielded.
        pending = self._skip_partial_line() if self._range_start else b""
        while not self._is_past_range(self._offset):
            block_length = self._measure_whole_lines(pending)
            if block_length:
                yield self._finish_block(pending[:block_length])
                pending = pending[block_length:]
                continue
            self._require_line_length(pending, start=0, end=len(pending))
            data = self._read_bytes_at(self._offset + len(pending))
            if not data:
                # The last line of the file may have no line end.
                if pending not in (b"", _BYTE_ORDER_MARK):
                    yield self._finish_block(pending + b"\n")
                return
            pending += data

    def line_number(self, distance: int = 0, line_count: int | None = None) -> int:
        """Return the number of a line in the file, from 1, for an error message.

        This is slow for a range, because the lines before the range are counted by reading the file from its
        beginning.

        Args:
            distance: The number of lines between the end of a block and the line. It is negative for a line
                of the block: -1 for its last line.
            line_count: The value of `line_count` after the block was yielded; None for the last block.
        """
        line_count = self._line_count if line_count is None else line_count
        return self._count_lines_before_range() + line_count + distance + 1

    def _skip_partial_line(self) -> bytes:
        """Skip the rest of a line that begins before the range, and return the bytes read after its end."""
        while not self._is_past_range(self._offset) and (data := self._read_bytes_at(self._offset)):
            line_end = data.find(b"\n")
            if line_end >= 0:
                next_line = line_end + 1
                self._offset += next_line
                return data[next_line:]
            self._offset += len(data)
        return b""

    def _read_bytes_at(self, offset: int) -> bytes:
        """Read and return the next bytes of the stream, the first of which is at `offset` of the file.

        They end at most `_TAIL_BYTES` behind the range. Return no bytes at the end of the file.
        """
        if self._range_end is None:
            return self._stream.read(self._read_size)
        remaining_bytes = self._range_end - offset
        return self._stream.read(max(_TAIL_BYTES, min(self._read_size, remaining_bytes)))

    def _is_past_range(self, offset: int) -> bool:
        """Return whether a line at `offset` begins after the range."""
        return self._range_end is not None and offset >= self._range_end

    def _measure_whole_lines(self, data: bytes) -> int:
        """Return the number of bytes at the beginning of `data` that are whole lines.

        Lines that begin after the range do not count. `data` begins at the current offset.
        """
        if self._range_end is not None and self._offset + len(data) >= self._range_end:
            # The last line of the range may end behind the range.
            last_byte_of_range = self._range_end - 1 - self._offset
            line_end = data.find(b"\n", last_byte_of_range)
            if line_end >= 0:
                return line_end + 1
        return data.rfind(b"\n") + 1

    def _finish_block(self, block: bytes) -> bytes:
        """Return the next block without its byte order mark, after checking and counting its lines.

        Raise `BulkError` if the block is not valid text.
        """
        text = block
        if self._offset == 0 and block.startswith(_BYTE_ORDER_MARK):
            self._offset = len(_BYTE_ORDER_MARK)
            text = block.removeprefix(_BYTE_ORDER_MARK)
        self._require_valid_text(text)
        self._offset += len(text)
        self._line_count += count_line_ends(text)
        return text

    # --- checks -------------------------------------------------------------------------------------

    def _require_valid_text(self, block: bytes) -> None:
        """Raise `BulkError` if a block is not UTF-8, contains a NUL or has a line that is too long."""
        if self._accepts_any_bytes:
            is_first_block = self._offset == 0
            if is_first_block and (block.startswith(_UTF16_MARKS) or detect_compression(block) is not None):
                self._require_utf8(block)
            self._require_line_lengths(block)
            return
        # UTF-8 is checked before NUL, because a text in UTF-16 is full of NULs.
        if not block.isascii():
            self._require_utf8(block)
        nul_index = block.find(b"\0")
        if nul_index >= 0:
            raise BulkError(
                f"{self._describe_location(block, nul_index)}: a NUL byte, which no text contains; "
                "remove it, for example with: tr -d '\\000'"
            )
        self._require_line_lengths(block)

    def _require_utf8(self, block: bytes) -> None:
        """Raise `BulkError` with the first wrong byte if a block is not UTF-8.

        If the first block of a file is compressed, the message names the compression.
        """
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
            location = self._describe_location(block, error.start)
            raise BulkError(
                f"{location}: the byte 0x{block[error.start]:02x} is not UTF-8; "
                "convert the file, for example with: iconv -f WINDOWS-1252 -t UTF-8"
            ) from error

    def _require_line_lengths(self, block: bytes) -> None:
        """Raise `BulkError` if a line of a block is longer than `MAX_BULK_LINE` bytes."""
        # Lines that end within the next `max_bytes` bytes are short enough, so the search goes on after them.
        max_bytes = MAX_BULK_LINE + 1
        start = 0
        while len(block) - start > max_bytes:
            last_line_end = block.rfind(b"\n", start, start + max_bytes)
            if last_line_end < 0:
                self._require_line_length(block, start, start + max_bytes)
            start = last_line_end + 1

    def _require_line_length(self, block: bytes, start: int, end: int) -> None:
        """Raise `BulkError` if a line, or a part of it, has more than `MAX_BULK_LINE` bytes.

        It reaches from `start` to `end` of the block.
        """
        if end - start > MAX_BULK_LINE:
            raise BulkError(
                f"{self._describe_location(block, start)}: longer than {MAX_BULK_LINE} bytes; "
                "no position is that long: split the file into lines, or name its format"
            )

    def _describe_location(self, block: bytes, index: int) -> str:
        """Return the place of a byte for an error message, such as ``games.epd, line 12 (byte 345)``.

        It is byte `index` of `block`, the next block to be yielded.
        """
        line_number = self.line_number(block.count(b"\n", 0, index))
        unit = "byte" if self._stream.compression is None else "byte of the decompressed text"
        return f"{display_name(self._stream.path)}, line {line_number} ({unit} {self._offset + index})"

    def _count_lines_before_range(self) -> int:
        """Return the number of lines before the range, by reading the file from its beginning."""
        if not self._range_start:
            return 0
        stream = Stream(self._stream.path)
        line_count = 0
        remaining_bytes = self._range_start
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
    r"""Return the number of line ends (``\n``) in a text."""
    chars = np.frombuffer(text, np.uint8)
    return int(np.count_nonzero(chars == ord("\n")))


def _is_utf8(block: bytes) -> bool:
    """Return whether bytes are valid UTF-8. This is faster than decoding them to a Python text."""
    offsets = pa.py_buffer(np.array([0, len(block)], np.int64))
    # Arrow validates the block as an array of one text.
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
    # All line ends are removed, so each line moves to the front by the number of lines before it.
    lines_before = np.arange(line_count)
    np.subtract(line_ends, lines_before, out=offsets[1:], casting="unsafe")
    chars = block.translate(None, b"\n")
    return pa.StringArray.from_buffers(line_count, pa.py_buffer(offsets), pa.py_buffer(chars))


TEXT_SCHEMA: Final = pa.schema([("fen", pa.string())])
EPD_SCHEMA: Final = pa.schema([("fen", pa.string()), ("operations", pa.string())])

_SPACE: Final = ord(" ")
_EPD_FIELDS: Final = 4
"""Number of fields before the operations of a line of EPD."""
_LOWER_CASE_BIT: Final = 0x20
"""The bit that makes an ASCII letter lower case."""


class StreamRows:
    """The rows of a file, in batches that are made one after the other while the file is read."""

    def __init__(self, stream: ByteStream, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
        """Take over `stream`, which `close` closes, and the `batches` that are read from it."""
        self._stream = stream
        self._batches = batches
        self.schema = schema

    @property
    def bytes_read(self) -> int:
        """Number of bytes of the file that have been read."""
        return self._stream.bytes_read

    def iter_batches(self, max_rows: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
        """Yield the rows after the first `skip`, at most `max_rows` in each batch."""
        return slice_batches(self._batches, max_rows, skip)

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def slice_batches(batches: Iterable[pa.RecordBatch], max_rows: int, skip: int) -> Iterator[pa.RecordBatch]:
    """Yield the rows of all batches after the first `skip`, at most `max_rows` in each batch."""
    rows_to_skip = skip
    for batch in batches:
        skipped_rows = min(rows_to_skip, batch.num_rows)
        rows_to_skip -= skipped_rows
        for start in range(skipped_rows, batch.num_rows, max_rows):
            yield batch.slice(start, max_rows)


def parse_text_rows(block: bytes) -> pa.RecordBatch:
    """Return a row for each line of a block of text; blank lines and comments (``# ...``) give null."""
    return pa.record_batch([_split_texts(block)], schema=TEXT_SCHEMA)


def parse_epd_rows(block: bytes) -> pa.RecordBatch:
    """Return a row for each line of a block of EPD, with the columns ``fen`` and ``operations``.

    ``fen`` consists of the four fields of the position and two clocks, which are the values of the operations
    ``hmvc`` and ``fmvn``, or 0 and 1. If a line is not EPD, ``fen`` is the whole line.
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
    # Most blocks have no such line, and the first byte of each line shows it.
    first_chars = find_first_chars(block)
    if not np.any((first_chars <= _SPACE) | (first_chars == ord("#"))):
        return lines
    is_comment = pc.starts_with(lines, "#")
    is_blank = pc.equal(pc.binary_length(pc.ascii_trim_whitespace(lines)), 0)
    return pc.if_else(pc.or_(is_comment, is_blank), None, lines)


def find_first_chars(block: bytes) -> np.ndarray:
    r"""Return the first byte of each line of a block; for an empty line this is the byte of its ``\n``."""
    # With a line end in front of the block, the first byte of every line follows a line end.
    chars = np.frombuffer(b"\n" + block, np.uint8)
    follows_line_end = chars[:-1] == ord("\n")
    first_chars: np.ndarray = chars[1:][follows_line_end]
    return first_chars


def _split_epd(lines: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Return the four fields of the position and the operations of each line, as two arrays.

    In ``8/8/8/8/8/8/8/K1k5 w - - id "1";`` the operations are ``id "1";``. Both values are null if the line
    is not EPD.
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
    """Return the texts before and after the fourth space of each line, and an array of booleans.

    The boolean of a line is true if the two texts are its EPD fields and its operations, which needs single
    spaces between the fields. All lines are cut at once, because a regular expression would be slow.
    """
    _, offset_buffer, char_buffer = lines.buffers()
    offsets = np.frombuffer(offset_buffer, np.int32, len(lines) + 1).astype(np.int64)
    # One more character after the last line, for a line that ends there.
    chars = np.append(np.frombuffer(char_buffer, np.uint8, offsets[-1]), np.uint8(0))
    starts, ends = offsets[:-1], offsets[1:]
    end_1, end_2, end_3, end_4 = _find_field_ends(chars, starts, ends)
    operations_start = np.where(end_4 < ends, end_4 + 1, end_4)

    has_four_fields = (end_1 > starts) & (end_2 > end_1 + 1) & (end_3 > end_2 + 1) & (end_4 > end_3 + 1)
    first_letter = chars[operations_start] | _LOWER_CASE_BIT
    has_operations = (first_letter >= ord("a")) & (first_letter <= ord("z"))
    has_no_operations = operations_start == ends
    ends_with_space = chars[ends - 1] == _SPACE
    is_simple = has_four_fields & (has_no_operations | has_operations) & ~ends_with_space

    # An array of three pieces for each line: the fields, the space after them, and the operations.
    piece_offsets = np.column_stack((starts, end_4, operations_start)).ravel()
    piece_offsets = np.append(piece_offsets, offsets[-1]).astype(np.int32)
    piece_count = 3 * len(lines)
    pieces = pa.StringArray.from_buffers(piece_count, pa.py_buffer(piece_offsets), char_buffer)
    fields = pieces.take(pa.array(np.arange(0, piece_count, 3)))
    operations = pieces.take(pa.array(np.arange(2, piece_count, 3)))
    return fields, operations, is_simple


def _find_field_ends(chars: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> list[np.ndarray]:
    """Return four arrays: the offsets at which the first four fields of each line end.

    A field ends at a space. If a line has fewer fields, those that are missing end at the end of the line.

    Args:
        chars: The characters of all lines.
        starts: The offset of the first character of each line.
        ends: The offset behind the last character of each line.
    """
    spaces = np.flatnonzero(chars == _SPACE)
    # Four more spaces after the last character, for lines with fewer than four.
    spaces = np.append(spaces, np.full(_EPD_FIELDS, len(chars)))
    first_spaces = np.searchsorted(spaces, starts)
    return [np.minimum(spaces[first_spaces + index], ends) for index in range(_EPD_FIELDS)]


def _extract_clock(operations: pa.Array, opcode: str, default: str) -> pa.Array | pa.Scalar:
    """Return the number after `opcode` in the EPD operations of each line: 12 for ``hmvc 12;``.

    The number is `default` where the opcode is missing. If no line has the opcode, one value is returned that
    stands for all lines.
    """
    # Few files have clocks, and searching for a word is ten times as fast as the pattern.
    has_opcode = pc.match_substring(operations, opcode)
    if not pc.any(has_opcode).as_py():
        return pa.scalar(default)
    matches = pc.extract_regex(operations, CLOCK.format(opcode=opcode))
    return pc.fill_null(pc.struct_field(matches, "clock"), default)
