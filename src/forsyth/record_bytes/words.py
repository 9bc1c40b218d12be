"""Functions that read records in bytes, for the kernels: lines, tags, comments, and the borders of records.

They implement a part of `forsyth.record.tokens` for bytes in memory. Text that only the record reader can
read, or has to report on, is UNSUPPORTED here.

A *border* is the start of a record at which a file may be cut: the records between two borders are read the
same by themselves as in the file. It is a line that begins with a tag and directly follows a blank line,
where the last line before the blank one has no tag, and an earlier line has one. The record reader ends a
record there, whatever that record contains.

Limits: a stretch of more than 8 MiB without a border is cut, so that no file has to be held as a whole.
The module runs as it is and compiles with Cython (`words.pxd` gives the C types).
"""

from __future__ import annotations

from typing import Any, Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.limits import MAX_COMMENT_LOOKAHEAD

COMPILED: Final[bool] = cython.compiled
"""Whether the kernels of records are compiled. Tables of records use kernels only then."""

if not cython.compiled:
    Bytes = memoryview
    Chars = memoryview
    Size = int
    i32 = int
    u64 = int
    PLAIN_BYTES: Final = bytes(range(32, 128))
    CHUNK: Final = 512
    """Number of bytes that are copied at once to search in them."""
    INCOMPLETE: Final = -1
    """Returned if the bytes end too early, and more may follow."""
    UNSUPPORTED: Final = -2
    """Returned for text that is left to the record reader."""
    PLAIN: Final = 0
    FOLDED: Final = 1
    MAX_STRETCH: Final = 8 << 20
    MAX_LOOKAHEAD: Final = MAX_COMMENT_LOOKAHEAD
    MAX_CHARACTER_SIZE: Final = 4
    """Bytes of the longest character in UTF-8."""
    FIRST_NON_ASCII: Final = 128
    NAME_CHARACTER: Final = 1
    NAME_START: Final = 2
    TAB: Final = 9
    NEWLINE: Final = 10
    CARRIAGE_RETURN: Final = 13
    SPACE: Final = 32
    QUOTE: Final = 34
    HASH: Final = 35
    PERCENT: Final = 37
    PLUS: Final = 43
    COMMA: Final = 44
    MINUS: Final = 45
    FULL_STOP: Final = 46
    DIGIT_0: Final = 48
    DIGIT_9: Final = 57
    COLON: Final = 58
    SEMICOLON: Final = 59
    OPEN_BRACKET: Final = 91
    BACKSLASH: Final = 92
    CLOSE_BRACKET: Final = 93
    OPEN_BRACE: Final = 123
    CLOSE_BRACE: Final = 125
    DELETE: Final = 127
    NAMES = [0] * 256
    """For each byte NAME_START or NAME_CHARACTER if it may begin or continue the name of a tag, else 0."""

    def get_chars(view: memoryview) -> memoryview:
        """Return `view` itself. In compiled code this function returns a pointer to its first byte."""
        return view

    def is_plain(chars: memoryview, index: int, end: int) -> bool:
        """Return whether the bytes from `index` to before `end` are ASCII without control characters.

        DEL counts as plain. The compiled version looks at eight bytes at once.
        """
        return not bytes(chars[index:end]).translate(None, PLAIN_BYTES)

    def find_byte(chars: memoryview, index: int, end: int, byte: int) -> int:
        """Return the index of the first `byte` from `index` to before `end`, or −1 if there is none."""
        while index < end:
            chunk_end = min(index + CHUNK, end)
            found = bytes(chars[index:chunk_end]).find(byte)
            if found >= 0:
                return index + found
            index = chunk_end
        return -1


def _fill_names() -> None:
    """Fill the table NAMES, which classifies each byte by its use in the name of a tag.

    Letters, digits and ``_`` may begin a name. ``+ # = : -`` may only continue it. All other bytes stay 0.
    """
    for code in b"+#=:-":
        NAMES[code] = NAME_CHARACTER
    for code in range(128):
        if chr(code).isalnum() or chr(code) == "_":
            NAMES[code] = NAME_START


