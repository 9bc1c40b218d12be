"""The words of a text at full speed: where each stands, the first odd blank, dashes that look like a hyphen.

`find_words` takes characters of printable ASCII with blanks of any kind between and around them, and answers
no where there is anything else, or a sign by which a text may be no plain FEN (``_``, ``%``, ``;``): the
reader says what that is. `make_plain` makes such characters of UTF-8 in which look-alikes of a hyphen stand.
The module runs as it is and compiles with Cython (`words.pxd` gives the C types).

Limits: LONGEST_TEXT bytes; the places of the first MOST words and of the last one are kept.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.games.chess.board import i32

    Chars = bytes | bytearray | memoryview
    Plain = bytearray
    Size = int
    Words = list[int]
    FROM: Final = 0
    TO: Final = 8
    WORDS: Final = 16
    LAST_FROM: Final = 17
    LAST_TO: Final = 18
    BEFORE_LAST: Final = 19
    ODD_FROM: Final = 20
    ODD_TO: Final = 21
    DASH_AT: Final = 22
    TAKEN: Final = 23
    BOARD_END: Final = 24
    DASH_LAST: Final = 25
    MOST: Final = 8
    LONGEST_TEXT: Final = 512
    LETTER: Final = 0
    SPACE: Final = 1
    BLANK: Final = 2
    ODD: Final = 3
    SORT = [0] * 256


def _fill_sorts() -> None:
    for code in range(256):
        SORT[code] = LETTER if 32 < code < 127 and chr(code) not in "_%;:" else ODD
    for blank in "\t\n\r\x0b\x0c":
        SORT[ord(blank)] = BLANK
    SORT[32] = SPACE


_fill_sorts()


def first_word(s: Chars) -> Size:
    """Where the first word begins; behind the characters stands a zero."""
    at: Size = 0
    while SORT[s[at]] == SPACE or SORT[s[at]] == BLANK:
        at += 1
    return at


def find_words(words: Words, s: Chars, n: Size, start: Size, board_end: Size) -> bool:
    """Find the words of a text; False where it has a character that the reader has to judge.

    `start` is where the first word begins; up to `board_end`, where that is not 0, it has been looked at.
    """
    at: Size = board_end if board_end else start
    sort: i32
    found: i32 = 0
    begun: Size = start
    run: Size
    words[ODD_FROM] = 0 if start else -1
    words[ODD_TO] = start
    words[TAKEN] = -1
    words[BOARD_END] = board_end
    words[BEFORE_LAST] = 0
    words[LAST_FROM] = 0
    words[LAST_TO] = 0
    while begun < n:
        sort = SORT[s[at]]
        while sort == LETTER:
            at += 1
            sort = SORT[s[at]]
        # The zero behind the last character is no letter either.
        if sort == ODD and at < n:
            return False
        if found < MOST:
            words[FROM + found] = begun
            words[TO + found] = at
        words[BEFORE_LAST] = words[LAST_TO]
        words[LAST_FROM] = begun
        words[LAST_TO] = at
        found += 1
        if at >= n:
            break
        run = at
        at += 1
        while SORT[s[at]] == SPACE or SORT[s[at]] == BLANK:
            at += 1
        if words[ODD_FROM] < 0 and (at - run > 1 or sort == BLANK or at >= n):
            words[ODD_FROM] = run
            words[ODD_TO] = at
        begun = at
    words[WORDS] = found
    return True


# --- fields: the words without the count of checks ----------------------------------------------------


def fields_in(words: Words) -> i32:
    """How many fields there are."""
    return words[WORDS] - 1 if words[TAKEN] >= 0 else words[WORDS]


def field_from(words: Words, number: i32) -> Size:
    """Where a field begins, by its number from 0 on; one of the first seven."""
    return words[FROM + number + 1] if 0 <= words[TAKEN] <= number else words[FROM + number]


def field_to(words: Words, number: i32) -> Size:
    """Where a field ends, by its number from 0 on; one of the first seven."""
    return words[TO + number + 1] if 0 <= words[TAKEN] <= number else words[TO + number]


def field_end(words: Words) -> Size:
    """Where the last field ends."""
    return words[BEFORE_LAST] if words[TAKEN] == words[WORDS] - 1 else words[LAST_TO]


# --- hyphens ------------------------------------------------------------------------------------------


def is_foreign(s: Chars, n: Size) -> bool:
    """Whether there is a character outside ASCII."""
    at: Size
    all_bits: i32 = 0
    for at in range(n):
        all_bits |= s[at]
    return all_bits > 127


def make_plain(words: Words, plain: Plain, s: Chars, n: Size) -> Size:
    """Write the characters of UTF-8 with hyphens for their look-alikes, and a zero; how many they are.

    −1 where there is another character outside ASCII.
    """
    at: Size = 0
    size: Size = 0
    words[DASH_AT] = -1
    words[DASH_LAST] = -1
    while at < n:
        if s[at] < 128:
            plain[size] = s[at]
            at += 1
        else:
            if at + 2 >= n or not is_dash(s[at], s[at + 1], s[at + 2]):
                return -1
            if words[DASH_AT] < 0:
                words[DASH_AT] = size
            words[DASH_LAST] = size
            plain[size] = 45
            at += 3
        size += 1
    plain[size] = 0
    return size


def is_dash(first: i32, second: i32, third: i32) -> bool:
    """Whether three bytes are the UTF-8 of one of `forsyth.dashes.DASHES`."""
    if first == 0xE2:
        return (second == 0x80 and 0x90 <= third <= 0x95) or (second == 0x88 and third == 0x92)
    if first != 0xEF:
        return False
    return (second == 0xB9 and (third == 0x98 or third == 0xA3)) or (second == 0xBC and third == 0x8D)
