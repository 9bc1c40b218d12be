# cython: boundscheck=False, wraparound=False
"""The loops over the rows of a column that all games share: the base class of each `forsyth.column.Column`.

A game defines two small classes. Its subclass of `RowKernel` reads one text and writes the results for it:
canonical text, key, packed form, features and planes. Its subclass of `ColumnVerbs` makes a row kernel for
each call, so that each thread has its own, and lists the codes and squares. This module checks the buffers,
finds where each text begins and ends, and decides what is written for which verdict. The loops create no
Python object for a row and run without the GIL. The module runs as it is and compiles with Cython
(`column_verbs.pxd` gives the C types).

Limits
    The methods raise `ValueError` before anything is written if rows do not exist or buffers are too small,
    because the loops have no bounds checks. A row is left to the reader (verdict ASK) if its text is not
    within the characters or longer than the game reads. Only the verdict is written for such a row.
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
    Size = int
    Starts = memoryview
    i32 = int
    KEY_BYTES: Final = 16
    NO_TEXT: Final = -1
    """The result of a method that could not write a text."""

    def get_chars(view: memoryview) -> memoryview:
        """Return the view itself. Compiled code returns a pointer to its first element."""
        return view

    get_writable = get_starts = get_numbers = get_chars

    def copy(target: Buffer, target_start: int, source: Buffer, source_start: int, size: int) -> None:
        """Copy `size` bytes from `source` to `target`."""
        target[target_start : target_start + size] = source[source_start : source_start + size]

    def fill(target: Buffer, start: int, size: int, value: int) -> None:
        """Set `size` bytes of `target`, from `start` on, to one value."""
        target[start : start + size] = bytes((value,)) * size


class RowKernel:
    """Reader and writer of one row of a column: the text from `start` to `end` of `chars`.

    A game sets `max_length` (maximum length of a text), `min_room` (bytes that `put_text` needs at least),
    `feature_count` and `plane_bytes`. Nothing after `limit` may be read from `chars`. The methods of the base
    class read and write nothing.
    """

    if not cython.compiled:
        __slots__ = (
            "chars",
            "end",
            "feature_count",
            "limit",
            "max_length",
            "min_room",
            "note",
            "plane_bytes",
            "start",
        )

        def __init__(self) -> None:
            self.chars = memoryview(b"")
            self.limit = self.start = self.end = 0
            self.max_length = self.min_room = self.feature_count = self.plane_bytes = 0
            self.note = [0] * 12

    def judge_row(self, mode: i32, legality: bool) -> i32:
        """Read the text of the row, and return a number that classifies the text.

        CANONICAL: the text is canonical. SPELLED: it is a position without findings, but not canonical.
        NOTED: it is a position with warnings. REFUSED: it has an error. ASK: the caller has to use the slower
        reader. After NOTED and REFUSED, the first NOTES numbers of `note` describe the first finding.

        Args:
            mode: DEFAULT, STRICT or LENIENT.
            legality: Whether findings about the legality of the position count too.
        """
        return ASK

    def rewrite(self, output: Out, offset: Size, room: Size) -> Size:
        """Read the text of the row, and write it in its canonical form to `output` from `offset` on.

        Return the length of the canonical form. Return NO_TEXT if the text has no position, or if the form is
        longer than `room` bytes.
        """
        return (
            self.put_text(output, offset, room) if has_position(self.judge_row(DEFAULT, False)) else NO_TEXT
        )

    def put_text(self, output: Out, offset: Size, room: Size) -> Size:
        """Write the canonical text of the position to `output` from `offset` on, and return its length.

        Return NO_TEXT if it is longer than `room` bytes.
        """
        return NO_TEXT

    def put_key(self, output: Out, offset: Size) -> None:
        """Write the key of the position, a hash of 16 bytes, to `output` from `offset` on.

        A subclass may delay this until `finish_keys`, to hash several positions at once.
        """

    def finish_keys(self, output: Out) -> None:
        """Write the keys that `put_key` has delayed to `output`. It is called once, after the last row."""

    def put_packed(self, output: Out, offset: Size, width: Size) -> bool:
        """Write the position as packed bytes to `output` from `offset` on.

        Zeros fill the rest of the `width` bytes. Return False if the position has no packed form, or if it is
        longer.
        """
        return False

    def load_packed(self, packed: Chars, start: Size, width: Size) -> bool:
        """Read a position from the bytes that `put_packed` has written, and return whether they are valid.

        They are the `width` bytes of `packed` from `start` on. Zeros may follow the packed form.
        """
        return False

    def put_features(self, output: Numbers, offset: Size, step: Size) -> bool:
        """Write the features of the position, such as its number of pieces, to `output`.

        Feature f is written at index ``offset + f * step``. Return False if a feature does not fit into its
        type.
        """
        return False

    def put_planes(self, output: Out, offset: Size) -> None:
        """Write the planes of the position, `plane_bytes` bytes, to `output` from `offset` on.

        A plane has one byte for each square, such as 1 for the squares of White's pawns and 0 for the others.
        """


def set_row_bounds(kernel: RowKernel, starts: Starts, row: Size) -> bool:
    """Set `kernel.start` and `kernel.end` to the text of a row: from ``starts[row]`` to ``starts[row + 1]``.

    Return False and change nothing if the text is not within the characters, or too long for the game.
    """
    start: Size = starts[row]
    end: Size = starts[row + 1]
    is_within_chars: i32 = 0 <= start <= end <= kernel.limit
    # The length is computed last, because other offsets could overflow it.
    if not is_within_chars or end - start > kernel.max_length:
        return False
    kernel.start = start
    kernel.end = end
    return True


def judge_row_text(kernel: RowKernel, starts: Starts, row: Size, mode: i32, legality: bool) -> i32:
    """Read the text of a row, and return a number that classifies it, such as CANONICAL or NOTED.

    The numbers are those of `RowKernel.judge_row`. The result is ASK, which leaves the row to the slower
    reader, if the offsets of the row in `starts` are not valid.
    """
    return kernel.judge_row(mode, legality) if set_row_bounds(kernel, starts, row) else ASK


def has_position(verdict: i32) -> bool:
    """Return whether a row kernel holds a position after `judge_row` has returned `verdict`.

    It holds none after ASK (the text was not read) and REFUSED (the text has an error).
    """
    return verdict != ASK and verdict != REFUSED


class ColumnVerbs:
    """The loops over the rows of a column. The methods are those of `forsyth.column.Column`.

    A game can replace the messages of errors, which are format strings: `rows_message` if rows do not exist,
    `entries_message` if a buffer has less than one entry per row, `room_message` if it has less than `width`
    entries per row, `width_message` if the room for a text is too small, and `forms_message` if that is so or
    rows do not exist.
    """

    if not cython.compiled:
        __slots__ = ()

    rows_message = "rows {first} to {last} were requested, but the column has {size} rows"
    entries_message = "a buffer holds {size} entries, but {last} rows need one entry each"
    room_message = "a buffer holds {size} entries, but {last} rows need {width} entries each"
    width_message = "the room for a text is {width} bytes, which is too small for a text of the game"
    forms_message = (
        "rows {first} to {last} with {width} bytes for each text do not fit the {size} rows of the buffers"
    )

    def make_row_kernel(self) -> RowKernel:
        """Return a new reader and writer of single rows, so that each call holds its own position."""
        return RowKernel()

    def find_text_limit(self, size: Size, offsets: Offsets, first: Size, last: Size) -> Size:
        """Return the highest offset at which a text of the rows from `first` to `last` may end.

        The base class returns `size`, the number of characters. A game can return less, such as the end of
        the text before row `last`. `offsets` has the start of each text.
        """
        return size

    def start_kernel(self, chars: Bytes, offsets: Offsets, first: Size, last: Size) -> RowKernel:
        """Return a new reader of single rows for the texts in `chars`.

        Row i is the text from ``offsets[i]`` to ``offsets[i + 1]``. Raise `ValueError` if one of the rows
        from `first` up to, but not including, `last` does not exist.
        """
        kernel: RowKernel = self.make_row_kernel()
        if not 0 <= first <= last < len(offsets):
            raise ValueError(self.rows_message.format(first=first, last=last, size=len(offsets) - 1))
        kernel.limit = self.find_text_limit(len(chars), offsets, first, last)
        kernel.chars = get_chars(chars)
        return kernel

    def require_entries(self, size: Size, first: Size, last: Size) -> None:
        """Raise `ValueError` if a buffer of `size` entries has no entry for each row before `last`.

        `first`, the first row of the call, is only used in the message.
        """
        if last > size:
            raise ValueError(self.entries_message.format(first=first, last=last, size=size))

    def require_room(self, size: Size, rows: Size, width: Size) -> None:
        """Raise `ValueError` if a buffer of `size` entries has no room for `rows` rows of `width` entries."""
        # A division, because the product of two C integers can overflow.
        if width < 0 or (width > 0 and rows > size // width):
            raise ValueError(self.room_message.format(last=rows, size=size, width=width))

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
        """Read the rows from `first` up to, but not including, `last`, and classify the text of each.

        The number for row i, such as CANONICAL or NOTED (see `RowKernel.judge_row`), is written to
        ``verdicts[i]``. If the text has warnings (NOTED) or an error (REFUSED), the first finding is
        described by NOTES numbers, which are written to `notes` from index ``i * NOTES`` on.
        """
        kernel: RowKernel = self.start_kernel(chars, offsets, first, last)
        starts: Starts = get_starts(offsets)
        verdict_buffer: Out = get_writable(verdicts)
        note_buffer: Numbers = get_numbers(notes)
        verdict: i32
        row: Size
        index: i32
        self.require_entries(len(verdicts), first, last)
        self.require_room(len(notes), last, NOTES)
        with cython.nogil:
            for row in range(first, last):
                verdict = judge_row_text(kernel, starts, row, mode, legality)
                verdict_buffer[row] = verdict
                if verdict == NOTED or verdict == REFUSED:
                    for index in range(NOTES):
                        note_buffer[NOTES * row + index] = kernel.note[index]

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
        """Write the canonical texts of the rows that can be read, but are not canonical.

        These are the rows with SPELLED or NOTED in `verdicts`, which `scan` has written. The text of row i
        begins at ``i * width`` of `out`, and its length is written to ``lengths[i]``.
        """
        kernel: RowKernel = self.start_kernel(chars, offsets, first, last)
        starts: Starts = get_starts(offsets)
        known_verdicts: Chars = get_chars(verdicts)
        text_buffer: Out = get_writable(out)
        length_buffer: Numbers = get_numbers(lengths)
        length: Size
        row: Size
        self.require_entries(len(verdicts), first, last)
        self.require_entries(len(lengths), first, last)
        self.require_room(len(out), last, width)
        if width < kernel.min_room:
            raise ValueError(self.width_message.format(width=width))
        with cython.nogil:
            for row in range(first, last):
                if known_verdicts[row] != SPELLED and known_verdicts[row] != NOTED:
                    continue
                if not set_row_bounds(kernel, starts, row):
                    continue
                length = kernel.rewrite(text_buffer, row * width, width)
                if length != NO_TEXT:
                    length_buffer[row] = length

    def keys(
        self, chars: Bytes, offsets: Offsets, first: Size, last: Size, verdicts: Bytearray, out: Bytearray
    ) -> None:
        """Read the rows from `first` to before `last`, and write their verdicts and keys.

        A verdict is a number such as CANONICAL (see `RowKernel.judge_row`). The 16 bytes of the key of row i
        begin at ``i * 16`` of `out`. A row without a position gets no key.
        """
        kernel: RowKernel = self.start_kernel(chars, offsets, first, last)
        starts: Starts = get_starts(offsets)
        verdict_buffer: Out = get_writable(verdicts)
        key_buffer: Out = get_writable(out)
        row: Size
        self.require_entries(len(verdicts), first, last)
        self.require_room(len(out), last, KEY_BYTES)
        with cython.nogil:
            for row in range(first, last):
                verdict_buffer[row] = judge_row_text(kernel, starts, row, DEFAULT, False)
                if has_position(verdict_buffer[row]):
                    kernel.put_key(key_buffer, row * KEY_BYTES)
            kernel.finish_keys(key_buffer)

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
        """Read the rows from `first` to before `last`, and write their verdicts and packed bytes.

        A verdict is a number such as CANONICAL (see `RowKernel.judge_row`). The packed bytes of row i begin
        at ``i * width`` of `out`, padded with zeros. If they are longer than `width`, the verdict is ASK,
        which leaves the row to the slower code.
        """
        kernel: RowKernel = self.start_kernel(chars, offsets, first, last)
        starts: Starts = get_starts(offsets)
        verdict_buffer: Out = get_writable(verdicts)
        form_buffer: Out = get_writable(out)
        row: Size
        self.require_entries(len(verdicts), first, last)
        self.require_room(len(out), last, width)
        with cython.nogil:
            for row in range(first, last):
                verdict_buffer[row] = judge_row_text(kernel, starts, row, DEFAULT, False)
                if has_position(verdict_buffer[row]) and not kernel.put_packed(
                    form_buffer, row * width, width
                ):
                    verdict_buffer[row] = ASK

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
        """Unpack the positions from `first` to before `last`, and write their canonical texts.

        Position i is read from ``i * width`` of `packed`, and its text is written at ``i * room`` of `out`.
        The number in `verdicts` is CANONICAL, or ASK if the bytes are not a packed position or the text does
        not fit.
        """
        kernel: RowKernel = self.make_row_kernel()
        forms: Chars = get_chars(packed)
        verdict_buffer: Out = get_writable(verdicts)
        text_buffer: Out = get_writable(out)
        length_buffer: Numbers = get_numbers(lengths)
        length: Size
        row: Size
        if not 0 <= first <= last or room < kernel.min_room:
            raise ValueError(
                self.forms_message.format(first=first, last=last, size=len(verdicts), width=room)
            )
        self.require_entries(len(verdicts), first, last)
        self.require_entries(len(lengths), first, last)
        self.require_room(len(packed), last, width)
        self.require_room(len(out), last, room)
        with cython.nogil:
            for row in range(first, last):
                verdict_buffer[row] = ASK
                if kernel.load_packed(forms, row * width, width):
                    length = kernel.put_text(text_buffer, row * room, room)
                    if length != NO_TEXT:
                        length_buffer[row] = length
                        verdict_buffer[row] = CANONICAL

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
        """Read the rows from `first` to before `last`, and write their verdicts and features.

        A verdict is a number such as CANONICAL (see `RowKernel.judge_row`). Feature f of row i is written at
        ``f * rows + i`` of `out`, so each feature is a column of its own.
        """
        kernel: RowKernel = self.start_kernel(chars, offsets, first, last)
        starts: Starts = get_starts(offsets)
        verdict_buffer: Out = get_writable(verdicts)
        feature_buffer: Numbers = get_numbers(out)
        row: Size
        self.require_entries(len(verdicts), first, last)
        self.require_entries(rows, first, last)
        self.require_room(len(out), rows, kernel.feature_count)
        with cython.nogil:
            for row in range(first, last):
                verdict_buffer[row] = judge_row_text(kernel, starts, row, DEFAULT, False)
                if has_position(verdict_buffer[row]) and not kernel.put_features(feature_buffer, row, rows):
                    verdict_buffer[row] = ASK

    def planes(
        self, chars: Bytes, offsets: Offsets, first: Size, last: Size, verdicts: Bytearray, out: Bytearray
    ) -> None:
        """Read the rows from `first` to before `last`, and write their verdicts and planes.

        A verdict is a number such as CANONICAL (see `RowKernel.judge_row`). The planes of row i begin at ``i
        * plane_bytes`` of `out`, one after the other.
        """
        kernel: RowKernel = self.start_kernel(chars, offsets, first, last)
        starts: Starts = get_starts(offsets)
        verdict_buffer: Out = get_writable(verdicts)
        plane_buffer: Out = get_writable(out)
        row: Size
        self.require_entries(len(verdicts), first, last)
        self.require_room(len(out), last, kernel.plane_bytes)
        with cython.nogil:
            for row in range(first, last):
                verdict_buffer[row] = judge_row_text(kernel, starts, row, DEFAULT, False)
                if has_position(verdict_buffer[row]):
                    kernel.put_planes(plane_buffer, row * kernel.plane_bytes)
