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
    COMMON_FEATURES: Final = 5
    """The number of features that every game has, whatever its pieces and clocks."""
    NO_SQUARE: Final = -1
    """The number of the square of a finding that is about no square."""

    def count_bytes_for_bits(bit_count: int) -> int:
        """Return the number of bytes that hold `bit_count` bits."""
        return (bit_count + BYTE_BITS - 1) >> BYTE_SHIFT

    def get_hand_count(grammar: Grammar, board: Board, side: int, hand_index: int) -> int:
        """Return how many pieces of one kind a side (0 or 1) has in hand.

        `hand_index` is the index of the kind among those that can be in hand, such as 0 for the first kind.
        """
        return board.hands[side * grammar.kinds + grammar.held[hand_index]]


class GridRow(RowKernel):
    """Reader and writer of one row of a column: its scanned text, and its pieces on a board."""

    if not cython.compiled:
        __slots__ = ("board", "grammar", "scan", "tables")
        board: Board
        grammar: Grammar
        scan: Scan
        tables: Tables

    def judge_row(self, mode: i32, legality: bool) -> i32:
        """Read the text of the row, and return a number that classifies it: CANONICAL, NOTED or ASK.

        NOTED means that the text is a position with warnings, the first of which is described in `note`. ASK
        means that the slower reader in `notation.fen` must read the text.

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

    def put_text(self, output: Out, offset: Size, room: Size) -> Size:
        """Write the canonical text to `output` from `offset` on, and return its length.

        Return NO_TEXT and write nothing if it is longer than `room` bytes.
        """
        size: Size = put_text(self.grammar, self.board, self.scan)
        if size > room:
            return NO_TEXT
        copy(output, offset, self.scan.line, 0, size)
        return size

    def put_key(self, output: Out, offset: Size) -> None:
        """Write the key of the position, a hash of 16 bytes, to `output` from `offset` on.

        The hash is that of the game's name and the text without clocks.
        """
        size: Size = put_identity(self.grammar, self.board, self.scan)
        write_digest(self.scan.line, 0, size, output, offset)

    def put_packed(self, output: Out, offset: Size, width: Size) -> bool:
        """Write the position as packed bytes to `output` from `offset` on.

        Zeros fill the rest of the `width` bytes. Return False, and write nothing, if the position needs more.
        The module `packing` describes the format.
        """
        return write_packed(self.grammar, self.board, self.scan, output, offset, width)

    def load_packed(self, packed: Chars, start: Size, width: Size) -> bool:
        """Read a position from the bytes that `put_packed` has written, and return whether they are valid.

        They are the `width` bytes of `packed` from `start` on.
        """
        return read_packed(self.grammar, self.board, self.scan, packed, start, width)

    def put_features(self, output: Numbers, offset: Size, step: Size) -> bool:
        """Write the features of the position (numbers such as piece counts) to `output`.

        Feature f is written at index ``offset + f * step``. Always return True, because every feature of a
        game on a grid fits its type.
        """
        write_features(self.grammar, self.board, self.tables, self.scan, output, offset, step)
        return True

    def put_planes(self, output: Out, offset: Size) -> None:
        """Write the planes of the position to `output` from `offset` on, with one byte per square and plane.

        A plane has, for example, 1 on the squares of one side's pawns and 0 elsewhere.
        """
        write_planes(self.grammar, self.board, self.scan, output, offset)


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

    The parts are the header, the bitmap of occupied squares, which fills whole bytes, the pieces, and the
    counts in hand. The padding at the end is not included.
    """
    clock_count: Size = 2 if grammar.has_half else 1
    # One byte holds the version and the side to move.
    header: Size = BYTE_BITS + clock_count * CLOCK_BITS
    bitmap: Size = count_bytes_for_bits(grammar.size) * BYTE_BITS
    pieces: Size = piece_count * grammar.piece_bits
    hands: Size = 2 * grammar.held_count * HAND_COUNT_BITS
    return header + bitmap + pieces + hands


