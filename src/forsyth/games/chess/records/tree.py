# cython: boundscheck=False, wraparound=False
"""The moves of a chess record for the kernel: lines inside lines, and what is said about each move.

Accepts: moves as `san` writes them, with the numbers that they have or none; comments of both kinds, with
their commands; glyphs as numbers and as ``!`` ``?``; variations. Limits: those of the record reader
(`forsyth.limits`).

A node is a move: of the main line its number in the game, of a variation −1 − its number among all moves of
variations. The module runs as it is and compiles with Cython (`record_tree.pxd` gives the C types).
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
    from forsyth.games.chess.numbers.key import SEED_HIGH, SEED_LOW, lane_of, state_of
    from forsyth.games.chess.position import CRAZYHOUSE, blank
    from forsyth.games.chess.records.head import FULL
    from forsyth.games.chess.records.moves import Snapshots, changed, keep, restore, take_move
    from forsyth.games.chess.records.rows import (
        NO_CLOCK,
        NO_EVAL,
        WAITING,
        WANT_CLOCKS,
        WANT_COMMANDS,
        WANT_EMTS,
        WANT_EVALS,
        WANT_SHAPES,
    )
    from forsyth.games.chess.rules.legality import effective_rights
    from forsyth.games.chess.rules.moves import advance
    from forsyth.record_bytes.comment_commands import (
        ARROWS,
        CLOCK,
        ELAPSED,
        EVALUATION,
        NO_COMMAND,
        NOTHING,
        command_at,
        number_of,
        value_start,
    )
    from forsyth.record_bytes.comment_commands import value_end as end_of_command
    from forsyth.record_bytes.words import ODD, SHORT, find_byte, kind_of_comment

    Chars = memoryview
    Size = int
    NO_NODE: Final = -(2**31)
    LEVELS: Final = 66
    MAX_DEPTH: Final = MAX_VARIATION_DEPTH
    MAX_PLIES: Final = MAX_MOVES
    STOPS = [0] * 256


def _fill_stops() -> None:
    """Where a move may end."""
    for letter in b" \t\n\r{}();$!?":
        STOPS[letter] = 1


_fill_stops()


class Tree:
    """Reads the moves of one game after the other, on one position."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.position = _scratch()
        if not cython.compiled:
            self.before: Snapshots = [()] * LEVELS
            """For each level the position before its last move, where its variations begin."""
            self.held: Snapshots = [()] * LEVELS
            """For each level the position after it, while a variation is read."""
            self.begun: Snapshots = [()]
            self.node = [0] * LEVELS
            """The last move of each level."""
            self.line = [0] * LEVELS
            self.varied = [0] * LEVELS
            """Whether it has variations: a comment behind them belongs to the next move."""
            self.waiting = [0] * LEVELS
            """The first comment that waits for the next move."""

    def look_at(self, s: Chars, limit: Size, final: bool) -> None:
        """Read these bytes from now on."""
        self.s, self.limit, self.final = s, limit, final

    def begin(self) -> bool:
        """A game begins with the position as it is; whether there is room."""
        self.level = 0
        self.node[0] = NO_NODE
        self.varied[0] = 0
        self.waiting[0] = -1
        keep(self.position, self.begun, 0)
        return self.rows.put_position(self.position, ALL)

    def finish(self) -> bool:
        """The game ends; False if comments belong to no move."""
        if self.waiting[0] < 0:
            return True
        if self.node[0] == NO_NODE:
            return False
        self.settle_comments(self.node[0], 1)
        return True

    def short(self) -> Size:
        """What it means that the bytes have ended."""
        return ODD if self.final else SHORT

    # --- moves --------------------------------------------------------------------------------------

    def read_number(self, at: Size) -> Size:
        """Behind the number of a move, which is the one that is due, and its dots; SHORT or ODD."""
        s: Chars = self.s
        number: i32 = 0
        digits: i32 = 0
        while at < self.limit and 48 <= s[at] <= 57:
            number = number * 10 + s[at] - 48
            digits += 1
            if digits > 4:
                return ODD
            at += 1
        if at == self.limit:
            return self.short()
        if s[at] != 46 or number != self.position.full:
            # It may be a result of which the end is not there yet.
            return self.short() if self.limit - at < 8 and not self.final else ODD
        while at < self.limit and s[at] == 46:
            at += 1
        return at

    def read_move(self, at: Size) -> Size:
        """Behind a move, which is played; SHORT, ODD or FULL."""
        start: Size = at
        level: i32 = self.level
        number: i32
        node: i32
        while at < self.limit and not STOPS[self.s[at]]:
            at += 1
        if at == self.limit and not self.final:
            return SHORT
        keep(self.position, self.before, level)
        number = take_move(self.position, self.s, start, at)
        if number < 0:
            return ODD
        if level:
            node = -1 - (self.rows.sides - self.rows.first_side)
            if not self.rows.put_side(number, self.line[level], start, at - start):
                return FULL
        else:
            node = self.rows.plies - self.rows.first_ply
            if node >= MAX_PLIES:
                return ODD
            if not self.rows.put_ply(number, start, at - start):
                return FULL
            if not self.rows.put_position(self.position, changed(self.position, self.before, 0)):
                return FULL
        if self.waiting[level] >= 0:
            self.settle_comments(node, 0)
        self.node[level] = node
        self.varied[level] = 0
        return at

    # --- comments -----------------------------------------------------------------------------------

    def read_comment(self, at: Size) -> Size:
        """Behind a comment in braces; SHORT, ODD or FULL."""
        end: Size = find_byte(self.s, at + 1, self.limit, 125)
        return self.put_comment(at + 1, end, end + 1) if end >= 0 else self.short()

    def read_rest(self, at: Size) -> Size:
        """Behind a comment that ends with its line; SHORT, ODD or FULL."""
        end: Size = at
        while end < self.limit and self.s[end] != 10 and self.s[end] != 13:
            end += 1
        if end == self.limit and not self.final:
            return SHORT
        return self.put_comment(at + 1, end, end)

    def put_comment(self, at: Size, end: Size, after: Size) -> Size:
        """Keep a comment; `after` is behind it, which is given back."""
        s: Chars = self.s
        level: i32 = self.level
        kind: i32 = kind_of_comment(s, at, end)
        if kind == ODD:
            return ODD
        while at < end and s[at] <= 32:
            at += 1
        while at < end and s[end - 1] <= 32:
            end -= 1
        if self.node[level] == NO_NODE or self.varied[level]:
            if self.waiting[level] < 0:
                self.waiting[level] = self.rows.comments
            if not self.rows.put_comment(at, end - at, kind, 0, WAITING + level):
                return FULL
            return after
        if not self.rows.put_comment(at, end - at, kind, self.node[level], 1):
            return FULL
        if level == 0 and self.rows.wants & WANT_COMMANDS:
            self.take_commands(self.rows.plies - 1, at, end)
        return after

    def settle_comments(self, node: i32, after: i32) -> None:
        """Comments that waited for the next move, or for the end of the line, belong to a move now."""
        row: Size
        for row in range(self.waiting[self.level], self.rows.comments):
            if self.rows.comment_after[row] != WAITING + self.level:
                continue
            self.rows.comment_node[row] = node
            self.rows.comment_after[row] = after
            if after and self.level == 0 and self.rows.wants & WANT_COMMANDS:
                self.take_commands(
                    self.rows.plies - 1,
                    self.rows.comment[row],
                    self.rows.comment[row] + self.rows.comment_length[row],
                )
        self.waiting[self.level] = -1

    def take_commands(self, ply: Size, at: Size, end: Size) -> None:
        """The clocks, evaluations and drawings in a comment."""
        s: Chars = self.s
        kind: i32
        start: Size
        stop: Size
        while True:
            at = find_byte(s, at, end, 91)
            if at < 0:
                return
            kind = command_at(s, at, end)
            if kind != NO_COMMAND:
                start = value_start(s, at, end, kind)
                stop = end_of_command(s, start, end)
                if stop >= 0:
                    self.take_command(ply, kind, start, stop)
                    at = stop
            at += 1

    def take_command(self, ply: Size, kind: i32, at: Size, end: Size) -> None:
        """What one command says; the first of its name counts."""
        number: i32
        if kind >= ARROWS:
            if not self.rows.wants & WANT_SHAPES:
                return
            if kind == ARROWS and self.rows.arrows_length[ply] == 0:
                self.rows.arrows[ply], self.rows.arrows_length[ply] = at, end - at
            elif kind != ARROWS and self.rows.circles_length[ply] == 0:
                self.rows.circles[ply], self.rows.circles_length[ply] = at, end - at
            return
        number = number_of(self.s, at, end, kind)
        if number == NOTHING:
            return
        if kind == CLOCK and self.rows.wants & WANT_CLOCKS and self.rows.clock[ply] == NO_CLOCK:
            self.rows.clock[ply] = number
        elif kind == ELAPSED and self.rows.wants & WANT_EMTS and self.rows.emt[ply] == NO_CLOCK:
            self.rows.emt[ply] = number
        elif kind == EVALUATION and self.rows.wants & WANT_EVALS and self.rows.eval[ply] == NO_EVAL:
            self.rows.eval[ply] = number

    # --- glyphs -------------------------------------------------------------------------------------

    def read_glyph(self, at: Size) -> Size:
        """Behind the number of a glyph; SHORT, ODD or FULL."""
        start: Size = at
        number: i32 = 0
        while at < self.limit and 48 <= self.s[at] <= 57:
            number = number * 10 + self.s[at] - 48
            at += 1
            if at - start > 3:
                return ODD
        if at == self.limit and not self.final:
            return SHORT
        return self.put_glyph(number, at) if at > start and number < 256 else ODD

    def read_suffix(self, at: Size) -> Size:
        """Behind marks such as ``!?``; SHORT, ODD or FULL."""
        start: Size = at
        number: i32
        while at < self.limit and (self.s[at] == 33 or self.s[at] == 63):
            at += 1
        if at == self.limit and not self.final:
            return SHORT
        number = suffix_number(self.s, start, at)
        return self.put_glyph(number, at) if number else ODD

    def put_glyph(self, number: i32, after: Size) -> Size:
        """Keep a glyph of the last move; `after` is behind it, which is given back."""
        node: i32 = self.node[self.level]
        if node == NO_NODE:
            return ODD
        return after if self.rows.put_nag(number, node) else FULL

    # --- variations ---------------------------------------------------------------------------------

    def open_line(self, at: Size) -> Size:
        """A variation begins in the place of the last move."""
        level: i32 = self.level
        if self.node[level] == NO_NODE or level == MAX_DEPTH:
            return ODD
        if not self.rows.put_line(self.node[level]):
            return FULL
        keep(self.position, self.held, level)
        restore(self.position, self.before, level)
        level += 1
        self.level = level
        self.line[level] = self.rows.lines - self.rows.first_line - 1
        self.node[level] = NO_NODE
        self.varied[level] = 0
        self.waiting[level] = -1
        return at

    def close_line(self, at: Size) -> Size:
        """A variation ends."""
        level: i32 = self.level
        if level == 0 or self.node[level] == NO_NODE:
            return ODD
        if self.waiting[level] >= 0:
            self.settle_comments(self.node[level], 1)
        level -= 1
        self.level = level
        self.varied[level] = 1
        restore(self.position, self.held, level)
        return at

    # --- the past -----------------------------------------------------------------------------------

    def repetitions(self) -> i32:
        """How often the final position has occurred; 1 where it cannot be five times."""
        plies: Size = self.rows.plies - self.rows.first_ply
        row: Size
        found: i32 = 1
        high: u64
        low: u64
        rights: u64
        state: u64
        # Five times take sixteen moves back and forth; men that are dropped may make up for captured ones.
        if plies < 16 or (self.position.half < 16 and self.position.rules != CRAZYHOUSE):
            return 1
        rights, state = effective_rights(self.position), state_of(self.position)
        high, low = (
            lane_of(self.position, SEED_HIGH, state, rights),
            lane_of(self.position, SEED_LOW, state, rights),
        )
        keep(self.position, self.held, 0)
        restore(self.position, self.begun, 0)
        for row in range(self.rows.first_ply, self.rows.plies):
            rights, state = effective_rights(self.position), state_of(self.position)
            if lane_of(self.position, SEED_HIGH, state, rights) == high:
                if lane_of(self.position, SEED_LOW, state, rights) == low:
                    found += 1
            advance(self.position, self.rows.move[row])
        restore(self.position, self.held, 0)
        return found


def _scratch() -> Scratch:
    if cython.compiled:
        return Scratch.__new__(Scratch)
    return blank()  # type: ignore[return-value]


def suffix_number(s: Chars, at: Size, end: Size) -> i32:
    """The glyph that marks stand for: ``!`` ``?`` ``!!`` ``??`` ``!?`` ``?!`` are 1 to 6; else 0."""
    if end - at == 1:
        return 1 if s[at] == 33 else 2
    if end - at != 2:
        return 0
    if s[at] == s[at + 1]:
        return 3 if s[at] == 33 else 4
    return 5 if s[at] == 33 else 6
