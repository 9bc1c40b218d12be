"""Findings as numbers: what the scanner has to say about a text, without an object for any of it.

`Notes` holds the finding that stands for a text, which is the first error, else the first warning, and how
many findings there are; also where the board stands, if it is canonical. `note` weighs a finding as
`forsyth.findings.Findings.add` does: strict mode makes every warning an error, lenient mode an error that it
mends a warning. The module runs as it is and compiles with Cython (`notes.pxd` gives the C types).

Limits: the collector keeps a bounded number of findings and `note` counts all of them; whoever reads the
notes of a text with more than MAX_DIAGNOSTICS has to ask the reader.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.codes import BOOK
from forsyth.games.chess.rules.legality import FAULTS

if not cython.compiled:
    from forsyth.column import LENIENT, STRICT
    from forsyth.games.chess.board import i32

    Notes = list[int]
    Size = int
    CODE: Final = 0
    SEVERITY: Final = 1
    START: Final = 2
    END: Final = 3
    SQUARE: Final = 4
    COUNT: Final = 5
    ERRORS: Final = 6
    MENDED: Final = 7
    MODE: Final = 8
    RESPELLED: Final = 9
    BOARD_FROM: Final = 10
    BOARD_TO: Final = 11
    FEN_EMPTY: Final = 0
    FEN_FIELDS: Final = 1
    FEN_DASH: Final = 2
    FEN_WHITESPACE: Final = 3
    FEN_FIELDS4: Final = 4
    BOARD_CHAR: Final = 5
    BOARD_DIGIT: Final = 6
    ADJACENT_DIGITS: Final = 7
    RANK_SHORT: Final = 8
    RANK_LONG: Final = 9
    RANK_COUNT: Final = 10
    BOARD_TILDE: Final = 11
    POCKET_CHAR: Final = 12
    POCKET_SIZE: Final = 13
    POCKET_FORM: Final = 14
    SIDE_VALUE: Final = 15
    CASTLING_CHAR: Final = 16
    CASTLING_LENGTH: Final = 17
    CASTLING_MIXED: Final = 18
    CASTLING_TWICE: Final = 19
    CASTLING_ORDER: Final = 20
    EP_VALUE: Final = 21
    EP_RANK: Final = 22
    CHECKS_VALUE: Final = 23
    CHECKS_FORM: Final = 24
    HALF_VALUE: Final = 25
    HALF_RANGE: Final = 26
    HALF_FORMAT: Final = 27
    FULL_VALUE: Final = 28
    FULL_RANGE: Final = 29
    FULL_FORMAT: Final = 30
    FULL_ZERO: Final = 31
    FIRST_FAULT: Final = 32
    AN_ERROR: Final = 0
    A_WARNING: Final = 1
    SEVERITIES = [0] * 64

NOTED_CODES: Final = (
    "fen.empty",
    "fen.fields",
    "fen.dash",
    "fen.whitespace",
    "fen.fields4",
    "board.char",
    "board.digit",
    "board.adjacent_digits",
    "board.rank_short",
    "board.rank_long",
    "board.rank_count",
    "board.tilde",
    "pocket.char",
    "pocket.size",
    "pocket.form",
    "side.value",
    "castling.char",
    "castling.length",
    "castling.dash_mixed",
    "castling.duplicate",
    "castling.order",
    "ep.value",
    "ep.rank",
    "checks.value",
    "checks.form",
    "half.value",
    "half.range",
    "half.format",
    "full.value",
    "full.range",
    "full.format",
    "full.zero",
    *FAULTS,
)
"""The code of each number, from FEN_EMPTY on; behind them, from FIRST_FAULT on, the bits of `faults`."""


def _fill_severities() -> None:
    for number, code in enumerate(NOTED_CODES):
        SEVERITIES[number] = A_WARNING if BOOK.infos[code].severity == "warning" else AN_ERROR


_fill_severities()


def begin(notes: Notes, mode: i32) -> None:
    """Nothing is noted yet about a text that is read in a mode."""
    notes[COUNT] = 0
    notes[ERRORS] = 0
    notes[MENDED] = 0
    notes[MODE] = mode
    notes[RESPELLED] = 0
    notes[BOARD_TO] = 0


def note(notes: Notes, code: i32, mended: bool, start: Size, end: Size, square: i32) -> None:
    """Note one finding; `mended` says that a value was read all the same, `square` is −1 for none."""
    severity: i32 = SEVERITIES[code]
    if notes[MODE] == STRICT:
        severity = AN_ERROR
    elif mended and severity == AN_ERROR and notes[MODE] == LENIENT:
        severity = A_WARNING
        notes[MENDED] += 1
    if notes[COUNT] == 0 or (severity == AN_ERROR and notes[ERRORS] == 0):
        notes[CODE] = code
        notes[SEVERITY] = severity
        notes[START] = start
        notes[END] = end
        notes[SQUARE] = square
    notes[COUNT] += 1
    if severity == AN_ERROR:
        notes[ERRORS] += 1
