"""Azul in whole columns: the row kernel of the verbs in `kit.numbers.column_verbs`.

Answered are all texts, standard and extended, for two to four players, that `scanner` reads: those without
an error of format. With `legality`, what is wrong with them is noted by `notes` and `reachability_notes`;
errors of format are noted by `format_notes`. Left to the reader are all others: a wrong number of components,
what lenient mode mends, packed forms that hold text, and texts with more errors than a reading lists.

Unpacked are the forms of 53, 69 and 85 bytes, of positions that can arise or not. Left to `packed` are forms
that hold text, and those whose text would be longer than a text may be.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.azul.notation.notes import NOTED_CODES, SQUARES
from forsyth.kit.numbers.column_verbs import ColumnVerbs, RowKernel

if not cython.compiled:
    from forsyth.column import ASK, CANONICAL, LENIENT, NOTED, REFUSED, SPELLED, STRICT
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
    from forsyth.games.azul.notation.notes import NO_SQUARE, SPELLING, note_content, put_first
    from forsyth.games.azul.notation.reachability_notes import note_reachability
    from forsyth.games.azul.notation.scanner import LONGEST, UNREAD, read_cells
    from forsyth.games.azul.numbers.features import NUMBERS, put_features
    from forsyth.games.azul.numbers.packed import PACKED, pack_cells, packed_size, unpack_cells
    from forsyth.games.azul.numbers.planes import PLANE_BYTES, put_planes
    from forsyth.games.azul.rules.legality import is_reachable, is_sound
    from forsyth.games.azul.tiles import SIZE
    from forsyth.kit.numbers.blake2b import digest_16
    from forsyth.kit.numbers.column_verbs import NO_TEXT, Chars, Numbers, Out, Size, copy, fill, i32

    Line = bytes

    def line_at(s: memoryview, at: int, end: int) -> bytes:
        """The characters of one row."""
        return bytes(s[at:end])


class AzulRow(RowKernel):
    """One row of Azul, for any number of players: its cells, and what was found about them."""

    if not cython.compiled:
        __slots__ = ("cells", "found", "text")

        def __init__(self) -> None:
            super().__init__()
            self.cells = [0] * CELLS
            self.found = [0] * 5
            self.text = bytearray(ROOM)

    def judge(self, mode: i32, legality: bool) -> i32:
        """The verdict on the text."""
        s: Line = line_at(self.chars, self.start, self.end)
        verdict: i32 = self.verdict_of(s, self.end - self.start, mode, legality)
        if verdict == NOTED or verdict == REFUSED:
            self.note[0] = self.found[1]
            self.note[1] = 1 if verdict == NOTED else 0
            self.note[2] = self.found[2]
            self.note[3] = self.found[3]
            self.note[4] = self.found[4]
            self.note[5] = self.found[0]
        return verdict

    def verdict_of(self, s: Line, size: Size, mode: i32, legality: bool) -> i32:
        """The verdict on a text, and what was found; its cells, unless the answer is ASK or REFUSED."""
        silent: i32
        if read_cells(s, size, self.cells) == UNREAD:
            return REFUSED if note_format(s, size, mode == LENIENT, self.found) else ASK
        silent = SPELLED if self.cells[FINDINGS] else CANONICAL
        if silent == SPELLED and mode == STRICT:
            self.note_spelling(s, size)
            return REFUSED
        return self.judge_content(s, size, mode, silent) if legality else silent

    def judge_content(self, s: Line, size: Size, mode: i32, silent: i32) -> i32:
        """The verdict on a position that has been read: an error of content, else what no game leads to."""
        if is_sound(self.cells):
            if is_reachable(self.cells):
                return silent
            note_reachability(self.cells, s, size, self.found)
            return REFUSED if mode == STRICT else NOTED
        note_content(self.cells, s, size, self.found)
        return REFUSED if self.found[0] <= MOST_NOTED else ASK

    def note_spelling(self, s: Line, size: Size) -> None:
        """Strict mode: where the canonical text begins and ends to be another."""
        length: Size = write_cells(self.cells, s, self.text, 0)
        shorter: Size = min(length, size)
        head: Size = 0
        tail: Size = 0
        while head < shorter and s[head] == self.text[head]:
            head += 1
        while tail < shorter - head and s[size - 1 - tail] == self.text[length - 1 - tail]:
            tail += 1
        self.found[0] = 0
        put_first(self.found, SPELLING, head, size - tail, NO_SQUARE)

    def put_text(self, out: Out, at: Size, room: Size) -> Size:
        """Write the canonical text."""
        size: Size = write_cells(self.cells, line_at(self.chars, self.start, self.end), self.text, 0)
        if size > room:
            return NO_TEXT
        copy(out, at, self.text, 0, size)
        return size

    def put_key(self, out: Out, at: Size) -> None:
        """Write the key, which is that of the canonical text."""
        if self.cells[FINDINGS]:
            digest_16(
                self.text,
                0,
                write_cells(self.cells, line_at(self.chars, self.start, self.end), self.text, 0),
                out,
                at,
            )
        else:
            digest_16(self.chars, self.start, self.end, out, at)

    def put_packed(self, out: Out, at: Size, width: Size) -> bool:
        """Write the packed form."""
        end: Size
        if packed_size(self.cells[PLAYERS]) > width or not _is_compact(self.cells):
            return False
        end = pack_cells(self.cells, out, at)
        fill(out, end, at + width - end, 0)
        return True

    def take_packed(self, packed: Chars, at: Size, width: Size) -> bool:
        """Read a packed form."""
        return unpack_cells(line_at(packed, at, at + width), width, self.cells) == PACKED

    def put_features(self, out: Numbers, at: Size, step: Size) -> bool:
        """Write the numbers."""
        put_features(self.cells, out, at, step)
        return True

    def put_planes(self, out: Out, at: Size) -> None:
        """Write the planes."""
        put_planes(self.cells, out, at)


def _is_compact(cells: Cells) -> bool:
    """Whether the cells hold all, and each count has room in a byte: not so of a position that cannot be."""
    colour: Count
    most: Count = 0
    for colour in range(SIZE):
        most = max(most, cells[BAG + colour], cells[DISCARD + colour])
    return most <= 255 and not cells[STRANGE] & STRANGE_BOARDS


class AzulColumn(ColumnVerbs):
    """The kernels of Azul, for any number of players."""

    if not cython.compiled:
        __slots__ = ()

    codes = NOTED_CODES
    squares = SQUARES
    no_rows = no_places = no_forms = (
        "rows {first} to {last} are not among the {size} rows of the buffers given"
    )
    no_room = "a buffer holds {size} items, but {last} rows need {width} each"

    def row_kernel(self) -> RowKernel:
        """A row kernel for one call."""
        row: AzulRow = AzulRow()
        row.longest = LONGEST
        row.number_count = NUMBERS
        row.plane_bytes = PLANE_BYTES
        return row


COLUMN: Final = AzulColumn()
