# cython: boundscheck=False, wraparound=False
"""What kernels wrote, moved to where Arrow wants it: texts together, notes into columns.

Kernels write each text at its own place, in rooms of equal width, so that threads do not wait for each other;
`compact` takes the gaps away. They write NOTES numbers for each row with findings; `spread_notes` puts each
number into a column of its own, and bits say in which rows there is one. One pass without the GIL: done for
each column by itself it is a seventh of a scan, and other threads wait for it. The module runs as it is and
compiles with Cython (`kernel_output.pxd` gives the C types).

Limits: buffers that are too small for the rows, texts that are longer than their rooms, and codes without a
number are a `ValueError`; nothing outside the buffers is read or written.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

COMPILED: Final[bool] = cython.compiled
"""Whether the kernels run as C: in plain Python the reader is quicker than they are."""

if not cython.compiled:
    from forsyth.column import NOTED, NOTES, REFUSED

    Bytes = memoryview
    Numbers = memoryview
    Shorts = memoryview
    Offsets = memoryview
    Size = int

    def move(out: memoryview, at: int, wide: memoryview, start: int, length: int) -> None:
        """Copy some bytes."""
        out[at : at + length] = wide[start : start + length]


def compact(wide: Bytes, width: Size, lengths: Numbers, rows: Size, out: Bytes, offsets: Offsets) -> Size:
    """Move the texts of `rows` rooms to `out` and write their offsets; how many bytes they are."""
    at: Size = 0
    row: Size
    length: Size
    room: Size = len(out)
    if rows < 0 or width < 0 or rows > len(lengths) or rows >= len(offsets):
        raise ValueError(f"{rows} texts in rooms of {width} bytes; expected a length and an offset for each")
    if width > 0 and rows > len(wide) // width:
        raise ValueError(f"{rows} rooms of {width} bytes in a buffer of {len(wide)}; expected room for all")
    offsets[0] = 0
    with cython.nogil:
        for row in range(rows):
            length = lengths[row]
            if length < 0 or length > width or length > room - at:
                break
            move(out, at, wide, row * width, length)
            at += length
            offsets[row + 1] = at
        else:
            row = rows
    if row < rows:
        raise ValueError(f"the text of row {row} has no room; expected texts that fit their rooms and `out`")
    return at


def spread_notes(
    verdicts: Bytes,
    notes: Numbers,
    rows: Size,
    numbers: Shorts,
    nowhere: Size,
    shorts: Shorts,
    places: Numbers,
    bits: Bytes,
) -> None:
    """Write what was noted of each row, zeros for the others.

    `numbers` are those of the kernel's codes, and `nowhere` is the square of a finding without one. `shorts`
    takes the codes of all rows, then the severities; `places` the starts, the ends, the squares, and how many
    findings there are; `bits` which rows have findings, then, from a whole byte on, which have no error.
    """
    row: Size
    at: Size
    size: Size = (rows + 7) // 8
    codes: Size = len(numbers)
    bad: Size = -1
    if rows < 0 or rows > len(verdicts) or rows > len(notes) // NOTES:
        raise ValueError(f"{rows} rows; expected a verdict and {NOTES} notes for each")
    if rows > len(shorts) // 2 or rows > len(places) // 4 or size > len(bits) // 2:
        raise ValueError(f"columns that are too small; expected room for {rows} rows")
    with cython.nogil:
        for at in range(2 * size):
            bits[at] = 0
        for row in range(rows):
            if verdicts[row] != REFUSED:
                bits[size + (row >> 3)] |= 1 << (row & 7)
            at = NOTES * row
            if verdicts[row] < NOTED:
                shorts[row] = shorts[rows + row] = 0
                places[row] = places[rows + row] = places[2 * rows + row] = places[3 * rows + row] = 0
                continue
            if not 0 <= notes[at] < codes:
                bad = row
                break
            bits[row >> 3] |= 1 << (row & 7)
            shorts[row] = numbers[notes[at]]
            shorts[rows + row] = notes[at + 1]
            places[row] = notes[at + 2]
            places[rows + row] = notes[at + 3]
            places[2 * rows + row] = notes[at + 4] if notes[at + 4] >= 0 else nowhere
            places[3 * rows + row] = notes[at + 5]
    if bad >= 0:
        raise ValueError(f"the code noted of row {bad} has no number; expected one below {codes}")
