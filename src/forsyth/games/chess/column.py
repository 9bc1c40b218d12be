# cython: boundscheck=False, wraparound=False
"""Columns of standard chess at full speed: the functions of `forsyth.column.Column`, the module being one.

One position serves all the rows of a call, and nothing is made for a row: `kernel.scan` fills the position,
and the verb writes what follows from it into the caller's buffers, without the GIL. The module runs as it is
and compiles with Cython (`column.pxd` gives the C types); plain Python decodes row by row and copies.

Accepts
    Exactly the texts that `kernel.decode` takes: canonical standard FEN. The reader warns about every other
    spelling, so no row is SPELLED. EPD records, which it reads without a warning, are left to it (ASK).
Writes
    What `legality`, `key`, `packing`, `features`, `planes` and `kernel` say about one position.
Limits
    A text is copied before it is looked at, so that nothing behind the last one is read. Offsets that lead
    out of the characters make a row ASK; a buffer that is too small raises `ValueError` before anything is
    written.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.position import FIELD_NAMES, Position

if not cython.compiled:
    from typing import Final

    from forsyth.column import ASK, CANONICAL
    from forsyth.games.chess.board import i32
    from forsyth.games.chess.features import NUMBERS, NumberBuffer, put_features
    from forsyth.games.chess.kernel import LONGEST, SHORTEST, decode, put_text
    from forsyth.games.chess.key import SEED_HIGH, SEED_LOW, lane_of, state_of
    from forsyth.games.chess.legality import effective_rights, faults
    from forsyth.games.chess.packing import put_packed, put_word, take_packed
    from forsyth.games.chess.planes import COUNT, PLANE, put_planes
    from forsyth.games.chess.position import blank as scratch

    Buffer = bytearray | memoryview
    Bytearray = memoryview
    Bytes = memoryview
    Chars = memoryview
    Form = bytearray
    Integers = memoryview
    Numbers = memoryview
    Offsets = memoryview
    Out = memoryview
    Places = memoryview
    Row = bytearray
    Size = int
    ROW: Final = 96

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

    def scan_text(position: Position, characters: bytearray, size: int) -> bool:
        """Fill the position with that of some characters, by way of a text, which is faster here."""
        found = decode(characters[:size].decode("latin-1"))
        if found is None:
            return False
        for name in FIELD_NAMES:
            setattr(position, name, getattr(found, name))
        return True


class Scratch(Position):
    """The position that serves all rows of a call.

    It is longer than others: it is written for every row, and two threads whose positions shared a line of
    the processor's cache would wait for each other all the time.
    """

    if not cython.compiled:
        __slots__ = ()


# --- the verbs --------------------------------------------------------------------------------------


def scan(
    chars: Bytes, offsets: Offsets, first: Size, last: Size, legality: bool, verdicts: Bytearray
) -> None:
    """A verdict for each row; with `legality`, CANONICAL means that `faults` finds nothing as well."""
    position: Position = scratch()
    text: Chars = bytes_of(chars)
    places: Places = places_of(offsets)
    marks: Out = writable(verdicts)
    row: Size
    limit: Size = end_of_texts(len(chars), offsets, first, last)
    require_room(len(verdicts), last)
    with cython.nogil:
        for row in range(first, last):
            if load(position, text, places, row, limit) and (not legality or faults(position) == 0):
                marks[row] = CANONICAL
            else:
                marks[row] = ASK


def rewrite(
    chars: Bytes,
    offsets: Offsets,
    first: Size,
    last: Size,
    verdicts: Bytearray,
    out: Bytearray,
    lengths: Integers,
    width: Size,
) -> None:
    """Nothing: `scan` calls no row SPELLED."""


def keys(
    chars: Bytes, offsets: Offsets, first: Size, last: Size, verdicts: Bytearray, out: Bytearray
) -> None:
    """The verdict of each row, and the 16 bytes of its key."""
    position: Position = scratch()
    text: Chars = bytes_of(chars)
    places: Places = places_of(offsets)
    marks: Out = writable(verdicts)
    found: Out = writable(out)
    row: Size
    limit: Size = end_of_texts(len(chars), offsets, first, last)
    require_room(len(verdicts), last)
    require_room(len(out), last, 16)
    with cython.nogil:
        for row in range(first, last):
            if load(position, text, places, row, limit):
                put_key(position, found, 16 * row)
                marks[row] = CANONICAL
            else:
                marks[row] = ASK


def pack(
    chars: Bytes, offsets: Offsets, first: Size, last: Size, verdicts: Bytearray, out: Bytearray, width: Size
) -> None:
    """The verdict of each row, and its packed form filled up with zeros; ASK where that is longer."""
    position: Position = scratch()
    text: Chars = bytes_of(chars)
    places: Places = places_of(offsets)
    marks: Out = writable(verdicts)
    found: Out = writable(out)
    row: Size
    limit: Size = end_of_texts(len(chars), offsets, first, last)
    require_room(len(verdicts), last)
    require_room(len(out), last, width)
    with cython.nogil:
        for row in range(first, last):
            if load(position, text, places, row, limit) and put_form(position, found, width * row, width):
                marks[row] = CANONICAL
            else:
                marks[row] = ASK


def unpack(
    packed: Bytes,
    width: Size,
    first: Size,
    last: Size,
    verdicts: Bytearray,
    out: Bytearray,
    lengths: Integers,
    room: Size,
) -> None:
    """The canonical text of each packed form of standard chess, with zeros behind it or not; else ASK."""
    position: Position = scratch()
    forms: Chars = bytes_of(packed)
    marks: Out = writable(verdicts)
    found: Out = writable(out)
    sizes: Numbers = numbers_of(lengths)
    row: Size
    if first < 0 or last < first or room < LONGEST:
        raise ValueError(
            f"rows {first} to {last} with room for {room} characters; expected rows from 0 on and {LONGEST}"
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
    chars: Bytes, offsets: Offsets, first: Size, last: Size, verdicts: Bytearray, out: Integers, rows: Size
) -> None:
    """The verdict of each row, and its numbers, that of feature f at ``f * rows + row``."""
    position: Position = scratch()
    text: Chars = bytes_of(chars)
    places: Places = places_of(offsets)
    marks: Out = writable(verdicts)
    found: Numbers = numbers_of(out)
    numbers: NumberBuffer
    row: Size
    i: i32
    limit: Size = end_of_texts(len(chars), offsets, first, last)
    require_room(len(verdicts), last)
    require_room(rows, last)
    require_room(len(out), rows, NUMBERS)
    if not cython.compiled:
        numbers = [0] * NUMBERS
    with cython.nogil:
        for row in range(first, last):
            if load(position, text, places, row, limit):
                put_features(position, numbers)
                for i in range(NUMBERS):
                    found[i * rows + row] = numbers[i]
                marks[row] = CANONICAL
            else:
                marks[row] = ASK


def planes(
    chars: Bytes, offsets: Offsets, first: Size, last: Size, verdicts: Bytearray, out: Bytearray
) -> None:
    """The verdict of each row, and its planes, one after the other."""
    position: Position = scratch()
    text: Chars = bytes_of(chars)
    places: Places = places_of(offsets)
    marks: Out = writable(verdicts)
    found: Out = writable(out)
    row: Size
    limit: Size = end_of_texts(len(chars), offsets, first, last)
    require_room(len(verdicts), last)
    require_room(len(out), last, COUNT * PLANE)
    with cython.nogil:
        for row in range(first, last):
            if load(position, text, places, row, limit):
                put_planes(position, found, COUNT * PLANE * row)
                marks[row] = CANONICAL
            else:
                marks[row] = ASK


# --- one row ----------------------------------------------------------------------------------------


def load(position: Position, chars: Chars, places: Places, row: Size, limit: Size) -> bool:
    """Fill the position with that of a row; False leaves the row to the reader."""
    buffer: Row
    start: Size = places[row]
    end: Size = places[row + 1]
    # In this order: the difference of two numbers that lie inside the texts fits a number.
    if start < 0 or end < start or end > limit or end - start < SHORTEST or end - start > LONGEST:
        return False
    if not cython.compiled:
        buffer = bytearray(ROW)
    # A copy of known size needs no call. It takes from the texts behind this one, which the zero cuts off.
    if start + ROW <= limit:
        copy(buffer, 0, chars, start, ROW)
    else:
        copy(buffer, 0, chars, start, end - start)
    buffer[end - start] = 0
    return scan_text(position, buffer, end - start)


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
