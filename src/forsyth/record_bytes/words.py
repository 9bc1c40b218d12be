"""The words of records in bytes, for kernels: lines, tags, comments, and where one record ends.

What stands here is a part of `forsyth.record.tokens`, made for memory: it takes what needs no explanation
and calls the rest odd. Borders are found so that both agree: a record, or several, that lie between two
borders are read the same by themselves as in the file.

A border is a line that begins with a tag, directly behind a blank line, where the last line before that is
no tag and a tag was seen before: the record reader ends a record there, in whatever it finds itself.

Limits: a stretch without a border that has more than 8 MiB is cut, so that no file is held as a whole.
The module runs as it is and compiles with Cython (`words.pxd` gives the C types).
"""

from __future__ import annotations

from typing import Any, Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

COMPILED: Final[bool] = cython.compiled
"""Whether kernels of records are quicker than the record reader: in plain Python they are not."""

if not cython.compiled:
    Bytes = memoryview
    Chars = memoryview
    Size = int
    i32 = int
    u64 = int
    HIGH_BITS: Final = 0x8080808080808080
    BLANKS: Final = 0x2020202020202020
    SHORT: Final = -1
    """The bytes end before this can be said."""
    ODD: Final = -2
    """This is for the record reader to explain."""
    PLAIN: Final = 0
    FOLDED: Final = 1
    MAX_STRETCH: Final = 8 << 20
    NAMES = [0] * 256

    def bytes_of(view: memoryview) -> memoryview:
        """Where the bytes of a view are."""
        return view

    def eight(s: memoryview, at: int, end: int) -> int:
        """Eight characters as a number, lowest first; where there are fewer the rest are blanks."""
        return int.from_bytes(bytes(s[at : min(at + 8, end)]).ljust(8), "little")

    def find_byte(s: memoryview, at: int, end: int, byte: int) -> int:
        """Where a byte stands first, or −1."""
        while at < end:
            if s[at] == byte:
                return at
            at += 1
        return -1


def _fill_names() -> None:
    """2: may begin the name of a tag, 1: may stand in it."""
    for letter in b"+#=:-":
        NAMES[letter] = 1
    for letter in range(128):
        if chr(letter).isalnum() or letter == 95:
            NAMES[letter] = 2


_fill_names()


# --- blanks and lines -------------------------------------------------------------------------------


def skip_between(s: Chars, at: Size, end: Size, final: bool) -> Size:
    """From the start of a line to that of the next line that is neither blank nor an escape."""
    line: Size = at
    while at < end:
        at = skip_blanks(s, after_mark(s, line, end), end)
        if at == end:
            return end if final else line
        if s[at] == 10 or s[at] == 13:
            line = at + 1
        elif s[line] == 37:
            at = after_line(s, line, end)
            if at == end and not final:
                return line
            line = at
        else:
            return line
        at = line
    return end


def after_mark(s: Chars, at: Size, end: Size) -> Size:
    """Behind a byte order mark, if there is one."""
    return at + 3 if end - at >= 3 and s[at] == 0xEF and s[at + 1] == 0xBB and s[at + 2] == 0xBF else at


def skip_blanks(s: Chars, at: Size, end: Size) -> Size:
    """Behind blanks and tabs."""
    while at < end and (s[at] == 32 or s[at] == 9):
        at += 1
    return at


def after_line(s: Chars, at: Size, end: Size) -> Size:
    """Where the next line begins."""
    while at < end and s[at] != 10 and s[at] != 13:
        at += 1
    if at == end:
        return end
    if s[at] == 13 and at + 1 < end and s[at + 1] == 10:
        return at + 2
    return at + 1


def line_rest(s: Chars, at: Size, end: Size, final: bool) -> Size:
    """Where the next line begins if nothing but blanks is left of this one; SHORT or ODD."""
    at = skip_blanks(s, at, end)
    if at < end and s[at] == 13:
        at += 1
        if at < end and s[at] != 10:
            return ODD
    if at == end:
        return end if final else SHORT
    return at + 1 if s[at] == 10 else ODD


