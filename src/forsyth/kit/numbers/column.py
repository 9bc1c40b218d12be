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
    from forsyth.kit.numbers.blake2b import write_digest
    from forsyth.kit.numbers.column_verbs import NO_TEXT, Chars, Numbers, Out, Size, copy, fill, i32

    BYTE_BITS: Final = 8
    BYTE_SHIFT: Final = 3
    """``bit_index >> BYTE_SHIFT`` is the index of the byte that contains a bit."""
    BIT_MASK: Final = 7
    """``bit_index & BIT_MASK`` is the index of a bit in its byte, where 0 is the highest bit."""
    VERSION_BITS: Final = 7
    """The bits of the version in the first byte of a packed form. The side to move is the last bit."""
    HAND_COUNT_BITS: Final = 5
    CLOCK_BITS: Final = 16
    MAX_CLOCK: Final = 9999
    MAX_BYTE: Final = 255
    PENDING_MASK: Final = 0xFFFF
    """Cuts off the bits that are written already: fewer than 8 pending bits and one more number fit."""
    VERSION: Final = 1
    """The version of packed forms (see `packing`)."""
    NOTE_CODE: Final = 0
    NOTE_IS_WARNING: Final = 1
    NOTE_START: Final = 2
    NOTE_END: Final = 3
    NOTE_SQUARE: Final = 4
    NOTE_COUNT: Final = 5
    """The indices of the numbers that describe a finding (see `forsyth.column.NOTES`)."""
    NO_SQUARE: Final = -1
    """The number of the square of a finding that is about no square."""

    def count_bytes_for_bits(bit_count: int) -> int:
        """Return the number of bytes that hold `bit_count` bits."""
        return (bit_count + BYTE_BITS - 1) >> BYTE_SHIFT

    def get_hand_count(grammar: Grammar, board: Board, side: int, number: int) -> int:
        """Return how many pieces a side (0 or 1) has in hand of the kind that is in hands at `number`."""
        return board.hands[side * grammar.kinds + grammar.held[number]]


class GridRow(RowKernel):
    """Reader and writer of one row of a game on a grid: its scanned text, and its pieces on a board."""

    if not cython.compiled:
        __slots__ = ("board", "grammar", "scan", "tables")
        board: Board
        grammar: Grammar
        scan: Scan
        tables: Tables

    def judge_text(self, mode: i32, legality: bool) -> i32:
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
        # The scan counts the warnings.
        if not self.scan.count:
            return CANONICAL
        if mode == STRICT:
            return ASK
        self.note[NOTE_CODE] = self.scan.code
        self.note[NOTE_IS_WARNING] = 1
        self.note[NOTE_START] = self.scan.start
        self.note[NOTE_END] = self.scan.end
        self.note[NOTE_SQUARE] = NO_SQUARE
        self.note[NOTE_COUNT] = self.scan.count
        return NOTED

    def put_text(self, out: Out, start: Size, room: Size) -> Size:
        """Write the canonical text to `out` from `start` on, and return its length.

        Return NO_TEXT and write nothing if it is longer than `room` bytes.
        """
        size: Size = put_text(self.grammar, self.board, self.scan)
        if size > room:
            return NO_TEXT
        copy(out, start, self.scan.line, 0, size)
        return size

    def put_key(self, out: Out, start: Size) -> None:
        """Write the key of the position to `out` from `start` on.

        The key is a hash of 16 bytes of the game's name and the text without clocks.
        """
        size: Size = put_identity(self.grammar, self.board, self.scan)
        write_digest(self.scan.line, 0, size, out, start)

    def put_packed(self, out: Out, start: Size, width: Size) -> bool:
        """Write the position as bytes to `out` from `start` on, padded with zeros to `width` bytes.

        Return True, or False without writing if the position needs more than `width` bytes. The format is
        that of `packing`.
        """
        return write_packed(self.grammar, self.board, self.scan, out, start, width)

    def load_packed(self, packed: Chars, start: Size, width: Size) -> bool:
        """Read the position that `put_packed` wrote in the `width` bytes of `packed` from `start` on.

        Return False if the bytes are not a packed position.
        """
        return read_packed(self.grammar, self.board, self.scan, packed, start, width)

    def put_features(self, out: Numbers, start: Size, step: Size) -> bool:
        """Write the features of the position (numbers such as piece counts) to `out`.

        Feature f is written at index ``start + f * step``. Return True, because every feature of a game on a
        grid fits its type.
        """
        write_features(self.grammar, self.board, self.tables, self.scan, out, start, step)
        return True

    def put_planes(self, out: Out, start: Size) -> None:
        """Write the planes of the position to `out` from `start` on, with one byte per square and plane."""
        write_planes(self.grammar, self.board, self.scan, out, start)


