"""Lines of a stream as blocks of whole lines, and as Arrow columns, without a Python object for each.

Accepts lines that end with ``\\n`` or ``\\r\\n``, the last one also with ``\\r`` or nothing; a UTF-8 byte
order mark at the beginning is passed over. Empty lines are lines.

A part of a file is given as a range of bytes: a line belongs to the range in which it begins, so that ranges
that cover a file cover its lines once, wherever they are cut.

Limits: a line has at most MAX_BULK_LINE bytes; a longer one is found without being held. A NUL or bytes that
are not UTF-8 end the reading with their line and place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import pyarrow as pa

from forsyth.bulk.errors import BulkError, shown
from forsyth.bulk.streams import Stream
from forsyth.limits import MAX_BULK_LINE

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
        self, stream: Stream, first: int = 0, count: int | None = None, size: int | None = None
    ) -> None:
        self._stream = stream
        self._size = BLOCK if size is None else size
        self._first = first
        self._end = None if count is None else first + count
        self._offset = max(first - 1, 0)
        """Of the first byte that has not been given out."""
        self._lines = 0

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
        """What was read behind the end of the line that the byte before the range belongs to."""
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
        self._lines += block.count(b"\n")
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
        try:
            block.decode()
        except UnicodeDecodeError as error:
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