_fill_names()


# --- lines ------------------------------------------------------------------------------------------


def skip_ignored_lines(chars: Chars, index: Size, end: Size, final: bool) -> Size:
    """Return the offset of the next line that is neither blank nor begins with ``%``, or `end` without one.

    Args:
        chars: The bytes of the file, as far as they are read.
        index: The start of a line.
        end: The number of bytes.
        final: Whether the file ends at `end`. If not, and the last line is incomplete and would be skipped,
            its start is returned, so that the caller can read it again.
    """
    line: Size = index
    while index < end:
        index = skip_blanks(chars, skip_byte_order_mark(chars, line, end), end)
        if index == end:
            return end if final else line
        if chars[index] == NEWLINE or chars[index] == CARRIAGE_RETURN:
            line = index + 1
        elif chars[line] == PERCENT:
            index = skip_line(chars, line, end)
            if index == end and not final:
                return line
            line = index
        else:
            return line
        index = line
    return end


def skip_byte_order_mark(chars: Chars, index: Size, end: Size) -> Size:
    """Return the index after the UTF-8 byte order mark at `index`, or `index` if there is none."""
    if end - index < 3:
        return index
    # U+FEFF has the bytes EF BB BF in UTF-8.
    if chars[index] == 0xEF and chars[index + 1] == 0xBB and chars[index + 2] == 0xBF:
        return index + 3
    return index


def skip_blanks(chars: Chars, index: Size, end: Size) -> Size:
    """Return the index of the first character from `index` on that is no space or tab, or `end`."""
    while index < end and (chars[index] == SPACE or chars[index] == TAB):
        index += 1
    return index


def skip_line(chars: Chars, index: Size, end: Size) -> Size:
    """Return the start of the line after the one that contains `index`, or `end` if it is the last one.

    Lines end with LF, CR or CRLF.
    """
    while index < end and chars[index] != NEWLINE and chars[index] != CARRIAGE_RETURN:
        index += 1
    if index == end:
        return end
    if chars[index] == CARRIAGE_RETURN and index + 1 < end and chars[index + 1] == NEWLINE:
        return index + 2
    return index + 1


def finish_line(chars: Chars, index: Size, end: Size, final: bool) -> Size:
    """Return the start of the next line, or a negative code if something follows `index` on this line.

    UNSUPPORTED: the rest of the line is not blank, so the slower record reader must read the record.
    INCOMPLETE: the bytes end before the line does, and more may follow (`final` is False).
    """
    index = skip_blanks(chars, index, end)
    if index < end and chars[index] == CARRIAGE_RETURN:
        index += 1
        if index < end and chars[index] != NEWLINE:
            return UNSUPPORTED
    if index == end:
        return end if final else INCOMPLETE
    return index + 1 if chars[index] == NEWLINE else UNSUPPORTED


# --- tags -------------------------------------------------------------------------------------------


def find_tag_name_end(chars: Chars, index: Size, end: Size) -> Size:
    """Return the offset after the tag name at `index`, such as ``Event``, or a negative code.

    INCOMPLETE: the bytes end inside of the name, and more may follow. UNSUPPORTED: no name begins here.
    """
    if index < end and NAMES[chars[index]] != NAME_START:
        return UNSUPPORTED
    while index < end and NAMES[chars[index]]:
        index += 1
    return index if index < end else INCOMPLETE


