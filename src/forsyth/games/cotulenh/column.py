# cython: boundscheck=False, wraparound=False
"""CoTuLenh for whole columns of texts: the kernels of `forsyth.column`, which need no object for a row.

Answered are the canonical texts without a deploy suffix. Everything else is left to the reader, which has a
warning at least about every other spelling: SPELLED is never a verdict here, and there is nothing to rewrite.
Left to it are also the packed forms and features of positions whose clocks are beyond 32 bits, packed forms
that are too wide, packed sessions, and forms whose text would be longer than the room for it.

The rows are decoded by `kernel`, judged by `legality`, keyed by `key`, packed by `packing`, and measured
by `features` and `planes`. The module runs as it is and compiles with Cython (`column.pxd`).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.cotulenh.features import FEATURES

if not cython.compiled:
    from forsyth.column import ASK, CANONICAL
    from forsyth.games.cotulenh.board import SQUARE_COUNT, i32, i64
    from forsyth.games.cotulenh.features import write_features
    from forsyth.games.cotulenh.kernel import MAX_CANONICAL, clock, fill
    from forsyth.games.cotulenh.key import BLOCK, WORD_COUNT, begin, stir_block, write_words
    from forsyth.games.cotulenh.legality import is_sound
    from forsyth.games.cotulenh.packing import LONGEST, MAX_NUMBER, put_packed, take_packed
    from forsyth.games.cotulenh.planes import PLANE_BYTES, write_planes
    from forsyth.games.cotulenh.write import put_text

    Bytes = memoryview
    Numbers = memoryview
    Size = int
    Flag = bool

    def copy(target: bytearray, source: memoryview, start: int, size: int) -> None:
        """Bytes of a column into a buffer."""
        target[:size] = source[start : start + size]

    def clear(units: list[int]) -> None:
        """Empty a board."""
        units[:] = [0] * SQUARE_COUNT


FEATURE_COUNT: Final = len(FEATURES)


class Scratch:
    """The row at hand: its text, its board, its side to move and clocks, and what is made of them."""

    if not cython.compiled:
        __slots__ = ("lanes", "length", "line", "packed", "rows", "state", "tail", "text", "units", "words")

        def __init__(self) -> None:
            self.text = bytearray(MAX_CANONICAL + 8)
            self.length = 0
            self.units = [0] * SQUARE_COUNT
            self.tail = [0] * 3
            self.state = [0] * 3
            self.line = bytearray(1400)
            self.packed = bytearray(LONGEST)
            self.words = [0] * (WORD_COUNT * BLOCK)
            self.lanes = [0] * (2 * BLOCK)
            self.rows = [0] * BLOCK


def take(scratch: Scratch, chars: Bytes, offsets: Numbers, row: Size) -> i32:
    """Read a row: CANONICAL, and its board and side to move are there, or ASK."""
    start: Size = offsets[row]
    end: Size = offsets[row + 1]
    size: Size
    # In this order: the difference of two numbers that lie inside the texts fits a number.
    if start < 0 or end < start or end > len(chars) or end - start > MAX_CANONICAL:
        return ASK
    size = end - start
    copy(scratch.text, chars, start, size)
    scratch.text[size] = 0
    scratch.length = size
    clear(scratch.units)
    return CANONICAL if fill(scratch.text, size, scratch.units, scratch.tail) else ASK


def take_state(scratch: Scratch) -> i32:
    """Read the numbers of a row that has been taken; whether the clocks are of 32 bits."""
    end: i32 = scratch.tail[2]
    half: i64 = clock(scratch.text, scratch.tail[1], end)
    full: i64 = clock(scratch.text, end + 1, scratch.length)
    fits: i32 = 1
    if half < 0 or half > MAX_NUMBER:
        half = MAX_NUMBER
        fits = 0
    if full < 0 or full > MAX_NUMBER:
        full = MAX_NUMBER
        fits = 0
    scratch.state[0] = scratch.tail[0]
    scratch.state[1] = half
    scratch.state[2] = full
    return fits


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


def has_fitting_clocks(scratch: Scratch) -> i32:
    """Whether the half-move clock of a row is one that its move number and side to move allow."""
    if not take_state(scratch):
        return 0
    return 1 if scratch.state[1] <= 2 * (scratch.state[2] - 1) + scratch.state[0] else 0


def take_form(scratch: Scratch, packed: Bytes, width: Size, row: Size) -> i32:
    """Read a packed row, zeros behind it apart; CANONICAL or ASK."""
    start: Size = row * width
    size: Size = width if width < LONGEST else LONGEST
    end: Size
    i: Size
    copy(scratch.packed, packed, start, size)
    for i in range(size, LONGEST):
        scratch.packed[i] = 0
    clear(scratch.units)
    end = take_packed(scratch.packed, scratch.units, scratch.state)
    if end == 0:
        return ASK
    for i in range(end, width):
        if packed[start + i]:
            return ASK
    return CANONICAL


def has_room(size: Size, rows: Size, width: Size) -> Flag:
    """Whether rows of a width go into a buffer; divided, since a product need not fit a number."""
    return width >= 0 and (width == 0 or rows <= size // width)


def require(enough: Flag) -> None:
    """Raise `ValueError` unless the buffers hold the rows, since the kernels do not look again."""
    if not enough:
        raise ValueError("a buffer of the column is too small for its rows, expected one place for each")


class CoTuLenhColumn:
    """The kernels, for all variants: they differ in how they play alone."""

    def scan(
        self, chars: Bytes, offsets: Numbers, first: Size, last: Size, legality: Flag, verdicts: Bytes
    ) -> None:
        """A verdict for each row; with `legality`, CANONICAL means legal as well."""
        scratch: Scratch = Scratch()
        row: Size
        require(0 <= first <= last < len(offsets) and last <= len(verdicts))
        with cython.nogil:
            for row in range(first, last):
                verdicts[row] = take(scratch, chars, offsets, row)
                if legality and verdicts[row] == CANONICAL:
                    if not is_sound(scratch.units) or not has_fitting_clocks(scratch):
                        verdicts[row] = ASK

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
        """Nothing: the reader warns about every text that is not canonical, so that none is SPELLED."""

    def keys(
        self, chars: Bytes, offsets: Numbers, first: Size, last: Size, verdicts: Bytes, out: Bytes
    ) -> None:
        """The verdict of each row, and the 16 bytes of its key."""
        scratch: Scratch = Scratch()
        row: Size
        count: i32 = 0
        require(0 <= first <= last < len(offsets) and last <= len(verdicts) and has_room(len(out), last, 16))
        with cython.nogil:
            for row in range(first, last):
                verdicts[row] = take(scratch, chars, offsets, row)
                if verdicts[row] == ASK:
                    continue
                begin(scratch.lanes, count, scratch.tail[0])
                write_words(scratch.words, count, scratch.units)
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
        row: Size
        size: Size
        i: Size
        require(0 <= first <= last < len(offsets) and last <= len(verdicts))
        require(has_room(len(out), last, width))
        with cython.nogil:
            for row in range(first, last):
                verdicts[row] = take(scratch, chars, offsets, row)
                if verdicts[row] == ASK:
                    continue
                size = width + 1
                if take_state(scratch):
                    size = put_packed(scratch.packed, scratch.units, scratch.state)
                if size > width:
                    verdicts[row] = ASK
                    continue
                for i in range(size):
                    out[row * width + i] = scratch.packed[i]
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
        row: Size
        size: Size
        i: Size
        require(0 <= first <= last <= len(verdicts) and has_room(len(packed), last, width))
        require(last <= len(lengths) and has_room(len(out), last, room))
        with cython.nogil:
            for row in range(first, last):
                verdicts[row] = take_form(scratch, packed, width, row)
                if verdicts[row] == ASK:
                    continue
                size = put_text(
                    scratch.line, scratch.units, scratch.state[0], scratch.state[1], scratch.state[2]
                )
                if size > room:
                    verdicts[row] = ASK
                    continue
                for i in range(size):
                    out[row * room + i] = scratch.line[i]
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
        row: Size
        require(0 <= first <= last < len(offsets) and last <= len(verdicts))
        require(last <= rows and has_room(len(out), rows, FEATURE_COUNT))
        with cython.nogil:
            for row in range(first, last):
                verdicts[row] = take(scratch, chars, offsets, row)
                if verdicts[row] == ASK:
                    continue
                if take_state(scratch):
                    write_features(scratch.units, scratch.state, out, rows, row)
                else:
                    verdicts[row] = ASK

    def planes(
        self, chars: Bytes, offsets: Numbers, first: Size, last: Size, verdicts: Bytes, out: Bytes
    ) -> None:
        """The verdict of each row, and its planes."""
        scratch: Scratch = Scratch()
        row: Size
        require(0 <= first <= last < len(offsets) and last <= len(verdicts))
        require(has_room(len(out), last, PLANE_BYTES))
        with cython.nogil:
            for row in range(first, last):
                verdicts[row] = take(scratch, chars, offsets, row)
                if verdicts[row] == CANONICAL:
                    take_state(scratch)
                    write_planes(scratch.units, scratch.state, out, row * PLANE_BYTES)


COLUMN: Final = CoTuLenhColumn()
