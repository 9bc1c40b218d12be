"""The fields of a FEN at full speed, as they really come: what each says, and what is wrong with it as notes.

These are the functions of `fields` and `extensions` in numbers: the same leniencies, the same codes in the
same order, the same places, without words and fixes and without the GIL. A property test holds that both
agree. The module runs as it is and compiles with Cython (`scan_fields.pxd` gives the C types).

Accepts: characters of a text in memory, and where the field stands in it. No field is empty, no character is
outside printable ASCII. Writes: the numbers of a position, and notes. After an error the value is a stand-in.
Limits: nothing behind `end` is read.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.position import LETTERS, Position

if not cython.compiled:
    from forsyth.column import LENIENT
    from forsyth.games.chess.board import ONE, i32, lsb, msb, u64
    from forsyth.games.chess.notation.kernel import put_castling, put_men, put_pockets
    from forsyth.games.chess.notation.notes import (
        ADJACENT_DIGITS,
        BOARD_CHAR,
        BOARD_DIGIT,
        BOARD_TILDE,
        CASTLING_CHAR,
        CASTLING_LENGTH,
        CASTLING_MIXED,
        CASTLING_ORDER,
        CASTLING_TWICE,
        CHECKS_FORM,
        CHECKS_VALUE,
        EP_RANK,
        EP_VALUE,
        FULL_ZERO,
        MODE,
        POCKET_CHAR,
        POCKET_FORM,
        POCKET_SIZE,
        RANK_COUNT,
        RANK_LONG,
        RANK_SHORT,
        RESPELLED,
        SIDE_VALUE,
        Notes,
        note,
    )

    Chars = bytes | bytearray | memoryview
    Planes = list[int]
    Size = int
    Spelling = bytearray
    WHITE_KING_SIDE: Final = 0x0000000000000080
    WHITE_QUEEN_SIDE: Final = 0x0000000000000001
    BLACK_KING_SIDE: Final = 0x8000000000000000
    BLACK_QUEEN_SIDE: Final = 0x0100000000000000
    MOST_IN_POCKET: Final = 64
    MOST_RIGHTS: Final = 4
    MOST_DIGITS: Final = 4
    ALL_CHECKS: Final = 51
    DASH: Final = 45
    SLASH_SIGN: Final = 47
    TILDE: Final = 126
    OPEN: Final = 91
    CLOSE: Final = 93
    PLUS: Final = 43
    MAN = [0] * 256
    RIGHT = [0] * 256

_MEANT: Final = {"K": 1, "Q": 2, "k": 3, "q": 4, "-": 5, "H": 17, "A": 18, "h": 19, "a": 20}


def _fill_tables() -> None:
    """For each character the man it is, from 1 on, and the castling letter; 16 more for one that is meant."""
    for number, letter in enumerate(LETTERS):
        MAN[ord(letter)] = number + 1
    for letter, number in _MEANT.items():
        RIGHT[ord(letter)] = number


_fill_tables()


# --- field 1 ----------------------------------------------------------------------------------------


def scan_ranks(position: Position, notes: Notes, s: Chars, start: Size, end: Size, house: bool) -> None:
    """The men on the board, rank 8 first; in Crazyhouse with promoted marks (`house`)."""
    planes: Planes
    i: i32
    number: i32
    slash: Size
    if not cython.compiled:
        planes = [0] * 16
    for i in range(14):
        planes[i] = 0
    for number in range(8):
        slash = start
        while slash < end and s[slash] != SLASH_SIGN:
            slash += 1
        scan_rank(position, planes, notes, s, start, slash, 7 - number, house)
        if slash == end:
            if number < 7:
                note(notes, RANK_COUNT, False, end, end, -1)
            put_men(position, planes)
            return
        start = slash + 1
    note(notes, RANK_COUNT, start == end, start - 1, end, -1)
    put_men(position, planes)


def scan_rank(
    position: Position, planes: Planes, notes: Notes, s: Chars, start: Size, end: Size, rank: i32, house: bool
) -> None:
    """One rank: the class of each character, counts side by side, too many squares; then too few."""
    at: Size
    c: i32
    file: i32 = 0
    digits: i32 = 0
    before: i32 = 0
    sure: i32 = 1
    long: i32 = 0
    for at in range(start, end):
        c = s[at]
        if MAN[c]:
            if file < 8:
                planes[MAN[c] - 1] |= ONE << (8 * rank + file)
            file += 1
            digits = 0
        elif 49 <= c <= 56:
            digits += 1
            if digits == 2:
                note(notes, ADJACENT_DIGITS, True, at, at + 1, 8 * rank + file if file < 8 else -1)
            file += c - 48
        else:
            digits = 0
            if house and c == TILDE:
                # Pawns and kings are the first and the last kind of man.
                if at > start and MAN[before] and (MAN[before] - 1) % 6 % 5 != 0 and file <= 8:
                    position.promoted |= ONE << (8 * rank + file - 1)
                    before = c
                    continue
                note(notes, BOARD_TILDE, False, at, at + 1, -1)
            elif c == 48 or c == 57:
                note(notes, BOARD_DIGIT, False, at, at + 1, 8 * rank + file if file < 8 else -1)
            else:
                note(notes, BOARD_CHAR, False, at, at + 1, 8 * rank + file if file < 8 else -1)
                file += 1
            # What this character was meant to be cannot be told, so neither can the length of its rank.
            sure = 0
        before = c
        if file > 8 and sure and not long:
            long = 1
            note(notes, RANK_LONG, False, at, end, -1)
    if file < 8 and sure:
        note(notes, RANK_SHORT, False, start, end, 8 * rank + file)


def end_of_ranks(notes: Notes, s: Chars, start: Size, end: Size) -> Size:
    """Crazyhouse: where the ranks end and the pocket begins, whose form is judged here."""
    at: Size = start
    slashes: i32 = 0
    eighth: Size = -1
    while at < end and s[at] != OPEN:
        if s[at] == SLASH_SIGN:
            slashes += 1
            if slashes == 8:
                eighth = at
        at += 1
    if at < end:
        if s[end - 1] != CLOSE:
            note(notes, POCKET_SIZE, False, at, end, -1)
        return at
    if eighth < 0:
        eighth = end
    note(notes, POCKET_FORM, True, eighth, end, -1)
    return eighth


def scan_pocket(position: Position, notes: Notes, s: Chars, start: Size, end: Size) -> None:
    """The pieces in hand; `start` is where the ranks end, `end` where the field does."""
    at: Size
    number: i32
    wanted: Spelling
    white: u64 = 0
    black: u64 = 0
    bracket: i32 = start < end and s[start] == OPEN
    if bracket and s[end - 1] == CLOSE:
        end -= 1
    if start < end:
        start += 1
    if bracket and end - start == 1 and s[start] == DASH:
        notes[RESPELLED] = 1
        end = start
    if end - start > MOST_IN_POCKET:
        note(notes, POCKET_SIZE, False, start, end, -1)
        return
    for at in range(start, end):
        number = MAN[s[at]] - 1
        if number < 0 or number % 6 == 5:
            note(notes, POCKET_CHAR, False, at, at + 1, -1)
        elif number < 6:
            white += ONE << 8 * number
        else:
            black += ONE << 8 * (number - 6)
    position.white_pocket = white
    position.black_pocket = black
    if not cython.compiled:
        wanted = bytearray(160)
    if not spells(s, start, end, wanted, put_pockets(position, wanted, 0)):
        notes[RESPELLED] = 1


# --- field 2 ----------------------------------------------------------------------------------------


def scan_side(position: Position, notes: Notes, s: Chars, start: Size, end: Size) -> None:
    """Whose move it is; ``W`` and ``white`` are what is meant by them."""
    c: i32 = s[start]
    meant: i32 = -1
    if end - start == 1 and (c == 119 or c == 98):
        position.black_to_move = c == 98
        return
    if small(c) == 119 and (end - start == 1 or is_word(s, start, end, 0)):
        meant = 0
    elif small(c) == 98 and (end - start == 1 or is_word(s, start, end, 1)):
        meant = 1
    note(notes, SIDE_VALUE, meant >= 0, start, end, -1)
    position.black_to_move = meant == 1


def is_word(s: Chars, start: Size, end: Size, number: i32) -> bool:
    """Whether the letters behind the first, small or not, are those of ``white`` (0) or ``black`` (1)."""
    if end - start != 5:
        return False
    if number == 0:
        return (
            small(s[start + 1]) == 104
            and small(s[start + 2]) == 105
            and small(s[start + 3]) == 116
            and small(s[start + 4]) == 101
        )
    return (
        small(s[start + 1]) == 108
        and small(s[start + 2]) == 97
        and small(s[start + 3]) == 99
        and small(s[start + 4]) == 107
    )


def small(c: i32) -> i32:
    """The small letter of a letter; every other character itself."""
    return c + 32 if 65 <= c <= 90 else c


# --- field 3 ----------------------------------------------------------------------------------------


def scan_castling(position: Position, notes: Notes, s: Chars, start: Size, end: Size) -> None:
    """Who may castle, in every variant but Chess960."""
    at: Size
    meant: i32
    known: i32 = 0
    dashes: i32 = 0
    seen: i32 = 0
    twice: i32 = 0
    ordered: i32 = 1
    position.rights = 0
    if end - start == 1 and s[start] == DASH:
        return
    for at in range(start, end):
        meant = RIGHT[s[at]]
        if meant == 0 or meant > 16:
            note(notes, CASTLING_CHAR, meant != 0, at, at + 1, -1)
            if meant == 0:
                continue
            meant -= 16
        known += 1
        if meant == 5:
            dashes += 1
            continue
        if seen >> meant & 1:
            twice = 1
        elif seen >> meant:
            # A later letter came first.
            ordered = 0
        seen |= 1 << meant
    if end - start > MOST_RIGHTS:
        note(notes, CASTLING_LENGTH, True, start, end, -1)
    elif known == end - start:
        if dashes:
            note(notes, CASTLING_MIXED, True, start, end, -1)
        if twice:
            note(notes, CASTLING_TWICE, True, start, end, -1)
        if not ordered:
            note(notes, CASTLING_ORDER, True, start, end, -1)
    if seen & 2:
        position.rights |= WHITE_KING_SIDE
    if seen & 4:
        position.rights |= WHITE_QUEEN_SIDE
    if seen & 8:
        position.rights |= BLACK_KING_SIDE
    if seen & 16:
        position.rights |= BLACK_QUEEN_SIDE


def scan_castling_960(position: Position, notes: Notes, s: Chars, start: Size, end: Size) -> None:
    """Who may castle in Chess960, as X-FEN or Shredder-FEN writes it; the men are there already."""
    at: Size
    c: i32
    big: i32
    known: i32 = 0
    twice: i32 = 0
    seen: u64 = 0
    wanted: Spelling
    position.rights = 0
    if end - start == 1 and s[start] == DASH:
        return
    for at in range(start, end):
        c = s[at]
        if c == DASH:
            continue
        big = c - 32 if 97 <= c <= 122 else c
        if big != 75 and big != 81 and (big < 65 or big > 72):
            note(notes, CASTLING_CHAR, False, at, at + 1, -1)
            continue
        known += 1
        # Letters stand at 65 to 113: their places above the first fit 64 bits.
        if seen >> (c - 65) & 1:
            twice = 1
        seen |= ONE << (c - 65)
        position.rights |= ONE << rook_960(position, c)
    if end - start > MOST_RIGHTS:
        note(notes, CASTLING_LENGTH, True, start, end, -1)
    elif known < end - start:
        note(notes, CASTLING_MIXED, True, start, end, -1)
    elif twice:
        note(notes, CASTLING_TWICE, True, start, end, -1)
    if not cython.compiled:
        wanted = bytearray(160)
    if not spells(s, start, end, wanted, put_castling(position, wanted, 0)):
        notes[RESPELLED] = 1


def rook_960(position: Position, letter: i32) -> i32:
    """The square of the rook a castling letter names; a corner if K or Q finds none."""
    black: i32 = letter >= 97
    corner: i32 = 56 * black
    own: u64 = position.black if black else position.white
    kings: u64 = (position.kings & own) >> corner & 255
    rooks: u64 = (position.rooks & own) >> corner & 255
    king: i32 = msb(kings) if kings else 4
    letter -= 32 * black
    if letter <= 72:
        return corner + letter - 65
    if letter == 75:
        rooks = rooks >> king >> 1
        return corner + (msb(rooks) + king + 1 if rooks else 7)
    rooks &= (ONE << king) - 1
    return corner + (lsb(rooks) if rooks else 0)


def spells(s: Chars, start: Size, end: Size, wanted: Spelling, size: Size) -> bool:
    """Whether some characters are those that the canonical text has there."""
    i: Size
    odd: i32 = end - start != size
    for i in range(size if not odd else 0):
        odd |= s[start + i] ^ wanted[i]
    return odd == 0


# --- field 4 ----------------------------------------------------------------------------------------


def scan_ep(position: Position, notes: Notes, s: Chars, start: Size, end: Size) -> None:
    """The square a pawn has just jumped over; a capital letter is the small one it is meant for."""
    file: i32
    rank: i32
    position.ep_square = -1
    if end - start == 1 and s[start] == DASH:
        return
    if end - start != 2:
        note(notes, EP_VALUE, False, start, end, -1)
        return
    file = small(s[start]) - 97
    rank = s[start + 1] - 49
    if file < 0 or file > 7 or rank < 0 or rank > 7:
        note(notes, EP_VALUE, False, start, end, -1)
        return
    if s[start] < 97:
        note(notes, EP_VALUE, True, start, end, -1)
    if rank == 2 or rank == 5:
        position.ep_square = 8 * rank + file
    elif s[start] >= 97 or notes[MODE] == LENIENT:
        note(notes, EP_RANK, True, start, end, 8 * rank + file)


# --- fields 5 and 6, and the checks between them ------------------------------------------------------


def scan_number(notes: Notes, s: Chars, start: Size, end: Size, code: i32, least: i32) -> i32:
    """A clock; `code` is HALF_VALUE or FULL_VALUE, behind which stand those of range and format."""
    at: Size = start
    first: Size
    value: i32 = 0
    if not is_number(s, start, end):
        if end - start == 1 and s[start] == DASH:
            note(notes, code, True, start, end, -1)
            return least
        if s[start] != PLUS or not is_number(s, start + 1, end):
            note(notes, code, False, start, end, -1)
            return least
        note(notes, code, True, start, end, -1)
        at += 1
    first = at
    while at < end - 1 and s[at] == 48:
        at += 1
    if end - first > MOST_DIGITS:
        note(notes, code + 1, end - at <= MOST_DIGITS, start, end, -1)
    elif at > first:
        note(notes, code + 2, True, start, end, -1)
    if end - at > MOST_DIGITS:
        return least
    while at < end:
        value = 10 * value + s[at] - 48
        at += 1
    if value >= least:
        return value
    note(notes, FULL_ZERO, True, start, end, -1)
    return 1


def is_number(s: Chars, start: Size, end: Size) -> bool:
    """Whether there are digits and nothing else."""
    at: Size
    for at in range(start, end):
        if s[at] < 48 or s[at] > 57:
            return False
    return end > start


def is_checks(s: Chars, start: Size, end: Size) -> bool:
    """Whether a word counts checks, such as ``3+3`` or ``+0+0``."""
    if end - start == 4 and s[start] == PLUS:
        start += 1
    return end - start == 3 and 48 <= s[start] <= 57 and s[start + 1] == PLUS and 48 <= s[start + 2] <= 57


def scan_checks(position: Position, notes: Notes, s: Chars, start: Size, end: Size) -> None:
    """Three-check: the checks still to give, from those or from the ones given."""
    white: i32
    black: i32
    given: i32 = end - start == 4 and s[start] == PLUS
    position.remaining = ALL_CHECKS
    if not is_checks(s, start, end):
        note(notes, CHECKS_VALUE, False, start, end, -1)
        return
    white = s[end - 3] - 48
    black = s[end - 1] - 48
    if white > 3 or black > 3:
        note(notes, CHECKS_VALUE, False, start, end, -1)
    elif given:
        note(notes, CHECKS_FORM, True, start, end, -1)
        position.remaining = 3 - white + 16 * (3 - black)
    else:
        position.remaining = white + 16 * black
