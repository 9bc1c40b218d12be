# cython: boundscheck=False, wraparound=False
"""Kernels for columns of texts of any game on a grid, built from the data of its sheet.

The kernels accept the texts that `scanner` accepts: canonical texts, and texts with warnings. They leave to
the reader all other texts, texts with a warning in strict mode, and with `legality` every position with a
finding about its legality. Bytes that are not a packed form are left to `packing`.

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

    HAND_COUNT_BITS: Final = 5
    CLOCK_BITS: Final = 16
    MAX_CLOCK: Final = 9999
    MAX_BYTE: Final = 255
    VERSION: Final = 1
    """The version of packed forms (see `packing`)."""


class GridRow(RowKernel):
    """Row kernel of a game on a grid: the scanned text, and the pieces on a board."""

    if not cython.compiled:
        __slots__ = ("board", "grammar", "scan", "tables")
        board: Board
        grammar: Grammar
        scan: Scan
        tables: Tables

    def judge(self, mode: i32, legality: bool) -> i32:
        """Read the text from `start` to `end` and return a verdict: CANONICAL, NOTED or ASK.

        CANONICAL means that the text is canonical. NOTED means that it is a position with warnings. The first
        warning is then in `note`. ASK means that the slower reader in `notation.fen` must read the text.

        Args:
            mode: DEFAULT, STRICT or LENIENT. In strict mode a text with warnings gets ASK.
            legality: Whether a position with a finding about its legality gets ASK.
        """
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

    def put_text(self, out: Out, start: Size, room: Size) -> Size:
        """Write the canonical text and return its length, or NO_TEXT if it is longer than `room` bytes."""
        size: Size = put_text(self.grammar, self.board, self.scan)
        if size > room:
            return NO_TEXT
        copy(out, start, self.scan.line, 0, size)
        return size

    def put_key(self, out: Out, start: Size) -> None:
        """Write the 16 bytes of the key to `out`: the hash of the game's name and the text without clocks."""
        size: Size = put_identity(self.grammar, self.board, self.scan)
        digest_16(self.scan.line, 0, size, out, start)

    def put_packed(self, out: Out, start: Size, width: Size) -> bool:
        """Write the position as bytes (see `packing`), padded with zeros to `width` bytes.

        Return False and write nothing if it is longer than `width` bytes.
        """
        return put_packed(self.grammar, self.board, self.scan, out, start, width)

    def take_packed(self, packed: Chars, start: Size, width: Size) -> bool:
        """Read the position that `put_packed` wrote in the `width` bytes of `packed` from `start` on.

        Return False if the bytes are not a packed position.
        """
        return read_packed(self.grammar, self.board, self.scan, packed, start, width)

    def put_features(self, out: Numbers, start: Size, step: Size) -> bool:
        """Write the features of the position, such as piece counts, with feature f at ``start + f * step``.

        Return True, because every feature of a game on a grid fits its type.
        """
        put_features(self.grammar, self.board, self.tables, self.scan, out, start, step)
        return True

    def put_planes(self, out: Out, start: Size) -> None:
        """Write the planes of the position to `out` from `start` on, with one byte per square and plane."""
        put_planes(self.grammar, self.board, self.scan, out, start)


# --- packed forms -----------------------------------------------------------------------------------


def read_bits(data: Chars, bit_index: Size, count: i32) -> i32:
    """Return `count` bits of `data` as a number, the first bit as its highest.

    `bit_index` is the index of the first bit. Index 0 is the highest bit of the first byte.
    """
    value: i32 = 0
    _: i32
    for _ in range(count):
        value = value << 1 | (data[bit_index >> 3] >> (7 - (bit_index & 7)) & 1)
        bit_index += 1
    return value


