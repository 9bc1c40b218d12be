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
    from forsyth.games.chess.numbers.features import MAX_FEATURES, NumberBuffer, count_features, put_features
    from forsyth.games.chess.numbers.key import SEED_HIGH, SEED_LOW, encode_key_state, hash_position
    from forsyth.games.chess.numbers.packing import FORM_BYTES, put_packed, read_packed, write_word
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
    """Bytes of one half of a key."""
    BUFFER_SIZE: Final = 520
    """Bytes of a `Plain`, the buffer for the longest text and what is copied behind it."""


class Scratch(Position):
    """A position that is overwritten for every row of a call, so that no object is created for a row.

    In compiled code it has padding at its end. Two threads would slow each other down if the positions that
    they write shared a cache line.
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

    def judge_row(self, mode: i32, legality: bool) -> i32:
        """Read the text of the row into `self.position`, and return a number that classifies the text.

        The number is CANONICAL, SPELLED (valid, but not canonical), NOTED (with warnings), REFUSED (with an
        error), or ASK if only the slower reader can read the text.

        Args:
            mode: The reading mode: DEFAULT, STRICT or LENIENT.
            legality: Whether an illegal position is an error.
        """
        buffer: Plain
        verdict: i32
        text_size: Size = self.end - self.start
        if not cython.compiled:
            buffer = bytearray(BUFFER_SIZE)
        # Compilers inline a copy of constant size. It may include bytes of the next texts, which the zero
        # behind the text cuts off.
        if text_size < SHORT_TEXT and self.start + SHORT_TEXT <= self.limit:
            copy(buffer, 0, self.chars, self.start, SHORT_TEXT)
        else:
            copy(buffer, 0, self.chars, self.start, text_size)
        buffer[text_size] = 0
        verdict = judge(self.position, self.note, buffer, text_size, self.rules, mode, legality)
        # `rewrite` ignores the mode and would copy the text unchanged, so the reader has to repair it.
        if verdict == NOTED and mode == LENIENT and self.note[MENDED]:
            return ASK
        return verdict

    def rewrite(self, output: Out, offset: Size, room: Size) -> Size:
        """Write the text of the row in canonical form to `output` from `offset` on, and return its length.

        Return NO_TEXT if the text cannot be read. `room`, the space at `offset`, is not used, because the
        caller always has space for the longest text.
        """
        verdict: i32 = self.judge_row(DEFAULT, False)
        board_size: Size = self.note[BOARD_TO] - self.note[BOARD_FROM]
        if not has_position(verdict):
            return NO_TEXT
        # The notes of a canonical text are about the position, and do not give the place of the board.
        if verdict == CANONICAL or self.note[BOARD_TO] == 0:
            return self.put_text(output, offset, room)
        # The board is canonical already, and copying it is faster than writing it.
        copy(output, offset, self.chars, self.start + self.note[BOARD_FROM], board_size)
        return put_rest(self.position, output, offset + board_size) - offset

    def put_text(self, output: Out, offset: Size, room: Size) -> Size:
        """Write the canonical text of the position to `output` from `offset` on, and return its length.

        `room`, the space at `offset`, is not used, because the caller always has space for the longest text.
        """
        return put_text(self.position, output, offset) - offset

    def put_key(self, output: Out, offset: Size) -> None:
        """Write the key of the position, 16 bytes, to `output` from `offset` on."""
        put_key(self.position, output, offset)

    def put_packed(self, output: Out, offset: Size, width: Size) -> bool:
        """Write the packed form of the position to `output` from `offset` on.

        The packed form is a short binary encoding of the position. Zeros fill the rest of the `width` bytes.
        Return False, and write nothing, if the packed form is longer.
        """
        return write_padded_form(self.position, output, offset, width)

    def load_packed(self, packed: Chars, start: Size, width: Size) -> bool:
        """Read a packed position from `packed` into `self.position`, and return whether it is valid.

        The packed form, a short binary encoding of a position, begins at the offset `start`. `width` is the
        number of its bytes and the zeros behind it.
        """
        return read_packed(self.position, packed, start, width)

    def put_features(self, output: Numbers, start: Size, step: Size) -> bool:
        """Write the features of the position, such as its number of pawns, to `output`.

        The first feature is written at index `start`, and each of the others `step` numbers later. Always
        return True, because the features of chess always fit.
        """
        features: NumberBuffer
        feature_index: Size
        if not cython.compiled:
            features = [0] * MAX_FEATURES
        put_features(self.position, self.rules, features)
        for feature_index in range(self.feature_count):
            output[feature_index * step + start] = features[feature_index]
        return True

    def put_planes(self, output: Out, offset: Size) -> None:
        """Write the planes of the position to `output` from `offset` on, 64 bytes for each.

        A plane has one byte for each square, such as 1 for the squares of White's pawns and 0 for the others.
        """
        put_planes(self.position, self.rules, output, offset)


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
        row.feature_count = count_features(row.rules)
        row.plane_bytes = PLANE_SIZE * count_planes(row.rules)
        return row

    def find_text_limit(self, size: Size, offsets: Offsets, first: Size, last: Size) -> Size:
        """Return the offset at which the last text of a call ends.

        Nothing behind this offset may be read. Raise `ValueError` if it is not within the column.

        Args:
            size: The number of characters of the column.
            offsets: The offset at which the text of each row begins.
            first: The first row of the call.
            last: The row behind the last one of the call.
        """
        end: Size = offsets[last]
        if last > first and not 0 <= end <= size:
            raise ValueError(
                f"the last text ends at byte {end}, but there are only {size} bytes; check the offsets"
            )
        return end


def put_key(position: Position, output: Out, offset: Size) -> None:
    """Write the key of a position to `output` from `offset` on: 16 bytes, the upper half first."""
    rights = find_effective_rights(position)
    state = encode_key_state(position)
    write_word(output, offset, hash_position(position, SEED_HIGH, state, rights))
    write_word(output, offset + KEY_HALF_BYTES, hash_position(position, SEED_LOW, state, rights))


def write_padded_form(position: Position, output: Out, offset: Size, width: Size) -> bool:
    """Write the packed form of a position to `output` from `offset` on.

    The packed form is a short binary encoding of the position. Zeros fill the rest of the `width` bytes.
    Return False, and write nothing, if the packed form is longer.
    """
    packed_form: Form
    form_size: Size
    if not cython.compiled:
        packed_form = bytearray(FORM_BYTES)
    form_size = put_packed(position, packed_form)
    if form_size > width:
        return False
    copy(output, offset, packed_form, 0, form_size)
    fill(output, offset + form_size, width - form_size, 0)
    return True
