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
    from forsyth.games.cotulenh.board import i32, i64, u32
    from forsyth.games.cotulenh.notation.kernel import MAX_CANONICAL, clock, fill, fill_tail, odd_stack
    from forsyth.games.cotulenh.notation.notes import clear
    from forsyth.games.cotulenh.notation.scanner import scan_text
    from forsyth.games.cotulenh.notation.write import put_board, put_ranks, put_rest, put_text, put_unit
    from forsyth.games.cotulenh.numbers.features import FEATURE_COUNT, write_features
    from forsyth.games.cotulenh.numbers.key import BLOCK_SIZE, WORD_COUNT, mix_block, start_lanes, write_words
    from forsyth.games.cotulenh.numbers.packing import (
        FULL_CLOCK,
        HALF_CLOCK,
        MAX_CLOCK_32,
        MAX_PACKED_BYTES,
        SIDE_TO_MOVE,
        read_packed,
        write_packed,
    )
    from forsyth.games.cotulenh.numbers.planes import PLANE_BYTES, write_planes
    from forsyth.games.cotulenh.rules.legality import is_sound
    from forsyth.kit.numbers.column_verbs import KEY_BYTES, NO_TEXT, Chars, Numbers, Out, Size, copy
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


class CoTuLenhRow(RowKernel):
    """One row: its text, its board, its side to move and clocks as numbers, and buffers for the results."""

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
            self.state = [0] * 3
            self.line = bytearray(1400)
            self.packed = bytearray(MAX_PACKED_BYTES)
            self.words = [0] * (WORD_COUNT * BLOCK_SIZE)
            self.lanes = [0] * (2 * BLOCK_SIZE)
            self.key_offsets = [0] * BLOCK_SIZE
            self.waiting_count = 0

    def judge(self, mode: i32, legality: bool) -> i32:
        """Return the verdict on the text of the row.

        CANONICAL: no finding. NOTED: accepted with warnings. REFUSED: rejected. ASK: only the slower reader
        can decide. The first finding is written into `note` if the verdict is NOTED or REFUSED.

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
        """Copy the text of the row into `text` and read it as a canonical text. Return whether it is one.

        If so, its board is in ``scan.units``, and its side to move and the offsets of its clocks are in
        ``scan.tail``.
        """
        self.length = self.end - self.start
        copy(self.text, 0, self.chars, self.start, self.length)
        self.text[self.length] = 0
        # `fill` expects the board at the start. The row before may have had blanks in front of it.
        self.scan.board_start = 0
        clear(self.scan)
        return fill(self.text, self.length, self.scan.units, self.scan.tail) != 0

    def judge_text(self, mode: i32, legality: bool) -> i32:
        """Return the verdict on a loaded text that is not canonical, and put its findings into `scan`.

        The verdict is ASK if only the slower reader can decide, see `judge`.
        """
        verdict: i32 = scan_text(self.scan, self.text, self.length, mode, legality)
        # Clocks with more digits fit no column, so the reader has to handle them.
        return ASK if verdict == NOTED and not has_short_clocks(self.scan) else verdict

    def load_accepted(self) -> bool:
        """Load the text of a row that has been accepted, canonical or not.

        Return whether its board is in `scan` and its clocks fit 64 bits. If not, the slower reader must read
        it.
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
        """Write the side to move and both clocks of a loaded row into `state`.

        Return whether both clocks fit 32 bits. A clock that does not is clamped to MAX_CLOCK_32.
        """
        half: i64 = clock(self.text, self.scan.tail[HALF_START], self.scan.tail[HALF_END])
        full: i64 = clock(self.text, self.scan.tail[FULL_START], self.scan.tail[FULL_END])
        self.state[SIDE_TO_MOVE] = self.scan.tail[SIDE]
        self.state[HALF_CLOCK] = half if 0 <= half <= MAX_CLOCK_32 else MAX_CLOCK_32
        self.state[FULL_CLOCK] = full if 0 <= full <= MAX_CLOCK_32 else MAX_CLOCK_32
        return self.state[HALF_CLOCK] == half and self.state[FULL_CLOCK] == full

    def has_no_findings(self, mode: i32, legality: bool) -> bool:
        """Return whether there is no finding about the position of a canonical text.

        In lenient mode, or if `legality` is true, the board is tested. `legality` also tests the clocks, but
        not in strict mode, see `rules.check`. `False` means that a finding is possible.
        """
        if mode != LENIENT and not legality:
            return True
        if not is_sound(self.scan.units):
            return False
        if not legality or mode == STRICT:
            return True
        return (
            self.load_state()
            and self.state[HALF_CLOCK] <= 2 * (self.state[FULL_CLOCK] - 1) + self.state[SIDE_TO_MOVE]
        )

    def set_first_finding(self) -> None:
        """Write the first error of the row, or else its first warning, into `note`.

        The six numbers are the index of its code, 0 for an error or 1 for a warning, the start and end of its
        place, the number of its square, and the number of findings.
        """
        i: i32
        self.note[0] = self.scan.error[0] if self.scan.errors else self.scan.warning[0]
        self.note[1] = 0 if self.scan.errors else 1
        for i in range(1, 4):
            self.note[1 + i] = self.scan.error[i] if self.scan.errors else self.scan.warning[i]
        self.note[5] = self.scan.count

    def rewrite(self, out: Out, start: Size, room: Size) -> Size:
        """Write the canonical text of an accepted row into `out` from byte `start` on and return its length.

        Return NO_TEXT if the text does not fit into `room` bytes or the slower reader must read the row.
        """
        if not self.load_accepted():
            return NO_TEXT
        return self.copy_line(
            put_rest(
                self.line,
                write_board_text(self, self.scan),
                self.scan.tail[SIDE],
                clock(self.text, self.scan.tail[HALF_START], self.scan.tail[HALF_END]),
                clock(self.text, self.scan.tail[FULL_START], self.scan.tail[FULL_END]),
            ),
            out,
            start,
            room,
        )

    def put_text(self, out: Out, start: Size, room: Size) -> Size:
        """Write the canonical text of the board and state into `out` and return its length.

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
        """Copy the first `size` bytes of the buffer `line` to `out` from byte `start` on and return `size`.

        Return NO_TEXT if `size` exceeds `room`.
        """
        if size > room:
            return NO_TEXT
        copy(out, start, self.line, 0, size)
        return size

    def put_key(self, out: Out, start: Size) -> None:
        """Start the key of the row, which will be written into `out` at `start`.

        The keys of BLOCK_SIZE rows are finished together, which is faster. `finish_keys` writes the rest.
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
        i: i32
        offset: Size
        if self.waiting_count == 0:
            return
        mix_block(self.words, self.lanes)
        for index in range(self.waiting_count):
            offset = self.key_offsets[index]
            for i in range(KEY_BYTES // 2):
                out[offset + i] = self.lanes[2 * index] >> (56 - 8 * i) & 255
                out[offset + 8 + i] = self.lanes[2 * index + 1] >> (56 - 8 * i) & 255
        self.waiting_count = 0

    def put_packed(self, out: Out, start: Size, width: Size) -> bool:
        """Write the packed form of the row into `out` at `start`, padded with zeros to `width` bytes.

        Return False if the form is longer, or if a clock exceeds 32 bits.
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

    def take_packed(self, packed: Chars, start: Size, width: Size) -> bool:
        """Read a packed form of `width` bytes from `start` on into the board and state of this row.

        Zeros may follow the form. Return whether it is valid. Forms with a deploy session are not.
        """
        size: Size = width if width < MAX_PACKED_BYTES else MAX_PACKED_BYTES
        packed_size: Size
        copy(self.packed, 0, packed, start, size)
        fill_bytes(self.packed, size, MAX_PACKED_BYTES - size, 0)
        clear(self.scan)
        packed_size = read_packed(self.packed, self.scan.units, self.state)
        if packed_size == 0:
            return False
        while packed_size < width and packed[start + packed_size] == 0:
            packed_size += 1
        return packed_size >= width

    def put_features(self, out: Numbers, start: Size, step: Size) -> bool:
        """Write the features of the row into `out`, the first at index `start`, `step` numbers apart.

        Return False, and write nothing, if a clock exceeds 32 bits.
        """
        if not self.load_state():
            return False
        write_features(self.scan.units, self.state, out, step, start)
        return True

    def put_planes(self, out: Out, start: Size) -> None:
        """Write the planes of the row into `out` from byte `start` on.

        Clocks beyond 32 bits are clamped first. This changes nothing, because planes clamp them to 255.
        """
        self.load_state()
        write_planes(self.scan.units, self.state, out, start)


def has_short_clocks(scan: Scan) -> bool:
    """Return whether both clocks in the text of an accepted row have few enough digits to fit 64 bits."""
    return (
        scan.tail[HALF_END] - scan.tail[HALF_START] <= MAX_CLOCK_DIGITS
        and scan.tail[FULL_END] - scan.tail[FULL_START] <= MAX_CLOCK_DIGITS
    )


def write_board_text(row: CoTuLenhRow, scan: Scan) -> i32:
    """Write the canonical board of an accepted row into ``row.line`` and return its length.

    The part before the first rank that is not canonical is copied from the text of the row.
    """
    size: i32 = scan.tail[BOARD_END] - scan.board_start
    rank: i32 = 11
    if scan.tail[BOARD_END] < 0:
        return put_board(row.line, scan.units)
    if scan.tail[DIGIT_RUN_COUNT] == 0:
        return write_stacks(
            row, scan, scan.tail[STACK_START] - scan.board_start if scan.tail[STACK_COUNT] else size
        )
    size = 0
    while rank > find_noncanonical_rank(scan):
        rank -= 1 if row.text[scan.board_start + size] == SLASH else 0
        size += 1
    copy(row.line, 0, row.text, scan.board_start, size)
    return put_ranks(row.line, size, scan.units, rank)


def write_stacks(row: CoTuLenhRow, scan: Scan, size: i32) -> i32:
    """Write the canonical text of a board of which only stacks are not canonical, and return its length.

    A stack such as ``(FN)`` becomes ``(NF)``, and ``(N)`` becomes ``N``. The text goes to ``row.line``. The
    first `size` characters of the board are canonical and are copied.
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
    """Return the number of the first rank of a text, 11 for rank 12, that is not canonical.

    The rank has digits such as ``56`` for ``11``, or a stack such as ``(FN)`` for ``(NF)`` or ``(N)`` for
    ``N``.
    """
    digit_rank: i32 = scan.tail[DIGIT_RUN_SQUARE] // 11
    stack_rank: i32 = scan.tail[STACK_SQUARE] // 11 if scan.tail[STACK_COUNT] else -1
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
