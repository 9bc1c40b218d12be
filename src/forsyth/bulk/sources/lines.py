"""Lines: blocks of whole lines of a stream, as Arrow columns, and the rows of plain text and EPD.

Accepts lines that end with ``\\n`` or ``\\r\\n``, the last one also with ``\\r`` or nothing; a UTF-8 byte
order mark at the beginning is skipped. Empty lines are lines. No Python object is made for a line.

A part of a file is given as a range of bytes: a line belongs to the range in which it begins, so that ranges
that cover a file cover each line once, wherever they are cut.

Text: one column ``fen``, a row for each line, so that row and line have the same number. A line that is
empty, holds only blanks or begins with ``#`` is a row without a text: null.

EPD: ``fen`` is the text of the position as `forsyth.record_bytes.epd_lines` has it: the four fields and the
clocks; ``operations`` is what follows the fields. A line that is not EPD is left unchanged in ``fen``,
without operations: the reader of the game says what it is.

Limits: a line has at most MAX_BULK_LINE bytes; a longer one is found without being held. A NUL or bytes that
are not UTF-8 end the reading with their line and place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk.errors import BulkError, shown
from forsyth.bulk.sources.files import ByteStream, Stream, compression_of
from forsyth.limits import MAX_BULK_LINE
from forsyth.record_bytes.epd_lines import CLOCK, CLOCKS, LINE

BLOCK: Final = 4 << 20
"""Bytes read at once: some ten thousand lines, so that the work on a block outweighs the handling of it."""
_TAIL: Final = 1 << 16
"""Bytes read at once for the line in which a range ends."""
_MARK: Final = b"\xef\xbb\xbf"


class LineBlocks:
    """The lines that begin in a range of a stream (all by default), as blocks that end with ``\\n``.

    The stream stands at the range's `first` byte, or one before it unless that is the file's first.
    """

    def __init__(
        self, stream: ByteStream, first: int = 0, count: int | None = None, size: int | None = None
    ) -> None:
        self._stream = stream
        self._size = BLOCK if size is None else size
        self._first = first
        self._end = None if count is None else first + count
        self._offset = max(first - 1, 0)
        """Of the first byte that has not been given out."""
        self._lines = 0

    @property
    def offset(self) -> int:
        """Where in the file, decompressed, the first byte stands that has not been given out."""
        return self._offset

    @property
    def lines(self) -> int:
        """How many lines of the range have been given out."""
        return self._lines

    def __iter__(self) -> Iterator[bytes]:
        rest = self._behind_first_end() if self._first else b""
        while not self._is_past(self._offset):
            cut = self._cut(rest)
            if cut:
                yield self._give(rest[:cut])
                rest = rest[cut:]
                continue
            self._refuse_long(rest, 0, len(rest))
            data = self._read(self._offset + len(rest))
            if not data:
                break
            rest += data
        else:
            return
        if rest not in (b"", _MARK):
            yield self._give(rest + b"\n")

    def line_number(self, before: int = 0) -> int:
        """The number in the file, from 1, of the line that many behind those given out.

        In a range it is counted from the beginning of the file; only sentences about errors ask for it.
        """
        return self._lines_ahead() + self._lines + before + 1

    def _behind_first_end(self) -> bytes:
        """What was read after the end of the line that the byte before the range belongs to."""
        while not self._is_past(self._offset) and (data := self._read(self._offset)):
            at = data.find(b"\n") + 1
            self._offset += at or len(data)
            if at:
                return data[at:]
        return b""

    def _read(self, at: int) -> bytes:
        if self._end is None:
            return self._stream.read(self._size)
        return self._stream.read(max(_TAIL, min(self._size, self._end - at)))

    def _is_past(self, offset: int) -> bool:
        return self._end is not None and offset >= self._end

    def _cut(self, data: bytes) -> int:
        """Where the last line ends that is whole in `data` and begins in the range; 0 for none."""
        if self._end is not None and self._offset + len(data) >= self._end:
            return data.find(b"\n", self._end - 1 - self._offset) + 1 or data.rfind(b"\n") + 1
        return data.rfind(b"\n") + 1

    def _give(self, block: bytes) -> bytes:
        if self._offset == 0 and block.startswith(_MARK):
            self._offset = len(_MARK)
            block = block[len(_MARK) :]
        self._check(block)
        self._offset += len(block)
        self._lines += line_ends(block)
        return block

    # --- what ends the reading ----------------------------------------------------------------------

    def _check(self, block: bytes) -> None:
        if not block.isascii():
            # First, for a text in UTF-16 is full of NULs.
            self._check_utf8(block)
        at = block.find(b"\0")
        if at >= 0:
            remedy = "remove it, for example with: tr -d '\\000'"
            raise BulkError(f"{self._place(block, at)}: a NUL byte, which no text holds; {remedy}")
        self._check_lengths(block)

    def _check_utf8(self, block: bytes) -> None:
        if _is_utf8(block):
            return
        try:
            block.decode()
        except UnicodeDecodeError as error:
            packed = compression_of(block) if self._offset == 0 else None
            if packed is not None:
                name = shown(self._stream.path)
                raise BulkError(
                    f"{name} is compressed; name its format with --in, such as csv.{packed}"
                ) from None
            found = f"the byte 0x{block[error.start]:02x} is not UTF-8"
            remedy = "convert the file, for example with: iconv -f WINDOWS-1252 -t UTF-8"
            raise BulkError(f"{self._place(block, error.start)}: {found}; {remedy}") from error

    def _check_lengths(self, block: bytes) -> None:
        begin = 0
        while len(block) - begin > MAX_BULK_LINE + 1:
            end = block.rfind(b"\n", begin, begin + MAX_BULK_LINE + 1)
            if end < 0:
                self._refuse_long(block, begin, begin + MAX_BULK_LINE + 1)
            begin = end + 1

    def _refuse_long(self, block: bytes, begin: int, end: int) -> None:
        if end - begin > MAX_BULK_LINE:
            remedy = "no position is that long: split the file into lines, or name its format"
            raise BulkError(f"{self._place(block, begin)}: longer than {MAX_BULK_LINE} bytes; {remedy}")

    def _place(self, block: bytes, at: int) -> str:
        number = self.line_number(block.count(b"\n", 0, at))
        where = "byte" if self._stream.compression is None else "byte of the decompressed text"
        return f"{shown(self._stream.path)}, line {number} ({where} {self._offset + at})"

    def _lines_ahead(self) -> int:
        """Line ends before the range's first line."""
        if not self._first:
            return 0
        stream = Stream(self._stream.path)
        number, left, ended = 0, self._first, True
        try:
            while left and (data := stream.read(min(BLOCK, left))):
                number += data.count(b"\n")
                ended = data.endswith(b"\n")
                left -= len(data)
        finally:
            stream.close()
        return number if ended else number + 1


