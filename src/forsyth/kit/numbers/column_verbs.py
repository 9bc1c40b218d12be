# cython: boundscheck=False, wraparound=False
"""The verbs of columns, for every game: `ColumnVerbs` is a `forsyth.column.Column` that knows no game.

A game says what is its own in two small classes. Its `RowKernel` judges one text and writes what follows from
it: the canonical text, the key, the packed form, numbers and planes. Its `ColumnVerbs` makes such a kernel,
one for each call and so for each thread, and has the lists of codes and squares. What is the same for all is
here: whether the buffers hold the rows, where a text begins and ends, what is written for which verdict. The
loops make no object for a row and run without the GIL. The module runs as it is and compiles with Cython
(`column_verbs.pxd` gives the C types).

Limits
    Rows that are not there and buffers that are too small raise `ValueError` before anything is written; the
    loops do not look again. A text that does not lie within the characters given, or is longer than its game
    reads, is left to the reader (ASK). Nothing is written for a row that is left to it but the verdict.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.column import ASK, CANONICAL, DEFAULT, NOTED, NOTES, REFUSED, SPELLED

    Buffer = bytearray | memoryview
    Bytearray = memoryview
    Bytes = memoryview
    Chars = memoryview
    Integers = memoryview
    Numbers = memoryview
    Offsets = memoryview
    Out = memoryview
    Places = memoryview
    Size = int
    i32 = int
    KEY_BYTES: Final = 16
    NO_TEXT: Final = -1

    def bytes_of(view: memoryview) -> memoryview:
        """Where the bytes of a view are."""
        return view

    writable = places_of = numbers_of = bytes_of

    def copy(to: Buffer, at: int, source: Buffer, start: int, size: int) -> None:
        """Copy some bytes."""
        to[at : at + size] = source[start : start + size]

    def fill(to: Buffer, at: int, size: int, value: int) -> None:
        """Set some bytes to one value."""
        to[at : at + size] = bytes((value,)) * size


class RowKernel:
    """What a game does with one row: the text from `start` to `end` of `chars`.

    Its game says how long a text may be (`longest`), how much room its `put_text` needs at least (`written`),
    and how many numbers and bytes of planes a row has. Nothing behind `limit` may be read. The base answers
    for no row.
    """

    if not cython.compiled:
        __slots__ = (
            "chars",
            "end",
            "limit",
            "longest",
            "note",
            "number_count",
            "plane_bytes",
            "start",
            "written",
        )

        def __init__(self) -> None:
            self.chars = memoryview(b"")
            self.limit = self.start = self.end = 0
            self.longest = self.written = self.number_count = self.plane_bytes = 0
            self.note = [0] * 12

    def judge(self, mode: i32, legality: bool) -> i32:
        """The verdict on the text; the position is there where it `answers`.

        Of a text that is NOTED or REFUSED the first NOTES numbers of `note` are what there is to say.
        """
        return ASK

    def rewrite(self, out: Out, at: Size, room: Size) -> Size:
        """Write the canonical text of a row that was accepted; its length, or NO_TEXT."""
        return self.put_text(out, at, room) if answers(self.judge(DEFAULT, False)) else NO_TEXT

    def put_text(self, out: Out, at: Size, room: Size) -> Size:
        """Write the canonical text of the position; its length, or NO_TEXT where there is no room."""
        return NO_TEXT

    def put_key(self, out: Out, at: Size) -> None:
        """Write the key of the position, now or later."""

    def finish_keys(self, out: Out) -> None:
        """Write the keys that have not been written yet."""

    def put_packed(self, out: Out, at: Size, width: Size) -> bool:
        """Write the packed form and zeros behind it; whether there is one that has room."""
        return False

    def take_packed(self, packed: Chars, at: Size, width: Size) -> bool:
        """Read a packed form with zeros behind it or not; whether it is one."""
        return False

    def put_features(self, out: Numbers, at: Size, step: Size) -> bool:
        """Write the numbers of the position, the next always `step` further on; whether they fit."""
        return False

    def put_planes(self, out: Out, at: Size) -> None:
        """Write the planes of the position."""


def find_text(kernel: RowKernel, places: Places, row: Size) -> bool:
    """Give the kernel the text of a row; whether it lies within the characters, and may be one."""
    start: Size = places[row]
    end: Size = places[row + 1]
    # In this order: the difference of two numbers that lie inside the texts fits a number.
    if start < 0 or end < start or end > kernel.limit or end - start > kernel.longest:
        return False
    kernel.start = start
    kernel.end = end
    return True


def verdict_on(kernel: RowKernel, places: Places, row: Size, mode: i32, legality: bool) -> i32:
    """The verdict on a row."""
    return kernel.judge(mode, legality) if find_text(kernel, places, row) else ASK


def answers(verdict: i32) -> bool:
    """Whether a row has a position."""
    return verdict != ASK and verdict != REFUSED


_TOO_SMALL: Final = "a buffer of the column is too small for its rows, expected one place for each"


class ColumnVerbs:
    """The verbs over the rows of a column, each with the row kernel of a game.

    What is said of buffers and rows that do not fit is the game's too: `no_rows` of rows that the offsets do
    not have, `no_places` of a buffer without one place for each, `no_room` of one without `width` places for
    each, `no_forms` and `narrow` of rooms that are no rooms for a text.
    """

    if not cython.compiled:
        __slots__ = ()

    no_rows = no_places = no_room = no_forms = narrow = _TOO_SMALL

    def row_kernel(self) -> RowKernel:
        """A row kernel for one call."""
        return RowKernel()

    def end_of_texts(self, size: Size, offsets: Offsets, first: Size, last: Size) -> Size:
        """Where the last text ends at most."""
        return size

    def begin(self, chars: Bytes, offsets: Offsets, first: Size, last: Size) -> RowKernel:
        """A row kernel for these texts; `ValueError` if there are no such rows."""
        kernel: RowKernel = self.row_kernel()
        if not 0 <= first <= last < len(offsets):
            raise ValueError(self.no_rows.format(first=first, last=last, size=len(offsets) - 1))
        kernel.limit = self.end_of_texts(len(chars), offsets, first, last)
        kernel.chars = bytes_of(chars)
        return kernel

    def require_places(self, size: Size, first: Size, last: Size) -> None:
        """Refuse a buffer that has not one place for each row."""
        if last > size:
            raise ValueError(self.no_places.format(first=first, last=last, size=size))

    def require_room(self, size: Size, rows: Size, width: Size) -> None:
        """Refuse a buffer that would be written behind its end, or before its beginning."""
        # Divided, not multiplied: the product of two numbers need not fit a number.
        if width < 0 or (width > 0 and rows > size // width):
            raise ValueError(self.no_room.format(last=rows, size=size, width=width))

    def scan(
        self,
        chars: Bytes,
        offsets: Offsets,
        first: Size,
        last: Size,
        mode: i32,
        legality: bool,
        verdicts: Bytearray,
        notes: Integers,
    ) -> None:
        """A verdict for each row; notes about those that are NOTED or REFUSED."""
        kernel: RowKernel = self.begin(chars, offsets, first, last)
        places: Places = places_of(offsets)
        marks: Out = writable(verdicts)
        noted: Numbers = numbers_of(notes)
        verdict: i32
        row: Size
        i: i32
        self.require_places(len(verdicts), first, last)
        self.require_room(len(notes), last, NOTES)
        with cython.nogil:
            for row in range(first, last):
                verdict = verdict_on(kernel, places, row, mode, legality)
                marks[row] = verdict
                if verdict == NOTED or verdict == REFUSED:
                    for i in range(NOTES):
                        noted[NOTES * row + i] = kernel.note[i]

    def rewrite(
        self,
        chars: Bytes,
        offsets: Offsets,
        first: Size,
        last: Size,
        verdicts: Bytes,
        out: Bytearray,
        lengths: Integers,
        width: Size,
    ) -> None:
        """The canonical text of each row whose verdict is SPELLED or NOTED, at ``i * width`` of `out`."""
        kernel: RowKernel = self.begin(chars, offsets, first, last)
        places: Places = places_of(offsets)
        marks: Chars = bytes_of(verdicts)
        texts: Out = writable(out)
        sizes: Numbers = numbers_of(lengths)
        size: Size
        row: Size
        self.require_places(len(verdicts), first, last)
        self.require_places(len(lengths), first, last)
        self.require_room(len(out), last, width)
        if width < kernel.written:
            raise ValueError(self.narrow.format(width=width))
        with cython.nogil:
            for row in range(first, last):
                if marks[row] != SPELLED and marks[row] != NOTED:
                    continue
                if not find_text(kernel, places, row):
                    continue
                size = kernel.rewrite(texts, row * width, width)
                if size != NO_TEXT:
                    sizes[row] = size

    def keys(
        self, chars: Bytes, offsets: Offsets, first: Size, last: Size, verdicts: Bytearray, out: Bytearray
    ) -> None:
        """The verdict of each row, and the 16 bytes of its key."""
        kernel: RowKernel = self.begin(chars, offsets, first, last)
        places: Places = places_of(offsets)
        marks: Out = writable(verdicts)
        found: Out = writable(out)
        row: Size
        self.require_places(len(verdicts), first, last)
        self.require_room(len(out), last, KEY_BYTES)
        with cython.nogil:
            for row in range(first, last):
                marks[row] = verdict_on(kernel, places, row, DEFAULT, False)
                if answers(marks[row]):
                    kernel.put_key(found, row * KEY_BYTES)
            kernel.finish_keys(found)

    def pack(
        self,
        chars: Bytes,
        offsets: Offsets,
        first: Size,
        last: Size,
        verdicts: Bytearray,
        out: Bytearray,
        width: Size,
    ) -> None:
        """The verdict of each row, and its packed form filled up with zeros; ASK where that is longer."""
        kernel: RowKernel = self.begin(chars, offsets, first, last)
        places: Places = places_of(offsets)
        marks: Out = writable(verdicts)
        forms: Out = writable(out)
        row: Size
        self.require_places(len(verdicts), first, last)
        self.require_room(len(out), last, width)
        with cython.nogil:
            for row in range(first, last):
                marks[row] = verdict_on(kernel, places, row, DEFAULT, False)
                if answers(marks[row]) and not kernel.put_packed(forms, row * width, width):
                    marks[row] = ASK

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
        """The canonical text of each packed form, at ``i * room`` of `out`; ASK where it is none."""
        kernel: RowKernel = self.row_kernel()
        forms: Chars = bytes_of(packed)
        marks: Out = writable(verdicts)
        texts: Out = writable(out)
        sizes: Numbers = numbers_of(lengths)
        size: Size
        row: Size
        if not 0 <= first <= last or room < kernel.written:
            raise ValueError(self.no_forms.format(first=first, last=last, size=len(verdicts), width=room))
        self.require_places(len(verdicts), first, last)
        self.require_places(len(lengths), first, last)
        self.require_room(len(packed), last, width)
        self.require_room(len(out), last, room)
        with cython.nogil:
            for row in range(first, last):
                marks[row] = ASK
                if kernel.take_packed(forms, row * width, width):
                    size = kernel.put_text(texts, row * room, room)
                    if size != NO_TEXT:
                        sizes[row] = size
                        marks[row] = CANONICAL

    def features(
        self,
        chars: Bytes,
        offsets: Offsets,
        first: Size,
        last: Size,
        verdicts: Bytearray,
        out: Integers,
        rows: Size,
    ) -> None:
        """The verdict of each row, and its features: that of number f at ``f * rows + i``."""
        kernel: RowKernel = self.begin(chars, offsets, first, last)
        places: Places = places_of(offsets)
        marks: Out = writable(verdicts)
        numbers: Numbers = numbers_of(out)
        row: Size
        self.require_places(len(verdicts), first, last)
        self.require_places(rows, first, last)
        self.require_room(len(out), rows, kernel.number_count)
        with cython.nogil:
            for row in range(first, last):
                marks[row] = verdict_on(kernel, places, row, DEFAULT, False)
                if answers(marks[row]) and not kernel.put_features(numbers, row, rows):
                    marks[row] = ASK

    def planes(
        self, chars: Bytes, offsets: Offsets, first: Size, last: Size, verdicts: Bytearray, out: Bytearray
    ) -> None:
        """The verdict of each row, and its planes, one after the other."""
        kernel: RowKernel = self.begin(chars, offsets, first, last)
        places: Places = places_of(offsets)
        marks: Out = writable(verdicts)
        found: Out = writable(out)
        row: Size
        self.require_places(len(verdicts), first, last)
        self.require_room(len(out), last, kernel.plane_bytes)
        with cython.nogil:
            for row in range(first, last):
                marks[row] = verdict_on(kernel, places, row, DEFAULT, False)
                if answers(marks[row]):
                    kernel.put_planes(found, row * kernel.plane_bytes)
