# cython: boundscheck=False, wraparound=False
"""Columns of chess at full speed, in every variant: `Kernels` are a `forsyth.column.Column`.

One position serves all the rows of a call, and nothing is made for a row: `scanner.judge` fills the position,
and the verb writes what follows from it into the caller's buffers, without the GIL. The module runs as it is
and compiles with Cython (`column.pxd` gives the C types).

Accepts
    The texts that `scanner` decodes. EPD records and wrapped texts are left to the reader (ASK).
Writes
    What `legality`, `key`, `packing`, `features`, `planes` and `kernel` say about one position.
Limits
    A text is copied before it is looked at, so that nothing behind the last one is read. Offsets that lead
    out of the characters make a row ASK; a buffer that is too small raises `ValueError` before anything is
    written. What is no packed form `unpack` leaves to the reader.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.board import SQUARES
from forsyth.games.chess.notation.notes import NOTED_CODES
from forsyth.games.chess.position import Position

if not cython.compiled:
    from typing import Final

    from forsyth.column import ASK, CANONICAL, DEFAULT, LENIENT, NOTED, NOTES, REFUSED, SPELLED
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

    Buffer = bytearray | memoryview
    Bytearray = memoryview
    Bytes = memoryview
    Chars = memoryview
    Form = bytearray
    Integers = memoryview
    Notes = list[int]
    Numbers = memoryview
    Offsets = memoryview
    Out = memoryview
    Places = memoryview
    Plain = bytearray
    Row = bytearray
    Size = int
    ROW: Final = 96
    WRITTEN: Final = 320

    def bytes_of(view: memoryview) -> memoryview:
        """Where the bytes of a view are."""
        return view

    writable = places_of = numbers_of = bytes_of

    def copy(to: Buffer, at: int, source: Buffer, start: int, size: int) -> None:
        """Copy some bytes."""
        to[at : at + size] = source[start : start + size]

    def clear(to: memoryview, at: int, size: int) -> None:
        """Write zeros."""
        to[at : at + size] = bytes(size)


class Scratch(Position):
    """The position that serves all rows of a call.

    It is longer than others: it is written for every row, and two threads whose positions shared a line of
    the processor's cache would wait for each other all the time.
    """

    if not cython.compiled:
        __slots__ = ()


# --- the verbs --------------------------------------------------------------------------------------


class Kernels:
    """The kernels of chess by the rules of one variant, or by those that each text chooses (AUTO)."""

    if not cython.compiled:
        __slots__ = ("codes", "rules", "squares")

    def __init__(self, rules: int) -> None:
        if not AUTO <= rules <= RACING_KINGS:
            raise ValueError(f"there are no rules {rules} of chess; expected {AUTO} to {RACING_KINGS}")
        self.rules = rules
        self.codes = NOTED_CODES
        self.squares = SQUARES

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
        """The verdict on each row, and what there is to note."""
        position: Position = scratch()
        found: Notes
        text: Chars = bytes_of(chars)
        places: Places = places_of(offsets)
        marks: Out = writable(verdicts)
        told: Numbers = numbers_of(notes)
        rules: i32 = self.rules
        row: Size
        i: i32
        verdict: i32
        limit: Size = end_of_texts(len(chars), offsets, first, last)
        require_room(len(verdicts), last)
        require_room(len(notes), last, NOTES)
        if not cython.compiled:
            found = [0] * 12
        with cython.nogil:
            for row in range(first, last):
                verdict = load(position, found, text, places, row, limit, rules, mode, legality)
                if verdict >= NOTED:
                    if verdict == NOTED and mode == LENIENT and found[MENDED]:
                        # The other kernels know nothing of modes, and would give the text as it is.
                        verdict = ASK
                    else:
                        for i in range(NOTES):
                            told[NOTES * row + i] = found[i]
                marks[row] = verdict

    def rewrite(
        self,
        chars: Bytes,
        offsets: Offsets,
        first: Size,
        last: Size,
        verdicts: Bytearray,
        out: Bytearray,
        lengths: Integers,
        width: Size,
    ) -> None:
        """The canonical text of each row that is SPELLED or NOTED."""
        position: Position = scratch()
        notes: Notes
        text: Chars = bytes_of(chars)
        places: Places = places_of(offsets)
        marks: Out = writable(verdicts)
        found: Out = writable(out)
        sizes: Numbers = numbers_of(lengths)
        rules: i32 = self.rules
        row: Size
        verdict: i32
        limit: Size = end_of_texts(len(chars), offsets, first, last)
        require_room(len(verdicts), last)
        require_room(len(lengths), last)
        require_room(len(out), last, width)
        if width < WRITTEN:
            raise ValueError(f"room for {width} characters; expected {WRITTEN}, the longest text")
        if not cython.compiled:
            notes = [0] * 12
        with cython.nogil:
            for row in range(first, last):
                verdict = marks[row]
                if verdict != SPELLED and verdict != NOTED:
                    continue
                verdict = load(position, notes, text, places, row, limit, rules, DEFAULT, False)
                if verdict == SPELLED or verdict == NOTED:
                    sizes[row] = put_again(position, notes, text, places[row], found, width * row)
                elif verdict == CANONICAL:
                    # What was noted is something about the position.
                    sizes[row] = put_text(position, found, width * row) - width * row

    def keys(
        self,
        chars: Bytes,
        offsets: Offsets,
        first: Size,
        last: Size,
        verdicts: Bytearray,
        out: Bytearray,
    ) -> None:
        """The verdict of each row, and the 16 bytes of its key."""
        position: Position = scratch()
        notes: Notes
        text: Chars = bytes_of(chars)
        places: Places = places_of(offsets)
        marks: Out = writable(verdicts)
        found: Out = writable(out)
        rules: i32 = self.rules
        row: Size
        limit: Size = end_of_texts(len(chars), offsets, first, last)
        require_room(len(verdicts), last)
        require_room(len(out), last, 16)
        if not cython.compiled:
            notes = [0] * 12
        with cython.nogil:
            for row in range(first, last):
                marks[row] = load(position, notes, text, places, row, limit, rules, DEFAULT, False)
                if answers(marks[row]):
                    put_key(position, found, 16 * row)

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
        position: Position = scratch()
        notes: Notes
        text: Chars = bytes_of(chars)
        places: Places = places_of(offsets)
        marks: Out = writable(verdicts)
        found: Out = writable(out)
        rules: i32 = self.rules
        row: Size
        limit: Size = end_of_texts(len(chars), offsets, first, last)
        require_room(len(verdicts), last)
        require_room(len(out), last, width)
        if not cython.compiled:
            notes = [0] * 12
        with cython.nogil:
            for row in range(first, last):
                marks[row] = load(position, notes, text, places, row, limit, rules, DEFAULT, False)
                if answers(marks[row]) and not put_form(position, found, width * row, width):
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
        """The canonical text of each packed form, with zeros behind it or not; else ASK."""
        position: Position = scratch()
        forms: Chars = bytes_of(packed)
        marks: Out = writable(verdicts)
        found: Out = writable(out)
        sizes: Numbers = numbers_of(lengths)
        row: Size
        if first < 0 or last < first or room < WRITTEN:
            raise ValueError(
                f"rows {first} to {last} with room for {room} characters; "
                f"expected rows from 0 on and {WRITTEN}"
            )
        require_room(len(packed), last, width)
        require_room(len(verdicts), last)
        require_room(len(lengths), last)
        require_room(len(out), last, room)
        with cython.nogil:
            for row in range(first, last):
                if take_packed(position, forms, width * row, width):
                    sizes[row] = put_text(position, found, room * row) - room * row
                    marks[row] = CANONICAL
                else:
                    marks[row] = ASK

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
        """The verdict of each row, and its numbers, that of feature f at ``f * rows + row``."""
        position: Position = scratch()
        notes: Notes
        text: Chars = bytes_of(chars)
        places: Places = places_of(offsets)
        marks: Out = writable(verdicts)
        found: Numbers = numbers_of(out)
        rules: i32 = self.rules
        many: i32 = numbers_in(rules)
        numbers: NumberBuffer
        row: Size
        i: i32
        limit: Size = end_of_texts(len(chars), offsets, first, last)
        require_room(len(verdicts), last)
        require_room(rows, last)
        require_room(len(out), rows, many)
        if not cython.compiled:
            notes = [0] * 12
            numbers = [0] * MOST_NUMBERS
        with cython.nogil:
            for row in range(first, last):
                marks[row] = load(position, notes, text, places, row, limit, rules, DEFAULT, False)
                if answers(marks[row]):
                    put_features(position, rules, numbers)
                    for i in range(many):
                        found[i * rows + row] = numbers[i]

    def planes(
        self,
        chars: Bytes,
        offsets: Offsets,
        first: Size,
        last: Size,
        verdicts: Bytearray,
        out: Bytearray,
    ) -> None:
        """The verdict of each row, and its planes, one after the other."""
        position: Position = scratch()
        notes: Notes
        text: Chars = bytes_of(chars)
        places: Places = places_of(offsets)
        marks: Out = writable(verdicts)
        found: Out = writable(out)
        rules: i32 = self.rules
        size: Size = PLANE * planes_in(rules)
        row: Size
        limit: Size = end_of_texts(len(chars), offsets, first, last)
        require_room(len(verdicts), last)
        require_room(len(out), last, size)
        if not cython.compiled:
            notes = [0] * 12
        with cython.nogil:
            for row in range(first, last):
                marks[row] = load(position, notes, text, places, row, limit, rules, DEFAULT, False)
                if answers(marks[row]):
                    put_planes(position, rules, found, size * row)


# --- one row ----------------------------------------------------------------------------------------


def load(
    position: Position,
    notes: Notes,
    chars: Chars,
    places: Places,
    row: Size,
    limit: Size,
    rules: i32,
    mode: i32,
    legality: bool,
) -> i32:
    """The verdict on a row; the position is filled where it is one that `answers`."""
    buffer: Row
    start: Size = places[row]
    end: Size = places[row + 1]
    # In this order: the difference of two numbers that lie inside the texts fits a number.
    if start < 0 or end < start or end > limit or end - start > LONGEST_TEXT:
        return ASK
    if end - start >= ROW:
        return load_long(position, notes, chars, start, end, rules, mode, legality)
    if not cython.compiled:
        buffer = bytearray(ROW)
    # A copy of known size needs no call. It takes from the texts behind this one, which the zero cuts off.
    if start + ROW <= limit:
        copy(buffer, 0, chars, start, ROW)
    else:
        copy(buffer, 0, chars, start, end - start)
    buffer[end - start] = 0
    return judge(position, notes, buffer, end - start, rules, mode, legality)


def load_long(
    position: Position,
    notes: Notes,
    chars: Chars,
    start: Size,
    end: Size,
    rules: i32,
    mode: i32,
    legality: bool,
) -> i32:
    """The verdict on a row that is longer than most."""
    buffer: Plain
    if not cython.compiled:
        buffer = bytearray(520)
    copy(buffer, 0, chars, start, end - start)
    buffer[end - start] = 0
    return judge(position, notes, buffer, end - start, rules, mode, legality)


def answers(verdict: i32) -> bool:
    """Whether a row has a position."""
    return verdict != ASK and verdict != REFUSED


def put_again(position: Position, notes: Notes, chars: Chars, start: Size, out: Out, at: Size) -> i32:
    """Write the canonical text of a row that the scanner took; how long it is."""
    size: Size = notes[BOARD_TO] - notes[BOARD_FROM]
    if notes[BOARD_TO] == 0:
        return put_text(position, out, at) - at
    # The board is canonical as it stands, and copying it is quicker than writing it.
    copy(out, at, chars, start + notes[BOARD_FROM], size)
    return put_rest(position, out, at + size) - at


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
    clear(out, at + size, width - size)
    return True


# --- the caller's buffers ---------------------------------------------------------------------------


def end_of_texts(size: Size, offsets: Offsets, first: Size, last: Size) -> int:
    """Where the last text ends; `ValueError` if there are no such rows."""
    if first < 0 or last < first or last >= len(offsets):
        raise ValueError(f"rows {first} to {last} of a column with {len(offsets) - 1}; expected rows it has")
    end: int = offsets[last]
    if last > first and not 0 <= end <= size:
        raise ValueError(f"the texts end at byte {end}, but there are {size} bytes; expected them all")
    return end


def require_room(size: Size, rows: Size, width: Size = 1) -> None:
    """Refuse a buffer that would be written behind its end, or before its beginning."""
    # Divided, not multiplied: the product of two numbers need not fit a number.
    if width < 0 or (width > 0 and rows > size // width):
        raise ValueError(f"a buffer holds {size} entries, but {rows} rows need {width} each")
