"""CoTuLenh at full speed: canonical text to position.

The kernel decodes what is valid and answers None to the rest; `fen` then explains. What it decodes is exactly
the texts without a deploy suffix about which the reader has nothing to say. The module runs as it is and
compiles with Cython (`kernel.pxd` gives the C types). `fill` serves single texts and whole columns, and needs
no Python object. Writing: `write.encode`.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.stacks import LETTERS, MEMBER_ORDER

if not cython.compiled:
    from forsyth.games.cotulenh.board import SQUARE_COUNT, i32, i64, u32
    from forsyth.games.cotulenh.position import draft_position, seal_position
    from forsyth.games.cotulenh.rules.attacks import Units
    from forsyth.games.cotulenh.stacks import BLUE_BIT, CARRIERS, HEROIC_SHIFT, TYPES

    Chars = bytes | bytearray
    Size = int
    Tail = list[int]
    MAX_CANONICAL: Final = 1024
    """No canonical text without a session is longer."""
    AFTER_ONE: Final = 256
    AFTER_NUMBER: Final = 512
    NO_STEP: Final = 100
    UNTRIED: Final = -2
    """Where a board ends that nobody has looked at."""
    STEPS = [0] * 768
    NEXT = [0] * 256
    DOWN = [0] * 256
    SINGLES = [0] * 256
    WRITTEN = [0] * 11

    def is_ascii(text: str) -> bool:
        """Whether `characters` can give the text."""
        return text.isascii()

    def characters(text: str) -> bytes:
        """The characters of an ASCII text, and a zero behind them."""
        return text.encode() + b"\0"

    def length(text: str) -> int:
        """How many characters a text has."""
        return len(text)


Text = str
"""What `decode` takes. Cython does not know the name, so that it takes subclasses of str as well."""


def _fill_tables() -> None:
    """WRITTEN: where a type stands in a stack. SINGLES: the unit of a letter, 0 for all else.

    STEPS: what a character adds to the squares left in its rank, in three parts: behind anything, behind
    ``1`` and behind another digit; NEXT says which part it leads to, DOWN by how many squares the rank ends
    lower behind it. A character that is no piece, number or slash adds more than there are squares.
    """
    for code in range(768):
        STEPS[code] = NO_STEP
    for code in range(256):
        NEXT[code] = DOWN[code] = SINGLES[code] = 0
    for kind, letter in enumerate(LETTERS):
        WRITTEN[kind] = MEMBER_ORDER.index(letter)
        SINGLES[ord(letter)] = 1 << kind
        SINGLES[ord(letter.lower())] = 1 << kind | BLUE_BIT
    for digit in range(10):
        NEXT[48 + digit] = AFTER_ONE if digit == 1 else AFTER_NUMBER
        STEPS[48 + digit] = -digit if digit else NO_STEP
    # One square has been counted when the second digit of 10 or 11 comes.
    STEPS[AFTER_ONE + 48], STEPS[AFTER_ONE + 49] = -9, -10
    for part in (0, AFTER_ONE, AFTER_NUMBER):
        STEPS[part + 47] = 11
        for letter in LETTERS + LETTERS.lower():
            STEPS[part + ord(letter)] = -1
    DOWN[47] = 11


_fill_tables()


def fill(s: Chars, n: Size, units: Units, tail: Tail) -> i32:
    """Set down n characters of canonical text on an empty board; 0 if they are none.

    Behind them stands a zero. `tail` takes the side to move, where half-move clock and move number begin and
    end, where the board ends if `fill_board` took it, else −1 or UNTRIED, and what that noted.
    """
    at: i32
    tail[5] = UNTRIED
    if n < 40 or n > MAX_CANONICAL:
        return 0
    if not cython.compiled:
        return _fill_known(s, n, units, tail)
    at = fill_board(s, 0, units, tail)
    tail[5] = at
    return 0 if at < 0 or tail[6] or tail[10] else fill_tail(s, at, n, tail)


def fill_tail(s: Chars, at: i32, n: Size, tail: Tail) -> i32:
    """Take the fields behind a board that ends at a place; 0 if they are not canonical."""
    end: i32
    if n - at < 10 or (s[at + 1] != 114 and s[at + 1] != 98):
        return 0
    if s[at + 2] != 32 or s[at + 3] != 45 or s[at + 4] != 32 or s[at + 5] != 45 or s[at + 6] != 32:
        return 0
    tail[0] = 1 if s[at + 1] == 98 else 0
    at += 7
    end = clock_end(s, at, 48)
    if end < 0 or s[end] != 32:
        return 0
    tail[1] = at
    tail[2] = end
    tail[3] = end + 1
    tail[4] = n
    return 1 if clock_end(s, end + 1, 49) == n else 0


def fill_board(s: Chars, at: i32, units: Units, tail: Tail) -> i32:
    """Set down a board on empty squares; where the blank behind it stands, −1 if it is none.

    It is canonical, or spelled with digits in a row and stacks in another order or of one piece. `tail` takes
    from place 6 on how many times digits stand in a row, start, end and square of the first; from place 10 on
    how many stacks are so spelled, start, end and square of the first, and whether it has one piece.

    Pieces, numbers and slashes go through one loop without a choice between them, since none could be
    foreseen: a number sets the last of its squares to empty, and a slash a square of the rank to come.
    """
    after: i32 = 0
    edge: i32 = SQUARE_COUNT
    left: i32 = 11
    step: i32
    c: i32
    square: i32
    unit: u32
    tail[6] = tail[10] = 0
    while True:
        c = s[at]
        step = STEPS[after + c]
        left += step
        square = edge - 1 - left
        if 0 <= left <= 11 and square >= 0:
            units[square] = SINGLES[c]
            edge -= DOWN[c]
            after = NEXT[c]
            at += 1
            continue
        left -= step
        if c == 32:
            return at if left == 0 and edge == 11 else -1
        if after == AFTER_NUMBER and 49 <= c <= 57:
            step = row_of_digits(s, at, edge - left, tail)
            if step == 0 or step > left:
                return -1
            left -= step
            at = tail[15]
            continue
        unit = marked_unit(s, at)
        if unit == 0:
            unit = odd_stack(s, at, edge - left, tail)
        if unit == 0 or left == 0:
            return -1
        left -= 1
        units[edge - 1 - left] = unit & 0xFFFFFF
        at += unit >> 24
        after = 0


def marked_unit(s: Chars, at: i32) -> u32:
    """The heroic piece or stack that is written here, and from bit 24 on its length; 0 if there is none."""
    start: i32 = at
    in_stack: i32 = 1 if s[at] == 40 else 0
    unit: u32 = 0
    piece: u32
    heroic: i32
    kind: i32
    last: i32 = -1
    at += in_stack
    while True:
        heroic = 1 if s[at] == 43 else 0
        piece = SINGLES[s[at + heroic]]
        kind = CARRIERS[piece & TYPES]
        if kind < 0 or WRITTEN[kind] <= last or (last >= 0 and (unit ^ piece) & BLUE_BIT):
            return 0
        last = WRITTEN[kind]
        unit |= piece | heroic << (kind + HEROIC_SHIFT)
        at += 1 + heroic
        if not in_stack or s[at] == 41:
            break
    # One piece in parentheses is not canonical.
    if CARRIERS[unit & TYPES] < 0 or (in_stack and unit & TYPES & (unit & TYPES) - 1 == 0):
        return 0
    return unit | (at + in_stack - start) << 24


def row_of_digits(s: Chars, at: i32, square: i32, tail: Tail) -> i32:
    """Take the numbers that follow another without a piece between: their sum, 0 if one is no count.

    ``1`` and another digit are one number, any other stands alone. `square` is the next one to be filled; the
    place behind the digits goes into `tail`.
    """
    start: i32 = at
    total: i32 = 0
    value: i32
    while 48 <= s[at] <= 57:
        value = s[at] - 48
        at += 1
        if value == 1 and 48 <= s[at] <= 57:
            value = 10 + s[at] - 48
            at += 1
        if value < 1 or value > 11:
            return 0
        total += value
    tail[15] = at
    tail[6] += 1
    if tail[6] == 1:
        # One number stands before these: any other would have ended the row of digits before them.
        value = s[start - 1] - 48
        start -= 1
        if value == 0:
            value = 10
            start -= 1
        tail[7] = start
        tail[8] = at
        tail[9] = square - value
    return total


def odd_stack(s: Chars, at: i32, square: i32, tail: Tail) -> u32:
    """The stack in another order or of one piece that is written here, as by `marked_unit`; 0 if none."""
    start: i32 = at
    letters: i32 = 0
    unit: u32 = 0
    piece: u32
    heroic: i32
    if s[at] != 40:
        return 0
    at += 1
    while s[at] != 41:
        heroic = 1 if s[at] == 43 else 0
        piece = SINGLES[s[at + heroic]]
        if piece == 0 or unit & piece & TYPES or (letters and (unit ^ piece) & BLUE_BIT):
            return 0
        unit |= piece | (piece & TYPES) << HEROIC_SHIFT if heroic else piece
        at += 1 + heroic
        letters += 1
    if CARRIERS[unit & TYPES] < 0:
        return 0
    at += 1
    tail[10] += 1
    if tail[10] == 1:
        tail[11] = start
        tail[12] = at
        tail[13] = square
        tail[14] = 1 if letters == 1 else 0
    return unit | (at - start) << 24


def clock_end(s: Chars, at: i32, first: i32) -> i32:
    """Where a number of at most 40 digits without leading zero ends; −1 if there is none."""
    start: i32 = at
    if not first <= s[at] <= 57:
        return -1
    while 48 <= s[at] <= 57 and at - start < 41:
        at += 1
    if at - start > 40 or (s[start] == 48 and at - start > 1):
        return -1
    return at


def clock(s: Chars, at: i32, end: i32) -> i64:
    """The number that some digits make; −1 for more than 18 of them."""
    value: i64 = 0
    if end - at > 18:
        return -1
    while at < end:
        value = value * 10 + (s[at] - 48)
        at += 1
    return value


def scan(s: Chars, n: Size) -> Position | None:
    """The position of n characters of canonical text, or None; behind them stands a zero."""
    tail: Tail
    half: i64
    full: i64
    if not cython.compiled:
        tail = [0] * 16
    position = draft_position()
    if not fill(s, n, position.units, tail):
        return None
    half = clock(s, tail[1], tail[2])
    full = clock(s, tail[3], tail[4])
    position.blue_to_move = tail[0]
    position.half = half if half >= 0 else int(s[tail[1] : tail[2]])
    position.full = full if full >= 0 else int(s[tail[3] : tail[4]])
    return seal_position(position)


if not cython.compiled:
    # Character by character is too slow without a compiler: ranks and tails that were taken before are looked
    # up instead. A memo is emptied when full, so that no history of texts makes the next one slow for ever.
    _MEMO_SIZE: Final = 1 << 15
    _RANKS: dict[bytes, tuple[int, ...]] = {}
    _TAILS: dict[bytes, tuple[int, int]] = {}
    """For what stands behind a board the side to move, and how long the half-move clock is."""

    def _fill_known(s: Chars, n: int, units: list[int], tail: list[int]) -> int:
        """What `fill` does, from what it did with the ranks and the tail before."""
        at = s.find(b" ")
        ranks = bytes(s[:at]).split(b"/")
        if len(ranks) != 12:
            return 0
        start = SQUARE_COUNT
        try:
            blue, digits = _TAILS[bytes(s[at:n])]
            for rank in ranks:
                start -= 11
                units[start : start + 11] = _RANKS[rank]
        except KeyError:
            return _fill_known(s, n, units, tail) if _learn_tail(s, at, n) and _learn(ranks) else 0
        tail[:6] = blue, at + 7, at + 7 + digits, at + 8 + digits, n, at
        tail[6] = tail[10] = 0
        return 1

    def _learn_tail(s: Chars, at: int, n: int) -> bool:
        """Keep what stands behind a board, if `fill_tail` takes it."""
        if len(_TAILS) > _MEMO_SIZE:
            _TAILS.clear()
        tail = [0] * 16
        if not fill_tail(s, at, n, tail):
            return False
        _TAILS[bytes(s[at:n])] = tail[0], tail[2] - tail[1]
        return True

    def _learn(ranks: list[bytes]) -> bool:
        """Keep the ranks of a board, if `fill_board` takes it; those that are known it need not look at."""
        if len(_RANKS) > _MEMO_SIZE:
            _RANKS.clear()
        board = b"/".join([b"11" if rank in _RANKS else rank for rank in ranks])
        units, tail = [0] * SQUARE_COUNT, [0] * 16
        if fill_board(board + b" \0", 0, units, tail) != len(board) or tail[6] or tail[10]:
            return False
        for number, rank in enumerate(ranks):
            _RANKS.setdefault(rank, tuple(units[11 * (11 - number) :][:11]))
        return True


def decode(text: Text) -> Position | None:
    """The position of a canonical text without a session, or None for every other text."""
    # Whatever is no text has no characters, and looking for them would end the process.
    if not isinstance(text, str):
        return None
    return scan(characters(text), length(text)) if is_ascii(text) else None
