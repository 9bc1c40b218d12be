"""Files of lines as rows, block by block: plain text and EPD.

Text: one column ``fen``, a row for each line, so that row and line have the same number. A line that is
empty, holds only blanks or begins with ``#`` is a row without a text: null.

EPD: ``fen`` is the text of the position as `forsyth.epd_lines` has it: the four fields and the clocks;
``operations`` is what stood behind the fields. A line that is no EPD stays as it is in ``fen``, without
operations: the reader of the game says what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk.lines import split_lines
from forsyth.bulk.streams import Stream
from forsyth.epd_lines import CLOCK, CLOCKS, LINE

TEXT_SCHEMA: Final = pa.schema([("fen", pa.string())])
EPD_SCHEMA: Final = pa.schema([("fen", pa.string()), ("operations", pa.string())])

_SPACE: Final = ord(" ")
_LOWER_CASE: Final = 0x20
"""The bit that makes an ASCII letter a small one."""


class LineRows:
    """The rows of blocks of lines; `convert` makes the rows of one block."""

    def __init__(
        self,
        stream: Stream,
        blocks: Iterable[bytes],
        schema: pa.Schema,
        convert: Callable[[bytes], pa.RecordBatch],
    ) -> None:
        self._stream = stream
        self._blocks = blocks
        self._convert = convert
        self.schema = schema

    @property
    def position(self) -> int:
        """How many bytes of the file have been read."""
        return self._stream.position

    def batches(self, rows: int, skip: int = 0) -> Iterator[pa.RecordBatch]:
        """The rows behind the first `skip`, at most `rows` at once."""
        return sliced(map(self._convert, self._blocks), rows, skip)

    def close(self) -> None:
        """Gives the file back."""
        self._stream.close()


def sliced(batches: Iterable[pa.RecordBatch], rows: int, skip: int) -> Iterator[pa.RecordBatch]:
    """The rows of all batches behind the first `skip`, at most `rows` at once."""
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
    # All but a few lines are told by their first byte, which is that of a text.
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
