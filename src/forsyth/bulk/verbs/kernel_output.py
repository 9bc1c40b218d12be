# cython: boundscheck=False, wraparound=False
"""Conversion of the output of kernels to the layout of Arrow: texts without gaps, and findings in columns.

Kernels write each text to a slot of its own. All slots have the same width, so that threads do not wait for
each other. `compact_texts` removes the gaps. For each row with findings, kernels also write NOTES numbers.
`scatter_findings` writes each number to a column of its own, and sets bits for the rows that have findings.
Both work in one pass without the GIL: with one pass per column, this took a seventh of the time of a scan and
blocked other threads. The module runs as it is and compiles with Cython (`kernel_output.pxd` has the types).

Limits: `ValueError` for buffers that are too small for the rows, texts that are longer than their slots, and
codes without a number. Nothing outside of the buffers is read or written.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

COMPILED: Final[bool] = cython.compiled
"""Whether the kernels are compiled. In plain Python they are slower than the reader."""

if not cython.compiled:
    from forsyth.column import NOTED, NOTES, REFUSED

    CODE: Final = 0
    SEVERITY: Final = 1
    START: Final = 2
    END: Final = 3
    SQUARE: Final = 4
    COUNT: Final = 5
    """Index of each number in the notes on a row."""

    SHORT_COLUMNS: Final = 2
    INT_COLUMNS: Final = 4
    BITMAPS: Final = 2
    """Numbers of columns that `scatter_findings` writes, of 16-bit numbers, 32-bit numbers and bits."""

    Bytes = memoryview
    Numbers = memoryview
    Shorts = memoryview
    Offsets = memoryview
    Size = int

    def copy_bytes(target: memoryview, target_start: int, source: memoryview, start: int, size: int) -> None:
        """Copy `size` bytes from index `start` of `source` to index `target_start` of `target`."""
        target[target_start : target_start + size] = source[start : start + size]

    def set_bit(bitmaps: memoryview, first_byte: int, row: int) -> None:
        """Set the bit of a row in the bitmap that begins at `first_byte`.

        Each byte has the bits of eight rows. Its lowest bit belongs to the first of these rows.
        """
        bitmaps[first_byte + row // 8] |= 1 << (row % 8)


def compact_texts(
    slots: Bytes, width: Size, lengths: Numbers, rows: Size, output: Bytes, offsets: Offsets
) -> Size:
    """Copy texts from their slots to `output` without gaps, and return their size in bytes.

    In slots of 4 bytes, for example, ``e4..Nf3.`` becomes ``e4Nf3`` with the offsets 0, 2 and 5.

    Args:
        slots: The texts, each at the start of a slot of `width` bytes. The slots follow one another.
        width: The size of a slot in bytes.
        lengths: The size of each text in bytes.
        rows: The number of texts.
        output: Receives the texts.
        offsets: Receives the start of each text, and the end of the last one.

    Raises:
        ValueError: If a buffer is too small, or a text is longer than its slot.
    """
    end: Size = 0
    row: Size
    length: Size
    capacity: Size = len(output)
    if rows < 0 or width < 0 or rows > len(lengths) or rows >= len(offsets):
        raise ValueError(
            f"{rows} texts have {len(lengths)} lengths and {len(offsets)} offsets, "
            f"expected at least {rows} and {rows + 1}"
        )
    if width > 0 and rows > len(slots) // width:
        raise ValueError(f"the buffer has {len(slots)} bytes, expected {rows} slots of {width} bytes")
    offsets[0] = 0
    with cython.nogil:
        for row in range(rows):
            length = lengths[row]
            if length < 0 or length > width or length > capacity - end:
                break
            copy_bytes(output, end, slots, row * width, length)
            end += length
            offsets[row + 1] = end
        else:
            row = rows
    if row < rows:
        raise ValueError(f"the text of row {row} does not fit into its slot or the output buffer")
    return end


def scatter_findings(
    verdicts: Bytes,
    notes: Numbers,
    rows: Size,
    code_numbers: Shorts,
    no_square: Size,
    short_columns: Shorts,
    int_columns: Numbers,
    bitmaps: Bytes,
) -> None:
    """Write the first finding (error or warning) of each row to columns, or zeros if it has none.

    Args:
        verdicts: A byte per row, such as REFUSED for a text with an error, or NOTED for one with a warning.
        notes: NOTES numbers per row: code, severity, start, end, square (negative: none), number of findings.
        rows: The number of rows.
        code_numbers: The number to write for each code in `notes`.
        no_square: The number to write for a finding without a square.
        short_columns: Receives the codes of all rows, then the severities.
        int_columns: Receives the starts, the ends, the squares, and the numbers of findings.
        bitmaps: Receives a bit for each row with findings; then, in new bytes, for each without error.

    Raises:
        ValueError: If a buffer is too small, or a code has no number.
    """
    row: Size
    byte: Size
    first_note: Size
    # The columns follow one another: index of the first severity, end, square and count in their buffers.
    first_severity: Size = rows
    first_end: Size = rows
    first_square: Size = 2 * rows
    first_count: Size = 3 * rows
    bitmap_size: Size = (rows + 7) // 8
    no_error_bitmap: Size = bitmap_size
    code: Size
    square: Size
    code_count: Size = len(code_numbers)
    unknown_row: Size = -1
    if rows < 0 or rows > len(verdicts) or rows > len(notes) // NOTES:
        raise ValueError(
            f"{rows} rows have {len(verdicts)} verdicts and {len(notes)} notes, "
            f"expected 1 and {NOTES} for each row"
        )
    if (
        rows > len(short_columns) // SHORT_COLUMNS
        or rows > len(int_columns) // INT_COLUMNS
        or bitmap_size > len(bitmaps) // BITMAPS
    ):
        raise ValueError(f"the columns for findings are too small, expected space for {rows} rows")
    with cython.nogil:
        for byte in range(BITMAPS * bitmap_size):
            bitmaps[byte] = 0
        for row in range(rows):
            if verdicts[row] != REFUSED:
                set_bit(bitmaps, no_error_bitmap, row)
            # Verdicts below NOTED have no notes.
            if verdicts[row] < NOTED:
                short_columns[row] = short_columns[first_severity + row] = 0
                int_columns[row] = int_columns[first_end + row] = 0
                int_columns[first_square + row] = int_columns[first_count + row] = 0
                continue
            first_note = NOTES * row
            code = notes[first_note + CODE]
            square = notes[first_note + SQUARE]
            if not 0 <= code < code_count:
                unknown_row = row
                break
            set_bit(bitmaps, 0, row)
            short_columns[row] = code_numbers[code]
            short_columns[first_severity + row] = notes[first_note + SEVERITY]
            int_columns[row] = notes[first_note + START]
            int_columns[first_end + row] = notes[first_note + END]
            int_columns[first_square + row] = square if square >= 0 else no_square
            int_columns[first_count + row] = notes[first_note + COUNT]
    if unknown_row >= 0:
        raise ValueError(
            f"row {unknown_row} has an unknown code of finding, expected a code below {code_count}"
        )
