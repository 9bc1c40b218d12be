# cython: boundscheck=False, wraparound=False
"""Functions that gather texts of records into one piece of memory, in the layout of Arrow.

Each function checks all offsets before it copies anything. Compiled code (`texts.pxd` gives the C types)
copies without the GIL.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.record_bytes.columns import Texts

if not cython.compiled:
    from forsyth.record_bytes.words import BACKSLASH, CARRIAGE_RETURN, NEWLINE, SPACE

    Bytes = memoryview
    Bytearray = memoryview
    Filled = memoryview
    Ints = memoryview
    Kinds = bytes | bytearray
    Size = int
    i32 = int
    INT_SIZE: Final = 4
    """Bytes of an integer in a column (format ``i``)."""
    MAX_TEXT_BYTES: Final = 2**31 - 1
    AS_IT_IS: Final = 0
    ESCAPED: Final = 1
    FOLDED: Final = 2

    def equal(data: memoryview, index: int, name: memoryview, size: int) -> bool:
        """Return whether the first `size` bytes of `name` are at `index` in `data`."""
        return data[index : index + size] == name[:size]

    def set_bit(bitmap: memoryview, index: int) -> None:
        """Set the bit at `index` in `bitmap` to 1. Bits are counted from the lowest bit of the first byte."""
        bitmap[index >> 3] |= 1 << (index & 7)

    def copy(out: memoryview, target: int, data: memoryview, start: int, size: int) -> None:
        """Copy `size` bytes at `start` in `data` to `target` in `out`."""
        out[target : target + size] = data[start : start + size]


def allocate_ints(count: int) -> memoryview:
    """Return a memoryview of `count` integers of four bytes each (format ``i``), all zero."""
    # One more is allocated, so that the memory is never empty.
    return memoryview(bytearray(INT_SIZE * (count + 1))).cast("i")[:count]


def place_behind(starts: Ints, size: Size) -> memoryview:
    """Return offsets of texts, of which negative ones become offsets behind `size` bytes.

    −1 becomes `size`, −2 becomes `size` + 1, and so on. Other offsets stay as they are.
    """
    count: Size = len(starts)
    i: Size
    result = allocate_ints(count)
    new_starts: Filled = result
    for i in range(count):
        new_starts[i] = starts[i] if starts[i] >= 0 else size - 1 - starts[i]
    return result


def gather_texts(data: Bytes, starts: Ints, lengths: Ints, kinds: Kinds) -> Texts:
    """Copy texts out of `data` into one piece of memory, and return their offsets and their characters.

    Text i of the result lies between `offsets[i]` and `offsets[i + 1]`, as in an Arrow column.

    Args:
        data: The bytes that contain the texts.
        starts: The offset of each text in `data`.
        lengths: The size of each text in bytes.
        kinds: For each text AS_IT_IS, ESCAPED (remove its backslashes) or FOLDED (turn its line breaks into
            spaces).

    Raises:
        ValueError: If a text lies outside of `data`, or the texts have 2 GiB or more together.
    """
    count: Size = len(starts)
    i: Size
    size: Size = 0
    is_outside: i32 = 0
    if len(lengths) < count or len(kinds) < count:
        raise ValueError(
            f"{count} texts have {len(lengths)} lengths and {len(kinds)} kinds, expected one of each per text"
        )
    for i in range(count):
        if starts[i] < 0 or lengths[i] < 0 or lengths[i] > len(data) - starts[i]:
            is_outside = 1
        size += lengths[i]
    if is_outside:
        raise ValueError(f"a text lies outside of the {len(data)} bytes of data")
    if size > MAX_TEXT_BYTES:
        raise ValueError(f"the texts have {size} bytes, expected less than 2 GiB")
    offsets = allocate_ints(count + 1)
    buffer = memoryview(bytearray(size + 1))
    text_ends: Filled = offsets
    writable: Bytearray = buffer
    size = 0
    with cython.nogil:
        for i in range(count):
            if kinds[i] == ESCAPED:
                size = write_unescaped(writable, size, data, starts[i], starts[i] + lengths[i])
            elif kinds[i] == FOLDED:
                size = write_folded(writable, size, data, starts[i], starts[i] + lengths[i])
            elif lengths[i]:
                copy(writable, size, data, starts[i], lengths[i])
                size += lengths[i]
            text_ends[i + 1] = size
    return offsets, buffer[:size]


def write_unescaped(out: Bytearray, target: Size, data: Bytes, index: Size, end: Size) -> Size:
    r"""Write the value of a tag without its escapes, and return the offset after it in `out`.

    The value is ``data[index:end]`` and is written to `target` in `out`. ``\"`` becomes ``"``, and two
    backslashes become one.
    """
    while index < end:
        if data[index] == BACKSLASH and index + 1 < end:
            index += 1
        out[target] = data[index]
        target += 1
        index += 1
    return target


def write_folded(out: Bytearray, target: Size, data: Bytes, index: Size, end: Size) -> Size:
    """Write a comment on one line, and return the offset after it in `out`.

    The comment is ``data[index:end]`` and is written to `target` in `out`. Each line break becomes one space,
    together with the whitespace around it.
    """
    start: Size = target
    after_break: bool = False
    while index < end:
        if data[index] == NEWLINE or data[index] == CARRIAGE_RETURN:
            while target > start and out[target - 1] <= SPACE:
                target -= 1
            after_break = True
        elif data[index] > SPACE or not after_break:
            if after_break and target > start:
                out[target] = SPACE
                target += 1
            after_break = False
            out[target] = data[index]
            target += 1
        index += 1
    return target


def widen_lengths(lengths: Bytes) -> memoryview:
    """Return lengths that are stored in one byte each as integers of four bytes each (format ``i``)."""
    widened = allocate_ints(len(lengths))
    writable: Filled = widened
    row: Size
    for row in range(len(lengths)):
        writable[row] = lengths[row]
    return widened


def find_tag_rows(data: Bytes, first: Ints, names: Ints, lengths: Ints, name: Bytes) -> memoryview:
    """Return for each game the row of its first tag that is called `name`, or −1 if it has no such tag.

    A row is the index of a tag in a table of the tags of all games. The rows of one game are consecutive.

    Args:
        data: The bytes that contain the names.
        first: For each game the row of its first tag. The last entry is the number of rows.
        names: For each row the offset of the tag's name in `data`.
        lengths: For each row the length of the tag's name.
        name: The name to find.
    """
    game_count: Size = len(first) - 1
    size: Size = len(name)
    game: Size
    row: Size
    tag_rows = allocate_ints(game_count)
    writable: Filled = tag_rows
    for game in range(game_count):
        writable[game] = -1
        for row in range(max(first[game], 0), min(first[game + 1], len(names))):
            # The offset is checked, so that no byte outside of `data` is compared.
            if (
                lengths[row] == size
                and 0 <= names[row] <= len(data) - size
                and equal(data, names[row], name, size)
            ):
                writable[game] = row
                break
    return tag_rows


def pack_validity(column: Ints, missing_value: int) -> tuple[bytes, int]:
    """Return an Arrow validity bitmap for `column`, and the number of values that are missing.

    A value is missing if it equals `missing_value`. Bit i of the bitmap, counted from the lowest bit of the
    first byte, is 1 if value i is not missing.
    """
    count: Size = len(column)
    i: Size
    missing_count: Size = 0
    missing_int: i32 = missing_value
    # Eight bits for each byte, rounded up.
    bitmap_size: Size = (count + 7) // 8
    bitmap = bytearray(bitmap_size + 1)
    writable: Bytearray = memoryview(bitmap)
    with cython.nogil:
        for i in range(count):
            if column[i] == missing_int:
                missing_count += 1
            else:
                set_bit(writable, i)
    return bytes(bitmap[:bitmap_size]), missing_count
