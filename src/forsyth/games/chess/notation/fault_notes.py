"""Findings about the legality of a position as notes, placed in the text that it was read from.

These are the findings of `check` in numbers: the same order, places and squares, without words and fixes and
without the GIL. A property test holds that both agree. The module runs as it is and compiles with Cython
(`fault_notes.pxd` gives the C types).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.position import Position
from forsyth.games.chess.rules.legality import FAULTS

if not cython.compiled:
    from forsyth.games.chess.board import count, i32, lsb, u64
    from forsyth.games.chess.notation.notes import FIRST_FAULT, Notes, note
    from forsyth.games.chess.notation.words import FROM, LAST_FROM, LAST_TO, MOST, TO, WORDS, Words
    from forsyth.games.chess.position import THREE_CHECK
    from forsyth.games.chess.rules.attacks import MAX_KINGS, find_checkers
    from forsyth.games.chess.rules.legality import (
        ADJACENT,
        BACKRANK,
        EP_BLOCKED,
        EP_PAWN,
        EP_SIDE,
        IMPOSSIBLE,
        MANY_CHECKS,
        MANY_KINGS,
        OPPOSITE,
        RACE_CHECK,
        find_stray_pawns,
    )

    Chars = bytes | bytearray | memoryview
    Size = int
    KINDS: Final = 22
    SORTED = [0] * 22
    FIELD = [0] * 22

_FIELDS: Final = {"castling": 3, "ep": 4, "half": 5}
"""The field that codes of a subject are about; the others are about the board, except these."""
_OTHER_FIELDS: Final = {"ep.half": 5, "check.opposite": 2}


def _fill_tables() -> None:
    for place, code in enumerate(sorted(FAULTS)):
        SORTED[place] = FAULTS.index(code)
    for fault, code in enumerate(FAULTS):
        FIELD[fault] = _OTHER_FIELDS.get(code, _FIELDS.get(code.partition(".")[0], 1))


_fill_tables()


def note_faults(position: Position, notes: Notes, words: Words, s: Chars, n: Size, found: i32) -> None:
    """Note what `faults` found, by code."""
    place: i32
    fault: i32
    square: i32
    word: i32
    at: Size
    for place in range(KINDS):
        fault = SORTED[place]
        if not found >> fault & 1:
            continue
        square = square_of(position, fault)
        if words[WORDS] < 4:
            note(notes, FIRST_FAULT + fault, False, 0, n, square)
            continue
        at = place_on_board(words, s, square) if FIELD[fault] == 1 and square >= 0 else -1
        if at >= 0:
            note(notes, FIRST_FAULT + fault, False, at, at + 1, square)
            continue
        word = word_of(position, words, s, FIELD[fault] - 1)
        if word < MOST:
            note(notes, FIRST_FAULT + fault, False, words[FROM + word], words[TO + word], square)
        else:
            note(notes, FIRST_FAULT + fault, False, words[LAST_FROM], words[LAST_TO], square)


def square_of(position: Position, fault: i32) -> i32:
    """The first square that a finding names, or −1."""
    bit: i32 = 1 << fault
    own: u64 = position.black if position.black_to_move else position.white
    kings: u64
    if bit == MANY_KINGS:
        kings = position.kings & position.white
        return lsb(kings if count(kings) > MAX_KINGS[0][position.rules] else position.kings & position.black)
    if bit == BACKRANK:
        return lsb(find_stray_pawns(position))
    if bit & (EP_SIDE | EP_PAWN | EP_BLOCKED):
        return position.ep_square
    if bit == OPPOSITE:
        return lsb(position.kings & ~own)
    if bit == ADJACENT:
        return lsb(position.kings)
    if bit & (MANY_CHECKS | IMPOSSIBLE | RACE_CHECK):
        return lsb(find_checkers(position))
    return -1


def word_of(position: Position, words: Words, s: Chars, field: i32) -> i32:
    """Which word a field is, by its number from 0 on; the last one where it was left out."""
    at: Size
    last: i32 = words[WORDS] - 1
    if position.rules == THREE_CHECK and last > 5:
        for at in range(words[FROM + 4], words[TO + 4]):
            if s[at] == 43:
                # The counts of checks stand before the clocks.
                return field if field < 4 else field + 1 if field < last else last
    return field if field < last else last


def place_on_board(words: Words, s: Chars, square: i32) -> Size:
    """Where the man on a square stands in the first word, or −1."""
    at: Size
    c: i32
    rank: i32 = 7
    file: i32 = 0
    for at in range(words[FROM], words[TO]):
        c = s[at]
        if c == 47:
            rank -= 1
            file = 0
        elif 49 <= c <= 56:
            file += c - 48
        elif c != 126:
            if 8 * rank + file == square:
                return at
            file += 1
    return -1