def find_tag_value_end(chars: Chars, index: Size, end: Size) -> Size:
    r"""Return the index of the quote that ends the tag value at `index`, or a negative code.

    INCOMPLETE: the bytes end inside of the value. UNSUPPORTED: the value contains a line break, NUL, invalid
    UTF-8, or a backslash that is not part of ``\"`` or of a double backslash, so the slower record reader
    must read the record.
    """
    size: i32
    while index < end:
        if chars[index] == QUOTE:
            return index
        if chars[index] == BACKSLASH:
            if index + 1 < end and chars[index + 1] != QUOTE and chars[index + 1] != BACKSLASH:
                return UNSUPPORTED
            index += 2
        elif chars[index] == NEWLINE or chars[index] == CARRIAGE_RETURN:
            return UNSUPPORTED
        elif chars[index] < FIRST_NON_ASCII:
            if chars[index] == 0:
                return UNSUPPORTED
            index += 1
        else:
            size = measure_utf8_char(chars, index, end)
            if size == 0:
                # Fewer bytes may be the beginning of a valid character.
                return UNSUPPORTED if end - index >= MAX_CHARACTER_SIZE else INCOMPLETE
            index += size
    return INCOMPLETE


def is_tag_line(chars: Chars, index: Size, end: Size) -> bool:
    """Return whether the line at `index` begins with a complete tag, such as ``[Event "Cup"]``."""
    if index >= end or chars[index] != OPEN_BRACKET:
        return False
    index = find_tag_name_end(chars, index + 1, end)
    if index < 0 or end - index < 4 or chars[index] != SPACE or chars[index + 1] != QUOTE:
        return False
    index = find_tag_value_end(chars, index + 2, end)
    return index >= 0 and index + 1 < end and chars[index + 1] == CLOSE_BRACKET


def begins_tag(chars: Chars, index: Size, end: Size) -> bool:
    """Return whether a tag begins at `index`. Only its start is checked, up to the quote in ``[Event "``."""
    if index >= end or chars[index] != OPEN_BRACKET:
        return False
    index = find_tag_name_end(chars, skip_blanks(chars, index + 1, end), end)
    if index < 0:
        return False
    index = skip_blanks(chars, index, end)
    return index < end and chars[index] == QUOTE


# --- comments ---------------------------------------------------------------------------------------


def classify_comment(chars: Chars, index: Size, end: Size) -> i32:
    """Classify the comment from `index` to `end`, which are the bytes between its braces.

    PLAIN: the comment can be copied. FOLDED: it has line breaks, which must become spaces. UNSUPPORTED: it
    has control characters, special blanks or invalid UTF-8, so the slower record reader must read it.
    """
    return PLAIN if is_plain(chars, index, end) else classify_by_character(chars, index, end)


def classify_by_character(chars: Chars, index: Size, end: Size) -> i32:
    """Classify a comment that has non-ASCII or control characters: PLAIN, FOLDED or UNSUPPORTED.

    See `classify_comment` for the meaning of the three kinds. This function looks at one character at a time,
    which is slower.
    """
    kind: i32 = PLAIN
    size: i32
    line: Size
    while index < end:
        if SPACE <= chars[index] < FIRST_NON_ASCII or chars[index] == TAB:
            index += 1
        elif chars[index] == NEWLINE or chars[index] == CARRIAGE_RETURN:
            kind = FOLDED
            # A carriage return without a line feed is rare, and left to the record reader.
            line = index
            index = skip_line(chars, index, end)
            if chars[line] == CARRIAGE_RETURN and index == line + 1 and index < end:
                return UNSUPPORTED
            # The record reader ends a comment at a blank line that a tag follows.
            line = skip_blanks(chars, index, end)
            if line < end and (chars[line] == NEWLINE or chars[line] == CARRIAGE_RETURN):
                return UNSUPPORTED
        elif chars[index] < SPACE:
            return UNSUPPORTED
        else:
            size = measure_utf8_char(chars, index, end)
            if size == 0 or is_wide_blank(chars, index):
                return UNSUPPORTED
            index += size
    return kind