def write_packed(grammar: Grammar, board: Board, scan: Scan, output: Out, offset: Size, width: Size) -> bool:
    """Write the position in `board` and `scan` as bytes to `output` from `offset` on.

    The bytes are padded with zeros to `width` bytes. Return False, and write nothing, if the position needs
    more. The module `packing` describes the format.
    """
    end_offset: Size = offset + width
    piece_count: i32 = 0
    square: i32
    for square in range(grammar.size):
        piece_count += 1 if board.squares[square] else 0
    if count_bytes_for_bits(count_packed_bits(grammar, piece_count)) > width:
        return False
    # The side to move is the lowest bit of the first byte.
    output[offset] = (VERSION << 1) | scan.turn
    offset += 1
    if grammar.has_half:
        offset = write_clock(output, offset, scan.half)
    offset = write_clock(output, offset, scan.full)
    offset = write_bitmap(grammar, board, output, offset)
    offset = write_pieces(grammar, board, output, offset)
    fill(output, offset, end_offset - offset, 0)
    return True


def write_clock(output: Out, offset: Size, value: i32) -> Size:
    """Write a clock or move number as two bytes, the higher byte first, and return the offset after them.

    They are written to `output` from `offset` on.
    """
    output[offset] = value >> BYTE_BITS
    output[offset + 1] = value & MAX_BYTE
    return offset + 2


def write_bitmap(grammar: Grammar, board: Board, output: Out, offset: Size) -> Size:
    """Write one bit for each square to `output` from `offset` on: 1 if it is occupied, else 0.

    The first square is the highest bit of the first byte. The last byte is padded with zeros. Return the
    offset after it.
    """
    byte: i32 = 0
    is_byte_full: i32
    square: i32
    last_bits: i32 = grammar.size & BIT_MASK
    for square in range(grammar.size):
        byte = ((byte << 1) & MAX_BYTE) | (1 if board.squares[square] else 0)
        is_byte_full = (square & BIT_MASK) == BYTE_BITS - 1
        if is_byte_full:
            output[offset] = byte
            offset += 1
    if last_bits:
        output[offset] = (byte << (BYTE_BITS - last_bits)) & MAX_BYTE
        offset += 1
    return offset


def write_pieces(grammar: Grammar, board: Board, output: Out, offset: Size) -> Size:
    """Write the pieces on the board and in hand as packed bits to `output` from `offset` on.

    First comes the number of each piece on the board minus 1, then each count in hand. The last byte is
    padded with zeros. Return the offset after it.
    """
    # The bits that do not fill a byte yet are the lowest `pending_count` bits of `pending`.
    pending: i32 = 0
    pending_count: i32 = 0
    square: i32
    side: i32
    hand_index: i32
    for square in range(grammar.size):
        if board.squares[square]:
            pending = ((pending << grammar.piece_bits) | (board.squares[square] - 1)) & PENDING_MASK
            pending_count += grammar.piece_bits
            if pending_count >= BYTE_BITS:
                pending_count -= BYTE_BITS
                output[offset] = (pending >> pending_count) & MAX_BYTE
                offset += 1
    for side in range(2):
        for hand_index in range(grammar.held_count):
            pending = (pending << HAND_COUNT_BITS) | get_hand_count(grammar, board, side, hand_index)
            pending &= PENDING_MASK
            pending_count += HAND_COUNT_BITS
            if pending_count >= BYTE_BITS:
                pending_count -= BYTE_BITS
                output[offset] = (pending >> pending_count) & MAX_BYTE
                offset += 1
    if pending_count:
        output[offset] = (pending << (BYTE_BITS - pending_count)) & MAX_BYTE
        offset += 1
    return offset


