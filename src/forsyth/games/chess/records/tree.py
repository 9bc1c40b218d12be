# cython: boundscheck=False, wraparound=False
"""Reader of the moves of chess records: main lines, nested variations, comments and glyphs.

Accepts: moves as `san` writes them, with correct move numbers or none; comments of both kinds, with their
commands; glyphs as numbers and as ``!`` ``?``; variations. Limits: those of the record reader
(`forsyth.limits`).

Accepts with a note: other spellings of moves; null moves; wrong move numbers; symbols of glyphs; words that
are not legal moves. After such a word the rest of its line is skipped: it is *broken*.

A node is a number that stands for a move: its index in the main line, or −1 − its index among the moves of
all variations. Reading functions return the offset behind what they have read, or INCOMPLETE, UNSUPPORTED or
FULL (see `head`). The module runs as it is and compiles with Cython (`tree.pxd` gives the C types).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.numbers.column import Scratch
from forsyth.games.chess.records.rows import Rows
from forsyth.limits import MAX_MOVES, MAX_VARIATION_DEPTH

if not cython.compiled:
    from forsyth.games.chess.board import ALL, i32, u64
    from forsyth.games.chess.notation.san import Written
    from forsyth.games.chess.numbers.key import SEED_HIGH, SEED_LOW, encode_key_state, hash_position
    from forsyth.games.chess.position import CRAZYHOUSE, new_draft
    from forsyth.games.chess.records.head import FULL, NO_RESULT, equals_name, parse_result
    from forsyth.games.chess.records.moves import (
        NULL_MOVE,
        Snapshots,
        can_pass_turn,
        changed_squares,
        is_ascii_letter,
        is_named_pawn_drop,
        is_null_move,
        play_recorded_move,
        play_respelled_move,
        play_written_move,
        restore_position,
        save_position,
        spell_in_ascii,
    )
    from forsyth.games.chess.records.rows import (
        GLYPH_AS_SYMBOL,
        MAX_ERRORS,
        MOVE_RESPELLED,
        NO_CLOCK,
        NO_EVAL,
        NUMBER_WRONG,
        TURN_PASSED,
        WAITING,
        WANT_CLOCKS,
        WANT_COMMANDS,
        WANT_EMTS,
        WANT_EVALS,
        WANT_SHAPES,
    )
    from forsyth.games.chess.rules.legality import find_effective_rights
    from forsyth.record_bytes.comment_commands import (
        ARROWS,
        CLOCK,
        ELAPSED,
        EVALUATION,
        NO_COMMAND,
        NO_NUMBER,
        find_value_end,
        find_value_start,
        identify_command,
        parse_number,
    )
    from forsyth.record_bytes.words import (
        CARRIAGE_RETURN,
        CLOSE_BRACE,
        DIGIT_0,
        DIGIT_9,
        FIRST_NON_ASCII,
        FULL_STOP,
        HASH,
        INCOMPLETE,
        MINUS,
        NEWLINE,
        OPEN_BRACE,
        OPEN_BRACKET,
        PLUS,
        SEMICOLON,
        SPACE,
        TAB,
        UNSUPPORTED,
        classify_comment,
        find_byte,
        finish_line,
    )

    Chars = memoryview
    Size = int
    NO_NODE: Final = -(2**31)
    """The node of a line that has no move yet."""
    LEVELS: Final = 66
    """Room for nested lines, the main line included."""
    MAX_DEPTH: Final = MAX_VARIATION_DEPTH
    MAX_PLIES: Final = MAX_MOVES
    MAX_NUMBER_DIGITS: Final = 4
    MAX_RESULT_SIZE: Final = 8
    """The length of the longest result in bytes, and one more."""
    PLIES_TO_FIVEFOLD: Final = 16
    """The smallest number of half-moves after which a position can occur for the fifth time."""
    BEFORE_MOVE: Final = 0
    AFTER_MOVE: Final = 1
    """Values of `comment_after`: where a comment stands."""
    MAX_GLYPH_DIGITS: Final = 3
    MAX_GLYPH: Final = 255
    GOOD_MOVE: Final = 1
    MISTAKE: Final = 2
    BRILLIANT_MOVE: Final = 3
    BLUNDER: Final = 4
    INTERESTING_MOVE: Final = 5
    DUBIOUS_MOVE: Final = 6
    """Numbers of the annotation glyphs (NAGs) that have marks."""
    EXCLAMATION: Final = 33
    DOLLAR: Final = 36
    OPEN_PARENTHESIS: Final = 40
    CLOSE_PARENTHESIS: Final = 41
    ZERO: Final = 48
    EQUALS: Final = 61
    QUESTION: Final = 63
    AT_SIGN: Final = 64
    LAST_ASCII: Final = 126
    LONGEST_SYMBOL: Final = 3
    """The length of the longest symbol of a glyph, such as ``+/-``, in bytes."""
    MAX_LONG_NUMBER_DIGITS: Final = 9
    """The most digits of a move number in a line that is skipped."""
    MOVE_ENDS = [0] * 256
    """For each byte, 1 if it ends the text of a move."""


def _fill_move_ends() -> None:
    """Set ``MOVE_ENDS[byte]`` to 1 for each byte that ends the text of a move.

    These are blanks, line ends, brackets, and the marks ``;``, ``$``, ``!`` and ``?``. All others stay 0.
    """
    for letter in b" \t\n\r{}();$!?":
        MOVE_ENDS[letter] = 1


_fill_move_ends()


class TreeReader:
    """Reader of the moves of chess games into the columns `rows`. Each move is played on `position`.

    `position` must be set to the start position before each game. It is changed in place.
    """

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.position = _new_scratch()
        if not cython.compiled:
            self.before_last_move: Snapshots = [()] * LEVELS
            """For each level, the position before its last move, where variations of that move begin."""
            self.after_last_move: Snapshots = [()] * LEVELS
            """For each level, the position after its last move, saved while a variation is read."""
            self.start_position: Snapshots = [()]
            """The position at the start of the game."""
            self.last_nodes = [0] * LEVELS
            """For each level, the node of its last move."""
            self.variations = [0] * LEVELS
            """For each level, the number of its variation in the game."""
            self.has_variations = [0] * LEVELS
            """For each level, whether its last move has variations. A comment behind them belongs to the next
            move."""
            self.is_broken = [0] * LEVELS
            """For each level, whether its line has a word that is not a legal move."""
            self.number_shifts = [0] * LEVELS
            """For each level, the difference between the last wrong move number and the right one."""
            self.waiting_comments = [0] * LEVELS
            """For each level, the row of the first comment that waits for the next move, or −1."""

    def set_input(self, chars: Chars, limit: Size, final: bool) -> None:
        """Set the bytes to read.

        Only the first `limit` bytes are read. `final` is true if no more bytes follow.
        """
        self.chars, self.limit, self.final = chars, limit, final

    def begin_game(self) -> bool:
        """Begin a new game that starts at the current `position`, and add this position to the columns.

        Return False if the columns have no room for the position.
        """
        self.level = 0
        self.has_null_move = 0
        self.last_nodes[0] = NO_NODE
        self.is_broken[0] = self.number_shifts[0] = 0
        self.has_variations[0] = 0
        self.waiting_comments[0] = -1
        save_position(self.position, self.start_position, 0)
        return self.rows.add_position(self.position, ALL)

    def finish_game(self) -> bool:
        """Finish the current game: comments that still wait for a next move are attached to the last move.

        Return False if there are such comments, but the game has no move.
        """
        if self.waiting_comments[0] < 0:
            return True
        if self.last_nodes[0] == NO_NODE:
            return False
        self.attach_comments(self.last_nodes[0], AFTER_MOVE)
        return True

    def has_moves(self) -> bool:
        """Return whether the main line has a move, or a word that is not a legal move."""
        return self.last_nodes[0] != NO_NODE or self.is_broken[0] != 0

    def end_of_input(self) -> Size:
        """Return the result code for a game that the available bytes do not complete.

        It is INCOMPLETE if the caller can supply more bytes. Otherwise the game is cut off, and the code is
        UNSUPPORTED, so that the slower record reader reports the mistake.
        """
        return UNSUPPORTED if self.final else INCOMPLETE

    # --- moves --------------------------------------------------------------------------------------

    def read_number(self, offset: Size) -> Size:
        """Read a move number and its dots, such as ``12.`` or ``12...``, and return the offset behind them.

        Castling that is written with zeros is read as a move. Return INCOMPLETE if more bytes are needed,
        FULL if the columns have no room, and UNSUPPORTED if there is no dot. The slower record reader then
        reads the game.
        """
        start: Size = offset
        chars: Chars = self.chars
        number: i32 = 0
        digit_count: i32 = 0
        while offset < self.limit and DIGIT_0 <= chars[offset] <= DIGIT_9:
            number = number * 10 + chars[offset] - DIGIT_0
            digit_count += 1
            if digit_count > MAX_NUMBER_DIGITS:
                return UNSUPPORTED
            offset += 1
        if offset == self.limit:
            return self.end_of_input()
        if (
            number == 0
            and offset == start + 1
            and (chars[offset] == MINUS or chars[offset] >= FIRST_NON_ASCII)
        ):
            return self.read_move(start)
        if chars[offset] != FULL_STOP:
            # The digits may begin a result, such as 1-0, that is cut off.
            return UNSUPPORTED if self.limit - offset >= MAX_RESULT_SIZE else self.end_of_input()
        if number != self.position.full and not self.accept_wrong_number(number, start, offset - start):
            return FULL
        while offset < self.limit and chars[offset] == FULL_STOP:
            offset += 1
        return offset

    def accept_wrong_number(self, number: i32, start: Size, digit_count: Size) -> bool:
        """Note a wrong move number, unless it continues the count of the wrong number before it.

        `start` is the offset of its digits. Return False if the columns have no room for the note.
        """
        shift: i32 = number - self.position.full
        if shift == self.number_shifts[self.level]:
            return True
        self.number_shifts[self.level] = shift
        return self.rows.add_note(NUMBER_WRONG, start, digit_count)

    def read_move(self, offset: Size) -> Size:
        """Read a move such as ``Nf3``, play it and add it to the columns. Return the offset behind it.

        Return INCOMPLETE if more bytes are needed, FULL if the columns have no room, and UNSUPPORTED if only
        the slower record reader can read the word.
        """
        start: Size = offset
        move: i32
        while offset < self.limit and not MOVE_ENDS[self.chars[offset]]:
            offset += 1
        if offset == self.limit and not self.final:
            return INCOMPLETE

        save_position(self.position, self.before_last_move, self.level)
        move = play_written_move(self.position, self.chars, start, offset)
        if move < 0:
            return self.read_unusual_move(start, offset)
        return self.add_move(move, start, offset - start, offset)

    def add_move(self, move: i32, text: Size, length: Size, next_offset: Size) -> Size:
        """Add a move that was played on `position` to the columns, and return `next_offset`.

        Return FULL if the columns have no room, and UNSUPPORTED if there are too many moves.

        Args:
            move: The 16-bit number of the move.
            text: What the columns ``san`` and ``side_san`` contain for the offset of its text.
            length: The length of its text.
            next_offset: The offset behind the move.
        """
        level: i32 = self.level
        node: i32
        # A node is the number of a move in the game: negative in variations, and 0 or more in the main line.
        if level > 0:
            node = -1 - (self.rows.sides - self.rows.first_side)
            if not self.rows.add_variation_move(move, self.variations[level], text, length):
                return FULL
        else:
            node = self.rows.plies - self.rows.first_ply
            if node >= MAX_PLIES:
                return UNSUPPORTED
            if not self.rows.add_ply(move, text, length):
                return FULL
            if not self.rows.add_position(
                self.position, changed_squares(self.position, self.before_last_move, 0)
            ):
                return FULL

        if self.waiting_comments[level] >= 0:
            self.attach_comments(node, BEFORE_MOVE)
        self.last_nodes[level] = node
        self.has_variations[level] = 0
        return next_offset

    # --- unusual moves ------------------------------------------------------------------------------

    def read_unusual_move(self, start: Size, end: Size) -> Size:
        """Read the word ``chars[start:end]``, which is not the SAN of a legal move.

        It is another spelling of a move, a null move or no legal move at all. Add a note, and return the
        offset behind the word, or behind the rest of its line if it is no legal move. Return INCOMPLETE if
        more bytes are needed, FULL if the columns have no room, and UNSUPPORTED if only the slower record
        reader can read the word.
        """
        word: Written
        san: Written
        size: i32
        san_size: i32 = 0
        move: i32
        text: Size
        if not cython.compiled:
            word, san = bytearray(16), bytearray(16)
        restore_position(self.position, self.before_last_move, self.level)
        size = spell_in_ascii(self.chars, start, end, word)
        if size < 0 or (word[0] == ZERO and not is_castling(word, size)):
            return UNSUPPORTED
        # Marks behind a word that does not look like a move belong to the word.
        if end < self.limit and is_mark(self.chars[end]) and not looks_like_move(self.chars, start, end):
            return UNSUPPORTED

        move = play_respelled_move(self.position, word, size, san)
        if move >= 0:
            if not is_named_pawn_drop(word, size) and not self.rows.add_note(
                MOVE_RESPELLED, start, end - start
            ):
                return FULL
        elif is_null_move(word, size) and can_pass_turn(self.position):
            play_recorded_move(self.position, NULL_MOVE)
            move = NULL_MOVE
            san[0] = san[1] = MINUS
            san[2] = 0
            if self.level == 0:
                self.has_null_move = 1
            if not self.rows.add_note(TURN_PASSED, start, end - start):
                return FULL
        else:
            return self.reject_move(start, end)
        while san[san_size]:
            san_size += 1
        text = self.rows.add_respelled(san, san_size)
        return self.add_move(move, text, san_size, end) if text else FULL

    def reject_move(self, start: Size, end: Size) -> Size:
        """Note that the word ``chars[start:end]`` is not a legal move, and skip the rest of its line.

        Return the same as `skip_line`, or FULL or UNSUPPORTED.
        """
        if self.rows.game_errors == MAX_ERRORS:
            return UNSUPPORTED
        if self.level == 0 and self.rows.plies - self.rows.first_ply >= MAX_PLIES:
            return UNSUPPORTED
        if not self.rows.add_error(self.position, start, end - start):
            return FULL
        self.is_broken[self.level] = 1
        return self.skip_line(end)

    def skip_line(self, offset: Size) -> Size:
        """Skip the rest of the current variation or main line, which cannot be read further.

        Return the offset of the parenthesis that closes the variation, of the result, of a bracket at the
        start of a line, or of the end of the input. Return INCOMPLETE if more bytes are needed, and
        UNSUPPORTED if only the slower record reader can skip the line.
        """
        chars: Chars = self.chars
        depth: i32 = 0
        byte: i32
        while offset < self.limit:
            byte = chars[offset]
            if byte == SPACE or byte == TAB or byte == FULL_STOP:
                offset += 1
            elif byte == NEWLINE or byte == CARRIAGE_RETURN:
                offset = finish_line(chars, offset, self.limit, self.final)
            elif byte == OPEN_BRACKET:
                return UNSUPPORTED if depth or self.level else offset
            elif byte == OPEN_PARENTHESIS:
                depth += 1
                offset += 1
            elif byte == CLOSE_PARENTHESIS:
                if depth == 0:
                    return offset if self.level else UNSUPPORTED
                depth -= 1
                offset += 1
            elif parse_result(chars, offset, self.limit) != NO_RESULT:
                # The record reader ignores some results in variations, and ends the record at others.
                return UNSUPPORTED if depth or self.level else offset
            else:
                offset = self.skip_word(offset)
            if offset < 0:
                return offset
        if not self.final:
            return INCOMPLETE
        return UNSUPPORTED if depth or self.level else offset

    def skip_word(self, offset: Size) -> Size:
        """Skip a comment, glyph, mark, move number or move, and return the offset behind it.

        Return INCOMPLETE if more bytes are needed, and UNSUPPORTED if only the slower record reader can
        read the word, or has to report it.
        """
        start: Size = offset
        byte: i32 = self.chars[offset]
        has_letter: bool
        if byte == OPEN_BRACE:
            offset = find_byte(self.chars, offset + 1, self.limit, CLOSE_BRACE)
            if offset < 0:
                return self.end_of_input()
            return offset + 1 if classify_comment(self.chars, start + 1, offset) >= 0 else UNSUPPORTED
        if byte == SEMICOLON:
            offset = self.find_line_end(offset)
            if offset < 0:
                return offset
            return offset if classify_comment(self.chars, start + 1, offset) >= 0 else UNSUPPORTED
        if byte == DOLLAR:
            return self.parse_glyph(offset + 1)
        if is_mark(byte):
            return self.skip_marks(offset)
        if DIGIT_0 <= byte <= DIGIT_9:
            return self.skip_number(offset)
        if byte == AT_SIGN:
            # Without a letter or digit, the word would be an error.
            has_letter = offset + 1 < self.limit and is_ascii_letter(self.chars[offset + 1])
            return self.skip_move(offset) if has_letter else UNSUPPORTED
        return self.skip_move(offset) if is_ascii_letter(byte) or byte == MINUS else UNSUPPORTED

    def skip_move(self, offset: Size) -> Size:
        """Skip a word and the marks behind it, and return the offset behind them.

        Return INCOMPLETE if more bytes are needed, and UNSUPPORTED if only the slower record reader can
        read the word.
        """
        start: Size = offset
        while offset < self.limit and not MOVE_ENDS[self.chars[offset]]:
            if self.chars[offset] <= SPACE or self.chars[offset] > LAST_ASCII:
                return UNSUPPORTED
            offset += 1
        if offset == self.limit:
            return offset if self.final else INCOMPLETE
        if self.chars[start] == MINUS and not equals_name(self.chars, start, offset - start, b"--", 2):
            return UNSUPPORTED
        return self.skip_marks(offset) if is_mark(self.chars[offset]) else offset

    def skip_marks(self, offset: Size) -> Size:
        """Skip annotation marks such as ``!?``, and return the offset behind them.

        Return INCOMPLETE if more bytes are needed, and UNSUPPORTED if the marks have no glyph, or if a part
        of a word follows.
        """
        start: Size = offset
        while offset < self.limit and is_mark(self.chars[offset]):
            offset += 1
        if offset == self.limit and not self.final:
            return INCOMPLETE
        if not parse_suffix(self.chars, start, offset):
            return UNSUPPORTED
        return offset if offset == self.limit or MOVE_ENDS[self.chars[offset]] else UNSUPPORTED

    def skip_number(self, offset: Size) -> Size:
        """Skip a move number with its dots, or castling with zeros, and return the offset behind it.

        Return INCOMPLETE if more bytes are needed, and UNSUPPORTED if something else follows the digits.
        """
        start: Size = offset
        while offset < self.limit and DIGIT_0 <= self.chars[offset] <= DIGIT_9:
            offset += 1
        if offset == self.limit:
            return self.end_of_input()
        if self.chars[offset] == FULL_STOP and offset - start <= MAX_LONG_NUMBER_DIGITS:
            return offset + 1
        while offset < self.limit and not MOVE_ENDS[self.chars[offset]]:
            offset += 1
        if offset == self.limit and not self.final:
            return INCOMPLETE
        if equals_name(self.chars, start, offset - start, b"0-0", 3):
            return offset
        return offset if equals_name(self.chars, start, offset - start, b"0-0-0", 5) else UNSUPPORTED

    # --- comments -----------------------------------------------------------------------------------

    def read_brace_comment(self, offset: Size) -> Size:
        """Read a comment such as ``{A good move.}``, and return the offset behind the closing brace.

        Return INCOMPLETE if more bytes are needed, FULL if the columns have no room, and UNSUPPORTED if only
        the slower record reader can read the comment.
        """
        end: Size = find_byte(self.chars, offset + 1, self.limit, CLOSE_BRACE)
        return self.add_comment(offset + 1, end, end + 1) if end >= 0 else self.end_of_input()

    def read_line_comment(self, offset: Size) -> Size:
        """Read a comment that begins with a semicolon, and return the offset of the end of its line.

        Return INCOMPLETE if more bytes are needed, FULL if the columns have no room, and UNSUPPORTED if only
        the slower record reader can read the comment.
        """
        end: Size = self.find_line_end(offset)
        return self.add_comment(offset + 1, end, end) if end >= 0 else end

    def find_line_end(self, offset: Size) -> Size:
        """Return the offset of the end of the line that contains `offset`, or INCOMPLETE."""
        while offset < self.limit and self.chars[offset] != NEWLINE and self.chars[offset] != CARRIAGE_RETURN:
            offset += 1
        return INCOMPLETE if offset == self.limit and not self.final else offset

    def add_comment(self, start: Size, end: Size, next_offset: Size) -> Size:
        """Add the comment ``chars[start:end]``, without the blanks around it, to the columns.

        A comment belongs to the move before it. At the start of a variation or of the game, and behind a
        variation, it belongs to the move that follows, so it is marked as waiting until that move is read.

        Returns:
            `next_offset`, which is the offset behind the whole comment, FULL if the columns have no room, or
            UNSUPPORTED if only the slower record reader can read the comment.
        """
        chars: Chars = self.chars
        level: i32 = self.level
        kind: i32 = classify_comment(chars, start, end)
        if kind == UNSUPPORTED:
            return UNSUPPORTED
        if self.is_broken[level]:
            # The comments of a line that cannot be read further are left out.
            return next_offset
        # Leave out the blanks around the comment.
        while start < end and chars[start] <= SPACE:
            start += 1
        while start < end and chars[end - 1] <= SPACE:
            end -= 1

        if self.last_nodes[level] == NO_NODE or self.has_variations[level]:
            # The comment waits for the next move. Its node is set when that move is read.
            if self.waiting_comments[level] < 0:
                self.waiting_comments[level] = self.rows.comments
            if not self.rows.add_comment(start, end - start, kind, 0, WAITING + level):
                return FULL
            return next_offset
        if not self.rows.add_comment(start, end - start, kind, self.last_nodes[level], AFTER_MOVE):
            return FULL
        if level == 0 and (self.rows.requested_columns & WANT_COMMANDS):
            self.store_commands(self.rows.plies - 1, start, end)
        return next_offset

    def attach_comments(self, node: i32, after: i32) -> None:
        """Attach the waiting comments of the current variation or main line to the move `node`.

        `node` is the index of a move of the main line, or −1 − the index of a move of the variations. `after`
        is AFTER_MOVE if the comments follow the move, and BEFORE_MOVE if they precede it.
        """
        row: Size
        for row in range(self.waiting_comments[self.level], self.rows.comments):
            if self.rows.comment_after[row] != WAITING + self.level:
                continue
            self.rows.comment_node[row] = node
            self.rows.comment_after[row] = after
            if after and self.level == 0 and (self.rows.requested_columns & WANT_COMMANDS):
                self.store_commands(
                    self.rows.plies - 1,
                    self.rows.comment[row],
                    self.rows.comment[row] + self.rows.comment_length[row],
                )
        self.waiting_comments[self.level] = -1

    def store_commands(self, ply: Size, offset: Size, end: Size) -> None:
        """Store the commands of a comment, such as ``[%clk 0:05:30]`` or ``[%eval 0.25]``, in their columns.

        The comment is the part of the bytes from `offset` to `end`. `ply` is the row of its move.
        """
        chars: Chars = self.chars
        kind: i32
        value_start: Size
        value_end: Size
        while True:
            offset = find_byte(chars, offset, end, OPEN_BRACKET)
            if offset < 0:
                return
            kind = identify_command(chars, offset, end)
            if kind != NO_COMMAND:
                value_start = find_value_start(chars, offset, end, kind)
                value_end = find_value_end(chars, value_start, end)
                if value_end >= 0:
                    self.store_command(ply, kind, value_start, value_end)
                    offset = value_end
            offset += 1

    def store_command(self, ply: Size, kind: i32, start: Size, end: Size) -> None:
        """Store the value of one command of a comment, such as the clock in ``[%clk 0:05:30]``.

        Do nothing if the column was not requested, or the move already has a value of this kind.

        Args:
            ply: The row of the move.
            kind: The kind of command: CLOCK, ELAPSED, EVALUATION, ARROWS or CIRCLES.
            start: The offset at which the value begins.
            end: The offset behind the value.
        """
        number: i32
        requested: i32 = self.rows.requested_columns
        # The kinds from ARROWS on are drawings, whose text is stored. The others are numbers.
        if kind >= ARROWS:
            if not (requested & WANT_SHAPES):
                return
            if kind == ARROWS and self.rows.arrows_length[ply] == 0:
                self.rows.arrows[ply], self.rows.arrows_length[ply] = start, end - start
            elif kind != ARROWS and self.rows.circles_length[ply] == 0:
                self.rows.circles[ply], self.rows.circles_length[ply] = start, end - start
            return
        number = parse_number(self.chars, start, end, kind)
        if number == NO_NUMBER:
            return
        if kind == CLOCK and (requested & WANT_CLOCKS) and self.rows.clock[ply] == NO_CLOCK:
            self.rows.clock[ply] = number
        elif kind == ELAPSED and (requested & WANT_EMTS) and self.rows.emt[ply] == NO_CLOCK:
            self.rows.emt[ply] = number
        elif kind == EVALUATION and (requested & WANT_EVALS) and self.rows.eval[ply] == NO_EVAL:
            self.rows.eval[ply] = number

    # --- glyphs -------------------------------------------------------------------------------------

    def read_glyph(self, offset: Size) -> Size:
        """Read the number of an annotation glyph (NAG), such as 14 in ``$14``. Return the offset behind it.

        `offset` is that of the first digit. Return INCOMPLETE if more bytes are needed, FULL if the columns
        have no room, and UNSUPPORTED if the number is missing or above 255, or no move precedes it.
        """
        glyph: i32 = 0
        end: Size = self.parse_glyph(offset)
        if end < 0:
            return end
        while offset < end:
            glyph = glyph * 10 + self.chars[offset] - DIGIT_0
            offset += 1
        return self.add_glyph(glyph, end)

    def parse_glyph(self, offset: Size) -> Size:
        """Return the offset behind the number of a glyph, whose first digit is at `offset`.

        Return INCOMPLETE if more bytes are needed, and UNSUPPORTED if the number is missing or above 255.
        """
        start: Size = offset
        glyph: i32 = 0
        while offset < self.limit and DIGIT_0 <= self.chars[offset] <= DIGIT_9:
            glyph = glyph * 10 + self.chars[offset] - DIGIT_0
            offset += 1
            if offset - start > MAX_GLYPH_DIGITS:
                return UNSUPPORTED
        if offset == self.limit and not self.final:
            return INCOMPLETE
        return UNSUPPORTED if offset == start or glyph > MAX_GLYPH else offset

    def read_suffix(self, offset: Size) -> Size:
        """Read annotation marks such as ``!?``, store them as a glyph and return the offset behind them.

        Return INCOMPLETE if more bytes are needed, FULL if the columns have no room, and UNSUPPORTED if the
        marks have no glyph (``!!!``) or no move precedes them.
        """
        start: Size = offset
        glyph: i32
        while offset < self.limit and is_mark(self.chars[offset]):
            offset += 1
        if offset == self.limit and not self.final:
            return INCOMPLETE
        glyph = parse_suffix(self.chars, start, offset)
        return self.add_glyph(glyph, offset) if glyph else UNSUPPORTED

    def read_symbol(self, offset: Size) -> Size:
        """Read a symbol of a glyph, such as ``+-``, and add the glyph. Return the offset behind the symbol.

        A null move or a move with a piece symbol is read as a move. Return INCOMPLETE if more bytes are
        needed, FULL if the columns have no room, and UNSUPPORTED if only the slower record reader can read
        the word.
        """
        start: Size = offset
        glyph: i32
        while offset < self.limit and not MOVE_ENDS[self.chars[offset]]:
            offset += 1
        if offset == self.limit and not self.final:
            return INCOMPLETE
        glyph = find_symbol(self.chars, start, offset - start)
        if glyph == 0:
            return self.read_move(start)
        # Marks directly behind the symbol belong to the same word, which is not a symbol.
        if self.last_nodes[self.level] == NO_NODE or (offset < self.limit and is_mark(self.chars[offset])):
            return UNSUPPORTED
        if not self.rows.add_note(GLYPH_AS_SYMBOL, start, offset - start):
            return FULL
        return self.add_glyph(glyph, offset)

    def add_glyph(self, glyph: i32, next_offset: Size) -> Size:
        """Add an annotation glyph (NAG), such as 1 for ``!``, to the last move that was read.

        Return `next_offset`, UNSUPPORTED if there is no such move, or FULL if the columns have no room.
        """
        node: i32 = self.last_nodes[self.level]
        if node == NO_NODE:
            return UNSUPPORTED
        return next_offset if self.rows.add_nag(glyph, node) else FULL

    # --- variations ---------------------------------------------------------------------------------

    def open_variation(self, offset: Size) -> Size:
        """Begin a variation, and take back the last move, because the variation replaces it.

        `offset` is that of the byte behind the opening parenthesis. Return `offset`, FULL if the columns have
        no room, or UNSUPPORTED if there is no move to replace or variations are nested too deep.
        """
        level: i32 = self.level
        if self.last_nodes[level] == NO_NODE or level == MAX_DEPTH:
            return UNSUPPORTED
        if not self.rows.add_variation(self.last_nodes[level]):
            return FULL
        # Take back the last move, and save the position after it for the end of the variation.
        save_position(self.position, self.after_last_move, level)
        restore_position(self.position, self.before_last_move, level)

        level += 1
        self.level = level
        self.variations[level] = self.rows.lines - self.rows.first_line - 1
        self.last_nodes[level] = NO_NODE
        self.is_broken[level] = self.number_shifts[level] = 0
        self.has_variations[level] = 0
        self.waiting_comments[level] = -1
        return offset

    def close_variation(self, offset: Size) -> Size:
        """End the current variation, and restore the position of the main line or variation around it.

        `offset` is that of the byte behind the closing parenthesis. Return `offset`, or UNSUPPORTED if no
        variation is open or it has no move.
        """
        level: i32 = self.level
        if level == 0:
            return UNSUPPORTED
        if self.last_nodes[level] == NO_NODE:
            return self.drop_variation(offset)
        if self.waiting_comments[level] >= 0:
            self.attach_comments(self.last_nodes[level], AFTER_MOVE)
        level -= 1
        self.level = level
        self.has_variations[level] = 1
        restore_position(self.position, self.after_last_move, level)
        return offset

    def drop_variation(self, offset: Size) -> Size:
        """End a variation whose first word is not a legal move. It is left out of the columns.

        Return `offset`, or UNSUPPORTED if the variation is empty, or a comment in it has no move.
        """
        level: i32 = self.level
        if not self.is_broken[level] or self.waiting_comments[level] >= 0:
            return UNSUPPORTED
        # No variation has been added since, because variations follow moves.
        self.rows.lines -= 1
        level -= 1
        self.level = level
        restore_position(self.position, self.after_last_move, level)
        return offset

    # --- repetitions --------------------------------------------------------------------------------

    def count_repetitions(self) -> i32:
        """Return how often the current position has occurred in the main line, this time included.

        Return 1 without counting if the position cannot have occurred five times: only the fifth occurrence
        ends a game. The game is replayed from its start, and positions are compared by their 128-bit keys.
        """
        plies: Size = self.rows.plies - self.rows.first_ply
        row: Size
        occurrences: i32 = 1
        high: u64
        low: u64
        rights: u64
        state: u64
        # Null moves repeat a position sooner, so that neither of the following conditions holds.
        if plies < PLIES_TO_FIVEFOLD and not self.has_null_move:
            return 1
        # In Crazyhouse a position can recur after captures, because dropped pieces replace the captured ones.
        if (
            self.position.half < PLIES_TO_FIVEFOLD
            and self.position.rules != CRAZYHOUSE
            and not self.has_null_move
        ):
            return 1

        # The two halves of the key of the current position.
        rights, state = find_effective_rights(self.position), encode_key_state(self.position)
        high, low = (
            hash_position(self.position, SEED_HIGH, state, rights),
            hash_position(self.position, SEED_LOW, state, rights),
        )

        # Replay the game. The current position is saved, and not compared, because it counts already.
        save_position(self.position, self.after_last_move, 0)
        restore_position(self.position, self.start_position, 0)
        for row in range(self.rows.first_ply, self.rows.plies):
            rights, state = find_effective_rights(self.position), encode_key_state(self.position)
            if hash_position(self.position, SEED_HIGH, state, rights) == high:
                if hash_position(self.position, SEED_LOW, state, rights) == low:
                    occurrences += 1
            play_recorded_move(self.position, self.rows.move[row])
        restore_position(self.position, self.after_last_move, 0)
        return occurrences


def _new_scratch() -> Scratch:
    """Return an empty position whose fields can be changed, for playing moves in place."""
    if cython.compiled:
        return Scratch.__new__(Scratch)
    return new_draft()  # type: ignore[return-value]


def parse_suffix(chars: Chars, start: Size, end: Size) -> i32:
    """Return the number of the annotation glyph (NAG) for marks, or 0 if they have none.

    ``!`` is 1, ``?`` is 2, ``!!`` is 3, ``??`` is 4, ``!?`` is 5 and ``?!`` is 6. ``chars[start:end]`` must
    consist of these two characters.
    """
    mark_count: Size = end - start
    if mark_count == 1:
        return GOOD_MOVE if chars[start] == EXCLAMATION else MISTAKE
    if mark_count != 2:
        return 0
    if chars[start] == chars[start + 1]:
        return BRILLIANT_MOVE if chars[start] == EXCLAMATION else BLUNDER
    return INTERESTING_MOVE if chars[start] == EXCLAMATION else DUBIOUS_MOVE


def is_mark(byte: i32) -> bool:
    """Return whether a byte is ``!`` or ``?``."""
    return byte == EXCLAMATION or byte == QUESTION


def is_castling(word: Written, size: i32) -> bool:
    """Return whether a word of `size` bytes is castling with zeros, ``0-0`` or ``0-0-0``, with any signs."""
    while size > 0 and (word[size - 1] == PLUS or word[size - 1] == HASH):
        size -= 1
    if size != 3 and size != 5:
        return False
    if size == 5 and (word[3] != MINUS or word[4] != ZERO):
        return False
    return word[0] == ZERO and word[1] == MINUS and word[2] == ZERO


def looks_like_move(chars: Chars, start: Size, end: Size) -> bool:
    """Return whether the record reader takes ``chars[start:end]``, before marks, for a move by its letters.

    These are ASCII letters, digits and ``@ = + # -``, of which the first is a letter or ``@``; or castling
    with zeros, or ``--``.
    """
    i: Size
    byte: i32 = chars[start]
    if byte == ZERO:
        # The caller has found that the word is castling. Unicode dashes are left to the record reader.
        return chars[start + 1] == MINUS
    if byte == MINUS:
        return equals_name(chars, start, end - start, b"--", 2)
    if not is_ascii_letter(byte) and byte != AT_SIGN:
        return False
    for i in range(start, end):
        byte = chars[i]
        if is_ascii_letter(byte) or DIGIT_0 <= byte <= DIGIT_9:
            continue
        if byte != AT_SIGN and byte != EQUALS and byte != PLUS and byte != HASH and byte != MINUS:
            return False
    return True


def find_symbol(chars: Chars, start: Size, size: Size) -> i32:
    """Return the number of the glyph (NAG) that a word such as ``+-`` stands for, or 0 if there is none.

    `SYMBOL_GLYPHS` of `forsyth.record.model` has the same symbols.
    """
    if size > LONGEST_SYMBOL:
        return 0
    if equals_name(chars, start, size, b"=", 1):
        return 10
    if equals_name(chars, start, size, b"+=", 2) or equals_name(chars, start, size, b"+/=", 3):
        return 14
    if equals_name(chars, start, size, b"=+", 2) or equals_name(chars, start, size, b"=/+", 3):
        return 15
    if equals_name(chars, start, size, b"+/-", 3) or equals_name(chars, start, size, b"\xc2\xb1", 2):
        return 16
    if equals_name(chars, start, size, b"-/+", 3) or equals_name(chars, start, size, b"\xe2\x88\x93", 3):
        return 17
    if equals_name(chars, start, size, b"+-", 2):
        return 18
    if equals_name(chars, start, size, b"-+", 2):
        return 19
    if equals_name(chars, start, size, b"\xe2\x88\x9e", 3):
        return 13
    if equals_name(chars, start, size, b"\xe2\xa9\xb2", 3):
        return 14
    return 15 if equals_name(chars, start, size, b"\xe2\xa9\xb1", 3) else 0
