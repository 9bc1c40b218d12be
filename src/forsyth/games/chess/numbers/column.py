# cython: boundscheck=False, wraparound=False
"""Fast columns of chess positions in every variant: `Kernels` implements `forsyth.column.Column`.

All rows of a call share one position, and no object is created for a row. `scanner.judge` fills the position
from the text of the row, and the results are written into the buffers of the caller. The loops over the rows
are in `kit.numbers.column_verbs`. The module runs as it is and compiles with Cython (`column.pxd` gives the C
types).

Accepts
    The texts that `scanner` decodes. EPD records and wrapped texts are left to the reader (ASK).
Writes
    The results of `legality`, `key`, `packing`, `features`, `planes` and `kernel` for one position.
Limits
    A text is copied before it is read, so that nothing behind the last text is read. A row with offsets
    beyond the end of the last text gets the verdict ASK. `unpack` leaves invalid packed forms to the reader.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.board import SQUARES
from forsyth.games.chess.notation.notes import NOTED_CODES
from forsyth.games.chess.position import Position
from forsyth.kit.numbers.column_verbs import ColumnVerbs, RowKernel

if not cython.compiled:
    from typing import Final

    from forsyth.column import ASK, CANONICAL, DEFAULT, LENIENT, NOTED
    from forsyth.games.chess.board import i32
    from forsyth.games.chess.notation.kernel import put_rest, put_text
    from forsyth.games.chess.notation.notes import BOARD_FROM, BOARD_TO, MENDED
    from forsyth.games.chess.notation.scanner import AUTO, judge
    from forsyth.games.chess.notation.words import LONGEST_TEXT
    from forsyth.games.chess.numbers.features import MAX_FEATURES, NumberBuffer, feature_count, put_features
    from forsyth.games.chess.numbers.key import SEED_HIGH, SEED_LOW, encode_key_state, hash_position
    from forsyth.games.chess.numbers.packing import put_packed, read_packed, write_word
    from forsyth.games.chess.numbers.planes import PLANE_SIZE, count_planes, put_planes
    from forsyth.games.chess.position import RACING_KINGS
    from forsyth.games.chess.position import new_draft as new_scratch
    from forsyth.games.chess.rules.legality import find_effective_rights
    from forsyth.kit.numbers.column_verbs import (
        NO_TEXT,
        Chars,
        Numbers,
        Offsets,
        Out,
        Size,
        copy,
        fill,
        has_position,
    )

    Form = bytearray
    Plain = bytearray
    SHORT_TEXT: Final = 96
    """Texts below this length are copied with a fixed size, which is faster."""
    MAX_WRITTEN_TEXT: Final = 320
    """The length of the longest text that `put_text` writes."""
    KEY_HALF_BYTES: Final = 8
    BUFFER_SIZE: Final = 520
    """Bytes of a `Plain`, the buffer for the longest text and what is copied behind it."""


class Scratch(Position):
    """A position that all rows of a call share.

    In compiled code it has padding at its end. It is written for every row, and two threads would slow each
    other down if their positions shared a cache line.
    """

    if not cython.compiled:
        __slots__ = ()


class ChessRow(RowKernel):
    """Reader and writer of one row at a time in a column of chess texts. All rows share one position.

    `position` is the position of the current row. `rules` is the index of the variant in VARIANTS, or AUTO if
    each text selects its variant.
    """

    if not cython.compiled:
        __slots__ = ("position", "rules")
        position: Position
        rules: int

    def judge(self, mode: i32, legality: bool) -> i32:
        """Read the text of the row into `self.position`, and return the verdict on the text.

        The verdict is a number: CANONICAL, SPELLED (valid, but not canonical), NOTED (with warnings), REFUSED
        (with an error), or ASK if only the slower reader can read the text.

        Args:
            mode: The reading mode: DEFAULT, STRICT or LENIENT.
            legality: Whether an illegal position is an error.
        """
        buffer: Plain
        verdict: i32
        size: Size = self.end - self.start
        if not cython.compiled:
            buffer = bytearray(BUFFER_SIZE)
        # Compilers inline a copy of constant size, which may include bytes of the next texts. The zero behind
        # the text cuts them off.
        if size < SHORT_TEXT and self.start + SHORT_TEXT <= self.limit:
            copy(buffer, 0, self.chars, self.start, SHORT_TEXT)
        else:
            copy(buffer, 0, self.chars, self.start, size)
        buffer[size] = 0
        verdict = judge(self.position, self.note, buffer, size, self.rules, mode, legality)
        # `rewrite` ignores the mode and would copy the text unchanged, so the reader has to repair it.
        if verdict == NOTED and mode == LENIENT and self.note[MENDED]:
            return ASK
        return verdict

    def rewrite(self, out: Out, start: Size, room: Size) -> Size:
        """Write the text of the row in canonical form to `out` from `start` on, and return its length.

        Return NO_TEXT if the text cannot be read. `room`, the space at `start`, is not used, because the
        caller always has space for the longest text.
        """
        verdict: i32 = self.judge(DEFAULT, False)
        board_size: Size = self.note[BOARD_TO] - self.note[BOARD_FROM]
        if not has_position(verdict):
            return NO_TEXT
        # The notes of a canonical text are about the position, and do not give the place of the board.
        if verdict == CANONICAL or self.note[BOARD_TO] == 0:
            return self.put_text(out, start, room)
        # The board is canonical already, and copying it is faster than writing it.
        copy(out, start, self.chars, self.start + self.note[BOARD_FROM], board_size)
        return put_rest(self.position, out, start + board_size) - start

    def put_text(self, out: Out, start: Size, room: Size) -> Size:
        """Write the position as canonical text to `out` from `start` on, and return the length of the text.

        `room`, the space at `start`, is not used, because the caller always has space for the longest text.
        """
        return put_text(self.position, out, start) - start

    def put_key(self, out: Out, start: Size) -> None:
        """Write the key of the position, 16 bytes, to `out` from `start` on."""
        put_key(self.position, out, start)

    def put_packed(self, out: Out, start: Size, width: Size) -> bool:
        """Write the packed form of the position to `out` from `start` on, and zeros up to `width` bytes.

        Return False if the packed form is longer than `width` bytes.
        """
        return write_padded_form(self.position, out, start, width)

    def take_packed(self, packed: Chars, start: Size, width: Size) -> bool:
        """Read a packed position from `packed` into `self.position`, and return whether it is valid.

        The packed form begins at the offset `start`. `width` is the number of its bytes and the zeros behind
        it.
        """
        return read_packed(self.position, packed, start, width)

    def put_features(self, out: Numbers, start: Size, step: Size) -> bool:
        """Write the features of the position to `out`, the first at `start` and each `step` numbers later.

        Always return True, because the features of chess always fit.
        """
        numbers: NumberBuffer
        index: Size
        if not cython.compiled:
            numbers = [0] * MAX_FEATURES
        put_features(self.position, self.rules, numbers)
        for index in range(self.feature_count):
            out[index * step + start] = numbers[index]
        return True

    def put_planes(self, out: Out, start: Size) -> None:
        """Write the planes of the position, 64 bytes for each, to `out` from `start` on."""
        put_planes(self.position, self.rules, out, start)


class Kernels(ColumnVerbs):
    """Functions for whole columns of chess positions in one variant.

    `rules` is the index of the variant in VARIANTS, or AUTO if each text selects its variant.
    """

    if not cython.compiled:
        __slots__ = ("rules",)

    codes = NOTED_CODES
    squares = SQUARES
    rows_message = "rows {first} to {last} were requested, but the column has {size} rows"
    entries_message = "a buffer holds {size} entries, but {last} rows need one entry each"
    room_message = "a buffer holds {size} entries, but {last} rows need {width} entries each"
    forms_message = (
        "cannot unpack rows {first} to {last} with room for {width} characters each, "
        f"expected rows from 0 on and at least {MAX_WRITTEN_TEXT} characters"
    )
    width_message = f"the room for a text is {{width}} characters, expected at least {MAX_WRITTEN_TEXT}"

    def __init__(self, rules: int) -> None:
        if not AUTO <= rules <= RACING_KINGS:
            raise ValueError(
                f"there are no rules {rules} of chess, expected a number from {AUTO} to {RACING_KINGS}"
            )
        self.rules = rules

    def make_row_kernel(self) -> RowKernel:
        """Return a new `ChessRow`, which one call uses for all rows of its column."""
        row: ChessRow = ChessRow()
        row.position = new_scratch()
        row.rules = self.rules
        row.max_length = LONGEST_TEXT
        row.min_room = MAX_WRITTEN_TEXT
        row.feature_count = feature_count(row.rules)
        row.plane_bytes = PLANE_SIZE * count_planes(row.rules)
        return row

    def find_text_limit(self, size: Size, offsets: Offsets, first: Size, last: Size) -> Size:
        """Return the offset up to which a call may read the texts of the rows from `first` to before `last`.

        `offsets` has the offset at which each text begins, and `size` is the number of characters of the
        column. Raise `ValueError` if the offset is not within these characters.
        """
        end: Size = offsets[last]
        if last > first and not 0 <= end <= size:
            raise ValueError(
                f"the last text ends at byte {end}, but there are only {size} bytes; check the offsets"
            )
        return end


def put_key(position: Position, out: Out, start: Size) -> None:
    """Write the key of a position to `out` from `start` on: 16 bytes, the upper half first."""
    rights = find_effective_rights(position)
    state = encode_key_state(position)
    write_word(out, start, hash_position(position, SEED_HIGH, state, rights))
    write_word(out, start + KEY_HALF_BYTES, hash_position(position, SEED_LOW, state, rights))


def write_padded_form(position: Position, out: Out, start: Size, width: Size) -> bool:
    """Write the packed form of a position to `out` from `start` on, and zeros up to `width` bytes.

    Return False, and write nothing, if the packed form is longer than `width` bytes.
    """
    form: Form
    size: Size
    if not cython.compiled:
        form = bytearray(80)
    size = put_packed(position, form)
    if size > width:
        return False
    copy(out, start, form, 0, size)
    fill(out, start + size, width - size, 0)
    return True
