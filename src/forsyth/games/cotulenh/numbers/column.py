# cython: boundscheck=False, wraparound=False
"""CoTuLenh for whole columns of texts: the row kernel of the verbs in `kit.numbers.column_verbs`.

Answered are the canonical texts without a deploy suffix, by `kernel`, and by `scanner` all that are accepted
with warnings and most that are refused; what those two leave to the reader they say. The reader has a warning
at least about every text that is not canonical: SPELLED is never a verdict here. Left to it are also the
packed forms and features of positions whose clocks are beyond 32 bits, packed forms that are too wide, packed
sessions, and forms whose text would be longer than the room for it.

The rows are judged by `legality`, keyed by `key`, packed by `packing`, and measured
by `features` and `planes`. The module runs as it is and compiles with Cython (`column.pxd`).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.cotulenh.board import SQUARES
from forsyth.games.cotulenh.notation.notes import NOTED_CODES, Scan
from forsyth.kit.numbers.column_verbs import ColumnVerbs, RowKernel

if not cython.compiled:
    from forsyth.column import ASK, CANONICAL, DEFAULT, LENIENT, NOTED, REFUSED, STRICT
    from forsyth.games.cotulenh.board import i32, i64, u32
    from forsyth.games.cotulenh.notation.kernel import MAX_CANONICAL, clock, fill, fill_tail, odd_stack
    from forsyth.games.cotulenh.notation.notes import clear
    from forsyth.games.cotulenh.notation.scanner import scan_text
    from forsyth.games.cotulenh.notation.write import put_board, put_ranks, put_rest, put_text, put_unit
    from forsyth.games.cotulenh.numbers.features import NUMBERS, write_features
    from forsyth.games.cotulenh.numbers.key import BLOCK, WORD_COUNT, begin, stir_block, write_words
    from forsyth.games.cotulenh.numbers.packing import LONGEST, MAX_NUMBER, put_packed, take_packed
    from forsyth.games.cotulenh.numbers.planes import PLANE_BYTES, write_planes
    from forsyth.games.cotulenh.rules.legality import is_sound
    from forsyth.kit.numbers.column_verbs import KEY_BYTES, NO_TEXT, Chars, Numbers, Out, Size, copy
    from forsyth.kit.numbers.column_verbs import fill as spread


class CoTuLenhRow(RowKernel):
    """One row: its text, its side to move and clocks as numbers, and what is made of them."""

    if not cython.compiled:
        __slots__ = (
            "lanes",
            "length",
            "line",
            "packed",
            "places",
            "scan",
            "state",
            "text",
            "waiting",
            "words",
        )
        scan: Scan

        def __init__(self) -> None:
            super().__init__()
            self.text = bytearray(MAX_CANONICAL + 8)
            self.length = 0
            self.state = [0] * 3
            self.line = bytearray(1400)
            self.packed = bytearray(LONGEST)
            self.words = [0] * (WORD_COUNT * BLOCK)
            self.lanes = [0] * (2 * BLOCK)
            self.places = [0] * BLOCK
            self.waiting = 0

    def judge(self, mode: i32, legality: bool) -> i32:
        """The verdict on the text."""
        verdict: i32
        if self.take_text() and self.is_silent(mode, legality):
            return CANONICAL
        verdict = self.judge_text(mode, legality)
        if verdict == NOTED or verdict == REFUSED:
            self.set_note()
        return verdict

    def take_text(self) -> bool:
        """Set down the text; whether it is canonical, and its board and side to move are there."""
        self.length = self.end - self.start
        copy(self.text, 0, self.chars, self.start, self.length)
        self.text[self.length] = 0
        # As `fill` reads it; the row before may have had blanks in front.
        self.scan.board_start = 0
        clear(self.scan)
        return fill(self.text, self.length, self.scan.units, self.scan.tail) != 0

    def judge_text(self, mode: i32, legality: bool) -> i32:
        """The verdict on a text that was taken, with what there is to say about it."""
        verdict: i32 = scan_text(self.scan, self.text, self.length, mode, legality)
        # Nothing that a column writes has room for clocks of that many digits.
        return ASK if verdict == NOTED and not has_short_clocks(self.scan) else verdict

    def take_noted(self) -> bool:
        """Read a row that `scan` has accepted with findings; whether its board and clocks are there."""
        if self.take_text():
            return True
        # What is odd is mostly in the board, or in the fields behind it.
        if self.scan.tail[5] >= 0 and fill_tail(self.text, self.scan.tail[5], self.length, self.scan.tail):
            return has_short_clocks(self.scan)
        return self.judge_text(DEFAULT, False) != ASK

    def take_state(self) -> bool:
        """Read the numbers of a row that has been taken; whether the clocks are of 32 bits."""
        half: i64 = clock(self.text, self.scan.tail[1], self.scan.tail[2])
        full: i64 = clock(self.text, self.scan.tail[3], self.scan.tail[4])
        self.state[0] = self.scan.tail[0]
        self.state[1] = half if 0 <= half <= MAX_NUMBER else MAX_NUMBER
        self.state[2] = full if 0 <= full <= MAX_NUMBER else MAX_NUMBER
        return self.state[1] == half and self.state[2] == full

    def is_silent(self, mode: i32, legality: bool) -> bool:
        """Whether there is nothing to say about the position of a row of canonical text."""
        if mode != LENIENT and not legality:
            return True
        if not is_sound(self.scan.units):
            return False
        if not legality or mode == STRICT:
            return True
        return self.take_state() and self.state[1] <= 2 * (self.state[2] - 1) + self.state[0]

    def set_note(self) -> None:
        """Note what stands for a row with findings: the first error, else the first warning."""
        i: i32
        self.note[0] = self.scan.error[0] if self.scan.errors else self.scan.warning[0]
        self.note[1] = 0 if self.scan.errors else 1
        for i in range(1, 4):
            self.note[1 + i] = self.scan.error[i] if self.scan.errors else self.scan.warning[i]
        self.note[5] = self.scan.count

    def rewrite(self, out: Out, at: Size, room: Size) -> Size:
        """Write the canonical text of a row that was accepted; no longer than the text it was read from."""
        if not self.take_noted():
            return NO_TEXT
        return self.put_line(
            put_rest(
                self.line,
                put_board_text(self, self.scan),
                self.scan.tail[0],
                clock(self.text, self.scan.tail[1], self.scan.tail[2]),
                clock(self.text, self.scan.tail[3], self.scan.tail[4]),
            ),
            out,
            at,
            room,
        )

    def put_text(self, out: Out, at: Size, room: Size) -> Size:
        """Write the canonical text of a position and its numbers."""
        size: Size = put_text(self.line, self.scan.units, self.state[0], self.state[1], self.state[2])
        return self.put_line(size, out, at, room)

    def put_line(self, size: Size, out: Out, at: Size, room: Size) -> Size:
        """Copy the line to where it belongs; its length."""
        if size > room:
            return NO_TEXT
        copy(out, at, self.line, 0, size)
        return size

    def put_key(self, out: Out, at: Size) -> None:
        """Prepare the key: those of a block of rows are finished together."""
        begin(self.lanes, self.waiting, self.scan.tail[0])
        write_words(self.words, self.waiting, self.scan.units)
        self.places[self.waiting] = at
        self.waiting += 1
        if self.waiting == BLOCK:
            self.finish_keys(out)

    def finish_keys(self, out: Out) -> None:
        """Finish the keys of the rows that wait for it."""
        place: i32
        i: i32
        at: Size
        if self.waiting == 0:
            return
        stir_block(self.words, self.lanes)
        for place in range(self.waiting):
            at = self.places[place]
            for i in range(KEY_BYTES // 2):
                out[at + i] = self.lanes[2 * place] >> (56 - 8 * i) & 255
                out[at + 8 + i] = self.lanes[2 * place + 1] >> (56 - 8 * i) & 255
        self.waiting = 0

    def put_packed(self, out: Out, at: Size, width: Size) -> bool:
        """Write the packed form."""
        size: Size
        if not self.take_state():
            return False
        size = put_packed(self.packed, self.scan.units, self.state)
        if size > width:
            return False
        copy(out, at, self.packed, 0, size)
        spread(out, at + size, width - size, 0)
        return True

    def take_packed(self, packed: Chars, at: Size, width: Size) -> bool:
        """Read a packed form."""
        size: Size = width if width < LONGEST else LONGEST
        end: Size
        copy(self.packed, 0, packed, at, size)
        spread(self.packed, size, LONGEST - size, 0)
        clear(self.scan)
        end = take_packed(self.packed, self.scan.units, self.state)
        if end == 0:
            return False
        while end < width and packed[at + end] == 0:
            end += 1
        return end >= width

    def put_features(self, out: Numbers, at: Size, step: Size) -> bool:
        """Write the numbers."""
        if not self.take_state():
            return False
        write_features(self.scan.units, self.state, out, step, at)
        return True

    def put_planes(self, out: Out, at: Size) -> None:
        """Write the planes; clocks that are longer are as good as those they are shown as."""
        self.take_state()
        write_planes(self.scan.units, self.state, out, at)


def has_short_clocks(scan: Scan) -> bool:
    """Whether the clocks of a row that is accepted fit 64 bits."""
    return scan.tail[2] - scan.tail[1] <= 18 and scan.tail[4] - scan.tail[3] <= 18


def put_board_text(row: CoTuLenhRow, scan: Scan) -> i32:
    """Write the canonical board of a row that is accepted; its length.

    What stands before the first digits or stack that are spelled otherwise, mostly all of it, is canonical.
    """
    size: i32 = scan.tail[5] - scan.board_start
    rank: i32 = 11
    if scan.tail[5] < 0:
        return put_board(row.line, scan.units)
    if scan.tail[6] == 0:
        return put_stacks(row, scan, scan.tail[11] - scan.board_start if scan.tail[10] else size)
    size = 0
    while rank > odd_rank(scan):
        rank -= 1 if row.text[scan.board_start + size] == 47 else 0
        size += 1
    copy(row.line, 0, row.text, scan.board_start, size)
    return put_ranks(row.line, size, scan.units, rank)


def put_stacks(row: CoTuLenhRow, scan: Scan, size: i32) -> i32:
    """Write a board with its stacks in their order, of which only those need writing; its length.

    The first `size` characters are canonical as they stand.
    """
    at: i32 = scan.board_start + size
    unit: u32
    copy(row.line, 0, row.text, scan.board_start, size)
    while at < scan.tail[5]:
        if row.text[at] == 40:
            unit = odd_stack(row.text, at, 0, scan.tail)
            size = put_unit(row.line, size, unit & 0xFFFFFF)
            at += unit >> 24
            continue
        row.line[size] = row.text[at]
        size += 1
        at += 1
    return size


def odd_rank(scan: Scan) -> i32:
    """The first rank, counted from 0 upwards, that `fill_board` found spelled otherwise, as digits are."""
    digits: i32 = scan.tail[9] // 11
    stack: i32 = scan.tail[13] // 11 if scan.tail[10] else -1
    return digits if digits > stack else stack


class CoTuLenhColumn(ColumnVerbs):
    """The kernels, for all variants: they differ in how they play alone."""

    if not cython.compiled:
        __slots__ = ()

    codes = NOTED_CODES
    squares = SQUARES

    def row_kernel(self) -> RowKernel:
        """A row kernel for one call."""
        row: CoTuLenhRow = CoTuLenhRow()
        row.scan = Scan()
        row.longest = MAX_CANONICAL
        row.number_count = NUMBERS
        row.plane_bytes = PLANE_BYTES
        return row


COLUMN: Final = CoTuLenhColumn()
