# cython: boundscheck=False, wraparound=False
"""Row kernel of CoTuLenh for the verbs over whole columns in `kit.numbers.column_verbs`.

`kernel` handles canonical texts without a deploy suffix, `scanner` all other accepted texts and most rejected
ones. Texts that neither handles are left to the reader (verdict ASK). The reader has at least a warning about
every text that is not canonical, so SPELLED is never a verdict here. Also left to the reader are the packed
forms and features of positions whose clocks exceed 32 bits, packed forms that are too wide, packed sessions,
and forms whose text does not fit the room for it.

`legality` judges the rows, `key` computes their keys, `packing` packs them, and `features` and `planes`
compute their numbers. The module runs as it is and compiles with Cython (`column.pxd`).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.cotulenh.board import SQUARES
from forsyth.games.cotulenh.notation.notes import NOTED_CODES, Scan
from forsyth.kit.numbers.column_verbs import ColumnVerbs, RowKernel

if not cython.compiled:
    from forsyth.column import ASK, CANONICAL, DEFAULT, LENIENT, NOTED, REFUSED, STRICT
    from forsyth.games.cotulenh.board import get_rank, i32, i64, u32, u64
    from forsyth.games.cotulenh.notation.kernel import MAX_CANONICAL, clock, fill, fill_tail, odd_stack
    from forsyth.games.cotulenh.notation.notes import clear
    from forsyth.games.cotulenh.notation.scanner import scan_text
    from forsyth.games.cotulenh.notation.write import put_board, put_ranks, put_rest, put_text, put_unit
    from forsyth.games.cotulenh.numbers.features import FEATURE_COUNT, write_features
    from forsyth.games.cotulenh.numbers.key import (
        BLOCK_SIZE,
        LANES_PER_KEY,
        WORD_COUNT,
        mix_block,
        start_lanes,
        write_words,
    )
    from forsyth.games.cotulenh.numbers.packing import (
        FULL_CLOCK,
        HALF_CLOCK,
        MAX_CLOCK_32,
        MAX_PACKED_BYTES,
        SIDE_TO_MOVE,
        STATE_SIZE,
        read_packed,
        write_packed,
    )
    from forsyth.games.cotulenh.numbers.planes import PLANE_BYTES, write_planes
    from forsyth.games.cotulenh.rules.legality import is_sound
    from forsyth.kit.numbers.column_verbs import NO_TEXT, Chars, Numbers, Out, Size, copy
    from forsyth.kit.numbers.column_verbs import fill as fill_bytes

    # Positions in `Scan.tail`, see `notation.kernel.fill` and `fill_board`.
    SIDE: Final = 0
    HALF_START: Final = 1
    HALF_END: Final = 2
    FULL_START: Final = 3
    FULL_END: Final = 4
    BOARD_END: Final = 5
    DIGIT_RUN_COUNT: Final = 6
    DIGIT_RUN_SQUARE: Final = 9
    STACK_COUNT: Final = 10
    STACK_START: Final = 11
    STACK_SQUARE: Final = 13
    MAX_CLOCK_DIGITS: Final = 18
    """The largest number of digits that always fits 64 bits."""
    SLASH: Final = 47
    OPENING_PARENTHESIS: Final = 40
    UNIT_MASK: Final = 0xFFFFFF
    UNIT_LENGTH_SHIFT: Final = 24
    """The parts of the result of `odd_stack`: the unit, and above it the length of its text."""
    NOTE_CODE: Final = 0
    NOTE_IS_WARNING: Final = 1
    NOTE_START: Final = 2
    NOTE_END: Final = 3
    NOTE_SQUARE: Final = 4
    NOTE_COUNT: Final = 5
    """Positions in the note of a row, see `set_first_finding`."""
    FINDING_CODE: Final = 0
    FINDING_START: Final = 1
    FINDING_END: Final = 2
    FINDING_SQUARE: Final = 3
    """Positions in `Scan.error` and `Scan.warning`, the first error and the first warning of a text."""
    LANE_BYTES: Final = 8
    """The size of half a key."""
    BYTE_BITS: Final = 8
    BYTE_MASK: Final = 255
    TOP_RANK: Final = 11
    """The index of rank 12, which a text begins with."""


class CoTuLenhRow(RowKernel):
    """One row of a column: its text, its position as numbers, and buffers for the results."""

    # `line` is a buffer for the canonical text. `key_offsets` has the place of each key that waits in
    # `lanes` and `words` for a full block, and `waiting_count` is their number.
    if not cython.compiled:
        __slots__ = (
            "key_offsets",
            "lanes",
            "length",
            "line",
            "packed",
            "scan",
            "state",
            "text",
            "waiting_count",
            "words",
        )
        scan: Scan

        def __init__(self) -> None:
            super().__init__()
            self.text = bytearray(MAX_CANONICAL + 8)
            self.length = 0
            self.state = [0] * STATE_SIZE
            self.line = bytearray(1400)
            self.packed = bytearray(MAX_PACKED_BYTES)
            self.words = [0] * (WORD_COUNT * BLOCK_SIZE)
            self.lanes = [0] * (LANES_PER_KEY * BLOCK_SIZE)
            self.key_offsets = [0] * BLOCK_SIZE
            self.waiting_count = 0

    def judge_row(self, mode: i32, legality: bool) -> i32:
        """Return the verdict on the text of the row.

        * CANONICAL: no finding (error or warning).
        * NOTED: accepted with warnings.
        * REFUSED: rejected.
        * ASK: only the slower reader in Python can decide.

        The first finding is written into `note` if the verdict is NOTED or REFUSED.

        Args:
            mode: The reading mode: DEFAULT, LENIENT or STRICT.
            legality: Whether the rules of the game are tested, too.
        """
        verdict: i32
        if self.load_text() and self.has_no_findings(mode, legality):
            return CANONICAL
        verdict = self.judge_text(mode, legality)
        if verdict == NOTED or verdict == REFUSED:
            self.set_first_finding()
        return verdict

    def load_text(self) -> bool:
        """Read the text of the row as a canonical text, and return whether it is one.

        The text is copied into `text` first. The board of a canonical text is then in ``scan.units``. Its
        side to move and the offsets of its clocks are in ``scan.tail``.
        """
        self.length = self.end - self.start
        copy(self.text, 0, self.chars, self.start, self.length)
        # A zero byte ends the text.
        self.text[self.length] = 0
        # `fill` expects the board at the start. The row before may have had blanks in front of it.
        self.scan.board_start = 0
        clear(self.scan)
        return fill(self.text, self.length, self.scan.units, self.scan.tail) != 0

    def judge_text(self, mode: i32, legality: bool) -> i32:
        """Return the verdict on a loaded text that is not canonical, with its findings in `scan`.

        The verdict is NOTED (accepted with warnings), REFUSED or ASK, see `judge_row`. `mode` is the reading
        mode. `legality` is true if the rules of the game are tested, too.
        """
        verdict: i32 = scan_text(self.scan, self.text, self.length, mode, legality)
        if verdict == NOTED and not has_short_clocks(self.scan):
            # Clocks with more digits fit no column, so the reader has to handle them.
            return ASK
        return verdict

    def load_accepted(self) -> bool:
        """Load the text of an accepted row, canonical or not. Return whether it can be used here.

        It can if its board is now in `scan` and its clocks fit 64 bits. Otherwise only the slower reader in
        Python can read the text.
        """
        if self.load_text():
            return True
        # Most findings concern only the board, or only the fields after it.
        if self.scan.tail[BOARD_END] >= 0 and fill_tail(
            self.text, self.scan.tail[BOARD_END], self.length, self.scan.tail
        ):
            return has_short_clocks(self.scan)
        return self.judge_text(DEFAULT, False) != ASK

    def load_state(self) -> bool:
        """Write the side to move and both clocks of a loaded row into `state`, three numbers.

        Return whether both clocks fit 32 bits. A clock that does not is replaced by MAX_CLOCK_32.
        """
        half: i64 = clock(self.text, self.scan.tail[HALF_START], self.scan.tail[HALF_END])
        full: i64 = clock(self.text, self.scan.tail[FULL_START], self.scan.tail[FULL_END])
        self.state[SIDE_TO_MOVE] = self.scan.tail[SIDE]
        self.state[HALF_CLOCK] = clamp_clock(half)
        self.state[FULL_CLOCK] = clamp_clock(full)
        return self.state[HALF_CLOCK] == half and self.state[FULL_CLOCK] == full

    def has_no_findings(self, mode: i32, legality: bool) -> bool:
        """Return True if there is surely no finding about the position of a canonical text.

        False means that there may be one. In lenient mode, or if `legality` is true, the board is tested.
        `legality` also tests the clocks, but not in strict mode, see `rules.check.check_position`.
        """
        played_turns: i64
        if mode != LENIENT and not legality:
            return True
        if not is_sound(self.scan.units):
            return False
        if not legality or mode == STRICT:
            return True
        if not self.load_state():
            return False
        played_turns = 2 * (self.state[FULL_CLOCK] - 1) + self.state[SIDE_TO_MOVE]
        return self.state[HALF_CLOCK] <= played_turns

    def set_first_finding(self) -> None:
        """Write the first error of the row, or else its first warning, into `note`.

        The six numbers are the index of its code, 0 for an error or 1 for a warning, the start and end of its
        place in the text, the number of its square, and the number of findings.
        """
        if self.scan.errors:
            self.note[NOTE_CODE] = self.scan.error[FINDING_CODE]
            self.note[NOTE_IS_WARNING] = 0
            self.note[NOTE_START] = self.scan.error[FINDING_START]
            self.note[NOTE_END] = self.scan.error[FINDING_END]
            self.note[NOTE_SQUARE] = self.scan.error[FINDING_SQUARE]
        else:
            self.note[NOTE_CODE] = self.scan.warning[FINDING_CODE]
            self.note[NOTE_IS_WARNING] = 1
            self.note[NOTE_START] = self.scan.warning[FINDING_START]
            self.note[NOTE_END] = self.scan.warning[FINDING_END]
            self.note[NOTE_SQUARE] = self.scan.warning[FINDING_SQUARE]
        self.note[NOTE_COUNT] = self.scan.count

    def rewrite(self, out: Out, start: Size, room: Size) -> Size:
        """Write the canonical text of an accepted row into `out` and return its length.

        Return NO_TEXT if only the slower reader can read the row, or if the text does not fit.

        Args:
            out: Receives the text.
            start: The offset in `out` of its first byte.
            room: The largest length that fits, in bytes.
        """
        board_size: i32
        half: i64
        full: i64
        size: Size
        if not self.load_accepted():
            return NO_TEXT
        board_size = write_board_text(self, self.scan)
        half = clock(self.text, self.scan.tail[HALF_START], self.scan.tail[HALF_END])
        full = clock(self.text, self.scan.tail[FULL_START], self.scan.tail[FULL_END])
        size = put_rest(self.line, board_size, self.scan.tail[SIDE], half, full)
        return self.copy_line(size, out, start, room)

    def put_text(self, out: Out, start: Size, room: Size) -> Size:
        """Write the canonical text of the loaded position into `out` and return its length.

        Return NO_TEXT if the text does not fit into the `room` bytes from `start` on.
        """
        size: Size = put_text(
            self.line,
            self.scan.units,
            self.state[SIDE_TO_MOVE],
            self.state[HALF_CLOCK],
            self.state[FULL_CLOCK],
        )
        return self.copy_line(size, out, start, room)

    def copy_line(self, size: Size, out: Out, start: Size, room: Size) -> Size:
        """Copy the first `size` bytes of the buffer `line` to `out`, and return `size`.

        They begin at byte `start` of `out`. Return NO_TEXT, and copy nothing, if `size` exceeds `room`.
        """
        if size > room:
            return NO_TEXT
        copy(out, start, self.line, 0, size)
        return size

    def put_key(self, out: Out, start: Size) -> None:
        """Add the row to the keys that are computed together, and compute them if the block is full.

        The key of the row will be written into `out` at byte `start`. A block has BLOCK_SIZE rows, because
        several keys at once are faster. `finish_keys` writes the keys of the last block.
        """
        start_lanes(self.lanes, self.waiting_count, self.scan.tail[SIDE])
        write_words(self.words, self.waiting_count, self.scan.units)
        self.key_offsets[self.waiting_count] = start
        self.waiting_count += 1
        if self.waiting_count == BLOCK_SIZE:
            self.finish_keys(out)

    def finish_keys(self, out: Out) -> None:
        """Write the keys of the rows that wait for a full block into `out`, each at its own offset."""
        index: i32
        offset: Size
        if self.waiting_count == 0:
            return
        mix_block(self.words, self.lanes)
        for index in range(self.waiting_count):
            offset = self.key_offsets[index]
            put_lane(out, offset, self.lanes[LANES_PER_KEY * index])
            put_lane(out, offset + LANE_BYTES, self.lanes[LANES_PER_KEY * index + 1])
        self.waiting_count = 0

    def put_packed(self, out: Out, start: Size, width: Size) -> bool:
        """Write the packed form of the row into `out` at byte `start`, and return whether it fits.

        The form is padded with zeros to `width` bytes. Return False if it is longer, or if a clock exceeds 32
        bits.
        """
        size: Size
        if not self.load_state():
            return False
        size = write_packed(self.packed, self.scan.units, self.state)
        if size > width:
            return False
        copy(out, start, self.packed, 0, size)
        fill_bytes(out, start + size, width - size, 0)
        return True

    def load_packed(self, packed: Chars, start: Size, width: Size) -> bool:
        """Read the packed form of a position into this row, and return whether it is valid.

        The form begins at byte `start` of `packed` and is padded with zeros to `width` bytes. Forms with a
        deploy session are not valid here.
        """
        copied_size: Size = width if width < MAX_PACKED_BYTES else MAX_PACKED_BYTES
        size: Size
        copy(self.packed, 0, packed, start, copied_size)
        fill_bytes(self.packed, copied_size, MAX_PACKED_BYTES - copied_size, 0)
        clear(self.scan)
        size = read_packed(self.packed, self.scan.units, self.state)
        if size == 0:
            return False
        # Only zeros may follow the form.
        while size < width and packed[start + size] == 0:
            size += 1
        return size >= width

    def put_features(self, out: Numbers, start: Size, step: Size) -> bool:
        """Write the features of the row into `out`, and return whether its clocks fit 32 bits.

        The first feature goes to index `start`, and the features are `step` numbers apart. If a clock does
        not fit, nothing is written.
        """
        if not self.load_state():
            return False
        write_features(self.scan.units, self.state, out, step, start)
        return True

    def put_planes(self, out: Out, start: Size) -> None:
        """Write the planes of the row, PLANE_BYTES bytes, into `out` from byte `start` on.

        Clocks beyond 32 bits are clamped first. This changes nothing, because planes clamp them to 255.
        """
        self.load_state()
        write_planes(self.scan.units, self.state, out, start)


def clamp_clock(clock_value: i64) -> i32:
    """Return a clock, or MAX_CLOCK_32 if it is larger than that or negative."""
    return clock_value if 0 <= clock_value <= MAX_CLOCK_32 else MAX_CLOCK_32


def put_lane(key_bytes: Out, offset: Size, lane: u64) -> None:
    """Write half a key, a number of 64 bits, into a buffer, the highest byte first.

    The first byte goes to ``key_bytes[offset]``.
    """
    index: i32
    shift: i32
    for index in range(LANE_BYTES):
        shift = BYTE_BITS * (LANE_BYTES - 1 - index)
        key_bytes[offset + index] = lane >> shift & BYTE_MASK


def has_short_clocks(scan: Scan) -> bool:
    """Return whether both clocks of an accepted row have few enough digits to fit 64 bits.

    `scan` is the result of reading the row. It has the offsets of the clocks in the text.
    """
    half_digits: i32 = scan.tail[HALF_END] - scan.tail[HALF_START]
    full_digits: i32 = scan.tail[FULL_END] - scan.tail[FULL_START]
    return half_digits <= MAX_CLOCK_DIGITS and full_digits <= MAX_CLOCK_DIGITS


def write_board_text(row: CoTuLenhRow, scan: Scan) -> i32:
    """Write the canonical board of an accepted row into ``row.line`` and return its length.

    `scan` is the result of reading the row. The part before the first rank that is not canonical is copied
    from the text of the row.
    """
    size: i32 = 0
    rank: i32 = TOP_RANK
    canonical_end: i32
    if scan.tail[BOARD_END] < 0:
        return put_board(row.line, scan.units)
    if scan.tail[DIGIT_RUN_COUNT] == 0:
        # Only stacks can be not canonical, and the text before the first such stack is.
        canonical_end = scan.tail[STACK_START] if scan.tail[STACK_COUNT] else scan.tail[BOARD_END]
        return write_stacks(row, scan, canonical_end - scan.board_start)

    while rank > find_noncanonical_rank(scan):
        if row.text[scan.board_start + size] == SLASH:
            rank -= 1
        size += 1
    copy(row.line, 0, row.text, scan.board_start, size)
    return put_ranks(row.line, size, scan.units, rank)


def write_stacks(row: CoTuLenhRow, scan: Scan, size: i32) -> i32:
    """Write the board of a row in which only stacks are not canonical, and return its length.

    The stacks are rewritten: ``(FN)`` becomes ``(NF)``, and ``(N)`` becomes ``N``.

    Args:
        row: The row, whose buffer `line` receives the board.
        scan: The result of reading the row.
        size: The number of characters at the start of the board that are canonical and are copied.
    """
    position: i32 = scan.board_start + size
    unit: u32
    copy(row.line, 0, row.text, scan.board_start, size)
    while position < scan.tail[BOARD_END]:
        if row.text[position] == OPENING_PARENTHESIS:
            unit = odd_stack(row.text, position, 0, scan.tail)
            size = put_unit(row.line, size, unit & UNIT_MASK)
            position += unit >> UNIT_LENGTH_SHIFT
            continue
        row.line[size] = row.text[position]
        size += 1
        position += 1
    return size


def find_noncanonical_rank(scan: Scan) -> i32:
    """Return the index of the first rank in a text that is not canonical, 11 for rank 12.

    Such a rank has digits such as ``56`` for ``11``, or a stack such as ``(FN)`` for ``(NF)`` or ``(N)`` for
    ``N``. The text that `scan` has read must have such digits.
    """
    digit_rank: i32 = get_rank(scan.tail[DIGIT_RUN_SQUARE])
    stack_rank: i32 = get_rank(scan.tail[STACK_SQUARE]) if scan.tail[STACK_COUNT] else -1
    return digit_rank if digit_rank > stack_rank else stack_rank


class CoTuLenhColumn(ColumnVerbs):
    """The row kernels of CoTuLenh for all variants, which differ only in how they are played."""

    if not cython.compiled:
        __slots__ = ()

    codes = NOTED_CODES
    squares = SQUARES

    def make_row_kernel(self) -> RowKernel:
        """Return a new row kernel, with buffers that one call over a column reuses for all its rows."""
        row: CoTuLenhRow = CoTuLenhRow()
        row.scan = Scan()
        row.max_length = MAX_CANONICAL
        row.feature_count = FEATURE_COUNT
        row.plane_bytes = PLANE_BYTES
        return row


COLUMN: Final = CoTuLenhColumn()
