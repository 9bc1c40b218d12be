"""CoTuLenh at full speed: canonical text to position, position to canonical text.

The kernel decodes what is valid and answers None to the rest; `fen` then explains. What it decodes is exactly
the texts without a deploy suffix about which the reader has nothing to say. The module runs as it is and
compiles with Cython (`kernel.pxd` gives the C types). Writing: `encode` takes any position, session included.
"""

from __future__ import annotations

import re
from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.stacks import LETTERS, ORDER, read_unit, write_unit

if not cython.compiled:
    from forsyth.games.cotulenh.board import i32, u32
    from forsyth.games.cotulenh.position import blank, seal
    from forsyth.games.cotulenh.stacks import BLUE_BIT, CARRIERS, HEROIC_SHIFT, TYPES

    Chars = bytes
    Size = int
    Buffer = bytearray
    PLACES = [0] * 128
    WRITTEN = [0] * 11
    KINDS = [0] * 11
    CHARS = [0] * 11

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


Text = str
"""What `decode` takes. Cython does not know the name, so that it takes subclasses of str as well."""

MAX_CANONICAL: Final = 1024
"""No canonical text without a session is longer."""


def _fill_tables() -> None:
    """PLACES: the type of each letter plus 1, 0 for all else. WRITTEN: where a type stands in a stack."""
    for code in range(128):
        PLACES[code] = 0
    for kind, letter in enumerate(LETTERS):
        PLACES[ord(letter)] = PLACES[ord(letter.lower())] = kind + 1
        WRITTEN[kind] = ORDER.index(letter)
        KINDS[ORDER.index(letter)] = kind
        CHARS[kind] = ord(letter)


_fill_tables()


# --- text to position -------------------------------------------------------------------------------


def scan(s: Chars, n: Size) -> Position | None:
    """The position of n characters of canonical text, or None; behind them stands a zero."""
    at: i32 = 0
    rank: i32 = 11
    file: i32 = 0
    after_number: i32 = 0
    c: i32
    kind: i32
    number: i32
    unit: u32
    heroic: i32
    blue: i32
    last: i32
    in_stack: i32
    count: i32
    end: i32
    if n < 40 or n > MAX_CANONICAL:
        return None
    position = blank()
    while True:
        c = s[at]
        if 49 <= c <= 57:
            if after_number:
                return None
            number = c - 48
            at += 1
            if number == 1 and 48 <= s[at] <= 49:
                number = 10 + s[at] - 48
                at += 1
            file += number
            if file > 11:
                return None
            after_number = 1
            continue
        after_number = 0
        if c == 47:
            if file != 11 or rank == 0:
                return None
            rank -= 1
            file = 0
            at += 1
            continue
        if c == 32:
            break
        in_stack = 1 if c == 40 else 0
        at += in_stack
        unit = 0
        count = 0
        last = -1
        blue = -1
        while True:
            heroic = 1 if s[at] == 43 else 0
            at += heroic
            c = s[at]
            if c > 127 or PLACES[c] == 0:
                return None
            kind = PLACES[c] - 1
            # Small letters stand 32 above capital ones.
            if blue >= 0 and blue != (c >> 5 & 1):
                return None
            blue = c >> 5 & 1
            if WRITTEN[kind] <= last:
                return None
            last = WRITTEN[kind]
            unit |= 1 << kind | heroic << (kind + HEROIC_SHIFT)
            count += 1
            at += 1
            if not in_stack:
                break
            if s[at] == 41:
                at += 1
                if count < 2:
                    return None
                break
        if CARRIERS[unit & TYPES] < 0 or file > 10:
            return None
        position.units[rank * 11 + file] = unit | (BLUE_BIT if blue else 0)
        file += 1
    if file != 11 or rank != 0:
        return None
    if (
        n - at < 10
        or s[at + 2] != 32
        or s[at + 3] != 45
        or s[at + 4] != 32
        or s[at + 5] != 45
        or s[at + 6] != 32
    ):
        return None
    if s[at + 1] != 114 and s[at + 1] != 98:
        return None
    position.blue_to_move = 1 if s[at + 1] == 98 else 0
    at += 7
    end = clock_end(s, at, 48)
    if end < 0 or s[end] != 32:
        return None
    position.half = int(s[at:end])
    at = end + 1
    end = clock_end(s, at, 49)
    if end != n:
        return None
    position.full = int(s[at:end])
    return seal(position)


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


