# cython: boundscheck=False, wraparound=False
"""Columns of chess at full speed, in every variant: `Kernels` are a `forsyth.column.Column`.

One position serves all the rows of a call, and nothing is made for a row: `scanner.judge` fills the position,
and what follows from it is written into the caller's buffers. `kit.numbers.column_verbs` has the verbs. The
module runs as it is and compiles with Cython (`column.pxd` gives the C types).

Accepts
    The texts that `scanner` decodes. EPD records and wrapped texts are left to the reader (ASK).
Writes
    What `legality`, `key`, `packing`, `features`, `planes` and `kernel` say about one position.
Limits
    A text is copied before it is looked at, so that nothing behind the last one is read. Offsets that lead
    behind the end of the last text make a row ASK. What is no packed form `unpack` leaves to the reader.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.board import SQUARES
from forsyth.games.chess.notation.notes import NOTED_CODES
from forsyth.games.chess.position import Position
from forsyth.kit.numbers.column_verbs import ColumnVerbs, RowKernel

if not cython.compiled:
    from typing import Final

    from forsyth.column import ASK, CANONICAL, DEFAULT, LENIENT, NOTED
    from forsyth.games.chess.board import i32
    from forsyth.games.chess.notation.kernel import put_rest, put_text
    from forsyth.games.chess.notation.notes import BOARD_FROM, BOARD_TO, MENDED
    from forsyth.games.chess.notation.scanner import AUTO, judge
    from forsyth.games.chess.notation.words import LONGEST_TEXT
    from forsyth.games.chess.numbers.features import MOST_NUMBERS, NumberBuffer, numbers_in, put_features
    from forsyth.games.chess.numbers.key import SEED_HIGH, SEED_LOW, lane_of, state_of
    from forsyth.games.chess.numbers.packing import put_packed, put_word, take_packed
    from forsyth.games.chess.numbers.planes import PLANE, planes_in, put_planes
    from forsyth.games.chess.position import RACING_KINGS
    from forsyth.games.chess.position import blank as scratch
    from forsyth.games.chess.rules.legality import effective_rights
    from forsyth.kit.numbers.column_verbs import (
        NO_TEXT,
        Chars,
        Numbers,
        Offsets,
        Out,
        Size,
        answers,
        copy,
        fill,
    )

    Form = bytearray
    Plain = bytearray
    SHORT: Final = 96
    WRITTEN: Final = 320


class Scratch(Position):
    """The position that serves all rows of a call.

    It is longer than others: it is written for every row, and two threads whose positions shared a line of
    the processor's cache would wait for each other all the time.
    """

    if not cython.compiled:
        __slots__ = ()


class ChessRow(RowKernel):
    """One row of chess, by the rules of one variant or by those that the text chooses."""

    if not cython.compiled:
        __slots__ = ("position", "rules")
        position: Position
        rules: int

    def judge(self, mode: i32, legality: bool) -> i32:
        """The verdict on the text."""
        buffer: Plain
        verdict: i32
        size: Size = self.end - self.start
        if not cython.compiled:
            buffer = bytearray(520)
        # A copy of known size needs no call. What it takes from the texts behind this one the zero cuts off.
        if size < SHORT and self.start + SHORT <= self.limit:
            copy(buffer, 0, self.chars, self.start, SHORT)
        else:
            copy(buffer, 0, self.chars, self.start, size)
        buffer[size] = 0
        verdict = judge(self.position, self.note, buffer, size, self.rules, mode, legality)
        # The other verbs know nothing of modes, and would give the text as it is.
        return ASK if verdict == NOTED and mode == LENIENT and self.note[MENDED] else verdict

    def rewrite(self, out: Out, at: Size, room: Size) -> Size:
        """Write the canonical text of a row that was accepted."""
        verdict: i32 = self.judge(DEFAULT, False)
        size: Size = self.note[BOARD_TO] - self.note[BOARD_FROM]
        if not answers(verdict):
            return NO_TEXT
        # What was noted of a canonical text is something about the position.
        if verdict == CANONICAL or self.note[BOARD_TO] == 0:
            return self.put_text(out, at, room)
        # The board is canonical as it stands, and copying it is quicker than writing it.
        copy(out, at, self.chars, self.start + self.note[BOARD_FROM], size)
        return put_rest(self.position, out, at + size) - at

    def put_text(self, out: Out, at: Size, room: Size) -> Size:
        """Write the canonical text, which always has room."""
        return put_text(self.position, out, at) - at

    def put_key(self, out: Out, at: Size) -> None:
        """Write the key."""
        put_key(self.position, out, at)

    def put_packed(self, out: Out, at: Size, width: Size) -> bool:
        """Write the packed form."""
        return put_form(self.position, out, at, width)

    def take_packed(self, packed: Chars, at: Size, width: Size) -> bool:
        """Read a packed form."""
        return take_packed(self.position, packed, at, width)

    def put_features(self, out: Numbers, at: Size, step: Size) -> bool:
        """Write the numbers."""
        numbers: NumberBuffer
        i: Size
        if not cython.compiled:
            numbers = [0] * MOST_NUMBERS
        put_features(self.position, self.rules, numbers)
        for i in range(self.number_count):
            out[i * step + at] = numbers[i]
        return True

    def put_planes(self, out: Out, at: Size) -> None:
        """Write the planes."""
        put_planes(self.position, self.rules, out, at)


class Kernels(ColumnVerbs):
    """The kernels of chess by the rules of one variant, or by those that each text chooses (AUTO)."""

    if not cython.compiled:
        __slots__ = ("rules",)

    codes = NOTED_CODES
    squares = SQUARES
    no_rows = "rows {first} to {last} of a column with {size}; expected rows it has"
    no_places = "a buffer holds {size} entries, but {last} rows need 1 each"
    no_room = "a buffer holds {size} entries, but {last} rows need {width} each"
    no_forms = (
        "rows {first} to {last} with room for {width} characters; "
        f"expected rows from 0 on and {WRITTEN}"
    )
    narrow = f"room for {{width}} characters; expected {WRITTEN}, the longest text"

    def __init__(self, rules: int) -> None:
        if not AUTO <= rules <= RACING_KINGS:
            raise ValueError(f"there are no rules {rules} of chess; expected {AUTO} to {RACING_KINGS}")
        self.rules = rules

    def row_kernel(self) -> RowKernel:
        """A row kernel for one call."""
        row: ChessRow = ChessRow()
        row.position = scratch()
        row.rules = self.rules
        row.longest = LONGEST_TEXT
        row.written = WRITTEN
        row.number_count = numbers_in(row.rules)
        row.plane_bytes = PLANE * planes_in(row.rules)
        return row

    def end_of_texts(self, size: Size, offsets: Offsets, first: Size, last: Size) -> Size:
        """Where the last text ends; `ValueError` if that is not inside the characters."""
        end: Size = offsets[last]
        if last > first and not 0 <= end <= size:
            raise ValueError(f"the texts end at byte {end}, but there are {size} bytes; expected them all")
        return end


def put_key(position: Position, out: Out, at: Size) -> None:
    """Write the key of a position as bytes."""
    rights = effective_rights(position)
    state = state_of(position)
    put_word(out, at, lane_of(position, SEED_HIGH, state, rights))
    put_word(out, at + 8, lane_of(position, SEED_LOW, state, rights))


def put_form(position: Position, out: Out, at: Size, width: Size) -> bool:
    """Write the packed form of a position and zeros behind it; whether there is room for it."""
    form: Form
    size: Size
    if not cython.compiled:
        form = bytearray(80)
    size = put_packed(position, form)
    if size > width:
        return False
    copy(out, at, form, 0, size)
    fill(out, at + size, width - size, 0)
    return True