# --- packed forms -----------------------------------------------------------------------------------


def read_bits(data: Chars, bit_index: Size, count: i32) -> i32:
    """Return `count` bits of `data` as a number, the first bit as its highest.

    `bit_index` is the index of the first bit. Index 0 is the highest bit of the first byte.
    """
    value: i32 = 0
    shift: i32
    bit: i32
    _: i32
    for _ in range(count):
        shift = BYTE_BITS - 1 - (bit_index & BIT_MASK)
        bit = (data[bit_index >> BYTE_SHIFT] >> shift) & 1
        value = (value << 1) | bit
        bit_index += 1
    return value


def count_packed_bits(grammar: Grammar, piece_count: i32) -> Size:
    """Return the length in bits of a packed position with `piece_count` pieces on the board.

    The length includes the padding of the bitmap to whole bytes, but not the padding at the end.
    """
    clock_count: Size = 2 if grammar.has_half else 1
    # One byte holds the version and the side to move.
    header: Size = BYTE_BITS + clock_count * CLOCK_BITS
    bitmap: Size = count_bytes_for_bits(grammar.size) * BYTE_BITS
    pieces: Size = piece_count * grammar.piece_bits
    hands: Size = 2 * grammar.held_count * HAND_COUNT_BITS
    return header + bitmap + pieces + hands


def write_packed(grammar: Grammar, board: Board, scan: Scan, out: Out, start: Size, width: Size) -> bool:
    """Write the position in `board` and `scan` as bytes to `out` from `start` on.

    The bytes are padded with zeros to `width` bytes. Return True, or False without writing if the position
    needs more than `width` bytes. The format is that of `packing`.
    """
    end: Size = start + width
    piece_count: i32 = 0
    square: i32
    for square in range(grammar.size):
        piece_count += 1 if board.squares[square] else 0
    if count_bytes_for_bits(count_packed_bits(grammar, piece_count)) > width:
        return False
    # The side to move is the lowest bit of the first byte.
    out[start] = (VERSION << 1) | scan.turn
    start += 1
    if grammar.has_half:
        start = write_clock(out, start, scan.half)
    start = write_clock(out, start, scan.full)
    start = write_bitmap(grammar, board, out, start)
    start = write_pieces(grammar, board, out, start)
    fill(out, start, end - start, 0)
    return True


def write_clock(out: Out, start: Size, value: i32) -> Size:
    """Write a clock or move number as two bytes, the higher byte first. Return the index after them."""
    out[start] = value >> BYTE_BITS
    out[start + 1] = value & MAX_BYTE
    return start + 2


def write_bitmap(grammar: Grammar, board: Board, out: Out, start: Size) -> Size:
    """Write one bit for each square, 1 if it is occupied, and return the index after the last byte.

    The first square is the highest bit of the first byte. The last byte is padded with zeros.
    """
    byte: i32 = 0
    is_byte_full: i32
    square: i32
    last_bits: i32 = grammar.size & BIT_MASK
    for square in range(grammar.size):
        byte = ((byte << 1) & MAX_BYTE) | (1 if board.squares[square] else 0)
        is_byte_full = (square & BIT_MASK) == BYTE_BITS - 1
        if is_byte_full:
            out[start] = byte
            start += 1
    if last_bits:
        out[start] = (byte << (BYTE_BITS - last_bits)) & MAX_BYTE
        start += 1
    return start


