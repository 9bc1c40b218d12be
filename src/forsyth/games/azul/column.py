"""Azul in whole columns: the kernels of `forsyth.column.Column`, without objects and without the lock.

Answered are all texts, standard and extended, for two to four players, whose content has no error, which is
what `kernel.decode` decodes; with `legality` those of them that have no warning. Left to the reader are all
others, also texts that can be read but whose content is wrong, such as a line of two colours.

Unpacked are the forms of 53, 69 and 85 bytes, of positions that can arise or not. Left to `packed` are forms
that hold text, and those whose text would be longer than a text may be.

Limits: a text that does not lie within the characters given is left to the reader; buffers too small for the
rows asked for are a `ValueError`.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.azul.features import FEATURES
from forsyth.games.azul.kernel import MAX_LENGTH
from forsyth.games.azul.planes import PLANES

if not cython.compiled:
    from forsyth.column import ASK, CANONICAL, SPELLED
    from forsyth.games.azul.blake2b import digest_16
    from forsyth.games.azul.cells import CELLS, FINDINGS, PLAYERS, Cells
    from forsyth.games.azul.cells_write import ROOM, write_cells
    from forsyth.games.azul.features import put_features
    from forsyth.games.azul.kernel import read_cells
    from forsyth.games.azul.legality import is_reachable
    from forsyth.games.azul.packed import PACKED, pack_cells, packed_size, unpack_cells
    from forsyth.games.azul.planes import PLANE_BYTES, put_planes

    Size = int
    Chars = memoryview
    Offsets = memoryview
    Out = memoryview
    Numbers = memoryview
    Text = bytearray
    Bytes = memoryview
    Bytearray = memoryview
    Places = memoryview
    Integers = memoryview

    def chars_in(view: memoryview) -> memoryview:
        """The bytes of a buffer."""
        return view

    def chars_at(s: memoryview, at: int, end: int) -> bytes:
        """The characters of one row."""
        return bytes(s[at:end])

    offsets_in = bytes_in = numbers_in = chars_in

    def copy(out: memoryview, at: int, text: bytearray, length: int) -> None:
        """Write the beginning of a text at a place."""
        out[at : at + length] = text[:length]

    def clear(out: memoryview, at: int, end: int) -> None:
        """Write zeros between two places."""
        out[at:end] = bytes(end - at)


_KEY_BYTES: Final = 16


class AzulColumn:
    """The kernels of Azul, for any number of players."""

    def scan(
        self, chars: Bytes, offsets: Places, first: Size, last: Size, legality: bool, verdicts: Bytearray
    ) -> None:
        """A verdict for each row; with `legality`, CANONICAL and SPELLED mean without a warning as well."""
        _require_rows(first, last, len(offsets) - 1)
        _require_rows(first, last, len(verdicts))
        s: Chars = chars_in(chars)
        size: Size = len(chars)
        o: Offsets = offsets_in(offsets)
        v: Out = bytes_in(verdicts)
        legal: cython.bint = legality
        with cython.nogil:
            _scan(s, size, o, first, last, legal, v)

    def rewrite(
        self,
        chars: Bytes,
        offsets: Places,
        first: Size,
        last: Size,
        verdicts: Bytearray,
        out: Bytearray,
        lengths: Integers,
        width: Size,
    ) -> None:
        """The canonical text of each row whose verdict is SPELLED, at ``i * width`` of `out`."""
        _require_rows(first, last, len(offsets) - 1)
        _require_rows(first, last, len(verdicts))
        _require_rows(first, last, len(lengths))
        _require_room(len(out), last, MAX_LENGTH)
        _require_room(len(out), last, width)
        s: Chars = chars_in(chars)
        size: Size = len(chars)
        o: Offsets = offsets_in(offsets)
        v: Out = bytes_in(verdicts)
        texts: Out = bytes_in(out)
        n: Numbers = numbers_in(lengths)
        with cython.nogil:
            _rewrite(s, size, o, first, last, v, texts, n, width)

    def keys(
        self, chars: Bytes, offsets: Places, first: Size, last: Size, verdicts: Bytearray, out: Bytearray
    ) -> None:
        """The verdict of each row as by `scan` without legality, and the 16 bytes of its key."""
        _require_rows(first, last, len(offsets) - 1)
        _require_rows(first, last, len(verdicts))
        _require_room(len(out), last, _KEY_BYTES)
        s: Chars = chars_in(chars)
        size: Size = len(chars)
        o: Offsets = offsets_in(offsets)
        v: Out = bytes_in(verdicts)
        found: Out = bytes_in(out)
        with cython.nogil:
            _keys(s, size, o, first, last, v, found)

    def pack(
        self,
        chars: Bytes,
        offsets: Places,
        first: Size,
        last: Size,
        verdicts: Bytearray,
        out: Bytearray,
        width: Size,
    ) -> None:
        """The verdict of each row, and its packed form filled up with zeros to `width`."""
        _require_rows(first, last, len(offsets) - 1)
        _require_rows(first, last, len(verdicts))
        _require_room(len(out), last, width)
        s: Chars = chars_in(chars)
        size: Size = len(chars)
        o: Offsets = offsets_in(offsets)
        v: Out = bytes_in(verdicts)
        packed: Out = bytes_in(out)
        with cython.nogil:
            _pack(s, size, o, first, last, v, packed, width)

    def unpack(
        self,
        packed: Bytes,
        width: Size,
        first: Size,
        last: Size,
        verdicts: Bytearray,
        out: Bytearray,
        lengths: Integers,
        room: Size,
    ) -> None:
        """The canonical text of each packed form, at ``i * room`` of `out`; verdict ASK where it is none."""
        _require_rows(first, last, len(verdicts))
        _require_rows(first, last, len(lengths))
        _require_room(len(packed), last, width)
        _require_room(len(out), last, room)
        data: Chars = chars_in(packed)
        v: Out = bytes_in(verdicts)
        texts: Out = bytes_in(out)
        n: Numbers = numbers_in(lengths)
        with cython.nogil:
            _unpack(data, width, first, last, v, texts, n, room)

    def features(
        self,
        chars: Bytes,
        offsets: Places,
        first: Size,
        last: Size,
        verdicts: Bytearray,
        out: Integers,
        rows: Size,
    ) -> None:
        """The verdict of each row, and its features: that of number f at ``f * rows + i``."""
        _require_rows(first, last, len(offsets) - 1)
        _require_rows(first, last, len(verdicts))
        _require_rows(first, last, rows)
        _require_room(len(out), rows, len(FEATURES))
        s: Chars = chars_in(chars)
        size: Size = len(chars)
        o: Offsets = offsets_in(offsets)
        v: Out = bytes_in(verdicts)
        numbers: Numbers = numbers_in(out)
        with cython.nogil:
            _features(s, size, o, first, last, v, numbers, rows)

    def planes(
        self, chars: Bytes, offsets: Places, first: Size, last: Size, verdicts: Bytearray, out: Bytearray
    ) -> None:
        """The verdict of each row, and its planes, as many bytes for each row as they have."""
        _require_rows(first, last, len(offsets) - 1)
        _require_rows(first, last, len(verdicts))
        _require_room(len(out), last, PLANES.size)
        s: Chars = chars_in(chars)
        size: Size = len(chars)
        o: Offsets = offsets_in(offsets)
        v: Out = bytes_in(verdicts)
        found: Out = bytes_in(out)
        with cython.nogil:
            _planes(s, size, o, first, last, v, found)


def _require_rows(first: Size, last: Size, rows: Size) -> None:
    if not 0 <= first <= last <= rows:
        raise ValueError(f"rows {first} to {last} are not among the {rows} rows of the buffers given")


def _require_room(size: Size, rows: Size, width: Size) -> None:
    # Divided, not multiplied: the product of two numbers need not fit a number.
    if width < 0 or (width > 0 and rows > size // width):
        raise ValueError(f"a buffer holds {size} items, but {rows} rows need {width} each")


# --- the rows ---------------------------------------------------------------------------------------


def _verdict(s: Chars, size: Size, o: Offsets, row: Size, cells: Cells) -> int:
    """What is known about a row; its cells, unless the answer is ASK."""
    at: Size = o[row]
    end: Size = o[row + 1]
    if at < 0 or end < at or end > size or not read_cells(chars_at(s, at, end), end - at, cells):
        return ASK
    return SPELLED if cells[FINDINGS] else CANONICAL


def _scan(s: Chars, size: Size, o: Offsets, first: Size, last: Size, legality: bool, verdicts: Out) -> None:
    cells: Cells
    row: Size
    if not cython.compiled:
        cells = [0] * CELLS
    for row in range(first, last):
        verdicts[row] = _verdict(s, size, o, row, cells)
        if legality and verdicts[row] != ASK and not is_reachable(cells):
            verdicts[row] = ASK


def _rewrite(
    s: Chars,
    size: Size,
    o: Offsets,
    first: Size,
    last: Size,
    verdicts: Out,
    out: Out,
    lengths: Numbers,
    width: Size,
) -> None:
    cells: Cells
    row: Size
    if not cython.compiled:
        cells = [0] * CELLS
    for row in range(first, last):
        if verdicts[row] == SPELLED and _verdict(s, size, o, row, cells) != ASK:
            lengths[row] = write_cells(cells, out, row * width) - row * width


def _keys(s: Chars, size: Size, o: Offsets, first: Size, last: Size, verdicts: Out, out: Out) -> None:
    cells: Cells
    text: Text
    row: Size
    if not cython.compiled:
        cells = [0] * CELLS
        text = bytearray(ROOM)
    for row in range(first, last):
        verdicts[row] = _verdict(s, size, o, row, cells)
        if verdicts[row] == CANONICAL:
            digest_16(s, o[row], o[row + 1], out, 16 * row)
        elif verdicts[row] == SPELLED:
            digest_16(text, 0, write_cells(cells, text, 0), out, 16 * row)


def _pack(
    s: Chars, size: Size, o: Offsets, first: Size, last: Size, verdicts: Out, out: Out, width: Size
) -> None:
    cells: Cells
    row: Size
    if not cython.compiled:
        cells = [0] * CELLS
    for row in range(first, last):
        verdicts[row] = _verdict(s, size, o, row, cells)
        if verdicts[row] == ASK:
            continue
        if packed_size(cells[PLAYERS]) > width:
            verdicts[row] = ASK
        else:
            clear(out, pack_cells(cells, out, row * width), (row + 1) * width)


def _unpack(
    packed: Chars, width: Size, first: Size, last: Size, verdicts: Out, out: Out, lengths: Numbers, room: Size
) -> None:
    cells: Cells
    text: Text
    length: Size
    row: Size
    if not cython.compiled:
        cells = [0] * CELLS
        text = bytearray(ROOM)
    for row in range(first, last):
        verdicts[row] = ASK
        if unpack_cells(chars_at(packed, row * width, (row + 1) * width), width, cells) == PACKED:
            length = write_cells(cells, text, 0)
            if length <= room:
                copy(out, row * room, text, length)
                lengths[row] = length
                verdicts[row] = CANONICAL


def _features(
    s: Chars, size: Size, o: Offsets, first: Size, last: Size, verdicts: Out, out: Numbers, rows: Size
) -> None:
    cells: Cells
    row: Size
    if not cython.compiled:
        cells = [0] * CELLS
    for row in range(first, last):
        verdicts[row] = _verdict(s, size, o, row, cells)
        if verdicts[row] != ASK:
            put_features(cells, out, row, rows)


def _planes(s: Chars, size: Size, o: Offsets, first: Size, last: Size, verdicts: Out, out: Out) -> None:
    cells: Cells
    row: Size
    if not cython.compiled:
        cells = [0] * CELLS
    for row in range(first, last):
        verdicts[row] = _verdict(s, size, o, row, cells)
        if verdicts[row] != ASK:
            put_planes(cells, out, row * PLANE_BYTES)


COLUMN: Final = AzulColumn()