if not cython.compiled:
    # Character by character is too slow without a compiler: whole ranks are looked up instead. The memo
    # is emptied when full, so that no history of texts makes the next one slow for ever.
    _MEMO_SIZE: Final = 1 << 15
    _RANKS: dict[str, tuple[int, ...]] = {}
    _TAIL: Final = re.compile(r"([rb]) - - (0|[1-9][0-9]{0,39}) ([1-9][0-9]{0,39})")
    _PARTS: Final = re.compile(r"1[01]|[1-9]|\+?[A-Za-z]|\([A-Za-z+]+\)")
    _SPELLED: Final = re.compile("|".join(rf"\+?{letter}" for letter in ORDER), re.IGNORECASE)

    def _rank(text: str) -> tuple[int, ...] | None:
        """The eleven units of a canonical rank, or None."""
        units: list[int] = []
        at = 0
        number_before = False
        for part in _PARTS.finditer(text):
            if part.start() != at:
                return None
            at = part.end()
            word = part.group()
            if word[0].isdigit():
                if number_before:
                    return None
                number_before = True
                units += [0] * int(word)
                continue
            number_before = False
            blue = word.lower() == word
            unit = read_unit(word, blue)
            if not unit or write_unit(unit, fen=True) != word:
                return None
            units.append(unit)
        return tuple(units) if at == len(text) and len(units) == 11 else None

    def _decode_ranks(text: str) -> Position | None:
        board, _, rest = text.partition(" ") if len(text) <= MAX_CANONICAL else ("", "", "")
        ranks = board.split("/")
        tail = _TAIL.fullmatch(rest)
        if len(ranks) != 12 or tail is None:
            return None
        position = blank()
        units = position.units = []
        for rank in reversed(ranks):
            known = _RANKS.get(rank)
            if known is None:
                known = _rank(rank)
                if known is None:
                    return None
                if len(_RANKS) > _MEMO_SIZE:
                    _RANKS.clear()
                _RANKS[rank] = known
            units += known
        position.blue_to_move = 1 if tail[1] == "b" else 0
        position.half = int(tail[2])
        position.full = int(tail[3])
        return seal(position)


def decode(text: Text) -> Position | None:
    """The position of a canonical text without a session, or None for every other text."""
    if cython.compiled:
        return scan(characters(text), length(text)) if is_ascii(text) else None
    return _decode_ranks(text)


# --- position to text -------------------------------------------------------------------------------


def put_unit(out: Buffer, at: i32, unit: u32) -> i32:
    """Write a unit; where the next character goes."""
    types: u32 = unit & TYPES
    small: i32 = 32 if unit & BLUE_BIT else 0
    place: i32
    kind: i32
    if types & (types - 1) == 0:
        if unit >> HEROIC_SHIFT & TYPES:
            out[at] = 43
            at += 1
        out[at] = CHARS[CARRIERS[types]] + small
        return at + 1
    out[at] = 40
    at += 1
    for place in range(11):
        kind = KINDS[place]
        if types >> kind & 1:
            if unit >> (kind + HEROIC_SHIFT) & 1:
                out[at] = 43
                at += 1
            out[at] = CHARS[kind] + small
            at += 1
    out[at] = 41
    return at + 1


if not cython.compiled:
    _WRITTEN_RANKS: dict[tuple[int, ...], str] = {}

    def _write_rank(units: tuple[int, ...]) -> str:
        found = []
        empty = 0
        for unit in units:
            if not unit:
                empty += 1
                continue
            if empty:
                found.append(str(empty))
                empty = 0
            found.append(write_unit(unit, fen=True))
        if empty:
            found.append(str(empty))
        return "".join(found)

    def _placement_of_ranks(position: Position) -> str:
        ranks = []
        for start in range(121, -1, -11):
            units = tuple(position.units[start : start + 11])
            known = _WRITTEN_RANKS.get(units)
            if known is None:
                if len(_WRITTEN_RANKS) > _MEMO_SIZE:
                    _WRITTEN_RANKS.clear()
                known = _WRITTEN_RANKS[units] = _write_rank(units)
            ranks.append(known)
        return "/".join(ranks)


def placement(position: Position) -> str:
    """The first field of the text: the board, rank 12 first."""
    return _placement_of_ranks(position) if not cython.compiled else written_board(position)


def written_board(position: Position) -> str:
    """The board square by square."""
    out: Buffer
    at: i32 = 0
    rank: i32
    file: i32
    empty: i32
    unit: u32
    if not cython.compiled:
        out = bytearray(1400)
    for rank in range(11, -1, -1):
        empty = 0
        for file in range(11):
            unit = position.units[rank * 11 + file]
            if unit == 0:
                empty += 1
                continue
            at = put_unit(out, put_empty(out, at, empty), unit)
            empty = 0
        at = put_empty(out, at, empty)
        out[at] = 47
        at += 1
    return text_of(out, at - 1)


def put_empty(out: Buffer, at: i32, empty: i32) -> i32:
    """Write a count of empty squares, if there are any; where the next character goes."""
    if empty > 9:
        out[at] = 49
        at += 1
    if empty:
        out[at] = 48 + empty % 10
        at += 1
    return at


def encode(position: Position) -> str:
    """The canonical text of a position, with the deploy suffix while a session is open."""
    text = (
        f"{placement(position)} {'b' if position.blue_to_move else 'r'} - - {position.half} {position.full}"
    )
    if position.session is None:
        return text
    from forsyth.games.cotulenh.suffix import write_suffix

    return f"{text} {write_suffix(position)}"
