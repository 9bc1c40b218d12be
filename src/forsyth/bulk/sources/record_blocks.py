"""Files of records (PGN) as blocks of text that hold whole records, so that several cores can read one file.

A block is a row: ``text``, its bytes; ``line``, how many lines of the range lie before it; ``lines``, how
many it has. A file is cut only at a *border*: a line with a tag, behind a blank line, behind a line that
begins with a letter, a digit or ``*``. There a record begins whatever stands before it. Where no border comes
for MOST_BYTES, a block ends after a line that ends with a result, or else before a tag, or else anywhere
between lines.

A part of a file is given as a range of bytes: a border belongs to the range in which the line before its
blank lines begins, so that ranges that cover a file cover each record once, wherever they are cut.

Limits: those of lines. A file that begins with a comment that is not closed, before any tag, may be cut where
the reader of the whole file would go on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from struct import pack
from typing import Final, NamedTuple

import pyarrow as pa

from forsyth.bulk.sources.files import ByteStream
from forsyth.bulk.sources.lines import LineBlocks, line_ends, sliced
from forsyth.limits import MAX_BULK_LINE

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
_RESULTS: Final = (b"-0", b"-1", b"-1/2", b"*")
"""How a line ends that ends with a result."""


class RecordBlocks:
    """The blocks of a stream, or of those of its records that begin in a range of bytes.

    The stream stands at the range's `first` byte, or one before it unless that is the file's first.
    """

    def __init__(
        self, stream: ByteStream, first: int = 0, count: int | None = None, size: int | None = None
    ) -> None:
        self.schema = BLOCK_SCHEMA
        self._stream = stream
        self._first = first
        self._end = None if count is None else first + count
        self._lines = LineBlocks(stream, first, size=size or BLOCK_BYTES)

    @property
    def position(self) -> int:
        """How many bytes of the file have been read."""
        return self._stream.position

    def batches(self, rows: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
        """The blocks after the first `skip`, each as a batch."""
        return sliced(self._found(), rows, skip)

    def close(self) -> None:
        """Gives the file back."""
        self._stream.close()

    def _found(self) -> Iterator[pa.RecordBatch]:
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


def texts_of(blocks: pa.RecordBatch) -> list[memoryview]:
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
        if data[begin:end].rstrip().endswith(_RESULTS):
            return end
        end = begin
    return data.rfind(b"\n[") + 1 or len(data)
