# cython: boundscheck=False, wraparound=False
"""Texts that stand in rooms of equal width, moved together: what an Arrow string array wants.

Kernels write each text at its own place, so that threads do not wait for each other; here the gaps go. The
module runs as it is and compiles with Cython (`compact.pxd` gives the C types).

Limits: buffers that are too small for the rows, and texts that are longer than their rooms, are a
`ValueError`; nothing outside the buffers is read or written.
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
    Bytes = memoryview
    Lengths = memoryview
    Offsets = memoryview
    Size = int

    def move(out: memoryview, at: int, wide: memoryview, start: int, length: int) -> None:
        """Copy some bytes."""
        out[at : at + length] = wide[start : start + length]


def compact(wide: Bytes, width: Size, lengths: Lengths, rows: Size, out: Bytes, offsets: Offsets) -> Size:
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
