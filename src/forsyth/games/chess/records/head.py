# cython: boundscheck=False, wraparound=False
"""Reader of the tags of chess records, and of the start position that they give.

Accepts: tags as ``[Name "value"]``, each on its own line, quotes and backslashes escaped; a name that appears
twice, with a note. A callback interprets the tags `Variant`, `SetUp` and `FEN`.

Reading functions return the offset behind what they have read, or one of three negative results. INCOMPLETE
means that the bytes end too early and more will follow. UNSUPPORTED means that the record reader has to read
the record. FULL means that the columns have no room.

The module runs as it is and compiles with Cython (`head.pxd` gives the C types).
"""

from __future__ import annotations

from typing import Any, Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.position import Position
from forsyth.games.chess.records.rows import Rows
from forsyth.record_bytes.columns import Start

if not cython.compiled:
    from forsyth.games.chess.board import ONE, i32, u64
    from forsyth.games.chess.position import copy_fields
    from forsyth.games.chess.records.moves import BLACK_WON, DRAWN, UNKNOWN_RESULT, WHITE_WON
    from forsyth.games.chess.records.rows import RESULT_CONTRADICTED, TAG_REPEATED
    from forsyth.record_bytes.words import (
        BACKSLASH,
        CLOSE_BRACKET,
        DIGIT_0,
        INCOMPLETE,
        MINUS,
        OPEN_BRACKET,
        QUOTE,
        SPACE,
        UNSUPPORTED,
        find_byte,
        find_tag_name_end,
        find_tag_value_end,
        finish_line,
    )

    Chars = memoryview
    Size = int
    FULL: Final = -3
    """Result of a reading function: the columns have no room for the record."""
    OTHER_TAG: Final = 0
    FEN_TAG: Final = 1
    SETUP_TAG: Final = 2
    VARIANT_TAG: Final = 3
    RESULT_TAG: Final = 4
    MAX_NAME_HASH: Final = 63
    """The largest hash of a tag name. Each hash is a bit of a 64-bit number."""
    WIN_SIZE: Final = 3
    DRAW_SIZE: Final = 7
    """Lengths of the results ``1-0`` and ``1/2-1/2``."""
    NO_RESULT: Final = -1
    STAR: Final = 42
    DIGIT_1: Final = 49
    QUESTION_MARK: Final = 63
    TAG_KINDS: Final = 5
    """Kinds of tags. OTHER_TAG stands for the names that the kernel does not interpret."""

    def equal_chars(chars: memoryview, first: int, second: int, size: int) -> bool:
        """Return whether the `size` bytes at the offset `first` equal those at the offset `second`."""
        return chars[first : first + size] == chars[second : second + size]

    def equals_name(chars: memoryview, start: int, size: int, name: bytes, length: int) -> bool:
        """Return whether the `size` bytes at the offset `start` are `name`, which has `length` bytes."""
        return chars[start : start + size] == name


