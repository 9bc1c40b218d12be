"""Azul in whole columns: the kernels of `forsyth.column.Column`, without objects and without the lock.

Answered are all texts, standard and extended, for two to four players, that `scanner` reads: those without
an error of format. With `legality`, what is wrong with them is noted by `notes` and `reachability_notes`;
errors of format are noted by `format_notes`. Left to the reader are all others: a wrong number of components,
what lenient mode mends, packed forms that hold text, and texts with more errors than a reading lists.

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

from forsyth.games.azul.notation.kernel import MAX_LENGTH
from forsyth.games.azul.notation.notes import NOTED_CODES, SQUARES
from forsyth.games.azul.numbers.features import FEATURES
from forsyth.games.azul.numbers.planes import PLANES

if not cython.compiled:
    from forsyth.column import ASK, CANONICAL, LENIENT, NOTED, NOTES, REFUSED, SPELLED, STRICT
    from forsyth.games.azul.notation.cells import (
        BAG,
        CELLS,
        DISCARD,
        FINDINGS,
        PLAYERS,
        STRANGE,
        STRANGE_BOARDS,
        Cells,
        Count,
    )
    from forsyth.games.azul.notation.cells_write import ROOM, write_cells
    from forsyth.games.azul.notation.format_notes import MOST_NOTED, note_format
    from forsyth.games.azul.notation.notes import NO_SQUARE, SPELLING, Note, note_content, put_first
    from forsyth.games.azul.notation.reachability_notes import note_reachability
    from forsyth.games.azul.notation.scanner import LONGEST, UNREAD, read_cells
    from forsyth.games.azul.numbers.features import put_features
    from forsyth.games.azul.numbers.packed import PACKED, pack_cells, packed_size, unpack_cells
    from forsyth.games.azul.numbers.planes import PLANE_BYTES, put_planes
    from forsyth.games.azul.rules.legality import is_reachable, is_sound
    from forsyth.games.azul.tiles import SIZE
    from forsyth.kit.numbers.blake2b import digest_16

    Size = int
    Chars = memoryview
    Line = bytes
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

    codes: tuple[str, ...] = NOTED_CODES
    squares: tuple[str, ...] = SQUARES

    def scan(
        self,
        chars: Bytes,
        offsets: Places,
        first: Size,
        last: Size,
        mode: Size,
        legality: bool,
        verdicts: Bytearray,
        notes: Integers,
    ) -> None:
        """A verdict for each row; notes about those that are NOTED or REFUSED."""
        _require_rows(first, last, len(offsets) - 1)
        _require_rows(first, last, len(verdicts))
        _require_room(len(notes), last, NOTES)
        s: Chars = chars_in(chars)
        size: Size = len(chars)
        o: Offsets = offsets_in(offsets)
        v: Out = bytes_in(verdicts)
        n: Numbers = numbers_in(notes)
        legal: cython.bint = legality
        with cython.nogil:
            _scan(s, size, o, first, last, mode, legal, v, n)

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
        """The canonical text of each row whose verdict is SPELLED or NOTED, at ``i * width`` of `out`."""
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
    if not _is_inside(size, o, row) or read_cells(chars_at(s, at, end), end - at, cells) == UNREAD:
        return ASK
    return SPELLED if cells[FINDINGS] else CANONICAL


def _is_inside(size: Size, o: Offsets, row: Size) -> bool:
    """Whether a row lies within the characters, and can be a text."""
    return 0 <= o[row] <= o[row + 1] <= size and o[row + 1] - o[row] <= LONGEST


def _is_malformed(s: Chars, size: Size, o: Offsets, row: Size, lenient: bool, note: Note) -> bool:
    """Whether the format of a row has errors, which are noted."""
    if not _is_inside(size, o, row):
        return False
    return note_format(chars_at(s, o[row], o[row + 1]), o[row + 1] - o[row], lenient, note)


def _read(s: Chars, size: Size, o: Offsets, row: Size, cells: Cells) -> int:
    """The verdict of `scan` in default mode without legality; its cells, if the row is accepted."""
    note: Note
    verdict: Count = _verdict(s, size, o, row, cells)
    if not cython.compiled:
        note = [0] * 5
    return REFUSED if verdict == ASK and _is_malformed(s, size, o, row, False, note) else verdict


def _scan(
    s: Chars,
    size: Size,
    o: Offsets,
    first: Size,
    last: Size,
    mode: Size,
    legality: bool,
    verdicts: Out,
    notes: Numbers,
) -> None:
    cells: Cells
    note: Note
    text: Text
    row: Size
    if not cython.compiled:
        cells = [0] * CELLS
        note = [0] * 5
        text = bytearray(ROOM)
    for row in range(first, last):
        verdicts[row] = _verdict(s, size, o, row, cells)
        if verdicts[row] == ASK:
            if _is_malformed(s, size, o, row, mode == LENIENT, note):
                verdicts[row] = REFUSED
        elif verdicts[row] == SPELLED and mode == STRICT:
            _note_spelling(cells, chars_at(s, o[row], o[row + 1]), o[row + 1] - o[row], text, note)
            verdicts[row] = REFUSED
        elif legality:
            verdicts[row] = _judged(
                cells, chars_at(s, o[row], o[row + 1]), o[row + 1] - o[row], mode, verdicts[row], note
            )
        if verdicts[row] == NOTED or verdicts[row] == REFUSED:
            notes[NOTES * row] = note[1]
            notes[NOTES * row + 1] = 1 if verdicts[row] == NOTED else 0
            notes[NOTES * row + 2] = note[2]
            notes[NOTES * row + 3] = note[3]
            notes[NOTES * row + 4] = note[4]
            notes[NOTES * row + 5] = note[0]


def _judged(cells: Cells, s: Line, end: Size, mode: Size, silent: Count, note: Note) -> Count:
    """The verdict on a position that has been read: an error of content, else what no game leads to."""
    if is_sound(cells):
        if is_reachable(cells):
            return silent
        note_reachability(cells, s, end, note)
        return REFUSED if mode == STRICT else NOTED
    note_content(cells, s, end, note)
    return REFUSED if note[0] <= MOST_NOTED else ASK


def _note_spelling(cells: Cells, s: Line, end: Size, text: Text, note: Note) -> None:
    """Strict mode: where the canonical text begins and ends to be another."""
    length: Size = write_cells(cells, s, text, 0)
    shorter: Size = min(length, end)
    head: Size = 0
    tail: Size = 0
    while head < shorter and s[head] == text[head]:
        head += 1
    while tail < shorter - head and s[end - 1 - tail] == text[length - 1 - tail]:
        tail += 1
    note[0] = 0
    put_first(note, SPELLING, head, end - tail, NO_SQUARE)


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
        if (verdicts[row] == SPELLED or verdicts[row] == NOTED) and _verdict(s, size, o, row, cells) != ASK:
            lengths[row] = write_cells(cells, chars_at(s, o[row], o[row + 1]), out, row * width) - row * width


def _keys(s: Chars, size: Size, o: Offsets, first: Size, last: Size, verdicts: Out, out: Out) -> None:
    cells: Cells
    text: Text
    row: Size
    if not cython.compiled:
        cells = [0] * CELLS
        text = bytearray(ROOM)
    for row in range(first, last):
        verdicts[row] = _read(s, size, o, row, cells)
        if verdicts[row] == CANONICAL:
            digest_16(s, o[row], o[row + 1], out, 16 * row)
        elif verdicts[row] == SPELLED:
            digest_16(text, 0, write_cells(cells, chars_at(s, o[row], o[row + 1]), text, 0), out, 16 * row)


def _pack(
    s: Chars, size: Size, o: Offsets, first: Size, last: Size, verdicts: Out, out: Out, width: Size
) -> None:
    cells: Cells
    row: Size
    if not cython.compiled:
        cells = [0] * CELLS
    for row in range(first, last):
        verdicts[row] = _read(s, size, o, row, cells)
        if verdicts[row] == ASK or verdicts[row] == REFUSED:
            continue
        if packed_size(cells[PLAYERS]) > width or not _is_compact(cells):
            verdicts[row] = ASK
        else:
            clear(out, pack_cells(cells, out, row * width), (row + 1) * width)


def _is_compact(cells: Cells) -> bool:
    """Whether the cells hold all, and each count has room in a byte: not so of a position that cannot be."""
    colour: Count
    most: Count = 0
    for colour in range(SIZE):
        most = max(most, cells[BAG + colour], cells[DISCARD + colour])
    return most <= 255 and not cells[STRANGE] & STRANGE_BOARDS


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
            length = write_cells(cells, chars_at(packed, 0, 0), text, 0)
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
        verdicts[row] = _read(s, size, o, row, cells)
        if verdicts[row] == CANONICAL or verdicts[row] == SPELLED:
            put_features(cells, out, row, rows)


def _planes(s: Chars, size: Size, o: Offsets, first: Size, last: Size, verdicts: Out, out: Out) -> None:
    cells: Cells
    row: Size
    if not cython.compiled:
        cells = [0] * CELLS
    for row in range(first, last):
        verdicts[row] = _read(s, size, o, row, cells)
        if verdicts[row] == CANONICAL or verdicts[row] == SPELLED:
            put_planes(cells, out, row * PLANE_BYTES)


COLUMN: Final = AzulColumn()
