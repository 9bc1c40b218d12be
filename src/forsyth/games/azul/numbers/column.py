"""Whole columns of Azul positions: the row kernel for the verbs of `forsyth.kit.numbers.column_verbs`.

The kernel reads every text without a format error that `scanner` can read, standard or extended, for two to
four players. With `legality`, `notes` and `reachability_notes` describe what is wrong with the position, and
`format_notes` describes errors of format. All other texts get the verdict ASK: texts with a wrong number of
components, texts that lenient mode repairs, and texts with more errors than a reading lists.

The kernel unpacks the packed forms of 53, 69 and 85 bytes, legal or not. Packed forms that contain text, and
those whose text would be longer than the limit, get the verdict ASK.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.azul.notation.notes import NOTED_CODES, SQUARES
from forsyth.kit.numbers.column_verbs import ColumnVerbs, RowKernel

if not cython.compiled:
    from forsyth.column import ASK, CANONICAL, LENIENT, NOTED, REFUSED, SPELLED, STRICT
    from forsyth.games.azul.notation.cells import (
        BAG,
        CELLS,
        DISCARD,
        FINDINGS,
        PLAYERS,
        STRANGE,
        STRANGE_BOARDS,
        Cells,
        Count,
    )
    from forsyth.games.azul.notation.cells_write import ROOM, write_cells
    from forsyth.games.azul.notation.format_notes import MOST_NOTED, note_format
    from forsyth.games.azul.notation.notes import NO_SQUARE, SPELLING, note_content, put_first
    from forsyth.games.azul.notation.reachability_notes import note_reachability
    from forsyth.games.azul.notation.scanner import LONGEST, UNREAD, read_cells
    from forsyth.games.azul.numbers.features import FEATURE_COUNT, put_features
    from forsyth.games.azul.numbers.packed import PACKED, get_packed_size, pack_cells, unpack_cells
    from forsyth.games.azul.numbers.planes import PLANE_BYTES, put_planes
    from forsyth.games.azul.rules.legality import is_reachable, is_sound
    from forsyth.games.azul.tiles import SIZE
    from forsyth.kit.numbers.blake2b import write_digest
    from forsyth.kit.numbers.column_verbs import NO_TEXT, Chars, Numbers, Out, Size, copy, fill, i32

    Line = bytes
    FINDING_COUNT: Final = 0
    FINDING_CODE: Final = 1
    FINDING_START: Final = 2
    FINDING_END: Final = 3
    FINDING_SQUARE: Final = 4
    FINDING_NUMBERS: Final = 5
    """Indexes in `AzulRow.finding`: the number of findings, then values of the first one; and its length."""
    NOTE_CODE: Final = 0
    NOTE_IS_WARNING: Final = 1
    NOTE_START: Final = 2
    NOTE_END: Final = 3
    NOTE_SQUARE: Final = 4
    NOTE_COUNT: Final = 5
    """Indexes in `RowKernel.note`, which describes the first finding (see `forsyth.column.NOTES`)."""
    MAX_PACKED_COUNT: Final = 255
    """The largest count that a packed form can hold."""

    def slice_line(chars: memoryview, start: int, end: int) -> bytes:
        """Return the characters from index `start` to index `end` of a buffer as bytes."""
        return bytes(chars[start:end])


class AzulRow(RowKernel):
    """Kernel of one row of Azul, for any number of players: the cells of the row and its first finding."""

    if not cython.compiled:
        __slots__ = ("cells", "finding", "text")

        def __init__(self) -> None:
            super().__init__()
            self.cells = [0] * CELLS
            self.finding = [0] * FINDING_NUMBERS
            self.text = bytearray(ROOM)

    def judge_row(self, mode: i32, legality: bool) -> i32:
        """Read the text from `start` to `end` of `chars` and return a verdict: what kind of text it is.

        CANONICAL: valid and canonical. SPELLED: valid, but not canonical. NOTED: a position with warnings.
        REFUSED: a text with an error. ASK: only the slower reader can read it. After NOTED and REFUSED, the
        first finding is in `note`. `mode` is DEFAULT, STRICT or LENIENT. If `legality` is False, the rules of
        the game are not checked.
        """
        line: Line = slice_line(self.chars, self.start, self.end)
        verdict: i32 = self.judge_text(line, self.end - self.start, mode, legality)
        if verdict == NOTED or verdict == REFUSED:
            self.note[NOTE_CODE] = self.finding[FINDING_CODE]
            self.note[NOTE_IS_WARNING] = 1 if verdict == NOTED else 0
            self.note[NOTE_START] = self.finding[FINDING_START]
            self.note[NOTE_END] = self.finding[FINDING_END]
            self.note[NOTE_SQUARE] = self.finding[FINDING_SQUARE]
            self.note[NOTE_COUNT] = self.finding[FINDING_COUNT]
        return verdict

    def judge_text(self, line: Line, size: Size, mode: i32, legality: bool) -> i32:
        """Read `line`, a text of `size` characters, and return a verdict such as CANONICAL or REFUSED.

        The verdicts are those of `judge`. The position is written to `cells`, unless the text cannot be read.
        After NOTED and REFUSED, the first finding (error or warning) is in `finding`.
        """
        clean_verdict: i32
        if read_cells(line, size, self.cells) == UNREAD:
            return REFUSED if note_format(line, size, mode == LENIENT, self.finding) else ASK
        clean_verdict = SPELLED if self.cells[FINDINGS] else CANONICAL
        if clean_verdict == SPELLED and mode == STRICT:
            self.note_spelling(line, size)
            return REFUSED
        return self.judge_content(line, size, mode, clean_verdict) if legality else clean_verdict

    def judge_content(self, line: Line, size: Size, mode: i32, clean_verdict: i32) -> i32:
        """Check the position in `cells` against the rules of the game and return a verdict.

        REFUSED: its content has an error, such as too many tiles. NOTED: no game reaches it, which is an
        error (REFUSED) in strict mode. ASK: it has more errors than this class lists. `clean_verdict`,
        CANONICAL or SPELLED, is returned if nothing is wrong. The first finding is written to `finding`.
        """
        if is_sound(self.cells):
            if is_reachable(self.cells):
                return clean_verdict
            note_reachability(self.cells, line, size, self.finding)
            return REFUSED if mode == STRICT else NOTED
        note_content(self.cells, line, size, self.finding)
        return REFUSED if self.finding[FINDING_COUNT] <= MOST_NOTED else ASK

    def note_spelling(self, line: Line, size: Size) -> None:
        """Write the error to `finding` that a text is valid but not canonical, for the strict mode.

        `line` is the text, and `size` its length. The error refers to the part that differs from the
        canonical text, without their common beginning and their common end.
        """
        canonical_size: Size = write_cells(self.cells, line, self.text, 0)
        max_common: Size = min(canonical_size, size)
        prefix: Size = 0
        suffix: Size = 0
        while prefix < max_common and line[prefix] == self.text[prefix]:
            prefix += 1
        while (
            suffix < max_common - prefix and line[size - 1 - suffix] == self.text[canonical_size - 1 - suffix]
        ):
            suffix += 1
        self.finding[FINDING_COUNT] = 0
        put_first(self.finding, SPELLING, prefix, size - suffix, NO_SQUARE)

    def put_text(self, out: Out, offset: Size, room: Size) -> Size:
        """Write the canonical text of the position to `out` from `offset` on, and return its length.

        Return NO_TEXT, and write nothing, if the text is longer than `room` bytes.
        """
        size: Size = write_cells(self.cells, slice_line(self.chars, self.start, self.end), self.text, 0)
        if size > room:
            return NO_TEXT
        copy(out, offset, self.text, 0, size)
        return size

    def put_key(self, out: Out, offset: Size) -> None:
        """Write the 16 bytes of the key, the hash of the canonical text, to `out` from `offset` on."""
        size: Size
        # A text with findings is not canonical itself.
        if self.cells[FINDINGS]:
            size = write_cells(self.cells, slice_line(self.chars, self.start, self.end), self.text, 0)
            write_digest(self.text, 0, size, out, offset)
        else:
            write_digest(self.chars, self.start, self.end, out, offset)

    def put_packed(self, out: Out, offset: Size, width: Size) -> bool:
        """Write the position as packed bytes to `out` from `offset` on, padded with zeros to `width` bytes.

        Return False if they do not fit, or if the packed bytes would have to contain the text.
        """
        end: Size
        padding_size: Size
        if get_packed_size(self.cells[PLAYERS]) > width or not _is_compact(self.cells):
            return False
        end = pack_cells(self.cells, out, offset)
        padding_size = offset + width - end
        fill(out, end, padding_size, 0)
        return True

    def load_packed(self, packed: Chars, offset: Size, width: Size) -> bool:
        """Read the packed position in `width` bytes of `packed`, from `offset` on, into `cells`.

        Zeros may follow the position. Return False if the bytes are not a packed position.
        """
        return unpack_cells(slice_line(packed, offset, offset + width), width, self.cells) == PACKED

    def put_features(self, out: Numbers, offset: Size, step: Size) -> bool:
        """Write the features of the position to `out`, with feature f at ``offset + f * step``.

        Return True, because every position has features.
        """
        put_features(self.cells, out, offset, step)
        return True

    def put_planes(self, out: Out, offset: Size) -> None:
        """Write the planes of the position, 55 grids of 25 bytes, to `out` from `offset` on."""
        put_planes(self.cells, out, offset)


def _is_compact(cells: Cells) -> bool:
    """Return True if the position fits the packed form of fixed length, with one byte for each count.

    Some boards that break the rules do not fit. Their positions are marked in the cell STRANGE.
    """
    colour: Count
    max_count: Count = 0
    for colour in range(SIZE):
        max_count = max(max_count, cells[BAG + colour], cells[DISCARD + colour])
    return max_count <= MAX_PACKED_COUNT and not cells[STRANGE] & STRANGE_BOARDS


class AzulColumn(ColumnVerbs):
    """The column kernels of Azul, for any number of players."""

    if not cython.compiled:
        __slots__ = ()

    codes = NOTED_CODES
    squares = SQUARES
    rows_message = "rows {first} to {last} are not among the {size} rows of the buffers"
    entries_message = forms_message = rows_message
    room_message = "a buffer holds {size} items, but {last} rows need {width} each"

    def make_row_kernel(self) -> RowKernel:
        """Return a new reader and writer of single rows, with space for one position."""
        row: AzulRow = AzulRow()
        row.max_length = LONGEST
        row.feature_count = FEATURE_COUNT
        row.plane_bytes = PLANE_BYTES
        return row


COLUMN: Final = AzulColumn()