class HeadReader:
    """Reader of the tags of chess games, such as ``[White "Carlsen"]``, into the columns `rows`.

    Args:
        rows: The columns to fill.
        default_start: The start position of games without a tag `Variant`, `SetUp` or `FEN`.
        start_from_tags: Returns the start position for the values of these three tags.
    """

    def __init__(self, rows: Rows, default_start: Position, start_from_tags: Start) -> None:
        self.rows = rows
        self.default_start = default_start
        self.start_from_tags = start_from_tags
        self.data: Any = b""
        self.has_setup = 0
        """Whether a FEN tag gives the start position of the current game."""
        if not cython.compiled:
            self.special_rows = [0] * TAG_KINDS
            """For each kind of tag, its row in the table of tags, or −1 if the game has none."""

    def set_input(self, chars: Chars, limit: Size, final: bool) -> None:
        """Set the bytes to read.

        Only the first `limit` bytes are read. `final` is true if no more bytes follow.
        """
        self.chars, self.limit, self.final = chars, limit, final

    def read_tags(self, offset: Size) -> Size:
        """Read all tags of a game, and return the offset behind their lines.

        `offset` is the start of a line. Return INCOMPLETE if more bytes are needed, FULL if the columns have
        no room, and UNSUPPORTED if only the slower record reader can read one of the tags.
        """
        i: i32
        self.name_hashes = 0
        for i in range(TAG_KINDS):
            self.special_rows[i] = -1
        while offset >= 0 and offset < self.limit and self.chars[offset] == OPEN_BRACKET:
            offset = self.read_tag(offset)
        return offset

    def end_of_input(self) -> Size:
        """Return the result code for a tag that the available bytes do not complete.

        It is INCOMPLETE if the caller can supply more bytes. Otherwise the tag is cut off, and the code is
        UNSUPPORTED, so that the slower record reader reports the mistake.
        """
        return UNSUPPORTED if self.final else INCOMPLETE

    def read_tag(self, offset: Size) -> Size:
        """Read a line with one tag, such as ``[White "Carlsen"]``, and return the offset behind the line.

        `offset` is that of the opening bracket. Return INCOMPLETE if more bytes are needed, FULL if the
        columns have no room, and UNSUPPORTED if only the slower record reader can read the line.
        """
        chars: Chars = self.chars
        limit: Size = self.limit
        name_start: Size = offset + 1
        name_size: Size
        value_start: Size
        tag_kind: i32
        escaped: i32
        offset = find_tag_name_end(chars, name_start, limit)
        if offset < 0:
            return UNSUPPORTED if offset == UNSUPPORTED else self.end_of_input()
        name_size = offset - name_start
        # A blank, two quotes and a bracket must follow the name.
        if limit - offset < 4:
            return self.end_of_input()
        if chars[offset] != SPACE or chars[offset + 1] != QUOTE:
            return UNSUPPORTED
        is_new: bool = self.is_new_name(name_start, name_size)

        value_start = offset + 2
        offset = find_tag_value_end(chars, value_start, limit)
        if offset < 0:
            return UNSUPPORTED if offset == UNSUPPORTED else self.end_of_input()
        if not is_new:
            return self.finish_repeated_tag(name_start - 1, offset)
        escaped = find_byte(chars, value_start, offset, BACKSLASH) >= 0

        tag_kind = identify_tag(chars, name_start, name_size)
        if tag_kind != OTHER_TAG:
            self.special_rows[tag_kind] = self.rows.tags
            if escaped:
                return UNSUPPORTED
        if not self.rows.add_tag(name_start, name_size, value_start, offset - value_start, escaped):
            return FULL

        # The closing quote is at `offset`, and the bracket must follow it.
        if limit - offset < 2:
            return self.end_of_input()
        if chars[offset + 1] != CLOSE_BRACKET:
            return UNSUPPORTED
        return finish_line(chars, offset + 2, limit, self.final)

    def finish_repeated_tag(self, start: Size, quote: Size) -> Size:
        """Note that a tag whose name has appeared before is ignored, and return the offset behind its line.

        `start` is the offset of the opening bracket, and `quote` that of the closing quote. Return INCOMPLETE
        if more bytes are needed, FULL if the columns have no room, and UNSUPPORTED if only the slower record
        reader can read the line.
        """
        if self.limit - quote < 2:
            return self.end_of_input()
        if self.chars[quote + 1] != CLOSE_BRACKET:
            return UNSUPPORTED
        if not self.rows.add_note(TAG_REPEATED, start, quote + 2 - start):
            return FULL
        return finish_line(self.chars, quote + 2, self.limit, self.final)

    def is_new_name(self, start: Size, size: Size) -> bool:
        """Return whether the current game has no tag of this name so far, and remember the name.

        The name has `size` bytes from the offset `start`. A hash of 64 values is compared first, so that most
        new names need not be compared with the names before. The bit of each hash is set in `name_hashes`.
        """
        row: Size
        first_byte: i32 = self.chars[start]
        last_byte: i32 = self.chars[start + size - 1]
        name_hash: i32 = (size * 7 + first_byte * 5 + last_byte) & MAX_NAME_HASH
        hash_bit: u64 = ONE << name_hash
        if self.name_hashes & hash_bit:
            for row in range(self.rows.first_tag, self.rows.tags):
                if self.rows.tag_name_length[row] == size and equal_chars(
                    self.chars, self.rows.tag_name[row], start, size
                ):
                    return False
        self.name_hashes |= hash_bit
        return True

    def set_start(self, position: Position) -> bool:
        """Set `position`, in place, to the start position of the game whose tags were read.

        This is the default start unless the game has a tag `Variant`, `SetUp` or `FEN`. Return False if these
        tags have a problem that the slower record reader must report.
        """
        self.has_setup = 0
        if self.special_rows[FEN_TAG] >= 0:
            return self.set_start_from_tags(position)
        if self.special_rows[SETUP_TAG] >= 0 or self.special_rows[VARIANT_TAG] >= 0:
            return self.set_start_from_tags(position)
        copy_fields(position, self.default_start)
        return True

    def set_start_from_tags(self, position: Position) -> bool:
        """Set `position`, in place, to the start position that the tags `Variant`, `SetUp` and `FEN` give.

        Return False if they give none, or have a problem that the slower record reader must report.
        """
        start: Position | None
        try:
            variant = self.tag_value_text(VARIANT_TAG)
            setup = self.tag_value_text(SETUP_TAG)
            fen = self.tag_value_text(FEN_TAG)
            start = self.start_from_tags(variant, setup, fen)
        except Exception:  # The record reader will raise the same exception and report it.
            return False
        if start is None:
            return False
        copy_fields(position, start)
        self.has_setup = self.special_rows[FEN_TAG] >= 0
        return True

    def tag_value_text(self, tag_kind: i32) -> str | None:
        """Return the value of the game's tag `Variant`, `SetUp`, `FEN` or `Result`, or None if it has none.

        `tag_kind` is VARIANT_TAG, SETUP_TAG, FEN_TAG or RESULT_TAG.
        """
        row: Size = self.special_rows[tag_kind]
        if row < 0:
            return None
        start: Size = self.rows.tag_value[row]
        end: Size = start + self.rows.tag_value_length[row]
        return bytes(memoryview(self.data)[start:end]).decode()

    def read_result_tag(self) -> i32:
        """Return the result in the game's tag `Result`, as an index of `columns.RESULTS`.

        Return UNKNOWN_RESULT if there is no such tag or its value is not a result: ``?`` or nothing. Return
        NO_RESULT for every other value, because it may be another spelling of a result.
        """
        row: Size = self.special_rows[RESULT_TAG]
        start: Size
        size: Size
        result: i32
        if row < 0:
            return UNKNOWN_RESULT
        start, size = self.rows.tag_value[row], self.rows.tag_value_length[row]
        if size == 0 or (size == 1 and self.chars[start] == QUESTION_MARK):
            return UNKNOWN_RESULT
        result = parse_result(self.chars, start, start + size)
        return result if result != NO_RESULT and result_size(result) == size else NO_RESULT

    def check_result_tag(self, result: i32) -> Size:
        """Check that the game's tag `Result` is missing or contains `result`, and return 0.

        Otherwise add a note. Return FULL if the columns have no room, and UNSUPPORTED if the tag may contain
        another spelling of a result, which only the slower record reader can read.
        """
        row: Size = self.special_rows[RESULT_TAG]
        size: Size
        tag_result: i32
        if row < 0:
            return 0
        tag_result = self.read_result_tag()
        if tag_result == NO_RESULT:
            return UNSUPPORTED
        size = self.rows.tag_value_length[row]
        if tag_result == result and size == result_size(result):
            # The value ``?`` has the size of ``*``.
            if result != UNKNOWN_RESULT or self.chars[self.rows.tag_value[row]] != QUESTION_MARK:
                return 0
        return 0 if self.rows.add_note(RESULT_CONTRADICTED, self.rows.tag_value[row], size) else FULL