def packed_bits(grammar: Grammar, piece_count: i32) -> Size:
    """Return the length in bits of a packed position with `piece_count` pieces on the board.

    The length includes the padding of the bitmap to whole bytes, but not the padding at the end.
    """
    header: Size = 8 + CLOCK_BITS + (CLOCK_BITS if grammar.has_half else 0)
    bitmap: Size = grammar.size + 7 >> 3 << 3
    hands: Size = 2 * grammar.held_count * HAND_COUNT_BITS
    return header + bitmap + piece_count * grammar.piece_bits + hands


def put_packed(grammar: Grammar, board: Board, scan: Scan, out: Out, start: Size, width: Size) -> bool:
    """Write the position in `board` and `scan` as bytes (see `packing`), padded with zeros to `width` bytes.

    The bytes are written to `out` from `start` on. Return False and write nothing if there are more than
    `width` of them.
    """
    end: Size = start + width
    piece_count: i32 = 0
    square: i32
    for square in range(grammar.size):
        piece_count += 1 if board.squares[square] else 0
    if packed_bits(grammar, piece_count) + 7 >> 3 > width:
        return False
    out[start] = VERSION << 1 | scan.turn
    start += 1
    if grammar.has_half:
        start = put_clock(out, start, scan.half)
    start = put_pieces(grammar, board, out, put_clock(out, start, scan.full))
    fill(out, start, end - start, 0)
    return True


def put_clock(out: Out, start: Size, value: i32) -> Size:
    """Write a clock or move number as two bytes, the higher byte first. Return the index after them."""
    out[start] = value >> 8
    out[start + 1] = value & 255
    return start + 2


def put_pieces(grammar: Grammar, board: Board, out: Out, start: Size) -> Size:
    """Write the pieces of a position as packed bits, and return the index after the last byte.

    First comes a bitmap with a 1 for each occupied square, then the number of each piece on the board, then
    the counts in hand. The bitmap and the end are padded with zeros to whole bytes.
    """
    # Bits that do not fill a byte yet, and their number.
    bits: i32 = 0
    bit_count: i32 = 0
    square: i32
    side: i32
    number: i32
    for square in range(grammar.size):
        bits = bits << 1 & 255 | (1 if board.squares[square] else 0)
        if square & 7 == 7:
            out[start] = bits
            start += 1
    if grammar.size & 7:
        out[start] = bits << 8 - (grammar.size & 7) & 255
        start += 1
    bits = 0
    for square in range(grammar.size):
        if board.squares[square]:
            bits = (bits << grammar.piece_bits | board.squares[square] - 1) & 0xFFFF
            bit_count += grammar.piece_bits
            if bit_count >= 8:
                bit_count -= 8
                out[start] = bits >> bit_count & 255
                start += 1
    for side in range(2):
        for number in range(grammar.held_count):
            bits = (
                bits << HAND_COUNT_BITS | board.hands[side * grammar.kinds + grammar.held[number]]
            ) & 0xFFFF
            bit_count += HAND_COUNT_BITS
            if bit_count >= 8:
                bit_count -= 8
                out[start] = bits >> bit_count & 255
                start += 1
    if bit_count:
        out[start] = bits << 8 - bit_count & 255
        start += 1
    return start


