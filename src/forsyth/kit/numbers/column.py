# cython: boundscheck=False, wraparound=False
"""Any game on a grid for whole columns of texts: the row kernel of `column_verbs` by the data of its sheet.

Answered are the texts that `scanner` takes: canonical ones, and those that are accepted with warnings. Left
to the reader are all others, texts with a warning in strict mode, and with `legality` positions about which
there is anything to say. Left to `packing` are bytes that are no packed form.

The module runs as it is and compiles with Cython (`column.pxd` gives the C types).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.kit.board import Board
from forsyth.kit.notation.scanner import NOTED_CODES, Grammar, Scan
from forsyth.kit.numbers.column_verbs import ColumnVerbs, RowKernel
from forsyth.kit.tables import Tables

if TYPE_CHECKING:
    from forsyth.kit.sheet import Sheet

if not cython.compiled:
    from forsyth.column import ASK, CANONICAL, NOTED, STRICT
    from forsyth.kit.board import find_attackers
    from forsyth.kit.notation.scanner import (
        TEXT_ROOM,
        is_sound,
        put_identity,
        put_text,
        scan_text,
        tally,
    )
    from forsyth.kit.numbers.blake2b import digest_16
    from forsyth.kit.numbers.column_verbs import NO_TEXT, Chars, Numbers, Out, Size, copy, fill, i32

    HELD_BITS: Final = 5
    MAX_CLOCK: Final = 9999
    VERSION: Final = 1


class GridRow(RowKernel):
    """One row of a game on a grid: its text as scanned, and its men on a board."""

    if not cython.compiled:
        __slots__ = ("board", "grammar", "scan", "tables")
        board: Board
        grammar: Grammar
        scan: Scan
        tables: Tables

    def judge(self, mode: i32, legality: bool) -> i32:
        """The verdict on the text."""
        self.scan.length = self.end - self.start
        copy(self.scan.text, 0, self.chars, self.start, self.scan.length)
        if not scan_text(self.grammar, self.board, self.scan):
            return ASK
        if legality and not is_sound(self.grammar, self.board, self.tables, self.scan):
            return ASK
        if self.scan.count and mode == STRICT:
            return ASK
        if not self.scan.count:
            return CANONICAL
        self.note[0] = self.scan.code
        self.note[1] = 1
        self.note[2] = self.scan.start
        self.note[3] = self.scan.end
        self.note[4] = -1
        self.note[5] = self.scan.count
        return NOTED

    def put_text(self, out: Out, at: Size, room: Size) -> Size:
        """Write the canonical text."""
        size: Size = put_text(self.grammar, self.board, self.scan)
        if size > room:
            return NO_TEXT
        copy(out, at, self.scan.line, 0, size)
        return size

    def put_key(self, out: Out, at: Size) -> None:
        """Write the key."""
        size: Size = put_identity(self.grammar, self.board, self.scan)
        digest_16(self.scan.line, 0, size, out, at)

    def put_packed(self, out: Out, at: Size, width: Size) -> bool:
        """Write the packed form."""
        return put_packed(self.grammar, self.board, self.scan, out, at, width)

    def take_packed(self, packed: Chars, at: Size, width: Size) -> bool:
        """Read a packed form."""
        return take_packed(self.grammar, self.board, self.scan, packed, at, width)

    def put_features(self, out: Numbers, at: Size, step: Size) -> bool:
        """Write the numbers."""
        put_features(self.grammar, self.board, self.tables, self.scan, out, step, at)
        return True

    def put_planes(self, out: Out, at: Size) -> None:
        """Write the planes."""
        put_planes(self.grammar, self.board, self.scan, out, at)


# --- packed forms -----------------------------------------------------------------------------------


def take_bits(data: Chars, at: Size, bits: i32) -> i32:
    """Some bits as a number; `at` counts bits."""
    value: i32 = 0
    _: i32
    for _ in range(bits):
        value = value << 1 | (data[at >> 3] >> (7 - (at & 7)) & 1)
        at += 1
    return value


def packed_bits(g: Grammar, men: i32) -> Size:
    """The bits of a form with so many men, without the zeros at its end."""
    head: Size = 40 if g.has_half else 24
    return head + (g.size + 7 >> 3 << 3) + men * g.man_bits + 2 * g.held_count * HELD_BITS


def put_packed(g: Grammar, board: Board, scan: Scan, out: Out, at: Size, width: Size) -> bool:
    """Write the packed form of a row (`packing`), zeros behind it; whether there is room for it."""
    end: Size = at + width
    men: i32 = 0
    square: i32
    for square in range(g.size):
        men += 1 if board.squares[square] else 0
    if packed_bits(g, men) + 7 >> 3 > width:
        return False
    out[at] = VERSION << 1 | scan.turn
    at += 1
    if g.has_half:
        at = put_clock(out, at, scan.half)
    at = put_men(g, board, out, put_clock(out, at, scan.full))
    fill(out, at, end - at, 0)
    return True


def put_clock(out: Out, at: Size, value: i32) -> Size:
    """Write a number of two bytes; where the next byte goes."""
    out[at] = value >> 8
    out[at + 1] = value & 255
    return at + 2


def put_men(g: Grammar, board: Board, out: Out, at: Size) -> Size:
    """Write where men stand, which, and those in hand; where the next byte goes."""
    bits: i32 = 0
    count: i32 = 0
    square: i32
    side: i32
    number: i32
    for square in range(g.size):
        bits = bits << 1 & 255 | (1 if board.squares[square] else 0)
        if square & 7 == 7:
            out[at] = bits
            at += 1
    if g.size & 7:
        out[at] = bits << 8 - (g.size & 7) & 255
        at += 1
    bits = 0
    for square in range(g.size):
        if board.squares[square]:
            bits = (bits << g.man_bits | board.squares[square] - 1) & 0xFFFF
            count += g.man_bits
            if count >= 8:
                count -= 8
                out[at] = bits >> count & 255
                at += 1
    for side in range(2):
        for number in range(g.held_count):
            bits = (bits << HELD_BITS | board.hands[side * g.kinds + g.held[number]]) & 0xFFFF
            count += HELD_BITS
            if count >= 8:
                count -= 8
                out[at] = bits >> count & 255
                at += 1
    if count:
        out[at] = bits << 8 - count & 255
        at += 1
    return at


def take_packed(g: Grammar, board: Board, scan: Scan, data: Chars, start: Size, width: Size) -> bool:
    """Read a packed row, zeros behind it apart; whether it is one."""
    begin: Size = 8 * start
    at: Size = begin
    bitmap: Size
    end: Size
    men: i32 = 0
    square: i32
    side: i32
    number: i32
    # What is written for it comes from the men: there is no text.
    scan.words = 0
    if packed_bits(g, 0) > 8 * width or take_bits(data, at, 7) != VERSION:
        return False
    scan.turn = take_bits(data, at + 7, 1)
    scan.half = 0
    at += 8
    if g.has_half:
        scan.half = take_bits(data, at, 16)
        at += 16
    scan.full = take_bits(data, at, 16)
    at += 16
    if scan.half > MAX_CLOCK or scan.full < 1 or scan.full > MAX_CLOCK:
        return False
    bitmap = at
    for square in range(g.size):
        men += take_bits(data, bitmap + square, 1)
    if packed_bits(g, men) > 8 * width:
        return False
    at += g.size
    while at - bitmap & 7:
        if take_bits(data, at, 1):
            return False
        at += 1
    for square in range(g.size):
        board.squares[square] = 0
        if take_bits(data, bitmap + square, 1):
            board.squares[square] = 1 + take_bits(data, at, g.man_bits)
            at += g.man_bits
            if board.squares[square] > 2 * g.kinds:
                return False
    for side in range(2):
        for number in range(g.held_count):
            board.hands[side * g.kinds + g.held[number]] = take_bits(data, at, HELD_BITS)
            at += HELD_BITS
    end = begin + 8 * width
    while at < end:
        if at & 7 == 0:
            if data[at >> 3]:
                return False
            at += 8
            continue
        if take_bits(data, at, 1):
            return False
        at += 1
    return True


# --- numbers ----------------------------------------------------------------------------------------


def put_features(
    g: Grammar, board: Board, tables: Tables, scan: Scan, out: Numbers, step: Size, at: Size
) -> None:
    """Write the features of a row (`features_planes`)."""
    balance: i32 = 0
    checkers: i32 = 0
    man: i32
    side: i32
    number: i32
    tally(g, board, scan)
    for man in range(1, 2 * g.kinds + 1):
        balance += g.values[man] * (scan.counts[man] + (board.hands[man - 1] if g.held_count else 0))
    if g.royal >= 0 and scan.kings[scan.turn] >= 0:
        checkers = find_attackers(board, tables, scan.kings[scan.turn], scan.turn, g.size)
    out[at] = scan.turn
    at += step
    out[at] = scan.full
    at += step
    if g.has_half:
        out[at] = scan.half
        at += step
    out[at] = g.size - scan.counts[0]
    at += step
    out[at] = balance
    at += step
    out[at] = checkers
    for man in range(1, 2 * g.kinds + 1):
        at += step
        out[at] = scan.counts[man]
    for side in range(2):
        for number in range(g.held_count):
            at += step
            out[at] = board.hands[side * g.kinds + g.held[number]]


def feature_count(g: Grammar) -> Size:
    """How many features there are."""
    return 5 + g.has_half + 2 * g.kinds + 2 * g.held_count


def plane_bytes(g: Grammar) -> Size:
    """The bytes of the planes of a row."""
    return g.size * (2 * g.kinds + 2 * g.held_count + 2 + g.has_half)


def put_planes(g: Grammar, board: Board, scan: Scan, out: Out, start: Size) -> None:
    """Write the planes of a row (`features_planes`): the lowest rank first."""
    square: i32
    man: i32
    side: i32
    number: i32
    i: Size
    fill(out, start, 2 * g.kinds * g.size, 0)
    for square in range(g.size):
        man = board.squares[square]
        if man:
            i = (man - 1) * g.size + (g.ranks - 1 - square // g.width) * g.width + square % g.width
            out[start + i] = 1
    start += 2 * g.kinds * g.size
    for side in range(2):
        for number in range(g.held_count):
            start = put_plane(g, out, start, board.hands[side * g.kinds + g.held[number]])
    start = put_plane(g, out, start, scan.turn)
    if g.has_half:
        start = put_plane(g, out, start, scan.half)
    put_plane(g, out, start, scan.full)


def put_plane(g: Grammar, out: Out, start: Size, value: i32) -> Size:
    """Write a plane of one number, of 255 at most; where the next one begins."""
    fill(out, start, g.size, value if value < 255 else 255)
    return start + g.size


class GridColumn(ColumnVerbs):
    """The kernels of one game on a grid."""

    if not cython.compiled:
        __slots__ = ("grammar", "longest", "names", "noted", "tables")

    def __init__(self, sheet: Sheet, longest: int) -> None:
        if not 0 < longest <= TEXT_ROOM:
            raise ValueError(f"texts of {longest} characters, expected 1 to {TEXT_ROOM}")
        # First, so that what is kept fits together whatever fails.
        grammar = Grammar(sheet)
        self.longest = longest
        self.names = sheet.squares
        known = {info.code for info in sheet.codes}
        # A code that the game does not have is never noted; another holds its place.
        self.noted = tuple(code if code in known else NOTED_CODES[0] for code in NOTED_CODES)
        self.tables = sheet.tables
        self.grammar = grammar

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes that `scan` notes."""
        return self.noted

    @property
    def squares(self) -> tuple[str, ...]:
        """The squares that `scan` could note."""
        return self.names

    def row_kernel(self) -> RowKernel:
        """A row kernel for one call; `ValueError` for a column that was made without its arguments."""
        g: Grammar = self.grammar
        tables: Tables = self.tables
        row: GridRow = GridRow()
        if cython.compiled and g is None:
            raise ValueError("the column was not set up")
        row.grammar = g
        row.tables = tables
        row.board = Board(tables, bytes(tables.size), bytes(2 * g.kinds if tables.has_hands else 0), 0)
        row.scan = Scan()
        row.longest = self.longest
        row.number_count = feature_count(g)
        row.plane_bytes = plane_bytes(g)
        return row
