# cython: boundscheck=False, wraparound=False
"""CoTuLenh for whole columns of texts: the kernels of `forsyth.column`, which need no object for a row.

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
from forsyth.games.cotulenh.notation.notes import NOTED_CODES
from forsyth.games.cotulenh.numbers.features import FEATURES

if not cython.compiled:
    from forsyth.column import ASK, CANONICAL, DEFAULT, LENIENT, NOTED, NOTES, REFUSED, STRICT
    from forsyth.games.cotulenh.board import i32, i64, u32
    from forsyth.games.cotulenh.notation.kernel import MAX_CANONICAL, clock, fill, fill_tail, odd_stack
    from forsyth.games.cotulenh.notation.notes import Scan, clear
    from forsyth.games.cotulenh.notation.scanner import scan_text
    from forsyth.games.cotulenh.notation.write import put_board, put_ranks, put_rest, put_text, put_unit
    from forsyth.games.cotulenh.numbers.features import write_features
    from forsyth.games.cotulenh.numbers.key import BLOCK, WORD_COUNT, begin, stir_block, write_words
    from forsyth.games.cotulenh.numbers.packing import LONGEST, MAX_NUMBER, put_packed, take_packed
    from forsyth.games.cotulenh.numbers.planes import PLANE_BYTES, write_planes
    from forsyth.games.cotulenh.rules.legality import is_sound
    from forsyth.kit.numbers.column_buffers import copy_in, copy_out, has_room, require

    Bytes = memoryview
    Numbers = memoryview
    Size = int
    Flag = bool

    def copy_text(target: bytearray, source: bytearray, start: int, size: int) -> None:
        """A part of a text into a buffer."""
        target[:size] = source[start : start + size]


FEATURE_COUNT: Final = len(FEATURES)


class Scratch:
    """The row at hand: its text, its side to move and clocks as numbers, and what is made of them."""

    if not cython.compiled:
        __slots__ = ("lanes", "length", "line", "packed", "rows", "state", "text", "words")

        def __init__(self) -> None:
            self.text = bytearray(MAX_CANONICAL + 8)
            self.length = 0
            self.state = [0] * 3
            self.line = bytearray(1400)
            self.packed = bytearray(LONGEST)
            self.words = [0] * (WORD_COUNT * BLOCK)
            self.lanes = [0] * (2 * BLOCK)
            self.rows = [0] * BLOCK


def take(scratch: Scratch, scan: Scan, chars: Bytes, offsets: Numbers, row: Size) -> i32:
    """Set down a row of canonical text: CANONICAL, and its board and side to move are there, or ASK."""
    start: Size = offsets[row]
    end: Size = offsets[row + 1]
    size: Size
    # In this order: the difference of two numbers that lie inside the texts fits a number.
    if start < 0 or end < start or end > len(chars) or end - start > MAX_CANONICAL:
        scratch.length = -1
        return ASK
    size = end - start
    copy_in(scratch.text, chars, start, size)
    scratch.text[size] = 0
    scratch.length = size
    # As `fill` reads it; the row before may have had blanks in front.
    scan.board_start = 0
    clear(scan)
    return CANONICAL if fill(scratch.text, size, scan.units, scan.tail) else ASK


def read_row(scratch: Scratch, scan: Scan, chars: Bytes, offsets: Numbers, row: Size) -> i32:
    """Read a row as `scan` does in default mode without legality; its board and clocks, if it is accepted."""
    verdict: i32 = take(scratch, scan, chars, offsets, row)
    if verdict == CANONICAL or scratch.length < 0:
        return verdict
    return judge_row(scratch, scan, DEFAULT, False)


def take_noted(scratch: Scratch, scan: Scan, chars: Bytes, offsets: Numbers, row: Size) -> i32:
    """Read a row that `scan` has accepted with findings; whether its board and clocks are there."""
    if take(scratch, scan, chars, offsets, row) == CANONICAL:
        return 1
    if scratch.length < 0:
        return 0
    # What is odd is mostly in the board, or in the fields behind it.
    if scan.tail[5] >= 0 and fill_tail(scratch.text, scan.tail[5], scratch.length, scan.tail):
        return has_short_clocks(scan)
    return 1 if judge_row(scratch, scan, DEFAULT, False) != ASK else 0


def judge_row(scratch: Scratch, scan: Scan, mode: i32, legality: Flag) -> i32:
    """The verdict on a row that was taken, with what there is to say about it."""
    verdict: i32 = scan_text(scan, scratch.text, scratch.length, mode, legality)
    # Nothing that a column writes has room for clocks of that many digits.
    if verdict == NOTED and not has_short_clocks(scan):
        return ASK
    return verdict


def has_short_clocks(scan: Scan) -> i32:
    """Whether the clocks of a row that is accepted fit 64 bits."""
    return 1 if scan.tail[2] - scan.tail[1] <= 18 and scan.tail[4] - scan.tail[3] <= 18 else 0


def take_state(scratch: Scratch, scan: Scan) -> i32:
    """Read the numbers of a row that has been taken; whether the clocks are of 32 bits."""
    half: i64 = clock(scratch.text, scan.tail[1], scan.tail[2])
    full: i64 = clock(scratch.text, scan.tail[3], scan.tail[4])
    fits: i32 = 1
    if half < 0 or half > MAX_NUMBER:
        half = MAX_NUMBER
        fits = 0
    if full < 0 or full > MAX_NUMBER:
        full = MAX_NUMBER
        fits = 0
    scratch.state[0] = scan.tail[0]
    scratch.state[1] = half
    scratch.state[2] = full
    return fits


def take_board_text(scratch: Scratch, scan: Scan) -> i32:
    """Write the canonical board of a row that is accepted; its length.

    What stands before the first digits or stack that are spelled otherwise, mostly all of it, is canonical.
    """
    size: i32 = scan.tail[5] - scan.board_start
    rank: i32 = 11
    if scan.tail[5] < 0:
        return put_board(scratch.line, scan.units)
    if scan.tail[6] == 0:
        return put_stacks(scratch, scan, scan.tail[11] - scan.board_start if scan.tail[10] else size)
    size = 0
    while rank > odd_rank(scan):
        rank -= 1 if scratch.text[scan.board_start + size] == 47 else 0
        size += 1
    copy_text(scratch.line, scratch.text, scan.board_start, size)
    return put_ranks(scratch.line, size, scan.units, rank)


def put_stacks(scratch: Scratch, scan: Scan, size: i32) -> i32:
    """Write a board with its stacks in their order, of which only those need writing; its length.

    The first `size` characters are canonical as they stand.
    """
    at: i32 = scan.board_start + size
    unit: u32
    copy_text(scratch.line, scratch.text, scan.board_start, size)
    while at < scan.tail[5]:
        if scratch.text[at] == 40:
            unit = odd_stack(scratch.text, at, 0, scan.tail)
            size = put_unit(scratch.line, size, unit & 0xFFFFFF)
            at += unit >> 24
            continue
        scratch.line[size] = scratch.text[at]
        size += 1
        at += 1
    return size


def odd_rank(scan: Scan) -> i32:
    """The first rank, counted from 0 upwards, that `fill_board` found spelled otherwise, as digits are."""
    digits: i32 = scan.tail[9] // 11
    stack: i32 = scan.tail[13] // 11 if scan.tail[10] else -1
    return digits if digits > stack else stack


def put_note(scan: Scan, out: Numbers, row: Size) -> None:
    """Write what stands for a row with findings: the first error, else the first warning."""
    start: Size = NOTES * row
    i: i32
    out[start + 1] = 0 if scan.errors else 1
    out[start] = scan.error[0] if scan.errors else scan.warning[0]
    for i in range(1, 4):
        out[start + 1 + i] = scan.error[i] if scan.errors else scan.warning[i]
    out[start + 5] = scan.count


def write_keys(scratch: Scratch, count: i32, out: Bytes) -> None:
    """Finish the keys of a block of rows and write the first `count` of them."""
    place: i32
    i: i32
    start: Size
    stir_block(scratch.words, scratch.lanes)
    for place in range(count):
        start = 16 * scratch.rows[place]
        for i in range(8):
            out[start + i] = scratch.lanes[2 * place] >> (56 - 8 * i) & 255
            out[start + 8 + i] = scratch.lanes[2 * place + 1] >> (56 - 8 * i) & 255


def is_silent(scratch: Scratch, scan: Scan, mode: i32, legality: Flag) -> i32:
    """Whether there is nothing to say about the position of a row of canonical text."""
    if mode != LENIENT and not legality:
        return 1
    if not is_sound(scan.units):
        return 0
    if not legality or mode == STRICT:
        return 1
    if not take_state(scratch, scan):
        return 0
    return 1 if scratch.state[1] <= 2 * (scratch.state[2] - 1) + scratch.state[0] else 0


def take_form(scratch: Scratch, scan: Scan, packed: Bytes, width: Size, row: Size) -> i32:
    """Read a packed row, zeros behind it apart; CANONICAL or ASK."""
    start: Size = row * width
    size: Size = width if width < LONGEST else LONGEST
    end: Size
    i: Size
    copy_in(scratch.packed, packed, start, size)
    for i in range(size, LONGEST):
        scratch.packed[i] = 0
    clear(scan)
    end = take_packed(scratch.packed, scan.units, scratch.state)
    if end == 0:
        return ASK
    for i in range(end, width):
        if packed[start + i]:
            return ASK
    return CANONICAL


class CoTuLenhColumn:
    """The kernels, for all variants: they differ in how they play alone."""

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes that `scan` notes."""
        return NOTED_CODES

    @property
    def squares(self) -> tuple[str, ...]:
        """The squares that `scan` notes."""
        return SQUARES

    def scan(
        self,
        chars: Bytes,
        offsets: Numbers,
        first: Size,
        last: Size,
        mode: Size,
        legality: Flag,
        verdicts: Bytes,
        notes: Numbers,
    ) -> None:
        """A verdict for each row; notes about those that are NOTED or REFUSED."""
        scratch: Scratch = Scratch()
        scan: Scan = Scan()
        row: Size
        require(0 <= first <= last < len(offsets) and last <= len(verdicts) and last <= len(notes) // NOTES)
        with cython.nogil:
            for row in range(first, last):
                verdicts[row] = take(scratch, scan, chars, offsets, row)
                if scratch.length < 0 or (
                    verdicts[row] == CANONICAL and is_silent(scratch, scan, mode, legality)
                ):
                    continue
                verdicts[row] = judge_row(scratch, scan, mode, legality)
                if verdicts[row] == NOTED or verdicts[row] == REFUSED:
                    put_note(scan, notes, row)

    def rewrite(
        self,
        chars: Bytes,
        offsets: Numbers,
        first: Size,
        last: Size,
        verdicts: Bytes,
        out: Bytes,
        lengths: Numbers,
        width: Size,
    ) -> None:
        """The canonical text of each row whose verdict is NOTED, at ``i * width`` of `out`."""
        scratch: Scratch = Scratch()
        scan: Scan = Scan()
        row: Size
        size: Size
        require(0 <= first <= last < len(offsets) and last <= len(verdicts))
        require(last <= len(lengths) and has_room(len(out), last, width))
        with cython.nogil:
            for row in range(first, last):
                if verdicts[row] != NOTED or not take_noted(scratch, scan, chars, offsets, row):
                    continue
                size = put_rest(
                    scratch.line,
                    take_board_text(scratch, scan),
                    scan.tail[0],
                    clock(scratch.text, scan.tail[1], scan.tail[2]),
                    clock(scratch.text, scan.tail[3], scan.tail[4]),
                )
                # No canonical text is longer than the text that it was read from.
                if size > width:
                    size = width
                copy_out(out, row * width, scratch.line, size)
                lengths[row] = size

    def keys(
        self, chars: Bytes, offsets: Numbers, first: Size, last: Size, verdicts: Bytes, out: Bytes
    ) -> None:
        """The verdict of each row, and the 16 bytes of its key."""
        scratch: Scratch = Scratch()
        scan: Scan = Scan()
        row: Size
        count: i32 = 0
        require(0 <= first <= last < len(offsets) and last <= len(verdicts) and has_room(len(out), last, 16))
        with cython.nogil:
            for row in range(first, last):
                verdicts[row] = read_row(scratch, scan, chars, offsets, row)
                if verdicts[row] == ASK or verdicts[row] == REFUSED:
                    continue
                begin(scratch.lanes, count, scan.tail[0])
                write_words(scratch.words, count, scan.units)
                scratch.rows[count] = row
                count += 1
                if count == BLOCK:
                    write_keys(scratch, count, out)
                    count = 0
            if count:
                write_keys(scratch, count, out)

    def pack(
        self,
        chars: Bytes,
        offsets: Numbers,
        first: Size,
        last: Size,
        verdicts: Bytes,
        out: Bytes,
        width: Size,
    ) -> None:
        """The verdict of each row, and its packed form filled up with zeros to `width`."""
        scratch: Scratch = Scratch()
        scan: Scan = Scan()
        row: Size
        size: Size
        i: Size
        require(0 <= first <= last < len(offsets) and last <= len(verdicts))
        require(has_room(len(out), last, width))
        with cython.nogil:
            for row in range(first, last):
                verdicts[row] = read_row(scratch, scan, chars, offsets, row)
                if verdicts[row] == ASK or verdicts[row] == REFUSED:
                    continue
                size = width + 1
                if take_state(scratch, scan):
                    size = put_packed(scratch.packed, scan.units, scratch.state)
                if size > width:
                    verdicts[row] = ASK
                    continue
                copy_out(out, row * width, scratch.packed, size)
                for i in range(size, width):
                    out[row * width + i] = 0

    def unpack(
        self,
        packed: Bytes,
        width: Size,
        first: Size,
        last: Size,
        verdicts: Bytes,
        out: Bytes,
        lengths: Numbers,
        room: Size,
    ) -> None:
        """The canonical text of each packed form, at ``i * room`` of `out`; ASK where it is none."""
        scratch: Scratch = Scratch()
        scan: Scan = Scan()
        row: Size
        size: Size
        require(0 <= first <= last <= len(verdicts) and has_room(len(packed), last, width))
        require(last <= len(lengths) and has_room(len(out), last, room))
        with cython.nogil:
            for row in range(first, last):
                verdicts[row] = take_form(scratch, scan, packed, width, row)
                if verdicts[row] == ASK:
                    continue
                size = put_text(
                    scratch.line, scan.units, scratch.state[0], scratch.state[1], scratch.state[2]
                )
                if size > room:
                    verdicts[row] = ASK
                    continue
                copy_out(out, row * room, scratch.line, size)
                lengths[row] = size

    def features(
        self,
        chars: Bytes,
        offsets: Numbers,
        first: Size,
        last: Size,
        verdicts: Bytes,
        out: Numbers,
        rows: Size,
    ) -> None:
        """The verdict of each row, and its features: that of number f at ``f * rows + i``."""
        scratch: Scratch = Scratch()
        scan: Scan = Scan()
        row: Size
        require(0 <= first <= last < len(offsets) and last <= len(verdicts))
        require(last <= rows and has_room(len(out), rows, FEATURE_COUNT))
        with cython.nogil:
            for row in range(first, last):
                verdicts[row] = read_row(scratch, scan, chars, offsets, row)
                if verdicts[row] == ASK or verdicts[row] == REFUSED:
                    continue
                if take_state(scratch, scan):
                    write_features(scan.units, scratch.state, out, rows, row)
                else:
                    verdicts[row] = ASK

    def planes(
        self, chars: Bytes, offsets: Numbers, first: Size, last: Size, verdicts: Bytes, out: Bytes
    ) -> None:
        """The verdict of each row, and its planes."""
        scratch: Scratch = Scratch()
        scan: Scan = Scan()
        row: Size
        require(0 <= first <= last < len(offsets) and last <= len(verdicts))
        require(has_room(len(out), last, PLANE_BYTES))
        with cython.nogil:
            for row in range(first, last):
                verdicts[row] = read_row(scratch, scan, chars, offsets, row)
                if verdicts[row] == CANONICAL or verdicts[row] == NOTED:
                    take_state(scratch, scan)
                    write_planes(scan.units, scratch.state, out, row * PLANE_BYTES)


COLUMN: Final = CoTuLenhColumn()