def parse_result(chars: Chars, start: Size, end: Size) -> i32:
    """Return the result of a game that is written at `start`, or NO_RESULT if there is none.

    ``*`` is UNKNOWN_RESULT, ``1-0`` WHITE_WON, ``0-1`` BLACK_WON and ``1/2-1/2`` DRAWN. `end` is the offset
    behind the last available byte.
    """
    if chars[start] == STAR:
        return UNKNOWN_RESULT
    if end - start < WIN_SIZE:
        return NO_RESULT
    if chars[start + 1] == MINUS:
        if chars[start] == DIGIT_1 and chars[start + 2] == DIGIT_0:
            return WHITE_WON
        return BLACK_WON if chars[start] == DIGIT_0 and chars[start + 2] == DIGIT_1 else NO_RESULT
    if end - start >= DRAW_SIZE and equals_name(chars, start, DRAW_SIZE, b"1/2-1/2", DRAW_SIZE):
        return DRAWN
    return NO_RESULT


def result_size(result: i32) -> Size:
    """Return the length of the text of a result: 1 for ``*``, 7 for ``1/2-1/2``, else 3, as for ``1-0``."""
    if result == UNKNOWN_RESULT:
        return 1
    return DRAW_SIZE if result == DRAWN else WIN_SIZE


def identify_tag(chars: Chars, start: Size, size: Size) -> i32:
    """Return FEN_TAG, SETUP_TAG, VARIANT_TAG or RESULT_TAG for a tag of this name, else OTHER_TAG.

    The name has `size` bytes from the offset `start`. The case of its letters counts.
    """
    if equals_name(chars, start, size, b"FEN", 3):
        return FEN_TAG
    if equals_name(chars, start, size, b"SetUp", 5):
        return SETUP_TAG
    if equals_name(chars, start, size, b"Variant", 7):
        return VARIANT_TAG
    return RESULT_TAG if equals_name(chars, start, size, b"Result", 6) else OTHER_TAG