def read_packed(grammar: Grammar, board: Board, scan: Scan, data: Chars, start: Size, width: Size) -> bool:
    """Read the packed position in the `width` bytes of `data` from `start` on into `board` and `scan`.

    It is what `put_packed` writes, so zeros may follow it. Return False if the bytes are not a packed
    position. `board` and `scan` may then be changed in part.
    """
    # Offsets are in bits.
    form_start: Size = 8 * start
    offset: Size = form_start
    bitmap_start: Size
    form_end: Size
    piece_count: i32 = 0
    square: i32
    side: i32
    number: i32
    # No text was read, so there are no words from which results could be copied.
    scan.words = 0
    if packed_bits(grammar, 0) > 8 * width or read_bits(data, offset, 7) != VERSION:
        return False
    scan.turn = read_bits(data, offset + 7, 1)
    scan.half = 0
    offset += 8
    if grammar.has_half:
        scan.half = read_bits(data, offset, CLOCK_BITS)
        offset += CLOCK_BITS
    scan.full = read_bits(data, offset, CLOCK_BITS)
    offset += CLOCK_BITS
    if scan.half > MAX_CLOCK or scan.full < 1 or scan.full > MAX_CLOCK:
        return False
    bitmap_start = offset
    for square in range(grammar.size):
        piece_count += read_bits(data, bitmap_start + square, 1)
    if packed_bits(grammar, piece_count) > 8 * width:
        return False
    offset += grammar.size
    while offset - bitmap_start & 7:
        if read_bits(data, offset, 1):
            return False
        offset += 1
    for square in range(grammar.size):
        board.squares[square] = 0
        if read_bits(data, bitmap_start + square, 1):
            board.squares[square] = 1 + read_bits(data, offset, grammar.piece_bits)
            offset += grammar.piece_bits
            if board.squares[square] > 2 * grammar.kinds:
                return False
    for side in range(2):
        for number in range(grammar.held_count):
            board.hands[side * grammar.kinds + grammar.held[number]] = read_bits(
                data, offset, HAND_COUNT_BITS
            )
            offset += HAND_COUNT_BITS
    form_end = form_start + 8 * width
    return is_zero(data, offset, form_end)


def is_zero(data: Chars, bit_index: Size, end: Size) -> bool:
    """Return whether all bits of `data` from `bit_index` up to, but not including, `end` are 0.

    Bit 0 is the highest bit of the first byte. `end` must be a multiple of 8.
    """
    while bit_index < end:
        if bit_index & 7 == 0:
            if data[bit_index >> 3]:
                return False
            bit_index += 8
            continue
        if read_bits(data, bit_index, 1):
            return False
        bit_index += 1
    return True


# --- numbers ----------------------------------------------------------------------------------------


def put_features(
    grammar: Grammar, board: Board, tables: Tables, scan: Scan, out: Numbers, start: Size, step: Size
) -> None:
    """Write the features of a position to `out`, with feature f at ``start + f * step``.

    They are the side to move, the clocks, the number of pieces, the balance of material, the pieces that give
    check, and the number of each piece on the board and in hand (see `features_planes`).
    """
    balance: i32 = 0
    checker_count: i32 = 0
    hand_count: i32
    piece: i32
    side: i32
    number: i32
    index: Size = start
    tally(grammar, board, scan)
    for piece in range(1, 2 * grammar.kinds + 1):
        hand_count = board.hands[piece - 1] if grammar.held_count else 0
        balance += grammar.values[piece] * (scan.counts[piece] + hand_count)
    if grammar.royal >= 0 and scan.kings[scan.turn] >= 0:
        checker_count = find_attackers(board, tables, scan.kings[scan.turn], scan.turn, grammar.size)
    out[index] = scan.turn
    index += step
    out[index] = scan.full
    index += step
    if grammar.has_half:
        out[index] = scan.half
        index += step
    out[index] = grammar.size - scan.counts[0]
    index += step
    out[index] = balance
    index += step
    out[index] = checker_count
    for piece in range(1, 2 * grammar.kinds + 1):
        index += step
        out[index] = scan.counts[piece]
    for side in range(2):
        for number in range(grammar.held_count):
            index += step
            out[index] = board.hands[side * grammar.kinds + grammar.held[number]]


def feature_count(grammar: Grammar) -> Size:
    """Return the number of features of a position.

    There are five general features, one more if the game has a half-move clock, and one for each piece on
    the board and in hand.
    """
    return 5 + grammar.has_half + 2 * grammar.kinds + 2 * grammar.held_count


def plane_bytes(grammar: Grammar) -> Size:
    """Return the size of all planes of a position in bytes.

    There is one plane for each piece, each count in hand, the side to move and each clock. A plane has one
    byte per square.
    """
    plane_count: Size = 2 * grammar.kinds + 2 * grammar.held_count + 2 + grammar.has_half
    return grammar.size * plane_count


