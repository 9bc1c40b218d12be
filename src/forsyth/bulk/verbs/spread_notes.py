# cython: boundscheck=False, wraparound=False
"""What a scan noted of some rows, as columns for all rows: what an Arrow struct wants.

Kernels write NOTES numbers for each row with findings; here each number goes to a column of its own, and bits
say in which rows there is one. One pass without the GIL: done for each column by itself it is a seventh of a
scan, and other threads wait for it. The module runs as it is and compiles with Cython (`spread_notes.pxd`).

Limits: columns that are too small for the rows, and codes without a number, are a `ValueError`; nothing
outside the buffers is read or written.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.column import NOTED, NOTES, REFUSED

    Bytes = memoryview
    Numbers = memoryview
    Shorts = memoryview
    Size = int


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
