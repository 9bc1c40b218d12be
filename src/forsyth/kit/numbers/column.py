# cython: boundscheck=False, wraparound=False
"""Any game on a grid for whole columns of texts: the kernels of `forsyth.column`, by the data of its sheet.

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
from forsyth.kit.tables import Tables

if TYPE_CHECKING:
    from forsyth.kit.sheet import Sheet

if not cython.compiled:
    from forsyth.column import ASK, CANONICAL, NOTED, NOTES, STRICT
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
    from forsyth.kit.numbers.column_buffers import copy_in, copy_out, has_room, require

    i32 = int
    Bytes = memoryview
    Numbers = memoryview
    Offsets = memoryview
    Size = int
    Flag = bool
    HELD_BITS: Final = 5
    MAX_CLOCK: Final = 9999
    VERSION: Final = 1

    def put_key(line: bytearray, size: int, out: memoryview, at: int) -> None:
        """The 16 bytes of a key."""
        digest_16(line, 0, size, out, at)


def read_row(
    g: Grammar, board: Board, scan: Scan, chars: Bytes, offsets: Offsets, row: Size, longest: Size
) -> i32:
    """The verdict of `scan` in default mode without legality; its men and clocks, if the row is accepted."""
    start: Size = offsets[row]
    end: Size = offsets[row + 1]
    if start < 0 or end < start or end > len(chars) or end - start > longest:
        return ASK
    copy_in(scan.text, chars, start, end - start)
    scan.length = end - start
    if not scan_text(g, board, scan):
        return ASK
    return NOTED if scan.count else CANONICAL


def put_note(scan: Scan, out: Numbers, row: Size) -> None:
    """Write what stands for a row with warnings: the first of them."""
    start: Size = NOTES * row
    out[start] = scan.code
    out[start + 1] = 1
    out[start + 2] = scan.start
    out[start + 3] = scan.end
    out[start + 4] = -1
    out[start + 5] = scan.count


# --- packed forms -----------------------------------------------------------------------------------


def take_bits(data: Bytes, at: Size, bits: i32) -> i32:
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


def put_packed(g: Grammar, board: Board, scan: Scan, out: Bytes, row: Size, width: Size) -> i32:
    """Write the packed form of a row (`packing`), zeros behind it; 0 where it has no room."""
    at: Size = row * width
    men: i32 = 0
    square: i32
    for square in range(g.size):
        men += 1 if board.squares[square] else 0
    if packed_bits(g, men) + 7 >> 3 > width:
        return 0
    out[at] = VERSION << 1 | scan.turn
    at += 1
    if g.has_half:
        at = put_clock(out, at, scan.half)
    at = put_men(g, board, out, put_clock(out, at, scan.full))
    while at < (row + 1) * width:
        out[at] = 0
        at += 1
    return 1


def put_clock(out: Bytes, at: Size, value: i32) -> Size:
    """Write a number of two bytes; where the next byte goes."""
    out[at] = value >> 8
    out[at + 1] = value & 255
    return at + 2


def put_men(g: Grammar, board: Board, out: Bytes, at: Size) -> Size:
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


def take_packed(g: Grammar, board: Board, scan: Scan, data: Bytes, row: Size, width: Size) -> i32:
    """Read a packed row, zeros behind it apart; 0 where it is none."""
    begin: Size = 8 * row * width
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
        return 0
    scan.turn = take_bits(data, at + 7, 1)
    scan.half = 0
    at += 8
    if g.has_half:
        scan.half = take_bits(data, at, 16)
        at += 16
    scan.full = take_bits(data, at, 16)
    at += 16
    if scan.half > MAX_CLOCK or scan.full < 1 or scan.full > MAX_CLOCK:
        return 0
    bitmap = at
    for square in range(g.size):
        men += take_bits(data, bitmap + square, 1)
    if packed_bits(g, men) > 8 * width:
        return 0
    at += g.size
    while at - bitmap & 7:
        if take_bits(data, at, 1):
            return 0
        at += 1
    for square in range(g.size):
        board.squares[square] = 0
        if take_bits(data, bitmap + square, 1):
            board.squares[square] = 1 + take_bits(data, at, g.man_bits)
            at += g.man_bits
            if board.squares[square] > 2 * g.kinds:
                return 0
    for side in range(2):
        for number in range(g.held_count):
            board.hands[side * g.kinds + g.held[number]] = take_bits(data, at, HELD_BITS)
            at += HELD_BITS
    end = begin + 8 * width
    while at < end:
        if at & 7 == 0:
            if data[at >> 3]:
                return 0
            at += 8
            continue
        if take_bits(data, at, 1):
            return 0
        at += 1
    return 1


# --- numbers ----------------------------------------------------------------------------------------


def put_features(
    g: Grammar, board: Board, tables: Tables, scan: Scan, out: Numbers, rows: Size, row: Size
) -> None:
    """Write the features of a row (`features_planes`)."""
    at: Size = row
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
    at += rows
    out[at] = scan.full
    at += rows
    if g.has_half:
        out[at] = scan.half
        at += rows
    out[at] = g.size - scan.counts[0]
    at += rows
    out[at] = balance
    at += rows
    out[at] = checkers
    for man in range(1, 2 * g.kinds + 1):
        at += rows
        out[at] = scan.counts[man]
    for side in range(2):
        for number in range(g.held_count):
            at += rows
            out[at] = board.hands[side * g.kinds + g.held[number]]


def feature_count(g: Grammar) -> Size:
    """How many features there are."""
    return 5 + g.has_half + 2 * g.kinds + 2 * g.held_count


def plane_bytes(g: Grammar) -> Size:
    """The bytes of the planes of a row."""
    return g.size * (2 * g.kinds + 2 * g.held_count + 2 + g.has_half)


def put_planes(g: Grammar, board: Board, scan: Scan, out: Bytes, start: Size) -> None:
    """Write the planes of a row (`features_planes`): the lowest rank first."""
    square: i32
    man: i32
    side: i32
    number: i32
    i: Size
    for i in range(2 * g.kinds * g.size):
        out[start + i] = 0
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


def put_plane(g: Grammar, out: Bytes, start: Size, value: i32) -> Size:
    """Write a plane of one number, of 255 at most; where the next one begins."""
    i: Size
    for i in range(g.size):
        out[start + i] = value if value < 255 else 255
    return start + g.size


class GridColumn:
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

    def scan(
        self,
        chars: Bytes,
        offsets: Offsets,
        first: Size,
        last: Size,
        mode: Size,
        legality: Flag,
        verdicts: Bytes,
        notes: Numbers,
    ) -> None:
        """A verdict for each row; notes about those that are NOTED."""
        require(0 <= first <= last < len(offsets) and last <= len(verdicts) and last <= len(notes) // NOTES)
        g: Grammar = require_grammar(self)
        tables: Tables = self.tables
        board: Board = blank_board(self)
        scan: Scan = Scan()
        longest: Size = self.longest
        row: Size
        with cython.nogil:
            for row in range(first, last):
                verdicts[row] = read_row(g, board, scan, chars, offsets, row, longest)
                if verdicts[row] == ASK:
                    continue
                if (legality and not is_sound(g, board, tables, scan)) or (scan.count and mode == STRICT):
                    verdicts[row] = ASK
                elif verdicts[row] == NOTED:
                    put_note(scan, notes, row)

    def rewrite(
        self,
        chars: Bytes,
        offsets: Offsets,
        first: Size,
        last: Size,
        verdicts: Bytes,
        out: Bytes,
        lengths: Numbers,
        width: Size,
    ) -> None:
        """The canonical text of each row whose verdict is NOTED, at ``i * width`` of `out`."""
        require(0 <= first <= last < len(offsets) and last <= len(verdicts))
        require(last <= len(lengths) and has_room(len(out), last, width))
        g: Grammar = require_grammar(self)
        board: Board = blank_board(self)
        scan: Scan = Scan()
        longest: Size = self.longest
        row: Size
        size: Size
        with cython.nogil:
            for row in range(first, last):
                if verdicts[row] != NOTED:
                    continue
                if read_row(g, board, scan, chars, offsets, row, longest) == ASK:
                    continue
                size = put_text(g, board, scan)
                if size > width:
                    size = width
                copy_out(out, row * width, scan.line, size)
                lengths[row] = size

    def keys(
        self, chars: Bytes, offsets: Offsets, first: Size, last: Size, verdicts: Bytes, out: Bytes
    ) -> None:
        """The verdict of each row, and the 16 bytes of its key."""
        require(0 <= first <= last < len(offsets) and last <= len(verdicts) and has_room(len(out), last, 16))
        g: Grammar = require_grammar(self)
        board: Board = blank_board(self)
        scan: Scan = Scan()
        longest: Size = self.longest
        row: Size
        with cython.nogil:
            for row in range(first, last):
                verdicts[row] = read_row(g, board, scan, chars, offsets, row, longest)
                if verdicts[row] != ASK:
                    put_key(scan.line, put_identity(g, board, scan), out, 16 * row)

    def pack(
        self,
        chars: Bytes,
        offsets: Offsets,
        first: Size,
        last: Size,
        verdicts: Bytes,
        out: Bytes,
        width: Size,
    ) -> None:
        """The verdict of each row, and its packed form filled up with zeros to `width`."""
        require(0 <= first <= last < len(offsets) and last <= len(verdicts))
        require(has_room(len(out), last, width))
        g: Grammar = require_grammar(self)
        board: Board = blank_board(self)
        scan: Scan = Scan()
        longest: Size = self.longest
        row: Size
        with cython.nogil:
            for row in range(first, last):
                verdicts[row] = read_row(g, board, scan, chars, offsets, row, longest)
                if verdicts[row] != ASK and not put_packed(g, board, scan, out, row, width):
                    verdicts[row] = ASK

    def unpack(
        self,
        packed: Bytes,
        width: Size,
        first: Size,
        last: Size,
        verdicts: Bytes,
        out: Bytes,
        lengths: Numbers,
        room: Size,
    ) -> None:
        """The canonical text of each packed form, at ``i * room`` of `out`; ASK where it is none."""
        require(0 <= first <= last <= len(verdicts) and has_room(len(packed), last, width))
        require(last <= len(lengths) and has_room(len(out), last, room))
        g: Grammar = require_grammar(self)
        board: Board = blank_board(self)
        scan: Scan = Scan()
        row: Size
        size: Size
        with cython.nogil:
            for row in range(first, last):
                verdicts[row] = ASK
                if not take_packed(g, board, scan, packed, row, width):
                    continue
                size = put_text(g, board, scan)
                if size > room:
                    continue
                verdicts[row] = CANONICAL
                copy_out(out, row * room, scan.line, size)
                lengths[row] = size

    def features(
        self,
        chars: Bytes,
        offsets: Offsets,
        first: Size,
        last: Size,
        verdicts: Bytes,
        out: Numbers,
        rows: Size,
    ) -> None:
        """The verdict of each row, and its features: that of number f at ``f * rows + i``."""
        g: Grammar = require_grammar(self)
        require(0 <= first <= last < len(offsets) and last <= len(verdicts))
        require(last <= rows and has_room(len(out), rows, feature_count(g)))
        tables: Tables = self.tables
        board: Board = blank_board(self)
        scan: Scan = Scan()
        longest: Size = self.longest
        row: Size
        with cython.nogil:
            for row in range(first, last):
                verdicts[row] = read_row(g, board, scan, chars, offsets, row, longest)
                if verdicts[row] != ASK:
                    put_features(g, board, tables, scan, out, rows, row)

    def planes(
        self, chars: Bytes, offsets: Offsets, first: Size, last: Size, verdicts: Bytes, out: Bytes
    ) -> None:
        """The verdict of each row, and its planes."""
        g: Grammar = require_grammar(self)
        require(0 <= first <= last < len(offsets) and last <= len(verdicts))
        require(has_room(len(out), last, plane_bytes(g)))
        board: Board = blank_board(self)
        scan: Scan = Scan()
        longest: Size = self.longest
        row: Size
        with cython.nogil:
            for row in range(first, last):
                verdicts[row] = read_row(g, board, scan, chars, offsets, row, longest)
                if verdicts[row] != ASK:
                    put_planes(g, board, scan, out, row * plane_bytes(g))


def require_grammar(column: GridColumn) -> Grammar:
    """The grammar of a column; `ValueError` for one that was made without its arguments."""
    if cython.compiled and column.grammar is None:
        raise ValueError("the column was not set up")
    return column.grammar


def blank_board(column: GridColumn) -> Board:
    """A board to set rows down on."""
    tables: Tables = column.tables
    g: Grammar = column.grammar
    return Board(tables, bytes(tables.size), bytes(2 * g.kinds if tables.has_hands else 0), 0)
