# cython: boundscheck=False, wraparound=False
"""Texts of records side by side in memory, as Arrow has them: gathered from places in the bytes that were
read.

Each function works without the GIL where it is compiled (`texts.pxd` gives the C types), and checks
every place before anything is copied.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.record_bytes.columns import Texts

if not cython.compiled:
    Bytes = memoryview
    Bytearray = memoryview
    Filled = memoryview
    Ints = memoryview
    Kinds = bytes | bytearray
    Size = int
    i32 = int
    AS_IT_IS: Final = 0
    ESCAPED: Final = 1
    FOLDED: Final = 2

    def equal(data: memoryview, at: int, name: memoryview, size: int) -> bool:
        """Whether a name stands at a place."""
        return data[at : at + size] == name[:size]

    def copy(out: memoryview, to: int, data: memoryview, at: int, size: int) -> None:
        """Copy some bytes."""
        out[to : to + size] = data[at : at + size]


def numbers(count: int) -> memoryview:
    """Room for numbers (format ``i``)."""
    return memoryview(bytearray(4 * count + 4)).cast("i")[:count]


def gather(data: Bytes, starts: Ints, lengths: Ints, kinds: Kinds) -> Texts:
    """The texts at these places, as they are, with escapes resolved (1) or with their lines folded (2)."""
    count: Size = len(starts)
    row: Size
    size: Size = 0
    bad: i32 = 0
    if len(lengths) < count or len(kinds) < count:
        raise ValueError(f"{count} texts begin, but fewer lengths or kinds are given")
    for row in range(count):
        if starts[row] < 0 or lengths[row] < 0 or lengths[row] > len(data) - starts[row]:
            bad = 1
        size += lengths[row]
    if bad or size >= 1 << 31:
        raise ValueError(f"texts of {size} bytes lead out of {len(data)} bytes, or are too many")
    offsets = numbers(count + 1)
    chars = memoryview(bytearray(size + 1))
    ends: Filled = offsets
    out: Bytearray = chars
    size = 0
    with cython.nogil:
        for row in range(count):
            if kinds[row] == ESCAPED:
                size = put_unescaped(out, size, data, starts[row], starts[row] + lengths[row])
            elif kinds[row] == FOLDED:
                size = put_folded(out, size, data, starts[row], starts[row] + lengths[row])
            elif lengths[row]:
                copy(out, size, data, starts[row], lengths[row])
                size += lengths[row]
            ends[row + 1] = size
    return offsets, chars[:size]


def put_unescaped(out: Bytearray, to: Size, data: Bytes, at: Size, end: Size) -> Size:
    """Write the value of a tag; where it ends."""
    while at < end:
        if data[at] == 92 and at + 1 < end:
            at += 1
        out[to] = data[at]
        to += 1
        at += 1
    return to


def put_folded(out: Bytearray, to: Size, data: Bytes, at: Size, end: Size) -> Size:
    """Write a comment, one blank for each line break and the blanks around it; where it ends."""
    start: Size = to
    broken: bool = False
    while at < end:
        if data[at] == 10 or data[at] == 13:
            while to > start and out[to - 1] <= 32:
                to -= 1
            broken = True
        elif data[at] > 32 or not broken:
            if broken and to > start:
                out[to] = 32
                to += 1
            broken = False
            out[to] = data[at]
            to += 1
        at += 1
    return to


def widened(lengths: Bytes) -> memoryview:
    """Lengths of a byte each as numbers (format ``i``)."""
    found = numbers(len(lengths))
    out: Filled = found
    row: Size
    for row in range(len(lengths)):
        out[row] = lengths[row]
    return found


def rows_named(data: Bytes, first: Ints, names: Ints, lengths: Ints, name: Bytes) -> memoryview:
    """For each game which of its tags has a name, as a row of the table of tags; −1 where none has."""
    games: Size = len(first) - 1
    size: Size = len(name)
    game: Size
    row: Size
    found = numbers(games)
    out: Filled = found
    for game in range(games):
        out[game] = -1
        for row in range(max(first[game], 0), min(first[game + 1], len(names))):
            if (
                lengths[row] == size
                and 0 <= names[row] <= len(data) - size
                and equal(data, names[row], name, size)
            ):
                out[game] = row
                break
    return found


def bits_of(column: Ints, nothing: int) -> tuple[bytes, int]:
    """Where a column says something, as the bits that Arrow takes, and where it says nothing, how often."""
    count: Size = len(column)
    row: Size
    missing: Size = 0
    absent: i32 = nothing
    bitmap = bytearray((count + 7) // 8 + 1)
    out: Bytearray = memoryview(bitmap)
    with cython.nogil:
        for row in range(count):
            if column[row] == absent:
                missing += 1
            else:
                out[row >> 3] |= 1 << (row & 7)
    return bytes(bitmap[: (count + 7) // 8]), missing
