# cython: boundscheck=False, wraparound=False
"""Findings about a CoTuLenh text as numbers, and everything else the scanner knows of a text.

`Scan` holds the board and clocks of one text, where its units stand, the first error, the first warning and
how many findings there are. The module runs as it is and compiles with Cython (`notes.pxd` gives the C
types).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.column import ASK, CANONICAL, NOTED, REFUSED, STRICT
    from forsyth.games.cotulenh.board import SQUARE_COUNT, i32

    MOST_FINDINGS: Final = 64
    NO_SQUARE: Final = -1
    EMPTY: Final = 0
    FIELDS: Final = 1
    TURN: Final = 2
    HALF_VALUE: Final = 3
    HALF_RANGE: Final = 4
    FULL_VALUE: Final = 5
    FULL_RANGE: Final = 6
    RANK_COUNT: Final = 7
    COUNT: Final = 8
    RANK_SHORT: Final = 9
    RANK_LONG: Final = 10
    LETTER: Final = 11
    PLUS_DOUBLE: Final = 12
    PLUS_ALONE: Final = 13
    PAREN_NESTED: Final = 14
    PAREN_CLOSE: Final = 15
    PAREN_OPEN: Final = 16
    STACK_DIGIT: Final = 17
    STACK_EMPTY: Final = 18
    ON_WATER: Final = 19
    ON_LAND: Final = 20
    COMMANDER_MANY: Final = 21
    COMMANDER_MISSING: Final = 22
    CASTLING: Final = 23
    EN_PASSANT: Final = 24
    FULL_ZERO: Final = 25
    FULL_FORMAT: Final = 26
    STACK_COLOURS: Final = 27
    STACK_DUPLICATE: Final = 28
    STACK_MEMBERS: Final = 29
    WHITESPACE: Final = 30
    """The first of the warnings."""
    HALF_FORMAT: Final = 31
    ADJACENT_DIGITS: Final = 32
    STACK_SINGLE: Final = 33
    STACK_ORDER: Final = 34
    HALF_INCONSISTENT: Final = 35
    NO_COMMANDER: Final = 36
    MISSING_FIELDS: Final = 37
    """The first of the warnings about what lenient mode has mended."""
    EXTRA_FIELDS: Final = 38
    ALIAS: Final = 39
    SHORT_RANK: Final = 40
    PLUS_BEFORE_STACK: Final = 41
    PIPE: Final = 42

    def clear(scan: Scan) -> None:
        """Empty the board."""
        scan.units[:] = [0] * SQUARE_COUNT


NOTED_CODES: Final = (
    "fen.empty",
    "fen.fields",
    "turn.value",
    "half.value",
    "half.range",
    "full.value",
    "full.range",
    "board.rank_count",
    "board.count",
    "board.rank_short",
    "board.rank_long",
    "piece.letter",
    "plus.double",
    "plus.alone",
    "paren.nested",
    "paren.close",
    "paren.open",
    "stack.digit",
    "stack.empty",
    "terrain.water",
    "terrain.land",
    "commander.many",
    "commander.missing",
    "castling.value",
    "ep.value",
    "full.zero",
    "full.format",
    "stack.colours",
    "stack.duplicate",
    "stack.members",
    "fen.whitespace",
    "half.format",
    "board.adjacent_digits",
    "stack.single",
    "stack.order",
    "half.inconsistent",
    "no.commander",
    "missing.fields",
    "extra.fields",
    "alias.b",
    "short.rank",
    "plus.before_stack",
    "pipe.in_stack",
)
"""The codes by their numbers."""


class Scan:
    """What is known of one text: its board and clocks, where its units stand, and the findings."""

    if not cython.compiled:
        __slots__ = (
            "adjacent",
            "board_start",
            "broken",
            "colours",
            "commanders",
            "count",
            "depth",
            "digits_end",
            "digits_start",
            "ends",
            "error",
            "errors",
            "excess",
            "last",
            "last_end",
            "letters",
            "lost",
            "mended",
            "mode",
            "odd",
            "odd_end",
            "odd_start",
            "opened",
            "pieces",
            "plus",
            "rank",
            "readable",
            "slashes",
            "sorted",
            "squares",
            "stack_codes",
            "stack_lost",
            "stack_squares",
            "stacks",
            "starts",
            "tail",
            "twice",
            "units",
            "warning",
            "word_ends",
            "word_starts",
            "words",
        )

        def __init__(self) -> None:
            self.mode = self.count = self.errors = self.mended = self.lost = self.readable = 0
            self.board_start = self.words = self.last_end = self.odd_start = self.odd_end = 0
            self.rank = self.squares = self.depth = self.opened = self.plus = self.broken = self.odd = 0
            self.adjacent = self.excess = 0
            self.slashes = 0
            self.digits_start = self.digits_end = self.letters = self.pieces = self.colours = 0
            self.commanders = self.twice = self.sorted = self.last = self.stacks = 0
            self.units = [0] * SQUARE_COUNT
            self.starts = [0] * SQUARE_COUNT
            self.ends = [0] * SQUARE_COUNT
            self.tail = [0] * 16
            self.error = [0] * 4
            self.warning = [0] * 4
            self.word_starts = [0] * 7
            self.word_ends = [0] * 7
            self.stack_squares = [0] * SQUARE_COUNT
            self.stack_codes = [0] * SQUARE_COUNT
            self.stack_lost = [0] * SQUARE_COUNT


def note(scan: Scan, code: i32, start: i32, end: i32, square: i32) -> i32:
    """Add a finding; whether it is an error."""
    scan.count += 1
    scan.mended |= 1 if code >= MISSING_FIELDS else 0
    if code < WHITESPACE or scan.mode == STRICT:
        scan.errors += 1
        if scan.errors == 1:
            scan.error[0] = code
            scan.error[1] = start
            scan.error[2] = end
            scan.error[3] = square
        return 1
    if scan.count - scan.errors == 1:
        scan.warning[0] = code
        scan.warning[1] = start
        scan.warning[2] = end
        scan.warning[3] = square
    return 0


def verdict_of(scan: Scan) -> i32:
    """The verdict of `forsyth.column` on a text with these findings."""
    if scan.count == 0:
        return CANONICAL
    if scan.count > MOST_FINDINGS:
        return ASK
    return REFUSED if scan.errors else NOTED
