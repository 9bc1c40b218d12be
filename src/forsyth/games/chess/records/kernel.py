# cython: boundscheck=False, wraparound=False
"""Kernel that reads chess records from bytes into columns, without Python objects and without the GIL.

The kernel reads the records that have no findings, notes the findings of many others, and leaves the rest to
the record reader. A property test checks that both give the same result. `record_bytes.columns` describes the
interface, and `rows` the columns. The module runs as it is and compiles with Cython (`kernel.pxd` gives the C
types).

Accepts
    Tags, each on its own line; moves as `san` writes them, with correct move numbers or none; comments of
    both kinds; glyphs and ``!`` ``?``; variations; a result that the tag and the rules agree with; all
    variants, with the start position that the record reader finds; CRLF, a byte order mark.
Accepts with a note
    A missing result; a result that the tag or the rules contradict; a repeated tag; other spellings of a
    move, with piece symbols and dashes; null moves; wrong move numbers; symbols such as ``+-`` for glyphs; a
    word that is not a legal move, after which the rest of its line is skipped.
Leaves to the record reader
    Everything else: escapes, several tags on a line, other mistakes.
Limits
    Those of the record reader (`forsyth.limits`). A record that does not fit into the columns of one call is
    left to the record reader.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.position import Position
from forsyth.games.chess.records.head import HeadReader
from forsyth.games.chess.records.rows import WANT_BITS, Rows
from forsyth.games.chess.records.tables import tag_table, tag_texts, uci_texts
from forsyth.games.chess.records.tree import TreeReader
from forsyth.limits import MAX_RECORD
from forsyth.record_bytes.columns import (
    ALWAYS,
    DEFAULT_GAMES,
    DEFAULT_PLIES,
    OPTIONAL_COLUMNS,
    Contents,
    Start,
    Texts,
)
from forsyth.record_bytes.texts import gather_texts, pack_validity, place_behind, widen_lengths

if not cython.compiled:
    from forsyth.games.chess.board import i32
    from forsyth.games.chess.records.contents import build_contents
    from forsyth.games.chess.records.head import FULL, NO_RESULT, parse_result, result_size
    from forsyth.games.chess.records.moves import (
        UNKNOWN_RESULT,
        result_of_position,
    )
    from forsyth.games.chess.records.rows import (
        ACCEPTED,
        LEFT_TO_READER,
        NO_CLOCK,
        NO_EVAL,
        RESULT_CONTRADICTED,
        RESULT_MISSING,
    )
    from forsyth.games.chess.records.tree import MOVE_ENDS
    from forsyth.record_bytes.words import (
        CARRIAGE_RETURN,
        INCOMPLETE,
        NEWLINE,
        OPEN_BRACE,
        QUOTE,
        SEMICOLON,
        SPACE,
        UNSUPPORTED,
        Bytes,
        find_stretch_end,
        find_tag_name_end,
        finish_line,
        get_chars,
        skip_blanks,
        skip_byte_order_mark,
        skip_ignored_lines,
    )

    Chars = memoryview
    Size = int
    MAX_CHARACTERS: Final = MAX_RECORD
    UNEXPECTED: Final = 0
    BLANK: Final = 1
    LINE_END: Final = 2
    DIGIT: Final = 3
    LETTER: Final = 4
    STAR_RESULT: Final = 5
    BRACE_COMMENT: Final = 6
    LINE_COMMENT: Final = 7
    VARIATION_START: Final = 8
    VARIATION_END: Final = 9
    GLYPH: Final = 10
    SUFFIX: Final = 11
    DOT: Final = 12
    SYMBOL: Final = 13
    BRACKET: Final = 14
    """Kinds of words, by their first byte."""
    MAX_ROWS: Final = 1 << 26
    """The largest number of games, and of moves, that a kernel can be created for."""
    WORD_KINDS = [0] * 256
    """The kind of the word that begins with a byte."""


def _fill_word_kinds() -> None:
    """Set ``WORD_KINDS[byte]`` to the kind of word that begins with a byte: BRACE_COMMENT for ``{``.

    Bytes that begin no word stay UNEXPECTED.
    """
    for kind, letters in (
        (BLANK, b" \t"),
        (LINE_END, b"\n\r"),
        (DIGIT, b"0123456789"),
        (LETTER, b"abcdefghKQRBNOPZ@"),
        (STAR_RESULT, b"*"),
        (BRACE_COMMENT, b"{"),
        (LINE_COMMENT, b";"),
        (VARIATION_START, b"("),
        (VARIATION_END, b")"),
        (GLYPH, b"$"),
        (SUFFIX, b"!?"),
        (DOT, b"."),
        (SYMBOL, b"+-=\xc2\xe2"),
        (BRACKET, b"["),
    ):
        for letter in letters:
            WORD_KINDS[letter] = kind


_fill_word_kinds()


class RecordKernel:
    """Reader of chess records into columns; see `forsyth.record_bytes.columns.RecordKernel`."""

    def __init__(
        self,
        default_start: Position,
        start_from_tags: Start,
        column_names: Iterable[str],
        row_sizes: tuple[int, int],
        games: int = DEFAULT_GAMES,
        plies: int = DEFAULT_PLIES,
    ) -> None:
        """Create a kernel with columns of fixed size.

        Args:
            default_start: The start position of games without a tag `Variant`, `SetUp` or `FEN`.
            start_from_tags: Returns the start position for the values of these three tags.
            column_names: The names of the columns to fill.
            row_sizes: The bytes of a packed position and of its planes.
            games: The largest number of games in one call of `read`.
            plies: The largest number of moves in one call of `read`.

        Raises:
            ValueError: If there is no such column, or a number of games or moves is out of range.
        """
        requested_columns = 0
        for name in column_names:
            if name not in OPTIONAL_COLUMNS and name not in ALWAYS:
                known_names = ", ".join(sorted((*OPTIONAL_COLUMNS, *ALWAYS)))
                raise ValueError(f"records have no column {name!r}, expected one of: {known_names}")
            requested_columns |= WANT_BITS.get(name, 0)
        for row_count in (games, plies):
            if not 0 < row_count <= MAX_ROWS:
                raise ValueError(
                    f"the kernel cannot have room for {row_count} rows, expected 1 to {MAX_ROWS}"
                )
        self.rows = Rows(requested_columns, games, plies, *row_sizes)
        self.head = HeadReader(self.rows, default_start, start_from_tags)
        self.tree = TreeReader(self.rows)
        self.data: Any = memoryview(b"")
        self.busy = False

    def read(self, data: Any, at: int = 0, final: bool = True) -> int:
        """Read records from offset `at` on, until the columns are full or the data ends.

        The rows of the call before are removed first.

        Args:
            data: The bytes to read.
            at: The offset at which to begin.
            final: True if no more bytes follow. Otherwise a last record that may be incomplete is not read.

        Returns:
            The offset at which the next call must begin.
        """
        view: Bytes = memoryview(data)
        offset: Size
        if not 0 <= at <= len(view) < 1 << 31:
            raise ValueError(
                f"offset {at} of {len(view)} bytes is invalid, expected one inside less than 2 GiB"
            )
        rows: Rows = self.require_rows()
        if self.busy:
            raise RuntimeError("this kernel is in use by another thread; create one kernel per thread")
        self.busy = True
        try:
            rows.reset()
            self.data = self.head.data = memoryview(data)
            self.chars = get_chars(view)
            self.limit = len(view)
            self.final = final
            self.head.set_input(self.chars, self.limit, final)
            self.tree.set_input(self.chars, self.limit, final)
            offset = at
            with cython.nogil:
                offset = self.read_games(offset)
        finally:
            self.busy = False
        return offset

    def require_rows(self) -> Rows:
        """Return the columns that the records were read into.

        Raise `RuntimeError` if the kernel was created without calling its constructor.
        """
        if self.rows is None:
            raise RuntimeError("this kernel was never initialised; create it by calling RecordKernel(...)")
        return self.rows

    # --- columns ------------------------------------------------------------------------------------

    @property
    def games(self) -> int:
        """Number of rows in the table of games: games that were read, and games left to the record reader."""
        return self.require_rows().games

    @property
    def fallback_count(self) -> int:
        """Number of games that were not read here, because only the slower record reader can read them."""
        return self.require_rows().fallback_count

    @property
    def plies(self) -> int:
        """Number of moves in the main lines of all games that were read."""
        return self.require_rows().plies

    @property
    def positions(self) -> int:
        """Number of positions in the main lines of all games, start positions included."""
        return self.require_rows().positions

    @property
    def note_count(self) -> int:
        """Number of notes about all games that were read."""
        return self.require_rows().notes

    @property
    def error_count(self) -> int:
        """Number of games that were read up to a word that is not a legal move, in some line."""
        return self.require_rows().errors

    def contents(self, row: int) -> Contents:
        """Return the tags, moves, comments and result of game number `row` as Python objects.

        Raise `ValueError` if there is no such game, or it was left to the slower record reader.
        """
        return build_contents(self.require_rows(), self.chars, row)

    def column(self, name: str) -> memoryview:
        """Return the filled rows of a column, such as ``move``, as a view without copying.

        Raise `KeyError` if there is no such column, or if it is optional and was not requested.
        """
        return self.require_rows().column(name)

    def validity(self, name: str) -> tuple[bytes, int]:
        """Return which rows of a column of clocks or evaluations have a value.

        The result is an Arrow validity bitmap and the number of rows without a value.
        """
        missing_value = NO_EVAL if name == "eval" else NO_CLOCK
        return pack_validity(self.column(name), missing_value)

    def tag_texts(self, name: str) -> tuple[memoryview, memoryview, bytes, int]:
        """Return the values of one tag, such as ``White``, with one value per game.

        The result is an Arrow string column: offsets, characters, validity bitmap and null count.
        """
        return tag_texts(self.require_rows(), self.data, name)

    def tag_table(self, skip: tuple[str, ...] = ()) -> tuple[memoryview, Texts, Texts]:
        """Return the tags of all games, except the tags named in `skip`, with one row per tag.

        The result is the row at which the tags of each game begin, then the names, then the values.
        """
        return tag_table(self.require_rows(), self.data, skip)

    def san_texts(self) -> Texts:
        """Return the moves of the main lines as they are written, such as ``Nf3``: offsets and characters."""
        lengths = widen_lengths(self.column("san_length"))
        # Kind 0 means that the text is copied as it is.
        kinds = bytes(len(lengths))
        respelled = self.column("respelled")
        if not respelled:
            return gather_texts(self.data, self.column("san"), lengths, kinds)
        starts = place_behind(self.column("san"), len(self.data))
        return gather_texts(memoryview(b"".join((self.data, respelled))), starts, lengths, kinds)

    def uci_texts(self) -> Texts:
        """Return the moves of the main lines in UCI notation, such as ``g1f3``: offsets and characters."""
        return uci_texts(self.column("move"))

    def comment_texts(self) -> Texts:
        """Return the texts of all comments, each joined into one line: offsets and characters."""
        # `gather_texts` copies a text of kind 0 as it is, and joins the lines of one of kind 2.
        kinds = bytes(2 if has_line_breaks else 0 for has_line_breaks in self.column("comment_folded"))
        return gather_texts(self.data, self.column("comment"), self.column("comment_length"), kinds)

    # --- games --------------------------------------------------------------------------------------

    def read_games(self, offset: Size) -> Size:
        """Read games from `offset` on, and return the offset at which the next call must begin.

        Stop if the columns are full or the last game is incomplete. Each game that only the slower record
        reader can read gets a row with verdict 0, and reading goes on behind it.
        """
        end: Size
        while self.rows.games < self.rows.max_games:
            offset = skip_ignored_lines(self.chars, offset, self.limit, self.final)
            if offset == self.limit:
                return offset
            # The offset behind the game, or a negative result code.
            end = self.read_game(offset)
            if end >= 0:
                self.rows.end_game(offset, end, ACCEPTED)
                offset = end
                continue

            self.rows.drop_game()
            if end == FULL and self.rows.games > 0:
                return offset
            # Wait for more bytes only while the record can still be short enough.
            if end == INCOMPLETE and self.limit - offset <= MAX_CHARACTERS:
                return offset
            end = find_stretch_end(self.chars, offset, self.limit, self.final)
            if end < 0:
                return offset
            self.rows.end_game(offset, end, LEFT_TO_READER)
            offset = end
        return offset

    def read_game(self, offset: Size) -> Size:
        """Read one game into the columns, and return the offset behind it.

        Return INCOMPLETE if more bytes are needed, FULL if the columns have no room, and UNSUPPORTED if only
        the slower record reader can read the game. In these cases the caller removes the rows of the game.
        """
        start: Size = offset
        offset = self.head.read_tags(skip_byte_order_mark(self.chars, offset, self.limit))
        if offset < 0:
            return offset
        if not self.head.set_start(self.tree.position):
            return UNSUPPORTED
        if not self.tree.begin_game():
            return FULL
        offset = self.read_moves(offset)
        return UNSUPPORTED if offset - start > MAX_CHARACTERS else offset

    def read_moves(self, offset: Size) -> Size:
        """Read the moves of a game up to its result, and return the offset behind the result.

        The first byte of each word selects the function that reads it. Return INCOMPLETE if more bytes are
        needed, FULL if the columns have no room, and UNSUPPORTED if only the slower record reader can read
        the game.
        """
        chars: Chars = self.chars
        kind: i32
        result: i32
        while offset >= 0:
            if offset >= self.limit:
                return self.finish_without_result(offset) if self.final else INCOMPLETE
            kind = WORD_KINDS[chars[offset]]
            if kind == BLANK:
                offset += 1
            elif kind == LETTER:
                offset = self.tree.read_move(offset)
            elif kind == BRACE_COMMENT:
                offset = self.tree.read_brace_comment(offset)
            elif kind == DIGIT or kind == STAR_RESULT:
                result = parse_result(chars, offset, self.limit)
                if result != NO_RESULT:
                    return self.read_result(offset, result)
                offset = self.tree.read_number(offset)
            elif kind == BRACKET:
                return self.read_next_tag(offset)
            else:
                offset = self.read_rare_word(offset)
        return offset

    def read_rare_word(self, offset: Size) -> Size:
        """Read a line end, dot, glyph, mark, parenthesis or line comment, and return the offset behind it.

        These are rarer than moves, numbers and comments in braces, which `read_moves` reads itself. Return
        INCOMPLETE if more bytes are needed, FULL if the columns have no room, and UNSUPPORTED if only the
        slower record reader can read the game.
        """
        kind: i32 = WORD_KINDS[self.chars[offset]]
        if kind == LINE_END:
            return finish_line(self.chars, offset, self.limit, self.final)
        if kind == DOT:
            return offset + 1
        if kind == GLYPH:
            return self.tree.read_glyph(offset + 1)
        if kind == SUFFIX:
            return self.tree.read_suffix(offset)
        if kind == VARIATION_START:
            return self.tree.open_variation(offset + 1)
        if kind == SYMBOL:
            return self.tree.read_symbol(offset)
        if kind == VARIATION_END:
            return self.tree.close_variation(offset + 1)
        return self.tree.read_line_comment(offset) if kind == LINE_COMMENT else UNSUPPORTED

    # --- the end of a game --------------------------------------------------------------------------

    def read_result(self, offset: Size, result: i32) -> Size:
        """Read the result of a game and the comments behind it, and return the offset behind the line.

        Return INCOMPLETE if more bytes are needed, FULL if the columns have no room, and UNSUPPORTED if only
        the slower record reader can read the game.

        Args:
            offset: The offset of the result, such as ``1-0``.
            result: The result that `parse_result` has found there.
        """
        chars: Chars = self.chars
        start: Size = offset
        tag_verdict: Size
        if self.tree.level:
            return UNSUPPORTED
        offset += result_size(result)
        if offset == self.limit and not self.final:
            return INCOMPLETE
        if offset < self.limit and not MOVE_ENDS[chars[offset]]:
            return UNSUPPORTED
        while True:
            offset = skip_blanks(chars, offset, self.limit)
            if offset == self.limit or (chars[offset] != OPEN_BRACE and chars[offset] != SEMICOLON):
                break
            offset = (
                self.tree.read_brace_comment(offset)
                if chars[offset] == OPEN_BRACE
                else self.tree.read_line_comment(offset)
            )
            if offset < 0:
                return offset
        offset = finish_line(chars, offset, self.limit, self.final)
        if offset < 0:
            return offset
        if not self.tree.finish_game():
            return UNSUPPORTED
        tag_verdict = self.head.check_result_tag(result)
        if tag_verdict < 0:
            return tag_verdict
        if not self.is_result_possible(result):
            if not self.rows.add_note(RESULT_CONTRADICTED, start, result_size(result)):
                return FULL
        self.rows.set_ending(self.tree.position, result, self.head.has_setup)
        return offset

    def read_next_tag(self, offset: Size) -> Size:
        """Finish a game without a result if the next record begins at the bracket at `offset`.

        Return `offset`. Return INCOMPLETE if more bytes are needed, FULL if the columns have no room, and
        UNSUPPORTED if only the slower record reader can read the game.
        """
        name_end: Size
        if self.chars[offset - 1] != NEWLINE and self.chars[offset - 1] != CARRIAGE_RETURN:
            return UNSUPPORTED
        name_end = find_tag_name_end(self.chars, offset + 1, self.limit)
        if name_end == UNSUPPORTED:
            return UNSUPPORTED
        if name_end >= 0:
            name_end = skip_blanks(self.chars, name_end, self.limit)
        if name_end < 0 or name_end == self.limit:
            return self.tree.end_of_input()
        return self.finish_without_result(offset) if self.chars[name_end] == QUOTE else UNSUPPORTED

    def finish_without_result(self, offset: Size) -> Size:
        """Finish a game that ends at `offset` without a result. The tag `Result` then gives the result.

        Return `offset`, FULL if the columns have no room, and UNSUPPORTED if only the slower record reader
        can read the game: if it has no moves, or a variation is open.
        """
        moves_end: Size = offset
        result: i32
        if self.tree.level or not self.tree.has_moves() or not self.tree.finish_game():
            return UNSUPPORTED
        result = self.head.read_result_tag()
        if result == NO_RESULT:
            return UNSUPPORTED
        while self.chars[moves_end - 1] <= SPACE:
            moves_end -= 1
        if not self.rows.add_note(RESULT_MISSING, moves_end, 0):
            return FULL
        if not self.is_result_possible(result):
            if not self.rows.add_note(RESULT_CONTRADICTED, moves_end, 0):
                return FULL
        self.rows.set_ending(self.tree.position, result, self.head.has_setup)
        return offset

    def is_result_possible(self, result: i32) -> bool:
        """Return whether the final position does not contradict the result of a game.

        `result` is an index of `columns.RESULTS`. A position in which the game goes on contradicts no result,
        because players may resign. Nothing contradicts a game that could not be read to its end.
        """
        result_by_rules: i32
        if result == UNKNOWN_RESULT or self.tree.is_broken[0]:
            return True
        result_by_rules = result_of_position(self.tree.position, self.tree.count_repetitions())
        return result_by_rules == UNKNOWN_RESULT or result_by_rules == result