def write_pieces(grammar: Grammar, board: Board, out: Out, start: Size) -> Size:
    """Write the pieces of a position as packed bits, and return the index after the last byte.

    First comes the number of each piece on the board minus 1, then the counts in hand. The last byte is
    padded with zeros.
    """
    # The bits that do not fill a byte yet are the lowest `pending_count` bits of `pending`.
    pending: i32 = 0
    pending_count: i32 = 0
    square: i32
    side: i32
    number: i32
    for square in range(grammar.size):
        if board.squares[square]:
            pending = ((pending << grammar.piece_bits) | (board.squares[square] - 1)) & PENDING_MASK
            pending_count += grammar.piece_bits
            if pending_count >= BYTE_BITS:
                pending_count -= BYTE_BITS
                out[start] = (pending >> pending_count) & MAX_BYTE
                start += 1
    for side in range(2):
        for number in range(grammar.held_count):
            pending = (pending << HAND_COUNT_BITS) | get_hand_count(grammar, board, side, number)
            pending &= PENDING_MASK
            pending_count += HAND_COUNT_BITS
            if pending_count >= BYTE_BITS:
                pending_count -= BYTE_BITS
                out[start] = (pending >> pending_count) & MAX_BYTE
                start += 1
    if pending_count:
        out[start] = (pending << (BYTE_BITS - pending_count)) & MAX_BYTE
        start += 1
    return start


def read_packed(grammar: Grammar, board: Board, scan: Scan, data: Chars, start: Size, width: Size) -> bool:
    """Read the packed position in the `width` bytes of `data` from `start` on into `board` and `scan`.

    The bytes are those that `write_packed` writes, so zeros may follow the position. Return True, or False if
    the bytes are not a packed position. `board` and `scan` may then be changed in part.
    """
    # Offsets are in bits.
    offset: Size = start * BYTE_BITS
    end: Size = (start + width) * BYTE_BITS
    bitmap_start: Size
    piece_count: i32 = 0
    square: i32
    side: i32
    number: i32
    # No text was read, so there are no words from which results could be copied.
    scan.words = 0

    # The header: the version, the side to move and the clocks.
    if count_packed_bits(grammar, 0) > width * BYTE_BITS:
        return False
    if read_bits(data, offset, VERSION_BITS) != VERSION:
        return False
    scan.turn = read_bits(data, offset + VERSION_BITS, 1)
    scan.half = 0
    offset += BYTE_BITS
    if grammar.has_half:
        scan.half = read_bits(data, offset, CLOCK_BITS)
        offset += CLOCK_BITS
    scan.full = read_bits(data, offset, CLOCK_BITS)
    offset += CLOCK_BITS
    if scan.half > MAX_CLOCK or scan.full < 1 or scan.full > MAX_CLOCK:
        return False

    # The bitmap of the occupied squares. It is padded to whole bytes with zeros.
    bitmap_start = offset
    for square in range(grammar.size):
        piece_count += read_bits(data, bitmap_start + square, 1)
    if count_packed_bits(grammar, piece_count) > width * BYTE_BITS:
        return False
    offset += grammar.size
    while (offset - bitmap_start) & BIT_MASK:
        if read_bits(data, offset, 1):
            return False
        offset += 1

    # The pieces on the board, then those in hand.
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
    return are_bits_zero(data, offset, end)


def are_bits_zero(data: Chars, first_bit: Size, end_bit: Size) -> bool:
    """Return whether all bits of `data` from `first_bit` up to, but not including, `end_bit` are 0.

    Bit 0 is the highest bit of the first byte. `end_bit` must be a multiple of 8.
    """
    bit: Size = first_bit
    # First the rest of a byte bit by bit, then whole bytes, which is faster.
    while bit < end_bit and (bit & BIT_MASK):
        if read_bits(data, bit, 1):
            return False
        bit += 1
    while bit < end_bit:
        if data[bit >> BYTE_SHIFT]:
            return False
        bit += BYTE_BITS
    return True


