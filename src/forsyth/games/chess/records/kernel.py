# cython: boundscheck=False, wraparound=False
"""Chess records at full speed: from bytes to columns, without objects and without the GIL.

The kernel takes a record about which the record reader has nothing to say, and leaves the others to it. A
property test holds that both agree. See `record_bytes.columns` for what it offers, `record_rows` for the
columns. The module runs as it is and compiles with Cython (`record_kernel.pxd` gives the C types).

Accepts
    Tags, each on its own line; moves as `san` writes them, with the numbers that they have or none; comments
    of both kinds; glyphs and ``!`` ``?``; variations; a result that the tag and the rules agree with; all
    variants, their start as the record reader finds it; CRLF, a byte order mark.
Leaves to the record reader
    Everything else: other spellings, null moves, escapes, several tags on a line, missing results, slips.
Limits
    Those of the record reader (`forsyth.limits`). A record that is larger than the room of a call is left to
    it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.position import Position
from forsyth.games.chess.records.head import Head
from forsyth.games.chess.records.rows import WANTS, Rows
from forsyth.games.chess.records.tables import tag_table, tag_texts, uci_texts
from forsyth.games.chess.records.tree import Tree
from forsyth.limits import MAX_RECORD
from forsyth.record_bytes.columns import ALWAYS, GAMES, PLIES, WANTED, Contents, Start, Texts
from forsyth.record_bytes.texts import bits_of, gather, widened

if not cython.compiled:
    from forsyth.games.chess.board import i32
    from forsyth.games.chess.records.contents import contents_of
    from forsyth.games.chess.records.head import FULL, named
    from forsyth.games.chess.records.moves import result_of_position
    from forsyth.games.chess.records.rows import NO_CLOCK, NO_EVAL
    from forsyth.games.chess.records.tree import STOPS
    from forsyth.record_bytes.words import (
        ODD,
        SHORT,
        Bytes,
        after_mark,
        bytes_of,
        find_stretch,
        line_rest,
        skip_between,
        skip_blanks,
    )

    Chars = memoryview
    Size = int
    MAX_CHARACTERS: Final = MAX_RECORD
    STRANGE: Final = 0
    BLANK: Final = 1
    LINE_END: Final = 2
    DIGIT: Final = 3
    LETTER: Final = 4
    STAR: Final = 5
    BRACE: Final = 6
    SEMICOLON: Final = 7
    OPENS: Final = 8
    CLOSES: Final = 9
    GLYPH: Final = 10
    SUFFIX: Final = 11
    DOT: Final = 12
    BEGINS = [0] * 256


def _fill_kinds() -> None:
    """What a character is where a word begins."""
    for kind, letters in (
        (BLANK, b" \t"),
        (LINE_END, b"\n\r"),
        (DIGIT, b"0123456789"),
        (LETTER, b"abcdefghKQRBNOP@"),
        (STAR, b"*"),
        (BRACE, b"{"),
        (SEMICOLON, b";"),
        (OPENS, b"("),
        (CLOSES, b")"),
        (GLYPH, b"$"),
        (SUFFIX, b"!?"),
        (DOT, b"."),
    ):
        for letter in letters:
            BEGINS[letter] = kind


_fill_kinds()


class RecordKernel:
    """Makes columns of chess records; see `forsyth.record_bytes.columns.RecordKernel`."""

    def __init__(
        self,
        usual: Position,
        start: Start,
        want: Iterable[str],
        sizes: tuple[int, int],
        games: int = GAMES,
        plies: int = PLIES,
    ) -> None:
        wants = 0
        for name in want:
            if name not in WANTED and name not in ALWAYS:
                known = ", ".join(sorted((*WANTED, *ALWAYS)))
                raise ValueError(f"records have no {name!r}; they have {known}")
            wants |= WANTS.get(name, 0)
        for number in (games, plies):
            if not 0 < number <= _MOST_ROWS:
                raise ValueError(f"room for {number} rows, expected 1 to {_MOST_ROWS}")
        self.rows = Rows(wants, games, plies, *sizes)
        self.head = Head(self.rows, usual, start)
        self.tree = Tree(self.rows)
        self.data: Any = memoryview(b"")
        self.busy = False

    def read(self, data: Any, at: int = 0, final: bool = True) -> int:
        """Read records from a place on, as many as there is room for; where the next call has to begin."""
        view: Bytes = memoryview(data)
        place: Size
        if not 0 <= at <= len(view) < 1 << 31:
            raise ValueError(f"place {at} of {len(view)} bytes, expected one inside less than 2 GiB")
        rows: Rows = self.made()
        if self.busy:
            raise RuntimeError("this kernel is reading in another thread; each thread needs its own")
        self.busy = True
        try:
            rows.renew()
            self.data = self.head.data = memoryview(data)
            self.s = bytes_of(view)
            self.limit = len(view)
            self.final = final
            self.head.look_at(self.s, self.limit, final)
            self.tree.look_at(self.s, self.limit, final)
            place = at
            with cython.nogil:
                place = self.read_games(place)
        finally:
            self.busy = False
        return place

    def made(self) -> Rows:
        """The rows; an object that was never made whole has none."""
        if self.rows is None:
            raise RuntimeError("this kernel was not made whole")
        return self.rows

    # --- columns ------------------------------------------------------------------------------------

    @property
    def games(self) -> int:
        """How many rows there are, one for each record taken and for each stretch left to the reader."""
        return self.made().games

    @property
    def asked(self) -> int:
        """How many of them are left to the reader."""
        return self.made().asked

    @property
    def plies(self) -> int:
        """How many moves the main lines have."""
        return self.made().plies

    @property
    def positions(self) -> int:
        """How many positions the main lines have."""
        return self.made().positions

    def contents(self, row: int) -> Contents:
        """What the record of a row says; `ValueError` where the row was left to the record reader."""
        return contents_of(self.made(), self.s, row)

    def column(self, name: str) -> memoryview:
        """A column as it lies in memory; `KeyError` where there is none of that name."""
        return self.made().column(name)

    def valid(self, name: str) -> tuple[bytes, int]:
        """Where a column of clocks or evaluations says something, as Arrow's bits; how often it does not."""
        return bits_of(self.column(name), NO_EVAL if name == "eval" else NO_CLOCK)

    def tag_texts(self, name: str) -> tuple[memoryview, memoryview, bytes, int]:
        """The values of a tag: texts, which games have it, and how many have not."""
        return tag_texts(self.made(), self.data, name)

    def tag_table(self, skip: tuple[str, ...] = ()) -> tuple[memoryview, Texts, Texts]:
        """All other tags: where those of each game begin, names and values."""
        return tag_table(self.made(), self.data, skip)

    def san_texts(self) -> Texts:
        """The moves of the main lines as they stand in the records."""
        lengths = widened(self.column("san_length"))
        return gather(self.data, self.column("san"), lengths, bytes(len(lengths)))

    def uci_texts(self) -> Texts:
        """The moves of the main lines in long algebraic notation for programs."""
        return uci_texts(self.column("move"))

    def comment_texts(self) -> Texts:
        """The comments, folded."""
        kinds = bytes(2 * folded for folded in self.column("comment_folded"))
        return gather(self.data, self.column("comment"), self.column("comment_length"), kinds)

    # --- games --------------------------------------------------------------------------------------

    def read_games(self, at: Size) -> Size:
        """Read games while there is room; where the next begins."""
        end: Size
        while self.rows.games < self.rows.game_room:
            at = skip_between(self.s, at, self.limit, self.final)
            if at == self.limit:
                return at
            end = self.read_game(at)
            if end == SHORT or (end == FULL and self.rows.games > 0):
                self.rows.drop_game()
                # What is too long for a record is not waited for.
                if end == FULL or self.limit - at <= MAX_CHARACTERS:
                    return at
            if end >= 0:
                self.rows.end_game(at, end, 1)
            else:
                self.rows.drop_game()
                end = find_stretch(self.s, at, self.limit, self.final)
                if end < 0:
                    return at
                self.rows.end_game(at, end, 0)
            at = end
        return at

    def read_game(self, at: Size) -> Size:
        """Where the game ends that begins here; SHORT, ODD or FULL."""
        start: Size = at
        at = self.head.read(after_mark(self.s, at, self.limit))
        if at < 0:
            return at
        if not self.head.find_start(self.tree.position):
            return ODD
        if not self.tree.begin():
            return FULL
        at = self.read_moves(at)
        return ODD if at - start > MAX_CHARACTERS else at

    def read_moves(self, at: Size) -> Size:
        """Where the game ends whose moves begin here; SHORT, ODD or FULL."""
        s: Chars = self.s
        kind: i32
        result: i32
        while at >= 0:
            if at >= self.limit:
                return ODD if self.final else SHORT
            kind = BEGINS[s[at]]
            if kind == BLANK:
                at += 1
            elif kind == LETTER:
                at = self.tree.read_move(at)
            elif kind == BRACE:
                at = self.tree.read_comment(at)
            elif kind == DIGIT or kind == STAR:
                result = result_at(s, at, self.limit)
                if result < 0:
                    at = self.tree.read_number(at)
                else:
                    return self.read_end(at, result)
            else:
                at = self.read_word(at)
        return at

    def read_word(self, at: Size) -> Size:
        """Where a rarer word ends; SHORT, ODD or FULL."""
        kind: i32 = BEGINS[self.s[at]]
        if kind == LINE_END:
            return line_rest(self.s, at, self.limit, self.final)
        if kind == DOT:
            return at + 1
        if kind == GLYPH:
            return self.tree.read_glyph(at + 1)
        if kind == SUFFIX:
            return self.tree.read_suffix(at)
        if kind == OPENS:
            return self.tree.open_line(at + 1)
        if kind == CLOSES:
            return self.tree.close_line(at + 1)
        return self.tree.read_rest(at) if kind == SEMICOLON else ODD

    # --- the end ------------------------------------------------------------------------------------

    def read_end(self, at: Size, result: i32) -> Size:
        """Behind the line of the result, if the rules and the tag agree with it; SHORT, ODD or FULL."""
        s: Chars = self.s
        start: Size = at
        if self.tree.level:
            return ODD
        at += result_size(result)
        if at == self.limit and not self.final:
            return SHORT
        if at < self.limit and not STOPS[s[at]]:
            return ODD
        while True:
            at = skip_blanks(s, at, self.limit)
            if at == self.limit or (s[at] != 123 and s[at] != 59):
                break
            at = self.tree.read_comment(at) if s[at] == 123 else self.tree.read_rest(at)
            if at < 0:
                return at
        at = line_rest(s, at, self.limit, self.final)
        if at < 0:
            return at
        if not self.tree.finish():
            return ODD
        if not self.agrees(result, start):
            return ODD
        self.rows.put_ending(self.tree.position, result, self.head.setup)
        return at

    def agrees(self, result: i32, at: Size) -> bool:
        """Whether the tag and the final position say nothing else than the result that stands at a place."""
        due: i32
        if not self.head.says(at, result_size(result)):
            return False
        if result == 0:
            return True
        due = result_of_position(self.tree.position, self.tree.repetitions())
        return due == 0 or due == result


_MOST_ROWS: Final = 1 << 26


def result_at(s: Chars, at: Size, end: Size) -> i32:
    """Which result begins here, as a place in `forsyth.record_bytes.columns.RESULTS`; −1 if none."""
    if s[at] == 42:
        return 0
    if end - at < 3:
        return -1
    if s[at + 1] == 45:
        if s[at] == 49 and s[at + 2] == 48:
            return 1
        return 2 if s[at] == 48 and s[at + 2] == 49 else -1
    return 3 if named(s, at, 7 if end - at >= 7 else 0, b"1/2-1/2", 7) else -1


def result_size(result: i32) -> Size:
    """How many characters a result has."""
    if result == 0:
        return 1
    return 7 if result == 3 else 3
