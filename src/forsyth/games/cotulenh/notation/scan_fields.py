# cython: boundscheck=False, wraparound=False
"""The words of a CoTuLenh text as places, and its fields behind the board, with what there is to say of them.

What is noted is what `fields` says in words. The module runs as it is and compiles with Cython
(`scan_fields.pxd` gives the C types).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.games.cotulenh.board import i32
    from forsyth.games.cotulenh.notation.kernel import Chars
    from forsyth.games.cotulenh.notation.notes import (
        CASTLING,
        EN_PASSANT,
        FULL_FORMAT,
        FULL_RANGE,
        FULL_VALUE,
        FULL_ZERO,
        HALF_FORMAT,
        HALF_RANGE,
        HALF_VALUE,
        NO_SQUARE,
        TURN,
        Scan,
        note,
    )

    MOST_DIGITS: Final = 40
    IN_WORD: Final = 0
    BLANK: Final = 1
    FOREIGN: Final = 2
    PART_OF = [0] * 256
    """Whether a character stands in words, between them, or is one that only the reader judges."""


def _fill_tables() -> None:
    for code in range(256):
        PART_OF[code] = IN_WORD if code < 128 else FOREIGN
    PART_OF[ord("_")] = FOREIGN
    for ch in " \t\n\r\v\f":
        PART_OF[ord(ch)] = BLANK


_fill_tables()


def split_words(scan: Scan, s: Chars, n: i32) -> i32:
    """Find the words, and the first white space that is not one blank between two of them.

    0 where a character stands in the text that only the reader can judge.
    """
    at: i32 = 0
    before: i32 = 0
    start: i32
    scan.words = 0
    scan.odd_start = -1
    scan.odd_end = -1
    if scan.tail[5] >= 0:
        scan.words = 1
        scan.word_starts[0] = scan.board_start
        if scan.board_start > 0:
            scan.odd_start = 0
            scan.odd_end = scan.board_start
        scan.word_ends[0] = scan.last_end = before = at = scan.tail[5]
    while at < n:
        while at < n and PART_OF[s[at]] == BLANK:
            at += 1
        start = at
        while at < n and PART_OF[s[at]] == IN_WORD:
            at += 1
        if at < n and PART_OF[s[at]] == FOREIGN:
            return 0
        if scan.odd_start < 0:
            if start == n or scan.words == 0:
                if start > before:
                    scan.odd_start = before
                    scan.odd_end = start
            elif start - before != 1 or s[before] != 32:
                scan.odd_start = before
                scan.odd_end = start
        if start < n:
            if scan.words < 7:
                scan.word_starts[scan.words] = start
                scan.word_ends[scan.words] = at
            scan.words += 1
            scan.last_end = at
        before = at
    return 1


def has_shape(scan: Scan, s: Chars) -> i32:
    """Whether the first word can be a board: it has slashes, and no stack that a blank has broken."""
    at: i32
    slashes: i32 = 0
    opened: i32 = 0
    if scan.tail[5] >= 0:
        return 1
    for at in range(scan.word_starts[0], scan.word_ends[0]):
        slashes += s[at] == 47
        opened += (s[at] == 40) - (s[at] == 41)
    scan.slashes = slashes
    return 1 if slashes > 0 and opened <= 0 else 0


def _count_of(s: Chars, start: i32, end: i32, c: i32) -> i32:
    found: i32 = 0
    at: i32
    for at in range(start, end):
        found += 1 if s[at] == c else 0
    return found


def is_suffix(scan: Scan, s: Chars) -> i32:
    """Whether the words behind the sixth are meant as a deploy suffix."""
    at: i32 = scan.word_starts[6]
    if scan.words == 7 and _count_of(s, at, scan.word_ends[6], 58) == 2:
        return 1
    if scan.words < 7 or scan.word_ends[6] - at != 6 or s[at] != 68 or s[at + 1] != 69 or s[at + 2] != 80:
        return 0
    return 1 if s[at + 3] == 76 and s[at + 4] == 79 and s[at + 5] == 89 else 0


def take_fields(scan: Scan, s: Chars) -> None:
    """The fields behind the board, as many as there are."""
    if scan.words > 1:
        take_turn(scan, s)
    if scan.words > 2:
        _dash(scan, s, 2, CASTLING)
    if scan.words > 3:
        _dash(scan, s, 3, EN_PASSANT)
    if scan.words > 4:
        take_half(scan, s)
    if scan.words > 5:
        _full(scan, s)


def is_dash(scan: Scan, s: Chars, word: i32) -> i32:
    """Whether a word is a dash."""
    at: i32 = scan.word_starts[word]
    return 1 if scan.word_ends[word] - at == 1 and s[at] == 45 else 0


def is_number(scan: Scan, s: Chars, word: i32) -> i32:
    """Whether a word has digits alone."""
    at: i32
    for at in range(scan.word_starts[word], scan.word_ends[word]):
        if not 48 <= s[at] <= 57:
            return 0
    return 1


def take_turn(scan: Scan, s: Chars) -> None:
    """The side to move."""
    at: i32 = scan.word_starts[1]
    c: i32 = s[at] if scan.word_ends[1] - at == 1 else 0
    scan.tail[0] = 1 if c == 98 else 0
    if c != 114 and c != 98:
        note(scan, TURN, at, scan.word_ends[1], NO_SQUARE)


def _dash(scan: Scan, s: Chars, word: i32, code: i32) -> None:
    if not is_dash(scan, s, word):
        note(scan, code, scan.word_starts[word], scan.word_ends[word], NO_SQUARE)


def _significant(scan: Scan, s: Chars, word: i32) -> i32:
    """Where the digits begin that count: leading zeros are left out, but one digit stays."""
    at: i32 = scan.word_starts[word]
    while at < scan.word_ends[word] - 1 and s[at] == 48:
        at += 1
    return at


def take_half(scan: Scan, s: Chars) -> None:
    """The half-move clock."""
    start: i32 = scan.word_starts[4]
    end: i32 = scan.word_ends[4]
    at: i32
    if not is_number(scan, s, 4):
        note(scan, HALF_VALUE, start, end, NO_SQUARE)
        return
    at = _significant(scan, s, 4)
    scan.tail[1] = at
    scan.tail[2] = end
    if end - at > MOST_DIGITS:
        note(scan, HALF_RANGE, start, end, NO_SQUARE)
    elif at > start:
        note(scan, HALF_FORMAT, start, end, NO_SQUARE)


def _full(scan: Scan, s: Chars) -> None:
    start: i32 = scan.word_starts[5]
    end: i32 = scan.word_ends[5]
    at: i32
    if not is_number(scan, s, 5):
        note(scan, FULL_VALUE, start, end, NO_SQUARE)
        return
    at = _significant(scan, s, 5)
    scan.tail[3] = at
    scan.tail[4] = end
    if end - at > MOST_DIGITS:
        note(scan, FULL_RANGE, start, end, NO_SQUARE)
    elif s[at] == 48:
        note(scan, FULL_ZERO, start, end, NO_SQUARE)
    elif at > start:
        note(scan, FULL_FORMAT, start, end, NO_SQUARE)
