"""Writing CoTuLenh positions at full speed: the canonical text (spec/cotulenh 13).

`encode` takes any position, with the deploy suffix while a session is open; `put_text` a board and its
numbers, for columns. The module runs as it is and compiles with Cython (`write.pxd` gives the C types).
Stability: canonical text is promised for ever.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.stacks import LETTERS, MEMBER_ORDER, write_unit

if not cython.compiled:
    from forsyth.games.cotulenh.board import i32, i64, u32
    from forsyth.games.cotulenh.rules.attacks import Units
    from forsyth.games.cotulenh.stacks import BLUE_BIT, CARRIERS, HEROIC_SHIFT, TYPES

    Buffer = bytearray
    KINDS = [0] * 11
    CHARS = [0] * 11

    def text_of(characters: bytearray, size: int) -> str:
        """The text of some characters."""
        return characters[:size].decode()


def _fill_tables() -> None:
    """KINDS: the types in the order in which a stack is written. CHARS: the letter of each type."""
    for kind, letter in enumerate(LETTERS):
        KINDS[MEMBER_ORDER.index(letter)] = kind
        CHARS[kind] = ord(letter)


_fill_tables()


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
    _MEMO_SIZE: Final = 1 << 15
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
    if not cython.compiled:
        out = bytearray(1400)
    return text_of(out, put_board(out, position.units))


def put_board(out: Buffer, units: Units) -> i32:
    """Write the board; where the next character goes."""
    return put_ranks(out, 0, units, 11)


def put_ranks(out: Buffer, at: i32, units: Units, first: i32) -> i32:
    """Write the ranks of a board from a rank, counted from 0, downwards; where the next character goes."""
    rank: i32
    file: i32
    empty: i32
    unit: u32
    for rank in range(first, -1, -1):
        empty = 0
        for file in range(11):
            unit = units[rank * 11 + file]
            if unit == 0:
                empty += 1
                continue
            at = put_unit(out, put_empty(out, at, empty), unit)
            empty = 0
        at = put_empty(out, at, empty)
        out[at] = 47
        at += 1
    return at - 1


def put_empty(out: Buffer, at: i32, empty: i32) -> i32:
    """Write a count of empty squares, if there are any; where the next character goes."""
    if empty > 9:
        out[at] = 49
        at += 1
    if empty:
        out[at] = 48 + empty % 10
        at += 1
    return at


def put_number(out: Buffer, at: i32, number: i64) -> i32:
    """Write a number; where the next character goes."""
    size: i32 = 1
    least: i64 = 10
    end: i32
    while number >= least:
        size += 1
        least *= 10
    end = at + size
    while size:
        size -= 1
        out[at + size] = 48 + number % 10
        number = number // 10
    return end


def put_text(out: Buffer, units: Units, blue: i32, half: i64, full: i64) -> i32:
    """Write the canonical text without a session; its length. Clocks have at most 18 digits."""
    return put_rest(out, put_board(out, units), blue, half, full)


def put_rest(out: Buffer, at: i32, blue: i32, half: i64, full: i64) -> i32:
    """Write the fields behind a board; where the text ends."""
    out[at] = out[at + 2] = out[at + 4] = out[at + 6] = 32
    out[at + 1] = 98 if blue else 114
    out[at + 3] = out[at + 5] = 45
    at = put_number(out, at + 7, half)
    out[at] = 32
    return put_number(out, at + 1, full)


def encode(position: Position) -> str:
    """The canonical text of a position, with the deploy suffix while a session is open."""
    text = (
        f"{placement(position)} {'b' if position.blue_to_move else 'r'} - - {position.half} {position.full}"
    )
    if position.session is None:
        return text
    from forsyth.games.cotulenh.notation.deploy_fen import write_suffix

    return f"{text} {write_suffix(position)}"