def put_planes(grammar: Grammar, board: Board, scan: Scan, out: Out, start: Size) -> None:
    """Write the planes of a position to `out` from `start` on.

    First comes a plane of 0 and 1 for each piece. The planes of the hand counts, the side to move and the
    clocks follow, each filled with one value (see `features_planes`).
    """
    square: i32
    piece: i32
    side: i32
    number: i32
    rank: i32
    index: Size
    fill(out, start, 2 * grammar.kinds * grammar.size, 0)
    for square in range(grammar.size):
        piece = board.squares[square]
        if piece:
            # Planes begin with the lowest rank, boards with the highest.
            rank = grammar.ranks - 1 - square // grammar.width
            index = (piece - 1) * grammar.size + rank * grammar.width + square % grammar.width
            out[start + index] = 1
    start += 2 * grammar.kinds * grammar.size
    for side in range(2):
        for number in range(grammar.held_count):
            start = put_plane(grammar, out, start, board.hands[side * grammar.kinds + grammar.held[number]])
    start = put_plane(grammar, out, start, scan.turn)
    if grammar.has_half:
        start = put_plane(grammar, out, start, scan.half)
    put_plane(grammar, out, start, scan.full)


def put_plane(grammar: Grammar, out: Out, start: Size, value: i32) -> Size:
    """Write a plane in which every square has `value`, or 255 if `value` is greater.

    Return the index after the plane.
    """
    fill(out, start, grammar.size, value if value < MAX_BYTE else MAX_BYTE)
    return start + grammar.size


class GridColumn(ColumnVerbs):
    """The kernels for columns of one game on a grid."""

    if not cython.compiled:
        __slots__ = ("grammar", "max_length", "noted_codes", "square_names", "tables")

    def __init__(self, sheet: Sheet, max_length: int) -> None:
        """Create the kernels of a game.

        Args:
            sheet: The sheet of the game.
            max_length: Maximum length of a text, in characters.

        Raises:
            ValueError: If the texts of the game are too long for the kernels.
        """
        if not 0 < max_length <= TEXT_ROOM:
            raise ValueError(
                f"the maximum length of a text is {max_length} characters, expected 1 to {TEXT_ROOM}"
            )
        # Built before any field is set, so that no field changes if the constructor fails.
        grammar = Grammar(sheet)
        self.max_length = max_length
        self.square_names = sheet.squares
        known_codes = {info.code for info in sheet.codes}
        # Notes refer to codes by index, so a code that the game never reports still needs an entry.
        self.noted_codes = tuple(code if code in known_codes else NOTED_CODES[0] for code in NOTED_CODES)
        self.tables = sheet.tables
        self.grammar = grammar

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of findings, such as ``fen.short``. The numbers that `scan` writes are indices of it."""
        return self.noted_codes

    @property
    def squares(self) -> tuple[str, ...]:
        """The names of the squares. The numbers that `scan` writes are indices of it."""
        return self.square_names

    def make_row_kernel(self) -> RowKernel:
        """Return a new reader and writer of single rows, so that each call has its own board.

        Raise `ValueError` if the column was made without `__init__`.
        """
        grammar: Grammar = self.grammar
        tables: Tables = self.tables
        row: GridRow = GridRow()
        if cython.compiled and grammar is None:
            raise ValueError("the column was not set up, expected one made by GridColumn(sheet, max_length)")
        row.grammar = grammar
        row.tables = tables
        row.board = Board(tables, bytes(tables.size), bytes(2 * grammar.kinds if tables.has_hands else 0), 0)
        row.scan = Scan()
        row.max_length = self.max_length
        row.feature_count = feature_count(grammar)
        row.plane_bytes = plane_bytes(grammar)
        return row