# --- numbers ----------------------------------------------------------------------------------------


def write_features(
    grammar: Grammar, board: Board, tables: Tables, scan: Scan, out: Numbers, start: Size, step: Size
) -> None:
    """Write the features of a position to `out`, with feature f at index ``start + f * step``.

    The features are numbers: the side to move, the clocks, the number of pieces, the balance of material, the
    number of pieces that give check, and the number of each piece on the board and in hand. `features_planes`
    has their names.
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
            out[index] = get_hand_count(grammar, board, side, number)


def count_features(grammar: Grammar) -> Size:
    """Return the number of features of a position.

    There are five features of every game, one more if the game has a half-move clock, and one for each kind
    of piece that a side has on the board or in hand.
    """
    general: Size = 5 + grammar.has_half
    return general + 2 * grammar.kinds + 2 * grammar.held_count


def count_plane_bytes(grammar: Grammar) -> Size:
    """Return the size of all planes of a position in bytes.

    There is one plane for each piece, each count in hand, the side to move and each clock. A plane has one
    byte per square.
    """
    piece_planes: Size = 2 * grammar.kinds + 2 * grammar.held_count
    # The side to move, the move number and perhaps the half-move clock.
    general_planes: Size = 2 + grammar.has_half
    return grammar.size * (piece_planes + general_planes)


def write_planes(grammar: Grammar, board: Board, scan: Scan, out: Out, start: Size) -> None:
    """Write the planes of a position to `out` from `start` on.

    First comes a plane of 0 and 1 for each piece, where 1 is a square with that piece. The planes of the hand
    counts, the side to move and the clocks follow, each filled with one value. `features_planes` has their
    names.
    """
    square: i32
    piece: i32
    side: i32
    number: i32
    rank: i32
    file: i32
    plane_start: Size
    piece_plane_bytes: Size = 2 * grammar.kinds * grammar.size
    fill(out, start, piece_plane_bytes, 0)
    for square in range(grammar.size):
        piece = board.squares[square]
        if piece:
            # Planes begin with the lowest rank, boards with the highest.
            rank = grammar.ranks - 1 - square // grammar.width
            file = square % grammar.width
            plane_start = start + (piece - 1) * grammar.size
            out[plane_start + rank * grammar.width + file] = 1
    start += piece_plane_bytes
    for side in range(2):
        for number in range(grammar.held_count):
            start = fill_plane(grammar, out, start, get_hand_count(grammar, board, side, number))
    start = fill_plane(grammar, out, start, scan.turn)
    if grammar.has_half:
        start = fill_plane(grammar, out, start, scan.half)
    fill_plane(grammar, out, start, scan.full)


def fill_plane(grammar: Grammar, out: Out, start: Size, value: i32) -> Size:
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
        """The codes of findings, such as ``fen.short``. `scan` writes a code as its index in this tuple."""
        return self.noted_codes

    @property
    def squares(self) -> tuple[str, ...]:
        """The names of the squares. `scan` writes a square as its index in this tuple."""
        return self.square_names

    def make_row_kernel(self) -> RowKernel:
        """Return a new reader and writer of single rows, so that each call has its own board.

        Raise `ValueError` if the column was made without `__init__`.
        """
        grammar: Grammar = self.grammar
        tables: Tables = self.tables
        kernel: GridRow = GridRow()
        hand_size: Size
        if cython.compiled and grammar is None:
            raise ValueError("the column was not set up, expected one made by GridColumn(sheet, max_length)")
        hand_size = 2 * grammar.kinds if tables.has_hands else 0
        empty_board, empty_hands = bytes(tables.size), bytes(hand_size)
        kernel.grammar = grammar
        kernel.tables = tables
        kernel.board = Board(tables, empty_board, empty_hands, 0)
        kernel.scan = Scan()
        kernel.max_length = self.max_length
        kernel.feature_count = count_features(grammar)
        kernel.plane_bytes = count_plane_bytes(grammar)
        return kernel