# --- tags -------------------------------------------------------------------------------------------


def name_end(s: Chars, at: Size, end: Size) -> Size:
    """Where the name of a tag ends that begins here; SHORT or ODD."""
    if at < end and NAMES[s[at]] != 2:
        return ODD
    while at < end and NAMES[s[at]]:
        at += 1
    return at if at < end else SHORT


def value_end(s: Chars, at: Size, end: Size) -> Size:
    """Where the value of a tag ends, before its quote; SHORT or ODD."""
    size: i32
    while at < end:
        if s[at] == 34:
            return at
        if s[at] == 92:
            if at + 1 < end and s[at + 1] != 34 and s[at + 1] != 92:
                return ODD
            at += 2
        elif s[at] == 10 or s[at] == 13:
            return ODD
        elif s[at] < 128:
            at += 1
        else:
            size = utf8_size(s, at, end)
            if size == 0:
                return ODD if end - at > 3 else SHORT
            at += size
    return SHORT


def is_tag_line(s: Chars, at: Size, end: Size) -> bool:
    """Whether a line begins with a tag that is written as it should be."""
    if at >= end or s[at] != 91:
        return False
    at = name_end(s, at + 1, end)
    if at < 0 or end - at < 4 or s[at] != 32 or s[at + 1] != 34:
        return False
    at = value_end(s, at + 2, end)
    return at >= 0 and at + 1 < end and s[at + 1] == 93


def begins_tag(s: Chars, at: Size, end: Size) -> bool:
    """Whether a tag begins here, up to the quote of its value."""
    if at >= end or s[at] != 91:
        return False
    at = name_end(s, skip_blanks(s, at + 1, end), end)
    if at < 0:
        return False
    at = skip_blanks(s, at, end)
    return at < end and s[at] == 34


# --- comments ---------------------------------------------------------------------------------------


def kind_of_comment(s: Chars, at: Size, end: Size) -> i32:
    """PLAIN, FOLDED where it has line breaks, ODD where only the reader can say what its words are."""
    word: u64
    start: Size = at
    while at < end:
        word = eight(s, at, end)
        # The highest bit of a byte is set where the character is not ASCII, or below a blank.
        if (word | ((word - BLANKS) & ~word)) & HIGH_BITS:
            return look_closer(s, start, end)
        at += 8
    return PLAIN


def look_closer(s: Chars, at: Size, end: Size) -> i32:
    """The same, character by character."""
    kind: i32 = PLAIN
    size: i32
    line: Size
    while at < end:
        if 32 <= s[at] < 128 or s[at] == 9:
            at += 1
        elif s[at] == 10 or s[at] == 13:
            kind = FOLDED
            line = at
            at = after_line(s, at, end)
            if s[line] == 13 and at == line + 1 and at < end:
                return ODD
            # A blank line and a tag behind it would end the comment.
            line = skip_blanks(s, at, end)
            if line < end and (s[line] == 10 or s[line] == 13):
                return ODD
        elif s[at] < 32:
            return ODD
        else:
            size = utf8_size(s, at, end)
            if size == 0 or is_wide_blank(s, at):
                return ODD
            at += size
    return kind


def utf8_size(s: Chars, at: Size, end: Size) -> i32:
    """How many bytes the character has that begins here and is not ASCII; 0 if it is none."""
    first: i32 = s[at]
    second: i32
    size: i32 = 2 if first < 0xE0 else 3 if first < 0xF0 else 4
    i: i32
    if first < 0xC2 or first > 0xF4 or end - at < size:
        return 0
    second = s[at + 1]
    # No form that is too long, no surrogate, nothing above U+10FFFF.
    if (first == 0xE0 and second < 0xA0) or (first == 0xED and second > 0x9F):
        return 0
    if (first == 0xF0 and second < 0x90) or (first == 0xF4 and second > 0x8F):
        return 0
    for i in range(1, size):
        if s[at + i] & 0xC0 != 0x80:
            return 0
    return size