def read_packed(grammar: Grammar, board: Board, scan: Scan, data: Chars, start: Size, width: Size) -> bool:
    """Read the packed position in the `width` bytes of `data` from `start` on into `board` and `scan`.

    Zeros may follow the position. Return False if the bytes are not a packed position. `board` and `scan` may
    then be changed in part.
    """
    # Offsets are in bits.
    offset: Size = start * BYTE_BITS
    end: Size = (start + width) * BYTE_BITS
    bitmap_start: Size
    piece_count: i32 = 0
    square: i32
    side: i32
    hand_index: i32
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
        for hand_index in range(grammar.held_count):
            board.hands[side * grammar.kinds + grammar.held[hand_index]] = read_bits(
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
    grammar: Grammar, board: Board, tables: Tables, scan: Scan, output: Numbers, start: Size, step: Size
) -> None:
    """Write the features of a position to `output`, with feature f at index ``start + f * step``.

    The features are numbers: the side to move, the clocks, the number of pieces, the balance of material, the
    number of pieces that give check, and the number of each piece on the board and in hand. `features_planes`
    has their names.
    """
    balance: i32 = 0
    checker_count: i32 = 0
    hand_count: i32
    piece: i32
    side: i32
    hand_index: i32
    index: Size = start
    tally(grammar, board, scan)
    for piece in range(1, 2 * grammar.kinds + 1):
        hand_count = board.hands[piece - 1] if grammar.held_count else 0
        balance += grammar.values[piece] * (scan.counts[piece] + hand_count)
    if grammar.royal >= 0 and scan.kings[scan.turn] >= 0:
        checker_count = find_attackers(board, tables, scan.kings[scan.turn], scan.turn, grammar.size)
    output[index] = scan.turn
    index += step
    output[index] = scan.full
    index += step
    if grammar.has_half:
        output[index] = scan.half
        index += step
    output[index] = grammar.size - scan.counts[0]
    index += step
    output[index] = balance
    index += step
    output[index] = checker_count
    for piece in range(1, 2 * grammar.kinds + 1):
        index += step
        output[index] = scan.counts[piece]
    for side in range(2):
        for hand_index in range(grammar.held_count):
            index += step
            output[index] = get_hand_count(grammar, board, side, hand_index)


def count_features(grammar: Grammar) -> Size:
    """Return the number of features of a position.

    There are five features of every game, one more if the game has a half-move clock, and one for each kind
    of piece that a side has on the board or in hand.
    """
    general_features: Size = COMMON_FEATURES + grammar.has_half
    return general_features + 2 * grammar.kinds + 2 * grammar.held_count


def count_plane_bytes(grammar: Grammar) -> Size:
    """Return the size of all planes of a position in bytes.

    There is one plane for each piece, each count in hand, the side to move and each clock. A plane has one
    byte per square.
    """
    piece_planes: Size = 2 * grammar.kinds + 2 * grammar.held_count
    # The side to move, the move number and perhaps the half-move clock.
    general_planes: Size = 2 + grammar.has_half
    return grammar.size * (piece_planes + general_planes)


def write_planes(grammar: Grammar, board: Board, scan: Scan, output: Out, offset: Size) -> None:
    """Write the planes of a position, which have one byte per square, to `output` from `offset` on.

    First comes a plane for each piece, with 1 on the squares of the piece and 0 elsewhere. Then come the
    planes of the counts in hand, the side to move and the clocks, in which all bytes are equal.
    `features_planes` has their names.
    """
    square: i32
    piece: i32
    side: i32
    hand_index: i32
    rank: i32
    file: i32
    plane_start: Size
    piece_plane_bytes: Size = 2 * grammar.kinds * grammar.size
    fill(output, offset, piece_plane_bytes, 0)
    for square in range(grammar.size):
        piece = board.squares[square]
        if piece:
            # Planes begin with the lowest rank, boards with the highest.
            rank = grammar.ranks - 1 - square // grammar.width
            file = square % grammar.width
            plane_start = offset + (piece - 1) * grammar.size
            output[plane_start + rank * grammar.width + file] = 1
    offset += piece_plane_bytes
    for side in range(2):
        for hand_index in range(grammar.held_count):
            offset = write_filled_plane(
                grammar, output, offset, get_hand_count(grammar, board, side, hand_index)
            )
    offset = write_filled_plane(grammar, output, offset, scan.turn)
    if grammar.has_half:
        offset = write_filled_plane(grammar, output, offset, scan.half)
    write_filled_plane(grammar, output, offset, scan.full)


def write_filled_plane(grammar: Grammar, output: Out, offset: Size, value: i32) -> Size:
    """Write a plane in which every square has `value`, or 255 if `value` is greater.

    It is written to `output` from `offset` on. Return the offset after the plane.
    """
    fill(output, offset, grammar.size, value if value < MAX_BYTE else MAX_BYTE)
    return offset + grammar.size


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
