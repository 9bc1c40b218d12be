"""Chess at full speed: canonical text to position, position to canonical text.

The kernel decodes what is valid and answers None to the rest; `fen` then explains. What it decodes is
exactly the standard texts about which the reader has nothing to say. The module runs as it is and
compiles with Cython (`kernel.pxd` gives the C types).

Reading: `decode` takes canonical standard FEN only (spec/chess 2). Writing: `encode` takes any position
of any variant.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.board import SQUARE_NUMBER
from forsyth.games.chess.position import (
    LETTERS,
    STANDARD_RIGHTS,
    Position,
    castling_text,
)

Text = str
"""What `decode` takes. Cython does not know the name, so that it takes subclasses of str as well."""

if not cython.compiled:
    from forsyth.games.chess.board import ONE, i32, lsb, u64
    from forsyth.games.chess.position import CHESS960, CRAZYHOUSE, THREE_CHECK, blank, from_ranks, seal

    Buffer = bytearray
    Cells = bytearray
    Chars = bytes
    Planes = list[int]
    Size = int
    CLASS = [0] * 256
    EMPTY: Final = 12
    DIGIT: Final = 1 << 8
    SLASH: Final = 1 << 9
    END: Final = 1 << 10

    def is_ascii(text: str) -> bool:
        """Whether `characters` can give the text."""
        return text.isascii()

    def characters(text: str) -> bytes:
        """The characters of an ASCII text, and a zero behind them."""
        return text.encode() + b"\0"

    def length(text: str) -> int:
        """How many characters a text has."""
        return len(text)

    def text_of(characters: bytearray, size: int) -> str:
        """The text of some characters."""
        return characters[:size].decode()


# --- text to position -------------------------------------------------------------------------------


def _fill_classes() -> None:
    """What a character means on the board, in bits: 0 to 3 its plane, 4 to 7 the squares it covers, flags."""
    for code in range(256):
        CLASS[code] = END
    for number, letter in enumerate(LETTERS):
        CLASS[ord(letter)] = number | 1 << 4
    for digit in range(1, 9):
        CLASS[ord("0") + digit] = EMPTY | digit << 4 | DIGIT
    CLASS[ord("/")] = SLASH


_fill_classes()


def scan(s: Chars, n: Size) -> Position | None:
    """The position of n characters of canonical standard FEN, or None; behind them stands a zero."""
    planes: Planes
    i: i32
    square: i32 = 56
    file: i32 = 0
    ranks: i32 = 0
    before: i32 = 0
    doubled: i32 = 0
    kind: i32
    at: Size = 0
    c: i32
    number: i32
    position: Position
    rights: u64 = 0
    if n < 24 or n > 91:
        return None
    if not cython.compiled:
        planes = [0] * 16
    for i in range(13):
        planes[i] = 0
    # One path for pieces and counts: which of them comes next is what a processor cannot foresee. A rank
    # that is too long is seen at its end, so a shift may go round, but never out of the word.
    while True:
        kind = CLASS[s[at]]
        if kind >= SLASH:
            if kind == END:
                break
            if file != 8 or ranks == 7:
                return None
            square -= 16
            ranks += 1
            file = 0
            kind = 0
        else:
            planes[kind & 15] |= ONE << (square & 63)
            doubled |= kind & before
            square += kind >> 4 & 15
            file += kind >> 4 & 15
        before = kind & DIGIT
        at += 1
    if doubled & DIGIT:
        return None
    if file != 8 or ranks != 7 or s[at] != 32 or n - at < 10:
        return None
    at += 1
    position = blank()
    position.black_to_move = 0
    if s[at] == 98:
        position.black_to_move = 1
    elif s[at] != 119:
        return None
    if s[at + 1] != 32:
        return None
    at += 2
    if s[at] == 45:
        at += 1
    else:
        if s[at] == 75:
            rights |= ONE << 7
            at += 1
        if s[at] == 81:
            rights |= ONE
            at += 1
        if s[at] == 107:
            rights |= ONE << 63
            at += 1
        if s[at] == 113:
            rights |= ONE << 56
            at += 1
        if rights == 0:
            return None
    if s[at] != 32 or n - at < 6:
        return None
    at += 1
    position.ep_square = -1
    if s[at] == 45:
        at += 1
    else:
        c = s[at] - 97
        if c < 0 or c > 7 or (s[at + 1] != 51 and s[at + 1] != 54):
            return None
        position.ep_square = (s[at + 1] - 49) * 8 + c
        at += 2
    if s[at] != 32:
        return None
    at += 1
    number = clock(s, at)
    if number < 0:
        return None
    at += number >> 16
    position.half = number & 0xFFFF
    if s[at] != 32:
        return None
    number = clock(s, at + 1)
    if number < 0 or at + 1 + (number >> 16) != n or number & 0xFFFF == 0:
        return None
    position.full = number & 0xFFFF
    position.pawns = planes[0] | planes[6]
    position.knights = planes[1] | planes[7]
    position.bishops = planes[2] | planes[8]
    position.rooks = planes[3] | planes[9]
    position.queens = planes[4] | planes[10]
    position.kings = planes[5] | planes[11]
    position.white = planes[0] | planes[1] | planes[2] | planes[3] | planes[4] | planes[5]
    position.black = planes[6] | planes[7] | planes[8] | planes[9] | planes[10] | planes[11]
    position.rights = rights
    return seal(position)


def clock(s: Chars, at: Size) -> i32:
    """A number of one to four digits without leading zero, its length above bit 16; −1 if there is none."""
    number: i32 = 0
    digits: i32 = 0
    while 48 <= s[at + digits] <= 57 and digits < 5:
        number = number * 10 + s[at + digits] - 48
        digits += 1
    # A number written with as many digits as it has has no leading zero.
    if (
        digits == 0
        or digits > 4
        or (digits > 1 and number < (10 if digits == 2 else 100 if digits == 3 else 1000))
    ):
        return -1
    return number | digits << 16


if not cython.compiled:
    # Character by character is too slow without a compiler: whole ranks are looked up instead. The memo
    # is emptied when full, so that no history of texts makes the next one slow for ever.
    _MEMO_SIZE: Final = 1 << 16
    _RANKS: dict[str, int] = {}
    _CLOCKS: Final = {str(number): number for number in range(10_000)}
    _SIDES: Final = {"w": 0, "b": 1}
    _CASTLING: Final = {
        "".join(letter for bit, (letter, _) in enumerate(STANDARD_RIGHTS) if chosen >> bit & 1) or "-": sum(
            right for bit, (_, right) in enumerate(STANDARD_RIGHTS) if chosen >> bit & 1
        )
        for chosen in range(16)
    }
    _EP: Final = {"-": -1} | {name: number for name, number in SQUARE_NUMBER.items() if name[1] in "36"}

    def _rank(text: str) -> int | None:
        """Eight planes of 64 bits, one above the other, with the men of one rank; None if it is none."""
        planes = file = 0
        after_digit = False
        for ch in text:
            if "1" <= ch <= "8":
                if after_digit:
                    return None
                after_digit = True
                file += int(ch)
                continue
            number = LETTERS.find(ch)
            if number < 0:
                return None
            after_digit = False
            planes |= (1 << 64 * (number % 6) | 1 << 64 * (6 + number // 6)) << file
            file += 1
            if file > 8:
                return None
        return planes if file == 8 else None

    def _learn(ranks: list[str]) -> bool:
        """Add ranks to the memo; whether any of them was new and all of them are ranks."""
        if len(_RANKS) > _MEMO_SIZE:
            _RANKS.clear()
        new = [text for text in ranks if text not in _RANKS]
        for text in new:
            planes = _rank(text)
            if planes is None:
                return False
            _RANKS[text] = planes
        return bool(new)

    def _decode_ranks(text: str) -> Position | None:
        parts = text.split(" ") if len(text) <= 91 else ()
        if len(parts) != 6:
            return None
        ranks = parts[0].split("/")
        if len(ranks) != 8:
            return None
        try:
            side = _SIDES[parts[1]]
            rights = _CASTLING[parts[2]]
            ep_square = _EP[parts[3]]
            half = _CLOCKS[parts[4]]
            full = _CLOCKS[parts[5]]
            planes = [_RANKS[rank] for rank in ranks]
        except KeyError:
            # A rank seen for the first time, or a field that is not canonical.
            return _decode_ranks(text) if _learn(ranks) else None
        if full == 0:
            return None
        return from_ranks(planes, rights, side, ep_square, half, full)


def decode(text: Text) -> Position | None:
    """The position of a canonical standard FEN, or None for every other text."""
    if cython.compiled:
        return scan(characters(text), length(text)) if is_ascii(text) else None
    return _decode_ranks(text)


# --- position to text -------------------------------------------------------------------------------


def encode(position: Position) -> str:
    """The canonical text of a position: en passant as given, castling as X-FEN, pockets in brackets."""
    cells: Cells
    out: Buffer
    at: i32 = 0
    rank: i32
    file: i32
    square: i32
    number: i32
    letter: i32
    squares: u64
    if not cython.compiled:
        cells = bytearray(64)
        out = bytearray(288)
    for number in range(6):
        if number == 0:
            squares, letter = position.pawns, 112
        elif number == 1:
            squares, letter = position.knights, 110
        elif number == 2:
            squares, letter = position.bishops, 98
        elif number == 3:
            squares, letter = position.rooks, 114
        elif number == 4:
            squares, letter = position.queens, 113
        else:
            squares, letter = position.kings, 107
        while squares:
            square = lsb(squares)
            squares &= squares - 1
            # Capital letters stand 32 below small ones.
            cells[square] = letter - 32 if position.white >> square & 1 else letter
    for rank in range(7, -1, -1):
        squares = (position.white | position.black) >> 8 * rank & 255
        file = 0
        while squares:
            square = lsb(squares)
            squares &= squares - 1
            if square > file:
                out[at] = 48 + square - file
                at += 1
            file = square + 1
            out[at] = cells[8 * rank + square]
            at += 1
            if position.promoted >> (8 * rank + square) & 1:
                out[at] = 126
                at += 1
        if file < 8:
            out[at] = 56 - file
            at += 1
        out[at] = 47
        at += 1
    at -= 1
    if position.rules == CRAZYHOUSE:
        # A pocket has no written bound that the buffer could be built for.
        return (
            f"{text_of(out, at)}[{position.pockets}] {position.side} {position.castling} {position.ep} "
            f"{position.half} {position.full}"
        )
    out[at] = 32
    out[at + 1] = 98 if position.black_to_move else 119
    out[at + 2] = 32
    at += 3
    if position.rules == CHESS960:
        for ch in castling_text(position, False):
            out[at] = ord(ch)
            at += 1
    elif position.rights == 0:
        out[at] = 45
        at += 1
    else:
        if position.rights >> 7 & 1:
            out[at] = 75
            at += 1
        if position.rights & 1:
            out[at] = 81
            at += 1
        if position.rights >> 63 & 1:
            out[at] = 107
            at += 1
        if position.rights >> 56 & 1:
            out[at] = 113
            at += 1
    out[at] = 32
    at += 1
    if position.ep_square < 0:
        out[at] = 45
        at += 1
    else:
        out[at] = 97 + (position.ep_square & 7)
        out[at + 1] = 49 + (position.ep_square >> 3)
        at += 2
    out[at] = 32
    at += 1
    if position.rules == THREE_CHECK:
        out[at] = 48 + (position.remaining & 15)
        out[at + 1] = 43
        out[at + 2] = 48 + (position.remaining >> 4)
        out[at + 3] = 32
        at += 4
    at = put_number(out, at, position.half)
    out[at] = 32
    at = put_number(out, at + 1, position.full)
    return text_of(out, at)


def put_number(out: Buffer, at: i32, number: i32) -> i32:
    """Write a number of at most four digits; where the next character goes."""
    if number >= 1000:
        out[at] = 48 + number // 1000
        at += 1
    if number >= 100:
        out[at] = 48 + number // 100 % 10
        at += 1
    if number >= 10:
        out[at] = 48 + number // 10 % 10
        at += 1
    out[at] = 48 + number % 10
    return at + 1