def is_wide_blank(s: Chars, at: Size) -> bool:
    """Whether a character that is not ASCII is one of those that Python takes for a blank."""
    if s[at] == 0xC2:
        return s[at + 1] == 0x85 or s[at + 1] == 0xA0
    if s[at] == 0xE1:
        return s[at + 1] == 0x9A and s[at + 2] == 0x80
    if s[at] == 0xE2 and s[at + 1] == 0x80:
        return s[at + 2] <= 0x8A or s[at + 2] == 0xA8 or s[at + 2] == 0xA9 or s[at + 2] == 0xAF
    if s[at] == 0xE2:
        return s[at + 1] == 0x81 and s[at + 2] == 0x9F
    return s[at] == 0xE3 and s[at + 1] == 0x80 and s[at + 2] == 0x80


# --- borders ----------------------------------------------------------------------------------------


def next_border(data: Any, at: int) -> int:
    """The first border at or behind a place, or −1 if there is none.

    The place may lie anywhere in a file, in the middle of a record too.
    """
    view: Bytes = memoryview(data)
    end: Size = len(view)
    if not 0 <= at <= end:
        raise ValueError(f"place {at} of {end} bytes, expected one inside")
    return find_border(bytes_of(view), at, end, True)


def find_border(s: Chars, at: Size, end: Size, cut_first: bool) -> Size:
    """The first border behind a place, or −1; `cut_first` says that a tag was seen before it."""
    line: Size = at
    first: Size
    after: Size
    seen: bool = cut_first
    blank: bool = False
    tagged: bool = cut_first
    # Whether the last line may be one before the tags of a record: of a comment, or with a bracket.
    remark: bool = False
    inside: bool = False
    while line < end:
        first = skip_blanks(s, line, end)
        after = after_line(s, line, end)
        if first < end and (s[first] == 10 or s[first] == 13):
            blank = True
        elif first < end:
            if blank and begins_tag(s, line, end):
                if seen and not tagged and not remark:
                    return line
                seen = (seen and not remark) or is_tag_line(s, line, end)
                inside = False
            if not 32 < s[first] < 127:
                # Whether this is a blank is for the reader to say.
                remark = True
            elif s[line] != 37:
                tagged = has_bracket(s, first, after)
                remark = s[first] == 59 or (
                    (inside or s[first] == 123) and s[last_visible(s, first, after)] == 125
                )
                inside = stays_open(s, first, after, inside)
                remark = remark or inside
            blank = False
        line = after
    return -1


def has_bracket(s: Chars, at: Size, end: Size) -> bool:
    """Whether a line has a bracket that is not of a command."""
    while True:
        at = find_byte(s, at, end, 91)
        if at < 0:
            return False
        at += 1
        if at == end or s[at] != 37:
            return True


def stays_open(s: Chars, at: Size, end: Size, inside: bool) -> bool:
    """Whether a comment is open at the end of a line that begins inside one or not."""
    while at < end:
        if s[at] == 123:
            inside = True
        elif s[at] == 125:
            inside = False
        at += 1
    return inside


def last_visible(s: Chars, at: Size, end: Size) -> Size:
    """Where the last character of a line stands that is not blank; the first one is not."""
    while end - 1 > at and s[end - 1] <= 32:
        end -= 1
    return end - 1


def find_stretch(s: Chars, at: Size, end: Size, final: bool) -> Size:
    """Where the stretch ends that begins here and is left to the record reader; SHORT."""
    line: Size = after_mark(s, at, end)
    border: Size = find_border(s, line, end, is_tag_line(s, line, end))
    if border > at:
        return border
    if final:
        return end
    if end - at <= MAX_STRETCH:
        return SHORT
    line = end
    while line > at + 1 and s[line - 1] != 10 and s[line - 1] != 13:
        line -= 1
    return line if line > at + 1 else end