def line_ends(text: bytes | memoryview) -> int:
    """How many line ends a text has."""
    return int(np.count_nonzero(np.frombuffer(text, np.uint8) == ord("\n")))


def _is_utf8(block: bytes) -> bool:
    """Whether a text is UTF-8, without making one of it."""
    offsets = pa.py_buffer(np.array([0, len(block)], np.int64))
    text = pa.Array.from_buffers(pa.large_string(), 1, [None, offsets, pa.py_buffer(block)])
    try:
        text.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def split_lines(block: bytes) -> pa.Array:
    """The lines of a block as a string column, without their ends."""
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
    ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n"))
    offsets = np.zeros(len(ends) + 1, np.int32)
    # Behind each line one byte is left out, so that every line moves up by those before it.
    np.subtract(ends, np.arange(len(ends)), out=offsets[1:], casting="unsafe")
    chars = block.translate(None, b"\n")
    return pa.StringArray.from_buffers(len(ends), pa.py_buffer(offsets), pa.py_buffer(chars))


TEXT_SCHEMA: Final = pa.schema([("fen", pa.string())])
EPD_SCHEMA: Final = pa.schema([("fen", pa.string()), ("operations", pa.string())])

_SPACE: Final = ord(" ")
_LOWER_CASE: Final = 0x20
"""The bit that makes an ASCII letter a small one."""