def measure_utf8_char(chars: Chars, index: Size, end: Size) -> i32:
    """Return the size of the non-ASCII character at `index` in bytes, or 0 if it is not valid UTF-8."""
    first: i32 = chars[index]
    second: i32
    size: i32
    i: i32
    # Characters of two, three and four bytes begin with C2 to DF, E0 to EF, and F0 to F4.
    if first < 0xE0:
        size = 2
    elif first < 0xF0:
        size = 3
    else:
        size = 4
    if first < 0xC2 or first > 0xF4 or end - index < size:
        return 0
    second = chars[index + 1]
    # Overlong forms, surrogates, and code points above U+10FFFF are not valid.
    if (first == 0xE0 and second < 0xA0) or (first == 0xED and second > 0x9F):
        return 0
    if (first == 0xF0 and second < 0x90) or (first == 0xF4 and second > 0x8F):
        return 0
    for i in range(1, size):
        # Every byte after the first one has the bits 10 at its top.
        if chars[index + i] & 0xC0 != 0x80:
            return 0
    return size


def is_wide_blank(chars: Chars, index: Size) -> bool:
    """Return whether the non-ASCII character at `index` counts as whitespace in Python, such as U+00A0.

    The bytes from `index` on must be valid UTF-8.
    """
    # U+0085 (next line) and U+00A0 (no-break space).
    if chars[index] == 0xC2:
        return chars[index + 1] == 0x85 or chars[index + 1] == 0xA0
    # U+1680 (ogham space).
    if chars[index] == 0xE1:
        return chars[index + 1] == 0x9A and chars[index + 2] == 0x80
    # U+2000 to U+200A (spaces), U+2028 and U+2029 (separators), U+202F (narrow no-break space).
    if chars[index] == 0xE2 and chars[index + 1] == 0x80:
        return (
            chars[index + 2] <= 0x8A
            or chars[index + 2] == 0xA8
            or chars[index + 2] == 0xA9
            or chars[index + 2] == 0xAF
        )
    # U+205F (mathematical space).
    if chars[index] == 0xE2:
        return chars[index + 1] == 0x81 and chars[index + 2] == 0x9F
    # U+3000 (ideographic space).
    return chars[index] == 0xE3 and chars[index + 1] == 0x80 and chars[index + 2] == 0x80


# --- borders ----------------------------------------------------------------------------------------


def next_border(data: Any, index: int) -> int:
    """Return the first offset from `index` on at which a file of records can be cut, or −1 without one.

    A record begins at a *border*: a line that begins with a tag and directly follows a blank line, where the
    last line before the blank one has no tag, and an earlier line has one.
    `index` may be anywhere in the file, also in the middle of a record. Raise `ValueError` if it is outside
    of `data`.
    """
    view: Bytes = memoryview(data)
    end: Size = len(view)
    if not 0 <= index <= end:
        raise ValueError(f"the offset {index} is outside of the {end} bytes, expected 0 to {end}")
    return find_border(get_chars(view), index, end, True)


def find_border(chars: Chars, index: Size, end: Size, has_tag_before: bool) -> Size:
    """Return the first offset after `index` at which a new record certainly begins, or −1 if there is none.

    A record begins at a *border*: a line that begins with a tag and directly follows a blank line, where the
    last line before the blank one has no tag, and an earlier line has one.
    `has_tag_before` says whether a line before `index` has a tag.
    """
    line: Size = index
    text_start: Size
    next_line: Size
    has_seen_tag: bool = has_tag_before
    follows_blank_line: bool = False
    last_line_has_tag: bool = has_tag_before
    # Whether the last line is, or ends, a comment: comments may stand before the tags of a record.
    last_line_is_comment: bool = False
    # Whether a comment in braces is open at the start of the line.
    is_in_comment: bool = False
    # A comment that contains a tag is known to end here.
    closed_until: Size = 0
    while line < end:
        text_start = skip_blanks(chars, line, end)
        next_line = skip_line(chars, line, end)
        if text_start < end and (chars[text_start] == NEWLINE or chars[text_start] == CARRIAGE_RETURN):
            follows_blank_line = True
        elif text_start < end:
            if line >= closed_until and follows_blank_line and begins_tag(chars, line, end):
                if has_seen_tag and not last_line_has_tag and not last_line_is_comment:
                    return line
                has_seen_tag = (has_seen_tag and not last_line_is_comment) or is_tag_line(chars, line, end)
                if is_in_comment:
                    closed_until = find_comment_end(chars, line, end)
                    is_in_comment = closed_until > line
            if not SPACE < chars[text_start] < DELETE:
                # Only the record reader can decide whether this character is a blank.
                last_line_is_comment = True
            elif chars[line] != PERCENT:
                last_line_has_tag = has_tag_bracket(chars, text_start, next_line)
                last_line_is_comment = is_comment_line(chars, text_start, next_line, is_in_comment)
                is_in_comment = leaves_comment_open(chars, text_start, next_line, is_in_comment)
                last_line_is_comment = last_line_is_comment or is_in_comment
            follows_blank_line = False
        line = next_line
    return -1


