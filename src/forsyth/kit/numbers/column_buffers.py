"""What the kernels of columns do with buffers, whatever the game: see that they are large enough, and copy.

The module runs as it is and compiles with Cython (`column_buffers.pxd` gives the C types).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    Size = int
    Flag = bool

    def copy_in(target: bytearray, source: memoryview, start: int, size: int) -> None:
        """Bytes of a column into a buffer."""
        target[:size] = source[start : start + size]

    def copy_out(target: memoryview, start: int, source: bytearray, size: int) -> None:
        """What was written for a row into a buffer of the column."""
        target[start : start + size] = source[:size]


def has_room(size: Size, rows: Size, width: Size) -> Flag:
    """Whether rows of a width go into a buffer; divided, since a product need not fit a number."""
    return width >= 0 and (width == 0 or rows <= size // width)


def require(enough: Flag) -> None:
    """Raise `ValueError` unless the buffers hold the rows, since the kernels do not look again."""
    if not enough:
        raise ValueError("a buffer of the column is too small for its rows, expected one place for each")
