"""Texts that stand in rooms of equal width, moved together: what an Arrow string array wants.

Kernels write each text at its own place, so that threads do not wait for each other; here the gaps go. The
module runs as it is and compiles with Cython (`compact.pxd` gives the C types).
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
    offsets[0] = 0
    with cython.nogil:
        for row in range(rows):
            move(out, at, wide, row * width, lengths[row])
            at += lengths[row]
            offsets[row + 1] = at
    return at