class StreamRows:
    """The rows of a stream, whose batches are made one after the other."""

    def __init__(self, stream: ByteStream, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
        self._stream = stream
        self._batches = batches
        self.schema = schema

    @property
    def position(self) -> int:
        """How many bytes of the file have been read."""
        return self._stream.position

    def batches(self, rows: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
        """The rows after the first `skip`, at most `rows` at once."""
        return sliced(self._batches, rows, skip)

    def close(self) -> None:
        """Gives the file back."""
        self._stream.close()


def sliced(batches: Iterable[pa.RecordBatch], rows: int, skip: int) -> Iterator[pa.RecordBatch]:
    """The rows of all batches after the first `skip`, at most `rows` at once."""
    for batch in batches:
        for at in range(min(skip, batch.num_rows), batch.num_rows, rows):
            yield batch.slice(at, rows)
        skip -= min(skip, batch.num_rows)


def text_rows(block: bytes) -> pa.RecordBatch:
    """A row for each line."""
    return pa.record_batch([_lines(block)], schema=TEXT_SCHEMA)


def epd_rows(block: bytes) -> pa.RecordBatch:
    """A row for each line, taken apart where it is EPD."""
    lines = _lines(block)
    if lines.null_count == len(lines):
        return pa.record_batch([lines, lines], schema=EPD_SCHEMA)
    fields, operations = _taken_apart(lines)
    clocks = [_clock(operations, opcode, default) for opcode, default in CLOCKS]
    texts = pc.binary_join_element_wise(fields, *clocks, " ")
    return pa.record_batch([pc.coalesce(texts, lines), operations], schema=EPD_SCHEMA)


def _lines(block: bytes) -> pa.Array:
    """The lines of a block, null those that hold no text."""
    lines = split_lines(block)
    # All but a few lines are recognised by their first byte, which is that of a text.
    firsts = np.frombuffer(b"\n" + block, np.uint8)
    firsts = firsts[1:][firsts[:-1] == ord("\n")]
    if not np.any((firsts <= _SPACE) | (firsts == ord("#"))):
        return lines
    without = pc.or_(
        pc.starts_with(lines, "#"), pc.equal(pc.binary_length(pc.ascii_trim_whitespace(lines)), 0)
    )
    return pc.if_else(without, None, lines)


def _taken_apart(lines: pa.Array) -> tuple[pa.Array, pa.Array]:
    """The four fields and the operations of each line; both null where it is not EPD.

    Lines with single blanks are cut where the fourth of them stands, all of them at once; a pattern, which is
    slow, looks at the others.
    """
    offsets = np.frombuffer(lines.buffers()[1], np.int32, len(lines) + 1).astype(np.int64)
    chars = np.append(np.frombuffer(lines.buffers()[2], np.uint8, offsets[-1]), np.uint8(0))
    begins, ends = offsets[:-1], offsets[1:]
    blanks = np.append(np.flatnonzero(chars == _SPACE), np.full(4, len(chars)))
    places = np.searchsorted(blanks, begins)
    first, second, third, fourth = (np.minimum(blanks[places + number], ends) for number in range(4))
    cut = fourth + (fourth < ends)
    letter = chars[cut] | _LOWER_CASE
    plain = (first > begins) & (second > first + 1) & (third > second + 1) & (fourth > third + 1)
    plain &= (cut == ends) | ((letter >= ord("a")) & (letter <= ord("z")))
    plain &= chars[ends - 1] != _SPACE
    pieces = np.append(np.column_stack((begins, fourth, cut)).ravel(), offsets[-1]).astype(np.int32)
    parts = pa.StringArray.from_buffers(3 * len(lines), pa.py_buffer(pieces), lines.buffers()[2])
    fields, operations = parts.take(_every_third(0, len(lines))), parts.take(_every_third(2, len(lines)))
    if plain.all():
        return fields, operations
    chosen = pa.array(plain)
    slow = pc.extract_regex(pc.utf8_rtrim(pc.if_else(chosen, None, lines), " "), LINE)
    return (
        pc.if_else(chosen, fields, pc.struct_field(slow, "fields")),
        pc.if_else(chosen, operations, pc.struct_field(slow, "operations")),
    )


def _every_third(first: int, count: int) -> pa.Array:
    return pa.array(np.arange(first, 3 * count, 3))


def _clock(operations: pa.Array, opcode: str, default: str) -> pa.Array | pa.Scalar:
    # Few files give clocks, and looking for a word is ten times as fast as the pattern.
    if not pc.any(pc.match_substring(operations, opcode)).as_py():
        return pa.scalar(default)
    found = pc.extract_regex(operations, CLOCK.format(opcode=opcode))
    return pc.fill_null(pc.struct_field(found, "clock"), default)