def find_comment_end(chars: Chars, index: Size, end: Size) -> Size:
    """Return the offset of the brace that closes the comment around a tag at `index`, or 0 without one.

    The comment is closed if the next brace is a closing one. If the bytes end before there is a brace, `end`
    is returned, because a closing brace may follow.
    """
    limit: Size = index + MAX_LOOKAHEAD
    while index < end:
        if index == limit or chars[index] == OPEN_BRACE:
            return 0
        if chars[index] == CLOSE_BRACE:
            return index
        index += 1
    return end


def is_comment_line(chars: Chars, index: Size, end: Size, is_in_comment: bool) -> bool:
    """Return whether a line is a comment after ``;``, or begins in braces and ends with a closing brace.

    Args:
        chars: The bytes of the file.
        index: The first visible character of the line.
        end: The start of the next line.
        is_in_comment: Whether a comment in braces is open at the start of the line.
    """
    if chars[index] == SEMICOLON:
        return True
    if not is_in_comment and chars[index] != OPEN_BRACE:
        return False
    return chars[find_last_visible(chars, index, end)] == CLOSE_BRACE


def has_tag_bracket(chars: Chars, index: Size, end: Size) -> bool:
    """Return whether a ``[`` that does not begin a command (``[%``) is from `index` to before `end`."""
    while True:
        index = find_byte(chars, index, end, OPEN_BRACKET)
        if index < 0:
            return False
        index += 1
        if index == end or chars[index] != PERCENT:
            return True


def leaves_comment_open(chars: Chars, index: Size, end: Size, is_in_comment: bool) -> bool:
    """Return whether a comment in braces is open at `end`.

    `is_in_comment` says whether one is open at `index` already.
    """
    while index < end:
        if chars[index] == OPEN_BRACE:
            is_in_comment = True
        elif chars[index] == CLOSE_BRACE:
            is_in_comment = False
        index += 1
    return is_in_comment


def find_last_visible(chars: Chars, index: Size, end: Size) -> Size:
    """Return the index of the last character before `end` that is not whitespace.

    The character at `index` must not be whitespace.
    """
    while end - 1 > index and chars[end - 1] <= SPACE:
        end -= 1
    return end - 1


def find_stretch_end(chars: Chars, index: Size, end: Size, final: bool) -> Size:
    """Return the end of the bytes from `index` on that are left to the slower record reader.

    They end where the next record certainly begins. INCOMPLETE means that more bytes are needed to find this
    place. If there is none within MAX_STRETCH bytes, the bytes are cut at the last line break.
    """
    line: Size = skip_byte_order_mark(chars, index, end)
    border: Size = find_border(chars, line, end, is_tag_line(chars, line, end))
    if border > index:
        return border
    if final:
        return end
    if end - index <= MAX_STRETCH:
        return INCOMPLETE
    # There is no certain start of a record for too long: cut at the last line break.
    line = end
    while line > index + 1 and chars[line - 1] != NEWLINE and chars[line - 1] != CARRIAGE_RETURN:
        line -= 1
    return line if line > index + 1 else end
